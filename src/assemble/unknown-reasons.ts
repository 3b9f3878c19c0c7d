/** Why a value is unknown, in words: the field that is missing, the function that failed, the fact that may or may not match. */
import { factLabel } from "../base/fact-label.ts";
import type { Maybe } from "../base/value.ts";
import { valueWords } from "../gates/leaf-words.ts";
import type { DoubtfulMatch, MatchTruth } from "../rete/doubtful.ts";
import { AggregateNode } from "../rete/aggregate.ts";
import { valueOutside } from "../rete/fact.ts";
import { ComputedNode } from "../rete/computed-node.ts";
import { ItemsNode } from "../rete/items.ts";
import { LastNode } from "../rete/last.ts";
import { LetNode } from "../rete/let.ts";
import type { Match } from "../rete/match.ts";
import { TimerNode } from "../rete/timer.ts";
import { isIncomplete } from "../tables/decide.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { readsOf, valuesOf } from "../plan/read/levels.ts";
import type { FitPlan, PlanExpr, WatchedTest } from "../plan/plan.ts";

type Fields = ReadonlyMap<number, ReadonlySet<string>>;

/** Returns the fields that expressions read, by level. */
export function fieldsRead(exprs: readonly PlanExpr[]): Map<number, Set<string>> {
  const fields = new Map<number, Set<string>>();
  for (const { level, field } of exprs.flatMap(readsOf)) {
    fields.set(level, (fields.get(level) ?? new Set()).add(field));
  }
  return fields;
}

/** Returns the values of some fields of the fact at a level; undefined for those that are missing. */
export function valuesAt(match: Match, level: number, names: Iterable<string>): Record<string, Maybe> {
  const { fact } = match.at(level);
  return Object.fromEntries(
    [...names].map((name) => {
      const slot = fact?.shape.find(name);
      return [name, fact === undefined || slot === undefined ? undefined : valueOutside(fact, slot)];
    }),
  );
}

/**
 * Returns why expressions are unknown for a match, worked out when it is asked for: the fields that are missing and the values
 * that are unknown, or else all fields that were read, since one of them is of a kind that the test cannot use.
 */
export function unknownReason(exprs: readonly PlanExpr[], words: WatchedTest["words"] = []): (match: Match) => string {
  const fields: Fields = fieldsRead(exprs);
  const texts = new Map(words.map(({ level, text }) => [level, text]));
  const levels = [...new Set(exprs.flatMap((expr) => [...valuesOf(expr)]))];
  return (match) => {
    const unknown = levels.filter((level) => match.at(level).held === undefined);
    const missing = unknown.flatMap((level) => valueReason(match.at(level), texts.get(level)));
    const seen: string[] = [];
    for (const [level, names] of fields) lookAtFields(match, level, names, missing, seen);
    if (missing.length > 0) return [...new Set(missing)].join(", ");
    if (seen.length === 0) return unknown.length === 0 ? "it cannot be decided" : NOTHING_TO_COMPUTE;
    return `it cannot be decided: ${[...new Set(seen)].join(", ")}`;
  };
}

/** Why an aggregate such as MIN is unknown, when no fact is in doubt. */
const NOTHING_TO_COMPUTE = "there are no facts to compute it from";

function lookAtFields(match: Match, level: number, names: Iterable<string>, missing: string[], seen: string[]): void {
  const { fact } = match.at(level);
  if (fact === undefined) {
    missing.push(`the fact that holds ${[...names].join(", ")} does not exist`);
    return;
  }
  for (const [name, value] of Object.entries(valuesAt(match, level, names))) {
    if (value === undefined) missing.push(`${factLabel(fact.id)} has no ${name}`);
    else seen.push(`${name} of ${factLabel(fact.id)} is ${valueWords(value)}`);
  }
}

