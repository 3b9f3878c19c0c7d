/**
 * What a gate misses for a subject, in words. A population whose members are asked a condition is taken apart: each member
 * is a leaf. One to which further facts may come stays one leaf, with the number of facts that it lacks as its weight: it can
 * only become true, each unknown member and each further fact counts one, so nothing else about it matters to the choice.
 */
import type { MissingLeaf } from "../base/answers.ts";
import type { Requirement } from "../base/judging.ts";
import type { Match } from "../rete/match.ts";
import type { GateNode } from "./gate.ts";
import { needsFor } from "./leaf-words.ts";
import { missingLeaves } from "./missing.ts";
import { populationOf, type Population } from "./population.ts";
import { type Code, UNKNOWN } from "./requirement.ts";

/** Returns the smallest set of unknown parts that could still open the gate; empty when nothing can. */
export function missingParts(gate: GateNode, match: Match): MissingLeaf[] {
  const { requirement, logic } = gate.spec;
  const leaves = new Leaves(gate, match);
  const tree = leaves.takenApart(requirement);
  const found = missingLeaves(tree, logic, (leaf) => leaves.at(leaf)?.code ?? UNKNOWN, {
    canFail: (leaf) => leaves.at(leaf)?.canFail ?? true,
    weight: (leaf) => leaves.at(leaf)?.weight ?? 1,
  });
  return found.flatMap((leaf) => leaves.at(leaf)?.parts() ?? []);
}

interface Leaf {
  readonly code: Code;
  /** False of a quorum to which further facts may come. */
  readonly canFail: boolean;
  /** How many facts it takes to make the leaf true. */
  readonly weight: number;
  /** Returns what the leaf needs, in words. */
  readonly parts: () => MissingLeaf[];
}

/** The leaves of a gate for one subject: those of the program by their numbers, then those of populations. */
class Leaves {
  readonly #gate: GateNode;
  readonly #match: Match;
  readonly #leaves: Leaf[];
  readonly #apart = new Map<number, Requirement>();

  constructor(gate: GateNode, match: Match) {
    this.#gate = gate;
    this.#match = match;
    const texts = leafTexts(gate.spec.requirement);
    this.#leaves = gate.spec.leaves.map(({ condition }, leaf) => {
      const { reading } = condition.spec;
      const canFail = reading.kind !== "quorum" || reading.closed;
      const parts = (): MissingLeaf[] => [{ text: texts.get(leaf) ?? "", needs: needsFor(condition, match) }];
      return { code: gate.leaf(match, leaf), canFail, weight: 1, parts };
    });
  }

  at(leaf: number): Leaf | undefined {
    return this.#leaves[leaf];
  }

  /** Returns the requirement with every unknown population as a quorum over its members. */
  takenApart(part: Requirement): Requirement {
    if (part.kind !== "leaf") return { ...part, items: part.items.map((item) => this.takenApart(item)) };
    const known = this.#apart.get(part.leaf);
    if (known !== undefined) return known;
    const condition = this.#gate.spec.leaves[part.leaf]?.condition;
    const isUnknown = condition !== undefined && this.at(part.leaf)?.code === UNKNOWN;
    const population = isUnknown ? populationOf(condition, this.#match) : undefined;
    const made = population === undefined ? part : this.#quorumOf(population, part.text);
    this.#apart.set(part.leaf, made);
    return made;
  }

  #quorumOf(population: Population, text: string): Requirement {
    if (population.lacking > 0) return this.#openQuorum(population, text);
    const items = population.members.map((one) =>
      this.#add({ code: one.code, canFail: true, weight: 1, parts: () => [memberPart(one)] }, one.text),
    );
    return { kind: "at least", min: population.min, items, text };
  }

  /**
   * Adds one leaf for a population to which further facts may come. It needs its unknown members first, then further facts.
   * With `logic bochvar` every unknown member is needed.
   */
  #openQuorum({ members, lacking, condition }: Population, text: string): Requirement {
    const isStrict = this.#gate.spec.logic === "bochvar";
    const unknown = members.filter(({ code }) => code === UNKNOWN);
    const parts = (): MissingLeaf[] => {
      const asked = isStrict ? unknown : unknown.slice(0, lacking);
      const further = lacking - asked.length;
      const wanted = condition.spec.words.wanted(this.#match, true);
      return [...asked.map(memberPart), ...(further > 0 ? [{ text, needs: `needs ${further} more ${wanted}` }] : [])];
    };
    const weight = isStrict ? Math.max(lacking, unknown.length) : lacking;
    return this.#add({ code: UNKNOWN, canFail: false, weight, parts }, text);
  }

  #add(leaf: Leaf, text: string): Requirement {
    this.#leaves.push(leaf);
    return { kind: "leaf", leaf: this.#leaves.length - 1, text };
  }
}

function memberPart({ text, reason }: Population["members"][number]): MissingLeaf {
  return { text, needs: reason() };
}

/** Returns the text of each leaf; for a condition that occurs several times, the text of its first occurrence. */
function leafTexts(tree: Requirement, texts: Map<number, string> = new Map()): Map<number, string> {
  if (tree.kind !== "leaf") for (const item of tree.items) leafTexts(item, texts);
  else if (!texts.has(tree.leaf)) texts.set(tree.leaf, tree.text);
  return texts;
}
