/** What one file of a program knows: the names without an alias, and those behind one. */
import { nearest } from "../../base/nearest.ts";
import type { DeclaredName, DeclaredNames, Group } from "./declared.ts";
import type { Alias, ModuleFile, ModuleFiles } from "./files.ts";

/** The meaning of a name: one declaration; several that a file cannot tell apart; or none. */
export type Meaning = readonly DeclaredName[];

export class View {
  readonly file: ModuleFile;
  readonly #files: ModuleFiles;
  readonly #names: DeclaredNames;
  readonly #aliases: ReadonlyMap<string, ModuleFile>;

  constructor(file: ModuleFile, files: ModuleFiles, names: DeclaredNames) {
    this.file = file;
    this.#files = files;
    this.#names = names;
    this.#aliases = byName(files.aliasesOf(file));
  }

  /** Returns what a name without an alias means. */
  plain(group: Group, name: string): Meaning {
    for (const level of this.#files.levelsOf(this.file)) {
      const found = this.#declaredIn(level, group, name);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Returns the file that an alias stands for: `billing`, `billing.tax`. */
  module(path: string): ModuleFile | undefined {
    const [first = "", ...others] = path.split(".");
    let file = this.#aliases.get(first);
    for (const name of others) file = file === undefined ? undefined : this.#aliasIn(file, name);
    return file;
  }

  /** Returns what a name behind an alias means. */
  member(module: ModuleFile, group: Group, name: string): Meaning {
    return this.#declaredIn(this.#files.scopeOf(module), group, name).filter((one) => !one.private);
  }

  /** Returns a private name of a module, or of a file that this one knows. */
  privateName(module: ModuleFile | undefined, group: Group, name: string): DeclaredName | undefined {
    const [, , around = new Set<ModuleFile>()] = this.#files.levelsOf(this.file);
    const files = module === undefined ? [...this.#files.scopeOf(this.file), ...around] : this.#files.scopeOf(module);
    for (const file of files) {
      const found = this.#names.of(file, group).get(name);
      if (found?.private === true) return found;
    }
    return undefined;
  }

  /** Returns the names that this file can use, as it writes them, with what they mean. */
  spellings(group: Group): Map<string, DeclaredName> {
    const known = new Map<string, DeclaredName>();
    for (const level of this.#files.levelsOf(this.file)) this.#addAll(known, level, group, "");
    for (const [alias, module] of this.#aliases) this.#addAll(known, this.#files.scopeOf(module), group, `${alias}.`);
    return known;
  }

  /** Returns how this file writes a name; undefined when it does not know it. */
  spelling(group: Group, meant: DeclaredName): string | undefined {
    for (const [written, one] of this.spellings(group)) if (one === meant) return written;
    return undefined;
  }

  /** Returns the alias that a mistyped one probably means. */
  nearestModule(name: string): string | undefined {
    return nearest(name, this.#aliases.keys());
  }

  #addAll(known: Map<string, DeclaredName>, files: ReadonlySet<ModuleFile>, group: Group, before: string): void {
    for (const file of files) {
      for (const [name, one] of this.#names.of(file, group)) {
        const isKnown = file === this.file || !one.private;
        if (isKnown && !known.has(before + name)) known.set(before + name, one);
      }
    }
  }

  #declaredIn(files: ReadonlySet<ModuleFile>, group: Group, name: string): DeclaredName[] {
    const found = new Map<string, DeclaredName>();
    for (const file of files) {
      const one = this.#names.of(file, group).get(name);
      if (one !== undefined && (!one.private || file === this.file)) found.set(one.unique, one);
    }
    return [...found.values()];
  }

  #aliasIn(module: ModuleFile, name: string): ModuleFile | undefined {
    const aliases = [...this.#files.scopeOf(module)].flatMap((file) => file.aliases);
    return aliases.find((alias) => alias.name.name === name)?.target;
  }
}

function byName(aliases: readonly Alias[]): Map<string, ModuleFile> {
  return new Map(aliases.toReversed().map(({ name, target }) => [name.name, target]));
}
