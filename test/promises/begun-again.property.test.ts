/**
 * A session that was reset does what a new one does, whatever it went through: restored from a snapshot or not, reloaded with other
 * programs, reset before.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OpenOptions, RuleSession, Snapshot } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { EVOLUTION, programOf } from "../support/evolving-programs.ts";
import { isError, outcome, perform } from "../support/evolving-sessions.ts";
import { throughJson, withoutId } from "../support/snapshots.ts";

/** A session, the snapshot that it was opened with, and whether it has another program since. */
interface Life {
  readonly session: RuleSession;
  readonly options: OpenOptions;
  readonly from?: Snapshot;
  reloaded: boolean;
}

/** Returns a new session that has what this one must have after a reset. */
function fresh({ session, options, from, reloaded }: Life): RuleSession {
  return session.program.session({ ...options, ...(from !== undefined && !reloaded && { from }) });
}

const OPTIONS: fc.Arbitrary<Partial<OpenOptions>> = fc.record(
  {
    facts: fc.constantFrom("none", "program"),
    clock: fc.constant("2026-11-01T00:00:00Z"),
    history: fc.constantFrom(0, 3),
    sharing: fc.constant(false),
    strategy: fc.constantFrom("depth", "lex"),
  },
  { requiredKeys: [] },
);

const shown = (session: RuleSession): unknown => ({
  snapshot: withoutId(throughJson(session.snapshot())),
  facts: session.facts(),
  problems: session.problems,
  warnings: session.warnings,
  migration: session.migration,
  complete: outcome(() => session.pack(session.run({ limit: 0 }))),
  counters: { ...session.counters(), supportSteps: 0, timerSteps: 0 },
});

let resets = 0;

test(
  "after restores, reloads and resets, reset gives what a new session has",
  () => {
    fc.assert(
      fc.property(
        EVOLUTION,
        EVOLUTION,
        fc.array(fc.nat(3), { maxLength: 6 }),
        OPTIONS,
        ({ first, deeds }, next, kinds, chosen) => {
          const options = { now: () => 0, ...chosen };
          const program = programOf(first);
          if (program === undefined) return;
          let life: Life = { session: program.session(options), options, reloaded: false };
          const all = [...deeds, ...next.deeds];
          const size = Math.ceil(all.length / (kinds.length + 1));
          for (const [at, kind] of kinds.entries()) {
            for (const deed of all.slice(at * size, (at + 1) * size)) {
              const result = perform(life.session, deed);
              if (deed.is === "reload" && result !== "no program" && !isError(result)) life.reloaded = true;
            }
            if (kind === 0) {
              const from = throughJson(life.session.snapshot());
              const { clock: _, ...others } = life.options; // the snapshot has a clock
              const version = programOf(next.first) ?? life.session.program;
              const opened = outcome(() => version.session({ ...others, from })) as RuleSession;
              const session = isError(opened) ? life.session.program.session({ ...others, from }) : opened;
              life = { session, options: others, from, reloaded: false };
              continue;
            }
            const expected = fresh(life);
            life.session.reset();
            resets += 1;
            expect(shown(life.session)).toEqual(shown(expected));
            for (const deed of next.deeds.filter(({ is }) => is !== "reload")) {
              expect(perform(life.session, deed), deed.is).toEqual(perform(expected, deed));
            }
            expect(shown(life.session)).toEqual(shown(expected));
          }
        },
      ),
      { numRuns: runs(600) },
    );
    expect(resets).toBeGreaterThan(runs(600) / 2);
  },
  PATIENT,
);
