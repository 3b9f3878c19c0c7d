/**
 * The door that all output of commands goes through: no control character of a name, a value, a file name or an argument
 * reaches a terminal, whichever command prints it and wherever it forgets to care. Colours are added here.
 */
import { printable } from "../index.ts";
import type { Dialogue, Io } from "./io.ts";
import { unmarked } from "./paint.ts";

export function withSafeOutput(io: Io): Io {
  return {
    ...io,
    out: (text) => io.out(safeText(text)),
    err: (text) => io.err(safeText(text)),
    dialogue: (dialogue) => io.dialogue(safeDialogue(dialogue)),
  };
}

/** Texts with line ends of other systems keep their lines. */
function safeText(text: string): string {
  return unmarked(text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text, (words) => printable(words));
}

/** Words to complete go into the line that is typed: one that cannot be shown as it is is not offered. */
function safeDialogue(dialogue: Dialogue): Dialogue {
  return {
    prompt: () => safeText(dialogue.prompt()),
    complete: (line) => {
      const [hits, replaced] = dialogue.complete(line);
      return [hits.filter((hit) => printable(hit) === hit), replaced];
    },
    line: (text) => dialogue.line(text),
    interrupted: () => dialogue.interrupted(),
  };
}
