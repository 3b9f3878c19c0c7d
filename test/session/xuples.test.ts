/** Tests xuple-spaces: taking, consumption, retention, capacity and clocks. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ActionError } from "../../src/session/errors.ts";
import { Queue } from "../../src/session/queue.ts";
import { Xuples, type XupleSpace } from "../../src/session/xuples.ts";
import { fakeSession, xuple } from "../support/fake-network.ts";

const space = (more: Partial<XupleSpace> = {}): XupleSpace => ({
  name: "jobs",
  selection: "fifo",
  consumption: "once",
  retention: undefined,
  maxSize: undefined,
  ...more,
});

function filled(more: Partial<XupleSpace>, random: () => number = () => 0): { xuples: Xuples; clock: { now: number } } {
  const clock = { now: 0 };
  const xuples = new Xuples([space(more)], () => clock.now, random);
  for (const x of [1, 2, 3]) {
    clock.now += 10;
    xuples.put("jobs", "Job", { x });
  }
  return { xuples, clock };
}

function takeAll(xuples: Xuples, agent?: string): unknown[] {
  const taken: unknown[] = [];
  for (let next = xuples.take("jobs", agent); next !== undefined; next = xuples.take("jobs", agent)) {
    taken.push(next.fields["x"]);
  }
  return taken;
}

describe("taking", () => {
  test("fifo takes the oldest first, lifo the newest", () => {
    expect(takeAll(filled({}).xuples)).toEqual([1, 2, 3]);
    expect(takeAll(filled({ selection: "lifo" }).xuples)).toEqual([3, 2, 1]);
  });

  test("random asks the given source", () => {
    const source = [0.5, 0.99, 0];
    expect(takeAll(filled({ selection: "random" }, () => source.shift() ?? 0).xuples)).toEqual([2, 3, 1]);
  });

  test("once is once for all, per-agent once for each", () => {
    const once = filled({}).xuples;
    expect([takeAll(once, "a"), takeAll(once, "b")]).toEqual([[1, 2, 3], []]);
    const each = filled({ consumption: "per-agent" }).xuples;
    expect([takeAll(each, "a"), takeAll(each, "b"), takeAll(each, "a")]).toEqual([[1, 2, 3], [1, 2, 3], []]);
    expect(each.list("jobs", "a")).toEqual([]);
    expect(each.list("jobs", "c")).toHaveLength(3);
  });

  test("does not find what is past its retention", () => {
    const { xuples, clock } = filled({ retention: 15 });
    expect(xuples.list("jobs").map((one) => one.n)).toEqual([2, 3]);
    clock.now = 44;
    expect(takeAll(xuples)).toEqual([3]);
  });

  test("from a space that is not there is refused with the nearest name", () => {
    expect(() => filled({}).xuples.take("job")).toThrow(
      expect.objectContaining({ code: "E213", message: 'unknown xuple-space "job"', hint: 'did you mean "jobs"?' }),
    );
  });
});

test("a full space makes the firing fail, and a later run tries again when there is room", () => {
  const session = fakeSession(
    {
      rules: [{ name: "queue", type: "Task", actions: [xuple("jobs", "Job", ({ x }) => ({ x }))] }],
      spaces: [space({ maxSize: 2 })],
    },
    { now: () => 7 },
  );
  for (const x of [1, 2, 3]) session.assert("Task", { x });
  expect(() => session.run()).toThrow(ActionError);
  expect(session.xuples("jobs")).toEqual([
    { n: 1, type: "Job", fields: { x: 1 }, at: 7 },
    { n: 2, type: "Job", fields: { x: 2 }, at: 7 },
  ]);
  expect(session.facts("Job")).toEqual([]);
  expect(session.takeXuple("jobs")?.fields).toEqual({ x: 1 });
  expect(session.run().fired).toHaveLength(1);
  expect(session.xuples("jobs").map((one) => one.n)).toEqual([2, 3]);
});

test("a clock that is set back or fails gives what is in a space no longer life", () => {
  const times = [100, 105, 50, 120];
  const now = (): number => {
    const time = times.shift();
    if (time === undefined) throw new Error("no clock");
    return time;
  };
  const session = fakeSession(
    {
      rules: [{ name: "queue", type: "Task", actions: [xuple("jobs", "Job", ({ x }) => ({ x }))] }],
      spaces: [space({ retention: 10 })],
    },
    { now },
  );
  session.assert("Task", { x: 1 });
  session.run();
  while (times.length > 0) session.xuples("jobs");
  expect(session.xuples("jobs")).toEqual([]);
});

// ---------------------------------------------------------------- large spaces

const STEP = fc.oneof(
  fc.record({ kind: fc.constant("push"), at: fc.nat(1) }),
  fc.record({ kind: fc.constant("remove"), at: fc.nat(20) }),
  fc.record({ kind: fc.constant("expire"), at: fc.nat(60) }),
);

test("a queue is a list", () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 60 }), (steps) => {
      const queue = new Queue<number>();
      const list: number[] = [];
      steps.forEach(({ kind, at }, n) => {
        if (kind === "push") {
          queue.push(n);
          list.push(n);
        } else if (kind === "remove") {
          if (at >= list.length) return;
          queue.removeAt(at);
          list.splice(at, 1);
        } else {
          queue.removeWhile((item) => item < at);
          while ((list[0] ?? at) < at) list.shift();
        }
        expect(queue.toArray()).toEqual(list);
        expect([queue.length, queue.at(0), queue.at(list.length - 1), queue.at(list.length)]).toEqual([
          list.length,
          list[0],
          list.at(-1),
          undefined,
        ]);
      });
    }),
  );
});

/** Counts the items that arrays move while they lose others. */
function movedDuring(work: () => void): number {
  let moved = 0;
  const { shift, splice } = Array.prototype as { shift: () => unknown; splice: (...args: unknown[]) => unknown[] };
  const counting = {
    shift(this: unknown[]): unknown {
      moved += this.length;
      return shift.call(this);
    },
    splice(this: unknown[], ...args: unknown[]): unknown[] {
      moved += this.length - Number(args[0]);
      return splice.apply(this, args);
    },
  };
  for (const [name, method] of Object.entries(counting)) Reflect.set(Array.prototype, name, method);
  try {
    work();
  } finally {
    for (const [name, method] of Object.entries({ shift, splice })) Reflect.set(Array.prototype, name, method);
  }
  return moved;
}

