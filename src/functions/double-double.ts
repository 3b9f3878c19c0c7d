/**
 * Numbers of about 106 bits, each the sum of two that do not overlap (Dekker, "A Floating-Point Technique for Extending the
 * Available Precision", 1971).
 *
 * Everything here is sums, products and quotients of numbers, whose results are the same on every machine. `Math.log`
 * and `Math.pow` may differ from one to the next, and a decision that is replayed elsewhere must not.
 */

/** `high` is the number nearest to the sum of both. */
export interface DoubleDouble {
  readonly high: number;
  readonly low: number;
}

export const exactly = (value: number): DoubleDouble => ({ high: value, low: 0 });

const ONE = exactly(1);
const LN2: DoubleDouble = { high: Math.LN2, low: 2.3190468138462996e-17 };

/** Splits a number of 53 bits into two of 26 when it is multiplied with it. */
const SPLITTER = 2 ** 27 + 1;

/** Returns the exact sum of two numbers. */
function twoSum(a: number, b: number): DoubleDouble {
  const high = a + b;
  const part = high - a;
  return { high, low: a - (high - part) + (b - part) };
}

/** Returns the exact product of two numbers, neither of which is near the ends of the range. */
function twoProduct(a: number, b: number): DoubleDouble {
  const high = a * b;
  const [aHigh, aLow] = halves(a);
  const [bHigh, bLow] = halves(b);
  return { high, low: aLow * bLow - (high - aHigh * bHigh - aLow * bHigh - aHigh * bLow) };
}

function halves(value: number): [number, number] {
  const scaled = SPLITTER * value;
  const high = scaled - (scaled - value);
  return [high, value - high];
}

function sum(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const first = twoSum(a.high, b.high);
  const second = twoSum(a.low, b.low);
  const middle = twoSum(first.high, first.low + second.high);
  return twoSum(middle.high, middle.low + second.low);
}

export function product(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const { high, low } = twoProduct(a.high, b.high);
  return twoSum(high, low + (a.high * b.low + a.low * b.high));
}

/** Returns the quotient: two digits of long division with digits of 53 bits, and the rest. */
export function quotient(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const first = a.high / b.high;
  const rest = difference(a, product(b, exactly(first)));
  const second = rest.high / b.high;
  const rest2 = difference(rest, product(b, exactly(second)));
  return sum(twoSum(first, second), exactly(rest2.high / b.high));
}

function difference(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  return sum(a, { high: -b.high, low: -b.low });
}

/** A positive number as a mantissa from 0.7 to 1.42 and a power of two. */
export interface Scaled {
  readonly mantissa: DoubleDouble;
  readonly exponent: number;
}

/** Returns a positive number with its power of two apart. */
export function scaled(value: number): Scaled {
  let [mantissa, exponent] = value < 2 ** -1022 ? [value * 2 ** 54, -54] : [value, 0];
  for (let step = 512; step >= 1; step /= 2) {
    while (mantissa >= 2 ** step) {
      mantissa /= 2 ** step;
      exponent += step;
    }
    while (mantissa < 2 ** (1 - step)) {
      mantissa *= 2 ** step;
      exponent -= step;
    }
  }
  return mantissa > Math.SQRT2
    ? { mantissa: exactly(mantissa / 2), exponent: exponent + 1 }
    : { mantissa: exactly(mantissa), exponent };
}

/** Returns the number that is nearest, infinite when it is too large. */
export function unscaled({ mantissa, exponent }: Scaled): number {
  if (exponent > 1100) return Infinity;
  if (exponent < -1200) return 0;
  const half = Math.trunc(exponent / 2);
  return mantissa.high * 2 ** half * 2 ** (exponent - half);
}

/** 1/45, 1/43, …, 1/3 */
const ODD_RECIPROCALS = Array.from({ length: 22 }, (_, at) => quotient(ONE, exactly(45 - 2 * at)));
/** 1/26, 1/25, …, 1 */
const RECIPROCALS = Array.from({ length: 26 }, (_, at) => quotient(ONE, exactly(26 - at)));

/** Returns the natural logarithm: that of the mantissa is a series in s = (m - 1) / (m + 1), which is at most 0.172. */
export function logarithm({ mantissa, exponent }: Scaled): DoubleDouble {
  const s = quotient(difference(mantissa, ONE), sum(mantissa, ONE));
  const square = product(s, s);
  let series = exactly(0);
  for (const reciprocal of ODD_RECIPROCALS) series = product(sum(reciprocal, series), square);
  const half = product(s, sum(ONE, series));
  return sum(product(LN2, exactly(exponent)), { high: 2 * half.high, low: 2 * half.low });
}

/** Returns e to a power between -1,000,000 and 1,000,000: a power of two, and a series for the rest, which is at most 0.35. */
export function exponential(power: DoubleDouble): Scaled {
  const exponent = Math.round(power.high / LN2.high);
  const rest = difference(power, product(LN2, exactly(exponent)));
  let mantissa = ONE;
  for (const reciprocal of RECIPROCALS) mantissa = sum(ONE, product(product(mantissa, rest), reciprocal));
  return { mantissa, exponent };
}

/** Returns an integer power, by squaring; `power` is from 0 to a few thousand. */
export function integerPower(base: Scaled, power: number): Scaled {
  let result: Scaled = { mantissa: ONE, exponent: 0 };
  let factor = base;
  for (let rest = power; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = times(result, factor);
    factor = times(factor, factor);
  }
  return result;
}

function times(a: Scaled, b: Scaled): Scaled {
  const mantissa = product(a.mantissa, b.mantissa);
  const exponent = a.exponent + b.exponent;
  if (mantissa.high > 1.5) return { mantissa: halved(mantissa), exponent: exponent + 1 };
  return mantissa.high < 0.7 ? { mantissa: doubled(mantissa), exponent: exponent - 1 } : { mantissa, exponent };
}

const halved = ({ high, low }: DoubleDouble): DoubleDouble => ({ high: high / 2, low: low / 2 });
const doubled = ({ high, low }: DoubleDouble): DoubleDouble => ({ high: high * 2, low: low * 2 });
