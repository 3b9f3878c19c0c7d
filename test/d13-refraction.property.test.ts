/**
 * D13: a match fires once, and again only after it stopped being one.
 *
 * An update of a field that a rule reads matches anew what it touches, so such a match may fire again (language.md 3.8);
 * so may one that follows a reference when facts come and go. What a change does not touch must not fire again.
 */
import { describe, expect, test } from "vitest";
import type { Fired } from "../src/index.ts";
import { canonical } from "../src/prove/compare.ts";
import { identityOf, naiveMatches, type NaiveMatch } from "./oracle/naive.ts";
import { PATIENT, runs } from "./support/cases.ts";
import { Difference } from "./support/difference.ts";
import { type Case, SMALL } from "./support/engine-arbitrary.ts";
import { History, type Step } from "./support/history.ts";
import { forAllCases } from "./support/minimise.ts";
import { Rig } from "./support/rig.ts";
import { open } from "./support/session.ts";

type Live = readonly [key: string, text: string, rule: string, match: NaiveMatch];

/** What each rule has fired and what may fire again, by the identity of matches. */
class Refraction {
  readonly #rig: Rig;
  readonly #fired = new Set<string>();
  readonly #touched = new Set<string>();

  constructor(rig: Rig) {
    this.#rig = rig;
  }

  /** After a step: what is no match any more may fire again when it comes back. */
  note(step: Step): void {
    const live = new Set(this.#live().map(([key]) => key));
    for (const key of this.#fired) if (!live.has(key)) this.#fired.delete(key);
    for (const key of this.#touched) if (!live.has(key)) this.#touched.delete(key);
    if (step.is === "update") this.#touch(step);
    if (step.is === "assert" || step.is === "retract") this.#touchFollowers();
  }

  run(): void {
    const left = this.#rig.session.run().fired.map(firedText);
    const live = this.#live();
    for (const [, text] of live.filter(([key]) => !this.#fired.has(key))) {
      if (!takeOut(left, text)) throw new Difference(`${text} did not fire\n${this.#rig.story()}`);
    }
    for (const [key, text] of live) if (this.#touched.has(key)) takeOut(left, text);
    if (left.length > 0) throw new Difference(`${left.join(", ")} fired again\n${this.#rig.story()}`);
    for (const [key] of live) this.#fired.add(key);
    this.#touched.clear();
  }

  /** The matches of all rules: what tells them apart, and what a firing shows of them. */
  #live(): readonly Live[] {
    const { checked, history } = this.#rig;
    return [...naiveMatches(checked, history.facts)].flatMap(([rule, matches]) =>
      matches.map((match) => [`${rule} ${identityOf(match)}`, `${rule} ${bindingsText(match)}`, rule, match] as const),
    );
  }

  /** What a reference leads to may have come or gone: to those who follow it, that is a change of what they read. */
  #touchFollowers(): void {
    for (const [key, , rule] of this.#live()) {
      if (followsReferences(JSON.stringify(this.#rig.history.rules.get(rule)))) this.#touched.add(key);
    }
  }

  /** Only rules that name a changed field, and of these only matches of the fact, if no reference leads to it. */
  #touch(step: Extract<Step, { is: "update" }>): void {
    const names = Object.keys(step.changes);
    for (const [key, , rule, match] of this.#live()) {
      const text = JSON.stringify(this.#rig.history.rules.get(rule));
      const reads = names.some((name) => readsField(text, name));
      if (reads && (match.facts.includes(step.id) || followsReferences(text))) this.#touched.add(key);
    }
  }
}

function takeOut(texts: string[], text: string): boolean {
  const at = texts.indexOf(text);
  if (at !== -1) texts.splice(at, 1);
  return at !== -1;
}

function readsField(rule: string, name: string): boolean {
  if (name === "r") return followsReferences(rule) || rule.includes('"field":"r"');
  // Where a type has no field `k`, it is written `s`.
  return rule.includes(`"field":"${name}"`) || (name === "s" && rule.includes('"field":"k"'));
}

function followsReferences(rule: string): boolean {
  return /"via":[12]|"is":"same"/u.test(rule);
}

function bindingsText(match: NaiveMatch): string {
  const bindings = Object.entries(match.bindings).map(([name, bound]) => {
    return `${name}=${canonical("fact" in bound ? bound.fact : bound.value)}`;
  });
  return bindings.sort().join(" ");
}

function firedText({ rule, bindings }: Fired): string {
  const texts = Object.entries(bindings).map(([name, value]) => `${name}=${canonical(value)}`);
  return `${rule} ${texts.sort().join(" ")}`;
}

/** Runs at every `run`, and at every third operation. */
function firesOnce(one: Case): void {
  const rig = new Rig(SMALL, one.rules);
  const refraction = new Refraction(rig);
  for (const [index, operation] of History.operations(one).entries()) {
    const step = rig.history.plan(operation);
    if (step === undefined) continue;
    if (step.is !== "run") {
      rig.apply(step);
      refraction.note(step);
    }
    if (step.is === "run" || index % 3 === 2) refraction.run();
  }
  refraction.run();
  refraction.run();
}

test(
  "a match fires once, and again only after it went away or a field it reads was changed",
  () => {
    forAllCases(SMALL, runs(), firesOnce);
  },
  PATIENT,
);

describe("in words", () => {
  const fires = (session: ReturnType<typeof open>): number => session.run().fired.length;

  test("a second run fires nothing", () => {
    const session = open("rule r { when p: P(n > 0) then log(p) }");
    session.assert("P", { n: 1 });
    expect([fires(session), fires(session)]).toEqual([1, 0]);
  });

  test("a fact that goes and comes back fires again", () => {
    const session = open("type P(#k: string) rule r { when p: P then log(p) }");
    const p = session.assert("P", { k: "a" });
    expect(fires(session)).toBe(1);
    session.retract(p);
    session.assert("P", { k: "a" });
    expect(fires(session)).toBe(1);
  });

  test("a field that the rule does not read changes nothing", () => {
    const session = open("rule r { when p: P(n > 0) then log(p) }");
    const p = session.assert("P", { n: 1, m: 1 });
    expect(fires(session)).toBe(1);
    session.update(p, { m: 2 });
    session.update(p, { n: 1 });
    expect(fires(session)).toBe(0);
  });

  test("a not that is interrupted fires again", () => {
    const session = open("rule r { when p: P not Q(k == p.k) then log(p) }");
    session.assert("P", { k: 1 });
    expect(fires(session)).toBe(1);
    session.assert("Q", { k: 2 });
    expect(fires(session)).toBe(0);
    const q = session.assert("Q", { k: 1 });
    session.retract(q);
    expect(fires(session)).toBe(1);
  });

  test("a rule that counts up counts to the end", () => {
    const session = open("rule r { when p: P(n < 3) then p.n = p.n + 1 }");
    session.assert("P", { n: 0 });
    expect(fires(session)).toBe(3);
  });
});
