/** Counts the matches that are alive in a network, and does something when there are too many. */
export interface Tally {
  matches: number;
  /** Another number whenever a node was attached or detached. */
  wiring: number;
  limit: number;
  overflow(): void;
}
