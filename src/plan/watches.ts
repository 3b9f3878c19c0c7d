/** Plans watches: the chains after the subjects of guardians and pipelines, and what is read at their ends. */
import type { Source } from "../base/source.ts";
import { aggregateNamed } from "../functions/aggregates.ts";
import type * as ast from "../language/ast.ts";
import { type ConditionUse, isQuestion } from "../language/check/condition-uses.ts";
import { evidenceIn, isAggregateOver } from "../language/check/evidence.ts";
import { takenBy } from "../language/ranked.ts";
import { authorText } from "./author-text.ts";
import { canonicalText } from "./read/canonical.ts";
import { RuleBuilder, type PlanContext, type Using } from "./rule-builder.ts";
import { aggregatedValue } from "./unknown-tests.ts";
import { lowerExpr, type Subquery } from "./lower-expr.ts";
import { normaliseValue } from "./normalise.ts";
import { planPattern } from "./patterns.ts";
import type { PlanExpr, WatchedTest } from "./plan.ts";

/** Returns a builder that ends with the subjects, and the level of the subject's fact. */
export function planSubject(
  context: PlanContext,
  rule: string,
  subject: ast.Pattern,
): { builder: RuleBuilder; level: number } {
  const builder = new RuleBuilder(context, rule);
  planPattern(builder, { variable: subject.variable?.name, type: subject.type.name, tests: subject.tests });
  return { builder, level: builder.facts.at(-1) ?? 0 };
}

/** Words for the values of some levels: the author's text of an aggregate or subquery. */
export type ValueWords = WatchedTest["words"][number][];

/**
 * The subqueries that are already planned on a builder, so that each is planned once; a branch of the builder begins with a
 * copy. Builders inside a subquery have levels of their own: what is planned there is not shared.
 */
export class SharedQuestions {
  /** The builder on which the subqueries are planned. */
  builder: RuleBuilder | undefined = undefined;
  readonly words: ValueWords = [];
  readonly #answers = new Map<string, PlanExpr>();

  /** Returns a copy for a branch of the builder. */
  copy(): SharedQuestions {
    const copy = new SharedQuestions();
    copy.words.push(...this.words);
    for (const [key, answer] of this.#answers) copy.#answers.set(key, answer);
    return copy;
  }

  /** Returns the value of a subquery or aggregate; plans it the first time. `text` returns the author's text of it. */
  once(builder: RuleBuilder, question: unknown, text: () => string, answer: () => PlanExpr): PlanExpr {
    if (builder !== this.builder) return answer();
    const key = withoutSpans(question);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const made = answer();
    this.#answers.set(key, made);
    if (made.op === "value") this.words.push({ level: made.level, text: text() });
    return made;
  }
}

/** Returns a branch that judges, and on which each subquery is planned once. */
export function branchSharing(
  from: RuleBuilder,
  context: PlanContext,
  source: Source,
  questions: SharedQuestions,
): RuleBuilder {
  const builder = from.branch(contextSharing(context, source, questions)).judging();
  questions.builder = builder;
  return builder;
}

function contextSharing(context: PlanContext, source: Source, questions: SharedQuestions): PlanContext {
  return {
    ...context,
    subquery: (builder, expr) =>
      questions.once(
        builder,
        expr,
        () => authorText(source, expr.span),
        () => context.subquery(builder, expr),
      ),
  };
}

/** Returns the patterns of `using`, with how aggregates over them become values, each once. */
export function usingOf(patterns: readonly ast.Pattern[], source: Source, questions: SharedQuestions): Using {
  const named = new Map(patterns.flatMap((one) => (one.variable === null ? [] : [[one.variable.name, one] as const])));
  const isEvidence = (name: string): boolean => named.has(name);
  return {
    patterns: named,
    aggregate: (builder, call) => {
      const arg = takenBy(call);
      if (arg === undefined || !isAggregateOver(call, isEvidence)) return undefined;
      return questions.once(
        builder,
        call,
        () => callText(source, call),
        () => aggregateOver(builder, call, arg, evidenceIn(arg, isEvidence), named),
      );
    },
  };
}

/** Plans the subqueries and aggregates of expressions ahead, as far as they do not depend on single facts of `using`. */
export function planQuestionsAhead(builder: RuleBuilder, exprs: unknown): void {
  const isEvidence = (name: string): boolean => builder.using?.patterns.has(name) === true;
  const { conditionUses } = builder.program;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { kind } = node as { readonly kind?: unknown };
    if (kind === "call" && isAggregateOver(node as ast.CallExpr, isEvidence)) {
      builder.evidence(node as ast.CallExpr);
    } else if (isQuestion(node as Record<string, unknown>) || conditionUses.has(node as ConditionUse)) {
      if (evidenceIn(node, isEvidence).size === 0) builder.subquery(node as Subquery);
    } else {
      for (const [key, child] of Object.entries(node)) if (key !== "span") visit(child);
    }
  };
  visit(exprs);
}

function aggregateOver(
  builder: RuleBuilder,
  call: ast.CallExpr,
  arg: ast.Value,
  names: ReadonlySet<string>,
  patterns: ReadonlyMap<string, ast.Pattern>,
): PlanExpr {
  const inner = builder.question();
  for (const name of names) {
    const pattern = patterns.get(name);
    if (pattern !== undefined) planPattern(inner, { variable: name, type: pattern.type.name, tests: pattern.tests });
  }
  const aggregate = call.name.name.toLowerCase();
  const value =
    aggregateNamed(aggregate).takes === "facts"
      ? undefined
      : aggregatedValue(inner, normaliseValue(lowerExpr(inner, arg)));
  builder.aggregate([inner], aggregate, value, true);
  return { op: "value", level: builder.level };
}

/** Returns the author's text of a call. The spans of a hole belong to another text: there the call is named without its arguments. */
function callText(source: Source, call: ast.CallExpr): string {
  const text = authorText(source, call.span);
  return text.toLowerCase().startsWith(call.name.name.toLowerCase()) ? text : `${call.name.name}(…)`;
}

function withoutSpans(node: unknown): string {
  return JSON.stringify(node, (key, value: unknown) => (key === "span" ? undefined : value));
}

/** Adds the node that watches the end of a builder, of which the expressions are read, and returns its id and level. */
export function addWatch(
  subjects: RuleBuilder,
  builder: RuleBuilder,
  exprs: readonly PlanExpr[],
): { watch: number; level: number } {
  const { node: left, level } = subjects;
  const { node: inner, level: innerLevel, gaps } = builder;
  const text = exprs.map(canonicalText).join(" | ");
  const node = { kind: "watch", left, level, inner, innerLevel, exprs, gaps, text } as const;
  return { watch: builder.context.table.add(node, builder.rule).id, level: innerLevel };
}
