/** The network of a session: takes changes of facts, one at a time, and keeps every match exact. */
import { LateMap, LateSet } from "../base/late.ts";
import { SmallSteps, type Steps } from "../base/slices.ts";
import { AbsenceNode } from "./absence.ts";
import { type AlphaNode, Passed } from "./alpha.ts";
import { type AlphaMemory, dropEntryOf, type MemorySpec, removeAllEntries } from "./alpha-memory.ts";
import { AlphaNetwork, type DirectRule, TypeNode } from "./alpha-network.ts";
import type { Clock } from "./clock.ts";
import type { Changes, Fact } from "./fact.ts";
import { AggregateInput } from "./aggregate.ts";
import { JoinNode } from "./join.ts";
import type { DirectTerminal } from "./direct-terminal.ts";
import { equalsTestOf, INDEX_FROM, KeptIndex, slotIndex } from "./kept-index.ts";
import type { LookupNode } from "./lookup.ts";
import type { Match } from "./match.ts";
import { removeMatch } from "./match-tree.ts";
import { Moment } from "./moment.ts";
import { BetaNode, type MatchInput, RootNode, touches } from "./node.ts";
import type { Counters, FactLookup, MatchListener, NetworkPort } from "./port.ts";
import { ControlJoin, DeferredPairs } from "./deferred-pairs.ts";
import type { RuleMatches, Standing } from "./rule-matches.ts";
import { FlushQueue } from "./flush-queue.ts";
import { OwnPlaces } from "./own-places.ts";
import { Pages } from "./pages.ts";
import { RunningNode } from "./running.ts";
import type { Site } from "./site.ts";
import type { Tally } from "./tally.ts";
import { UpdatePlan, UpdatePlans } from "./update-plan.ts";
import { Rematch } from "./rematch.ts";

/** What a session keeps for a type. */
interface TypeState {
  /** The lookups that follow references to facts of this type. */
  readonly lookups: LateSet<LookupNode>;
  plans: UpdatePlans;
  /** The indexes that are kept for questions about direct terminals, by slot. */
  readonly kept: LateMap<number, KeptIndex>;
}

/** What a network asks for when a fact or a match first comes to a place. */
export interface Waking {
  /** Makes the memory for a fact that is the first to pass an alpha node, and the joins with the root that stand on it. */
  memory(spec: MemorySpec): AlphaMemory;
  /** Makes the nodes below a node that is about to send its first match. */
  below(node: BetaNode): void;
  /** Returns the joins without key and test on all facts of a type, with how many matches they could get. */
  foreseen(coming: ReadonlyMap<string, number>): Iterable<JoinNode>;
}

/** The network of a program without rules. */
const EMPTY = new AlphaNetwork();

/** One function for all networks: V8 keeps a network that has one of its own alive until all memory is collected. */
const ITSELF = (end: DirectTerminal): DirectTerminal => end;

export class Network implements NetworkPort {
  /** The part that all sessions of the program share. */
  alpha: AlphaNetwork = EMPTY;
  /** The memories of the session, by number. */
  memories: Pages<AlphaMemory> = new Pages();
  /** The memories that exist for one query, at nodes where the program has none. */
  readonly ownMemories: LateMap<AlphaNode, AlphaMemory> = new LateMap();
  readonly beta: LateSet<BetaNode> = new LateSet();
  /** Nodes that exist for one query. While there are some, they are switched off first when there are too many matches. */
  readonly guests: LateSet<BetaNode> = new LateSet();
  /** The lookups that follow references to facts of any type. */
  readonly lookups: LateSet<LookupNode> = new LateSet();
  readonly rules: LateMap<string, RuleMatches> = new LateMap();
  /** Nodes that make no matches but keep entries for those of others. */
  readonly judges: LateSet<Pick<BetaNode, "otherEntries">> = new LateSet();
  /** The rules with a single pattern that exist for one query. */
  readonly ownDirect: LateMap<string, DirectRule> = new LateMap();
  readonly deferred: DeferredPairs;
  readonly flushQueue: FlushQueue = new FlushQueue();
  readonly moment: Moment = new Moment();
  readonly tally: Tally;
  /** Finds the direct terminal that takes the place of one of the program before. */
  successor: (end: DirectTerminal) => DirectTerminal | undefined = ITSELF;
  /** The fact that is being updated; undefined between updates. */
  updated: Fact | undefined = undefined;
  readonly root: RootNode;
  readonly clock: Clock;
  readonly #facts: FactLookup;
  readonly #overflow: (node: BetaNode) => void;
  /** The alpha nodes that the current fact passes; reused so that no list is made for each fact. */
  readonly #passed: Passed = new Passed();
  /** The alpha nodes that it passes with its new values. */
  readonly #passing: Passed = new Passed();
  readonly #rematch: Rematch;
  readonly #listener: () => MatchListener;
  readonly #waking: Waking;
  readonly #types = new LateMap<string, TypeState>();
  readonly #places: OwnPlaces;