describe("a large space", () => {
  const MANY = 5000;
  const large = (more: Partial<XupleSpace>): { xuples: Xuples; clock: { now: number } } => {
    const clock = { now: 0 };
    const xuples = new Xuples(
      [space(more)],
      () => clock.now,
      () => 0,
    );
    for (; clock.now < MANY; clock.now++) xuples.put("jobs", "Job", { x: clock.now });
    return { xuples, clock };
  };

  test.each(["fifo", "lifo"] as const)("gives its entries one by one (%s) and moves each about once", (selection) => {
    const once = large({ selection }).xuples;
    expect(movedDuring(() => expect(takeAll(once)).toHaveLength(MANY))).toBeLessThan(4 * MANY);
    const each = large({ selection, consumption: "per-agent" }).xuples;
    expect(movedDuring(() => expect(takeAll(each, "a")).toHaveLength(MANY))).toBeLessThan(4 * MANY);
  });

  test("loses its old entries one by one and moves each about once", () => {
    const { xuples, clock } = large({ retention: 2 * MANY });
    clock.now = 2 * MANY;
    const left: number[] = [];
    const moved = movedDuring(() => {
      for (; clock.now < 3 * MANY; clock.now++) left.push(xuples.waiting("jobs"));
    });
    expect([left[0], left.at(-1)]).toEqual([MANY - 1, 0]);
    expect(moved).toBeLessThan(4 * MANY);
  });
});
