/** Errors and problems of a run as diagnostics at the rule that caused them. */
import { ActionError, type Diagnostic, type Problem, type Program, RestlessError, RunLimitError } from "../../index.ts";
import { plural } from "../report.ts";

export type RunError = RunLimitError | ActionError | RestlessError;

export function isRunError(error: unknown): error is RunError {
  return error instanceof RunLimitError || error instanceof ActionError || error instanceof RestlessError;
}

/** A diagnostic; with `cycle` and `last` when the run was stopped at its limit. */
export interface RunDiagnostic extends Diagnostic {
  readonly cycle?: readonly string[];
  readonly last?: readonly { readonly n: number; readonly rule: string }[];
}

export function runDiagnostic(program: Program, error: RunError | Problem): RunDiagnostic {
  const { code, hint } = error;
  const base = { ...placeOf(program, error), severity: "error", code, message: messageOf(error) } as const;
  const more = error instanceof RunLimitError ? { cycle: error.cycle, last: error.last.map(numbered) } : {};
  return hint === undefined ? { ...base, ...more } : { ...base, hint, ...more };
}

/** Returns the lines below the diagnostic: which rules fire repeatedly, and what fired last. */
export function cycleText({ cycle = [], last = [] }: RunDiagnostic): string[] {
  const names = (cycle.length > 1 ? [...cycle, ...cycle.slice(0, 1)] : cycle).map((rule) => `"${rule}"`);
  const round = names.length > LONGEST ? [...names.slice(0, LONGEST), "…"] : names;
  return [
    ...(cycle.length === 0 ? [] : [`      repeating: ${round.join(" → ")}`]),
    ...(last.length === 0 ? [] : [`      last firings: ${last.map(({ n, rule }) => `${n} ${rule}`).join(", ")}`]),
  ];
}

const LONGEST = 12;

/** Returns the message without the cycle, which has lines of its own. */
function messageOf(error: RunError | Problem): string {
  if (!(error instanceof RunLimitError)) return error.message;
  return `the run was stopped after ${plural(error.limit, "firing")}, with more to fire`;
}

/** Returns the rule that the error is about, or the gate, flow or guardian by its kind and name. */
function culpritOf(error: RunError | Problem): string | undefined {
  if (error instanceof RunLimitError) return error.cycle[0] ?? error.last.at(-1)?.rule;
  if (error instanceof RestlessError) return error.who;
  if (error instanceof ActionError) return error.rule;
  if ("flow" in error) return `flow "${error.flow}"`;
  if ("rules" in error) return error.rules[0];
  return "guardian" in error ? `guardian "${error.guardian}"` : undefined;
}

function numbered({ n, rule }: { readonly n: number; readonly rule: string }): { n: number; rule: string } {
  return { n, rule };
}

type Place = Pick<Diagnostic, "file" | "line" | "column" | "endLine" | "endColumn">;

/** Matches `gate "deploy"`, and reactions of it such as `gate "deploy" on pass`. */
const JUDGED = /^(gate|flow|guardian|pipeline) "([^]*?)"(?: on (?:pass|hold|fail|retry)'*)?$/iu;

type Declared = Pick<NonNullable<ReturnType<Program["checked"]["symbols"]["rules"]["get"]>>, "source" | "span">;

function placeOf(program: Program, error: RunError | Problem): Place {
  const culprit = culpritOf(error) ?? "";
  const { rules, gates, flows, guardians, pipelines } = program.checked.symbols;
  const [, kind = "", name = ""] = JUDGED.exec(culprit) ?? [];
  const named = new Map<string, { get(name: string): Declared | undefined }>([
    ["gate", gates],
    ["flow", flows],
    ["guardian", guardians],
    ["pipeline", pipelines],
  ]);
  const declared: Declared | undefined = rules.get(culprit) ?? named.get(kind)?.get(name);
  if (declared === undefined) return { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };
  const { source, span } = declared;
  const start = source.position(span.start);
  const end = source.position(span.end);
  return { file: source.file, ...start, endLine: end.line, endColumn: end.column };
}
