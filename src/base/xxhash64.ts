/**
 * XXH64 with seed 0, after its public specification, without WebAssembly.
 *
 * A 64-bit number is two 32-bit halves. The functions below take the halves of their operands and leave those of their
 * result in `high` and `low`: two halves cannot be returned without allocating.
 */

const [P1H, P1L] = [0x9e37_79b1, 0x85eb_ca87] as const;
const [P2H, P2L] = [0xc2b2_ae3d, 0x27d4_eb4f] as const;
const [P3H, P3L] = [0x1656_67b1, 0x9e37_79f9] as const;
const [P4H, P4L] = [0x85eb_ca77, 0xc2b2_ae63] as const;
const [P5H, P5L] = [0x27d4_eb2f, 0x1656_67c5] as const;

/** The bytes of one stripe: four lanes of eight. */
const STRIPE = 32;

let high = 0;
let low = 0;
let encoder: { encode(text: string): Uint8Array } | undefined;

/** Returns the XXH64 of a text in UTF-8. */
export function plainXxHash64(text: string): bigint {
  const bytes = (encoder ??= new TextEncoder()).encode(text);
  const begun = bytes.length < STRIPE ? 0 : hashStripes(bytes);
  if (begun === 0) set(P5H, P5L);
  add(high, low, Math.floor(bytes.length / 2 ** 32), bytes.length);
  hashTail(bytes, begun);
  avalanche();
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Hashes whole stripes into `high` and `low`, and returns how many bytes they are. */
function hashStripes(bytes: Uint8Array): number {
  add(P1H, P1L, P2H, P2L);
  // the halves of the lanes; the last one begins with 0 - P1
  const lanes = Int32Array.of(high, low, P2H, P2L, 0, 0, ~P1H, -P1L);
  let at = 0;
  for (; at + STRIPE <= bytes.length; at += STRIPE) {
    for (let lane = 0; lane < 8; lane += 2) {
      round(half(lanes, lane), half(lanes, lane + 1), word(bytes, at + lane * 4 + 4), word(bytes, at + lane * 4));
      lanes[lane] = high;
      lanes[lane + 1] = low;
    }
  }
  let [sumHigh, sumLow] = [0, 0];
  for (const [index, bits] of ROTATIONS.entries()) {
    rotate(half(lanes, 2 * index), half(lanes, 2 * index + 1), bits);
    add(high, low, sumHigh, sumLow);
    [sumHigh, sumLow] = [high, low];
  }
  for (let lane = 0; lane < 8; lane += 2) {
    round(0, 0, half(lanes, lane), half(lanes, lane + 1));
    multiply(high ^ sumHigh, low ^ sumLow, P1H, P1L);
    add(high, low, P4H, P4L);
    [sumHigh, sumLow] = [high, low];
  }
  return at;
}

/** By how much each lane is rotated before the lanes are added. */
const ROTATIONS = [1, 7, 12, 18];

/** Hashes what is left after the last whole stripe: eight bytes at a time, then four, then one. */
function hashTail(bytes: Uint8Array, begin: number): void {
  let at = begin;
  for (; at + 8 <= bytes.length; at += 8) {
    const [hashHigh, hashLow] = [high, low];
    round(0, 0, word(bytes, at + 4), word(bytes, at));
    rotate(high ^ hashHigh, low ^ hashLow, 27);
    multiply(high, low, P1H, P1L);
    add(high, low, P4H, P4L);
  }
  for (; at + 4 <= bytes.length; at += 4) {
    const [hashHigh, hashLow] = [high, low];
    multiply(0, word(bytes, at), P1H, P1L);
    rotate(high ^ hashHigh, low ^ hashLow, 23);
    multiply(high, low, P2H, P2L);
    add(high, low, P3H, P3L);
  }
  for (; at < bytes.length; at++) {
    const [hashHigh, hashLow] = [high, low];
    multiply(0, bytes[at] ?? 0, P5H, P5L);
    rotate(high ^ hashHigh, low ^ hashLow, 11);
    multiply(high, low, P1H, P1L);
  }
}

/** Makes every bit of the hash depend on all others. */
function avalanche(): void {
  low ^= high >>> 1; // the number shifted right by 33
  multiply(high, low, P2H, P2L);
  set(high ^ (high >>> 29), low ^ ((low >>> 29) | (high << 3)));
  multiply(high, low, P3H, P3L);
  low ^= high; // shifted right by 32
}

/** Computes rotl(lane + input * P2, 31) * P1. */
function round(laneHigh: number, laneLow: number, inputHigh: number, inputLow: number): void {
  multiply(inputHigh, inputLow, P2H, P2L);
  add(high, low, laneHigh, laneLow);
  rotate(high, low, 31);
  multiply(high, low, P1H, P1L);
}

function set(toHigh: number, toLow: number): void {
  high = toHigh | 0;
  low = toLow | 0;
}

function add(aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const sum = (aLow >>> 0) + (bLow >>> 0);
  set(aHigh + bHigh + (sum > 0xffff_ffff ? 1 : 0), sum);
}

/** Multiplies modulo 2^64: the low halves in pieces of 16 bits, as their product has 64 bits. */
function multiply(aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const [a1, a0, b1, b0] = [aLow >>> 16, aLow & 0xffff, bLow >>> 16, bLow & 0xffff];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const carried = a0 * b1 + (middle & 0xffff);
  const upper = a1 * b1 + Math.floor(middle / 0x1_0000) + Math.floor(carried / 0x1_0000);
  set(upper + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh), Math.imul(aLow, bLow));
}

/** Rotates left by 1 to 31 bits. */
function rotate(aHigh: number, aLow: number, bits: number): void {
  set((aHigh << bits) | (aLow >>> (32 - bits)), (aLow << bits) | (aHigh >>> (32 - bits)));
}

/** Returns four bytes as a number, the lowest first. */
function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

function half(lanes: Int32Array, index: number): number {
  return lanes[index] ?? 0;
}
