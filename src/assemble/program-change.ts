/**
 * A session continues with another program. A node that does the same to the same inputs stays and keeps its matches. A node that
 * is new is filled from the nodes it depends on, so that it does not matter whether facts or rules came first. Nodes that the new
 * program does not have are taken down.
 */
import { must } from "../base/invariant.ts";
import { LateMap } from "../base/late.ts";
import { ConditionNode } from "../gates/condition.ts";
import { WatchNode } from "../guardian/watch.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import type { AlphaMemory, MemorySpec } from "../rete/alpha-memory.ts";
import type { DirectRule } from "../rete/alpha-network.ts";
import { DirectTerminal } from "../rete/direct-terminal.ts";
import type { FailureSite } from "../rete/failures.ts";
import { BetaNode } from "../rete/node.ts";
import { TerminalNode } from "../rete/terminal.ts";
import type { Blueprint } from "./blueprint.ts";
import { Judges } from "./judges.ts";
import type { Live } from "./live-node.ts";
import { isOff, type LiveNodes } from "./live-nodes.ts";
import { alphaNodeOf, type NodeSpec } from "./node-spec.ts";
import type { Translation } from "./translation.ts";

/** Makes the nodes of a session those of another program. */
export function changeProgram(nodes: LiveNodes, next: Blueprint): void {
  const before = must(nodes.blueprint, "a session continues a program");
  const lost = takeDownUnreliable(nodes);
  new ProgramChange(nodes, before, next, lost).make();
}

/** Returns the judges of a program. A function made within the change would keep the program before as long as they live. */
function newJudges(nodes: LiveNodes, next: Blueprint): Judges {
  return new Judges(next.judges, (spec) => nodes.node(spec));
}

/** One change from a program to another. A node that is the same object in both blueprints stays where it is. */
class ProgramChange {
  readonly #nodes: LiveNodes;
  readonly #before: Blueprint;
  readonly #next: Blueprint;
  /** The numbers of nodes that were taken down because they could not be relied on. */
  readonly #lost: ReadonlySet<number>;
  readonly #translation: Translation;
  /** Whether nodes of both blueprints can be the same objects, and are still there. */
  readonly #isRelated: boolean;
  /** The nodes and memories of the program before, and of the next, that are not the same object in the other. */
  readonly #old: Translation["before"];
  readonly #new: Translation["next"];

  constructor(nodes: LiveNodes, before: Blueprint, next: Blueprint, lost: ReadonlySet<number>) {
    this.#nodes = nodes;
    this.#before = before;
    this.#next = next;
    this.#lost = lost;
    this.#translation = before.translated(next);
    this.#isRelated = before.isRelated(next) && lost.size === 0;
    this.#old = this.#isRelated ? this.#translation.before : partsOf(before);
    this.#new = this.#isRelated ? this.#translation.next : partsOf(next);
  }

  make(): void {
    const next = this.#next;
    const { network } = this.#nodes;
    const successors = this.#successors();
    const ends = this.#oldEnds();
    const gone = ends.filter(({ end }) => !successors.has(end));
    const left = gone.map((direct) => ({ direct, facts: network.factsPassing(direct.node, direct.type) }));
    // From here on only tests of the new program are called: they know what those of the program before said.
    this.#continueActions();
    this.#continueTests();
    const old = this.#takeOut();
    const memories = this.#continueMemories();
    this.#nodes.blueprint = next;
    if (!this.#isRelated) this.#nodes.judges = newJudges(this.#nodes, next);
    network.alpha = next.alpha;
    for (const { name, site } of next.hostCalls) if (site.actions) this.#nodes.noteCall(name, site);
    const staying = new Set<Live>();
    for (const spec of this.#new.specs) {
      const origin = this.#origin(spec);
      const made = origin === undefined ? undefined : old.get(origin.number);
      if (made === undefined) continue;
      staying.add(made);
      this.#continueNode(made, spec);
    }
    this.#fillNew(memories.filled);
    const changed = new Set(ends.map(({ end }) => end));
    const isRelated = this.#isRelated;
    network.successor = (end) => (changed.has(end) || !isRelated ? successors.get(end) : end);
    for (const one of [...old.values()].toReversed()) if (!staying.has(one)) this.#nodes.takeDown(one);
    for (const { direct, facts } of left) network.withdrawEnd(direct, facts);
    memories.dropIndexes();
  }

  /** Takes the nodes that are others now out of the session, by their numbers before. */
  #takeOut(): Map<number, Live> {
    const { live, programMatches } = this.#nodes;
    const old = new Map<number, Live>();
    if (!this.#isRelated) {
      for (const [number, one] of live) old.set(number, one);
      this.#nodes.live = new LateMap();
      this.#nodes.programMatches = new LateMap();
      return old;
    }
    for (const { number, kind, rules } of this.#old.specs) {
      const one = live.get(number);
      if (one === undefined) continue;
      old.set(number, one);
      live.delete(number);
      if (kind === "terminal") for (const rule of rules) programMatches.delete(rule);
    }
    return old;
  }

