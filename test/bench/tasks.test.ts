/** Tests the tasks of the benchmarks: Sluice and the programs by hand give the answers of plain loops. */
import { describe, expect, test } from "vitest";
import { tasks as aggregates } from "../../bench/aggregates.ts";
import { type AuctionEvent, auctionWork, type Bid, risingWork } from "../../bench/data/auction-work.ts";
import { extremesWork } from "../../bench/data/extremes-work.ts";
import { FRAUD_RULES, fraudWork, type Payment } from "../../bench/data/fraud-work.ts";
import { chainWork, KIND, type Link, rangeWork } from "../../bench/data/join-work.ts";
import { Tally } from "../../bench/data/random.ts";
import { textWork } from "../../bench/data/text-work.ts";
import { Extremes } from "../../bench/hand/extremes.ts";
import { Words } from "../../bench/hand/words.ts";
import { tasks as joins } from "../../bench/joins.ts";
import type { Row } from "../../bench/lib/benchmark.ts";
import { goalTable } from "../../bench/lib/goals.ts";
import { exponentOf, withGrowth } from "../../bench/lib/growth.ts";
import { BENCHMARKS } from "../../bench/lib/registry.ts";
import { answerByHand, answerOnSluice, type Fire } from "../../bench/lib/task.ts";
import { WORK_GOALS } from "../../bench/lib/work-goals.ts";
import { tasks as loads } from "../../bench/load.ts";
import { tasks as logical } from "../../bench/logical.ts";
import { tasks as negations } from "../../bench/negation.ts";
import { task as texts } from "../../bench/texts.ts";

/** Returns what fires when plain loops find it. */
function plainly(work: (fire: Fire) => void): ReturnType<Tally["take"]> {
  const tally = new Tally();
  work(tally.fire);
  const answer = tally.take();
  expect(answer.firings).toBeGreaterThan(0);
  return answer;
}

test.each(loads.map((task) => [task.work, task] as const))("orders and customers: %s", (_, task) => {
  const given = task.given(1100);
  const answer = answerByHand(task, given);
  expect(answer["firings"]).toBeGreaterThan(100);
  expect(answerOnSluice(task, given)).toEqual(answer);
});

test.each(["good", "bad", "cross"] as const)("chains of six facts, %s order", (order) => {
  const facts = chainWork(160);
  const expected = plainly((fire) => chains(facts, fire));
  expect(answerByHand(joins[order], facts)).toEqual(expected);
  expect(answerOnSluice(joins[order], facts)).toEqual(expected);
});

/** Every fact of every type has one id, so a chain is known by its last fact. */
function chains(facts: readonly Link[], fire: Fire): void {
  const up = (from: Link, type: string): Link[] =>
    facts.filter((other) => other.type === type && other.fields.id === from.fields.up);
  for (const f of facts.filter(({ type, fields }) => type === "F" && fields.kind === KIND)) {
    for (const e of up(f, "E"))
      for (const d of up(e, "D"))
        for (const c of up(d, "C")) for (const b of up(c, "B")) if (up(b, "A").length > 0) fire(0, f.fields.id);
  }
}

test("points in spans", () => {
  const facts = rangeWork(60);
  const expected = plainly((fire) => {
    for (const span of facts) {
      for (const point of facts) {
        if (span.type !== "Span" || point.type !== "Point") continue;
        const { at } = point.fields;
        if (at >= span.fields.from && at < span.fields.to) fire(span.fields.id, point.fields.id);
      }
    }
  });
  expect(answerByHand(joins.ranges, facts)).toEqual(expected);
  expect(answerOnSluice(joins.ranges, facts)).toEqual(expected);
});

describe("bids", () => {
  test.each([
    ["random", auctionWork(1500)],
    ["rising", risingWork(60)],
  ] as const)("%s", (work, events) => {
    const expected = plainly((fire) => leaders(events, fire));
    expect(answerByHand(negations[work], events)).toEqual(expected);
    expect(answerOnSluice(negations[work], events)).toEqual(expected);
  });
});

/** Looks after every event for the bids that lead and did not before. */
function leaders(events: readonly AuctionEvent[], fire: Fire): void {
  const live = new Set<Bid>();
  let leading = new Set<Bid>();
  for (const { comes, bid } of events) {
    if (comes) live.add(bid);
    else live.delete(bid);
    const now = [...live].filter((one) => {
      for (const other of live) if (other.item === one.item && other.amount > one.amount) return false;
      return true;
    });
    for (const one of now) if (!leading.has(one)) fire(0, one.id);
    leading = new Set(now);
  }
}

test("counts and sums of payments", () => {
  const work = fraudWork(600);
  const expected = plainly((fire) => {
    const before: Payment[] = [];
    for (const payment of work.payments) {
      before.push(payment);
      if (payment.account >= work.accounts) continue;
      for (const [rule, { what, from, bound }] of FRAUD_RULES.entries()) {
        const amounts = before.filter((one) => one.account === payment.account && one.amount >= from);
        const value = amounts.reduce((sum, { amount }) => sum + (what === "count" ? 1 : amount), 0);
        if (payment.amount >= from && value >= bound) fire(rule, payment.account);
      }
    }
  });
  expect(answerByHand(aggregates.fraud, work)).toEqual(expected);
  expect(answerOnSluice(aggregates.fraud, work)).toEqual(expected);
});

