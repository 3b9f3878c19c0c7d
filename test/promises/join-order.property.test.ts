/**
 * The order in which patterns are joined changes nothing but speed: in whatever order a rule is written it has the same matches, and in
 * whatever order it is joined it also fires in the same order, with the same keys of effects, and continues from the same snapshots.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile, type CompileOptions, type Snapshot } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { Difference } from "../support/difference.ts";
import { History } from "../support/history.ts";
import { everyOrder, firings, given } from "../support/join-history.ts";
import { joinFacts, joinRule, ordersOf, ruleSource } from "../support/join-programs.ts";
import { forAllCases } from "../support/minimise.ts";
import { expectSame, Rig } from "../support/rig.ts";

/** The same firings with the variables of each in the order of their names, and those of one change in no order. */
function withoutTies(steps: ReturnType<typeof firings>): string[][] {
  const sorted = (bindings: object): string => JSON.stringify(Object.entries(bindings).sort(byName));
  return steps.map((step) => step.map(({ bindings }) => sorted(bindings)).sort());
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

test(
  "a rule has the same matches in whatever order it is written, and they fire with the same changes",
  () => {
    fc.assert(
      fc.property(joinRule, joinFacts, fc.nat(), (rule, facts, pick) => {
        const orders = ordersOf(rule.patterns.length);
        const [first = []] = orders;
        const other = orders[pick % orders.length] ?? first;
        const expected = firings(ruleSource(rule, first, true), { joinOrder: "written" }, facts);
        const found = firings(ruleSource(rule, other, true), {}, facts);
        expect(withoutTies(found)).toEqual(withoutTies(expected));
      }),
      { numRuns: runs(4000) },
    );
  },
  PATIENT,
);

test(
  "a rule fires in the same order and with the same keys in whatever order it is joined",
  () => {
    fc.assert(everyOrder, { numRuns: runs(1000) });
  },
  PATIENT,
);

test(
  "a snapshot continues alike in whatever order its rules were and are joined",
  () => {
    fc.assert(
      fc.property(joinRule, joinFacts, fc.nat(), fc.nat(), (rule, facts, one, other) => {
        const all = ordersOf(rule.patterns.length);
        const [written = []] = all;
        const from = all[one % all.length] ?? written;
        const to = all[other % all.length] ?? written;
        const source = ruleSource(rule, written);
        const session = compile(source, given(from)).session({ id: "s" });
        for (const { type, fields } of facts.slice(0, facts.length / 2)) session.assert(type, fields);
        session.run({ limit: 1000 });
        for (const { type, fields } of facts.slice(facts.length / 2)) session.assert(type, fields);
        const saved = JSON.parse(JSON.stringify(session.snapshot())) as Snapshot;
        const rest = (options: CompileOptions): (string | undefined)[] =>
          compile(source, options)
            .session({ id: "s", from: saved })
            .run()
            .effects.map(({ key }) => key);
        const expected = session.run().effects.map(({ key }) => key);
        expect(rest(given(to))).toEqual(expected);
        expect(rest({})).toEqual(expected);
      }),
      { numRuns: runs(1000) },
    );
  },
  PATIENT,
);

/** Returns places in an order that depends on the rule and a number. */
function shuffled(seed: number): CompileOptions {
  const key = (rule: string, place: number): number => (rule.length * 7 + place * 13 + seed * (place + 1) * 29) % 31;
  return {
    joinOrder: (rule, patterns) =>
      Array.from({ length: patterns }, (_, place) => place).sort((a, b) => key(rule, a) - key(rule, b) || b - a),
  };
}

const WRITTEN: CompileOptions = { joinOrder: "written" };
const OTHERS: readonly CompileOptions[] = [{}, shuffled(1), shuffled(2), shuffled(3)];

function firesAlike(one: Case): void {
  const open = { strategy: one.facts.length % 2 === 0 ? ("breadth" as const) : ("depth" as const) };
  const rig = new Rig(
    SMALL,
    one.rules,
    { compile: WRITTEN, open },
    OTHERS.map((options) => ({ compile: options, open })),
  );
  for (const [index, operation] of History.operations(one).entries()) {
    rig.follow(operation);
    const [expected = new Map(), ...found] = rig.allTexts();
    for (const texts of found) expectSame(expected, texts, () => rig.story());
    if (index % 4 !== 3) continue;
    const [fired, ...others] = rig.sessions.map((session) =>
      session
        .run()
        .fired.map(({ rule, bindings }) => `${rule} ${JSON.stringify(bindings)}`)
        .join("; "),
    );
    for (const other of others) {
      if (other !== fired) throw new Difference(`fired ${other}\nexpected ${fired}\n${rig.story()}`);
    }
  }
}

test(
  "D6: programs of all elements, through changes of facts and rules, fire alike in whatever order their patterns are joined",
  () => {
    forAllCases(SMALL, runs(8000), firesAlike);
  },
  PATIENT,
);
