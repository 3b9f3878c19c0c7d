/**
 * Restored sessions: snapshot, restore and continue equals the live session, with gates and guardians that have reactions, rules that
 * read their results, flows and pipelines, and changes that wait when the snapshot is taken. Effects have the same keys.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile, type RuleSession, type RunResult } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { throughJson } from "../support/snapshots.ts";

const PROGRAM = compile(`
  type C(#id: string, v: number)
  type Ev(#c: string, ok: bool)
  type Key(#id: string)
  action tell(what: string, id: string)
  condition above(c: C) : c.v > 0
  condition seen(c: C) : e.ok from e: Ev(e.c == c.id)
  gate "g" for c: C { require above(c) on pass then tell("pass", c.id) on fail then tell("fail", c.id) }
  gate "h" for c: C(v < 3) { require seen(c) on pass then tell("h", c.id) on hold then tell("hold", c.id) }
  gate "all" { require exists C(v == 2) on pass then tell("all", "") }
  guardian "d" for c: C {
    check small { forbid c.v > 2 as "large" do REGENERATE_DRAFT }
    on PASS then tell("PASS", c.id)
  }
  flow "f" for c: C(v < 4) {
    stage one { decide "g"(c) on pass goto two }
    stage two { decide "h"(c) on pass goto end on fail goto back }
    stage back { decide "g"(c) on fail goto one }
    stage end final
  }
  pipeline "p" for c: C(v > 0) {
    step large BLOCK "large" when c.v > 2
    step open FORWARD "on" when gate h(c) passes
    otherwise ERROR
  }
  rule "no result" { when k: Key not GateResult(gate == "g", subject == k.id) then tell("no result", k.id) }
  rule "no stage" { when k: Key not FlowStage(subject == k.id) then tell("no stage", k.id) }
  rule "results" { when r: GateResult then tell(r.outcome, "") }
  rule "none" { when c: C not GateResult(gate == "g", outcome == "pass") then tell("none", c.id) }
  rule "stages" { when s: FlowStage not Verdict(verdict == "RETRY") then tell(s.stage, s.subject) }`);

type Step =
  | { readonly is: "assert" | "update"; readonly id: string; readonly v: number }
  | { readonly is: "retract" | "unseen"; readonly id: string }
  | { readonly is: "seen"; readonly id: string; readonly ok: boolean }
  | { readonly is: "run" | "restore" };

const id = fc.constantFrom("a", "b", "c");
const v = fc.nat({ max: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constantFrom("assert", "update"), id, v }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constantFrom("retract", "retract", "unseen"), id }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("seen"), id, ok: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constantFrom("run", "run", "restore") }) },
);

/** Does a step; returns what the host sees of it. */
function perform(session: RuleSession, one: Step): unknown {
  switch (one.is) {
    case "assert":
      return session.upsert("C", { id: one.id, v: one.v });
    case "update":
      return session.fact(`C~${one.id}`) === undefined ? undefined : session.update(`C~${one.id}`, { v: one.v });
    case "retract":
      return session.retract(`C~${one.id}`);
    case "unseen":
      return session.retract(`Ev~${one.id}`);
    case "seen":
      return session.upsert("Ev", { c: one.id, ok: one.ok });
    case "run":
      return seen(session.run());
    case "restore":
      return undefined;
  }
}

function seen({ effects, fired, decisions, gates, verdicts, problems }: RunResult): unknown {
  const keyed = effects.map(({ action, args, key }) => ({ action, args, key }));
  return {
    effects: keyed,
    fired,
    decisions,
    gates: gates.map(({ gate, subject, outcome }) => ({ gate, subject, outcome })),
    verdicts,
    problems,
  };
}

test(
  "snapshot, restore and continue equals the live session, keys of effects included",
  () => {
    let decided = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 6, maxLength: 30 }), (steps) => {
        const live = PROGRAM.session({ now: () => 0 });
        for (const key of ["a", "b", "c"]) live.assert("Key", { id: `C~${key}` });
        let restored: RuleSession | undefined;
        live.on("decision", () => (decided += restored === undefined ? 0 : 1));
        for (const one of [...steps, { is: "restore" } as const, { is: "run" } as const]) {
          const expected = perform(live, one);
          if (restored !== undefined) expect(perform(restored, one)).toEqual(expected);
          // Every other snapshot is that of a session that was restored itself.
          if (one.is === "restore") {
            restored = PROGRAM.session({ now: () => 0, from: throughJson((restored ?? live).snapshot()) });
            expect(restored.facts()).toEqual(live.facts());
          }
        }
        expect(restored?.facts()).toEqual(live.facts());
      }),
      { numRuns: runs(2_000) },
    );
    expect(decided).toBeGreaterThan(runs(2_000) / 10);
  },
  PATIENT,
);
