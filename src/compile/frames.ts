/** Compiles the expressions of nodes, and works out which slots they read. */
import type { Stopwatch } from "../base/stopwatch.ts";
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type { FactTest } from "../rete/alpha.ts";
import type { Access } from "../rete/dispatch.ts";
import type { Fact } from "../rete/fact.ts";
import type { MatchTest } from "../rete/filter.ts";
import type { PairTest } from "../rete/join.ts";
import { ANY_SLOT, type Reads } from "../rete/node.ts";
import type { KeyPart } from "../rete/table.ts";
import type { Match } from "../rete/match.ts";
import { planted } from "../rete/planted.ts";
import type { FactLookup } from "../rete/port.ts";
import { accessOf } from "./access.ts";
import { compileExpr, type Frame, type GateDesk, type Shapes } from "./expression.ts";
import type { PureFunction } from "./functions.ts";
import { readsOf, valuesOf } from "./levels.ts";
import type { PlanExpr } from "./plan.ts";
import { threwIn } from "./unclear.ts";

export class Frames {
  readonly shapes: Shapes;
  readonly functions: ReadonlyMap<string, PureFunction>;
  readonly facts: FactLookup;
  /** The rules whose expressions are being compiled. */
  rules: readonly string[] = [];
  /** What a function of the host threw last, in words; whoever evaluates a test clears it first. */
  threw: string | undefined = undefined;
  #failures = 0;
  readonly gates: GateDesk;
  /** Given where somebody asks how long functions of the host take. */
  stopwatch: Stopwatch | undefined = undefined;
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
    const failed: Frame["failed"] = (name, how) => {
      this.threw = `${name} ${how}`;
      this.#failures += 1;
    };
    const failures = (): number => this.#failures;
    return { matchLevel, factLevel, shapes, functions, facts, gates: this.gates, dividedByZero, failed, failures };
  }

  /** Over the fact at level 0. */
  factTest(test: PlanExpr): FactTest {
    const evaluate = compileExpr(test, this.at(-1, 0));
    return (fact) => evaluate(undefined, fact) === true;
  }

  /** How an alpha node can be found without asking it, if it can. */
  access(test: PlanExpr, type: string): Access | undefined {
    return accessOf(test, (field) => this.shapes.of(type).slot(field));
  }

  /** The parts of the key of a fact at a level. */
  factKey(fields: readonly PlanExpr[], level: number): KeyPart[] {
    return fields.map((field) => keyOf(field, this.at(-1, level)));
  }

  /** The parts of the key of a match of a level. */
  matchKey(values: readonly PlanExpr[], level: number): KeyPart[] {
    return values.map((value) => keyOf(value, this.at(level)));
  }

  /** True when all tests are; undefined when there is none. */
  pairTest(tests: readonly PlanExpr[], matchLevel: number, factLevel: number): PairTest | undefined {
    const frame = this.at(matchLevel, factLevel);
    const compiled = tests.map((test) => compileExpr(test, frame));
    const [only] = compiled;
    if (only === undefined) return undefined;
    if (compiled.length === 1) return only;
    return (match, fact) => {
      for (const test of compiled) if (test(match, fact) !== true) return false;
      return true;
    };
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

  /** Three-valued, with what a function of the host threw, here or in a question whose answer is used. */
  truthOf(test: PlanExpr | undefined, level: number): (match: Match) => { truth: Truth; threw: string | undefined } {
    if (test === undefined) return () => ({ truth: true, threw: undefined });
    const evaluate = compileExpr(test, this.at(level));
    const answers = [...valuesOf(test)];
    return (match) => {
      this.threw = undefined;
      const value = evaluate(match, undefined);
      if (typeof value === "boolean") return { truth: value, threw: this.threw };
      return { truth: undefined, threw: this.threw ?? threwIn(match, answers) };
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
function keyOf(expr: PlanExpr, frame: Frame): KeyPart {
  const evaluate = compileExpr(expr, frame);
  if (!planted("join-compares-as-text")) return evaluate;
  return (match, fact) => JSON.stringify(evaluate(match, fact))?.replaceAll('"', "");
}
