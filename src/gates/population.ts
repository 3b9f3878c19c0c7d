/**
 * The facts over which a quorum asks a condition, `at least 2 of all v: Reviewer : approved(r, v.id)`: each of them is a
 * leaf of its own, in the trace and in what is missing.
 */
import { factLabel } from "../base/fact-label.ts";
import { must } from "../base/invariant.ts";
import type { GateTree, SeenFact } from "../base/answers.ts";
import type { Match } from "../rete/match.ts";
import type { AskedCondition, ConditionNode } from "./condition.ts";
import type { Piece } from "./evidence.ts";
import { furtherWords, inOrder, isGrowing, reasonFor, seenFacts, unknownWords } from "./leaf-words.ts";
import { type Code, statusOf } from "./requirement.ts";

/** A fact of a population, with the value of the condition about it. */
export interface Member {
  /** The condition as written, and the fact: `approved(r, v.id) for Reviewer bob`. */
  readonly text: string;
  readonly code: Code;
  /** Returns what tells the call of the condition apart; undefined where it is not certain that the fact is a member. */
  readonly call: () => string | undefined;
  readonly reason: () => string;
  readonly tree: () => GateTree;
}

/** A population with at least one certain member. */
export interface Population {
  readonly min: number;
  readonly members: readonly Member[];
  /** How many true members it lacks while further facts may come; 0 when none may, or it has enough. */
  readonly lacking: number;
  readonly condition: ConditionNode;
}

/** Returns the population of a leaf; undefined when the leaf asks no condition, or nothing in it counts for certain. */
export function populationOf(condition: ConditionNode, subject: Match): Population | undefined {
  const { asked, reading } = condition.spec;
  const evidence = condition.evidence(subject);
  if (asked === undefined || reading.kind !== "quorum" || evidence === undefined) return undefined;
  if (condition.blind !== undefined || condition.gaps.has(subject)) return undefined;
  const pieces = inOrder(evidence).filter((piece) => piece.trusted);
  if (pieces.every((piece) => piece.unsure)) return undefined;
  const lacking = !isGrowing(condition, subject) ? 0 : Math.max(0, reading.min - evidence.trues);
  return { min: reading.min, members: pieces.map((piece) => memberOf(condition, asked, piece)), lacking, condition };
}

/** Returns the leaves of a population, and one for the facts that may still come when it waits for these. */
export function memberTrees({ members, lacking, condition }: Population): GateTree[] {
  const trees = members.map((member) => member.tree());
  if (lacking === 0) return trees;
  const text = `any further ${condition.spec.words.type}`;
  return [...trees, { kind: "leaf", text, value: "unknown", reason: furtherWords(condition), evidence: [] }];
}

function memberOf(condition: ConditionNode, asked: AskedCondition, piece: Piece): Member {
  const { match, code, unsure } = piece;
  const seen = condition.spec.words.facts(match, unsure);
  const { id } = must(seen[0], "a member is a fact");
  const text = `${asked.text} for ${factLabel(id)}`;
  const value = statusOf(code);
  const reason = (): string => (unsure ? unknownWords(condition, piece) : reasonFor(asked.condition, match));
  const evidence = (): SeenFact[] =>
    unsure ? seen.map((fact) => ({ ...fact, value, counts: true, note: reason() })) : seenFacts(asked.condition, match);
  const definition = asked.definition === undefined ? {} : { condition: asked.definition };
  const tree = (): GateTree => ({
    kind: "leaf",
    text,
    ...definition,
    member: id,
    value,
    reason: reason(),
    evidence: evidence(),
  });
  const call = (): string | undefined => (unsure ? undefined : asked.call(match));
  return { text, code, call, reason, tree };
}
