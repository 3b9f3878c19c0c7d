/** What answers the questions of a session. */
import type { Assembly } from "../assemble/assembly.ts";
import type { Maybe } from "../base/value.ts";
import type { Question } from "../plan/planner.ts";
import { SessionError } from "../session/errors.ts";
import { LIMIT_HINT } from "../session/problems.ts";
import { type QueryRow, rowsOf } from "./rows.ts";

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

/** Returns one row for each match of a rule, in the order of the facts. */
export function rows(assembly: Assembly, rule: string): QueryRow[] {
  return rowsOf(assembly.network.matches(rule));
}
