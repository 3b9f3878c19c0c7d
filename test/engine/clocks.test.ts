/** Tests clocks that stand still, run backwards, throw or return nonsense: no deadline stays open, and no work stops halfway. */
import { describe, expect, test } from "vitest";
import { Stopwatch } from "../../src/base/stopwatch.ts";
import { compile, guard, guardAsync } from "../../src/index.ts";

const TYPES = `type Draft(#id: string, attempt: number = 0)
type Evidence(#n: number, draft: string)`;
const SLOW = { params: [{ name: "x", type: { kind: "any" }, optional: false }], result: { kind: "bool" } } as const;

type Clock = () => number;

/** Gives these times, then the last of them for ever. */
function clockOf(...times: (number | Error)[]): Clock {
  return () => {
    const time = times.length > 1 ? times.shift() : times[0];
    if (typeof time === "number") return time;
    throw time ?? new Error("no time");
  };
}

/** A guardian whose check asks a function twice, once in the network and once in the line; `work` is what the function does. */
function judged(now: Clock | undefined, realTime: Clock, work: () => void = () => {}): readonly [string, ...string[]] {
  const source = `${TYPES}
guardian g for d: Draft { retry at most 0
  check c { need exists Evidence(draft == d.id, slow(n)) as "r" do SAFE_REFUSAL need slow(d.id) as "s" do SAFE_REFUSAL } }`;
  const slow = (): boolean => {
    work();
    return true;
  };
  const session = compile(source, { functions: { slow: SLOW } }).session({
    functions: { slow },
    ...(now === undefined ? {} : { now }),
    realTime,
    checkDeadline: 10,
  });
  session.assert("Draft", { id: "d" });
  session.assert("Evidence", { n: 1, draft: "d" });
  const [answer] = session.run().verdicts;
  return [answer?.verdict ?? "none", ...(answer?.reasons ?? [])];
}

const still = (): Clock => () => 0;

describe("the deadline of a check", () => {
  test("a clock that stands still does not hold it open", () => {
    let real = 0;
    const late = judged(
      still(),
      () => real,
      () => (real += 6),
    );
    expect(late).toEqual(["FAIL", 'check "c" took longer than 10 ms']);
  });

  test("neither does one that jumped ahead and then stands still", () => {
    let real = 0;
    let host = 0;
    const work = (): void => {
      host = 1e9; // the jump itself makes the first check late; the time after it counts too
      real += 40;
    };
    expect(
      judged(
        () => host,
        () => real,
        work,
      )[0],
    ).toBe("FAIL");
  });

  test.each<[string, () => Clock, string]>([
    ["runs backwards", () => clockOf(0, -1, -2, -3, -4, -5, -6), "the clock went backwards"],
    ["steps back once", () => clockOf(5, 4), "the clock went backwards"],
    ["throws", () => clockOf(new Error("no clock")), "the clock failed: no clock"],
    ["throws later", () => clockOf(0, new Error("gone")), "the clock failed: gone"],
    ["gives NaN", () => clockOf(Number.NaN), "the clock did not return a number"],
    ["gives infinity", () => clockOf(0, Infinity), "the clock did not return a number"],
    ["gives a string", () => (() => "12") as unknown as Clock, "the clock did not return a number"],
    ["gives nothing", () => (() => undefined) as unknown as Clock, "the clock did not return a number"],
  ])("a clock that %s passes nothing, and the reason says so", (_, made, words) => {
    expect(judged(made(), still())).toEqual(["FAIL", `check "c" cannot be timed: ${words}`]);
    expect(judged(undefined, made())).toEqual(["FAIL", `check "c" cannot be timed: ${words}`]);
  });

  test("a clock that works passes what is in time", () => {
    let time = 0;
    const now = (): number => time;
    expect(judged(now, still(), () => (time += 5))).toEqual(["PASS"]);
    expect(judged(now, now, () => (time += 5))).toEqual(["PASS"]);
  });

  test("a clock that fails once does not fail what is checked later", () => {
    const now = clockOf(new Error("once"), 0);
    const session = compile(
      `${TYPES} guardian g for d: Draft { check c { need d.id is present as "r" do SAFE_REFUSAL } }`,
    ).session({ now, realTime: still(), checkDeadline: 10 });
    session.assert("Draft", { id: "a" });
    expect(session.run().verdicts[0]?.verdict).toBe("RETRY");
    session.assert("Draft", { id: "b" });
    session.run();
    expect(session.verdict("g", "Draft~b").verdict).toBe("PASS");
  });
});

