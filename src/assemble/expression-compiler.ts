/** Compiles the expressions of nodes, and works out which slots they read. */
import { must } from "../base/invariant.ts";
import type { Stopwatch } from "../base/stopwatch.ts";
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type { FactTest } from "../rete/alpha.ts";
import type { Access } from "../rete/dispatch.ts";
import type { Fact } from "../rete/fact.ts";
import {
  type FailedCall,
  type FailureLog,
  type Failures,
  type FailureSite,
  failureSite,
  FunctionFailure,
  type TestReads,
} from "../rete/failures.ts";
import type { MatchTest } from "../rete/filter.ts";
import type { PairTest } from "../rete/join.ts";
import { ANY_SLOT, type Reads, type Slots } from "../rete/node.ts";
import type { KeyPart } from "../rete/table.ts";
import type { Match } from "../rete/match.ts";
import type { FactLookup } from "../rete/port.ts";
import { accessOf } from "./access.ts";
import { compileExpr, type Evaluate, type Scope, type GateQueries, type Shapes } from "./expression.ts";
import type { PureFunction } from "../functions/built-in.ts";
import { FUNCTIONS } from "../functions/functions.ts";
import { calledIn, callsIn, readsOf, uses, valuesOf } from "../plan/read/levels.ts";
import type { PlanExpr } from "../plan/plan.ts";
import { failureIn } from "./unknown-reasons.ts";

/** A frame that knows what failed in it. */
export interface WatchedScope extends Scope {
  /** Hears that an expression of the frame is evaluated, where it calls functions. */
  readonly begin: (match: Match | undefined, fact: Fact | undefined) => void;
  /** Whether a failure is known of, as of the last time it was evaluated. */
  readonly hasFailed: (match: Match | undefined, fact: Fact | undefined) => boolean;
  /** Hears that its value is known, whatever failed in it. */
  readonly known: (match: Match | undefined, fact: Fact | undefined) => void;
  /** What failed last. */
  readonly failure: () => FunctionFailure;
}

export class ExpressionCompiler {
  readonly shapes: Shapes;
  readonly functions: ReadonlyMap<string, PureFunction>;
  readonly facts: FactLookup;
  /** What is being compiled: a node, or the actions of a rule. */
  site: FailureSite = failureSite([], false);
  /** What a function of the host threw last, in words; whoever evaluates a test clears it first. */
  threw: string | undefined = undefined;
  #failures = 0;
  readonly gates: GateQueries;
  /** Given where somebody asks how long functions of the host take. */
  stopwatch: Stopwatch | undefined = undefined;
  readonly #warn: (rules: readonly string[], fact: Fact | undefined) => void;
  readonly #log: Failures;

  constructor(
    shapes: Shapes,
    functions: ReadonlyMap<string, PureFunction>,
    facts: FactLookup,
    gates: GateQueries,
    warn: (rules: readonly string[], fact: Fact | undefined) => void,
    log: Failures,
  ) {
    this.shapes = shapes;
    this.functions = functions;
    this.facts = facts;
    this.gates = gates;
    this.#warn = warn;
    this.#log = log;
  }

  /** For expressions over a match of a level, and a fact beside it; `read` is what else decides whether they apply. */
  at(exprs: readonly PlanExpr[], matchLevel: number, factLevel?: number, read: readonly PlanExpr[] = []): WatchedScope {
    const { shapes, functions, facts, gates, site } = this;
    const warn = this.#warn;
    const dividedByZero: Scope["dividedByZero"] = (match, fact) => warn(site.rules, fact ?? nearestFact(match));
    const failing = exprs.some(callsIn) ? this.#failing([...exprs, ...read], factLevel) : NO_CALLS;
    return { matchLevel, factLevel, shapes, functions, facts, gates, dividedByZero, ...failing };
  }

