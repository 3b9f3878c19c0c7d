/** Tests the benchmark programs: small sizes of each give the known firings and sums. */
import { describe, expect, test } from "vitest";
import { alphaWork } from "../../bench/lib/alpha-cases.ts";
import { open, programNamed, programOf, runToRest } from "../../bench/lib/open.ts";
import { fireAll, openProgram } from "../../bench/lib/program-cases.ts";
import { expectedAlpha, expectedFirings, expectedOrders } from "../../bench/data/expected.ts";
import { factsOf } from "../../bench/data/programs.ts";
import { joinWork } from "../../bench/data/order-work.ts";
import { Tally } from "../../bench/data/random.ts";
import { conditionsOf, plainAnswer, type Shape } from "../../bench/data/sharing-work.ts";
import { stockWork } from "../../bench/data/stock-work.ts";
import { Conjunctions } from "../../bench/hand/conjunctions.ts";
import { Orders } from "../../bench/hand/orders.ts";
import { PermutedOrs } from "../../bench/hand/permuted-ors.ts";
import { stockAnswer } from "../../bench/hand/stock.ts";
import { conditionRules, conjunctionRules, orRules } from "../../bench/sluice/alpha-rules.ts";
import { stockRules } from "../../bench/sluice/stock-rules.ts";

describe("published programs fire as often as in CLIPS", () => {
  test.each([
    ["manners", 16],
    ["waltz", 12],
    ["waltzdb", 4],
  ] as const)("%s %i", (name, size) => {
    const session = openProgram(programNamed(name));
    expect(fireAll(session, factsOf(name, size))).toBe(expectedFirings(name, size));
  });
});

describe("rules about one fact", () => {
  const sources = { W1: conjunctionRules, W4: orRules };

  test.each(["W1", "W4"] as const)("%s on Sluice and by hand", (name) => {
    const work = alphaWork(name, 100, 1000);
    const expected = expectedAlpha(name, 100, 1000);
    const tally = new Tally();
    const byHand = name === "W1" ? new Conjunctions(work) : new PermutedOrs(work);
    for (const fact of work.facts) byHand.add(fact, tally.fire);
    expect(tally.take()).toEqual(expected);
    const session = open(programOf(sources[name](work)), { fire: tally.fire });
    for (const fact of work.facts) session.assert("Thing", fact);
    runToRest(session);
    expect(tally.take()).toEqual(expected);
  });

  test.each(["and", "or", "mixed"] as const)("sharing on and off, %s", (shape: Shape) => {
    const { facts } = alphaWork("W1", 0, 200);
    const conditions = conditionsOf(shape, 60);
    const expected = plainAnswer(conditions, facts).take();
    expect(expected.firings).toBeGreaterThan(0);
    const program = programOf(conditionRules(conditions));
    for (const sharing of [true, false]) {
      const tally = new Tally();
      const session = open(program, { fire: tally.fire }, { sharing });
      for (const fact of facts) session.assert("Thing", fact);
      runToRest(session);
      expect(tally.take()).toEqual(expected);
    }
  });
});

test("orders and customers: inserts and replacements, on Sluice and by hand", () => {
  const { inserts, changes } = joinWork();
  const expected = expectedOrders("W2");
  const mine = new Tally();
  const session = open(programNamed("orders"), { fire: mine.fire });
  const hand = new Tally();
  const orders = new Orders(hand.fire, false);
  for (const { type, ...fields } of inserts) session.assert(type, fields);
  for (const item of inserts) orders.add(item);
  runToRest(session);
  expect([mine.take(), hand.take()]).toEqual([expected.inserts, expected.inserts]);
  for (const { type, id, by } of changes) {
    session.retract(`${type}~${id}`);
    const { type: newType, ...fields } = by;
    session.assert(newType, fields);
    runToRest(session);
    orders.remove(type, id);
    orders.add(by);
  }
  expect([mine.take(), hand.take()]).toEqual([expected.changes, expected.changes]);
});

test("stocks: many rules about few facts, on Sluice and by hand", () => {
  const work = stockWork(300, 500);
  const hand = new Tally();
  stockAnswer(work, hand.fire);
  const mine = new Tally();
  const session = open(programOf(stockRules(work.rules)), { fire: mine.fire });
  for (const item of work.items) session.assert("Item", item);
  for (const stock of work.stocks) session.assert("Stock", stock);
  runToRest(session);
  const expected = hand.take();
  expect(expected.firings).toBeGreaterThan(100);
  expect(mine.take()).toEqual(expected);
});
