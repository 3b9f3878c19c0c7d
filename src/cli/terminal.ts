/** Reads lines from the real terminal, and watches real files. */
import { createInterface } from "node:readline";
import { ChangedFiles } from "../node/changed-files.ts";
import type { Dialogue } from "./io.ts";

/** The streams of a conversation: a terminal, or a file or pipe of lines. */
export interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

export function dialogue(
  dialogue: Dialogue,
  { input, output }: Streams = { input: process.stdin, output: process.stdout },
): Promise<void> {
  const person = input.isTTY && output.isTTY;
  const lines = createInterface({
    input,
    ...(person ? { output } : {}),
    terminal: person,
    historySize: 1000,
    removeHistoryDuplicates: true,
    completer: (line: string) => {
      const [hits, replaced] = dialogue.complete(line);
      return [[...hits], replaced];
    },
  });
  const ask = (): void => {
    if (!person) return;
    lines.setPrompt(dialogue.prompt());
    lines.prompt();
  };
  /** Runs a line. Meanwhile Ctrl-C is a signal again and ends the process, however long the work takes. */
  const work = (text: string): boolean => {
    if (person) input.setRawMode(false);
    const goesOn = dialogue.line(text);
    if (person && goesOn) input.setRawMode(true);
    return goesOn;
  };
  return new Promise((resolve, reject) => {
    lines.on("close", resolve);
    lines.on("SIGINT", () => {
      dialogue.interrupted();
      lines.write(null, { ctrl: true, name: "e" });
      lines.write(null, { ctrl: true, name: "u" });
      ask();
    });
    lines.on("line", (text) => {
      try {
        if (work(text)) ask();
        else lines.close();
      } catch (error) {
        reject(error);
        lines.close();
      }
    });
    ask();
  });
}

/** The milliseconds between two looks at the files. */
const INTERVAL = 200;

export function watch(files: () => readonly string[], work: () => void): Promise<void> {
  const changed = new ChangedFiles(files);
  changed.during(work);
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      if (!changed.any) return;
      try {
        changed.during(work);
      } catch (error) {
        end();
        reject(error);
      }
    }, INTERVAL);
    const end = (): void => {
      clearInterval(timer);
      for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, end);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
  });
}
