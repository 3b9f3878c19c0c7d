/** Sorts the files on a command line into rules and facts. */
import { namesFacts } from "./facts/format.ts";
import { UsageError, type Arguments } from "./arguments.ts";

export interface Inputs {
  readonly rules: readonly string[];
  readonly facts: readonly string[];
  /** Files of facts that may also be of protected types. */
  readonly policy: readonly string[];
}

/** The options that name files of facts; each is repeatable. */
export const FACTS_OPTIONS = ["facts", "policy"] as const;

/** Returns the files of rules, facts and policy. A file with the ending of a facts file is one, so `--facts data/*.csv` works after the shell expands it; it is never policy. */
export function inputsOf(parsed: Arguments, rulesNeeded = true): Inputs {
  const rules = parsed.files.filter((file) => !namesFacts(file));
  const facts = [...(parsed.values.get("facts") ?? []), ...parsed.files.filter(namesFacts)];
  const policy = parsed.values.get("policy") ?? [];
  if ([...rules, ...facts, ...policy].filter((file) => file === "-").length > 1) {
    throw new UsageError("- (standard input) can be used only once");
  }
  const given = [...facts, ...policy];
  if (rulesNeeded && rules.length === 0 && given.length > 0) {
    throw new UsageError(
      `no rule files: ${given.join(", ")} ${given.length === 1 ? "contains" : "contain"} facts; add .tsd files or a folder`,
    );
  }
  return { rules, facts, policy };
}
