/** Test results as JUnit XML, which CI systems read: one suite for each file, one case for each test. */
import type { TestFailure, TestOutcome, TestReport } from "../../index.ts";
import { escapeXml } from "../xml.ts";

export function junit({ tests, failed }: TestReport): string {
  const files = [...new Set(tests.map((test) => test.file))];
  const suites = files.map((file) => suite(file, tests));
  const head = `<testsuites tests="${tests.length}" failures="${failed}" errors="0">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites.flat(), "</testsuites>", ""].join("\n");
}

function suite(file: string, all: readonly TestOutcome[]): string[] {
  const tests = all.filter((test) => test.file === file);
  const failures = tests.filter((test) => !test.passed).length;
  const counts = `tests="${tests.length}" failures="${failures}" errors="0" skipped="0"`;
  return [`  <testsuite name="${escapeXml(file)}" ${counts}>`, ...tests.flatMap(testCase), "  </testsuite>"];
}

function testCase({ name, file, line, failures, problems = [] }: TestOutcome): string[] {
  const at = `name="${escapeXml(name)}" classname="${escapeXml(file)}" file="${escapeXml(file)}" line="${line}"`;
  const said = problems.map(({ code, message }) => `      <system-err>${escapeXml(`${code} ${message}`)}</system-err>`);
  if (failures.length + said.length === 0) return [`    <testcase ${at}/>`];
  return [`    <testcase ${at}>`, ...failures.map(failure), ...said, "    </testcase>"];
}

function failure({ file, line, column, expectation, expected, got, details }: TestFailure): string {
  const message = `${expectation}: expected ${expected}, got ${got}`;
  const body = [`${file}:${line}:${column}`, `expected  ${expected}`, `got       ${got}`, ...details].join("\n");
  return `      <failure message="${escapeXml(message)}">${escapeXml(body)}</failure>`;
}