  /** Takes a function that is called with the node that was switched off at the match limit (`overflow`). */
  constructor(
    site: Site,
    matchLimit: number,
    overflow: (node: BetaNode) => void,
    listener: () => MatchListener,
    waking: Waking,
  ) {
    this.#facts = site.facts;
    this.clock = site.clock;
    this.#places = new OwnPlaces(site.facts);
    this.#listener = listener;
    this.#waking = waking;
    this.#rematch = new Rematch((spec) => this.memoryOf(spec));
    this.deferred = new DeferredPairs(listener);
    this.#overflow = overflow;
    this.tally = {
      site,
      wakeBelow: (node) => waking.below(node),
      itemsMoved: () => this.#itemsMoved(),
      moves: 0,
      matches: 0,
      wiring: 0,
      limit: atLeastRoot(matchLimit),
      overflow: () => overflow(this.#switchOffLargest()),
    };
    this.root = new RootNode(this.tally);
  }

  #itemsMoved(): void {
    this.tally.moves = (this.tally.moves ?? 0) + 1;
    this.#listener().itemsMoved?.();
  }

  /** Forgets the program before: nothing of it is looked for any more. */
  programContinued(): void {
    this.successor = ITSELF;
  }

  /** Sets the match limit, which another program may change. */
  limitMatches(limit: number): void {
    this.tally.limit = atLeastRoot(limit);
  }

  /** Returns the memory of an alpha node, made when there is none yet. */
  memoryOf(spec: MemorySpec): AlphaMemory {
    return this.memories.get(spec.number) ?? this.#waking.memory(spec);
  }

  /** Returns the memory of an alpha node for nodes that the program does not have, made when there is none yet. */
  standingMemory(alpha: AlphaNode, type: string): AlphaMemory {
    if (alpha.memory !== undefined) return this.memoryOf(alpha.memory);
    return this.#places.memoryAt(alpha, type, this.memories, this.alpha.memories.length);
  }

  /** Removes the memories that were made for nodes that stood, and that none needs any more. */
  dropStandingMemories(): void {
    this.#places.dropUnused(this.memories);
  }

  /** Gives up the indexes that are kept for questions. */
  dropKeptIndexes(): void {
    for (const { kept } of this.#types.values()) {
      for (const index of kept.values()) index.end();
      kept.clear();
    }
    this.dropStandingMemories();
  }

  /** Forgets what is kept for a type that has no facts and no nodes any more. */
  forgetType(type: string): void {
    this.#types.delete(type);
  }

  /** Returns the lookups that follow references to facts of a type, or to facts of any type. */
  lookupsOf(type: string | undefined): LateSet<LookupNode> {
    return type === undefined ? this.lookups : this.#typeState(type).lookups;
  }

