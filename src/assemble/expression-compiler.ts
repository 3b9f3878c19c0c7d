/** Compiles the expressions of nodes, and works out which slots they read. */
import { LateMap } from "../base/late.ts";
import { must } from "../base/invariant.ts";
import type { Regex } from "../base/regex.ts";
import type { Stopwatch } from "../base/stopwatch.ts";
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type { AlphaNode, FactTest } from "../rete/alpha.ts";
import type { Access } from "../rete/dispatch.ts";
import type { Fact } from "../rete/fact.ts";
import { type FailedCall, type Failures, type FailureSite, FunctionFailure, type TestReads } from "../rete/failures.ts";
import type { MatchTest } from "../rete/filter.ts";
import type { PairTest } from "../rete/join.ts";
import { ANY_SLOT, type Reads, type Slots } from "../rete/node.ts";
import type { KeyPart } from "../rete/table.ts";
import type { Match } from "../rete/match.ts";
import { siteOf } from "../rete/site.ts";
import { type DecisionTable, isIncomplete } from "../tables/decide.ts";
import { accessOf } from "./access.ts";
import { compileExpr } from "./expression.ts";
import type { Evaluate, EvaluationSite, Scope, ShownDecision, Slots as SlotsByType } from "./scope.ts";
import { calledFunction } from "../functions/functions.ts";
import { calledIn, callsIn, readsOf, uses, valuesOf } from "../plan/read/levels.ts";
import type { PlanExpr } from "../plan/plan.ts";
import { failureIn } from "./unknown-reasons.ts";

/** What the expressions of a program have in common. */
export interface ExpressionContext {
  readonly shapes: SlotsByType;
  /** Knows the functions of the host that are meant although a built-in one has their name. */
  readonly functions: Pick<ReadonlyMap<string, unknown>, "has">;
  /** Compiles the patterns of `matches`; undefined when no test of the program needs it. */
  readonly regex: Regex | undefined;
  /** Returns a decision table of the program. */
  readonly table: (key: string) => DecisionTable;
  /** Hears where a function of the host is called. */
  readonly calls: (name: string, site: FailureSite) => void;
}

/** What the expressions of a program find in each of its sessions. */
export interface SessionSite extends EvaluationSite {
  /** Hears of the rules in which something was divided by zero, and of a fact of the match. */
  readonly dividedByZero: (rules: readonly string[], fact: Fact | undefined) => void;
  /** Hears of the rules in which strings were too long to be joined. */
  readonly tooLong: (rules: readonly string[]) => void;
  /** Where failures are kept with what they were tested for. */
  readonly failures: Failures;
  readonly failedCalls: FailedCalls;
  /** Measures how long functions of the host take; undefined when nobody asks. */
  readonly stopwatch: Stopwatch | undefined;
}

function sessionOf(match: Match | undefined, fact: Fact | undefined): SessionSite {
  return siteOf(match, fact) as SessionSite;
}

/** Counts the calls of functions that fail, so that whoever evaluates an expression can see that one failed meanwhile. */
export class FailedCalls {
  /** The number of calls that failed in sentences, where a failure is no problem of the session. */
  quiet = 0;
  #count = 0;
  #last: FailedCall | undefined = undefined;
  readonly #answers = new LateMap<FailureSite, WeakMap<Fact, Answer>>();

  /** The number of calls that failed so far: two counts that differ mean that a call failed in between. */
  get count(): number {
    return this.#count;
  }

  /** The last call that failed. */
  get last(): FailedCall | undefined {
    return this.#last;
  }

  /** Counts a call that failed. */
  add(call: FailedCall): void {
    this.#count += 1;
    this.#last = call;
  }

  /** Returns what the test of an alpha node said of facts, for tests that call functions of the host. */
  answersAt(site: FailureSite): WeakMap<Fact, Answer> {
    let answers = this.#answers.get(site);
    if (answers === undefined) this.#answers.set(site, (answers = new WeakMap()));
    return answers;
  }

