/**
 * What a gate misses for a subject, in words. A population whose members are asked a condition is taken apart: each member
 * is a leaf. The same call of a condition is one leaf, wherever it is asked: one approval can count in two quorums.
 *
 * A population to which further facts may come also has leaves for these. They can only become true, so it never becomes false.
 */
import type { MissingLeaf } from "../base/answers.ts";
import type { Requirement } from "../base/judging.ts";
import type { Match } from "../rete/match.ts";
import type { GateNode } from "./gate.ts";
import { needsFor } from "./leaf-words.ts";
import { missingLeaves } from "./missing.ts";
import { type Member, populationOf, type Population } from "./population.ts";
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
  return leaves.partsOf(found);
}

/** A further fact weighs a little more than one, so that members that are there come first. */
const FURTHER_WEIGHT = 1 + 2 ** -20;

/** The further facts that a population waits for. */
interface Further {
  readonly population: Population;
  /** How many of the facts that it lacks its unknown members cannot be. */
  readonly beyond: number;
  readonly text: string;
}

interface Leaf {
  readonly code: Code;
  /** False of a quorum to which further facts may come. */
  readonly canFail: boolean;
  /** How many facts it takes to make the leaf true. */
  readonly weight: number;
  /** What the leaf needs: words, or facts that may still come. */
  readonly needs: (() => MissingLeaf) | Further;
}

/** The leaves of a gate for one subject: those of the program by their numbers, then those of populations. */
class Leaves {
  readonly #gate: GateNode;
  readonly #match: Match;
  readonly #leaves: Leaf[];
  readonly #apart = new Map<number, Requirement>();
  /** The leaf of each unknown call. */
  readonly #calls = new Map<string, Requirement>();

  constructor(gate: GateNode, match: Match) {
    this.#gate = gate;
    this.#match = match;
    const texts = leafTexts(gate.spec.requirement);
    this.#leaves = gate.spec.leaves.map(({ condition }, leaf) => {
      const { reading, closes } = condition.spec;
      const canFail =
        reading.kind === "quorum" ? reading.closed || closes : reading.kind !== "test" || reading.waits !== true;
      const needs = (): MissingLeaf => ({ text: texts.get(leaf) ?? "", needs: needsFor(condition, match) });
      return { code: gate.leaf(match, leaf), canFail, weight: 1, needs };
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
    const made = this.#unknownLeaf(part) ?? part;
    this.#apart.set(part.leaf, made);
    return made;
  }

  /** Returns what an unknown leaf consists of; undefined for one that is known. */
  #unknownLeaf(part: Extract<Requirement, { kind: "leaf" }>): Requirement | undefined {
    const leaf = this.#gate.spec.leaves[part.leaf];
    if (leaf === undefined || this.at(part.leaf)?.code !== UNKNOWN) return undefined;
    const population = populationOf(leaf.condition, this.#match);
    if (population === undefined) return this.#once(leaf.call(this.#match), () => part);
    return population.lacking > 0 ? this.#openQuorum(population, part.text) : this.#closedQuorum(population, part.text);
  }

  #closedQuorum(population: Population, text: string): Requirement {
    const items = population.members.map((one) => this.#member(one));
    return { kind: "at least", min: population.min, items, text };
  }

  /**
   * Returns a quorum over the unknown members and as many further facts. What the population lacks beyond its unknown members is one
   * leaf, however much that is.
   */
  #openQuorum(population: Population, text: string): Requirement {
    const { members, lacking } = population;
    const unknown = members.filter(({ code }) => code === UNKNOWN).map((one) => this.#member(one));
    const among = Math.min(lacking, unknown.length);
    const further = { population, beyond: lacking - among, text };
    const others = Array.from({ length: among }, () => this.#further(further, 1));
    const needed: Requirement = { kind: "at least", min: among, items: [...unknown, ...others], text };
    if (further.beyond === 0) return needed;
    return { kind: "all", min: 2, items: [needed, this.#further(further, further.beyond)], text };
  }

  #further(needs: Further, count: number): Requirement {
    return this.#add({ code: UNKNOWN, canFail: false, weight: count * FURTHER_WEIGHT, needs }, needs.text);
  }

  #member(one: Member): Requirement {
    const needs = (): MissingLeaf => ({ text: one.text, needs: one.reason() });
    const made = (): Requirement => this.#add({ code: one.code, canFail: true, weight: 1, needs }, one.text);
    return one.code === UNKNOWN ? this.#once(one.call(), made) : made();
  }

  /** Returns the leaf of a call that is unknown elsewhere, too; otherwise a new one. */
  #once(call: string | undefined, make: () => Requirement): Requirement {
    const known = call === undefined ? undefined : this.#calls.get(call);
    if (known !== undefined) return known;
    const made = make();
    if (call !== undefined) this.#calls.set(call, made);
    return made;
  }

  #add(leaf: Leaf, text: string): Requirement {
    this.#leaves.push(leaf);
    return { kind: "leaf", leaf: this.#leaves.length - 1, text };
  }

  /** Returns what leaves need, in words. The further facts of a population are counted in one part. */
  partsOf(found: readonly number[]): MissingLeaf[] {
    const needed = found.flatMap((leaf) => this.at(leaf) ?? []);
    const counts = new Map<Further, number>();
    for (const { needs, weight } of needed) {
      if (typeof needs === "object") counts.set(needs, (counts.get(needs) ?? 0) + Math.round(weight / FURTHER_WEIGHT));
    }
    return needed.flatMap(({ needs }) => {
      if (typeof needs === "function") return [needs()];
      const count = counts.get(needs) ?? 0;
      counts.delete(needs);
      return this.#furtherPart(needs, count);
    });
  }

  /** With `logic bochvar` every unknown member is needed, so that fewer further facts are. */
  #furtherPart({ population, beyond, text }: Further, count: number): MissingLeaf[] {
    const further = this.#gate.spec.logic === "bochvar" ? Math.min(count, beyond) : count;
    if (further === 0) return [];
    const wanted = population.condition.spec.words.wanted(this.#match, true);
    return [{ text, needs: `needs ${further} more ${wanted}` }];
  }
}

/** Returns the text of each leaf; for a condition that occurs several times, the text of its first occurrence. */
function leafTexts(tree: Requirement, texts: Map<number, string> = new Map()): Map<number, string> {
  if (tree.kind !== "leaf") for (const item of tree.items) leafTexts(item, texts);
  else if (!texts.has(tree.leaf)) texts.set(tree.leaf, tree.text);
  return texts;
}
