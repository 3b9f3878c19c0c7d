/**
 * The nodes of one session that were touched so far, made from the blueprint of its program.
 *
 * A node is made when it is first needed: a memory and the joins with the root on it by the first fact that passes, any other node
 * by the first match of the node above. So what is not made has no matches, and a memory that is not made has no facts.
 */
import { must } from "../base/invariant.ts";
import { LateMap, LateSet } from "../base/late.ts";
import type { Deadline } from "../guardian/guardian.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import { AlphaMemory, type FactSource, type MemorySpec } from "../rete/alpha-memory.ts";
import type { Failures, FailureSite } from "../rete/failures.ts";
import { JoinNode } from "../rete/join.ts";
import { removeMatch } from "../rete/match-tree.ts";
import { Network } from "../rete/network.ts";
import { BetaNode } from "../rete/node.ts";
import type { FactLookup, MatchListener } from "../rete/port.ts";
import type { RuleMatches } from "../rete/rule-matches.ts";
import type { Site } from "../rete/site.ts";
import type { Asking } from "./asking.ts";
import type { AssemblyOptions } from "./assembly-options.ts";
import { Blindness } from "./blindness.ts";
import type { Blueprint } from "./blueprint.ts";
import { lackingCall } from "./calls.ts";
import type { FailedCalls, SessionSite } from "./expression-compiler.ts";
import { type Judges, NO_JUDGES } from "./judges.ts";
import type { Live, LiveNetwork, LiveNode, MadeNode } from "./live-node.ts";
import type { NodeSpec } from "./node-spec.ts";
import type { StandingNodes } from "./standing-nodes.ts";

/** The nodes of a session. */
export class LiveNodes implements LiveNetwork {
  readonly network: Network;
  readonly blindness: Blindness;
  readonly failures: Failures;
  readonly failedCalls: FailedCalls;
  readonly options: AssemblyOptions;
  /** The program that the session runs; undefined before the first. */
  blueprint: Blueprint | undefined = undefined;
  /** What judges in the program, by name. */
  judges: Judges = NO_JUDGES;
  /** The nodes that were made, by number, in the order they were made. */
  live: LateMap<number, Live> = new LateMap();
  /** The matches of the rules of the program whose terminals were made. */
  programMatches: LateMap<string, RuleMatches> = new LateMap();
  /** Whether a node was ever switched off at the match limit. */
  hasSwitchedOff: boolean = false;
  /** The question for which nodes are made now. */
  asking: Asking | undefined = undefined;
  /** The nodes of questions that stand. */
  readonly standing: LateSet<StandingNodes> = new LateSet();

  /** Takes a function that is called with a node that was switched off at the match limit (`overflow`). */
  constructor(options: AssemblyOptions, site: SessionSite & Site, overflow: (node: BetaNode) => void) {
    this.options = options;
    this.failures = site.failures;
    this.failedCalls = site.failedCalls;
    this.network = new Network(site, options.matchLimit, overflow, () => this.listener, {
      memory: (spec) => this.#wakeMemory(spec),
      below: (node) => this.#wakeBelow(node),
      foreseen: (coming) => this.#foreseen(coming),
    });
    this.blindness = new Blindness(this.network, {
      handledActions: options.handledActions ?? new Set(),
      otherDoubts: options.otherDoubts ?? (() => []),
    });
  }

  get facts(): FactLookup {
    return this.options.facts;
  }

  get deadline(): Deadline | undefined {
    return this.options.deadline;
  }

  get listener(): MatchListener {
    return this.asking?.listener ?? this.options.listener;
  }

  get ruleMatches(): LateMap<string, RuleMatches> {
    return this.asking?.ruleMatches ?? this.programMatches;
  }

  node(given: NodeSpec): LiveNode {
    const spec = given.number < 0 ? given : this.#specAt(given.number); // others may know the node as another program had it
    if ("shared" in spec.making) return spec.making.shared;
    const known = this.#made(spec);
    if (known !== undefined) return known.made.node;
    if (spec.rootMemory !== undefined) {
      this.network.memoryOf(spec.rootMemory); // which makes the joins with the root
      const made = this.#made(spec);
      if (made !== undefined) return made.made.node;
    }
    for (const above of this.#unmadeAbove(spec)) this.node(above);
    return this.#make(spec).made.node;
  }

  /** Returns the nodes that a node extends and that are not made yet, the first of the chain first: a long chain is made in a loop. */
  #unmadeAbove({ left }: NodeSpec): NodeSpec[] {
    const chain: NodeSpec[] = [];
    for (let spec = left; spec !== undefined && this.#isUnmade(spec); spec = spec.left) chain.push(spec);
    return chain.toReversed();
  }

  #isUnmade(spec: NodeSpec): boolean {
    return !("shared" in spec.making) && this.#made(spec) === undefined;
  }

  beta(spec: NodeSpec | undefined): BetaNode {
    const found = spec === undefined ? this.network.root : this.node(spec);
    if (found instanceof BetaNode) return found;
    throw new Error("matches come from nodes that make matches");
  }

  memory(alpha: AlphaNode, type: string): AlphaMemory {
    if (alpha.memory !== undefined) return this.network.memoryOf(alpha.memory);
    if (this.asking?.stands === true) return this.network.standingMemory(alpha, type);
    const { ownMemories } = this.network;
    const known = ownMemories.get(alpha);
    if (known !== undefined) return known;
    const made = new AlphaMemory(alpha.reads, this.sourceOf(alpha, type));
    ownMemories.set(alpha, made);
    return made;
  }

