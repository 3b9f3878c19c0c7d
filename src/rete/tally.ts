import type { BetaNode } from "./node.ts";
import type { Site } from "./site.ts";

/** Counts the live matches of a network, and acts when there are too many. */
export interface Tally {
  /** The session that the matches belong to; undefined in tests without one. */
  readonly site?: Site | undefined;
  /** Makes the nodes below a node, which is about to send its first match. */
  wakeBelow?(node: BetaNode): void;
  /** Hears that items of a list changed places among matches that stay. */
  itemsMoved?(): void;
  /** How often that happened: an order that was made before it is made again. */
  moves?: number;
  matches: number;
  /** Incremented whenever a node is attached or detached. */
  wiring: number;
  limit: number;
  overflow(): void;
}
