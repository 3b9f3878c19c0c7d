/** Tests snapshots and reloads: a restored session continues exactly as the original. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Strategy } from "../../src/base/strategy.ts";
import type { SessionOptions } from "../../src/session/options.ts";
import type { Snapshot } from "../../src/session/snapshot.ts";
import { runs } from "../support/cases.ts";
import {
  ANY,
  type FakeProgram,
  type FakeSession,
  fakeSession,
  focus,
  insert,
  insertLogical,
  NUMBER,
  schemaOf,
  update,
  xuple,
} from "../support/fake-network.ts";
import { asVersion1, throughJson } from "../support/snapshots.ts";

const PROGRAM: FakeProgram = {
  schema: schemaOf({
    A: { "#id": NUMBER, "x?": NUMBER, "more?": ANY },
    B: { x: NUMBER },
    C: { "#x": NUMBER },
  }),
  rules: [
    { name: "a1", type: "A", reads: ["x"], test: ({ x }) => x !== undefined, actions: [insert("B", { x: 1 })] },
    { name: "a2", type: "A", reads: ["x"], actions: [insertLogical("C", ({ x }) => ({ x: x ?? 9 }))] },
    { name: "a3", type: "A", reads: ["more"], noLoop: true, actions: [update({ more: [1, { a: 2 }] })] },
    { name: "b", type: "B", salience: 5, group: "late", actions: [xuple("jobs", "B", { x: 2 })] },
    { name: "c", type: "C", actions: [insertLogical("B", ({ x }) => ({ x }))] },
    { name: "d", type: "A", test: ({ x }) => x === 3, reads: ["x"], actions: [focus("late")] },
  ],
  spaces: [{ name: "jobs", selection: "random", consumption: "per-agent", retention: undefined, maxSize: undefined }],
};

const copy = throughJson;
const restore = (snapshot: Snapshot, options: SessionOptions = {}): FakeSession =>
  fakeSession(PROGRAM, { now: () => 0, ...options, from: copy(snapshot) });

type Operation = {
  readonly op: "assert" | "update" | "retract" | "run" | "step" | "take";
  readonly id: number;
  readonly x: number;
};

function apply(session: FakeSession, { op, id, x }: Operation): unknown {
  const exists = session.fact(`A~${id}`) !== undefined;
  switch (op) {
    case "assert":
      return exists ? undefined : session.assert("A", { id, x });
    case "update":
      return exists && session.update(`A~${id}`, { x });
    case "retract":
      return session.retract(`A~${id}`);
    case "run":
      return session.run();
    case "step":
      try {
        return session.run({ limit: 1 });
      } catch {
        return "limit";
      }
    default:
      return session.takeXuple("jobs", String(id));
  }
}

test("a restored session goes on exactly as the original", () => {
  const operation = fc.record({
    op: fc.constantFrom<Operation["op"]>("assert", "assert", "assert", "update", "retract", "run", "step", "take"),
    id: fc.integer({ min: 0, max: 3 }),
    x: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(
      fc.array(operation, { maxLength: 12 }),
      fc.array(operation, { maxLength: 8 }),
      fc.constantFrom<Strategy>("breadth", "depth", "lex"),
      (before, after, strategy) => {
        const original = fakeSession(PROGRAM, { now: () => 0, strategy });
        for (const one of before) apply(original, one);
        const snapshot = original.snapshot();
        const restored = restore(snapshot, { strategy });
        expect(canonical(restored.snapshot())).toEqual(canonical(copy(snapshot)));
        for (const one of after) expect(apply(restored, one)).toEqual(apply(original, one));
        expect(restored.run()).toEqual(original.run());
        expect(restored.facts()).toEqual(original.facts());
        expect(canonical(restored.snapshot())).toEqual(canonical(original.snapshot()));
      },
    ),
    { numRuns: runs(2000) },
  );
});

const key = (mark: Snapshot["matches"][number]): string => `${mark.rule} ${mark.identity}`;

/** Matches stand in no particular order, and the checksum is that of one order. */
function canonical(snapshot: Snapshot): Snapshot {
  const { checksum: _, ...rest } = copy(snapshot);
  return { ...rest, matches: [...snapshot.matches].sort((a, b) => (key(a) < key(b) ? -1 : 1)) };
}

