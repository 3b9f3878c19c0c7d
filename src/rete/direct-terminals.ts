/**
 * All ends of the rules of a program with a single pattern, each with its rank: where it stands when everything that one fact activates
 * is put in order.
 *
 * A fact often passes dozens of nodes with one end each. Their ranks are read off the nodes, sorted as plain numbers, and told
 * as one list, so that nothing has to be put in order one by one when it fires.
 */
import type { AlphaNode, Passed } from "./alpha.ts";
import type { Fact } from "./fact.ts";
import { compareTerminals, groupsOf, type DirectTerminal, type TerminalGroup } from "./direct-terminal.ts";
import type { FactListener } from "./port.ts";
import { Ranks } from "./ranks.ts";

/** The number at a node without a direct terminal. */
export const NO_TERMINAL = -1;
const SEVERAL_TERMINALS = -2;

/** The direct terminals of one alpha node. */
export class NodeTerminals {
  readonly all: DirectTerminal[];
  /** The groups by salience; undefined when they must be computed. */
  groups: readonly TerminalGroup[] | undefined = undefined;

  constructor(all: DirectTerminal[] = []) {
    this.all = all;
  }
}

/** Returns the number of the only terminal of a node. */
export function endNumberOf(ends: NodeTerminals | undefined): number {
  const [first, second] = ends?.all ?? [];
  if (first === undefined) return NO_TERMINAL;
  return second === undefined ? first.number : SEVERAL_TERMINALS;
}

export class DirectTerminals {
  /** All terminals, by rank. */
  #ends: DirectTerminal[] = [];
  /** For each rank, where the group of the terminal ends. */
  #groupEnd: number[] = [];
  /** The rank of each terminal, by its number. Nodes have the number: it stays when terminals come and go. */
  #rankOf: Int32Array = new Int32Array(0);
  /** The ranks of the terminals that the current fact activates; no function of the host is called between adding and reading. */
  #found = new Ranks(0);
  #ranked = true;
  #nextNumber = 0;

  /** Returns the terminals of a program that has some more and some fewer. Those that are new get numbers; nodes are not touched. */
  changed(added: readonly DirectTerminal[], removed: ReadonlySet<DirectTerminal>): DirectTerminals {
    const next = new DirectTerminals();
    next.#nextNumber = this.#nextNumber;
    next.#ends = removed.size === 0 ? this.#ends.slice() : this.#ends.filter((end) => !removed.has(end));
    for (const end of added) {
      end.number = next.#nextNumber++;
      next.#ends.splice(placeOf(end, next.#ends), 0, end);
    }
    next.#rank();
    return next;
  }

  add(node: AlphaNode, end: DirectTerminal): void {
    end.number = this.#nextNumber++;
    const ends = node.endsHere();
    ends.all.push(end);
    ends.groups = undefined;
    node.endNumber = endNumberOf(ends);
    this.#ends.push(end);
    this.#ranked = false;
  }

  prepare(): void {
    if (this.#ranked) return;
    this.#ends.sort(compareTerminals);
    this.#rank();
  }

  /** Announces a fact to the terminals of the nodes that it passed. */
  tell({ nodes, count }: Passed, fact: Fact, listener: FactListener): void {
    if (this.#ends.length === 0) return;
    let first: AlphaNode | undefined;
    for (let at = 0; at < count; at++) {
      const node = nodes[at] as AlphaNode;
      if (node.endNumber === NO_TERMINAL) continue;
      if (first !== undefined) return this.#tellTogether(nodes, count, fact, listener);
      first = node;
    }
    if (first !== undefined) this.tellOne(first, fact, listener);
  }

  tellOne({ ends }: AlphaNode, fact: Fact, listener: FactListener): void {
    for (const group of groupsAt(ends)) listener.factPassed(group, fact);
  }

  #tellTogether(nodes: readonly AlphaNode[], count: number, fact: Fact, listener: FactListener): void {
    const found = this.#found;
    const rankOf = this.#rankOf;
    found.size = 0;
    for (let at = 0; at < count; at++) {
      const node = nodes[at] as AlphaNode;
      if (node.endNumber >= 0) found.add(rankOf[node.endNumber] as number);
      else if (node.ends !== undefined) for (const { number } of node.ends.all) found.add(rankOf[number] as number);
    }
    found.sort();
    for (let begin = 0; begin < found.size;) begin = this.#tellGroup(begin, fact, listener);
  }

  /** Announces a fact to one group; returns the index after the group. */
  #tellGroup(begin: number, fact: Fact, listener: FactListener): number {
    const { size, ranks } = this.#found;
    const groupEnd = this.#groupEnd[ranks[begin] as number] as number;
    let end = begin + 1;
    while (end < size && (ranks[end] as number) < groupEnd) end += 1;
    // oxlint-disable-next-line unicorn/no-new-array -- of the right size from the start: thousands of these are kept
    const group = new Array<DirectTerminal>(end - begin);
    for (let at = begin; at < end; at++) group[at - begin] = this.#ends[ranks[at] as number] as DirectTerminal;
    listener.factPassed(group, fact);
    return end;
  }

  /** Computes the ranks of the terminals, which are sorted. */
  #rank(): void {
    const ends = this.#ends;
    const { length } = ends;
    this.#rankOf = new Int32Array(this.#nextNumber);
    this.#groupEnd = [];
    for (let rank = 0; rank < length;) {
      const { salience } = ends[rank] as DirectTerminal;
      let stop = rank;
      for (; stop < length && ends[stop]?.salience === salience; stop++) {
        this.#rankOf[(ends[stop] as DirectTerminal).number] = stop;
      }
      for (; rank < stop; rank++) this.#groupEnd.push(stop);
    }
    this.#found = new Ranks(length);
    this.#ranked = true;
  }
}

/** Returns the place of a terminal among sorted ones. */
function placeOf(end: DirectTerminal, sorted: readonly DirectTerminal[]): number {
  let low = 0;
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >> 1;
    if (compareTerminals(sorted[middle] as DirectTerminal, end) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function groupsAt(ends: NodeTerminals | undefined): readonly TerminalGroup[] {
  if (ends === undefined) return [];
  ends.groups ??= groupsOf([...ends.all].sort(compareTerminals));
  return ends.groups;
}
