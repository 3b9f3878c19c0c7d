/**
 * Every aggregate in the table has the same value in each form of the language, in explanations and in the naive matcher, and
 * explanations find how to change it.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOfType } from "../../src/base/host-types.ts";
import { ListVersion, type Member } from "../../src/base/ordered-list.ts";
import { same, type Maybe, type Value } from "../../src/base/value.ts";
import { complete } from "../../src/cli/repl/complete.ts";
import { AGGREGATES } from "../../src/functions/aggregates.ts";
import type { Aggregate } from "../../src/functions/built-in.ts";
import { NUMBER } from "../../src/functions/built-in.ts";
import { compile, type RuleSession } from "../../src/index.ts";
import { aggregate } from "../../src/prove/aggregates.ts";
import { isRanked, namesIn, takenWords } from "../support/built-ins.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { caseOf, SMALL } from "../support/engine-arbitrary.ts";
import { open } from "../support/session.ts";

const ENTRIES = [...AGGREGATES.values()];
const TYPES = "type S(#id: string)\ntype E(#id: string, s: string, v: number)\naction said(x: any)\n";

/** Returns a session with a fact for each value; of one with a key or number, the values are the first parts. */
function filled(source: string, values: readonly Value[]): RuleSession {
  const session = open(`${TYPES}${source}`);
  session.assert("S", { id: "s" });
  for (const [at, one] of values.entries()) {
    session.assert("E", { id: `e${at}`, s: "s", v: Array.isArray(one) ? (one[0] as Value) : one });
  }
  return session;
}

/** Returns what an entry takes of values that are their own keys: pairs and triples for those with a key or a number. */
function takenOf({ takes, count }: Aggregate, value: Maybe, number = NUMBERS): Maybe {
  if (takes !== "keyed" && count === undefined) return value;
  const parts = [value, ...(takes === "keyed" ? [value] : []), ...(count === undefined ? [] : [number])];
  return parts.includes(undefined) ? undefined : (parts as readonly Value[]);
}

/** A number for which both `top` and `percentile` have a result. */
const NUMBERS = 2;

/** What is asked of the value inside a test: a list is asked for its first item, for which the example must not be empty. */
function asked(value: string, gives: Value): string {
  return Array.isArray(gives) ? `${value} contains ${gives[0]}` : `${value} == ${JSON.stringify(gives)}`;
}

describe.each(ENTRIES)("$name", (entry) => {
  const { name, example, takes } = entry;
  const upper = name.toUpperCase();
  const shown = JSON.stringify(example.gives).replaceAll(",", ", ");
  const number = isRanked(entry) ? (example.values[0] as readonly Value[]).at(-1) : undefined;
  const taken = takenWords(name, "e.v", "e.v", typeof number === "number" ? number : NUMBERS);
  const inline = takes === "facts" ? `${upper}(e: E / e.s == s.id)` : `${upper}(e: E / e.s == s.id ; ${taken})`;

  test("is in lower case, and gives what its example says", () => {
    expect(name).toMatch(/^[a-z_]+$/u);
    expect(entry.compute(example.values)).toEqual(example.gives);
    expect(isOfType(example.gives, entry.result(NUMBER))).toBe(true);
  });

  test.each([
    ["an element", `rule r { when s: S x: ${name}(${taken}) from e: E(e.s == s.id) then said(x) }`],
    ["an element in capitals", `rule r { when s: S x: ${upper}(${taken}) from e: E(e.s == s.id) then said(x) }`],
    ["braces", `rule r : {s: S, x: ${upper}(${taken})} / {e: E} / e.s == s.id ==> said(x)`],
  ])("has its value as %s", (_, rule) => {
    expect(filled(rule, example.values).run().effects[0]?.args[0]).toEqual(example.gives);
  });

  test("has its value inside a test, in a gate and in a guardian", () => {
    const test = asked(inline, example.gives);
    expect(filled(`rule r { when s: S where ${test} then said(1) }`, example.values).matches("r")).toHaveLength(1);
    const gate = filled(`gate g for s: S { require ${test} }`, example.values).gate("g", "S~s");
    expect(gate.outcome).toBe("pass");
    const line = `need ${asked(`${name}(${taken})`, example.gives)} as "no" do ADD_EVIDENCE`;
    const check = `check c risk low exit SAFE_REFUSAL using e: E(e.s == s.id) { ${line} }`;
    const verdict = filled(`guardian w for s: S { ${check} }`, example.values).verdict("w", "S~s");
    expect(verdict.verdict).toBe("PASS");
  });

  test.each([
    ["an element", `x: ${name}(${taken}) from e: E(e.s == s.id)`, "x"],
    ["a test", `where ${asked(inline, example.gives)}`, inline],
  ])("is told with its value as %s of a rule", (_, element, text) => {
    const session = filled(`rule r { when s: S ${element} then said(1) }`, example.values);
    const [fired] = session.run().fired;
    if (fired === undefined) throw new Error("the rule did not fire");
    expect(textOf(session.why(fired))).toContain(`${text} is ${shown}`);
  });

  test("is told with its value in a guardian", () => {
    const line = `need ${asked(`${name}(${taken})`, example.gives)} as "no" do ADD_EVIDENCE`;
    const check = `check c risk low exit SAFE_REFUSAL using e: E(e.s == s.id) { ${line} }`;
    const session = filled(`guardian w for s: S { ${check} }`, example.values);
    expect(textOf(session.why(session.verdict("w", "S~s")))).toContain(`${name}(${taken}) is ${shown}`);
  });

  test("is completed", () => {
    expect(complete(compile("").session(), `rule r { when x: ${name.slice(0, 2)}`)[0]).toContain(`${name}(`);
  });

  test("is always known, or not, as its entry says", () => {
    const values = fc.array(fc.constantFrom<Maybe>(1, 2, "a", true, [1], undefined), { maxLength: 4 });
    const isKnown = (given: readonly Maybe[]): boolean => entry.compute(given) !== undefined;
    if (entry.alwaysKnown) fc.assert(fc.property(values, isKnown));
    else
      expect([[], [undefined], [1, "a"]].map((all) => all.map((one) => takenOf(entry, one))).every(isKnown)).toBe(
        false,
      );
  });

  test(
    "is kept up to date while values come and go, and is what the naive matcher computes",
    () => {
      const value = fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom<Maybe>(0, 1, 2, 3, 10, -1, 0.1, 0.2, 1e308, 1.5e308, -1e308, 5e-324) },
        { weight: 1, arbitrary: fc.constantFrom<Maybe>("a", "b", true, [1, "a"], undefined) },
      );
      const percent = fc.constantFrom(0, 1, 2, 3, 50, 99.9, 100, 12.345, 1e-7, -1, 0.1, 101);
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.nat(9), value), { maxLength: 60 }), percent, (changes, number) =>
          keepsUp(
            entry,
            changes.map(([order, one]) => [order, takenOf(entry, one, number)]),
          ),
        ),
        {
          numRuns: runs(1000),
        },
      );
    },
    PATIENT,
  );

  test(
    "a value that one change would bring about is found",
    () => {
      const values = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 4 });
      const found = fc.property(values, fc.nat(2), fc.integer({ min: 0, max: 12 }), (now, at, was) => {
        const before = now.map((v, index) => (index === at ? was : v));
        const given = (values: readonly number[]): Maybe =>
          entry.compute(values.map((one) => takenOf(entry, one, typeof number === "number" ? number : NUMBERS)));
        const [wanted, is] = [given(takes === "facts" ? [...now, was] : before), given(now)];
        fc.pre(!same(wanted, is) && typeof wanted !== "string");
        const item = Array.isArray(wanted) ? (wanted as number[]).find((v) => !(is as number[]).includes(v)) : wanted;
        fc.pre(item !== undefined);
        const test = Array.isArray(wanted) ? `x contains ${JSON.stringify(item)}` : `x == ${JSON.stringify(wanted)}`;
        const rule = `rule r { when s: S x: ${name}(${taken}) from e: E(e.s == s.id) where ${test} then said(x) }`;
        const { remedies } = filled(rule, now).whyNot("r");
        const edits = remedies.map((one) => one.edits.map(({ op }) => op).join());
        const another = takes === "numbers" || takes === "ordered"; // another number in one fact is always enough here
        expect(another ? edits.includes("update") : edits.length > 0, edits.join(" or ")).toBe(true);
      });
      fc.assert(found, { numRuns: runs(300) });
    },
    PATIENT,
  );
});

