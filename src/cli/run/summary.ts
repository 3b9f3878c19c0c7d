/** The summary of a run. */
import type { Program, RuleSession } from "../../index.ts";
import { countNodes, type NetworkCounts } from "./counts.ts";

export interface RuleCount {
  readonly rule: string;
  readonly fires: number;
  /** Current matches. */
  readonly matches: number;
}

/**
 * How a run ended: nothing left to fire, halted by a rule, at the firing limit, by a failed action, or because gates or flows
 * kept changing each other.
 */
export type RunEnd = "done" | "halted" | "limit" | "failed" | "restless";

export interface Summary extends NetworkCounts {
  readonly fired: number;
  readonly facts: number;
  readonly factsByType: ReadonlyMap<string, number>;
  /** In program order. */
  readonly rules: readonly RuleCount[];
  readonly end: RunEnd;
  /** What the clock showed; undefined when it was not set. */
  readonly clock: string | undefined;
}

export function summarise(
  program: Program,
  session: RuleSession,
  fires: ReadonlyMap<string, number>,
  end: RunEnd,
): Summary {
  const plan = program.network();
  const rules = plan.rules.map(({ name }) => ({
    rule: name,
    fires: fires.get(name) ?? 0,
    matches: session.matches(name).length,
  }));
  const factsByType = countBy(session.facts().map((fact) => fact.type));
  return {
    fired: sum(fires.values()),
    facts: sum(factsByType.values()),
    factsByType,
    rules,
    ...countNodes(plan),
    end,
    clock: session.clock,
  };
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
