/** Programs evolve: after any accepted reload, the session's own snapshot restores and continues exactly as the live session. */
import { expect, test } from "vitest";
import * as fc from "fast-check";
import type { Migration, RuleSession, Snapshot } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { EVOLUTION, programOf } from "../support/evolving-programs.ts";
import { isError, perform } from "../support/evolving-sessions.ts";
import { throughJson } from "../support/snapshots.ts";

/** Matches and supports stand in no particular order, and neither do keyless counters. */
function canonical(snapshot: Snapshot): unknown {
  const { checksum: _, ...rest } = throughJson(snapshot);
  const order = (a: { rule: string; identity: string }, b: { rule: string; identity: string }): number =>
    `${a.rule} ${a.identity}` < `${b.rule} ${b.identity}` ? -1 : 1;
  return {
    ...rest,
    matches: [...rest.matches].sort(order),
    facts: rest.facts.map((fact) =>
      fact.logical === undefined
        ? fact
        : { ...fact, logical: { ...fact.logical, supports: [...fact.logical.supports].sort(order) } },
    ),
  };
}

function restored(session: RuleSession): RuleSession {
  return session.program.session({ now: () => 0, from: throughJson(session.snapshot()) });
}

let accepted = 0;
let rebuilt = 0;
let refused = 0;

test(
  "after any accepted reload, snapshot, restore and continue equals the live session",
  () => {
    fc.assert(
      fc.property(EVOLUTION, ({ first, deeds }) => {
        const session = programOf(first)?.session({ now: () => 0 });
        if (session === undefined) return;
        let twin: RuleSession | undefined;
        for (const deed of deeds) {
          const before = deed.is === "reload" ? session.snapshot() : undefined;
          const result = perform(session, deed);
          if (twin !== undefined) expect(perform(twin, deed), deed.is).toEqual(result);
          if (before === undefined) continue;
          if (isError(result, "E537") || isError(result, "E201")) {
            refused += 1;
            expect(session.snapshot()).toEqual(before);
            continue;
          }
          if (result === "no program") continue;
          accepted += 1;
          if ((result as Migration).converted.length > 0) rebuilt += 1;
          twin = restored(session);
          expect(canonical(twin.snapshot())).toEqual(canonical(session.snapshot()));
        }
        if (twin === undefined) return;
        expect(perform(twin, { is: "run" })).toEqual(perform(session, { is: "run" }));
        expect(twin.facts()).toEqual(session.facts());
        expect(canonical(twin.snapshot())).toEqual(canonical(session.snapshot()));
      }),
      { numRuns: runs(2_000) },
    );
    expect(Math.min(accepted, rebuilt, refused)).toBeGreaterThan(runs(2_000) / 20);
  },
  PATIENT,
);
