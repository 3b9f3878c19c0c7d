/** The live nodes of a plan that stands while questions come and go. */
import type { Match } from "../rete/match.ts";
import { BetaNode } from "../rete/node.ts";
import type { MatchListener } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import { RowReader } from "../rete/row-reader.ts";
import { TerminalNode } from "../rete/terminal.ts";
import type { LiveNode } from "./live-node.ts";

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
  /** The keys of the nodes that it uses, inputs first. */
  readonly keys: ReadonlySet<string>;
  /** The nodes that make its matches. */
  readonly nodes: readonly BetaNode[];
  readonly heard: RowListener;
  readonly #readers: RowReader[];
  #isLive = true;

  /** Takes the nodes of the plan, and begins to listen to changes of the facts that answers show. */
  constructor(parameters: string, keys: ReadonlySet<string>, nodes: Iterable<LiveNode>, heard: RowListener) {
    this.parameters = parameters;
    const all = [...nodes];
    this.keys = keys;
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

  /** Stops listening; the nodes are taken down next. */
  end(): void {
    this.#isLive = false;
    for (const reader of this.#readers) reader.terminal.left.detach(reader);
  }
}
