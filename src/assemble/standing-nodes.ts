/** The live nodes of a plan that stands while questions come and go. */
import { JoinNode } from "../rete/join.ts";
import type { Match } from "../rete/match.ts";
import { BetaNode } from "../rete/node.ts";
import type { FactLookup, MatchListener } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import { RowReader } from "../rete/row-reader.ts";
import { TerminalNode } from "../rete/terminal.ts";
import type { Live } from "./live-node.ts";
import type { NodeSpec } from "./node-spec.ts";

/** Hears of the answers of questions that stand. */
export interface RowListener extends MatchListener {
  /** Hears that a fact that an answer shows has other values; the match stays. */
  factsChanged(production: Production, match: Match): void;
  /** Hears that the nodes were switched off at the match limit, at a pattern. */
  switchedOff(pattern: string): void;
}

export class StandingNodes {
  /** The type of the facts with parameters. */
  readonly parameters: string;
  /** All nodes of the plan, inputs first, also those that the program has. */
  readonly specs: readonly NodeSpec[];
  /** The nodes that were made for it, inputs first. */
  readonly lives: readonly Live[];
  /** The nodes that make its matches. */
  readonly nodes: readonly BetaNode[];
  readonly heard: RowListener;
  readonly #readers: RowReader[];
  #isLive = true;

  /** Takes the nodes of the plan, and begins to listen to changes of the facts that answers show. */
  constructor(parameters: string, specs: readonly NodeSpec[], lives: readonly Live[], heard: RowListener) {
    this.parameters = parameters;
    this.specs = specs;
    this.lives = lives;
    const all = lives.map(({ made }) => made.node);
    this.nodes = all.filter((node) => node instanceof BetaNode);
    this.heard = heard;
    const changed = heard.factsChanged.bind(heard);
    this.#readers = all.flatMap((node) => (node instanceof TerminalNode ? [new RowReader(node, changed)] : []));
    for (const reader of this.#readers) reader.terminal.left.attach(reader);
  }

  /** False after it was dropped. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Yields the joins that would make more matches of the coming facts than the limit, each before the next is looked at. */
  *foreseen(coming: ReadonlyMap<string, number>, facts: FactLookup, limit: number): Iterable<JoinNode> {
    const sizes = new Map<BetaNode, number>();
    for (const { made, spec } of this.lives) {
      const { node } = made;
      const count = spec.allOf === undefined ? undefined : coming.get(spec.allOf);
      if (count === undefined || spec.allOf === undefined || !(node instanceof JoinNode) || node.overflowed) continue;
      const { left } = node.spec;
      const size = (sizes.get(left) ?? left.matches.size) * (facts.count(spec.allOf) + count);
      sizes.set(node, size);
      if (size > limit) yield node;
    }
  }

  /** Stops listening; the nodes are taken down next. */
  end(): void {
    this.#isLive = false;
    for (const reader of this.#readers) reader.terminal.left.detach(reader);
  }
}
