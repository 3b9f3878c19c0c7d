/**
 * Fail closed: random programs call functions of declared signatures over facts with missing and wrongly typed values. A
 * function is never called with an argument that is missing or of another type. The network, the naive matcher and the
 * explainer agree on every test, for functions that return, throw, or return a value of another type. The failures after some
 * changes are the failures in a new session with the same facts.
 */
import { expect, test, vi } from "vitest";
import { Assembly } from "../../src/assemble/assembly.ts";
import { evaluate } from "../../src/explain/read/evaluate.ts";
import { Chosen } from "../../src/explain/read/chosen.ts";
import { World } from "../../src/explain/read/world.ts";
import {
  compile,
  type CompileOptions,
  type FactView,
  type Program,
  type RuleSession,
  SeededRandom,
} from "../../src/index.ts";
import type * as ast from "../../src/language/ast.ts";
import { naiveMatches } from "../../src/prove/naive.ts";
import { PATIENT, runs } from "../support/cases.ts";

type Signatures = NonNullable<CompileOptions["functions"]>;
type Signature = Signatures[string];

const need = (type: Signature["params"][number]["type"]) => ({ name: "x", type, optional: false });
const may = (type: Signature["params"][number]["type"]) => ({ name: "y", type, optional: true });
const S = { kind: "string" } as const;
const N = { kind: "number" } as const;
const B = { kind: "bool" } as const;
const A = { kind: "any" } as const;

/** By what they return. */
const functions = {
  sb: { params: [need(S)], result: B },
  nb: { params: [need(N), may(S)], result: B },
  ab: { params: [need(A)], result: { ...B, optional: true } },
  lb: { params: [need({ kind: "list", item: S })], result: B },
  ub: { params: [need({ kind: "union", options: ["a", "b"] })], result: B },
  rb: { params: [need(S)], repeats: true, result: B },
  sn: { params: [need(S)], result: N },
  an: { params: [may(A), may(B)], result: { ...N, optional: true } },
  ns: { params: [need(N)], result: S },
} as const satisfies Signatures;

const VALUES: readonly unknown[] = [
  undefined,
  "a",
  "b",
  "c",
  "",
  0,
  1,
  -1,
  2,
  true,
  false,
  ["a"],
  ["a", 1],
  [],
  { z: 1 },
];
/** What a function does, by what it is called with: the same arguments, the same answer. */
const ANSWERS: readonly unknown[] = [true, false, 0, 1, 5, "a", "b", undefined, null, Number.NaN, ["a"], "throw"];

class Writer {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  pick<One>(list: readonly One[]): One {
    const [picked] = list.slice(this.below(list.length)).entries();
    if (picked === undefined) throw new Error("there is nothing to pick from");
    return picked[1];
  }

  fields(): Record<string, unknown> {
    const fields = ["x", "y", "z"].map((name) => [name, this.pick(VALUES)]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
  }

  test(depth: number, of: string): string {
    if (depth > 0) {
      const inner = (): string => this.test(depth - 1, of);
      switch (this.below(8)) {
        case 0:
          return `not (${inner()})`;
        case 1:
          return `(${inner()}) and (${inner()})`;
        case 2:
          return `(${inner()}) or (${inner()})`;
        case 3:
          return `coalesce(${this.call("b", depth, of)}, ${this.pick(["true", "false"])})`;
        case 4:
          return `${this.call(this.pick(["b", "n", "s"]), depth, of)} is ${this.pick(["missing", "present"])}`;
        case 5:
          if (of === "p") return `EXISTS(e: E / e.k == p.k AND ${this.test(depth - 1, "e")})`;
          break;
        case 6:
          if (of === "p") return `SUM(e: E / e.k == p.k ; ${this.number(1, "e")}) ${this.pick(["<", ">="])} 2`;
          break;
        default:
      }
    }
    switch (this.below(4)) {
      case 0:
        return `${this.number(depth, of)} ${this.pick(["<", ">=", "=="])} ${this.below(3)}`;
      case 1:
        return `${this.call("s", depth, of)} == ${this.pick(['"a"', `${of}.x`])}`;
      default:
        return this.call("b", depth, of);
    }
  }

  number(depth: number, of: string): string {
    const call = this.call("n", depth, of);
    return this.below(3) === 0 ? `coalesce(${call}, 1)` : call;
  }

  call(result: string, depth: number, of: string): string {
    const name = this.pick(Object.keys(functions).filter((one) => one.endsWith(result))) as keyof typeof functions;
    const { params, repeats = false }: Signature = functions[name];
    const count = repeats ? 1 + this.below(3) : params.length - this.below(1 + params.filter((p) => p.optional).length);
    const args = Array.from({ length: count }, (_, index) =>
      this.#argument(params[index]?.type.kind ?? "string", depth, of),
    );
    return `${name}(${args.join(", ")})`;
  }

  #argument(kind: string, depth: number, of: string): string {
    const inner = { string: "s", number: "n", bool: "b", any: this.pick(["b", "n", "s"]) }[kind];
    if (inner !== undefined && depth > 0 && this.below(5) === 0) return `(${this.call(inner, depth - 1, of)})`;
    return `${of}.${this.pick(["x", "y", "z"])}`;
  }
}

