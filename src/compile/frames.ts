/** Compiles the expressions of nodes, and works out which slots they read. */
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type { FactKey, FactTest } from "../rete/alpha.ts";
import type { Access } from "../rete/dispatch.ts";
import type { Fact } from "../rete/fact.ts";
import type { MatchTest } from "../rete/filter.ts";
import type { PairTest } from "../rete/join.ts";
import { ANY_SLOT, type MatchKey, type Reads } from "../rete/node.ts";
import type { Match } from "../rete/match.ts";
import { planted } from "../rete/planted.ts";
import type { FactLookup } from "../rete/port.ts";
import { compileExpr, type Evaluate, type Frame, type GateDesk, type Shapes } from "./expression.ts";
import type { PureFunction } from "./functions.ts";
import { readsOf } from "./levels.ts";
import type { PlanExpr } from "./plan.ts";

export class Frames {
  readonly shapes: Shapes;
  readonly functions: ReadonlyMap<string, PureFunction>;
  readonly facts: FactLookup;
  /** The rules whose expressions are being compiled. */
  rules: readonly string[] = [];
  /** What a function of the host threw last, in words; whoever evaluates a test clears it first. */
  threw: string | undefined = undefined;
  readonly gates: GateDesk;
  readonly #warn: (rules: readonly string[], fact: Fact | undefined) => void;

  constructor(
    shapes: Shapes,
    functions: ReadonlyMap<string, PureFunction>,
    facts: FactLookup,
    gates: GateDesk,
    warn: (rules: readonly string[], fact: Fact | undefined) => void,
  ) {
    this.shapes = shapes;
    this.functions = functions;
    this.facts = facts;
    this.gates = gates;
    this.#warn = warn;
  }

  /** For expressions over a match of a level, and a fact beside it. */
  at(matchLevel: number, factLevel?: number): Frame {
    const { shapes, functions, facts, rules } = this;
    const warn = this.#warn;
    const dividedByZero: Frame["dividedByZero"] = (match, fact) => warn(rules, fact ?? nearestFact(match));
    const threw: Frame["threw"] = (name, error) => {
      this.threw = `${name} failed: ${error instanceof Error ? error.message : String(error)}`;
    };
    return { matchLevel, factLevel, shapes, functions, facts, gates: this.gates, dividedByZero, threw };
  }

  /** Over the fact at level 0. */
  factTest(test: PlanExpr): FactTest {
    const evaluate = compileExpr(test, this.at(-1, 0));
    return (fact) => evaluate(undefined, fact) === true;
  }

  /** How the test of an alpha node can be decided by one value, if it can. */
  access(test: PlanExpr, type: string): Access | undefined {
    if (test.op !== "compare" || test.left.op !== "field" || test.right.op !== "const") return undefined;
    const slot = this.shapes.of(type).slot(test.left.field);
    const { value } = test.right;
    if (test.by === "==" && value !== null && typeof value !== "object") return { kind: "equals", slot, value };
    if (typeof value !== "number") return undefined;
    if (test.by === ">" || test.by === ">=") return { kind: "above", slot, bound: value, inclusive: test.by === ">=" };
    if (test.by === "<" || test.by === "<=") return { kind: "below", slot, bound: value, inclusive: test.by === "<=" };
    return undefined;
  }

  /** Over the fact at a level. */
  factKey(fields: readonly PlanExpr[], level: number): FactKey {
    const frame = this.at(-1, level);
    const values = fields.map((field) => keyOf(field, frame));
    const [only] = values;
    if (only === undefined) return () => undefined;
    return values.length === 1
      ? (fact) => only(undefined, fact)
      : (fact) => values.map((value) => value(undefined, fact));
  }

  matchKey(values: readonly PlanExpr[], level: number): MatchKey {
    const frame = this.at(level);
    const compiled = values.map((value) => keyOf(value, frame));
    const [only] = compiled;
    if (only === undefined) return () => undefined;
    return compiled.length === 1
      ? (match) => only(match, undefined)
      : (match) => compiled.map((value) => value(match, undefined));
  }

  /** True when all tests are; undefined when there is none. */
  pairTest(tests: readonly PlanExpr[], matchLevel: number, factLevel: number): PairTest | undefined {
    const frame = this.at(matchLevel, factLevel);
    const compiled = tests.map((test) => compileExpr(test, frame));
    if (compiled.length === 0) return undefined;
    return (match, fact) => compiled.every((test) => test(match, fact) === true);
  }

  matchTest(test: PlanExpr, level: number): MatchTest {
    const evaluate = compileExpr(test, this.at(level));
    return (match) => evaluate(match, undefined) === true;
  }

  matchValue(value: PlanExpr | undefined, level: number): (match: Match) => Maybe {
    if (value === undefined) return () => undefined;
    const evaluate = compileExpr(value, this.at(level));
    return (match) => evaluate(match, undefined);
  }

  /** Three-valued, with what a function of the host threw. */
  truthOf(test: PlanExpr | undefined, level: number): (match: Match) => { truth: Truth; threw: string | undefined } {
    if (test === undefined) return () => ({ truth: true, threw: undefined });
    const evaluate = compileExpr(test, this.at(level));
    return (match) => {
      this.threw = undefined;
      const value = evaluate(match, undefined);
      return { truth: typeof value === "boolean" ? value : undefined, threw: this.threw };
    };
  }

  /** A value, with what a function of the host threw. */
  valueOf(expr: PlanExpr, level: number): (match: Match) => { value: Maybe; threw: string | undefined } {
    const evaluate = compileExpr(expr, this.at(level));
    return (match) => {
      this.threw = undefined;
      const value = evaluate(match, undefined);
      return { value, threw: this.threw };
    };
  }

  /** The slots that expressions read, by level. */
  reads(...exprs: readonly PlanExpr[]): Reads {
    const reads = new Map<number, Set<number>>();
    for (const { level, field, type } of exprs.flatMap(readsOf)) {
      const slot = type === undefined ? ANY_SLOT : this.shapes.of(type).slot(field);
      const slots = reads.get(level);
      if (slots === undefined) reads.set(level, new Set([slot]));
      else slots.add(slot);
    }
    return reads;
  }
}

function nearestFact(match: Match | undefined): Fact | undefined {
  let above = match;
  while (above !== undefined && above.fact === undefined) above = above.parent;
  return above?.fact;
}

/** The values of a key, for finding equal ones. */
function keyOf(expr: PlanExpr, frame: Frame): Evaluate {
  const evaluate = compileExpr(expr, frame);
  if (!planted("join-compares-as-text")) return evaluate;
  return (match, fact) => JSON.stringify(evaluate(match, fact))?.replaceAll('"', "");
}
