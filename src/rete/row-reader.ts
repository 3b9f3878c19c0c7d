/**
 * Hears when a fact that the rows of a question show gets other values.
 *
 * A row shows whole facts, so it changes with every field of them, also with those that no test reads. The node reads all
 * fields of these facts and keeps the matches: an update costs the rows that show the fact.
 */
import type { Match } from "./match.ts";
import type { MatchReader } from "./node.ts";
import type { Production } from "./production.ts";
import type { TerminalNode } from "./terminal.ts";

export class RowReader implements MatchReader {
  readonly terminal: TerminalNode;
  readonly #levels: ReadonlySet<number>;
  readonly #changed: (production: Production, match: Match) => void;

  constructor(terminal: TerminalNode, changed: (production: Production, match: Match) => void) {
    this.terminal = terminal;
    this.#levels = new Set(terminal.production.factLevels);
    this.#changed = changed;
  }

  leftAdded(): void {
    // the terminal hears of it
  }

  reads(level: number): boolean {
    return this.#levels.has(level);
  }

  /** Hears that an item of the match has another place in its list: the row has another place, too. */
  moved(match: Match): void {
    this.#changed(this.terminal.production, match);
  }

  retract(): void {
    // the match stays
  }

  reassert(match: Match): void {
    this.#changed(this.terminal.production, match);
  }
}