function written(writer: Writer): Program {
  const asked = writer.test(2, "p");
  const source = `type P(k: number, x: any?, y: any?, z: any?)
    type E(k: number, x: any?, y: any?, z: any?)
    rule q { when p: P where ${asked} then log(p.k) }
    rule alpha { when p: P(k == 0, ${asked}) then log(p.k) }
    rule joined { when o: E p: P(k == o.k, ${asked}) then log(p.k) }
    gate "g" for p: P { require ${asked} }`;
  return compile(source, { functions });
}

function isOf(value: unknown, { kind, ...more }: Signature["params"][number]["type"]): boolean {
  if (kind === "any") return value !== undefined && value !== null;
  if (kind === "bool") return typeof value === "boolean";
  if (kind === "list") return Array.isArray(value) && value.every((item) => typeof item === "string");
  if (kind === "union") return typeof value === "string" && "options" in more && more.options.includes(value);
  return typeof value === kind;
}

/** What a function may not be called with is noted: what it threw would be caught. */
function noteWrong(name: keyof typeof functions, args: readonly unknown[]): void {
  const { params }: Signature = functions[name];
  for (const [index, arg] of args.entries()) {
    const param = params[index] ?? params.at(-1);
    const fits = arg === undefined ? param?.optional : param !== undefined && isOf(arg, param.type);
    if (!fits) wrongCalls.push(`${name}(${JSON.stringify(args)})`);
  }
}

const CASES = 1000;
let calls = 0;
const wrongCalls: string[] = [];

function answering(seed: number): Record<string, (...args: unknown[]) => unknown> {
  const names = Object.keys(functions) as (keyof typeof functions)[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]): unknown => {
        calls += 1;
        noteWrong(name, args);
        let sum = seed;
        for (const unit of `${name} ${JSON.stringify(args)}`) sum = (sum * 31 + unit.charCodeAt(0)) % 65_521;
        const usual = { b: [true, false], n: [0, 1, 5], s: ["a", "b"] }[name.at(-1) as "b" | "n" | "s"];
        const answer = sum % 3 === 0 ? ANSWERS[sum % ANSWERS.length] : usual[sum % usual.length];
        if (answer === "throw") throw new Error("no answer");
        return answer;
      },
    ]),
  );
}

const applied = vi.spyOn(Assembly.prototype, "apply");

interface Failed {
  readonly doubts: readonly string[];
  readonly problems: readonly string[];
}

/** A session, and a way to see what failed in it: the rules in doubt, and how often each function failed in which rules. */
function opened(
  program: Program,
  options: Parameters<Program["session"]>[0],
): { session: RuleSession; failed: () => Failed } {
  applied.mockClear();
  const session = program.session(options);
  const [assembly] = applied.mock.contexts as Assembly[];
  const failed = (): Failed => {
    const problems = assembly?.failures.problems() ?? [];
    return {
      doubts: (assembly?.failures.doubts() ?? []).map(({ rule }) => rule).sort(),
      problems: problems.map(({ rules, function: name, how, more }) => [...rules, name, how, more].join(" ")).sort(),
    };
  };
  return { session, failed };
}

/** What the rule `q` tests. */
function testOf(program: Program): ast.Expr {
  const { body } = program.checked.symbols.rules.get("q")?.decl ?? {};
  const where = body?.kind === "block" ? body.elements.find((element) => element.kind === "where") : undefined;
  if (where?.kind !== "where") throw new Error("q has a test");
  return where.test;
}

