/** Reports names that a file does not know. */
import type { Report } from "../../base/diagnostic.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import type * as ast from "../ast.ts";
import type { DeclaredName, Group } from "./declared.ts";
import type { Alias, ModuleFile } from "./files.ts";
import { isReserved } from "../check/names.ts";
import type { View } from "./view.ts";

/** What a name behind an alias was looked up as. */
interface Member {
  readonly path: string;
  readonly name: string;
  readonly group: Group;
  readonly module: ModuleFile;
}

export class Faults {
  readonly #report: Report;
  readonly #view: View;
  readonly #reported: Set<string>;

  /** Takes the set of names about which nothing more is reported. */
  constructor(report: Report, view: View, reported: Set<string>) {
    this.#report = report;
    this.#view = view;
    this.#reported = reported;
  }

  /** Reports an alias that stands for two files, or that is a name of this file as well. */
  checkAliases(aliases: readonly Alias[]): void {
    const first = new Map<string, Alias>();
    for (const alias of aliases) {
      const { name, span } = alias.name;
      const before = first.get(name) ?? alias;
      first.set(name, before);
      if (!this.#view.file.aliases.includes(alias)) continue;
      if (isReserved(name)) this.#report.error("E210", span, `"${name}" is a reserved name`, "choose another name");
      if (before.target !== alias.target) {
        const message = `"${name}" is the name of two imported files`;
        this.#report.error("E204", span, message, `the other one is ${fileOf(before.target)}; choose another name`);
      }
      const [value] = this.#view.plain("value", name);
      if (value === undefined) continue;
      const message = `"${name}" is the name of an imported file and of ${withArticle(value.word)}`;
      this.#report.error("E204", span, message, "choose another name");
    }
  }

  ambiguous(ident: ast.Ident, found: readonly DeclaredName[]): void {
    const files = found.map(({ file }) => fileOf(file)).join(" and ");
    const message = `"${ident.name}" is declared in ${files}`;
    this.#report.error("E219", ident.span, message, 'give one of them a name of its own: import "…" as name');
  }

  /** Reports a name of a file that is imported under an alias, or a private one. */
  hidden(ident: ast.Ident, group: Group, others: readonly DeclaredName[]): void {
    const { message, hint, code } = this.#notKnown(ident.name, group, others);
    this.#report.error(code, ident.span, message, hint);
  }

  /** Notes why a path leads to nothing here, for the error that follows when it does. */
  notHere(path: ast.PathExpr, others: readonly DeclaredName[]): void {
    HIDDEN.set(path, this.#notKnown(path.root.name, "value", others));
  }

  /** Reports a built-in name that the root declares with another meaning. */
  builtIn(ident: ast.Ident, other: DeclaredName): void {
    const message = `"${ident.name}" is built in here, but ${fileOf(other.file)} declares ${withArticle(other.word)} of this name`;
    this.#report.error("E219", ident.span, message, `give the ${other.word} in ${fileOf(other.file)} another name`);
  }

  unknownModule(ident: ast.Ident, path: string): string {
    const [first = ""] = path.split(".");
    const meant = this.#view.nearestModule(first);
    const hint = didYouMean(meant) ?? `import a file under this name: import "…" as ${first}`;
    this.#report.error("E219", ident.span, `no file is imported as "${path}"`, hint);
    return this.excused(ident);
  }

  unknownMember(ident: ast.Ident, { path, name, group, module }: Member): string {
    const hidden = this.#view.privateName(module, group, name);
    if (hidden !== undefined) {
      const message = `${hidden.word} "${name}" is private to ${fileOf(hidden.file)}`;
      this.#report.error("E222", ident.span, message, PRIVATE_HINT);
      return hidden.unique;
    }
    const known = [...this.#view.spellings(group).keys()].filter((one) => one.startsWith(`${path}.`));
    const meant = nearest(ident.name, known);
    const hint = didYouMean(meant) ?? listed(known);
    this.#report.error("E219", ident.span, `${fileOf(module)} declares no ${WORDS[group] ?? group} "${name}"`, hint);
    return this.excused(ident);
  }

  /** Notes that nothing more is to be said about a name. */
  excused({ name }: ast.Ident): string {
    this.#reported.add(name);
    return name;
  }

  #notKnown(name: string, group: Group, others: readonly DeclaredName[]): NotKnown {
    const shown = others.filter((other) => !other.private);
    const [first] = shown.length === 0 ? others : shown;
    const what = first?.word ?? group;
    const files = (shown.length === 0 ? others : shown).map(({ file }) => fileOf(file)).join(" and ");
    if (shown.length === 0)
      return { code: "E222", message: `${what} "${name}" is private to ${files}`, hint: PRIVATE_HINT };
    const written = shown.flatMap((one) => this.#view.spelling(group, one) ?? []);
    const message = `"${name}" is ${withArticle(what)} of ${files}, not known here`;
    const hint =
      written.length === 0 ? `import it: import "…" as name, then name.${name}` : `write ${written.join(" or ")}`;
    return { code: "E219", message, hint };
  }
}

/** Why a name is not known. */
interface NotKnown {
  readonly code: "E219" | "E222";
  readonly message: string;
  readonly hint: string;
}

const PRIVATE_HINT = 'remove "private" from its declaration, or use another name';

const WORDS: Partial<Record<Group, string>> = { value: "constant, function, condition or table" };

const HIDDEN = new WeakMap<ast.PathExpr, NotKnown>();

/** Returns why a path leads to nothing in its file; undefined when no other file has its name either. */
export function whyNotKnown(path: ast.PathExpr): NotKnown | undefined {
  return HIDDEN.get(path);
}

function withArticle(word: string): string {
  return `${/^[aeiou]/u.test(word) ? "an" : "a"} ${word}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "it declares none" : `it declares: ${names.slice(0, 12).join(", ")}`;
}

function fileOf({ loaded }: ModuleFile): string {
  return loaded.file.source.file;
}
