/** Counts the live matches of a network, and acts when there are too many. */
export interface Tally {
  matches: number;
  /** Incremented whenever a node is attached or detached. */
  wiring: number;
  limit: number;
  overflow(): void;
}
