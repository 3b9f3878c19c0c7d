/**
 * Builds a chain of nodes: knows where it ends, how many levels it has, and what its variables stand for.
 *
 * Following a reference and asking a subquery each add a node before the test that needs it, so that the test can read its
 * result at a level.
 */
import { AGGREGATES } from "../functions/aggregates.ts";
import { ANY } from "../functions/built-in.ts";
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { canonicalText } from "./read/canonical.ts";
import { kindOf, kindOfType, type ValueKind } from "./known-kinds.ts";
import { copyOf, type UnknownTests, fitsText, NO_UNKNOWN_TESTS } from "./unknown-tests.ts";
import type { Lowering, Place, Subquery } from "./lower-expr.ts";
import type { NodeTable } from "./node-table.ts";
import type { AggregateFunction, FitPlan, GapPlan, LastPlan, NewNode, PlanExpr } from "./plan.ts";
import { spanText, type TimeSpan } from "./time-tests.ts";

/** What all builders of a program have in common. */
export interface PlanContext {
  readonly program: CheckedProgram;
  readonly table: NodeTable;
  readonly namedFacts: ReadonlyMap<string, string>;
  /** Adds the nodes that answer a subquery, and returns its value; see planner.ts. */
  subquery(builder: RuleBuilder, expr: Subquery): PlanExpr;
}

/** The patterns of `using`, and how an aggregate over one of them becomes a value. */
export interface Using {
  readonly patterns: ReadonlyMap<string, ast.Pattern>;
  /** Returns the value of an aggregate over facts of `using`; undefined when the call is none. */
  aggregate(builder: RuleBuilder, call: ast.CallExpr): PlanExpr | undefined;
}

/** The fact of a pattern: where bare names are its fields. */
export interface PatternFact {
  readonly level: number;
  readonly type: string | undefined;
}

/** A chain of nodes under construction. */
export class RuleBuilder implements Lowering {
  readonly context: PlanContext;
  readonly rule: string;
  /** The id of the last node; undefined is the root. */
  node: number | undefined = undefined;
  level: number = 0;
  /** What the variables stand for. */
  readonly places: Map<string, Place> = new Map();
  /** Levels of the facts of patterns, in written order. */
  readonly facts: number[] = [];
  /** Levels of these facts and of the items of lists, in written order. */
  readonly order: number[] = [];
  /** In a guardian's check: the patterns of `using`. */
  using: Using | undefined = undefined;
  /** Where something is judged: the tests that may be unknown of what passes. Undefined: only what is true passes. */
  unknownTests: UnknownTests | undefined = undefined;
  /**
   * Whether a test on one fact is an alpha node whatever it computes. False where the plan stands while nobody asks: a test that
   * calls a function or computes is then a test of the join, and evaluated for what somebody asks about.
   */
  eager: boolean = true;
  /** The kinds of the values of aggregates, by level. */
  readonly kinds: Map<number, ValueKind> = new Map();
  #patternFact: PatternFact | undefined = undefined;
  /** The levels of references that are already followed, by the text of the reference. */
  readonly #followed = new Map<string, number>();

  constructor(context: PlanContext, rule: string) {
    this.context = context;
    this.rule = rule;
  }

  /** Puts facts, items and variables in written order; `positions` are the places at which patterns and items were planned. */
  arrange(positions: readonly number[], names: readonly string[]): void {
    const levels = [...this.order];
    const facts = new Set(this.facts);
    this.order.splice(0, levels.length, ...positions.flatMap((position) => levels[position] ?? []));
    this.facts.splice(0, facts.size, ...this.order.filter((level) => facts.has(level)));
    for (const name of names) {
      const place = this.places.get(name);
      if (place === undefined) continue;
      this.places.delete(name);
      this.places.set(name, place);
    }
  }

