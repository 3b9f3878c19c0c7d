/** The names that the files of a program declare, and the name that each has in the whole program. */
import { AGGREGATES } from "../../functions/aggregates.ts";
import { FUNCTIONS } from "../../functions/functions.ts";
import type * as ast from "../ast.ts";
import { ENGINE_TYPES } from "../check/builtin-types.ts";
import { ACTIONS } from "../check/signature.ts";
import { declaresBuiltIn } from "../legacy.ts";
import type { ModuleFile, ModuleFiles } from "./files.ts";

/** Two declarations of one group cannot have the same name: what a name in an expression means must not depend on its kind. */
export type Group =
  "type" | "value" | "action" | "rule" | "gate" | "flow" | "guardian" | "pipeline" | "query" | "test" | "xuple-space";

const GROUPS: Partial<Record<ast.Declaration["kind"], Group>> = {
  type: "type",
  record: "type",
  alias: "type",
  action: "action",
  rule: "rule",
  condition: "value",
  function: "value",
  table: "value",
  const: "value",
  param: "value",
  fact: "value",
  gate: "gate",
  flow: "flow",
  guardian: "guardian",
  pipeline: "pipeline",
  query: "query",
  test: "test",
  "xuple-space": "xuple-space",
};

/** Returns the group of a kind of names, as messages call it: what expressions name is of one group. */
export function groupOf(kind: string): Group {
  return (GROUPS as Readonly<Record<string, Group | undefined>>)[kind] ?? "value";
}

/** What a path can begin with. */
const IN_PATHS: ReadonlySet<ast.Declaration["kind"]> = new Set(["const", "param", "fact", "condition"]);

/** A name that a file declares. */
export interface DeclaredName {
  readonly file: ModuleFile;
  /** The name in the file. */
  readonly name: string;
  /** The name in the whole program. */
  readonly unique: string;
  readonly private: boolean;
  /** The word for it in messages. */
  readonly word: string;
  /** True when a path can begin with it. */
  readonly inPaths: boolean;
}

type NamedDeclaration = Extract<ast.Declaration, { readonly name: ast.Ident | null }>;

/** Returns the name that a statement declares, and its group; undefined when it declares none. */
export function nameOf(decl: ast.Declaration): { readonly group: Group; readonly name: ast.Ident } | undefined {
  const group = declaresBuiltIn(decl) ? undefined : GROUPS[decl.kind];
  const name = (decl as NamedDeclaration).name;
  return group === undefined || name === null ? undefined : { group, name };
}

/** The names that the files of a program declare. */
export class DeclaredNames {
  readonly #byFile = new Map<ModuleFile, Map<Group, Map<string, DeclaredName>>>();
  readonly #unique = new Map<Group, Map<string, DeclaredName>>();
  readonly #byName = new Map<Group, Map<string, DeclaredName[]>>();
  readonly #files: ModuleFiles;

  constructor(files: ModuleFiles) {
    this.#files = files;
    const groups = new Map<Group, Map<string, Found[]>>();
    for (const file of files.all) {
      for (const decl of file.loaded.file.declarations) {
        const named = nameOf(decl);
        if (named === undefined) continue;
        const { name } = named.name;
        const found = { file, private: decl.private === true, kind: decl.kind };
        push(
          getOr(groups, named.group, () => new Map<string, Found[]>()),
          name,
          found,
        );
      }
    }
    for (const [group, names] of groups) this.#nameAll(group, names);
  }

  /** Returns the names that a file declares. */
  of(file: ModuleFile, group: Group): ReadonlyMap<string, DeclaredName> {
    return this.#byFile.get(file)?.get(group) ?? NONE;
  }

  /** Returns what has this name in the whole program. */
  unique(group: Group, name: string): DeclaredName | undefined {
    return this.#unique.get(group)?.get(name);
  }

  /** Returns everything that is declared under a name. */
  anywhere(group: Group, name: string): readonly DeclaredName[] {
    return this.#byName.get(group)?.get(name) ?? [];
  }

