/** Numbers as integers: every finite number is an integer multiple of the smallest one, 2^-1074. */

/** The bits of a significand, including the leading one. */
const PRECISION = 53;
/** The exponent of the smallest number. */
const SMALLEST = -1074;

const view = new DataView(new ArrayBuffer(8));

export function inUnits(value: number): bigint {
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  const fraction = bits & 0xfffffffffffffn;
  const units = exponent === 0n ? fraction : (fraction + 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -units : units;
}

/** Returns the nearest number to units / divisor, ties to even; infinite when it is too large. */
export function fromUnits(units: bigint, divisor: bigint): number {
  if (units < 0n) return -fromUnits(-units, divisor);
  const quotient = units / divisor;
  const bits = quotient === 0n ? 0 : quotient.toString(2).length;
  const dropped = BigInt(Math.max(0, bits - PRECISION));
  const step = divisor << dropped;
  const kept = units / step;
  const twiceRest = (units - kept * step) * 2n;
  const up = twiceRest > step || (twiceRest === step && (kept & 1n) === 1n);
  return scaled(up ? kept + 1n : kept, Number(dropped) + SMALLEST);
}

/**
 * Returns significand × 2^exponent in two exact steps, because 2^exponent alone may be too small or too large for a
 * number.
 */
function scaled(significand: bigint, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return Number(significand) * 2 ** half * 2 ** (exponent - half);
}

/** Returns the nearest number to the square root of squares / divisor, which is not negative; squares of units are 2^-2148. */
export function rootFromUnits(squares: bigint, divisor: bigint): number {
  // The ends of what is rounded to one number are half units, so that a root in half units and whether it is exact are enough.
  const halves = 4n * squares;
  const root = integerRoot(halves / divisor);
  const exact = root * root * divisor === halves;
  return fromUnits(exact ? 2n * root : 2n * root + 1n, 4n);
}

/** Returns the largest integer whose square is not above a value: Newton's steps from above, beginning with the bits of a number. */
function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  const bits = value.toString(16).length * 4;
  const cut = Math.max(0, bits - FLOAT_BITS);
  const shift = BigInt(cut + (cut % 2));
  // Above the root: the bits that are cut off are less than one, and the root of so few bits is off by less than one.
  let root = (BigInt(Math.ceil(Math.sqrt(Number(value >> shift) + 1))) + 1n) << (shift / 2n);
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** Twice as many bits as a float has for the root, or less. */
const FLOAT_BITS = 100;
