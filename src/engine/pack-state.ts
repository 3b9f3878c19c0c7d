/** Opens sessions in the state that a pack holds: to make packs, and to verify them. */
import type { PackFacts, PackProgram } from "../explain/show/pack.ts";
import type { Explanation } from "../explain/tell/step.ts";
import type { Strategy } from "../base/strategy.ts";
import type { RunResult } from "../session/results.ts";
import type { Snapshot } from "../session/snapshot.ts";
import type { OpenOptions, Program } from "./program.ts";
import type { Session } from "./session.ts";

export function* explanationsOf(session: Session, result: RunResult): Iterable<Explanation> {
  const { fired, gates, verdicts, decisions } = result;
  for (const one of [...fired, ...gates, ...verdicts, ...decisions]) yield session.why(one);
}

export function requestKey({ pipeline, subject }: PackFacts["decided"][number]): string {
  return JSON.stringify([pipeline, subject]);
}

export function openFrom(
  program: Program,
  state: PackFacts,
  functions: OpenOptions["functions"],
  options?: PackProgram,
): Session {
  const from: Snapshot = {
    version: 1,
    counters: {
      order: highest(state, "order"),
      change: highest(state, "tag"),
      keyless: state.counts,
      fired: state.fired,
      random: 0,
    },
    facts: state.facts,
    matches: state.done.map((done) => ({ ...done, stamp: 0, waiting: false })),
    groups: state.groups,
    xuples: [],
    ...(state.clock === undefined ? {} : { clock: state.clock }),
  };
  const strategy = options?.strategy as Strategy | undefined;
  return program.session({
    from,
    history: Infinity,
    audit: () => {},
    missingFunctions: "unknown",
    ...(functions === undefined ? {} : { functions }),
    ...(strategy === undefined ? {} : { strategy }),
  });
}

/** Returns the highest order, or change number, of the facts. */
function highest({ facts }: PackFacts, what: "order" | "tag"): number {
  return facts.reduce((most, fact) => Math.max(most, fact[what]), 0);
}