  #failing(exprs: readonly PlanExpr[], factLevel: number | undefined): Failing {
    const { site } = this;
    site.calls = true;
    const readNow = (): TestReads => ({
      factLevel,
      reads: this.reads(...exprs),
      values: exprs.flatMap((expr) => [...valuesOf(expr)]),
    });
    let own: FailureLog | undefined;
    const log = (): FailureLog | undefined => own ?? site.log;
    let last: FailedCall | undefined;
    return {
      failed: (call, match, fact) => {
        this.threw = `${call.function} ${call.how}`;
        this.#failures += 1;
        last = call;
        const kept = site.actions
          ? (site.log ??= this.#log.log(site, () => NO_READS))
          : (own ??= this.#log.log(site, readNow));
        kept.add(call, match, fact);
      },
      failures: () => this.#failures,
      lacks: (call) => this.#log.heard(site.rules, call),
      begin: (match, fact) => log()?.begin(match, fact),
      hasFailed: (match, fact) => log()?.has(match, fact) === true,
      known: (match, fact) => log()?.known(match, fact),
      failure: () => new FunctionFailure(must(last, "something failed")),
    };
  }

  /** The value of an expression. One that calls functions says when it is evaluated again. */
  evaluated(expr: PlanExpr, matchLevel: number, factLevel?: number): Evaluate {
    return observed(expr, this.at([expr], matchLevel, factLevel));
  }

  /** Over the fact at level 0. */
  factTest(test: PlanExpr): FactTest {
    const scope = this.at([test], -1, 0);
    const evaluate = observed(test, scope);
    if (!this.#callsHost(test)) return (fact) => evaluate(undefined, fact) === true;
    return remembering(evaluate, this.reads(test).get(0) ?? new Set(), scope);
  }

  #callsHost(test: PlanExpr): boolean {
    return [...calledIn(test)].some((name) => this.functions.has(name) || !FUNCTIONS.has(name));
  }

  /** How an alpha node can be found without asking it, if it can. */
  access(test: PlanExpr, type: string): Access | undefined {
    return accessOf(test, (field) => this.shapes.of(type).slot(field));
  }

  /** The parts of the key of a fact at a level. */
  factKey(fields: readonly PlanExpr[], level: number): KeyPart[] {
    return fields.map((field) => this.evaluated(field, -1, level));
  }

  /** The parts of the key of a match of a level. */
  matchKey(values: readonly PlanExpr[], level: number): KeyPart[] {
    return values.map((value) => this.evaluated(value, level));
  }

  /** True when all tests are; undefined when there is none. `read` decides which pairs are tested. */
  pairTest(
    tests: readonly PlanExpr[],
    read: readonly PlanExpr[],
    matchLevel: number,
    factLevel: number,
  ): PairTest | undefined {
    const [first, second] = tests;
    if (first === undefined) return undefined;
    const scope = this.at(tests, matchLevel, factLevel, read);
    if (tests.some(callsIn)) return observed({ op: "and", items: tests }, scope);
    if (second === undefined) return compileExpr(first, scope);
    const compiled = tests.map((test) => compileExpr(test, scope));
    return (match, fact) => {
      for (const test of compiled) if (test(match, fact) !== true) return false;
      return true;
    };
  }

  matchTest(test: PlanExpr, level: number): MatchTest {
    const evaluate = this.evaluated(test, level);
    return (match) => evaluate(match, undefined) === true;
  }

  matchValue(value: PlanExpr | undefined, level: number): (match: Match) => Maybe {
    if (value === undefined) return () => undefined;
    const evaluate = this.evaluated(value, level);
    return (match) => evaluate(match, undefined);
  }

  /** Three-valued, with what a function of the host threw, here or in a question whose answer is used. */
  truthOf(test: PlanExpr | undefined, level: number): (match: Match) => { truth: Truth; threw: string | undefined } {
    if (test === undefined) return () => ({ truth: true, threw: undefined });
    const evaluate = this.evaluated(test, level);
    const answers = [...valuesOf(test)];
    return (match) => {
      this.threw = undefined;
      const value = evaluate(match, undefined);
      if (typeof value === "boolean") return { truth: value, threw: this.threw };
      return { truth: undefined, threw: this.threw ?? failureIn(match, answers) };
    };
  }

  /** A value, with what a function of the host threw. */
  valueOf(expr: PlanExpr, level: number): (match: Match) => { value: Maybe; threw: string | undefined } {
    const evaluate = this.evaluated(expr, level);
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

/** Actions are tried again as a whole, whatever they read. */
const NO_READS: TestReads = { factLevel: undefined, reads: new Map(), values: [] };

type Failing = Pick<WatchedScope, "failed" | "failures" | "lacks" | "begin" | "hasFailed" | "known" | "failure">;

/** For expressions that call no functions. */
const NO_CALLS: Failing = {
  failed: () => undefined,
  failures: () => 0,
  begin: () => undefined,
  hasFailed: () => false,
  known: () => undefined,
  failure: () => {
    throw new Error("an expression without calls does not fail");
  },
};

/** An expression that calls functions says when it is evaluated, and whether its value is known. */
function observed(expr: PlanExpr, scope: WatchedScope): Evaluate {
  const evaluate = compileExpr(expr, scope);
  if (!callsIn(expr)) return evaluate;
  const tells = !uses(expr, "nottrue"); // which is true of what is unknown
  return (match, fact) => {
    scope.begin(match, fact);
    const value = evaluate(match, fact);
    if (tells && value !== undefined) scope.known(match, fact);
    return value;
  };
}

/**
 * A fact passes or not as it did when it was tested, as long as the slots that are read hold the same: an update asks which
 * nodes the fact has passed, and a function of the host that was down may be up again. It is called once for each change. What
 * failed is tested again when the failure is no longer known of.
 */
function remembering(evaluate: Evaluate, slots: Slots, scope: WatchedScope): FactTest {
  const answers = new WeakMap<Fact, Answer>();
  const read = slots.has(ANY_SLOT) ? undefined : [...slots];
  const seenOf = ({ values }: Fact): Maybe[] => (read === undefined ? [...values] : read.map((slot) => values[slot]));
  return (fact) => {
    const answer = answers.get(fact);
    const seen = seenOf(fact);
    if (answer !== undefined && isSame(answer.seen, seen) && (!answer.failed || scope.hasFailed(undefined, fact))) {
      return answer.passed;
    }
    const before = scope.failures();
    const passed = evaluate(undefined, fact) === true;
    answers.set(fact, { seen, passed, failed: scope.failures() !== before });
    return passed;
  };
}

/** What a test said of a fact. */
interface Answer {
  readonly seen: readonly Maybe[];
  readonly passed: boolean;
  readonly failed: boolean;
}

function isSame(a: readonly Maybe[], b: readonly Maybe[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

function nearestFact(match: Match | undefined): Fact | undefined {
  let above = match;
  while (above !== undefined && above.fact === undefined) above = above.parent;
  return above?.fact;
}
