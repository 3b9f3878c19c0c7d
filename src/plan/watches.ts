/** Plans watches: the chains below the subjects of guardians and pipelines, and what is read at their ends. */
import type { Source } from "../base/source.ts";
import { aggregateNamed } from "../functions/aggregates.ts";
import type * as ast from "../language/ast.ts";
import { evidenceIn, isAggregateOver } from "../language/check/evidence.ts";
import { authorText } from "./author-text.ts";
import { canonicalText } from "./read/canonical.ts";
import { RuleBuilder, type PlanContext, type Using } from "./rule-builder.ts";
import { aggregatedValue } from "./unknown-tests.ts";
import { lowerExpr } from "./lower-expr.ts";
import { normaliseValue } from "./normalise.ts";
import { planPattern } from "./patterns.ts";
import type { PlanExpr, WatchedTest } from "./plan.ts";

/** The chain of the subjects, and the level of the subject's fact. */
export function planSubject(
  context: PlanContext,
  rule: string,
  subject: ast.Pattern,
): { builder: RuleBuilder; level: number } {
  const builder = new RuleBuilder(context, rule);
  planPattern(builder, { variable: subject.variable?.name, type: subject.type.name, tests: subject.tests });
  return { builder, level: builder.facts.at(-1) ?? 0 };
}

/** Words for the values of some levels: what an aggregate or a question is called by its author. */
export type ValueWords = WatchedTest["words"][number][];

/**
 * What has been asked on the way of a chain, so that it is asked once; a chain that goes on from it begins with a copy.
 * Chains inside a question have levels of their own: what is asked there is not remembered.
 */
export class SharedQuestions {
  builder: RuleBuilder | undefined = undefined;
  readonly words: ValueWords = [];
  readonly #answers = new Map<string, PlanExpr>();

  copy(): SharedQuestions {
    const copy = new SharedQuestions();
    copy.words.push(...this.words);
    for (const [key, answer] of this.#answers) copy.#answers.set(key, answer);
    return copy;
  }

  /** `text` is what the author calls the value. */
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

/** A chain that goes on from another, and asks the same question about facts only once. */
export function branchSharing(
  from: RuleBuilder,
  context: PlanContext,
  source: Source,
  asked: SharedQuestions,
): RuleBuilder {
  const builder = from.branch(contextSharing(context, source, asked)).judging();
  asked.builder = builder;
  return builder;
}

function contextSharing(context: PlanContext, source: Source, asked: SharedQuestions): PlanContext {
  return {
    ...context,
    subquery: (builder, expr) =>
      asked.once(
        builder,
        expr,
        () => authorText(source, expr.span),
        () => context.subquery(builder, expr),
      ),
  };
}

/** How aggregates over the facts of `using` become values of the chain, each once. */
export function usingOf(patterns: readonly ast.Pattern[], source: Source, asked: SharedQuestions): Using {
  const named = new Map(patterns.flatMap((one) => (one.variable === null ? [] : [[one.variable.name, one] as const])));
  const isEvidence = (name: string): boolean => named.has(name);
  return {
    patterns: named,
    aggregate: (builder, call) => {
      const [arg] = call.args;
      if (arg === undefined || !isAggregateOver(call, isEvidence)) return undefined;
      return asked.once(
        builder,
        call,
        () => callText(source, call),
        () => aggregateOver(builder, call, arg, evidenceIn(arg, isEvidence), named),
      );
    },
  };
}

/** Asks everything on the chain that expressions ask about facts, as far as it does not depend on single ones of `using`. */
export function planQuestionsAhead(builder: RuleBuilder, exprs: unknown): void {
  const isEvidence = (name: string): boolean => builder.using?.patterns.has(name) === true;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { kind } = node as { readonly kind?: unknown };
    if (kind === "call" && isAggregateOver(node as ast.CallExpr, isEvidence)) {
      builder.evidence(node as ast.CallExpr);
    } else if (kind === "exists" || kind === "exists-in" || kind === "aggregate-in") {
      if (evidenceIn(node, isEvidence).size === 0) builder.subquery(node as Parameters<RuleBuilder["subquery"]>[0]);
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

/** A hole has a text of its own, to which its spans belong: there the call is found by looking at the name. */
function callText(source: Source, call: ast.CallExpr): string {
  const text = authorText(source, call.span);
  return text.toLowerCase().startsWith(call.name.name.toLowerCase()) ? text : `${call.name.name}(…)`;
}

function withoutSpans(node: unknown): string {
  return JSON.stringify(node, (key, value: unknown) => (key === "span" ? undefined : value));
}

/** The node that watches the end of a chain, of which these expressions are read. */
export function addWatch(
  subjects: RuleBuilder,
  builder: RuleBuilder,
  exprs: readonly PlanExpr[],
): { watch: number; level: number } {
  const { node: left, level } = subjects;
  const { node: inner, level: innerLevel, gaps } = builder;
  const text = exprs.map(canonicalText).join(" | ");
  const node = { kind: "watch", left, level, inner, innerLevel, exprs, gaps, text } as const;
  const fullText = `${builder.text} watch ${text}`;
  return { watch: builder.context.table.add(node, fullText, builder.rule).id, level: innerLevel };
}
