/**
 * The result of a test as text.
 *
 *     FAIL  vip is welcomed
 *           rules.tsd:14:5  expect rule "VIP" fires 2
 *             expected  2 firings
 *             got       1 firing
 *                       firing 1: p = Person~t1
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
