/** D14 with every construct that can read a fact: the logical facts are the least fixpoint. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";
import { runs } from "../support/cases.ts";

const TYPES = ["A", "B", "C", "D"];

interface Conclusion {
  readonly from: readonly [string, string];
  readonly way: keyof typeof WAYS;
  readonly to: string;
}

/** Each is true exactly when there are facts of both types. */
const WAYS = {
  patterns: (a: string, b: string) => `a: ${a} b: ${b}`,
  exists: (a: string, b: string) => `exists ${a}() exists ${b}()`,
  both: (a: string, b: string) => `a: ${a} exists ${b}(x == a.x)`,
  count: (a: string, b: string) => `b: ${b} n: count(a.x) from a: ${a}(x == b.x) where n > 0`,
  reference: (a: string, b: string) => `exists ${b}() l: Link(kind == "${a}", l.${a.toLowerCase()}.x == 1)`,
  or: (a: string, b: string) => `(b: ${b}(x == 1) or b: ${b}(x < 2)), exists ${a}()`,
} as const;

const conclusion: fc.Arbitrary<Conclusion> = fc.record({
  from: fc.tuple(fc.constantFrom(...TYPES), fc.constantFrom(...TYPES)),
  way: fc.constantFrom<keyof typeof WAYS>("patterns", "exists", "both", "count", "reference", "or"),
  to: fc.constantFrom(...TYPES),
});

function sourceOf(conclusions: readonly Conclusion[]): string {
  const types = TYPES.map((type) => `type ${type}(#x: number)`);
  const links = `type Link(#kind: string, ${TYPES.map((type) => `${type.toLowerCase()}: ${type}?`).join(", ")})`;
  const watches = TYPES.map((type) => `rule watch${type} { when t: ${type} then log("${type}") }`);
  const rules = conclusions.map(
    ({ from, way, to }, index) => `rule r${index} { when ${WAYS[way](...from)} then insert logical ${to}(x: 1) }`,
  );
  const facts = TYPES.map((type) => `Link(kind: "${type}", ${type.toLowerCase()}: 1)`);
  return [...types, links, ...watches, ...rules, ...facts].join("\n");
}

function leastFixpoint(plain: ReadonlySet<string>, conclusions: readonly Conclusion[]): string[] {
  const all = new Set(plain);
  for (let before = -1; before < all.size;) {
    before = all.size;
    for (const { from, to } of conclusions) if (from.every((type) => all.has(type))) all.add(to);
  }
  return [...all].sort();
}

test("logical facts are the least fixpoint after every change, and nothing fires again because of the search for it", () => {
  fc.assert(
    fc.property(
      fc.array(conclusion, { maxLength: 7 }),
      fc.array(fc.constantFrom(...TYPES), { maxLength: 10 }),
      (conclusions, toggles) => {
        const session = compile(sourceOf(conclusions)).session();
        const plain = new Set<string>();
        let before: string[] = [];
        for (const type of toggles) {
          if (plain.delete(type)) session.retract(`${type}~1`);
          else {
            plain.add(type);
            session.assert(type, { x: 1 });
          }
          const watched = session.run().effects.map((effect) => effect.args[0]);
          const now = TYPES.filter((one) => session.facts(one).length > 0);
          expect(now).toEqual(leastFixpoint(plain, conclusions));
          const appeared = now.filter((one) => !before.includes(one));
          expect(new Set(watched)).toEqual(new Set(appeared));
          expect(watched).toHaveLength(appeared.length);
          const orders = session.snapshot().facts.map((fact) => fact.order);
          expect(orders).toEqual(orders.toSorted((a, b) => a - b));
          before = now;
        }
        for (const fact of session.facts()) session.retract(fact);
        expect(session.counters()).toMatchObject({
          facts: 0,
          matches: 0,
          indexEntries: 0,
          logicalFacts: 0,
          waiting: 0,
        });
      },
    ),
    { numRuns: runs(2000) },
  );
});