  /** Keeps what the test of a node said when the node is another object in a new program; forgets it when there is none. */
  moveAnswers(before: FailureSite, now: FailureSite | undefined): void {
    const answers = this.#answers.get(before);
    this.#answers.delete(before);
    if (answers !== undefined && now !== undefined) this.#answers.set(now, answers);
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
  readonly failure: (match: Match | undefined, fact: Fact | undefined) => FunctionFailure;
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

  /** Notes which alpha node the tested facts have passed, and, of an alpha node, that its own test is compiled. */
  noteAlpha(above: AlphaNode, node?: AlphaNode): void {
    this.#site.alpha = above.testAlone;
    if (node !== undefined && this.#site.calls) node.callsFunctions = true;
  }

  /**
   * Returns the scope of expressions over a match of a level, and a fact beside it. `read` are expressions that decide
   * whether they apply.
   */
  at(exprs: readonly PlanExpr[], matchLevel: number, factLevel?: number, read: readonly PlanExpr[] = []): WatchedScope {
    const { shapes, functions, regex, table } = this.#context;
    const site = this.#site;
    const dividedByZero: Scope["dividedByZero"] = (match, fact) => {
      const session = sessionOf(match, fact);
      session.dividedByZero(session.failures.rulesOf(site), fact ?? nearestFact(match));
    };
    const tooLong: Scope["tooLong"] = (match, fact) => {
      const session = sessionOf(match, fact);
      session.tooLong(session.failures.rulesOf(site));
    };
    const isAlpha = matchLevel < 0 && factLevel === 0;
    const failing = exprs.some(callsIn) ? this.#failing([...exprs, ...read], factLevel, isAlpha) : NO_CALLS;
    const { shown } = this;
    return {
      matchLevel,
      factLevel,
      shapes,
      functions,
      regex,
      table,
      site: sessionOf,
      shown,
      dividedByZero,
      tooLong,
      ...failing,
    };
  }

  /** Alpha nodes and actions have one log for their site, which outlives the program. */
  #failing(exprs: readonly PlanExpr[], factLevel: number | undefined, isAlpha: boolean): Failing {
    const site = this.#site;
    const { calls } = this.#context;
    site.calls = true;
    const readNow = (): TestReads => ({
      factLevel,
      reads: this.reads(...exprs),
      values: exprs.flatMap((expr) => [...valuesOf(expr)]),
    });
    const test = { site, reads: site.actions ? () => NO_READS : readNow, of: site.actions || isAlpha ? site : {} };
    return {
      failed: (call, match, fact) => {
        const { failures, failedCalls } = sessionOf(match, fact);
        failedCalls.add(call);
        failures.logFor(test).add(call, match, fact);
      },
      failures: (match, fact) => sessionOf(match, fact).failedCalls.count,
      calls: (name) => calls(name, site),
      begin: (match, fact) => sessionOf(match, fact).failures.logOf(test)?.begin(match, fact),
      hasFailed: (match, fact) => sessionOf(match, fact).failures.logOf(test)?.has(match, fact) === true,
      known: (match, fact) => sessionOf(match, fact).failures.logOf(test)?.known(match, fact),
      failure: (match, fact) => new FunctionFailure(must(sessionOf(match, fact).failedCalls.last, "something failed")),
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
    return remembering(evaluate, this.reads(test).get(0) ?? new Set(), scope, this.#site);
  }

  #callsHost(test: PlanExpr): boolean {
    return [...calledIn(test)].some((name) => this.#context.functions.has(name) || calledFunction(name) === undefined);
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
    const failed: Scope["failed"] = (_call, match, fact) => void (sessionOf(match, fact).failedCalls.quiet += 1);
    const failures: Scope["failures"] = (match, fact) => sessionOf(match, fact).failedCalls.quiet;
    const evaluate = compileExpr(value, { ...this.at([], level), failed, failures });
    return (match) => evaluate(match, undefined);
  }

  /** Returns a three-valued test, with what a function of the host threw, here or in a subquery whose value is used. */
  truthOf(test: PlanExpr | undefined, level: number): (match: Match) => { truth: Truth; threw: string | undefined } {
    if (test === undefined) return () => ({ truth: true, threw: undefined });
    const evaluate = this.evaluated(test, level);
    const answers = [...valuesOf(test)];
    return (match) => {
      const { failedCalls } = sessionOf(match, undefined);
      const before = failedCalls.count;
      const value = evaluate(match, undefined);
      const threw = failedCalls.since(before);
      if (typeof value === "boolean") return { truth: value, threw };
      return { truth: undefined, threw: threw ?? failureIn(match, answers) };
    };
  }

  /** Returns a value, with what a function of the host threw where it left the value, or an output of a row, unknown. */
  valueOf(expr: PlanExpr, level: number): (match: Match) => { value: Maybe; threw: string | undefined } {
    const evaluate = this.evaluated(expr, level);
    return (match) => {
      const { failedCalls } = sessionOf(match, undefined);
      const before = failedCalls.count;
      const value = evaluate(match, undefined);
      return { value, threw: isIncomplete(value) ? failedCalls.since(before) : undefined };
    };
  }

  /** Returns which function of the host or of windows fails when values are computed for a match; undefined when none does. */
  failureIn(values: readonly ((match: Match) => Maybe)[], match: Match): string | undefined {
    const { failedCalls } = sessionOf(match, undefined);
    const before = failedCalls.count;
    for (const value of values) value(match);
    return failedCalls.since(before);
  }

  /** Returns the test with the time that it takes in sessions that measure it. `spent` is what it uses that took time before. */
  timed<Found extends object>(
    test: (match: Match) => Found,
    spent: (match: Match) => Iterable<number>,
  ): (match: Match) => Found & { readonly took?: number } {
    return (match) => {
      const { stopwatch } = sessionOf(match, undefined);
      if (stopwatch === undefined) return test(match);
      const elapsed = stopwatch.start();
      const found = test(match);
      let took = elapsed();
      for (const one of spent(match)) took += one;
      return { ...found, took };
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

type Failing = Pick<WatchedScope, "failed" | "failures" | "calls" | "begin" | "hasFailed" | "known" | "failure">;

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
    if (tells && !isIncomplete(value)) scope.known(match, fact);
    return value;
  };
}

/**
 * Returns a test that remembers its result for a fact as long as the slots that it reads hold the same: an update asks which
 * nodes the fact has passed, and a function of the host that was down may be up again. So the function is called once for each
 * change. What failed is tested again when the failure is no longer known of.
 */
function remembering(evaluate: Evaluate, slots: Slots, scope: WatchedScope, site: FailureSite): FactTest {
  const read = slots.has(ANY_SLOT) ? undefined : [...slots];
  const seenOf = ({ values }: Fact): Maybe[] => (read === undefined ? [...values] : read.map((slot) => values[slot]));
  return (fact) => {
    const answers = sessionOf(undefined, fact).failedCalls.answersAt(site);
    const answer = answers.get(fact);
    const seen = seenOf(fact);
    if (answer !== undefined && isSame(answer.seen, seen) && (!answer.failed || scope.hasFailed(undefined, fact))) {
      return answer.passed;
    }
    const before = scope.failures(undefined, fact);
    const passed = evaluate(undefined, fact) === true;
    answers.set(fact, { seen, passed, failed: scope.failures(undefined, fact) !== before });
    return passed;
  };
}

/** What a test said of a fact. */
export interface Answer {
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
