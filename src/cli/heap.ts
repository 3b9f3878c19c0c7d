/** What is alive on the heap. Garbage is collected first, which V8 only does on demand when a flag allows it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns the bytes of all live objects. */
export function liveBytes(): number {
  const collect = collector();
  // What the first collection finalises, the second one frees.
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