describe("a snapshot", () => {
  test("is plain data that JSON keeps", () => {
    const session = fakeSession(PROGRAM);
    session.assert("A", { id: 1, x: 3, more: { a: [1] } });
    session.run();
    const snapshot = session.snapshot();
    expect(copy(snapshot)).toEqual(snapshot);
  });

  test("of another version is refused", () => {
    const snapshot = { ...fakeSession(PROGRAM).snapshot(), version: 3 } as unknown as Snapshot;
    expect(() => restore(snapshot)).toThrow(
      "cannot restore this snapshot: its version is 3, and this engine reads versions 1 and 2",
    );
  });

  test("with facts that do not fit the program is refused", () => {
    const session = fakeSession(PROGRAM);
    session.assert("A", { id: 1 });
    const snapshot = asVersion1(session.snapshot());
    const [fact] = snapshot.facts;
    if (fact === undefined) throw new Error("there is a fact");
    const id = { ...snapshot, facts: [{ ...fact, id: "A~2" }] };
    expect(() => restore(id)).toThrow("1 of type A (A~2): its id does not fit the key of its type");
    const field = { ...snapshot, facts: [{ ...fact, fields: { id: 1, x: "one" } }] };
    expect(() => restore(field)).toThrow("1 of type A (A~1): A.x must be number, found string");
  });

  test("does not bring back a default that was cleared, nor the facts of the program", () => {
    const program = { ...PROGRAM, facts: [{ type: "A", fields: { id: 5, x: 1 } }] };
    const session = fakeSession(program);
    session.update("A~5", { x: null });
    session.retract("A~5");
    expect(fakeSession(program, { from: session.snapshot() }).facts()).toEqual([]);
  });
});

const names = (session: FakeSession): string[] => session.run().fired.map((fired) => fired.rule);

describe("a replaced program", () => {
  const rule = { name: "r", type: "A", actions: [insertLogical("C", ({ x }: { x?: unknown }) => ({ x: Number(x) }))] };

  test("lets unchanged rules keep what they fired, drops rules that are gone, and starts new ones", () => {
    const before: FakeProgram = { ...PROGRAM, rules: [rule, { name: "gone", type: "A" }] };
    const session = fakeSession(before);
    session.assert("A", { id: 1, x: 1 });
    expect(names(session)).toEqual(["r", "gone"]);
    session.assert("A", { id: 2, x: 2 });
    session.replaceProgram({ ...PROGRAM, rules: [{ name: "new", type: "A" }, rule] });
    expect(session.run().fired).toEqual([
      { n: 3, rule: "r", bindings: { f: "A~2" } },
      { n: 4, rule: "new", bindings: { f: "A~1" } },
      { n: 5, rule: "new", bindings: { f: "A~2" } },
    ]);
    session.retract("A~1");
    expect(session.facts().map((fact) => fact.id)).toEqual(["A~2", "C~2"]);
  });

  test("withdraws what only a rule that is gone supported", () => {
    const session = fakeSession({ ...PROGRAM, rules: [rule] });
    session.assert("A", { id: 1, x: 1 });
    session.run();
    session.replaceProgram({ ...PROGRAM, rules: [] });
    expect(session.facts().map((fact) => fact.id)).toEqual(["A~1"]);
  });

  test("keeps the matches of its rules, with new saliences", () => {
    const rules = [
      { name: "r", type: "A" },
      { name: "s", type: "A" },
    ];
    const session = fakeSession({ ...PROGRAM, rules });
    session.assert("A", { id: 1 });
    session.replaceProgram({
      ...PROGRAM,
      rules: [
        { name: "r", type: "A" },
        { name: "s", type: "A", salience: 1 },
      ],
    });
    expect(names(session)).toEqual(["s", "r"]);
  });
});
