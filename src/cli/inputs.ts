/** Which of the files on a command line hold rules and which hold facts. */
import { namesFacts } from "./facts/format.ts";
import { UsageError, type Arguments } from "./arguments.ts";

export interface Inputs {
  readonly rules: readonly string[];
  readonly facts: readonly string[];
  /** Facts that may be of protected types too. */
  readonly policy: readonly string[];
}

/** The options that name files of facts; each may be given again. */
export const FACTS_OPTIONS = ["facts", "policy"] as const;

/** A file that is named like one of facts is one, and is never policy: so `--facts data/*.csv` takes all that the shell makes of it. */
export function inputsOf(parsed: Arguments, rulesNeeded = true): Inputs {
  const rules = parsed.files.filter((file) => !namesFacts(file));
  const facts = [...(parsed.values.get("facts") ?? []), ...parsed.files.filter(namesFacts)];
  const policy = parsed.values.get("policy") ?? [];
  if ([...rules, ...facts, ...policy].filter((file) => file === "-").length > 1) {
    throw new UsageError("standard input can be read only once");
  }
  const given = [...facts, ...policy];
  if (rulesNeeded && rules.length === 0 && given.length > 0) {
    throw new UsageError(`no rules given, only facts (${given.join(", ")}); name .tsd files or a folder too`);
  }
  return { rules, facts, policy };
}
