/** The network: takes changes of facts, one at a time, and keeps every match exact. */
import { AbsenceNode } from "./absence.ts";
import { AlphaNode, Passed } from "./alpha.ts";
import { dropEntryOf, removeAllEntries } from "./alpha-memory.ts";
import type { Changes, Fact } from "./fact.ts";
import { AggregateInput } from "./aggregate.ts";
import { JoinNode } from "./join.ts";
import type { DirectTerminal } from "./direct-terminal.ts";
import { DirectTerminals } from "./direct-terminals.ts";
import { equalsTestOf, INDEX_FROM, KeptIndex } from "./kept-index.ts";
import type { LookupNode } from "./lookup.ts";
import type { Match } from "./match.ts";
import { removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchInput, RootNode, touches } from "./node.ts";
import type { Counters, FactLookup, MatchListener, NetworkPort } from "./port.ts";
import { ControlJoin, DeferredPairs } from "./deferred-pairs.ts";
import type { RuleMatches, Standing } from "./rule-matches.ts";
import { FlushQueue } from "./flush-queue.ts";
import type { Tally } from "./tally.ts";
import { UpdatePlan, UpdatePlans } from "./update-plan.ts";
import { Rematch } from "./rematch.ts";

/** All facts of one type: where every alpha chain begins. */
export class TypeNode extends AlphaNode {
  /** The lookups that follow references to facts of this type. */
  readonly lookups: Set<LookupNode> = new Set();
  /** The slots that alpha tests of this type read, or once read. */
  readonly tested: Set<number> = new Set();
  plans: UpdatePlans = new UpdatePlans();
  /** The indexes that are kept for questions about direct terminals, by slot. */
  readonly kept: Map<number, KeptIndex> = new Map();

  constructor(type: string) {
    super(type, () => true, new Set());
  }
}

/** A rule with a single pattern: its terminal and its alpha node. */
interface DirectRule {
  readonly end: DirectTerminal;
  readonly node: AlphaNode;
  readonly type: string;
}

export class Network implements NetworkPort {
  readonly types: Map<string, TypeNode> = new Map();
  readonly beta: Set<BetaNode> = new Set();
  /** Nodes that exist for one query. While there are some, they are switched off first when there are too many matches. */
  readonly guests: Set<BetaNode> = new Set();
  /** The lookups that follow references to facts of any type. */
  readonly lookups: Set<LookupNode> = new Set();
  readonly rules: Map<string, RuleMatches> = new Map();
  /** Nodes that make no matches but keep entries for those of others. */
  readonly judges: Set<Pick<BetaNode, "otherEntries">> = new Set();
  readonly direct: Map<string, DirectRule> = new Map();
  readonly ends: DirectTerminals = new DirectTerminals();
  readonly deferred: DeferredPairs;
  readonly flushQueue: FlushQueue = new FlushQueue();
  readonly tally: Tally;
  /** The fact that is being updated; undefined between updates. */
  updated: Fact | undefined = undefined;
  readonly root: RootNode;
  readonly #facts: FactLookup;
  readonly #overflow: (node: BetaNode) => void;
  /** The alpha nodes that the current fact passes; reused so that no list is made for each fact. */
  readonly #passed: Passed = new Passed();
  /** The alpha nodes that it passes with its new values. */
  readonly #passing: Passed = new Passed();
  readonly #rematch: Rematch = new Rematch();

