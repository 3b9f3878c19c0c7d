/**
 * The door that all output of commands goes through: no control character of a name, a value, a file name or an argument
 * reaches a terminal, whichever command prints it and wherever it forgets to care. Colours are added here.
 */
import { printable } from "../index.ts";
import type { Dialogue, Io } from "./io.ts";
import { unmarked } from "./paint.ts";

export function behindDoor(io: Io): Io {
  return {
    ...io,
    out: (text) => io.out(shown(text)),
    err: (text) => io.err(shown(text)),
    dialogue: (dialogue) => io.dialogue(careful(dialogue)),
  };
}

/** Texts with line ends of other systems keep their lines. */
function shown(text: string): string {
  return unmarked(text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text, (words) => printable(words));
}

/** Words to complete go into the line that is typed: one that cannot be shown as it is is not offered. */
function careful(dialogue: Dialogue): Dialogue {
  return {
    prompt: () => shown(dialogue.prompt()),
    complete: (line) => {
      const [hits, replaced] = dialogue.complete(line);
      return [hits.filter((hit) => printable(hit) === hit), replaced];
    },
    line: (text) => dialogue.line(text),
    interrupted: () => dialogue.interrupted(),
  };
}
