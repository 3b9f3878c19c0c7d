/** Counts the matches that are alive in a network, and does something when there are too many. */
export interface Tally {
  matches: number;
  readonly limit: number;
  overflow(): void;
}
