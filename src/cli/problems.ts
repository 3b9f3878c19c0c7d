/** Tells what went wrong in a session without stopping it: rules at their match limit, listeners that failed. */
import type { Problem, Program } from "../index.ts";
import type { Io } from "./io.ts";
import { showDiagnostics, type Texts } from "./report.ts";
import { runDiagnostic } from "./run/diagnostic.ts";

export interface ProblemContext {
  readonly io: Io;
  readonly program: Program;
  readonly texts: Texts;
  readonly json: boolean;
}

/** A rule may reach its limit at several patterns; it is named once. */
export function showProblems({ io, program, texts, json }: ProblemContext, problems: readonly Problem[]): void {
  const told = new Set<string>();
  for (const problem of problems) {
    const diagnostic = runDiagnostic(program, problem);
    const { code, file, line, column, message } = diagnostic;
    const key = file === "" ? message : `${code} ${file}:${line}:${column}`;
    if (told.has(key)) continue;
    told.add(key);
    showDiagnostics(io, [diagnostic], texts, json);
  }
}

/** Those of the session itself; problems of one flow or guardian are shown where it is asked. */
export function sessionProblems(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter((one) => !("flow" in one) && !("guardian" in one));
}
