/**
 * A chain of nodes under construction: where it ends, how many levels it has, and what its variables are.
 *
 * Following a reference and asking a question about other facts each add a node before the test that needs them, so that
 * the test sees a level it can read.
 */
import { AGGREGATES } from "../functions/aggregates.ts";
import { ANY } from "../functions/built-in.ts";
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { canonicalText } from "./read/canonical.ts";
import { KINDS, type ValueKind } from "./known-kinds.ts";
import { copyOf, type UnknownTests, fitsText, NO_UNKNOWN_TESTS } from "./unknown-tests.ts";
import type { Lowering, Place } from "./lower-expr.ts";
import type { NodeTable } from "./node-table.ts";
import type { AggregateFunction, FitPlan, GapPlan, NewNode, PlanExpr } from "./plan.ts";

/** What all chains of a program have in common. */
export interface PlanContext {
  readonly program: CheckedProgram;
  readonly table: NodeTable;
  readonly namedFacts: ReadonlyMap<string, string>;
  /** Adds the nodes that answer a subquery to the chain; see planner.ts. */
  subquery(builder: RuleBuilder, expr: ast.ExistsExpr | ast.ExistsInExpr | ast.AggregateInExpr): PlanExpr;
}

/** The patterns of `using`, and how an aggregate over one of them becomes a value. */
export interface Using {
  readonly patterns: ReadonlyMap<string, ast.Pattern>;
  aggregate(builder: RuleBuilder, call: ast.CallExpr): PlanExpr | undefined;
}

export interface PatternFact {
  readonly level: number;
  readonly type: string | undefined;
}

export class RuleBuilder implements Lowering {
  readonly context: PlanContext;
  readonly rule: string;
  node: number | undefined = undefined;
  level: number = 0;
  /** Canonical text of everything up to here, for the names of nodes. */
  text: string = "";
  readonly places: Map<string, Place> = new Map();
  /** Levels of the facts of patterns, in written order. */
  readonly facts: number[] = [];
  /** Of a guardian's check. */
  using: Using | undefined = undefined;
  /** Of a chain that judges: what it may have let through. Undefined: only what is true passes. */
  unknownTests: UnknownTests | undefined = undefined;
  /** What the values of some levels are for certain. */
  readonly kinds: Map<number, ValueKind> = new Map();
  #own: PatternFact | undefined = undefined;
  /** References already followed: from the text of the reference to its level. */
  readonly #followed = new Map<string, number>();

  constructor(context: PlanContext, rule: string) {
    this.context = context;
    this.rule = rule;
  }

  /** Names facts and variables in the order in which they are written: by the position at which each was planned. */
  arrange(positions: readonly number[], names: readonly string[]): void {
    const levels = [...this.facts];
    this.facts.splice(0, this.facts.length, ...positions.flatMap((position) => levels[position] ?? []));
    for (const name of names) {
      const place = this.places.get(name);
      if (place === undefined) continue;
      this.places.delete(name);
      this.places.set(name, place);
    }
  }

  /** A chain that continues from here without changing this one, on the same ground or another. */
  branch(context: PlanContext = this.context): RuleBuilder {
    const copy = new RuleBuilder(context, this.rule);
    copy.node = this.node;
    copy.level = this.level;
    copy.text = this.text;
    for (const [name, place] of this.places) copy.places.set(name, place);
    for (const [reference, level] of this.#followed) copy.#followed.set(reference, level);
    copy.facts.push(...this.facts);
    copy.using = this.using;
    copy.unknownTests = this.unknownTests === undefined ? undefined : copyOf(this.unknownTests);
    for (const [level, kind] of this.kinds) copy.kinds.set(level, kind);
    copy.#own = this.#own;
    return copy;
  }

  /** A chain that looks for facts from here on, and judges them if this one does. */
  question(): RuleBuilder {
    const inner = this.branch();
    if (this.unknownTests !== undefined) inner.unknownTests = copyOf(NO_UNKNOWN_TESTS);
    return inner;
  }

  /** From here on facts are judged: one of which it is not known whether it fits is not left out. */
  judging(): this {
    this.unknownTests ??= copyOf(NO_UNKNOWN_TESTS);
    return this;
  }

  /** What must be true of a match so that it counts; undefined when it always does. */
  get fits(): FitPlan | undefined {
    const tests = this.unknownTests?.tests ?? [];
    const [first] = tests;
    if (first === undefined) return undefined;
    const test: PlanExpr = tests.length === 1 ? first : { op: "and", items: [...tests] };
    return { test, level: this.level, fact: this.facts.at(-1) };
  }

  get gaps(): readonly GapPlan[] {
    return this.unknownTests?.gaps ?? [];
  }

  /** Whether it may find what is none. */
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
    return this.#own;
  }