  /** Returns a builder that continues from here without changing this one, in the same context or another. */
  branch(context: PlanContext = this.context): RuleBuilder {
    const copy = new RuleBuilder(context, this.rule);
    copy.node = this.node;
    copy.level = this.level;
    for (const [name, place] of this.places) copy.places.set(name, place);
    for (const [reference, level] of this.#followed) copy.#followed.set(reference, level);
    copy.facts.push(...this.facts);
    copy.order.push(...this.order);
    copy.using = this.using;
    copy.eager = this.eager;
    copy.unknownTests = this.unknownTests === undefined ? undefined : copyOf(this.unknownTests);
    for (const [level, kind] of this.kinds) copy.kinds.set(level, kind);
    copy.#patternFact = this.#patternFact;
    return copy;
  }

  /** Returns a builder for the inner chain of an aggregate, which judges its facts if this one does. */
  question(): RuleBuilder {
    const inner = this.branch();
    if (this.unknownTests !== undefined) inner.unknownTests = copyOf(NO_UNKNOWN_TESTS);
    return inner;
  }

  /** Judges facts from here on: one for which a test is unknown is not left out. */
  judging(): this {
    this.unknownTests ??= copyOf(NO_UNKNOWN_TESTS);
    return this;
  }

  /** Returns what must be true of a match so that it counts; undefined when it always does. */
  get fits(): FitPlan | undefined {
    const tests = this.unknownTests?.tests ?? [];
    const [first] = tests;
    if (first === undefined) return undefined;
    const test: PlanExpr = tests.length === 1 ? first : { op: "and", items: [...tests] };
    return { test, level: this.level, fact: this.facts.at(-1) };
  }

  /** Returns where it cannot be told which facts to look for. */
  get gaps(): readonly GapPlan[] {
    return this.unknownTests?.gaps ?? [];
  }

  /** Returns whether it may find facts of which it is unknown whether they fit. */
  get doubtful(): boolean {
    return this.fits !== undefined || this.gaps.length > 0;
  }

  get program(): CheckedProgram {
    return this.context.program;
  }

  get namedFacts(): ReadonlyMap<string, string> {
    return this.context.namedFacts;
  }

  variable(name: string): Place | undefined {
    return this.places.get(name);
  }

  patternFact(): PatternFact | undefined {
    return this.#patternFact;
  }

  /** Returns the result of the work, during which bare names are fields of `fact`. */
  within<Result>(fact: PatternFact | undefined, work: () => Result): Result {
    const before = this.#patternFact;
    this.#patternFact = fact;
    const result = work();
    this.#patternFact = before;
    return result;
  }

  /** Returns a field of the fact that a reference leads to; adds a lookup when the reference was not followed before. */
  follow(of: PlanExpr, type: string | undefined, field: string): PlanExpr {
    const reference = `${type ?? "any"} ${canonicalText(of)}`;
    const level = this.#followed.get(reference) ?? this.lookup(of, type);
    this.#followed.set(reference, level);
    return { op: "step", of, level, field, type };
  }

  /** Replaces what the variables stand for. */
  rename(places: ReadonlyMap<string, Place>): void {
    this.places.clear();
    for (const [name, place] of places) this.places.set(name, place);
  }

  /** Returns the result of the work, during which only these names are known, and facts are judged. */
  asCondition<Result>(places: ReadonlyMap<string, Place>, work: () => Result): Result {
    const before = new Map(this.places);
    const { unknownTests, using } = this;
    this.rename(places);
    this.judging();
    this.using = undefined;
    const result = this.within(undefined, work);
    this.rename(before);
    this.unknownTests = unknownTests;
    this.using = using;
    return result;
  }

  subquery(expr: Subquery): PlanExpr {
    return this.context.subquery(this, expr);
  }

  evidence(call: ast.CallExpr): PlanExpr | undefined {
    return this.using?.aggregate(this, call);
  }

  /** Adds the fact that a reference leads to, and returns its level. */
  lookup(of: PlanExpr, type: string | undefined): number {
    const text = `${type ?? "any"} ${canonicalText(of)}`;
    const level = this.level + 1;
    this.extend({ kind: "lookup", left: this.node, level, of, type, text });
    return level;
  }

  /** Adds a filter that passes matches for which the test is true. */
  filter(test: PlanExpr): void {
    const text = canonicalText(test);
    this.extend({ kind: "filter", left: this.node, level: this.level + 1, test, text });
  }

  /** Adds a value with a name. */
  let(words: string, value: PlanExpr): void {
    const level = this.level + 1;
    this.kinds.set(level, kindOf(this, value));
    this.extend({ kind: "let", left: this.node, level, value, words, text: canonicalText(value) });
  }

  /** Adds the items of a list. With `passUnknown` a list that is unknown has one item, which is unknown. */
  eachItem(words: string, list: PlanExpr, passUnknown: boolean): void {
    const level = this.level + 1;
    this.kinds.set(level, undefined);
    this.order.push(level);
    const text = `${canonicalText(list)}${passUnknown ? "?" : ""}`;
    this.extend({ kind: "items", left: this.node, level, list, passUnknown, words, text });
  }

  /** Adds whether the clock is inside a span of time, and returns the value. */
  timer(span: TimeSpan, words: string): PlanExpr {
    const level = this.level + 1;
    this.kinds.set(level, undefined);
    this.extend({ kind: "timer", left: this.node, level, ...span, words, text: spanText(span) });
    return { op: "value", level };
  }

  /** Passes the matches whose facts are among the last ones, and returns whether they are for certain. */
  last(spec: Pick<LastPlan, "from" | "fact" | "count" | "key" | "fits" | "words">): PlanExpr {
    const level = this.level + 1;
    const passUnknown = this.unknownTests !== undefined;
    const key = spec.key === undefined ? "" : ` by ${canonicalText(spec.key)}`;
    const of = `${spec.from}..${spec.fact}${passUnknown ? "?" : ""}${fitsText(spec.fits && [spec.fits])}`;
    const text = `last ${canonicalText(spec.count)}${key} of ${of}`;
    this.kinds.set(level, undefined);
    this.extend({ kind: "last", left: this.node, level, ...spec, passUnknown, text });
    return { op: "value", level };
  }

  /** Adds an aggregate over what the inner builders find; `asked` is the condition that it is the value of. */
  aggregate(
    inner: readonly RuleBuilder[],
    aggregate: AggregateFunction,
    value: PlanExpr | undefined,
    passUnknown: boolean,
    asked?: string,
  ): void {
    const gaps = inner.flatMap((builder) => builder.gaps);
    const ends = [...inner.map((builder) => builder.node ?? -1), ...gaps.map((gap) => gap.end)];
    const doubtful = inner.some((builder) => builder.doubtful);
    const fits = doubtful ? [...inner.map((builder) => builder.fits), ...gaps.map((gap) => gap.fits)] : undefined;
    const question = `${aggregate}(${value === undefined ? "" : canonicalText(value)})${passUnknown ? "?" : ""}`;
    const text = `${question}${fitsText(fits)}`;
    const level = this.level + 1;
    const { node } = this;
    this.kinds.set(level, passUnknown && !doubtful ? certainKind(aggregate) : undefined);
    this.extend({
      kind: "aggregate",
      left: node,
      level,
      inner: ends,
      aggregate,
      value,
      passUnknown,
      fits,
      asked,
      text,
    });
  }

  /** Adds a node after the end of the chain, and makes it the end. */
  extend(node: NewNode): void {
    this.node = this.context.table.add(node, this.rule).id;
    this.level += 1;
  }
}

/** Returns the kind of value that there always is when all that was found fits; undefined where there may be none. */
function certainKind(aggregate: AggregateFunction): ValueKind {
  if (aggregate === "exists-value") return "bool";
  const entry = AGGREGATES.get(aggregate);
  return entry?.alwaysKnown === true ? kindOfType(entry.result(ANY)) : undefined;
}
