/**
 * All output of commands passes through here: no control character of a name, a value, a file name or an argument reaches a
 * terminal, whichever command prints it. Colours are added here.
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

/** Returns the text as it is printed; CRLF counts as a line break. */
function safeText(text: string): string {
  return unmarked(text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text, (words) => printable(words));
}

/** Wraps a conversation. A completion goes into the typed line, so one with hidden characters is not offered. */
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