  /** Lowers something in which bare names are fields of `own`. */
  within<Result>(own: PatternFact | undefined, work: () => Result): Result {
    const before = this.#own;
    this.#own = own;
    const result = work();
    this.#own = before;
    return result;
  }

  follow(of: PlanExpr, type: string | undefined, field: string): PlanExpr {
    const reference = `${type ?? "any"} ${canonicalText(of)}`;
    const level = this.#followed.get(reference) ?? this.lookup(of, type);
    this.#followed.set(reference, level);
    return { op: "step", of, level, field, type };
  }

  subquery(expr: ast.ExistsExpr | ast.ExistsInExpr | ast.AggregateInExpr): PlanExpr {
    return this.context.subquery(this, expr);
  }

  evidence(call: ast.CallExpr): PlanExpr | undefined {
    return this.using?.aggregate(this, call);
  }

  /** Adds the fact that a reference leads to, and gives its level. */
  lookup(of: PlanExpr, type: string | undefined): number {
    const text = `${type ?? "any"} ${canonicalText(of)}`;
    const level = this.level + 1;
    this.extend({ kind: "lookup", left: this.node, level, of, type, text });
    return level;
  }

  filter(test: PlanExpr): void {
    const text = canonicalText(test);
    this.extend({ kind: "filter", left: this.node, level: this.level + 1, test, text });
  }

  aggregate(
    inner: readonly RuleBuilder[],
    aggregate: AggregateFunction,
    value: PlanExpr | undefined,
    passUnknown: boolean,
  ): void {
    const gaps = inner.flatMap((builder) => builder.gaps);
    const ends = [...inner.map((builder) => builder.node ?? -1), ...gaps.map((gap) => gap.end)];
    const doubtful = inner.some((builder) => builder.doubtful);
    const fits = doubtful ? [...inner.map((builder) => builder.fits), ...gaps.map((gap) => gap.fits)] : undefined;
    const asked = `${aggregate}(${value === undefined ? "" : canonicalText(value)})${passUnknown ? "?" : ""}`;
    const text = `${asked}${fitsText(fits)}`;
    const level = this.level + 1;
    const { node } = this;
    this.text += inner.map((builder) => ` {${builder.text.slice(this.text.length)} }`).join("");
    this.kinds.set(level, passUnknown && !doubtful ? certainKind(aggregate) : undefined);
    this.extend({ kind: "aggregate", left: node, level, inner: ends, aggregate, value, passUnknown, fits, text });
  }

  /** Adds a node after the end of the chain, and makes it the end. */
  extend(node: NewNode): void {
    this.text += ` ${node.kind} ${node.text}`;
    this.node = this.context.table.add(node, this.text, this.rule).id;
    this.level += 1;
  }
}

/** Returns the kind of value that there always is when all that was found fits; undefined where there may be none. */
function certainKind(aggregate: AggregateFunction): ValueKind {
  if (aggregate === "exists-value") return "bool";
  const entry = AGGREGATES.get(aggregate);
  return entry?.alwaysKnown === true ? KINDS[entry.result(ANY).kind] : undefined;
}