  /** Returns the direct terminals of the program before that are others now, or none. */
  #oldEnds(): DirectRule[] {
    const { direct } = this.#before.alpha;
    if (!this.#isRelated) return [...direct.values()];
    return this.#old.specs.flatMap(({ kind, making, rules: [rule = ""] }) => {
      const found = kind === "terminal" && "shared" in making ? direct.get(rule) : undefined;
      return found === undefined ? [] : [found];
    });
  }

  /** Returns the node of the program before that a node of the next one is; undefined when it is made again. */
  #origin(spec: NodeSpec): NodeSpec | undefined {
    const origin = this.#translation.origin(spec);
    return origin === undefined || this.#lost.has(origin.number) ? undefined : origin;
  }

  /** Lets a node that stays know its place in the program now. */
  #continueNode({ made, site }: Live, spec: NodeSpec): void {
    this.#nodes.live.set(spec.number, { made, site, spec });
    const { node } = made;
    this.#nodes.judges.add(spec, node);
    if (node instanceof ConditionNode || node instanceof WatchNode) this.#nodes.blindness.renumber(node, spec.id);
    if (site !== undefined) this.#nodes.failures.setRules(site, spec.rules);
    if (node instanceof TerminalNode) {
      const { making } = spec;
      if ("make" in making && making.production !== undefined) node.production = making.production;
      const [rule] = spec.rules;
      if (rule !== undefined) this.#nodes.programMatches.set(rule, node.rule);
    }
    if (!(node instanceof BetaNode)) return;
    node.number = spec.number;
    // A node that has sent no match yet has nothing for those below; otherwise those that are new are made now.
    node.asleep = node.asleep && spec.dependents.length > 0;
  }

  /** Makes the nodes that are new and have something to hear of, inputs first. */
  #fillNew(filled: ReadonlySet<number>): void {
    const next = this.#next;
    const { network } = this.#nodes;
    const awake = new Set(next.bornAwake);
    for (const spec of this.#new.specs) {
      if (this.#origin(spec) !== undefined) continue;
      if (spec.site !== undefined) this.#noteCallsOf(spec.site);
      if ("shared" in spec.making) {
        const [rule = ""] = spec.rules;
        const direct = spec.kind === "terminal" ? next.alpha.direct.get(rule) : undefined;
        if (direct !== undefined) network.announceEnd(direct);
      } else if (awake.has(spec) || this.#hearsSomething(spec, filled)) this.#nodes.node(spec);
      network.flushQueue.run();
    }
  }

  /** Returns whether facts or matches are there that a new node must be given. */
  #hearsSomething({ rootMemory, left }: NodeSpec, filled: ReadonlySet<number>): boolean {
    const { network, live } = this.#nodes;
    if (rootMemory !== undefined) {
      return filled.has(rootMemory.number) || network.memories.get(rootMemory.number) !== undefined;
    }
    const above = left === undefined ? network.root : live.get(left.number)?.made.node;
    return above instanceof BetaNode && !above.asleep;
  }

  /** Gives the memories that stay their numbers in the new program, and fills those that are new. */
  #continueMemories(): { readonly filled: ReadonlySet<number>; dropIndexes(): void } {
    const numbersBefore = this.#memoriesBefore();
    const { network } = this.#nodes;
    const old = new Map<number, AlphaMemory>();
    for (const { number } of this.#old.memories) {
      const memory = network.memories.get(number);
      if (memory !== undefined) old.set(number, memory);
      network.memories.delete(number);
    }
    const kept = new Map<AlphaMemory, MemorySpec>();
    const filled = new Set<number>();
    for (const spec of this.#new.memories) {
      const { number, alpha, type } = spec;
      const was = numbersBefore.has(number) ? numbersBefore.get(number) : number;
      const memory = was === undefined ? undefined : old.get(was);
      if (memory !== undefined) {
        network.memories.set(number, memory);
        kept.set(memory, spec);
        memory.source = this.#nodes.sourceOf(alpha, type);
        for (const index of spec.indexes) memory.useIndex(index);
      } else if (was === undefined && network.factsPassing(alpha, type).length > 0) {
        const made = this.#nodes.newMemory(spec);
        for (const index of spec.indexes) made.useIndex(index);
        filled.add(number);
      }
    }
    const dropIndexes = (): void => {
      for (const memory of old.values()) memory.keepIndexes(kept.get(memory)?.indexes ?? []);
    };
    return { filled, dropIndexes };
  }

  /** Keeps what failed in the actions of rules that stay: a match still waits to fire. */
  #continueActions(): void {
    for (const [rule, { site, direct }] of this.#before.actionSites) {
      const now = this.#next.actionSites.get(rule);
      if (now?.direct === direct) this.#nodes.failures.move(site, now.site);
      else this.#nodes.failures.forget(site);
    }
  }

  /** Keeps what the tests of alpha nodes said, and what failed in them, where the nodes stay. */
  #continueTests(): void {
    const { failures, failedCalls } = this.#nodes;
    const left = new Set(this.#old.specs.filter(({ kind, site }) => kind === "alpha" && site !== undefined));
    for (const spec of this.#new.specs) {
      const { site, rules } = spec;
      const old = this.#origin(spec);
      if (site === undefined || old?.site === undefined || !left.delete(old)) continue;
      failures.move(old.site, site);
      failures.setRules(site, rules);
      failedCalls.moveAnswers(old.site, site);
    }
    for (const { site } of left) {
      if (site === undefined) continue;
      failures.forget(site);
      failedCalls.moveAnswers(site, undefined);
    }
  }

  /** Returns the direct terminals of the program now, by those of the program before. */
  #successors(): Map<DirectTerminal, DirectTerminal> {
    const found = new Map<DirectTerminal, DirectTerminal>();
    for (const spec of this.#new.specs) {
      const { making } = spec;
      const old = this.#origin(spec)?.making;
      if (old === undefined || !("shared" in old) || !("shared" in making)) continue;
      if (old.shared instanceof DirectTerminal && making.shared instanceof DirectTerminal) {
        found.set(old.shared, making.shared);
      }
    }
    return found;
  }

  /**
   * Returns the numbers of memories in the program before, by those now; undefined where the facts were not remembered. The memories of
   * alpha nodes that are the same in both programs are left out: their numbers are the same.
   */
  #memoriesBefore(): Map<number, number | undefined> {
    const found = new Map<number, number | undefined>();
    const note = (now: AlphaNode, old: AlphaNode | undefined): void => {
      if (now.memory !== undefined) found.set(now.memory.number, old?.memory?.number);
    };
    for (const [name, type] of this.#next.alpha.types) note(type, this.#before.alpha.types.get(name));
    for (const spec of this.#new.specs) {
      if (spec.kind !== "alpha") continue;
      const old = this.#origin(spec);
      note(alphaNodeOf(spec), old === undefined ? undefined : alphaNodeOf(old));
    }
    return found;
  }

  #noteCallsOf(site: FailureSite): void {
    for (const call of this.#next.hostCalls) if (call.site === site) this.#nodes.noteCall(call.name, site);
  }
}