  /** Takes a function that is called with the node that was switched off at the match limit (`overflow`). */
  constructor(
    facts: FactLookup,
    matchLimit: number,
    overflow: (node: BetaNode) => void,
    listener: () => MatchListener,
  ) {
    this.#facts = facts;
    this.deferred = new DeferredPairs(listener);
    this.#overflow = overflow;
    this.tally = {
      matches: 0,
      wiring: 0,
      limit: atLeastRoot(matchLimit),
      overflow: () => overflow(this.#switchOffLargest()),
    };
    this.root = new RootNode(this.tally);
  }

  /** Sets the match limit, which another program may change. */
  limitMatches(limit: number): void {
    this.tally.limit = atLeastRoot(limit);
  }

  type(name: string): TypeNode {
    const known = this.types.get(name);
    if (known !== undefined) return known;
    const made = new TypeNode(name);
    this.types.set(name, made);
    return made;
  }

  /**
   * Many facts are about to come, so many of each type. A join that pairs everything with everything, and would make more
   * matches of them than the limit allows, is switched off before the work is done.
   */
  foresee(coming: ReadonlyMap<string, number>): void {
    const sizes = new Map<BetaNode, number>([[this.root, 1]]);
    const memories = new Map(
      Array.from(coming, ([type, count]) => [this.type(type).memory, this.#facts.count(type) + count]),
    );
    for (const node of [...this.beta].sort((a, b) => a.rank - b.rank)) {
      if (!(node instanceof JoinNode) || node.overflowed || !node.pairsAll) continue;
      const facts = memories.get(node.spec.memory);
      if (facts === undefined) continue;
      const size = (sizes.get(node.spec.left) ?? node.spec.left.matches.size) * facts;
      sizes.set(node, size);
      if (size <= this.tally.limit) continue;
      switchOff(node);
      this.#overflow(node);
    }
  }

  add(fact: Fact): void {
    const type = this.type(fact.shape.type);
    const passed = this.#passed;
    nodesOf(type, fact, passed);
    for (let at = 0; at < passed.count; at++) passed.nodes[at]?.memory?.enter(fact);
    if (type.lookups.size > 0) for (const lookup of type.lookups) lookup.factAdded(fact);
    if (this.lookups.size > 0) for (const lookup of this.lookups) lookup.factAdded(fact);
    this.flushQueue.run();
    this.ends.tell(passed, fact);
  }

  remove(fact: Fact): void {
    this.deferred.factGone(fact);
    removeAllEntries(fact);
    while (fact.matches !== undefined) removeMatch(fact.matches);
    for (let entry = fact.blocked; entry !== undefined; entry = fact.blocked) entry.absence.lost(entry);
    this.flushQueue.run();
  }

  /**
   * Re-matches exactly what reads a changed field. Everything that depends on such a field is taken back, for which no value is
   * read; then it is done again with the new values.
   */
  update(fact: Fact, changes: Changes): void {
    const type = this.type(fact.shape.type);
    const plan = type.plans.find(changes.slots) ?? this.#newPlan(type, changes.slots);
    const rematch = this.#rematch;
    const before = this.#passed;
    nodesOf(type, fact, before);
    fact.change(changes);
    const after = touches(plan.slots, type.tested) ? this.#passing : before;
    if (after !== before) nodesOf(type, fact, after);
    this.updated = fact;
    rematch.take(fact, plan, before, after);
    rematch.reassert(fact, plan, after);
    this.flushQueue.run();
    this.updated = undefined;
    rematch.tellEnds(this.ends, fact, plan, before, after);
  }

  #newPlan(type: TypeNode, slots: readonly number[]): UpdatePlan {
    const plan = new UpdatePlan(slots, [...type.lookups, ...this.lookups]);
    type.plans.add(slots, plan);
    return plan;
  }

  /** Drops the update plans, because nodes are added or removed. */
  forgetPlans(): void {
    for (const type of this.types.values()) type.plans = new UpdatePlans();
  }

  /** Computes what can be computed before facts arrive: dispatch tables and ranks. */
  prepare(): void {
    for (const type of this.types.values()) type.prepare();
    this.ends.prepare();
  }

  makeDeferred(): void {
    this.deferred.makeAll();
  }

  matches(rule: string, isLookup = false): Iterable<Standing> {
    this.makeDeferred();
    const direct = this.direct.get(rule);
    if (direct === undefined) return this.rules.get(rule)?.all() ?? [];
    return this.#standing(direct, isLookup);
  }

  /** Finds the matches of a rule with a single pattern one by one. */
  *#standing(direct: DirectRule, isLookup: boolean): Iterable<Standing> {
    const { production } = direct.end;
    for (const fact of isLookup ? this.#factsFound(direct) : this.#facts.facts(direct.type)) {
      if (direct.node.admits(fact)) yield { production, match: undefined, fact, ending: undefined };
    }
  }

  /** Returns the facts that may pass the node of a direct terminal: by an index, where its test names the value of a field. */
  #factsFound({ node, type: name }: DirectRule): Iterable<Fact> {
    const equals = equalsTestOf(node);
    if (equals === undefined || this.#facts.count(name) < INDEX_FROM) return this.#facts.facts(name);
    const type = this.type(name);
    let index = type.kept.get(equals.slot);
    if (index === undefined) {
      index = new KeptIndex(
        type.remember(() => this.#facts.facts(name)),
        equals.slot,
      );
      type.kept.set(equals.slot, index);
      type.plans = new UpdatePlans();
    }
    return index.find(equals.value);
  }

  /** Marks the direct terminal of a rule as changed, because its production was replaced. */
  directChanged(rule: string): void {
    const node = this.direct.get(rule)?.node;
    if (node !== undefined) this.ends.changed(node);
  }

  directTerminal(rule: string): DirectTerminal | undefined {
    return this.direct.get(rule)?.end;
  }

  /** Returns the live facts of a type that pass an alpha node. */
  factsPassing(node: AlphaNode, type: string): Fact[] {
    return Array.from(this.#facts.facts(type)).filter((fact) => node.admits(fact));
  }

  /** Attaches the direct terminal of a rule, and announces the facts that are there. */
  attachEnd(rule: string, direct: DirectRule): void {
    this.ends.add(direct.node, direct.end);
    this.direct.set(rule, direct);
    const alone = [direct.end];
    for (const fact of this.factsPassing(direct.node, direct.type)) direct.end.listener.factPassed(alone, fact);
  }

  detachEnd(rule: string, direct: DirectRule): void {
    this.ends.delete(direct.node, direct.end);
    direct.end.attached = false;
    if (this.direct.get(rule) === direct) this.direct.delete(rule);
    for (const fact of this.factsPassing(direct.node, direct.type)) direct.end.listener.factLeft(direct.end, fact);
  }

  /** Returns the counters. Matches without facts (the root, a `not` that nothing blocks) are not counted. */
  counters(): Counters {
    this.makeDeferred();
    let indexEntries = 0;
    let matches = 0;
    for (const type of this.types.values()) indexEntries += factEntriesBelow(type);
    for (const node of [this.root, ...this.beta]) {
      node.matches.each((match) => {
        if (isFactless(match)) return;
        matches += 1;
        for (let entry = match.entries; entry !== undefined; entry = entry.nextOfMatch) indexEntries += 1;
      });
      indexEntries += node.otherEntries(isFactless);
    }
    for (const judge of this.judges) indexEntries += judge.otherEntries(isFactless);
    return { facts: [...this.#facts.facts()].length, matches, indexEntries };
  }

  /** Empties the node with the most matches and switches it off; rules that do not depend on it go on. */
  #switchOffLargest(): BetaNode {
    let largest: BetaNode = this.root;
    for (const node of this.guests.size > 0 ? this.guests : this.beta) {
      if (largest === this.root || node.matches.size > largest.matches.size) largest = node;
    }
    switchOff(largest);
    return largest;
  }
}

/** Returns the limit, at least 1: the match of the root always exists. */
function atLeastRoot(limit: number): number {
  return Math.max(1, limit);
}

/**
 * Nothing that stands on the node speaks any more. An aggregate over an inner chain that is silent would take the silence for an
 * answer: that there is no such fact, that the sum is 0.
 */
function switchOff(node: BetaNode): void {
  if (node.overflowed) return;
  node.overflowed = true;
  for (const child of node.children) {
    if (child instanceof AggregateInput) switchOff(child.aggregate);
    else if (child instanceof BetaNode) switchOff(child);
  }
  for (const match of node.matches.toArray()) removeMatch(match);
  if (node instanceof ControlJoin) node.forgetDeferred();
  if (node instanceof JoinNode || node instanceof AbsenceNode) stopWaiting(node);
}

/** Removes the entries of a node that was switched off, and memories that only such nodes use. */
function stopWaiting(node: JoinNode | AbsenceNode): void {
  const { left } = node.spec;
  left.matches.each((match) => dropEntryOf(match, node));
  if (!(left instanceof RootNode) && left.children.every(isSilent)) switchOff(left);
}

function isSilent(child: MatchInput): boolean {
  const node = child instanceof AggregateInput ? child.aggregate : child;
  return node instanceof BetaNode && node.overflowed;
}

function isFactless(match: Match): boolean {
  for (let above: Match | undefined = match; above !== undefined; above = above.parent) {
    if (above.fact !== undefined) return false;
  }
  return true;
}

function nodesOf(type: TypeNode, fact: Fact, into: Passed): void {
  into.count = 0;
  type.collect(fact, into);
}

function factEntriesBelow(node: AlphaNode): number {
  let entries = 0;
  for (const index of node.memory?.indexes ?? []) entries += index.table.entries;
  for (const child of node.children) entries += factEntriesBelow(child);
  return entries;
}
