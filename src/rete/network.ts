/** The network: takes changes of facts, one at a time, and keeps every match exact. */
import type { Maybe } from "../base/value.ts";
import { AlphaMemory, AlphaNode } from "./alpha.ts";
import { Fact } from "./fact.ts";
import type { JoinNode } from "./join.ts";
import type { LookupNode } from "./lookup.ts";
import type { Match, MatchOwner } from "./match.ts";
import {
  BetaNode,
  childrenOf,
  type MatchIndex,
  type MatchInput,
  readsAny,
  removeMatch,
  RootNode,
  type Slots,
} from "./node.ts";
import type { Counters, NetworkPort } from "./port.ts";
import { planted } from "./planted.ts";
import type { RuleMatches } from "./rule-matches.ts";
import { Settler } from "./settle.ts";
import type { Tally } from "./tally.ts";

/** All facts of one type: where every alpha chain begins. */
export class TypeNode extends AlphaNode {
  readonly facts: Set<Fact> = new Set();

  constructor(type: string) {
    super(type, () => true, new Set());
  }
}

export class Network implements NetworkPort {
  readonly types: Map<string, TypeNode> = new Map();
  readonly beta: Set<BetaNode> = new Set();
  readonly lookups: Set<LookupNode> = new Set();
  readonly rules: Map<string, RuleMatches> = new Map();
  /** Nodes that make no matches and remember something about those of others. */
  readonly judges: Set<Pick<BetaNode, "otherEntries">> = new Set();
  readonly settler: Settler = new Settler();
  readonly tally: Tally;
  /** The fact that is being updated, while one is. */
  updated: Fact | undefined = undefined;
  readonly root: RootNode;

  /** `overflow` is told the node that was switched off because there were too many matches. */
  constructor(matchLimit: number, overflow: (node: BetaNode) => void) {
    this.tally = {
      matches: 0,
      limit: matchLimit,
      overflow: () => overflow(this.#switchOffLargest()),
    };
    this.root = new RootNode(this.tally);
  }

  type(name: string): TypeNode {
    const known = this.types.get(name);
    if (known !== undefined) return known;
    const made = new TypeNode(name);
    this.types.set(name, made);
    return made;
  }

  add(fact: Fact): void {
    const type = this.type(fact.shape.type);
    type.facts.add(fact);
    for (const memory of memoriesOf(type, fact)) {
      memory.insert(fact);
      for (const join of memory.joins) join.rightAdded(fact);
    }
    for (const lookup of this.lookups) lookup.factAdded(fact);
    this.settler.run();
  }

  remove(fact: Fact): void {
    const type = this.type(fact.shape.type);
    for (const memory of memoriesOf(type, fact)) memory.delete(fact);
    type.facts.delete(fact);
    while (fact.matches !== undefined) {
      removeMatch(fact.matches);
      if (planted("delete-only-first")) break;
    }
    this.settler.run();
  }

  /**
   * Re-matches exactly what reads a changed field. First, with the old values, everything that depends on them is taken
   * back; then the values change; then what was taken back is done again.
   */
  update(fact: Fact, changes: ReadonlyMap<number, Maybe>): void {
    const slots: Slots = new Set(changes.keys());
    const type = this.type(fact.shape.type);
    const before = memoriesOf(type, fact);
    const after = new Set(memoriesOf(type, changed(fact, changes)));
    const withdrawal = new Withdrawal(fact, slots, before, after);
    for (const [slot, value] of changes) fact.values[slot] = value;
    withdrawal.redo(after);
    this.updated = fact;
    this.settler.run();
    this.updated = undefined;
  }

  matches(rule: string): Iterable<Match> {
    return this.rules.get(rule)?.all() ?? [];
  }

  /** What is there without any fact (the root, a `not` that nothing blocks) is not counted. */
  counters(): Counters {
    let facts = 0;
    let indexEntries = 0;
    let matches = 0;
    for (const type of this.types.values()) {
      facts += type.facts.size;
      for (const memory of memoriesBelow(type)) {
        facts += memory.facts.size;
        for (const index of memory.indexes) indexEntries += index.entries;
      }
    }
    for (const node of this.beta) {
      const resting = node.matches.toArray().filter(isFactless);
      matches += node.matches.size - resting.length;
      for (const index of node.indexes) {
        indexEntries += index.entries - resting.filter((match) => index.has(match)).length;
      }
      indexEntries += node.otherEntries(isFactless);
    }
    for (const judge of this.judges) indexEntries += judge.otherEntries(isFactless);
    return { facts, matches, indexEntries };
  }

  /** The node with the most matches is emptied and stays silent; the rules that do not stand on it go on. */
  #switchOffLargest(): BetaNode {
    let largest: BetaNode = this.root;
    for (const node of this.beta) if (node.matches.size > largest.matches.size) largest = node;
    largest.overflowed = true;
    for (const match of largest.matches.toArray()) removeMatch(match);
    return largest;
  }
}

