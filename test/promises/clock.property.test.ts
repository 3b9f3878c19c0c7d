/**
 * The clock: at every instant the matches are those that the brute-force matcher finds with the same facts and the same clock, and
 * nothing turns before the instant that `nextTime` names.
 */
import { expect, test } from "vitest";
import { compile, type Session } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { randomFrom, tryAll, tryAllInstants } from "../support/clock-history.ts";
import { DAYS_WORLD, INSTANTS, instantText, LAST_FACTS, newFact, rulesOf } from "../support/clock-model.ts";
import { below } from "../support/gate-model.ts";
import { engineTexts } from "../support/rig.ts";

test("tests of now turn exactly at their time", { timeout: PATIENT }, () => {
  tryAll(INSTANTS, runs(2000));
});

test("tests of today turn with the first instant of the day in the zone", { timeout: PATIENT }, () => {
  tryAll(DAYS_WORLD, Math.ceil(runs(2000) / 20));
});

test("the last facts of a pattern are those that nothing is newer than", { timeout: PATIENT }, () => {
  tryAll(LAST_FACTS, Math.ceil(runs(2000) / 3));
});

test("moving the clock at once or in steps is the same, and so is firing on the way", { timeout: PATIENT }, () => {
  const random = randomFrom(7);
  const end = 60;
  for (let at = 0; at < Math.ceil(runs(2000) / 5); at++) {
    const source = INSTANTS.program(random);
    const program = compile(source);
    const facts = Array.from({ length: 5 }, (_, id) => newFact(INSTANTS, random, id));
    const opened = (): Session => {
      const session = program.session({ clock: instantText(0), id: "s" });
      for (const { type, fields } of facts) session.assert(type, fields);
      return session;
    };
    const [once, stepped, ran, slow] = [opened(), opened(), opened(), opened()] as const;
    once.advance(instantText(end));
    const fired: unknown[] = [...slow.run({ limit: 2000 }).fired];
    for (let ms = 1; ms <= end; ms++) {
      stepped.advance(instantText(ms));
      slow.advance(instantText(ms));
      fired.push(...slow.run({ limit: 2000 }).fired);
    }
    const first = ran.runUntil(instantText(below(random, end))).fired;
    const result = [...first, ...ran.runUntil(instantText(end)).fired];
    expect(engineTexts(stepped, rulesOf(program)), source).toEqual(engineTexts(once, rulesOf(program)));
    expect(result, source).toEqual(fired);
  }
});

test("at every instant at which something may turn, all of it has turned", { timeout: PATIENT }, () => {
  tryAllInstants(INSTANTS, Math.ceil(runs(2000) / 20));
});

test(
  "on every day on which something may turn, the ends of months and changes of clocks included",
  { timeout: PATIENT },
  () => {
    tryAllInstants(DAYS_WORLD, Math.ceil(runs(2000) / 500));
  },
);