test("the least and the greatest value of a group", () => {
  const work = extremesWork(50, 200);
  const expected = plainly((fire) => {
    const values = [...work.values];
    for (const { id, value } of work.changes) {
      const before = [Math.min(...values), Math.max(...values)];
      values[id] = value;
      for (const [end, now] of [Math.min(...values), Math.max(...values)].entries()) {
        if (now !== before[end]) fire(end, now);
      }
    }
  });
  expect(answerByHand(aggregates.extremes, work)).toEqual(expected);
  expect(answerOnSluice(aggregates.extremes, work)).toEqual(expected);
});

test("equal values of a group are one least value", () => {
  const told: (readonly [number, number])[] = [];
  const extremes = new Extremes([3, 3, 5], (end, value) => told.push([end, value]));
  extremes.change(0, 4);
  extremes.change(1, 4);
  extremes.change(2, 4);
  expect(told).toEqual([
    [0, 4],
    [1, 4],
  ]);
});

test("words in texts", () => {
  const all = textWork(30);
  const work = { words: all.words, texts: all.texts.slice(0, 40) };
  const expected = plainly((fire) => {
    for (const [id, body] of work.texts.entries())
      for (const [rule, word] of work.words.entries()) if (body.includes(word)) fire(rule, id);
  });
  expect(answerByHand(texts, work)).toEqual(expected);
  expect(answerOnSluice(texts, work)).toEqual(expected);
});

test.each([
  [["he", "she", "his", "hers"], "ushers", [0, 1, 3]],
  [["aa", "a", "ba"], "caab aa", [0, 1]],
  [["ab", "bc", "abcd"], "abce", [0, 1]],
  [["abcd", "bce"], "abce", [1]],
])("the words %j in %j", (words, text, expected) => {
  const found: number[] = [];
  new Words(words).find(text, (word) => found.push(word));
  expect(found.sort((a, b) => a - b)).toEqual(expected);
});

test.each(logical.map((task) => [task.work, task] as const))("logical facts: %s", (work, task) => {
  const given = task.given(40);
  const answer = answerByHand(task, given);
  expect(answer).toEqual({ firings: 0, checksum: 0, nodes: work.endsWith("derive") ? 40 : 0 });
  expect(answerOnSluice(task, given)).toEqual(answer);
});

test("every goal of this work is about a case and a figure that exist", async () => {
  const asked = new Set<string>();
  for (const { of } of WORK_GOALS) {
    of((...place) => {
      asked.add(place.join(" | "));
      return 1;
    });
  }
  const measured = new Set<string>();
  for (const name of ["load", "joins", "negation", "aggregates", "texts", "logical"]) {
    const { benchmark } = (await BENCHMARKS[name]?.()) ?? {};
    for (const { work, size, engine } of benchmark?.cases ?? [])
      for (const { key } of benchmark?.figures ?? []) measured.add([name, work, size, engine, key].join(" | "));
  }
  expect(asked.size).toBeGreaterThan(40);
  expect([...asked].filter((place) => !measured.has(place))).toEqual([]);
});

test("a figure without a goal has no verdict", () => {
  const figures = { warm: 100, grows: 2 };
  const row = (engine: string): Row => {
    return { bench: "joins", work: "W15", size: 8000, engine, status: "ok", figures, median: figures, processes: 1 };
  };
  const machine = { cpu: "", cores: 1, memory: "", system: "", node: "" };
  const { lines } = goalTable([{ bench: "joins", machine, commit: "", rows: [row("sluice"), row("hand")] }]);
  expect(lines).toEqual([
    ["W15, spans and points, 8,000, against a program by hand", "1.00 ×", "", "", ""],
    [
      "W15, by spans and points: growth",
      "n^2.00",
      "",
      "n^1.30",
      "goal missed: places in ordered blocks are objects, and collecting them takes its part",
    ],
  ]);
});

describe("growth", () => {
  test("is the power of the size", () => {
    expect(exponentOf([1, 2, 4, 8].map((size) => [size, 3 * size ** 2]))).toBeCloseTo(2);
    expect(exponentOf([1, 2, 4, 8].map((size) => [size, 5]))).toBeCloseTo(0);
    expect(
      exponentOf([
        [1, 0],
        [2, 1],
      ]),
    ).toBeUndefined();
  });

  test("is worked out from three sizes on, of the same work on the same engine", () => {
    const row = (size: number, warm: number, more: Partial<Row> = {}): Row => {
      const figures = { warm };
      return {
        bench: "b",
        work: "w",
        size,
        engine: "e",
        status: "ok",
        figures,
        median: figures,
        processes: 1,
        ...more,
      };
    };
    const before = [row(1, 1), row(2, 4), row(2, 99, { engine: "other" }), row(3, 99, { status: "wrong" })];
    expect(withGrowth("warm", row(2, 4), before.slice(0, 1)).figures["grows"]).toBeUndefined();
    expect(withGrowth("warm", row(4, 16), before).figures["grows"]).toBeCloseTo(2);
    expect(withGrowth(undefined, row(4, 16), before).figures["grows"]).toBeUndefined();
  });
});
