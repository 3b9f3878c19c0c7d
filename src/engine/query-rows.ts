/** What answers the questions of a session. */
import type { Assembly } from "../assemble/assembly.ts";
import type { Maybe } from "../base/value.ts";
import type { Question } from "../plan/planner.ts";
import { SessionError } from "../session/errors.ts";
import { LIMIT_HINT } from "../session/problems.ts";
import type { Activity } from "../session/activity.ts";
import type { Plan } from "../plan/plan.ts";
import { nodeCounts } from "./node-counts.ts";
import { type QueryRow, rowsOf } from "./rows.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { RunningProgram } from "./running-program.ts";

export interface QueryPort {
  query(name: string, args?: Readonly<Record<string, unknown>>): QueryRow[];
  ask(question: Question): QueryRow[];
  argumentsOf(question: Question): Maybe[][];
  nodeCounts(): ReadonlyMap<number, number>;
}

export function tooManyAnswers(pattern: string, limit: number): SessionError {
  const message = `the query exceeds the limit of ${limit} partial matches at ${pattern}`;
  return new SessionError("E511", message, LIMIT_HINT);
}

/** Assembles a plan while something is read from it. Throws E511 when it finds too much. */
export function answered<Result>(
  running: RunningProgram<RunnableProgram>,
  activity: Activity,
  plan: Plan,
  read: (assembly: Assembly, rule: string) => Result,
): Result {
  activity.refuseWhileCommitting();
  const assembly = running.upToDate();
  return assembly.questions.during(plan, ([rule = ""]) => read(assembly, rule), tooManyAnswers);
}

/** Returns, for each node of a plan, how many facts pass it or how many matches it holds. */
export function countedNodes(
  running: RunningProgram<RunnableProgram>,
  activity: Activity,
  plan: Plan,
): ReadonlyMap<number, number> {
  const count = (assembly: Assembly, rule: string): number => [...assembly.network.matches(rule)].length;
  const isOff = (rule: string): boolean => running.upToDate().whySwitchedOff(rule) !== undefined;
  return nodeCounts(plan, (part) => answered(running, activity, part, count), isOff);
}

/** Returns one row for each match of a rule, in the order of the facts. */
export function rows(assembly: Assembly, rule: string): QueryRow[] {
  return rowsOf(assembly.network.matches(rule));
}
