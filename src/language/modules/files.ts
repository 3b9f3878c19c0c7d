/**
 * The files of a program as modules: which files are merged with each other, and under which names other files reach them.
 *
 * A scope is a set of files whose names are merged: the files named for the program with what they import, and each file that is
 * imported `as` a name with what it imports. A file that several scopes import is in all of them, and still one module.
 */
import type * as ast from "../ast.ts";
import type { LoadedFile } from "../loaded-file.ts";
import { plainPath, resolvePath } from "../path.ts";

/** A file of a program with modules. */
export interface ModuleFile {
  readonly key: string;
  readonly loaded: LoadedFile;
  /** The files whose names are merged with those of this one. */
  readonly merged: readonly ModuleFile[];
  readonly aliases: readonly Alias[];
}

/** `import "billing.tsd" as billing`. */
export interface Alias {
  readonly name: ast.Ident;
  readonly target: ModuleFile;
}

/** Returns whether a program has names that not all of its files know. */
export function hasModules(files: readonly LoadedFile[]): boolean {
  return files.some(({ file }) => file.declarations.some((decl) => decl.private === true || isAliased(decl)));
}

function isAliased(decl: ast.Declaration): decl is ast.ImportDecl & { readonly alias: ast.Ident } {
  return decl.kind === "import" && decl.alias !== null;
}

/** The files of a program, and what they import. */
export class ModuleFiles {
  readonly all: readonly ModuleFile[];
  /** The files named for the program that no other file imports, with what they merge. */
  readonly root: ReadonlySet<ModuleFile>;
  readonly #scopes = new Map<ModuleFile, ReadonlySet<ModuleFile>>();
  /** The scopes that a file is in, besides its own. */
  readonly #around: ReadonlyMap<ModuleFile, readonly ReadonlySet<ModuleFile>[]>;
  /** What stands before the names of a file outside: `billing`, `billing.tax`; empty for a file of the root. */
  readonly #paths = new Map<ModuleFile, string>();

  constructor(loaded: readonly LoadedFile[]) {
    this.all = linked(loaded.filter(({ shipped, isTable }) => shipped !== true && isTable !== true));
    this.root = union(rootsOf(this.all).map((file) => this.scopeOf(file)));
    const heads = new Set(this.all.flatMap(({ aliases }) => aliases.map(({ target }) => target)));
    const scopes = [this.root, ...[...heads].map((head) => this.scopeOf(head))];
    this.#around = new Map(this.all.map((file) => [file, scopes.filter((scope) => scope.has(file))]));
    this.#findPaths();
  }

  /** Returns a file with the files that it merges. */
  scopeOf(file: ModuleFile): ReadonlySet<ModuleFile> {
    let scope = this.#scopes.get(file);
    if (scope !== undefined) return scope;
    this.#scopes.set(file, (scope = reached([file], ({ merged }) => merged)));
    return scope;
  }

  /** Returns the files whose names a file knows without an alias, nearest first: itself, what it merges, and what merges it. */
  levelsOf(file: ModuleFile): readonly ReadonlySet<ModuleFile>[] {
    return [new Set([file]), this.scopeOf(file), union(this.#around.get(file) ?? [])];
  }

  /** Returns the aliases that a file knows; a name may be there twice. */
  aliasesOf(file: ModuleFile): readonly Alias[] {
    return [...union(this.levelsOf(file))].flatMap(({ aliases }) => aliases);
  }

  /** Returns what stands before the names of a file outside; empty for a file of the root. */
  pathOf(file: ModuleFile): string {
    return this.#paths.get(file) ?? "";
  }

  /** Finds the shortest path of aliases from the root to each file. */
  #findPaths(): void {
    const waiting: { readonly scope: ReadonlySet<ModuleFile>; readonly path: string }[] = [
      { scope: this.root, path: "" },
    ];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { scope, path } = next;
      const found = [...scope].filter((file) => !this.#paths.has(file));
      for (const file of found) this.#paths.set(file, path);
      if (found.length === 0) continue;
      const targets = new Map<string, ModuleFile>();
      for (const { name, target } of [...scope].flatMap(({ aliases }) => aliases)) {
        // An alias of two files is reported; their names must not be the same, too.
        let alias = name.name;
        for (let count = 2; (targets.get(alias) ?? target) !== target; count++) alias = `${name.name}_${count}`;
        targets.set(alias, target);
        waiting.push({ scope: this.scopeOf(target), path: path === "" ? alias : `${path}.${alias}` });
      }
    }
  }
}

function linked(loaded: readonly LoadedFile[]): ModuleFile[] {
  type Linking = { -readonly [Key in keyof ModuleFile]: ModuleFile[Key] };
  const all = loaded.map((one): Linking => {
    return { key: plainPath(one.file.source.file), loaded: one, merged: [], aliases: [] };
  });
  const byKey = new Map(
    all.flatMap((one) => [one.key, ...(one.loaded.file.otherPaths ?? [])].map((key) => [key, one] as const)),
  );
  for (const one of all) {
    const imports = one.loaded.file.declarations.flatMap((decl) => {
      const target =
        decl.kind === "import"
          ? byKey.get(plainPath(resolvePath(one.loaded.file.source.file, decl.path.value)))
          : undefined;
      return decl.kind === "import" && target !== undefined ? [{ alias: decl.alias, target }] : [];
    });
    one.merged = imports.flatMap(({ alias, target }) => (alias === null ? [target] : []));
    one.aliases = imports.flatMap(({ alias, target }) => (alias === null ? [] : [{ name: alias, target }]));
  }
  return all;
}

/** Returns the files named for the program that no other one imports; of a circle of imports, the one that was read last. */
function rootsOf(all: readonly ModuleFile[]): ModuleFile[] {
  const importsOf = ({ merged, aliases }: ModuleFile): ModuleFile[] => [
    ...merged,
    ...aliases.map(({ target }) => target),
  ];
  const imported = new Set(all.flatMap((file) => importsOf(file).filter((target) => target !== file)));
  const named = all.filter(({ loaded }) => loaded.imported !== true);
  const roots = named.filter((file) => !imported.has(file));
  for (;;) {
    const known = reached(roots, importsOf);
    const left = named.findLast((file) => !known.has(file));
    if (left === undefined) return roots;
    roots.push(left);
  }
}

function reached(from: readonly ModuleFile[], next: (file: ModuleFile) => readonly ModuleFile[]): Set<ModuleFile> {
  const found = new Set(from);
  for (const file of found) for (const other of next(file)) found.add(other);
  return found;
}

function union<Item>(sets: readonly ReadonlySet<Item>[]): Set<Item> {
  return new Set(sets.flatMap((set) => [...set]));
}
