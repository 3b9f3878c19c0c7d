/**
 * The result of a test as text.
 *
 *     FAIL  vip is welcomed
 *           rules.tsd:14:5  expect rule "VIP" fires 2
 *             expected  2 firings
 *             got       1 firing
 *                       "VIP" fired for p = Person t1 (firing 1): status is "VIP".
 *                       "VIP" does not fire for p = Person t2: status is "Regular", not "VIP".
 *                       to make it fire: change status of Person t2 from "Regular" to "VIP"
 */
import type { TestFailure, TestOutcome } from "../../index.ts";
import type { Paint } from "../paint.ts";
import { visible } from "../visible.ts";

const INDENT = " ".repeat(6);

export function outcomeText({ name, passed, failures, problems = [] }: TestOutcome, paint: Paint): string[] {
  const mark = passed ? paint("green", "ok   ") : paint("red", "FAIL ");
  return [
    `${mark} ${visible(name)}`,
    ...failures.flatMap((failure) => failureText(failure, paint)),
    ...problems.map(({ code, message }) => `${INDENT}${paint("red", `error ${code}`)}  ${visible(message)}`),
  ];
}

function failureText(failure: TestFailure, paint: Paint): string[] {
  const { file, line, column, expectation, expected, got, details } = failure;
  return [
    `${INDENT}${paint("faint", `${file}:${line}:${column}`)}  ${paint("bold", visible(expectation))}`,
    `${INDENT}  expected  ${visible(expected)}`,
    `${INDENT}  got       ${visible(got)}`,
    ...details.map((detail) => `${INDENT}            ${paint("faint", visible(detail))}`),
  ];
}
