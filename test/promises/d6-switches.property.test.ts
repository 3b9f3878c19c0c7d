/** D6: with the shorter ways switched off, the same is found and fires in the same order. (Sharing and indexes: histories.) */
import { expect, test } from "vitest";
import type { ActionHandler, OpenOptions } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { History } from "../support/history.ts";
import { Difference } from "../support/difference.ts";
import { forAllCases } from "../support/minimise.ts";
import { expectSame, Rig } from "../support/rig.ts";

function firesAlike(one: Case, open: OpenOptions): void {
  const rig = new Rig(SMALL, one.rules, { open });
  const switched = new Rig(SMALL, one.rules, { open: { ...open, shortcuts: false } });
  for (const [index, operation] of History.operations(one).entries()) {
    rig.follow(operation);
    switched.follow(operation);
    if (index >= one.facts.length - 1) expectSame(rig.texts(), switched.texts(), () => rig.story());
    if (index % 4 !== 3) continue;
    const [fired, expected] = [rig, switched].map((each) => firedTexts(each));
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

function callsAlike(one: Case): void {
  for (const way of ["called", "arrow"] as const) {
    const [kept, counted]: [string[], string[]] = [[], []];
    const rigs = [kept, counted].map(
      (into) => new Rig(SMALL, one.rules, { open: { actions: { log: heard(into)[way] } } }),
    );
    for (const [index, operation] of History.operations(one).entries()) {
      for (const rig of rigs) rig.follow(operation);
      if (index % 4 !== 3) continue;
      const [all, none] = rigs.map(({ session }, at) => session.run({ collect: at === 0 }));
      expect(none?.count).toBe(all?.count);
    }
    if (counted.join() !== kept.join()) {
      throw new Difference(`called ${counted.join("; ")}\nexpected ${kept.join("; ")}\n${rigs[0]?.story()}`);
    }
  }
}

function firedTexts({ session }: Rig): string {
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