/** Adds and removes members; after each change the accumulator says what the entry and the naive matcher compute. */
function keepsUp({ name, accumulator, compute }: Aggregate, changes: readonly (readonly [number, Maybe])[]): void {
  const root: Member = { parent: undefined, fact: undefined };
  const group = accumulator();
  const there = new Map<number, { readonly member: Member; readonly value: Maybe }>();
  for (const [order, value] of changes) {
    const old = there.get(order);
    if (old === undefined) {
      const member = { parent: root, fact: { order } };
      there.set(order, { member, value });
      group.add(member, value);
    } else {
      there.delete(order);
      group.remove(old.member);
    }
    const values = [...there].sort(([a], [b]) => a - b).map(([, one]) => one.value);
    const answer = group.answer();
    const found = answer.value instanceof ListVersion ? answer.value.values : answer.value;
    expect(found).toEqual(compute(values));
    expect(found).toEqual(aggregate(name, values));
    expect(answer.passes).toBe(found !== undefined);
  }
}

/** All that an explanation says. */
function textOf(node: unknown): string {
  return JSON.stringify(node).replaceAll('\\"', '"');
}

test("the generator of programs uses every aggregate, as an element and inside a test", () => {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { is, fn } = node as { readonly is?: string; readonly fn?: string };
    if (fn !== undefined)
      found.add(`${is === "aggregate" ? "test" : is === "gather" ? "element" : "braces"} ${fn.toLowerCase()}`);
    Object.values(node).forEach(visit);
  };
  fc.sample(caseOf(SMALL), { numRuns: 1500, seed: 1 }).forEach(visit);
  const wanted = ENTRIES.flatMap(({ name, takes }) =>
    takes === "values" || name === "top" ? [`element ${name}`] : [`element ${name}`, `test ${name}`, `braces ${name}`],
  );
  expect(wanted.filter((one) => !found.has(one))).toEqual([]);
});

test("every entry that is written is in the table", () => {
  expect(namesIn("aggregate").sort()).toEqual([...AGGREGATES.keys()].sort());
});

test.each(ENTRIES)("$name can be the name of a field, a variable and a type", ({ name }) => {
  const source = `type ${name}(#id: string, ${name}: number)
    action said(x: number)
    rule r { when ${name}: ${name}(${name} > 1) then said(${name}.${name}) }`;
  const session = open(source);
  session.assert(name, { id: "a", [name]: 2 });
  expect(session.run().effects.map(({ args }) => args)).toEqual([[2]]);
});
