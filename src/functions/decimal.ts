/**
 * Numbers as people write them: the shortest decimal that means the number, not the binary fraction that stores it. In this
 * sense 1.005 is exactly 1.005, and rounded to two decimals it is 1.01. A half is rounded away from zero.
 */

/** Returns how many units of the last decimal a number that is not negative has, rounded: 1.005 has 101 hundredths. */
export function unitsOf(number: number, decimals: number): bigint {
  const [, whole = "0", fraction = "", exponent = "0"] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/u.exec(String(number)) ?? [];
  const value = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + decimals;
  if (shift >= 0) return value * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  return (2n * value + unit) / (2n * unit);
}

/** The digits of a number before and after the point. */
export interface Digits {
  readonly whole: string;
  /** As many as were asked for. */
  readonly fraction: string;
}

/** Returns the digits of so many units of the last decimal. */
export function digitsOf(units: bigint, decimals: number): Digits {
  const digits = String(units).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return { whole: digits.slice(0, point), fraction: digits.slice(point) };
}
