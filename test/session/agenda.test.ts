/** Tests the order of firing: salience, strategies and groups. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fact, Layout, Shape } from "../../src/rete/fact.ts";
import { Match } from "../../src/rete/match.ts";
import type { Production } from "../../src/rete/production.ts";
import type { Strategy } from "../../src/base/strategy.ts";
import { Activation } from "../../src/session/agenda/activation.ts";
import { recencyOf } from "../../src/session/agenda/strategies.ts";
import { Agenda } from "../../src/session/agenda/agenda.ts";
import { runs } from "../support/cases.ts";
import { NODE } from "../support/fake-network.ts";

const SHAPE = new Shape(new Layout("T"));
const fact = (order: number, tag = order): Fact => new Fact(`T~@${order}`, SHAPE, [], order, tag);

function production(name: string, more: Partial<Production> = {}): Production {
  return {
    name,
    order: 0,
    salience: 0,
    group: undefined,
    noLoop: false,
    bindings: [],
    facts: (match) => chain(match),
    identity: (match) =>
      chain(match)
        .map((one) => one.id)
        .join(),
    actions: [],
    ...more,
  };
}

function chain(match: Match | undefined): Fact[] {
  if (match === undefined) return [];
  const above = match.parent === undefined ? [] : chain(match.parent);
  return match.fact === undefined ? above : [...above, match.fact];
}

function activation(rule: Production, facts: readonly Fact[], stamp: number): Activation {
  let match: Match | undefined;
  for (const one of facts) match = new Match(match, one, undefined, NODE);
  match ??= new Match(undefined, undefined, undefined, NODE);
  return new Activation(rule, match, undefined, stamp, recencyOf(facts));
}

function drain(agenda: Agenda): string[] {
  const order: string[] = [];
  for (let next = agenda.next(); next instanceof Activation; next = agenda.next()) {
    order.push(`${next.production.name}:${next.facts.map((one) => one.order).join("+")}`);
    agenda.remove(next);
  }
  return order;
}

function ordered(strategy: Strategy, activations: readonly Activation[]): string[] {
  const agenda = new Agenda(strategy);
  for (const one of activations) agenda.add(one);
  return drain(agenda);
}

const r = production("r", { order: 1 });
const s = production("s", { order: 2 });
const high = production("high", { order: 3, salience: 10 });

const inTime = (): Activation[] => [
  activation(r, [fact(1)], 1),
  activation(r, [fact(3)], 3),
  activation(r, [fact(2)], 2),
];

const inOneChange = (): Activation[] => [
  activation(s, [fact(1), fact(2)], 5),
  activation(r, [fact(2), fact(1)], 5),
  activation(r, [fact(1), fact(3)], 5),
  activation(r, [fact(1), fact(2)], 5),
  activation(r, [fact(1)], 5),
];

describe("the order of firing", () => {
  test("salience comes first, whatever the strategy", () => {
    for (const strategy of ["breadth", "depth", "lex"] as const) {
      const all = [activation(r, [fact(1)], 1), activation(high, [fact(2)], 2), activation(r, [fact(3)], 3)];
      expect(ordered(strategy, all)[0]).toBe("high:2");
    }
  });

  test("breadth takes the oldest change first, depth the newest", () => {
    expect(ordered("breadth", inTime())).toEqual(["r:1", "r:2", "r:3"]);
    expect(ordered("depth", inTime())).toEqual(["r:3", "r:2", "r:1"]);
  });

  test("in one change, rule order decides, then fact order in written order of the conditions", () => {
    const expected = ["r:1", "r:1+2", "r:1+3", "r:2+1", "s:1+2"];
    expect(ordered("breadth", inOneChange())).toEqual(expected);
    expect(ordered("breadth", inOneChange().toReversed())).toEqual(expected);
  });

  test("depth goes on with the newest facts, also among the matches of one change", () => {
    const expected = ["r:2+1", "r:1+3", "r:1+2", "r:1", "s:1+2"];
    expect(ordered("depth", inOneChange())).toEqual(expected);
    expect(ordered("depth", inOneChange().toReversed())).toEqual(expected);
  });

  test("lex compares all recency tags, newest first, and prefers the longer", () => {
    const all = [
      activation(r, [fact(1), fact(9)], 9),
      activation(r, [fact(9), fact(4)], 9),
      activation(r, [fact(9)], 9),
      activation(r, [fact(8), fact(7), fact(6)], 8),
    ];
    expect(ordered("lex", all)).toEqual(["r:9+4", "r:1+9", "r:9", "r:8+7+6"]);
  });

  test("lex sees an updated fact as recent", () => {
    expect(ordered("lex", [activation(r, [fact(5)], 5), activation(r, [fact(1, 6)], 6)])).toEqual(["r:1", "r:5"]);
  });
});

describe("groups", () => {
  const billing = production("bill", { order: 0, group: "billing", salience: 99 });

  test("an activation counts only while its group is active", () => {
    const agenda = new Agenda("breadth");
    agenda.add(activation(billing, [fact(1)], 1));
    agenda.add(activation(r, [fact(2)], 2));
    expect([agenda.size, agenda.parkedSize]).toEqual([1, 1]);
    agenda.focus("billing");
    expect([agenda.size, agenda.parkedSize]).toEqual([2, 0]);
    agenda.add(activation(billing, [fact(3)], 3));
    expect(drain(agenda)).toEqual(["bill:1", "bill:3", "r:2"]);
  });

  test("a parked activation can leave", () => {
    const agenda = new Agenda("breadth");
    const parked = activation(billing, [fact(1)], 1);
    agenda.add(parked);
    agenda.remove(parked);
    agenda.focus("billing");
    expect(drain(agenda)).toEqual([]);
    expect(parked.waiting).toBe(false);
  });
});

test("however activations come and go, what is left fires in the same total order", () => {
  const item = fc.record({
    rule: fc.constantFrom(r, s, high, production("g", { group: "g", order: 4 })),
    facts: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    stamp: fc.integer({ min: 1, max: 3 }),
    leaves: fc.boolean(),
  });
  const facts = [1, 2, 3, 4].map((order) => fact(order, 5 - order));
  fc.assert(
    fc.property(
      fc.uniqueArray(item, { maxLength: 30, selector: (one) => `${one.rule.name} ${one.facts.join()} ${one.stamp}` }),
      fc.constantFrom<Strategy>("breadth", "depth", "lex"),
      fc.infiniteStream(fc.nat()),
      (items, strategy, shuffle) => {
        const make = (): [Activation, boolean][] =>
          items.map((one) => [
            activation(
              one.rule,
              one.facts.flatMap((order) => facts[order - 1] ?? []),
              one.stamp,
            ),
            one.leaves,
          ]);
        const kept = make().flatMap(([one, leaves]) => (leaves ? [] : [one]));
        const agenda = new Agenda(strategy);
        const keys = new Map(make().map((one) => [one, shuffle.next().value]));
        const shuffled = [...keys].sort((a, b) => a[1] - b[1]).map(([one]) => one);
        for (const [one] of shuffled) agenda.add(one);
        for (const [one, leaves] of shuffled) if (leaves) agenda.remove(one);
        agenda.focus("g");
        const expected = kept
          .sort(agenda.compare)
          .map((one) => `${one.production.name}:${one.facts.map((f) => f.order).join("+")}`);
        expect(drain(agenda)).toEqual(expected);
      },
    ),
    { numRuns: runs(2000) },
  );
});
