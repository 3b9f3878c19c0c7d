/**
 * What the sessions of a program share does not change while they work, keeps none of them alive, and nothing that happens to one
 * happens to another.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { Assembly } from "../../src/assemble/assembly.ts";
import type { Blueprint } from "../../src/assemble/blueprint.ts";
import { compile, type Program, type RuleSession } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { Difference } from "../support/difference.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { History } from "../support/history.ts";
import { forAllCases } from "../support/minimise.ts";
import { nestedFirings } from "../support/nested-sessions.ts";
import { programOfRules } from "../support/rig.ts";

const applied = vi.spyOn(Assembly.prototype, "apply");

/** Opens a session, and returns it with its network and the blueprint that it shares. */
function open(program: Program): { session: RuleSession; assembly: Assembly; blueprint: Blueprint } {
  applied.mockClear();
  const session = program.session({ facts: "none" });
  const [assembly] = applied.mock.contexts as Assembly[];
  const [[blueprint] = []] = applied.mock.calls;
  if (assembly === undefined || blueprint === undefined) throw new Error("a session is opened with a blueprint");
  return { session, assembly, blueprint };
}

/** Marks that alpha nodes carry only while two lists are compared, and a list that is worked out of shared parts when first needed. */
const SCRATCH = new Set(["asked", "updated", "groups"]);

/** Returns everything that can be reached from a value, as text; an object that was met before is a number. */
function structureOf(root: unknown): string {
  const known = new Map<object, number>();
  const lines: string[] = [];
  const name = (value: unknown): string => {
    if (typeof value === "function") return "function";
    if (typeof value !== "object" || value === null) return `${typeof value} ${String(value)}`;
    const number = known.get(value);
    if (number !== undefined) return `#${number}`;
    known.set(value, known.size);
    waiting.push(value);
    return `#${known.size - 1} ${value.constructor?.name}`;
  };
  const waiting: object[] = [];
  name(root);
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    const parts: string[] = [];
    if (one instanceof Map) for (const [key, value] of one) parts.push(`${name(key)} => ${name(value)}`);
    else if (one instanceof Set) for (const value of one) parts.push(name(value));
    else for (const [key, value] of Object.entries(one)) if (!SCRATCH.has(key)) parts.push(`${key}: ${name(value)}`);
    lines.push(parts.join(", "));
  }
  return lines.join("\n");
}

function firstDifference(
  before: readonly string[],
  after: readonly string[],
): [string | undefined, string | undefined] {
  const at = before.findIndex((line, index) => line !== after[index]);
  return at < 0 ? [before[after.length], after[before.length]] : [before[at], after[at]];
}

function leavesTheBlueprint(one: Case): void {
  const history = new History(SMALL, one.rules);
  const { session, blueprint } = open(programOfRules(history.rules));
  const before = structureOf(blueprint);
  for (const operation of History.operations(one)) {
    const step = history.plan(operation);
    if (step === undefined || step.is === "refuse" || step.is === "add" || step.is === "remove") continue;
    if (step.is === "assert") session.assert(step.type, step.fields);
    else if (step.is === "retract") session.retract(step.id);
    else if (step.is === "update") session.update(step.id, step.changes);
    else session.run();
    history.note(step);
  }
  for (const rule of history.rules.keys()) session.matches(rule);
  session.counters();
  const [was, is] = firstDifference(before.split("\n"), structureOf(blueprint).split("\n"));
  if (was !== is) throw new Difference(`shared before the history: ${was}\nafter it: ${is}`);
}

test(
  "a history leaves everything that sessions share as it was",
  () => forAllCases(SMALL, runs(500), leavesTheBlueprint),
  PATIENT,
);

const JUDGING = `
type P(#id: string, city: number)
type O(#num: string, buyer: string, total: number)
gate open for p: P(city == 1) { require exists O(buyer == p.id, total > 10) }
gate shut for p: P(city == 2) { require exists O(buyer == p.id, total > 10) }
flow path for p: P(city == 1) {
  stage asked { decide open(p)
    on pass goto done }
  stage done final
}
rule ask { when p: P o: O(buyer == p.id) then log(o.num) }
`;

