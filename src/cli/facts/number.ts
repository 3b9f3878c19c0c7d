/** Checks numbers in text: a double must hold exactly what is written. */
import type { Mistake } from "./mistake.ts";

const SHOWN = 40;

/** Returns what is wrong with a written number; undefined when it can be stored. */
export function numberProblem(written: string, value: number): Mistake | undefined {
  const shown = written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written;
  if (!Number.isFinite(value)) {
    return { code: "E110", message: `the number ${shown} is too large`, hint: "the largest number is about 1.8e308" };
  }
  const digits = written.replace(/^[+-]/u, "");
  if (digits.length < 16 || !/^\d+$/u.test(digits) || BigInt(digits) === BigInt(Math.abs(value))) return undefined;
  const hint = `the nearest number is ${BigInt(value)}; write long identifiers as strings`;
  return { code: "E111", message: `the number ${shown} cannot be stored exactly`, hint };
}

export function notFinite(written: string): Mistake {
  const hint = "leave the field out when the value is unknown";
  return { code: "E405", message: `"${written}" is not a finite number`, hint };
}
