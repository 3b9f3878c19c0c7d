/** Numbers as text: refused when a double cannot hold what was written. */
import type { Mistake } from "./mistake.ts";

const SHOWN = 40;

/** Why a number that is written like this cannot be taken; undefined when it can. */
export function numberProblem(written: string, value: number): Mistake | undefined {
  const shown = written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written;
  if (!Number.isFinite(value)) {
    return { code: "E110", message: `the number ${shown} is too large`, hint: "the largest number is about 1.8e308" };
  }
  const digits = written.replace(/^[+-]/u, "");
  if (digits.length < 16 || !/^\d+$/u.test(digits) || BigInt(digits) === BigInt(Math.abs(value))) return undefined;
  const hint = `the nearest number is ${BigInt(value)}; write long identifiers as texts`;
  return { code: "E111", message: `the number ${shown} cannot be stored exactly`, hint };
}

export function notFinite(written: string): Mistake {
  const hint = "leave the field out when the value is not known";
  return { code: "E405", message: `"${written}" is no finite number`, hint };
}
