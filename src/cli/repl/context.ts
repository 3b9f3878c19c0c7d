/** What the commands of the repl share: the session, the names of facts, and where to print. */
import type { RuleSession } from "../../index.ts";
import type { Paint } from "../paint.ts";

export interface ReplContext {
  session: RuleSession;
  /** Ids of facts by the names that the user gave them in this conversation. */
  readonly names: Map<string, string>;
  /** Moves the clock to the time of a fact, when it follows the facts. */
  readonly follow: (type: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Prints a line. */
  readonly say: (text: string) => void;
  readonly paint: Paint;
  /** Restores the state before the last change; returns false when there is none. */
  readonly undo: () => boolean;
}

/** A command that cannot be carried out. The message is shown to the user; nothing has changed. */
export class CommandError extends Error {}