  #typeState(type: string): TypeState {
    let state = this.#types.get(type);
    if (state === undefined)
      this.#types.set(type, (state = { lookups: new LateSet(), plans: new UpdatePlans(), kept: new LateMap() }));
    return state;
  }

  /**
   * Many facts are about to come, so many of each type. A join that pairs everything with everything, and would make more
   * matches of them than the limit allows, is switched off before the work is done.
   */
  foresee(coming: ReadonlyMap<string, number>): void {
    for (const node of this.#waking.foreseen(coming)) {
      this.moment.pass();
      switchOff(node);
      this.#overflow(node);
    }
  }

  add(fact: Fact): void {
    this.moment.pass();
    this.ask(fact);
  }

  /** Adds a fact; as one that only asks a question, it changes nothing that judges. */
  ask(fact: Fact): void {
    const { type } = fact.shape;
    const passed = this.#passed;
    this.#collect(this.alpha.types.get(type), fact, passed);
    for (let at = 0; at < passed.count; at++) {
      const spec = (passed.nodes[at] as AlphaNode).memory;
      if (spec !== undefined) (this.memories.get(spec.number) ?? this.#waking.memory(spec)).enter(fact);
    }
    const lookups = this.#types.get(type)?.lookups;
    if (lookups !== undefined) for (const lookup of lookups) lookup.factAdded(fact);
    if (this.lookups.size > 0) for (const lookup of this.lookups) lookup.factAdded(fact);
    this.flushQueue.run();
    this.alpha.ends.tell(passed, fact, this.#listener());
  }

  /** Collects the alpha nodes that a fact passes; `node` is that of its type in the program. */
  #collect(node: TypeNode | undefined, fact: Fact, into: Passed): void {
    into.count = 0;
    node?.collect(fact, into);
    if (!this.#places.isEmpty) this.#places.collect(fact.shape.type, fact, into);
  }

  remove(fact: Fact): void {
    this.moment.pass();
    this.stopAsking(fact);
  }

  /** Removes a fact; as one that only asked a question, it changes nothing that judges. */
  stopAsking(fact: Fact): void {
    this.#take(fact);
    this.flushQueue.run();
  }

  removeAll(facts: readonly Fact[]): void {
    this.moment.pass();
    for (const fact of facts) this.#take(fact);
    this.flushQueue.run();
  }

  /** Takes a fact out of memories and matches; what depends on it is settled by the next flush. */
  #take(fact: Fact): void {
    this.deferred.factGone(fact);
    removeAllEntries(fact);
    while (fact.matches !== undefined) removeMatch(fact.matches);
    for (let entry = fact.blocked; entry !== undefined; entry = fact.blocked) entry.absence.lost(entry);
  }

  /**
   * Re-matches exactly what reads a changed field. Everything that depends on such a field is taken back, for which no value is
   * read; then it is done again with the new values.
   */
  update(fact: Fact, changes: Changes): void {
    this.moment.pass();
    const { type } = fact.shape;
    const state = this.#typeState(type);
    const plan = state.plans.find(changes.slots) ?? this.#newPlan(state, changes.slots);
    const rematch = this.#rematch;
    const before = this.#passed;
    const node = this.alpha.types.get(type);
    this.#collect(node, fact, before);
    fact.change(changes);
    const isTested =
      (node !== undefined && touches(plan.slots, node.tested)) ||
      (!this.#places.isEmpty && this.#places.tests(type, plan.slots));
    const after = isTested ? this.#passing : before;
    if (after !== before) this.#collect(node, fact, after);
    this.updated = fact;
    rematch.take(fact, plan, before, after);
    rematch.reassert(fact, plan, after);
    this.flushQueue.run();
    this.updated = undefined;
    rematch.tellEnds(this.alpha.ends, this.#listener(), fact, plan, before, after);
  }

  /** Moves the clock to an instant that is not after the next one at which something turns. All that turns there is one change. */
  advance(to: number, expired?: () => readonly Fact[]): void {
    this.moment.pass();
    this.clock.move(to);
    this.removeAll(expired?.() ?? []);
  }

  /** Makes the clock unset again, in a network without facts. Returns false where a match that needs no fact remembers an instant. */
  unsetClock(): boolean {
    if (this.clock.isRemembered) return false;
    this.moment.pass();
    this.clock.reset();
    return true;
  }

  #newPlan(state: TypeState, slots: readonly number[]): UpdatePlan {
    const plan = new UpdatePlan(slots, [...state.lookups, ...this.lookups]);
    state.plans.add(slots, plan);
    return plan;
  }

  /** Drops the update plans, because nodes are added or removed. */
  forgetPlans(): void {
    for (const type of this.#types.values()) type.plans.clear();
  }

  makeDeferred(): void {
    this.deferred.makeAll();
  }

  matches(rule: string, isLookup = false): Iterable<Standing> {
    this.makeDeferred();
    const direct = this.directRule(rule);
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

  /**
   * Returns the facts that match the rules with a single pattern, by direct terminal, in the order they were asserted. All rules are
   * asked about a fact at once, as when it is added, so the cost is that of the facts, whatever the number of rules. In small steps:
   * one for each fact. Nothing may change meanwhile.
   */
  *directMatches(): Steps<ReadonlyMap<DirectTerminal, readonly Fact[]>> {
    const found = new Map<DirectTerminal, Fact[]>();
    const small = new SmallSteps();
    for (const type of new Set(Array.from(this.alpha.direct.values(), (direct) => direct.type))) {
      const node = this.alpha.types.get(type);
      for (const fact of this.#facts.facts(type)) {
        this.#collect(node, fact, this.#passed);
        enterAtEnds(found, this.#passed, fact);
        if (small.isDue()) yield;
      }
    }
    return found;
  }

  /** Returns the facts that may pass the node of a direct terminal: by an index, where its test names the value of a field. */
  #factsFound({ node, type: name }: DirectRule): Iterable<Fact> {
    const equals = equalsTestOf(node);
    if (equals === undefined || this.#facts.count(name) < INDEX_FROM) return this.#facts.facts(name);
    const state = this.#typeState(name);
    let index = state.kept.get(equals.slot);
    if (index === undefined) {
      const all = this.alpha.types.get(name) ?? new TypeNode(name);
      index = new KeptIndex(this.standingMemory(all, name), slotIndex(equals.slot));
      state.kept.set(equals.slot, index);
      state.plans.clear();
    }
    return index.find(equals.value);
  }

  /** Returns the rule with a single pattern of this name; undefined when it is none. */
  directRule(rule: string): DirectRule | undefined {
    return this.ownDirect.get(rule) ?? this.alpha.direct.get(rule);
  }

  directTerminal(rule: string): DirectTerminal | undefined {
    return this.directRule(rule)?.end;
  }

  /** Returns the live facts of a type that pass an alpha node. */
  factsPassing(node: AlphaNode, type: string): Fact[] {
    return Array.from(this.#facts.facts(type)).filter((fact) => node.admits(fact));
  }

  /** Announces the facts that are there to a direct terminal that is new. */
  announceEnd({ end, node, type }: DirectRule): void {
    const alone = [end];
    for (const fact of this.factsPassing(node, type)) this.#listener().factPassed(alone, fact);
  }

  /** Takes facts from a direct terminal that is gone. */
  withdrawEnd({ end }: DirectRule, facts: readonly Fact[]): void {
    for (const fact of facts) this.#listener().factLeft(end, fact);
  }

  /** Returns the counters. Matches without facts (the root, a `not` that nothing blocks) are not counted. */
  counters(): Counters {
    this.makeDeferred();
    let indexEntries = 0;
    let matches = 0;
    for (const memory of this.memories.values()) {
      for (const index of memory.indexes) indexEntries += index.table.entries;
    }
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
      if (largest === this.root || isLarger(node, largest)) largest = node;
    }
    switchOff(largest);
    return largest;
  }
}

/** Enters a fact at the direct terminals of the nodes that it passed. */
function enterAtEnds(found: Map<DirectTerminal, Fact[]>, { nodes, count }: Passed, fact: Fact): void {
  for (let at = 0; at < count; at++) {
    for (const end of nodes[at]?.ends?.all ?? []) {
      const facts = found.get(end);
      if (facts === undefined) found.set(end, [fact]);
      else facts.push(fact);
    }
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
  if (node instanceof JoinNode || node instanceof AbsenceNode || node instanceof RunningNode) stopWaiting(node);
}

/** Removes the entries of a node that was switched off, and memories that only such nodes use. */
function stopWaiting(node: JoinNode | AbsenceNode | RunningNode): void {
  const { left } = node.spec;
  left.matches.each((match) => dropEntryOf(match, node));
  if (!(left instanceof RootNode) && !left.asleep && left.children.every(isSilent)) switchOff(left);
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

/** Of two nodes of the same size the one that comes first in the program counts as larger, whichever was made first. */
function isLarger(node: BetaNode, other: BetaNode): boolean {
  const difference = node.matches.size - other.matches.size;
  return difference === 0 ? placeOf(node) < placeOf(other) : difference > 0;
}

/** Returns the place of a node in its program; nodes of questions come after those of the program. */
function placeOf({ number }: BetaNode): number {
  return number < 0 ? 2 ** 32 - number : number;
}