/** Returns why the value of a match is unknown; `named` is the author's text of it. */
function valueReason(match: Match, named: string | undefined): string[] {
  const value = match.owner instanceof ComputedNode ? match.owner : undefined;
  if (value !== undefined && match.parent !== undefined) {
    return [`${value.spec.words} is unknown: ${value.threw(match) ?? value.spec.unknown(match.parent)}`];
  }
  if (match.owner instanceof TimerNode || match.owner instanceof LastNode) {
    return [match.owner.whyUnknown(match) ?? []].flat();
  }
  const doubt = doubtOf(match);
  const owner = match.owner instanceof AggregateNode ? match.owner : undefined;
  const why = doubt === undefined ? owner?.whyUnknown(match) : doubt.fits.words(doubt.match, doubt.threw);
  const text = named ?? owner?.asked;
  if (text === undefined) return why === undefined ? [] : [why];
  return [`${text} is unknown${why === undefined ? "" : `: ${why}`}`];
}

/** Returns the inner match that makes the value of a match unknown: the first that was found, or the first that threw. */
function doubtOf(match: Match, threw = false): DoubtfulMatch | undefined {
  return match.owner instanceof AggregateNode ? match.owner.doubt(match, threw) : undefined;
}

/** Returns whether the value of a match is missing because a function failed, or because it is unknown which facts it is taken over. */
export function inDoubt(match: Match): boolean {
  if (!isUnknown(match)) return false;
  const { owner } = match;
  if (owner instanceof TimerNode || owner instanceof LastNode) return true;
  if (owner instanceof ItemsNode) return true; // of a list that is unknown, nobody knows the items
  if (!(owner instanceof ComputedNode)) return doubtOf(match) !== undefined;
  return owner.threw(match) !== undefined || [...owner.spec.values].some((level) => inDoubt(match.at(level)));
}

/** Returns whether the value of a match is missing, or a row of a decision table of which an output is. */
function isUnknown({ held, owner }: Match): boolean {
  return held === undefined || (owner instanceof LetNode && isIncomplete(held as Maybe));
}

/** Returns what a function of the host threw in the subqueries and names whose values are used. */
export function failureIn(match: Match, levels: readonly number[]): string | undefined {
  for (const level of levels) {
    const at = match.at(level);
    if (!isUnknown(at)) continue;
    const { owner } = at;
    const threw =
      owner instanceof ComputedNode ? (owner.threw(at) ?? failureIn(at, [...owner.spec.values])) : undefined;
    const failed = threw ?? (owner instanceof TimerNode || owner instanceof LastNode ? owner.threw(at) : undefined);
    if (failed !== undefined) return failed;
    const doubt = doubtOf(at, true);
    if (doubt !== undefined) return doubt.fits.words(doubt.match, doubt.threw);
  }
  return undefined;
}

/** Returns how many milliseconds the values at these levels have taken, by the match that has the value. */
export function timeSpent(match: Match, levels: Iterable<number>): Map<Match, number> {
  const spent = new Map<Match, number>();
  for (const level of levels) {
    const at = match.at(level);
    const took = at.owner instanceof AggregateNode ? at.owner.took(at) : 0;
    if (took !== 0) spent.set(at, took);
  }
  return spent;
}

/** Returns the functions that say whether a match counts, and why that is unknown. */
export function matchTruth({ test, level, fact, open }: FitPlan, expressions: ExpressionCompiler): MatchTruth {
  const unclear = unknownReason([test]);
  const plain = expressions.truthOf(test, level);
  const values = valuesOf(test);
  return {
    test: expressions.timed(plain, (match) => timeSpent(match, values).values()),
    words: (match, threw) => {
      const why = threw ?? unclear(match);
      const id = fact === undefined ? undefined : match.at(fact).fact?.id;
      const head = `unclear whether ${factLabel(id ?? "")} matches: `;
      return id === undefined || why.startsWith(head) ? why : `${head}${why}`;
    },
    reads: expressions.reads(test),
    values,
    isGap: fact === undefined,
    isOpen: open === true,
  };
}
