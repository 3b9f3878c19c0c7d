/** Shows problems that did not stop a session: rules over their match limit, listeners that failed. */
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

/** Shows each problem once: a rule may exceed its limit at several patterns. */
export function showProblems({ io, program, texts, json }: ProblemContext, problems: readonly Problem[]): void {
  const shown = new Set<string>();
  for (const problem of problems) {
    const diagnostic = runDiagnostic(program, problem);
    const { code, file, line, column, message } = diagnostic;
    const key = file === "" ? message : `${code} ${file}:${line}:${column}`;
    if (shown.has(key)) continue;
    shown.add(key);
    showDiagnostics(io, [diagnostic], texts, json);
  }
}

/** Returns the problems of the session itself; those of a flow or guardian are shown with it. */
export function sessionProblems(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter((one) => !("flow" in one) && !("guardian" in one));
}
