/** Plans watches: the chains below the subjects of guardians and pipelines, and what is read at their ends. */
import type { Source } from "../base/source.ts";
import type * as ast from "../language/ast.ts";
import { evidenceIn, isAggregateOver } from "../language/check/evidence.ts";
import { authorText } from "./author-text.ts";
import { canonicalText } from "./read/canonical.ts";
import { Chain, type Ground, type Using } from "./rule-builder.ts";
import { taken } from "./doubts.ts";
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
 * What has been asked on the way of a chain, so that it is asked once; a chain that goes on from it begins with a copy.
 * Chains inside a question have levels of their own: what is asked there is not remembered.
 */
export class Asked {
  chain: Chain | undefined = undefined;
  readonly words: ValueWords = [];
  readonly #answers = new Map<string, PlanExpr>();

  copy(): Asked {
    const copy = new Asked();
    copy.words.push(...this.words);
    for (const [key, answer] of this.#answers) copy.#answers.set(key, answer);
    return copy;
  }

  /** `text` is what the author calls the value. */
  once(chain: Chain, question: unknown, text: () => string, answer: () => PlanExpr): PlanExpr {
    if (chain !== this.chain) return answer();
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
export function remembering(from: Chain, ground: Ground, source: Source, asked: Asked): Chain {
  const chain = from.branch(rememberingGround(ground, source, asked)).judging();
  asked.chain = chain;
  return chain;
}

function rememberingGround(ground: Ground, source: Source, asked: Asked): Ground {
  return {
    ...ground,
    subquery: (chain, expr) =>
      asked.once(
        chain,
        expr,
        () => authorText(source, expr.span),
        () => ground.subquery(chain, expr),
      ),
  };
}

/** How aggregates over the facts of `using` become values of the chain, each once. */
export function usingOf(patterns: readonly ast.Pattern[], source: Source, asked: Asked): Using {
  const named = new Map(patterns.flatMap((one) => (one.variable === null ? [] : [[one.variable.name, one] as const])));
  const isEvidence = (name: string): boolean => named.has(name);
  return {
    patterns: named,
    aggregate: (chain, call) => {
      const [arg] = call.args;
      if (arg === undefined || !isAggregateOver(call, isEvidence)) return undefined;
      return asked.once(
        chain,
        call,
        () => callText(source, call),
        () => foldOver(chain, call, arg, evidenceIn(arg, isEvidence), named),
      );
    },
  };
}

/** Asks everything on the chain that expressions ask about facts, as far as it does not depend on single ones of `using`. */
export function askAhead(chain: Chain, exprs: unknown): void {
  const isEvidence = (name: string): boolean => chain.using?.patterns.has(name) === true;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { kind } = node as { readonly kind?: unknown };
    if (kind === "call" && isAggregateOver(node as ast.CallExpr, isEvidence)) {
      chain.evidence(node as ast.CallExpr);
    } else if (kind === "exists" || kind === "exists-in" || kind === "aggregate-in") {
      if (evidenceIn(node, isEvidence).size === 0) chain.subquery(node as Parameters<Chain["subquery"]>[0]);
    } else {
      for (const [key, child] of Object.entries(node)) if (key !== "span") visit(child);
    }
  };
  visit(exprs);
}

function foldOver(
  chain: Chain,
  call: ast.CallExpr,
  arg: ast.Value,
  names: ReadonlySet<string>,
  patterns: ReadonlyMap<string, ast.Pattern>,
): PlanExpr {
  const inner = chain.question();
  for (const name of names) {
    const pattern = patterns.get(name);
    if (pattern !== undefined) planPattern(inner, { variable: name, type: pattern.type.name, tests: pattern.tests });
  }
  const fold = call.name.name.toLowerCase() as FoldFunction;
  const value = fold === "count" ? undefined : taken(inner, normaliseValue(lower(inner, arg)));
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
  const { node: inner, level: innerLevel, gaps } = chain;
  const text = exprs.map(canonicalText).join(" | ");
  const node = { kind: "watch", left, level, inner, innerLevel, exprs, gaps, text } as const;
  const fullText = `${chain.text} watch ${text}`;
  const inputs = [left, inner, ...gaps.map((gap) => gap.end)];
  return { watch: chain.ground.table.add(node, inputs, fullText, chain.rule).id, level: innerLevel };
}