  #nameAll(group: Group, names: ReadonlyMap<string, readonly Found[]>): void {
    const taken = new Set<string>();
    const add = (name: string, found: readonly Found[], unique: string): void => {
      taken.add(unique);
      for (const one of found) this.#add(group, name, one, unique);
    };
    const later: [name: string, found: readonly Found[], wanted: readonly string[]][] = [];
    for (const [name, found] of names) {
      const [shown, hidden] = this.#parted(found);
      const inRoot = shown.filter(({ file }) => this.#files.root.has(file));
      if (inRoot.length > 0) add(name, inRoot, name);
      const others = byKey(shown, ({ file }) => (this.#files.root.has(file) ? undefined : this.#files.pathOf(file)));
      const isFree = inRoot.length === 0 && !isBuiltIn(group, name);
      if (isFree && others.size === 1) for (const one of others.values()) add(name, one, name);
      else for (const [path, one] of others) later.push([name, one, [`${path}.${name}`]]);
      for (const [file, one] of byKey(hidden, (each) => each.file)) {
        const isOnly = isFree && shown.length === 0 && hidden.every((other) => other.file === file);
        later.push([name, one, [...(isOnly ? [name] : []), ...this.#wanted(file, name)]]);
      }
    }
    for (const [name, found, wanted] of later) add(name, found, freeName(wanted, taken));
  }

  /** Returns the statements whose names others know, and the others. What a file declares twice is found twice. */
  #parted(found: readonly Found[]): readonly [shown: readonly Found[], hidden: readonly Found[]] {
    const files = new Set(found.flatMap((one) => (one.private ? [] : [one.file])));
    return [found.filter(({ file }) => files.has(file)), found.filter(({ file }) => !files.has(file))];
  }

  /** Returns names for what is private to a file. */
  #wanted(file: ModuleFile, name: string): string[] {
    const path = this.#files.pathOf(file);
    const stem = (file.key.split("/").at(-1) ?? "").replace(/\.tsd$/u, "").replace(/[^\p{L}\p{M}\p{N}_-]/gu, "_");
    return path === "" ? [`${stem}.${name}`] : [`${path}.${name}`, `${path}.${stem}.${name}`];
  }

  #add(group: Group, name: string, { file, private: isPrivate, kind }: Found, unique: string): void {
    const names = getOr(
      getOr(this.#byFile, file, () => new Map<Group, Map<string, DeclaredName>>()),
      group,
      () => new Map<string, DeclaredName>(),
    );
    const inPaths = IN_PATHS.has(kind) || names.get(name)?.inPaths === true;
    const declared = { file, name, unique, private: isPrivate, word: WORDS[kind] ?? kind, inPaths };
    names.set(name, declared);
    push(
      getOr(this.#byName, group, () => new Map<string, DeclaredName[]>()),
      name,
      declared,
    );
    const all = getOr(this.#unique, group, () => new Map<string, DeclaredName>());
    if (!all.has(unique) || inPaths) all.set(unique, declared);
  }
}

const NONE: ReadonlyMap<string, DeclaredName> = new Map();
const WORDS: Partial<Record<ast.Declaration["kind"], string>> = {
  const: "constant",
  param: "parameter",
  alias: "type",
};

interface Found {
  readonly file: ModuleFile;
  readonly private: boolean;
  readonly kind: ast.Declaration["kind"];
}

const TYPES_BUILT_IN: ReadonlySet<string> = new Set([
  ...ENGINE_TYPES.map(({ name }) => name),
  ..."string number bool boolean any date instant duration".split(" "),
]);
/** The clock, and what an `after` sees of the decision. */
const WORDS_BUILT_IN: ReadonlySet<string> = new Set("now today decision reason answer receiver".split(" "));

/** Returns whether a name means something without a declaration. */
export function isBuiltIn(group: Group, name: string): boolean {
  const lower = name.toLowerCase();
  if (group === "type") return TYPES_BUILT_IN.has(name);
  if (group === "action") return ACTIONS.has(lower);
  return group === "value" && (FUNCTIONS.has(lower) || AGGREGATES.has(lower) || WORDS_BUILT_IN.has(name));
}

/** Returns the first name that is not taken; the last one gets a number when all are. */
function freeName(wanted: readonly string[], taken: ReadonlySet<string>): string {
  const free = wanted.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  const last = wanted.at(-1) ?? "";
  let count = 2;
  while (taken.has(`${last}_${count}`)) count += 1;
  return `${last}_${count}`;
}

function getOr<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function push<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  getOr(map, key, (): Item[] => []).push(item);
}

/** Groups items; those with an undefined key are left out. */
function byKey<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key | undefined): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) push(groups, key, item);
  }
  return groups;
}
