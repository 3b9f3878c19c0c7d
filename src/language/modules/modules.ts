/**
 * The modules of a program: each name becomes the one that it has in the whole program before anything else is checked.
 *
 * A declaration keeps its name when no other file declares it, and is `billing.Invoice` otherwise. The checker, the planner, the engine
 * and the explanations know only these names; only here is known who may use which.
 */
import { mapped, type Steps } from "../../base/slices.ts";
import type { Source } from "../../base/source.ts";
import type * as ast from "../ast.ts";
import { ENGINE_TYPES } from "../check/builtin-types.ts";
import { setOrigin } from "../copied.ts";
import type { LoadedFile } from "../loaded-file.ts";
import { type DeclaredName, DeclaredNames, type Group, isBuiltIn } from "./declared.ts";
import { hasModules, type ModuleFile, ModuleFiles } from "./files.ts";
import { localNames } from "./local-names.ts";
import { type Lookup, renamed } from "./renamed.ts";
import { Faults } from "./faults.ts";
import { View } from "./view.ts";

/** Returns the modules of a program; undefined when every file knows every name. */
export function modulesOf(files: readonly LoadedFile[]): Modules | undefined {
  return hasModules(files) ? new Modules(files) : undefined;
}

export class Modules {
  /** The names that were reported as unknown: nothing more is reported about them. */
  readonly reported: Set<string> = new Set();
  readonly #files: ModuleFiles;
  readonly #names: DeclaredNames;
  readonly #views = new Map<ModuleFile, View>();
  readonly #bySource: ReadonlyMap<Source, ModuleFile>;
  /** Where errors in the columns and rows of tables in files are reported. */
  readonly #tableReports: ReadonlyMap<string, LoadedFile["report"]>;
  /** The names that the files of the package declare, which every file knows. */
  readonly #shipped: ReadonlySet<string>;
  /** The fields of each type, by its name in the whole program. */
  readonly #fields: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(loaded: readonly LoadedFile[]) {
    this.#files = new ModuleFiles(loaded);
    this.#names = new DeclaredNames(this.#files);
    this.#bySource = new Map(this.#files.all.map((file) => [file.loaded.report.source, file]));
    this.#tableReports = new Map(
      loaded.flatMap((one) => (one.isTable === true ? [[one.file.source.file, one.report] as const] : [])),
    );
    const shipped = loaded.filter((one) => one.shipped === true).flatMap(({ file }) => file.declarations);
    this.#shipped = new Set(shipped.flatMap((decl) => ("name" in decl && decl.name !== null ? [decl.name.name] : [])));
    this.#fields = this.#fieldsOfTypes(shipped);
  }

  /** Returns a file with the names of the whole program. One step for each statement. */
  *resolving(one: LoadedFile): Steps<LoadedFile> {
    const file = this.#bySource.get(one.report.source);
    if (file === undefined) return one;
    const view = this.#viewOf(file);
    const faults = new Faults(one.report, view, this.reported);
    faults.checkAliases(this.#files.aliasesOf(file));
    const declarations = yield* mapped(one.file.declarations, (decl) => {
      const locals = localNames(decl);
      const inFile = decl.kind === "table" ? this.#tableReports.get(decl.from?.file ?? "") : undefined;
      const own = inFile === undefined ? faults : new Faults(inFile, view, this.reported);
      return renamed(
        decl,
        this.#lookup(file, own, (name) => locals.has(name)),
      );
    });
    return { ...one, file: { ...one.file, declarations } };
  }

  /** Returns an expression that is read later, such as `{…}` in a reason, with the names of the whole program. */
  expression(
    expr: ast.Expr,
    within: Source,
    faults: LoadedFile["report"],
    isLocal: (name: string) => boolean,
  ): ast.Expr {
    const file = this.#bySource.get(within);
    if (file === undefined) return expr;
    return renamed(expr, this.#lookup(file, new Faults(faults, this.#viewOf(file), this.reported), isLocal));
  }

  /** Returns the names that a file can use, as it writes them; undefined for a file of the package. */
  spellings(group: Group, within: Source): ReadonlyMap<string, DeclaredName> | undefined {
    const file = this.#bySource.get(within);
    return file === undefined ? undefined : this.#viewOf(file).spellings(group);
  }

  /** Returns what a name without an alias means in a file; undefined for a file of the package. */
  plain(group: Group, name: string, within: Source): readonly DeclaredName[] | undefined {
    const file = this.#bySource.get(within);
    return file === undefined ? undefined : this.#viewOf(file).plain(group, name);
  }

  /** Returns whether the statements of a text were added to the program. */
  isAdded(source: Source): boolean {
    return this.#bySource.get(source)?.loaded.added === true;
  }

  /** Returns whether a file stands outside the modules, and knows their names as hosts do: what is added to a program, and facts. */
  #isOutside({ loaded: { added, imported, file } }: ModuleFile): boolean {
    if (added === true) return true;
    return imported !== true && file.declarations.length > 0 && file.declarations.every(({ kind }) => kind === "fact");
  }

  #viewOf(file: ModuleFile): View {
    let view = this.#views.get(file);
    if (view === undefined) this.#views.set(file, (view = new View(file, this.#files, this.#names)));
    return view;
  }

  #lookup(file: ModuleFile, faults: Faults, isLocal: (name: string) => boolean): Lookup {
    const view = this.#viewOf(file);
    return {
      declared: (group, name) => this.#names.of(file, group).get(name)?.unique ?? name,
      used: (group, ident) => this.#used(view, faults, group, ident),
      means: (group, ident) => this.#means(view, group, ident),
      path: (path, isField) => this.#path(view, faults, path, (name) => isLocal(name) || isField(name)),
      fields: (type) => this.#fields.get(type),
    };
  }

  /** Returns whether a file knows a name of a group. */
  #means(view: View, group: Group, { name, module }: ast.Ident): boolean {
    if (this.#isOutside(view.file) && this.#names.unique(group, name) !== undefined) return true;
    if (module === undefined) return view.plain(group, name).length > 0;
    const file = view.module(module);
    return file !== undefined && view.member(file, group, name.slice(module.length + 1)).length > 0;
  }

  /** Returns the name in the whole program of a name that is used; reports one that the file does not know. */
  #used(view: View, faults: Faults, group: Group, ident: ast.Ident): string {
    const { name, module } = ident;
    const outside = this.#isOutside(view.file) ? this.#names.unique(group, name) : undefined;
    if (module !== undefined) return outside?.unique ?? this.#behindAlias(view, faults, group, ident, module);
    const found = view.plain(group, name);
    const [first] = found;
    if (found.length > 1) faults.ambiguous(ident, found);
    if (first !== undefined) return first.unique;
    if (outside !== undefined || this.#shipped.has(name)) return name;
    return this.#hidden(view, faults, group, ident);
  }

  #behindAlias(view: View, faults: Faults, group: Group, ident: ast.Ident, path: string): string {
    const name = ident.name.slice(path.length + 1);
    const module = view.module(path);
    if (module === undefined) return faults.unknownModule(ident, path);
    const found = view.member(module, group, name);
    const [first] = found;
    if (found.length > 1) faults.ambiguous(ident, found);
    if (first !== undefined) return first.unique;
    if (this.#isUnread(module, name)) return faults.excused(ident);
    return faults.unknownMember(ident, { path, name, group, module });
  }

  /** Reports a name that only other files know; returns what is probably meant. */
  #hidden(view: View, faults: Faults, group: Group, ident: ast.Ident): string {
    const others = this.#names.anywhere(group, ident.name);
    const [only, ...more] = others;
    if (only === undefined || this.#isUnread(view.file, ident.name)) return ident.name;
    if (!isBuiltIn(group, ident.name)) {
      faults.hidden(ident, group, others);
      return more.length === 0 ? only.unique : faults.excused(ident);
    }
    const same = this.#names.unique(group, ident.name);
    if (same !== undefined) faults.builtIn(ident, same);
    return ident.name;
  }

  /** Returns whether a name may be declared in a part of a module that could not be read. */
  #isUnread(module: ModuleFile, name: string): boolean {
    return [...this.#files.scopeOf(module)].some(({ loaded: { file } }) => {
      return file.unread?.more === true || file.unread?.names.some((one) => one.name === name) === true;
    });
  }

  #path(view: View, faults: Faults, path: ast.PathExpr, isLocal: (name: string) => boolean): ast.PathExpr {
    const { root, fields } = path;
    const found = view.plain("value", root.name).find(({ inPaths }) => inPaths);
    const local = isLocal(root.name);
    if (!local && found === undefined && fields.length > 0 && view.module(root.name) !== undefined) {
      return this.#memberPath(view, faults, path);
    }
    if (!local && found !== undefined) {
      return found.unique === root.name ? path : { ...path, root: { ...root, name: found.unique, written: root.name } };
    }
    const other = this.#names.unique("value", root.name);
    const others = this.#names.anywhere("value", root.name).filter(({ inPaths }) => inPaths);
    if (this.#isOutside(view.file) || others.length === 0 || (other !== undefined && other.unique === found?.unique))
      return path;
    // The name means something in another file, and must not be found there.
    const here = { ...path };
    setOrigin(here, "local");
    if (!local) faults.notHere(here, others);
    return here;
  }

  /** Returns the path of a name behind an alias: `billing.VAT`, `billing.tax.RATES`. */
  #memberPath(view: View, faults: Faults, path: ast.PathExpr): ast.PathExpr {
    let alias = path.root.name;
    let length = 1;
    for (; length < path.fields.length; length++) {
      const longer = `${alias}.${path.fields[length - 1]?.name ?? ""}`;
      if (view.module(longer) === undefined) break;
      alias = longer;
    }
    const last = path.fields[length - 1];
    if (last === undefined) return path;
    const span = { start: path.root.span.start, end: last.span.end };
    const ident = { name: `${alias}.${last.name}`, module: alias, span };
    const outside = this.#isOutside(view.file) ? this.#names.unique("value", ident.name)?.unique : undefined;
    const name = outside ?? this.#behindAlias(view, faults, "value", ident, alias);
    const root = { name, span, ...(name === ident.name ? {} : { written: ident.name }) };
    const made = { ...path, root, fields: path.fields.slice(length) };
    setOrigin(made, this.reported.has(name) ? "reported" : "global");
    return made;
  }

  #fieldsOfTypes(shipped: readonly ast.Declaration[]): Map<string, ReadonlySet<string>> {
    const fields = new Map<string, ReadonlySet<string>>();
    const add = (name: string, decl: ast.Declaration): void => {
      if (decl.kind === "type") fields.set(name, new Set(decl.fields.map((field) => field.name.name)));
    };
    for (const decl of shipped) if (decl.kind === "type") add(decl.name.name, decl);
    for (const file of this.#files.all) {
      for (const decl of file.loaded.file.declarations) {
        if (decl.kind === "type") add(this.#names.of(file, "type").get(decl.name.name)?.unique ?? decl.name.name, decl);
      }
    }
    for (const { name, fields: own } of ENGINE_TYPES) fields.set(name, new Set(own.keys()));
    return fields;
  }
}
