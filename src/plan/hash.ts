/**
 * Names for nodes: xxHash64 of their canonical text. A name is never what sharing is decided by.
 *
 * The WebAssembly of xxhash-wasm is not allowed everywhere (a strict content security policy refuses it), so there is a
 * version in plain JavaScript that gives the same numbers.
 */
import xxhash from "xxhash-wasm";

/** Returns a 64-bit number for a text. */
export type Hash = (text: string) => bigint;

/** Returns the xxHash64 of a text, by WebAssembly where that is allowed. */
export const xxHash64: Hash = await fastest();

async function fastest(): Promise<Hash> {
  try {
    const wasm = await xxhash();
    return (text) => wasm.h64(text);
  } catch {
    return plainXxHash64;
  }
}

const MASK = 0xffff_ffff_ffff_ffffn;
const P1 = 0x9e37_79b1_85eb_ca87n;
const P2 = 0xc2b2_ae3d_27d4_eb4fn;
const P3 = 0x1656_67b1_9e37_79f9n;
const P4 = 0x85eb_ca77_c2b2_ae63n;
const P5 = 0x27d4_eb2f_1656_67c5n;

/** Returns the XXH64 of a text with seed 0, in plain JavaScript, after its public specification. */
export function plainXxHash64(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer);
  let at = 0;
  let hash = P5;
  if (bytes.length >= 32) {
    const lanes = [add(P1, P2), P2, 0n, MASK & -P1];
    for (; at + 32 <= bytes.length; at += 32) {
      for (let lane = 0; lane < 4; lane++)
        lanes[lane] = round(lanes[lane] ?? 0n, view.getBigUint64(at + 8 * lane, true));
    }
    const [a = 0n, b = 0n, c = 0n, d = 0n] = lanes;
    hash = add(add(rotate(a, 1n), rotate(b, 7n)), add(rotate(c, 12n), rotate(d, 18n)));
    for (const lane of lanes) hash = add(multiply(hash ^ round(0n, lane), P1), P4);
  }
  hash = add(hash, BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = add(multiply(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n), P1), P4);
  }
  for (; at + 4 <= bytes.length; at += 4) {
    hash = add(multiply(rotate(hash ^ multiply(BigInt(view.getUint32(at, true)), P1), 23n), P2), P3);
  }
  for (; at < bytes.length; at++) hash = multiply(rotate(hash ^ multiply(BigInt(bytes[at] ?? 0), P5), 11n), P1);
  hash = multiply(hash ^ (hash >> 33n), P2);
  hash = multiply(hash ^ (hash >> 29n), P3);
  return hash ^ (hash >> 32n);
}

function round(lane: bigint, input: bigint): bigint {
  return multiply(rotate(add(lane, multiply(input, P2)), 31n), P1);
}

function add(a: bigint, b: bigint): bigint {
  return (a + b) & MASK;
}

function multiply(a: bigint, b: bigint): bigint {
  return (a * b) & MASK;
}

function rotate(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}
