/** Plans watches: the chains below the subjects of guardians and pipelines, and what is read at their ends. */
import type { Source } from "../base/source.ts";
import type * as ast from "../language/ast.ts";
import { evidenceIn, isAggregateOver } from "../language/check/evidence.ts";
import { authorText } from "./author-text.ts";
import { canonicalText } from "./canonical.ts";
import { Chain, type Ground, type Using } from "./chain.ts";
import { lower } from "./lower.ts";
import { normaliseValue } from "./normalise.ts";
import { planPattern } from "./patterns.ts";
import type { FoldFunction, PlanExpr, WatchedTest } from "./plan.ts";

/** The chain of the subjects, and the level of the subject's fact. */
export function planSubject(ground: Ground, rule: string, subject: ast.Pattern): { chain: Chain; level: number } {
  const chain = new Chain(ground, rule);
  planPattern(chain, { variable: subject.variable?.name, type: subject.type.name, tests: subject.tests });
  return { chain, level: chain.facts.at(-1) ?? 0 };
}

/** Words for the values of some levels: what an aggregate or a question is called by its author. */
export type ValueWords = WatchedTest["words"][number][];

/**
 * The same ground, on which the same question about facts is asked only once for each chain, and every answer is given
 * the author's words.
 */
export function rememberingGround(ground: Ground, source: Source, words: ValueWords): Ground {
  const asked = new Map<string, PlanExpr>();
  return {
    ...ground,
    subquery: (chain, expr) => {
      const key = withoutSpans(expr);
      const known = asked.get(key);
      if (known !== undefined) return known;
      const made = ground.subquery(chain, expr);
      asked.set(key, made);
      if (made.op === "value") words.push({ level: made.level, text: authorText(source, expr.span) });
      return made;
    },
  };
}

/** How aggregates over the facts of `using` become values of the chain, each once. */
export function usingOf(patterns: readonly ast.Pattern[], source: Source, words: ValueWords): Using {
  const named = new Map(patterns.flatMap((one) => (one.variable === null ? [] : [[one.variable.name, one] as const])));
  const isEvidence = (name: string): boolean => named.has(name);
  const known = new Map<string, PlanExpr>();
  return {
    patterns: named,
    aggregate: (chain, call) => {
      const [arg] = call.args;
      if (arg === undefined || !isAggregateOver(call, isEvidence)) return undefined;
      const key = withoutSpans(call);
      const made = known.get(key) ?? foldOver(chain, call, arg, evidenceIn(arg, isEvidence), named);
      if (!known.has(key) && made.op === "value") words.push({ level: made.level, text: callText(source, call) });
      known.set(key, made);
      return made;
    },
  };
}

function foldOver(
  chain: Chain,
  call: ast.CallExpr,
  arg: ast.Value,
  names: ReadonlySet<string>,
  patterns: ReadonlyMap<string, ast.Pattern>,
): PlanExpr {
  const inner = chain.branch();
  for (const name of names) {
    const pattern = patterns.get(name);
    if (pattern !== undefined) planPattern(inner, { variable: name, type: pattern.type.name, tests: pattern.tests });
  }
  const fold = call.name.name.toLowerCase() as FoldFunction;
  const value = fold === "count" ? undefined : normaliseValue(lower(inner, arg));
  chain.fold([inner], fold, value, true);
  return { op: "value", level: chain.level };
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
export function addWatch(subjects: Chain, chain: Chain, exprs: readonly PlanExpr[]): { watch: number; level: number } {
  const { node: left, level } = subjects;
  const { node: inner, level: innerLevel } = chain;
  const text = exprs.map(canonicalText).join(" | ");
  const node = { kind: "watch", left, level, inner, innerLevel, exprs, text } as const;
  const fullText = `${chain.text} watch ${text}`;
  return { watch: chain.ground.table.add(node, [left, inner], fullText, chain.rule).id, level: innerLevel };
}