test(
  "functions are called with what they take, and network, naive matcher and explainer agree",
  () => {
    let matched = 0;
    let unknown = 0;
    let failing = 0;
    for (let seed = 1; seed <= runs(CASES); seed++) {
      const writer = new Writer(seed);
      const program = written(writer);
      const host = answering(seed);
      const { session, failed } = opened(program, { functions: host as never });
      for (let n = 0; n < 4; n++)
        session.assert(writer.pick(["P", "P", "E"]), { k: writer.below(2), ...writer.fields() });
      for (let step = 0; step < 4; step++) {
        const facts = session.facts();
        const naive = naiveMatches(
          program.checked,
          facts.map((fact, order) => ({ ...fact, order })),
          { functions: new Map(Object.entries(host)) },
        );
        for (const rule of ["q", "alpha", "joined"]) {
          expect(session.matches(rule).length, `${seed} ${rule}`).toBe(naive.get(rule)?.length);
        }
        const found = new Set(session.matches("q").map(({ bindings }) => (bindings["p"] as FactView).id));
        const world = World.of(
          { program: program.checked, functions: new Map(Object.entries(host)) as never, namedFacts: new Map() },
          { facts: (type) => session.facts(type), fact: (id) => session.fact(id) },
        );
        for (const fact of session.facts("P")) {
          const chosen = Chosen.nothing.with(undefined, "p", { fact });
          const truth = evaluate(testOf(program), { world, chosen, ownFact: undefined });
          expect(truth === true, `${seed} ${fact.id}`).toBe(found.has(fact.id));
          if (truth === true) matched += 1;
          if (truth === undefined) unknown += 1;
        }
        session.gates("g");
        const again = opened(program, { functions: host as never, from: session.snapshot() });
        again.session.gates("g");
        expect(failed(), `${seed} ${step}`).toEqual(again.failed());
        if (failed().doubts.length > 0) failing += 1;
        expect(wrongCalls).toEqual([]);
        const some = writer.pick(facts);
        if (writer.below(3) === 0) session.retract(some.id);
        else session.update(some.id, { [writer.pick(["x", "y", "z"])]: writer.pick(VALUES) ?? null });
      }
    }
    expect(calls).toBeGreaterThan(runs(CASES));
    expect(matched).toBeGreaterThan(runs(CASES) / 4);
    expect(unknown).toBeGreaterThan(runs(CASES) / 4);
    expect(failing).toBeGreaterThan(runs(CASES) / 4);
  },
  PATIENT,
);

test(
  "a rule that is not in doubt has the matches that it would have if no call had ever failed",
  () => {
    let failing = 0;
    for (let seed = 1; seed <= runs(CASES); seed++) {
      const writer = new Writer(seed);
      const program = written(writer);
      const host = answering(seed);
      let down = false;
      const flaky = Object.fromEntries(
        Object.entries(host).map(([name, call]) => [
          name,
          (...args: unknown[]): unknown => {
            if (down) throw new Error("down");
            return call(...args);
          },
        ]),
      );
      const { session, failed } = opened(program, { functions: flaky as never });
      for (let step = 0; step < 8; step++) {
        down = writer.below(2) === 0;
        const facts = session.facts();
        const some = facts.length === 0 ? undefined : writer.pick(facts);
        if (some === undefined || step < 3 || writer.below(3) === 0) {
          session.assert(writer.pick(["P", "P", "E"]), { k: writer.below(2), ...writer.fields() });
        } else if (writer.below(4) === 0) session.retract(some.id);
        else session.update(some.id, { [writer.pick(["x", "y", "z", "k"])]: writer.below(2) });
        down = false;
        const { doubts } = failed();
        if (doubts.length > 0) failing += 1;
        const fresh = program.session({ functions: host as never, from: session.snapshot() });
        for (const rule of ["q", "alpha", "joined"].filter((name) => !doubts.includes(name))) {
          expect(idsOf(session, rule), `${seed} ${step} ${rule}`).toEqual(idsOf(fresh, rule));
        }
      }
      for (const { id } of session.facts()) session.retract(id);
      expect(session.counters()).toMatchObject({ matches: 0, indexEntries: 0, waiting: 0 });
      expect(failed()).toEqual({ doubts: [], problems: [] });
    }
    expect(failing).toBeGreaterThan(runs(CASES) / 4);
  },
  PATIENT,
);

function idsOf(session: RuleSession, rule: string): string[] {
  return session
    .matches(rule)
    .map(({ bindings }) => JSON.stringify(bindings))
    .sort();
}
