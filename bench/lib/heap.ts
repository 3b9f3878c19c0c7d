/** What is alive on the heap, in bytes; needs node --expose-gc. */
import { collectGarbage } from "./repeat.ts";

export function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed: objects, arrayBuffers } = process.memoryUsage();
  return objects + arrayBuffers;
}

export const MEGABYTE: number = 1024 * 1024;
