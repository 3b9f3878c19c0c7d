/**
 * Patterns of numbers for `format`: `#,##0.00`.
 *
 * A `0` is a digit that is always written, a `#` after the point one that is written unless only zeros follow. A comma before the last three
 * places groups thousands, and `%` at the end writes hundredths. There is always a dot before the decimals, and commas between groups,
 * whatever the language of the machine.
 */
import { digitsOf, unitsOf } from "./decimal.ts";
import type { PatternFault } from "./built-in.ts";

export interface NumberPattern {
  /** How many digits are written before the point at least. */
  readonly whole: number;
  readonly grouped: boolean;
  /** How many decimals are written at least, and at most. */
  readonly fewest: number;
  readonly most: number;
  readonly percent: boolean;
}

const MOST_PLACES = 20;
const SHAPE = /^(#*0+|#*0*,[#0]{3})(?:\.(0*)(#*))?(%?)$/u;
const HINT = "use a pattern such as #,##0.00 or 0.0#%";

/** Returns what a pattern of numbers says, or what is wrong with it. */
export function readNumberPattern(pattern: string): NumberPattern | PatternFault {
  const [, whole, zeros = "", hashes = "", percent] = SHAPE.exec(pattern) ?? [];
  if (whole === undefined || !/^#*0+$/u.test(whole.replace(",", ""))) {
    return { fault: `${JSON.stringify(pattern)} is no pattern of numbers`, hint: HINT };
  }
  if (pattern.includes(".") && zeros + hashes === "") {
    return { fault: `${JSON.stringify(pattern)} has no decimal after its point`, hint: HINT };
  }
  const least = whole.replace(/[^0]/gu, "").length;
  const most = zeros.length + hashes.length;
  if (least > MOST_PLACES || most > MOST_PLACES) {
    return {
      fault: "the pattern has too many places",
      hint: `use at most ${MOST_PLACES} places before and after the point`,
    };
  }
  return { whole: least, grouped: whole.includes(","), fewest: zeros.length, most, percent: percent === "%" };
}

/** Returns a number as the pattern says. It is rounded as by `fixed`, and what is written as zero has no sign. */
export function writeNumber({ whole, grouped, fewest, most, percent }: NumberPattern, number: number): string {
  const units = unitsOf(Math.abs(number), percent ? most + 2 : most);
  const digits = digitsOf(units, most);
  const padded = digits.whole.replace(/^0+/u, "").padStart(whole, "0");
  const before = grouped ? padded.replace(/\B(?=(?:\d{3})+$)/gu, ",") : padded;
  let { fraction } = digits;
  while (fraction.length > fewest && fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  const sign = number < 0 && units > 0n ? "-" : "";
  return `${sign}${before}${fraction === "" ? "" : `.${fraction}`}${percent ? "%" : ""}`;
}
