/** Which of the files on a command line hold rules and which hold facts. */
import { namesFacts } from "./facts/format.ts";
import { UsageError, type Words } from "./usage.ts";

export interface Inputs {
  readonly rules: readonly string[];
  readonly facts: readonly string[];
}

/** A file that is named like one of facts is one: so `--facts data/*.csv` takes all that the shell makes of it. */
export function inputsOf(words: Words, rulesNeeded = true): Inputs {
  const rules = words.files.filter((file) => !namesFacts(file));
  const facts = [...(words.values.get("facts") ?? []), ...words.files.filter(namesFacts)];
  if ([...rules, ...facts].filter((file) => file === "-").length > 1) {
    throw new UsageError("standard input can be read only once");
  }
  if (rulesNeeded && rules.length === 0 && facts.length > 0) {
    throw new UsageError(`no rules given, only facts (${facts.join(", ")}); name .tsd files or a folder too`);
  }
  return { rules, facts };
}