function isFactless(match: Match): boolean {
  for (let above: Match | undefined = match; above !== undefined; above = above.parent) {
    if (above.fact !== undefined) return false;
  }
  return true;
}

function memoriesOf(type: TypeNode, fact: Fact): AlphaMemory[] {
  const memories: AlphaMemory[] = [];
  type.collect(fact, memories);
  return memories;
}

function memoriesBelow(node: AlphaNode): AlphaMemory[] {
  const own = node.memory === undefined ? [] : [node.memory];
  return [...own, ...[...node.children].flatMap(memoriesBelow)];
}

/** The fact as it will be, for asking which tests it will pass. */
function changed(fact: Fact, changes: ReadonlyMap<number, Maybe>): Fact {
  const values = [...fact.values];
  for (const [slot, value] of changes) values[slot] = value;
  return new Fact(fact.id, fact.shape, values, fact.order, fact.tag);
}

/** What is taken back while the values of a fact change. */
class Withdrawal {
  readonly #fact: Fact;
  readonly #slots: Slots;
  readonly #joins = new Set<JoinNode>();
  readonly #inputs = new Map<MatchInput, Set<Match>>();
  readonly #staying: AlphaMemory[];
  readonly #unindexed: { readonly index: MatchIndex; readonly match: Match }[] = [];
  /** The matches that have the fact at their own level, by the node that made them. */
  readonly #own = new Map<MatchOwner, Match[]>();

  constructor(fact: Fact, slots: Slots, before: readonly AlphaMemory[], after: ReadonlySet<AlphaMemory>) {
    this.#fact = fact;
    this.#slots = slots;
    this.#staying = before.filter((memory) => after.has(memory));
    for (let match = fact.matches; match !== undefined; match = match.nextOfFact) {
      const same = this.#own.get(match.owner);
      if (same === undefined) this.#own.set(match.owner, [match]);
      else same.push(match);
    }
    for (const memory of before) if (!after.has(memory)) this.#leave(memory);
    for (const memory of this.#staying) this.#stay(memory);
    for (const matches of this.#own.values()) for (const match of matches) this.#visit(match, match.level);
  }

  /** Facts before matches: a fact meets only matches that are not being changed, and a match then meets all facts. */
  redo(after: ReadonlySet<AlphaMemory>): void {
    const staying = new Set(this.#staying);
    for (const { index, match } of this.#unindexed) if (match.alive) index.add(match);
    for (const memory of after) {
      if (staying.has(memory)) {
        for (const index of memory.indexes) if (intersects(index.reads, this.#slots)) index.add(this.#fact);
      } else {
        memory.insert(this.#fact);
        for (const join of memory.joins) this.#joins.add(join);
      }
    }
    for (const join of [...this.#joins].sort((a, b) => b.rank - a.rank)) join.rightAdded(this.#fact);
    for (const [input, matches] of this.#inputs) {
      for (const match of matches) if (match.alive) input.redo(match);
    }
  }

  #leave(memory: AlphaMemory): void {
    memory.delete(this.#fact);
    for (const join of memory.joins) this.#removeOwn(join);
  }

  #stay(memory: AlphaMemory): void {
    for (const index of memory.indexes) if (intersects(index.reads, this.#slots)) index.remove(this.#fact);
    const tested = intersects(memory.reads, this.#slots);
    for (const join of memory.joins) {
      if (!tested && !join.readsRight(this.#slots)) continue;
      this.#removeOwn(join);
      this.#joins.add(join);
    }
  }

  #removeOwn(join: JoinNode): void {
    for (const match of this.#own.get(join) ?? []) removeMatch(match);
  }

  /** Goes down from a match that stays, to the nodes that read the changed fields at its level. */
  #visit(match: Match, level: number): void {
    if (!match.alive || !(match.owner instanceof BetaNode)) return;
    for (const index of match.owner.indexes) if (readsAny(index.reads, level, this.#slots)) this.#unindex(index, match);
    for (const child of match.owner.children) {
      if (child.reads(level, this.#slots)) this.#withdraw(child, match);
      else if (child instanceof BetaNode) for (const below of childrenOf(match, child)) this.#visit(below, level);
    }
  }

  #unindex(index: MatchIndex, match: Match): void {
    index.remove(match);
    this.#unindexed.push({ index, match });
  }

  #withdraw(input: MatchInput, match: Match): void {
    const withdrawn = this.#inputs.get(input);
    if (withdrawn?.has(match) === true) return;
    if (withdrawn === undefined) this.#inputs.set(input, new Set([match]));
    else withdrawn.add(match);
    input.withdraw(match);
  }
}

function intersects(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  for (const item of b) if (a.has(item)) return true;
  return false;
}
