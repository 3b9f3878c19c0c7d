/**
 * Names for nodes: xxHash64 of their canonical text. A name is never what sharing is decided by.
 *
 * A version in plain TypeScript is there at once. The WebAssembly of xxhash-wasm gives the same numbers; it is started with
 * the first hash, nothing waits for it, and it takes over when it is ready. Where a content security policy refuses
 * WebAssembly, the plain version stays.
 */
import xxhash from "xxhash-wasm";
import { plainXxHash64 } from "../base/xxhash64.ts";

/** Returns a 64-bit number for a text. */
export type Hash = (text: string) => bigint;

let current: Hash = plainXxHash64;
let started: Promise<void> | undefined;

/** Returns the xxHash64 of a text, by WebAssembly as soon as that is ready. */
export const xxHash64: Hash = (text) => {
  if (started === undefined) void startWebAssembly();
  return current(text);
};

/** Starts the WebAssembly once. The promise never rejects: without WebAssembly the plain version goes on. */
export function startWebAssembly(): Promise<void> {
  return (started ??= xxhash().then(
    (wasm) => {
      current = (text) => wasm.h64(text);
    },
    () => undefined,
  ));
}