/** Returns all nodes and memories of a blueprint. */
function partsOf({ specs, alpha }: Blueprint): Translation["before"] {
  return {
    specs: specs.filter((spec) => spec !== undefined),
    memories: alpha.memories.filter((spec) => spec !== undefined),
  };
}

/**
 * Takes down the nodes that were switched off, those in which more functions failed than is kept, and all that depend on
 * them: another program makes them again, as it would without this one. Returns the numbers of those that were there.
 */
function takeDownUnreliable(nodes: LiveNodes): ReadonlySet<number> {
  const { failures } = nodes;
  const lost = new Set<number>();
  if (!failures.any && !nodes.hasSwitchedOff) return lost;
  for (const spec of nodes.blueprint?.specs ?? []) {
    if (spec === undefined) continue;
    const { number, inputs, site } = spec;
    const live = nodes.live.get(number);
    const isFull = failures.any && failures.isFull(live?.site ?? site);
    const depends = inputs.some((input) => input !== undefined && lost.has(input.number));
    if (isOff(live?.made.node) || isFull || depends) lost.add(number);
  }
  for (const live of [...nodes.live.values()].toReversed()) {
    if (!lost.has(live.spec.number)) continue;
    nodes.takeDown(live);
    nodes.live.delete(live.spec.number);
  }
  return lost;
}