describe("a stopwatch", () => {
  test("two clocks that tick together measure the time once, also where one of them is coarse", () => {
    let time = 0;
    const stopwatch = new Stopwatch([() => Math.floor(time), () => time]);
    let total = 0;
    for (let step = 0; step < 1000; step++) {
      const elapsed = stopwatch.start();
      time += 0.25;
      total += elapsed();
    }
    expect(total).toBeGreaterThanOrEqual(250);
    expect(total).toBeLessThanOrEqual(251);
  });

  test("no clock can make the time shorter than another one says", () => {
    for (const rates of [
      [0, 1],
      [1, 0],
      [3, 1],
      [1, 3],
    ]) {
      let time = 0;
      const stopwatch = new Stopwatch(rates.map((rate) => () => rate * time));
      const elapsed = stopwatch.start();
      time = 100;
      expect(elapsed()).toBe(100 * Math.max(...rates));
    }
  });
});

test.each<[string, Clock]>([
  ["stands still", still()],
  ["runs backwards", clockOf(9, 8, 7, 6, 5, 4, 3, 2, 1)],
  ["throws", clockOf(new Error("no clock"))],
  ["gives NaN", clockOf(Number.NaN)],
])("with a clock that %s a pipeline decides, and no time in its trace is negative", (_, now) => {
  const source = `type Query(#id: string)
pipeline p for q: Query { step a NOTE "n" step b BLOCK "no" when q.id == "x" otherwise FORWARD "on" }`;
  const session = compile(source).session({ now });
  session.assert("Query", { id: "x" });
  session.assert("Query", { id: "y" });
  const decisions = session.run().decisions.flatMap((one) => ("trace" in one ? [one] : []));
  expect(decisions.map(({ decision }) => decision)).toEqual(["BLOCK", "FORWARD"]);
  for (const { trace } of decisions) {
    expect(trace.total_latency_ms).toBe(0);
    for (const { latency_ms } of trace.rules_executed) expect(latency_ms).toBe(0);
  }
});

describe("a draft that does not come", () => {
  const source = `${TYPES} guardian g for d: Draft { retry at most 2 check c { need d.attempt > 0 as "r" do RETRIEVE_MORE } }`;
  const opened = () => {
    const session = compile(source).session();
    session.assert("Draft", { id: "d" });
    return session;
  };

  test("ends the loop with a safe exit when its deadline is past", async () => {
    const never = async (): Promise<undefined> => await new Promise(() => {});
    const result = await guardAsync(opened(), "Draft~d", never, { draftDeadline: 5 });
    expect(result).toMatchObject({ exit: "safe_exit", late: "draft 1 was not produced within 5 ms" });
    expect(result.verdicts.map(({ verdict }) => verdict)).toEqual(["RETRY"]);
  });

  test("a draft that comes in time is taken", async () => {
    const result = await guardAsync(opened(), "Draft~d", async () => ({}), { draftDeadline: 60_000 });
    expect(result.exit).toBe("finalize");
    expect(result.late).toBeUndefined();
  });

  test("a deadline that no time meets lets no draft in", () => {
    const result = guard(opened(), "Draft~d", () => ({}), { draftDeadline: -1 });
    expect(result).toMatchObject({ exit: "safe_exit", late: "draft 1 was not produced within -1 ms" });
  });
});
