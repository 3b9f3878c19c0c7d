/**
 * Functions that a program declares and a session lacks. Such a session does not open, unless it is opened with
 * `missingFunctions: "unknown"`: then every call is unknown, and each function is a problem of the session.
 */
import type { FunctionProblem } from "../base/answers.ts";
import { missingFunctionWords } from "../base/host-call.ts";
import { refuseUnknown } from "../base/known-options.ts";
import { SessionError } from "../base/session-error.ts";
import type { HostCall } from "../assemble/blueprint.ts";
import { lackingCall } from "../assemble/calls.ts";
import { ruleWords } from "../base/rule-words.ts";
import { callWords } from "../rete/failures.ts";
import type { OpenOptions } from "./program.ts";
import type { DeclaredFunction, RunnableProgram } from "./runnable.ts";

/** Throws E525 when a session with these options lacks functions that the program declares, and is not opened without them. */
export function refuseMissing(
  program: RunnableProgram,
  options: Pick<OpenOptions, "functions" | "missingFunctions">,
): void {
  const { functions = {}, missingFunctions } = options;
  if (missingFunctions !== undefined) refuseUnknown("missingFunctions option", [missingFunctions], WAYS, "E213");
  const missing = missingIn(program, new Map(Object.entries(functions)));
  if (missing.length === 0 || missingFunctions === "unknown") return;
  const list = missing.map(({ words }) => words).join(", ");
  const names = missing.map(({ name }) => name).join(", ");
  throw new SessionError(
    "E525",
    `the session lacks ${missing.length === 1 ? "a function" : `${missing.length} functions`} that the program declares: ${list}`,
    `pass ${missing.length === 1 ? "it" : "them"} in: session({ functions: { ${names} } }), on the command line with --functions FILE; or let calls be unknown: missingFunctions: "unknown"`,
  );
}

const WAYS: readonly NonNullable<OpenOptions["missingFunctions"]>[] = ["refuse", "unknown"];

function missingIn(program: RunnableProgram, functions: ReadonlyMap<string, unknown>): readonly DeclaredFunction[] {
  return program.hostFunctions().filter(({ name }) => typeof functions.get(name) !== "function");
}

/** Returns a problem for each declared function that the session lacks, except for those that are among the failures already. */
export function missingProblems(
  program: RunnableProgram,
  functions: ReadonlyMap<string, unknown>,
  calls: readonly HostCall[],
  failures: readonly FunctionProblem[],
): readonly FunctionProblem[] {
  const missing = missingIn(program, functions);
  return missing.flatMap(({ name }) => {
    if (failures.some((failure) => failure.function === name)) return [];
    const { hint } = lackingCall(name, functions);
    const how = missingFunctionWords(functions.get(name));
    const rules = [...new Set(calls.flatMap((call) => (call.name === name ? call.site.rules : [])))];
    const users = rules.length === 0 ? "" : `${rules.map(ruleWords).join(", ")}: `;
    const message = `${users}${callWords(name, [], how)}`;
    return [{ code: "E521", rules, function: name, args: [], how, facts: [], more: 0, message, hint }];
  });
}