describe("judges", () => {
  test("are made by their first subject, and answer as if they had been there before", () => {
    const { session, assembly, blueprint } = open(compile(JUDGING));
    const before = structureOf(blueprint);
    expect(assembly.network.judges.size).toBe(0);
    session.assert("P", { id: "p1", city: 1 });
    expect(assembly.gates.made().map(({ spec }) => spec.name)).toEqual(["open"]);
    session.assert("O", { num: "o1", buyer: "p1", total: 20 });
    expect(session.run().gates.map(({ gate, outcome }) => [gate, outcome])).toEqual([["open", "pass"]]);
    expect(session.flow("path").stage).toBe("done");
    expect(session.gates("shut")).toEqual([]);
    session.assert("P", { id: "p2", city: 2 });
    session.run();
    expect(session.gate("shut", "P~p2").outcome).not.toBe("pass");
    expect(structureOf(blueprint)).toBe(before);
  });

  test("of one session do not know the subjects of another", () => {
    const program = compile(JUDGING);
    const [one, other] = [program.session(), program.session()];
    one.assert("P", { id: "p1", city: 1 });
    one.run();
    expect(other.gates()).toEqual([]);
    expect(() => other.gate("open", "P~p1")).toThrow("is not a subject");
  });
});

test("a host function that works on another session in the middle of a test changes nothing", () => {
  const { nested, alone } = nestedFirings();
  expect(alone).toHaveLength(12);
  expect(nested).toEqual(alone);
});

test("a handler that works on another session changes nothing in its own, before and after its await", async () => {
  const program = compile(`
type T(#id: string, n: number)
rule next { when t: T(n < 3) then step(t.id) }
action step(id: string)`);
  const other = program.session({ actions: { step: () => undefined } });
  const idle = async (): Promise<void> => Promise.resolve();
  const visiting = async (id: string): Promise<void> => {
    other.assert("T", { id: `a${id}`, n: 1 });
    await idle();
    other.run();
    other.retract(`T~a${id}`);
  };
  const results = [];
  for (const step of [visiting, idle]) {
    const session = program.session({ actions: { step } });
    for (let n = 0; n < 5; n++) session.assert("T", { id: `t${n}`, n });
    const { fired } = await session.runAsync();
    results.push([fired, session.facts(), session.counters()]);
  }
  expect(results[0]).toEqual(results[1]);
  expect(other.size).toBe(0);
});

test("a node that is switched off in one session is on in the other", () => {
  const program = compile(
    `type T(#id: string, n: number) type U(#id: string) rule pairs { when t: T u: U then log(t.id, u.id) }`,
    { limits: { liveMatches: 50 } },
  );
  const [full, small] = [program.session(), program.session()];
  for (const session of [small, full]) session.assert("T", { id: "t", n: 1 });
  for (let n = 0; n < 60; n++) full.assert("U", { id: `u${n}` });
  small.assert("U", { id: "u" });
  expect(full.problems.map(({ code }) => code)).toEqual(["E511"]);
  expect(small.problems).toEqual([]);
  expect(small.run().count).toBe(1);
  small.assert("U", { id: "v" });
  expect(small.run().count).toBe(1);
});

test("a session that is dropped is collected, whatever it did", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const program = compile(JUDGING);
  const use = (): WeakRef<RuleSession> => {
    const session = program.session();
    session.assert("P", { id: "p1", city: 1 });
    session.assert("O", { num: "o1", buyer: "p1", total: 20 });
    session.update("O~o1", { total: 5 });
    session.matches("ask");
    session.run();
    session.reload(compile(`${JUDGING} rule more { when p: P then log(p.id) }`));
    return new WeakRef(session);
  };
  const dropped = Array.from({ length: 50 }, use);
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
  expect(dropped.filter((session) => session.deref() !== undefined)).toHaveLength(0);
});