  #made({ number }: NodeSpec): Live | undefined {
    return number < 0 ? this.asking?.made.get(number) : this.live.get(number);
  }

  /** Makes a node, and gives it the matches that are there. */
  #make(spec: NodeSpec): Live {
    if ("shared" in spec.making) throw new Error("a shared node is not made for a session");
    this.network.forgetPlans();
    const live: Live = { made: spec.making.make(this), site: spec.site, spec };
    const { node } = live.made;
    if (node instanceof BetaNode) {
      node.number = spec.number;
      node.asleep = spec.dependents.length > 0;
    }
    if (spec.number < 0) this.asking?.made.set(spec.number, live);
    else this.live.set(spec.number, live);
    this.judges.add(spec, node);
    this.#attach(live.made, spec.number < 0);
    return live;
  }

  /** Puts a node below those that it listens to, and gives it the matches that are already there. */
  #attach({ attachments, listen }: MadeNode, isQuestion: boolean): void {
    for (const { above, input } of attachments) {
      if (input instanceof BetaNode) {
        this.network.beta.add(input);
        input.overflowed ||= above.overflowed;
        if (isQuestion) this.network.guests.add(input);
      }
      above.attach(input);
      for (const match of above.matches.toArray()) input.leftAdded(match);
    }
    listen?.();
  }

  /** Makes a memory that no fact has entered, and the joins with the root on it. */
  #wakeMemory({ number }: MemorySpec): AlphaMemory {
    const spec = must(this.blueprint?.alpha.memories[number], "a memory belongs to the program");
    const memory = this.newMemory(spec);
    memory.isNew = true;
    for (const index of spec.indexes) memory.useIndex(index);
    for (const number of spec.roots) this.node(this.#specAt(number));
    memory.isNew = false;
    return memory;
  }

  /** Makes a memory without indexes. */
  newMemory(spec: MemorySpec): AlphaMemory {
    const { alpha, type } = spec;
    const memory = new AlphaMemory(alpha.reads, this.sourceOf(alpha, type));
    this.network.memories.set(spec.number, memory);
    return memory;
  }

  /** Returns where a memory finds the facts that are there. */
  sourceOf(alpha: AlphaNode, type: string): FactSource {
    return { passing: () => this.network.factsPassing(alpha, type), ofType: () => this.facts.facts(type) };
  }

  #wakeBelow(node: BetaNode): void {
    node.asleep = false;
    for (const number of this.#specAt(node.number).dependents) this.node(this.#specAt(number));
  }

  #specAt(number: number): NodeSpec {
    const spec = this.blueprint?.specs[number];
    if (spec === undefined) throw new Error(`there is no node ${number}`);
    return spec;
  }

  /** Yields the joins that would make more matches of the coming facts than the limit allows, each before the next is looked at. */
  *#foreseen(coming: ReadonlyMap<string, number>): Iterable<JoinNode> {
    const sizes = new Map<number | undefined, number>([[undefined, 1]]);
    for (const spec of this.blueprint?.largeJoins ?? []) {
      const { allOf: type = "" } = spec;
      const count = coming.get(type);
      if (count === undefined || this.isOff(spec)) continue;
      const left = sizes.get(spec.left?.number) ?? this.#sizeOf(spec.left);
      const size = left * (this.facts.count(type) + count);
      sizes.set(spec.number, size);
      if (size <= this.network.tally.limit) continue;
      this.#wakeSiblings(spec);
      const node = this.node(spec);
      if (node instanceof JoinNode) yield node;
    }
    for (const standing of this.standing) yield* standing.foreseen(coming, this.facts, this.network.tally.limit);
  }

  /** Makes everything that hears the nodes above a node: when it is switched off, those that nobody else hears are too. */
  #wakeSiblings({ left }: NodeSpec): void {
    for (let spec = left; spec !== undefined; spec = spec.left) {
      const above = this.beta(spec);
      if (above.asleep) this.#wakeBelow(above);
    }
  }

  /** Returns whether a node is switched off, or would be when it is made. */
  isOff(spec: NodeSpec | undefined): boolean {
    const node = spec === undefined ? undefined : this.live.get(spec.number)?.made.node;
    if (node === undefined) return spec !== undefined && this.isOff(spec.left);
    return isOff(node);
  }

  #sizeOf(spec: NodeSpec | undefined): number {
    const node = spec === undefined ? this.network.root : this.live.get(spec.number)?.made.node;
    return node instanceof BetaNode ? node.matches.size : 0;
  }

  /** Says that the session lacks a function, before it is called. */
  noteCall(name: string, site: FailureSite): void {
    const { functions } = this.options;
    if (typeof functions.get(name) === "function") return;
    this.failures.heard(site.rules, { ...lackingCall(name, functions), function: name, args: [] });
  }

  /** Takes a node down, and all its matches. */
  takeDown({ made, site }: Live): void {
    const { node, attachments, forget } = made;
    this.network.forgetPlans();
    for (const { above, input } of attachments) above.detach(input);
    forget?.();
    if (node instanceof BetaNode) {
      for (const match of node.matches.toArray()) removeMatch(match);
      this.network.beta.delete(node);
    }
    if (site !== undefined) this.failures.forget(site);
    this.network.flushQueue.run();
  }
}

/** Returns whether a node was switched off. */
export function isOff(node: LiveNode | undefined): boolean {
  return node instanceof BetaNode && node.overflowed;
}
