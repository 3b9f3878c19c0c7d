/**
 * Powers and logarithms for the brute-force matcher: integers that count 2^-300, so that the result is exact before it is
 * rounded. Written separately from the engine, to be compared with it.
 */

const BITS = 300n;
const ONE = 1n << BITS;

/** Returns the natural logarithm, or that to a base; undefined when there is none. */
export function exactLog(number: number, base?: number): number | undefined {
  if (number <= 0 || (base !== undefined && (base <= 0 || base === 1))) return undefined;
  const ln = lnOf(number);
  return base === undefined ? rounded(ln, 0) : rounded((ln << BITS) / lnOf(base), 0);
}

/** Returns a power; undefined when there is none, or it is too large for a number. */
export function exactPower(number: number, power: number): number | undefined {
  if (power === 0) return 1;
  if (number === 0) return power > 0 ? 0 : undefined;
  if (number < 0) {
    if (Math.floor(power) !== power) return undefined;
    const size = exactPower(-number, power);
    return size === undefined || power % 2 === 0 ? size : -size;
  }
  const [units, exponent] = parts(power);
  // The logarithm times the power: an integer times a power of two.
  const wide = lnOf(number) * units;
  const exponentOfE = exponent >= 0 ? wide << BigInt(exponent) : wide >> BigInt(-exponent);
  if (exponentOfE > ONE * 800n) return undefined;
  if (exponentOfE < ONE * -800n) return 0;
  const twos = exponentOfE / LN2;
  const result = rounded(exponentialOf(exponentOfE - twos * LN2), Number(twos));
  return Number.isFinite(result) ? result : undefined;
}

/** Returns a number as an integer times a power of two. */
function parts(number: number): [bigint, number] {
  let [value, exponent] = [number, 0];
  while (!Number.isInteger(value)) [value, exponent] = [value * 2, exponent - 1];
  while (Math.abs(value) > 2 ** 60) [value, exponent] = [value / 2, exponent + 1];
  return [BigInt(value), exponent];
}

/** Returns the logarithm in units of 2^-300. */
function lnOf(number: number): bigint {
  const [units, exponent] = parts(number);
  const size = units.toString(2).length;
  const mantissa = (units << BITS) >> BigInt(size); // from a half to one
  return lnOfMantissa(mantissa) + LN2 * BigInt(size + exponent);
}

const LN2 = -lnOfMantissa(ONE / 2n);

/** ln m = 2 artanh((m - 1) / (m + 1)), which falls by a factor of nine with each term. */
function lnOfMantissa(mantissa: bigint): bigint {
  const ratio = ((mantissa - ONE) << BITS) / (mantissa + ONE);
  const square = (ratio * ratio) >> BITS;
  let [sum, term] = [0n, ratio];
  for (let k = 1n; term !== 0n && k < 600n; k += 2n) {
    sum += term / k;
    term = (term * square) >> BITS;
  }
  return 2n * sum;
}

function exponentialOf(power: bigint): bigint {
  let [sum, term] = [0n, ONE];
  for (let k = 1n; term !== 0n && k < 200n; k++) {
    sum += term;
    term = (term * power) / (k * ONE);
  }
  return sum;
}

/** Returns the nearest number to so many units of 2^-300 times a power of two. What is a hair from 120 bits is meant to be these. */
function rounded(units: bigint, twos: number): number {
  if (units < 0n) return -rounded(-units, twos);
  const size = units.toString(2).length;
  const cut = BigInt(Math.max(0, size - 120));
  const close = cut === 0n ? units : ((units >> (cut - 1n)) + 1n) >> 1n; // to the nearest of 120 bits
  const exponent = Number(cut) - Number(BITS) + twos;
  return exponent < -1000 ? Number(close) * 2 ** -1000 * 2 ** (exponent + 1000) : Number(close) * 2 ** exponent;
}
