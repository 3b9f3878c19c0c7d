/**
 * Random files that import each other, merged and under aliases: a name means in each file what a second, short reading of the rules
 * for modules says, and every other name is an error where it stands.
 */
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { check, compileFiles } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import {
  type File,
  FILES,
  type Import,
  NAMES,
  type Program,
  program,
  rule,
  sourceOf,
  type Use,
} from "../support/module-programs.ts";

// ---------------------------------------------------------------- the rules, read once more

/** What a program means, worked out from its imports alone. */
class Meaning {
  readonly #program: Program;
  readonly loaded: ReadonlySet<File>;
  readonly #scopes: readonly ReadonlySet<File>[];

  constructor(given: Program) {
    this.#program = given;
    this.loaded = this.#reach("main", () => true);
    const heads = [...this.loaded].flatMap((file) =>
      given[file].imports.flatMap(({ target, alias }) => (alias === null ? [] : [target])),
    );
    this.#scopes = ["main" as File, ...heads].map((head) => this.merged(head));
  }

  /** Returns a file with those whose names are merged with its own. */
  merged(file: File): ReadonlySet<File> {
    return this.#reach(file, ({ alias }) => alias === null);
  }

  /** Returns whether merged files declare a name twice, or give one alias to two files. */
  get isConfused(): boolean {
    return [...this.loaded].some((file) => {
      const around = this.#around(file);
      const twice = NAMES.some((_, at) => [...around].filter((one) => this.#declares(one, at) === "public").length > 1);
      return twice || (["x", "y"] as const).some((alias) => this.#targets(around, alias).size > 1);
    });
  }

  /** Returns the file whose declaration is meant. */
  of(file: File, { name, path }: Use): File | undefined {
    const at = NAMES.findIndex(([, one]) => one === name);
    const isShown = (one: File): boolean => one === file || this.#declares(one, at) === "public";
    const declaring = (files: Iterable<File>): File[] =>
      [...files].filter((one) => this.#declares(one, at) !== "no" && isShown(one));
    if (path.length === 0) {
      const levels = [declaring([file]), declaring(this.merged(file)), declaring(this.#around(file))];
      return levels.find((level) => level.length > 0)?.[0];
    }
    let module: File | undefined = file;
    for (const [step, alias] of path.entries()) {
      const known: ReadonlySet<File> = step === 0 ? this.#around(file) : this.merged(module);
      [module] = this.#targets(known, alias);
      if (module === undefined) return undefined;
    }
    return [...this.merged(module)].find((one) => this.#declares(one, at) === "public");
  }

  /** Returns every file whose names are known without an alias. */
  #around(file: File): ReadonlySet<File> {
    return new Set([
      ...this.merged(file),
      ...this.#scopes.filter((scope) => scope.has(file)).flatMap((scope) => [...scope]),
    ]);
  }

  #targets(files: ReadonlySet<File>, wanted: "x" | "y"): Set<File> {
    const found = [...files].flatMap((file) => this.#program[file].imports.filter(({ alias }) => alias === wanted));
    return new Set(found.map(({ target }) => target));
  }

  #declares(file: File, at: number): "no" | "public" | "private" {
    return this.#program[file].declares[at] ?? "no";
  }

  #reach(from: File, follow: (one: Import) => boolean): ReadonlySet<File> {
    const found = new Set<File>([from]);
    for (const file of found) {
      for (const one of this.#program[file].imports) if (follow(one)) found.add(one.target);
    }
    return found;
  }
}

const seen = { right: 0, wrong: 0, behindAlias: 0, merged: 0, hiddenByName: 0 };

test(
  "a name means what the imports say, and is an error where they say nothing",
  () => {
    fc.assert(
      fc.property(program, (given) => {
        const meaning = new Meaning(given);
        fc.pre(!meaning.isConfused);
        const uses = FILES.filter((file) => meaning.loaded.has(file)).flatMap((file) =>
          given[file].uses.map((one, index) => ({ file, one, index, meant: meaning.of(file, one) })),
        );
        const textsOf = (kept: typeof uses): Record<string, string> =>
          Object.fromEntries(
            FILES.map((file) => {
              const rules = kept.filter((each) => each.file === file).map(({ one, index }) => rule(file, index, one));
              return [`${file}.tsd`, sourceOf(file, given[file], rules)];
            }),
          );
        // What is not known is an error in its own line, and nothing else is.
        const texts = textsOf(uses);
        const read = (name: string): string | undefined => texts[name];
        const { diagnostics } = check(texts["main.tsd"] ?? "", { file: "main.tsd", read });
        const lineOf = (file: string, line: number): string => texts[file]?.split("\n")[line - 1] ?? "";
        const errors = diagnostics.filter(({ severity }) => severity === "error");
        const wrong = uses.filter(({ meant }) => meant === undefined);
        expect(new Set(errors.map(({ file, line }) => lineOf(file, line)))).toEqual(
          new Set(wrong.map(({ file, index, one }) => rule(file, index, one))),
        );
        // What is known means its declaration.
        const right = uses.filter(({ meant }) => meant !== undefined);
        const correct = textsOf(right);
        const logged: unknown[][] = [];
        const session = compileFiles([{ file: "main.tsd", source: correct["main.tsd"] ?? "" }], {
          read: (name) => correct[name],
        }).session({ actions: { log: (...values: unknown[]) => void logged.push(values) } });
        session.run();
        const expected = right.flatMap(({ file, one, index, meant }) =>
          one.kind === "condition" && meant !== one.asked ? [] : [[`${file} ${index}`, meant]],
        );
        expect(logged.map(String).sort()).toEqual(expected.map(String).sort());
        seen.right += right.length;
        seen.wrong += wrong.length;
        seen.behindAlias += right.filter(({ one }) => one.path.length > 0).length;
        seen.merged += right.filter(({ file, one, meant }) => one.path.length === 0 && meant !== file).length;
        seen.hiddenByName += session.facts().filter(({ id }) => id.includes(".")).length;
      }),
      { numRuns: runs(2_000) },
    );
  },
  PATIENT,
);

afterAll(() => {
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});
