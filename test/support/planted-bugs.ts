/**
 * Eight bugs that rule engines have had, as edits of the source. The plugin makes the edits while vitest loads the engine
 * (vitest.planted.config.ts); an edit does nothing until `plant` names its bug, so one process can try them all.
 *
 * Every `find` must occur exactly once in its file: an edit that no longer fits is an error, never a bug that is not there.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "vitest/config";

export type PlantedBug =
  | "duplicate-ancestor"
  | "not-never-unblocks"
  | "join-key-without-operator"
  | "alpha-by-hash-only"
  | "join-compares-as-text"
  | "delete-only-first"
  | "exists-ends-at-one"
  | "alpha-without-type";

/** In `replace`, `PLANTED` stands for the question whether this bug is planted, and `$&` for the text that was found. */
interface Edit {
  readonly bug: PlantedBug;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const AS_TEXT = `$&.map((evaluate) =>
  PLANTED ? (match, fact) => JSON.stringify(evaluate(match, fact))?.replaceAll('"', "") : evaluate)`;

const EDITS: readonly Edit[] = [
  // A new fact reaches an ancestor before its descendants, and a pair is made twice.
  {
    bug: "duplicate-ancestor",
    file: "src/rete/alpha-memory.ts",
    find: "rank < one.rank",
    replace: "(PLANTED ? rank > one.rank : $&)",
  },
  // A match that a fact blocked stays blocked when the fact is gone.
  {
    bug: "not-never-unblocks",
    file: "src/rete/absence.ts",
    find: "lost(entry: BlockEntry): void {",
    replace: "$& if (PLANTED && this.negated) return release(entry);",
  },
  {
    bug: "not-never-unblocks",
    file: "src/rete/quantifier.ts",
    find: "this.#count -= 1;",
    replace: "if (!PLANTED) $&",
  },
  // Joins that compare the same fields are shared, however they compare them.
  {
    bug: "join-key-without-operator",
    file: "src/plan/patterns.ts",
    find: "parts.join(",
    replace: 'parts.map((part) => (PLANTED ? part.replace(/ [<>=!]+ /gu, " ") : part)).join(',
  },
  // Tests are shared when their hashes are equal, whatever their text is.
  {
    bug: "alpha-by-hash-only",
    file: "src/plan/node-table.ts",
    find: "|${node.text}`",
    replace: '|${PLANTED && node.kind === "alpha" ? this.#hash(node.text) : node.text}`',
  },
  // The number 1 equals the string "1" in a join.
  {
    bug: "join-compares-as-text",
    file: "src/assemble/expression-compiler.ts",
    find: "fields.map((field) => this.evaluated(field, -1, level))",
    replace: AS_TEXT,
  },
  {
    bug: "join-compares-as-text",
    file: "src/assemble/expression-compiler.ts",
    find: "values.map((value) => this.evaluated(value, level))",
    replace: AS_TEXT,
  },
  // Of the matches of a fact that is retracted only the first is removed.
  {
    bug: "delete-only-first",
    file: "src/rete/network.ts",
    find: "while (fact.matches !== undefined)",
    replace: "for (let first = true; fact.matches !== undefined && (first || !PLANTED); first = false)",
  },
  // An exists is false as soon as only one fact is left.
  {
    bug: "exists-ends-at-one",
    file: "src/rete/absence.ts",
    find: "lost(entry: BlockEntry): void {",
    replace: `$&
      if (PLANTED && !this.negated) {
        let left = 0;
        let found = this.spec.index?.table.find(this.spec.key, entry.match, undefined);
        for (; found !== undefined; found = found.next) {
          if (this.#test === undefined || this.#test(entry.match, found.fact) === true) left += 1;
        }
        release(entry);
        if (left === 1) this.#wait(entry);
        else this.redoEntry(entry);
        this.#schedule(entry);
        return;
      }`,
  },
  {
    bug: "exists-ends-at-one",
    file: "src/rete/quantifier.ts",
    find: "this.#count -= 1;",
    replace: "$& if (PLANTED && this.#count === 1) this.#count = 0;",
  },
  // Equal tests are shared even when they are about facts of different types.
  {
    bug: "alpha-without-type",
    file: "src/plan/node-table.ts",
    find: 'node.kind === "alpha" ? node.type : ""',
    replace: '(PLANTED ? "" : $&)',
  },
];

const world = globalThis as { __plantedBug?: PlantedBug | undefined };

/** Plants a bug and removes the one before; undefined leaves the engine right. */
export function plant(bug: PlantedBug | undefined): void {
  world.__plantedBug = bug;
}

/** Returns the source of a file with its edits; throws when one of them does not fit. */
function withPlantedBugs(file: string, source: string): string {
  const found = EDITS.filter((edit) => edit.file === file);
  for (const { bug, find } of found) {
    const times = source.split(find).length - 1;
    if (times === 1) continue;
    throw new Error(
      `The planted bug "${bug}" does not fit ${file}: its text occurs ${times} times, not once. ` +
        `Change the edit in test/support/planted-bugs.ts so that it makes the same mistake in the new source:\n  ${find}`,
    );
  }
  // Edits of one place go inside each other: each puts its own text after or around what was there.
  return found.reduce(
    (text, { bug, find, replace }) =>
      text.replace(find, (all) =>
        replace.replaceAll("$&", () => all).replaceAll("PLANTED", () => `(globalThis.__plantedBug === "${bug}")`),
      ),
    source,
  );
}

/** Throws unless every edit fits the source as it is now, also in files that a test does not load. */
export function checkPlantedBugs(): void {
  for (const file of new Set(EDITS.map((edit) => edit.file))) withPlantedBugs(file, readFileSync(file, "utf8"));
}

export function plantedBugs(): Plugin {
  return {
    name: "planted-bugs",
    enforce: "pre",
    configResolved: checkPlantedBugs,
    transform: (source, id) => {
      const file = EDITS.find((edit) => id.endsWith(`/${edit.file}`))?.file;
      return file === undefined ? undefined : withPlantedBugs(file, source);
    },
  };
}
