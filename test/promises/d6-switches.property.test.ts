/**
 * D6: with shortcuts off, the same matches are found and fire in the same order. Sharing and indexes:
 * d1-histories.property.test.ts; the order of joining: join-order.property.test.ts.
 */
import { expect, test } from "vitest";
import type { ActionHandler, OpenOptions, RuleSession } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { History } from "../support/history.ts";
import { Difference } from "../support/difference.ts";
import { forAllCases } from "../support/minimise.ts";
import { expectSame, Rig } from "../support/rig.ts";

function firesAlike(one: Case, open: OpenOptions): void {
  const rig = new Rig(SMALL, one.rules, { open }, [{ open: { ...open, shortcuts: false } }]);
  for (const [index, operation] of History.operations(one).entries()) {
    rig.follow(operation);
    if (index >= one.facts.length - 1) {
      const [found = new Map(), expected = new Map()] = rig.allTexts();
      expectSame(expected, found, () => rig.story());
    }
    if (index % 4 !== 3) continue;
    const [fired, expected] = rig.sessions.map((session) => firedTexts(session));
    if (fired !== expected) throw new Difference(`fired ${fired}\nexpected ${expected}\n${rig.story()}`);
  }
}

/** A `function` sees the firing it belongs to, an arrow function does not look. */
function heard(into: string[]): { called: ActionHandler; arrow: ActionHandler } {
  return {
    called(...args: unknown[]) {
      into.push(`${this.n} ${this.rule} ${JSON.stringify([args, this.bindings])}`);
    },
    arrow: (...args: unknown[]) => void into.push(JSON.stringify(args)),
  };
}

/** Of each two sessions one keeps its firings and one only counts them. */
function callsAlike(one: Case): void {
  const heardBy: string[][] = [[], [], [], []];
  const opened = heardBy.map((into, at) => ({ open: { actions: { log: heard(into)[at < 2 ? "called" : "arrow"] } } }));
  const rig = new Rig(SMALL, one.rules, opened[0], opened.slice(1));
  for (const [index, operation] of History.operations(one).entries()) {
    rig.follow(operation);
    if (index % 4 !== 3) continue;
    const counts = rig.sessions.map((session, at) => session.run({ collect: at % 2 === 0 }).count);
    expect(new Set(counts).size).toBe(1);
  }
  for (const [kept = [], counted = []] of [heardBy.slice(0, 2), heardBy.slice(2)]) {
    if (counted.join() === kept.join()) continue;
    throw new Difference(`called ${counted.join("; ")}\nexpected ${kept.join("; ")}\n${rig.story()}`);
  }
}

function firedTexts(session: RuleSession): string {
  return session
    .run()
    .fired.map(({ rule, bindings }) => `${rule} ${JSON.stringify(bindings)}`)
    .join("; ");
}

test(
  "the shorter ways change nothing but speed",
  () => {
    forAllCases(SMALL, runs(), (one) =>
      firesAlike(one, { strategy: one.facts.length % 2 === 0 ? "breadth" : "depth" }),
    );
  },
  PATIENT,
);

test(
  "handlers are called alike whether firings are kept or only counted",
  () => {
    forAllCases(SMALL, runs(5000), callsAlike);
  },
  PATIENT,
);
