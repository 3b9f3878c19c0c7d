/**
 * Questions about the facts of a session: those that are answered at once, and those that stand while facts come and go. Their
 * nodes belong to the session; the program does not change.
 */
import type { MemorySpec } from "../rete/alpha-memory.ts";
import type { Network } from "../rete/network.ts";
import type { Plan } from "../plan/plan.ts";
import { newAsking, SILENT } from "./asking.ts";
import type { LiveNodes } from "./live-nodes.ts";
import type { NodeSpec } from "./node-spec.ts";
import { type RowListener, StandingNodes } from "./standing-nodes.ts";

export class Questions {
  readonly #nodes: LiveNodes;

  constructor(nodes: LiveNodes) {
    this.#nodes = nodes;
  }

  get #network(): Network {
    return this.#nodes.network;
  }

  /**
   * Adds the plan of a question for as long as the work takes, and returns what the work does; nobody hears of its matches.
   * Throws `tooMany` instead when there are more of them than the limit: the answer would be that of a part of them.
   */
  during<Result>(
    plan: Plan,
    work: (rules: Iterable<string>) => Result,
    tooMany: (pattern: string, limit: number) => Error,
  ): Result {
    if (this.#nodes.blueprint === undefined) throw new Error("a question is asked about a program");
    this.#network.makeDeferred();
    // A node that was switched off answers no question: another one is made, which may keep within the limit.
    const again = (spec: NodeSpec): boolean => this.#nodes.isOff(spec);
    const { specs, rules } = this.#nodes.blueprint.question(plan, again, this.#nodes.options.shapes);
    for (const spec of specs) if (spec.number >= 0) this.#nodes.node(spec); // of the program: it stays
    this.#network.flushQueue.run();
    const asking = newAsking(SILENT, false);
    this.#nodes.asking = asking;
    try {
      for (const spec of specs) {
        this.#nodes.node(spec);
        this.#network.flushQueue.run();
      }
      if (asking.tooManyAt !== undefined) throw tooMany(asking.tooManyAt, this.#network.tally.limit);
      return work(rules);
    } finally {
      for (const live of [...asking.made.values()].toReversed()) this.#nodes.takeDown(live);
      this.#dropQuestionIndexes(specs);
      this.#network.guests.clear();
      this.#nodes.asking = undefined;
    }
  }

  /** Removes the memories and indexes that only a question used. */
  #dropQuestionIndexes(specs: readonly NodeSpec[]): void {
    for (const memory of this.#network.ownMemories.values()) memory.keepIndexes([]);
    this.#network.ownMemories.clear();
    for (const { making } of specs) {
      if (!("shared" in making) || !("memory" in making.shared)) continue;
      this.#keepPlannedIndexes(making.shared.memory);
    }
    for (const type of this.#nodes.blueprint?.alpha.types.values() ?? []) this.#keepPlannedIndexes(type.memory);
  }

  #keepPlannedIndexes(spec: MemorySpec | undefined): void {
    if (spec === undefined) return;
    const planned = this.#nodes.blueprint?.alpha.memories[spec.number];
    this.#network.memories.get(spec.number)?.keepIndexes(planned?.indexes ?? []);
  }

  /**
   * Adds a plan that stands until it is dropped, at the latest when another program is applied. `heard` receives its matches,
   * and nobody else. Its nodes are empty until a fact of the type `parameters` is added.
   */
  stand(plan: Plan, parameters: string, heard: RowListener): StandingNodes {
    if (this.#nodes.blueprint === undefined) throw new Error("a question is asked about a program");
    const again = (spec: NodeSpec): boolean => this.#nodes.isOff(spec);
    const { shapes } = this.#nodes.options;
    const { specs } = this.#nodes.blueprint.question(plan, again, shapes, { direct: false, control: false });
    for (const spec of specs) if (spec.number >= 0) this.#nodes.node(spec);
    this.#network.flushQueue.run();
    const asking = newAsking(heard, true);
    this.#nodes.asking = asking;
    try {
      for (const spec of specs) {
        this.#nodes.node(spec);
        this.#network.flushQueue.run();
      }
    } finally {
      this.#network.guests.clear();
      this.#nodes.asking = undefined;
    }
    const standing = new StandingNodes(parameters, specs, [...asking.made.values()], heard);
    this.#nodes.standing.add(standing);
    return standing;
  }

  /** Takes down what stands for a plan. */
  drop(standing: StandingNodes): void {
    if (!this.#nodes.standing.delete(standing)) return;
    standing.end();
    for (const live of standing.lives.toReversed()) this.#nodes.takeDown(live);
    this.#network.dropStandingMemories();
    this.#dropQuestionIndexes(standing.specs);
    this.#network.forgetType(standing.parameters);
    this.#nodes.options.shapes.forget(standing.parameters);
  }

  /** Takes down everything that stands for questions. */
  dropStanding(): void {
    for (const standing of [...this.#nodes.standing]) this.drop(standing);
    this.#network.dropKeptIndexes();
  }

  /**
   * Does work that adds matches to nodes that stand. Throws `tooMany` when there are more of them than the limit; the nodes are
   * then switched off, and the caller drops them.
   */
  fill<Result>(
    standing: StandingNodes,
    work: () => Result,
    tooMany: (pattern: string, limit: number) => Error,
  ): Result {
    const asking = newAsking(SILENT, true);
    const { guests } = this.#network;
    this.#nodes.asking = asking;
    for (const node of standing.nodes) guests.add(node);
    try {
      const result = work();
      if (asking.tooManyAt !== undefined) throw tooMany(asking.tooManyAt, this.#network.tally.limit);
      return result;
    } finally {
      guests.clear();
      this.#nodes.asking = undefined;
    }
  }
}
