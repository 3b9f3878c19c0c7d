/**
 * All ends of rules with a single pattern, each with its rank: where it stands when everything that one fact activates
 * is put in order.
 *
 * A fact often passes dozens of nodes with one end each. Their ranks are read off the nodes, sorted as plain numbers, and told
 * as one list, so that nothing has to be put in order one by one when it fires.
 */
import type { AlphaNode, Passed } from "./alpha.ts";
import type { Fact } from "./fact.ts";
import { compareTerminals, groupsOf, type DirectTerminal, type TerminalGroup, tell } from "./direct-terminal.ts";
import { Ranks } from "./ranks.ts";

/** The rank of a node without a direct terminal. */
export const NO_TERMINAL = -1;
const SEVERAL_TERMINALS = -2;

/** The direct terminals of one alpha node. */
export class NodeTerminals {
  readonly all: DirectTerminal[] = [];
  /** The groups by listener and salience; undefined when they must be computed again. */
  groups: readonly TerminalGroup[] | undefined = undefined;
  /** The ranks of its terminals in the table. */
  ranks: readonly number[] = [];
}

export class DirectTerminals {
  readonly #nodes = new Set<AlphaNode>();
  /** All terminals, by rank. */
  #ends: DirectTerminal[] = [];
  /** For each rank, where the group of the terminal ends. */
  #groupEnd: number[] = [];
  /** The ranks of the terminals that the current fact activates. */
  #found = new Ranks(0);
  #ranked = true;

  add(node: AlphaNode, end: DirectTerminal): void {
    node.endsHere().all.push(end);
    node.endRank = SEVERAL_TERMINALS;
    this.#nodes.add(node);
    this.changed(node);
  }

  delete(node: AlphaNode, end: DirectTerminal): void {
    const { all } = node.endsHere();
    all.splice(all.lastIndexOf(end), 1);
    if (all.length === 0) {
      node.forgetEnds();
      this.#nodes.delete(node);
    }
    this.changed(node);
  }

  /** Marks the terminals of a node as changed, so that ranks are computed again. */
  changed(node: AlphaNode): void {
    if (node.ends !== undefined) node.ends.groups = undefined;
    this.#ranked = false;
  }

  prepare(): void {
    if (!this.#ranked) this.#rank();
  }

  /** Announces a fact to the terminals of the nodes that it passed. */
  tell({ nodes, count }: Passed, fact: Fact): void {
    if (this.#nodes.size === 0) return;
    let first: AlphaNode | undefined;
    for (let at = 0; at < count; at++) {
      const node = nodes[at] as AlphaNode;
      if (node.endRank === NO_TERMINAL) continue;
      if (first !== undefined) return this.#tellTogether(nodes, count, fact);
      first = node;
    }
    if (first !== undefined) this.tellOne(first, fact);
  }

  tellOne({ ends }: AlphaNode, fact: Fact): void {
    for (const group of groupsAt(ends)) tell(group, fact);
  }

  #tellTogether(nodes: readonly AlphaNode[], count: number, fact: Fact): void {
    if (!this.#ranked) this.#rank();
    const found = this.#found;
    found.size = 0;
    for (let at = 0; at < count; at++) {
      const node = nodes[at] as AlphaNode;
      if (node.endRank >= 0) found.add(node.endRank);
      else if (node.endRank === SEVERAL_TERMINALS) for (const rank of node.ends?.ranks ?? []) found.add(rank);
    }
    found.sort();
    for (let begin = 0; begin < found.size;) begin = this.#tellGroup(begin, fact);
  }

  /** Announces a fact to one group; returns the index after the group. */
  #tellGroup(begin: number, fact: Fact): number {
    const { size, ranks } = this.#found;
    const groupEnd = this.#groupEnd[ranks[begin] as number] as number;
    let end = begin + 1;
    while (end < size && (ranks[end] as number) < groupEnd) end += 1;
    // oxlint-disable-next-line unicorn/no-new-array -- of the right size from the start: thousands of these are kept
    const group = new Array<DirectTerminal>(end - begin);
    for (let at = begin; at < end; at++) group[at - begin] = this.#ends[ranks[at] as number] as DirectTerminal;
    tell(group, fact);
    return end;
  }

  #rank(): void {
    const places = [...this.#nodes].flatMap((node) => node.endsHere().all.map((end) => ({ node, end })));
    const groups = groupsOf(places.map(({ end }) => end).sort(compareTerminals));
    this.#ends = groups.flat();
    this.#groupEnd = [];
    for (const { length } of groups) {
      const stop = this.#groupEnd.length + length;
      for (let at = 0; at < length; at++) this.#groupEnd.push(stop);
    }
    this.#found = new Ranks(this.#ends.length);
    const rankOf = new Map(this.#ends.map((end, rank) => [end, rank]));
    for (const node of this.#nodes) {
      const ends = node.endsHere();
      ends.ranks = ends.all.map((end) => rankOf.get(end) ?? 0);
      node.endRank = ends.ranks.length === 1 ? (ends.ranks[0] as number) : SEVERAL_TERMINALS;
    }
    this.#ranked = true;
  }
}

function groupsAt(ends: NodeTerminals | undefined): readonly TerminalGroup[] {
  if (ends === undefined) return [];
  ends.groups ??= groupsOf([...ends.all].sort(compareTerminals));
  return ends.groups;
}
