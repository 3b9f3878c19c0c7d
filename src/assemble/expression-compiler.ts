/** Compiles the expressions of nodes, and works out which slots they read. */
import { must } from "../base/invariant.ts";
import type { Regex } from "../base/regex.ts";
import type { Stopwatch } from "../base/stopwatch.ts";
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type { AlphaNode, FactTest } from "../rete/alpha.ts";
import type { Access } from "../rete/dispatch.ts";
import type { Fact } from "../rete/fact.ts";
import {
  type FailedCall,
  type FailureLog,
  type Failures,
  type FailureSite,
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
import {
  compileExpr,
  type Evaluate,
  type Scope,
  type GateQueries,
  type Shapes,
  type ShownDecision,
} from "./expression.ts";
import type { PureFunction } from "../functions/built-in.ts";
import { FUNCTIONS } from "../functions/functions.ts";
import { calledIn, callsIn, readsOf, uses, valuesOf } from "../plan/read/levels.ts";
import type { PlanExpr } from "../plan/plan.ts";
import { failureIn } from "./unknown-reasons.ts";

/** What the expressions of a session have in common. */
export interface ExpressionContext {
  readonly shapes: Shapes;
  readonly functions: ReadonlyMap<string, PureFunction>;
  readonly regex: Regex | undefined;
  readonly facts: FactLookup;
  readonly gates: GateQueries;
  /** Hears of the rules in which something was divided by zero, and of a fact of the match. */
  readonly dividedByZero: (rules: readonly string[], fact: Fact | undefined) => void;
  /** Where failures are kept with what they were tested for. */
  readonly failures: Failures;
  readonly failedCalls: FailedCalls;
  /** Measures how long functions of the host take; undefined when nobody asks. */
  readonly stopwatch: Stopwatch | undefined;
}

/** Counts the calls of functions that fail, so that whoever evaluates an expression can see that one failed meanwhile. */
export class FailedCalls {
  #count = 0;
  #last: FailedCall | undefined = undefined;

  /** The number of calls that failed so far: two counts that differ mean that a call failed in between. */
  get count(): number {
    return this.#count;
  }

  /** Counts a call that failed. */
  add(call: FailedCall): void {
    this.#count += 1;
    this.#last = call;
  }

  /** Returns what happened to the last call that failed, in words; undefined when none failed since the count. */
  since(count: number): string | undefined {
    if (this.#count === count || this.#last === undefined) return undefined;
    return `${this.#last.function} ${this.#last.how}`;
  }
}

/** A scope that knows what failed in it. */
export interface WatchedScope extends Scope {
  /** Hears that an expression of the scope is evaluated, where it calls functions. */
  readonly begin: (match: Match | undefined, fact: Fact | undefined) => void;
  /** Returns whether a failure is known of, as of the last time it was evaluated. */
  readonly hasFailed: (match: Match | undefined, fact: Fact | undefined) => boolean;
  /** Hears that its value is known, whatever failed in it. */
  readonly known: (match: Match | undefined, fact: Fact | undefined) => void;
  /** Returns what failed last. */
  readonly failure: () => FunctionFailure;
}

/** Compiles the expressions of one node, or of the actions of one rule. */
export class ExpressionCompiler {
  readonly #context: ExpressionContext;
  readonly #site: FailureSite;
  /** The decision that the expressions see; set while an `after` of a pipeline is tested. */
  readonly shown: ShownDecision = { current: undefined };

  constructor(context: ExpressionContext, site: FailureSite) {
    this.#context = context;
    this.#site = site;
  }

  get facts(): FactLookup {
    return this.#context.facts;
  }

  get stopwatch(): Stopwatch | undefined {
    return this.#context.stopwatch;
  }

  /** Notes which alpha node the tested facts have passed, and, of an alpha node, that its own test is compiled. */
  noteAlpha(above: AlphaNode, node?: AlphaNode): void {
    this.#site.alpha = above;
    if (node !== undefined && this.#site.calls) this.#context.failures.calls(node);
  }

  /**
   * Returns the scope of expressions over a match of a level, and a fact beside it. `read` are expressions that decide
   * whether they apply.
   */
  at(exprs: readonly PlanExpr[], matchLevel: number, factLevel?: number, read: readonly PlanExpr[] = []): WatchedScope {
    const { shapes, functions, regex, facts, gates, dividedByZero: warn } = this.#context;
    const site = this.#site;
    const dividedByZero: Scope["dividedByZero"] = (match, fact) => warn(site.rules, fact ?? nearestFact(match));
    const failing = exprs.some(callsIn) ? this.#failing([...exprs, ...read], factLevel) : NO_CALLS;
    const { shown } = this;
    return { matchLevel, factLevel, shapes, functions, regex, facts, gates, shown, dividedByZero, ...failing };
  }

  #failing(exprs: readonly PlanExpr[], factLevel: number | undefined): Failing {
    const site = this.#site;
    const { failures, failedCalls } = this.#context;
    site.calls = true;
    const readNow = (): TestReads => ({
      factLevel,
      reads: this.reads(...exprs),
      values: exprs.flatMap((expr) => [...valuesOf(expr)]),
    });
    let testLog: FailureLog | undefined;
    const log = (): FailureLog | undefined => testLog ?? site.log;
    let last: FailedCall | undefined;
    return {
      failed: (call, match, fact) => {
        failedCalls.add(call);
        last = call;
        const kept = site.actions
          ? (site.log ??= failures.log(site, () => NO_READS))
          : (testLog ??= failures.log(site, readNow));
        kept.add(call, match, fact);
      },
      failures: () => failedCalls.count,
      lacks: (call) => failures.heard(site.rules, call),
      begin: (match, fact) => log()?.begin(match, fact),
      hasFailed: (match, fact) => log()?.has(match, fact) === true,
      known: (match, fact) => log()?.known(match, fact),
      failure: () => new FunctionFailure(must(last, "something failed")),
    };
  }

  /** Returns the value of an expression. One that calls functions says when it is evaluated again. */
  evaluated(expr: PlanExpr, matchLevel: number, factLevel?: number): Evaluate {
    return observed(expr, this.at([expr], matchLevel, factLevel));
  }

  /** Returns a test of the fact at level 0. */
  factTest(test: PlanExpr): FactTest {
    const scope = this.at([test], -1, 0);
    const evaluate = observed(test, scope);
    if (!this.#callsHost(test)) return (fact) => evaluate(undefined, fact) === true;
    return remembering(evaluate, this.reads(test).get(0) ?? new Set(), scope);
  }

  #callsHost(test: PlanExpr): boolean {
    return [...calledIn(test)].some((name) => this.#context.functions.has(name) || !FUNCTIONS.has(name));
  }

  /** Returns how an alpha node can be found by the value of a field; undefined when it must be asked. */
  access(test: PlanExpr, type: string): Access | undefined {
    return accessOf(test, (field) => this.#context.shapes.of(type).slot(field));
  }

  /** Returns the parts of the key of a fact at a level. */
  factKey(fields: readonly PlanExpr[], level: number): KeyPart[] {
    return fields.map((field) => this.evaluated(field, -1, level));
  }

  /** Returns the parts of the key of a match of a level. */
  matchKey(values: readonly PlanExpr[], level: number): KeyPart[] {
    return values.map((value) => this.evaluated(value, level));
  }

  /** Returns a test that is true when all tests are; undefined when there is none. `read` decides which pairs are tested. */
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

  /** Returns whether a test is true of a match of a level. */
  matchTest(test: PlanExpr, level: number): MatchTest {
    const evaluate = this.evaluated(test, level);
    return (match) => evaluate(match, undefined) === true;
  }

  /** Returns the value of an expression for a match of a level. */
  matchValue(value: PlanExpr | undefined, level: number): (match: Match) => Maybe {
    if (value === undefined) return () => undefined;
    const evaluate = this.evaluated(value, level);
    return (match) => evaluate(match, undefined);
  }

  /**
   * Returns the value of an expression that decides nothing, such as one in a sentence: a function that fails in it makes the
   * value unknown, and is no problem of the session.
   */
  quietValue(value: PlanExpr, level: number): (match: Match) => Maybe {
    let failures = 0;
    const failed = (): undefined => void (failures += 1);
    const evaluate = compileExpr(value, { ...this.at([], level), failed, failures: () => failures });
    return (match) => evaluate(match, undefined);
  }

  /** Returns a three-valued test, with what a function of the host threw, here or in a subquery whose value is used. */
  truthOf(test: PlanExpr | undefined, level: number): (match: Match) => { truth: Truth; threw: string | undefined } {
    if (test === undefined) return () => ({ truth: true, threw: undefined });
    const evaluate = this.evaluated(test, level);
    const answers = [...valuesOf(test)];
    const { failedCalls } = this.#context;
    return (match) => {
      const before = failedCalls.count;
      const value = evaluate(match, undefined);
      const threw = failedCalls.since(before);
      if (typeof value === "boolean") return { truth: value, threw };
      return { truth: undefined, threw: threw ?? failureIn(match, answers) };
    };
  }

  /** Returns a value, with what a function of the host threw. */
  valueOf(expr: PlanExpr, level: number): (match: Match) => { value: Maybe; threw: string | undefined } {
    const evaluate = this.evaluated(expr, level);
    const { failedCalls } = this.#context;
    return (match) => {
      const before = failedCalls.count;
      const value = evaluate(match, undefined);
      return { value, threw: failedCalls.since(before) };
    };
  }

  /** Returns the slots that expressions read, by level. */
  reads(...exprs: readonly PlanExpr[]): Reads {
    const reads = new Map<number, Set<number>>();
    for (const { level, field, type } of exprs.flatMap(readsOf)) {
      const slot = type === undefined ? ANY_SLOT : this.#context.shapes.of(type).slot(field);
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

/** What the scope of expressions without calls does: nothing fails in it. */
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

/** Compiles an expression that, where it calls functions, says when it is evaluated and whether its value is known. */
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
 * Returns a test that remembers its result for a fact as long as the slots that it reads hold the same: an update asks which
 * nodes the fact has passed, and a function of the host that was down may be up again. So the function is called once for each
 * change. What failed is tested again when the failure is no longer known of.
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
