/** D12: a traced session does what an untraced session does. */
import { expect, test } from "vitest";
import { compile, type TraceEvent, type TraceLevel } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { forAllCases } from "../support/minimise.ts";
import { Rig } from "../support/rig.ts";

const DEEDS = { ...SMALL, deeds: true };

/** Everything that can be seen of a session after a history, traced or not. */
function outcomeOf(one: Case, level: TraceLevel | undefined): string {
  const rig = new Rig(DEEDS, one.rules, { open: { limit: 30, id: "one" } });
  if (level !== undefined) rig.session.trace(level, () => {});
  for (const fact of one.facts) rig.follow({ is: "assert", fact });
  for (const operation of one.operations) rig.follow(operation);
  return JSON.stringify([rig.session.facts(), rig.session.snapshot(), rig.session.counters()]);
}

test(
  "a traced session does what an untraced one does",
  () => {
    forAllCases(DEEDS, runs(1_000), (one) => {
      const untraced = outcomeOf(one, undefined);
      for (const level of ["off", "decisions", "all"] as const) {
        if (outcomeOf(one, level) !== untraced) throw new Error(`${level} changes something`);
      }
    });
  },
  PATIENT,
);

const SOURCE = `
type Person(#id: string, age: number)
type Flag(who: string)
Person(id: "a", age: 30)
rule r { when p: Person(age > 18) then log(p.id) insert Flag(who: p.id) }
`;

function traced(level: TraceLevel): TraceEvent[] {
  const session = compile(SOURCE).session();
  const events: TraceEvent[] = [];
  const end = session.trace(level, (event) => events.push(event));
  session.run();
  end();
  session.assert("Person", { id: "b", age: 40 });
  session.run();
  return events;
}

test("each level tells what it says", () => {
  expect(traced("off")).toEqual([]);
  expect(traced("decisions").map(({ kind }) => kind)).toEqual(["fired"]);
  expect(traced("all").map(({ kind }) => kind)).toEqual(["fired", "effect", "fact"]);
});

test("a firing is told with its explanation, made with the facts it saw", () => {
  const [first] = traced("decisions");
  if (first?.kind !== "fired") throw new Error("it fires");
  expect(first.explanation.upward_rationale).toBe(
    '"r" fired for p = Person a (firing 1): age is 30, which is over 18.',
  );
});
