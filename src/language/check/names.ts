/** The names of one kind that a program declares, each with its declaration and its place. */
import type * as ast from "../ast.ts";
import { Report } from "../../base/diagnostic.ts";
import { LayeredMap } from "../../base/layered-map.ts";
import { didYouMean } from "../../base/nearest.ts";
import { normalForm } from "../../base/normal.ts";
import type { Source } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";

/** A declaration and its location. */
export interface Declared<Decl> {
  readonly decl: Decl;
  readonly source: Source;
  readonly span: Span;
}

/** The names of one kind; each can be declared once. */
export class Names<Decl> {
  readonly kind: string;
  readonly #byName: LayeredMap<string, Declared<Decl>>;
  /** The names declared by statements that could not be read. */
  readonly #broken = new Set<string>();
  /** The written form of each name, by its normalised form. */
  readonly #normalised: LayeredMap<string, string>;

  /** Takes the names of a program without errors that are continued; there are none before the first statement. */
  constructor(kind: string, before?: Names<Decl>) {
    this.kind = kind;
    this.#byName = before === undefined ? LayeredMap.empty() : before.#byName.continued();
    this.#normalised = before === undefined ? LayeredMap.empty() : before.#normalised.continued();
  }

  get(name: string): Declared<Decl> | undefined {
    return this.#byName.get(name);
  }

  names(): IterableIterator<string> {
    return this.#byName.keys();
  }

  values(): IterableIterator<Declared<Decl>> {
    return this.#byName.values();
  }

  get size(): number {
    return this.#byName.size;
  }

  /** Returns whether nothing of this kind is declared, not even by a statement that could not be read. */
  get isEmpty(): boolean {
    return this.#byName.size === 0 && this.#broken.size === 0;
  }

  /** Replaces every declaration. */
  change(by: (decl: Decl) => Decl): void {
    for (const [name, declared] of this.#byName) this.#byName.set(name, { ...declared, decl: by(declared.decl) });
  }

  /** Replaces a declaration, unless the name belongs to another one by now. */
  replace(name: string, before: unknown, decl: Decl): void {
    const declared = this.#byName.get(name);
    if (declared !== undefined && declared.decl === before) this.#byName.set(name, { ...declared, decl });
  }

  isBroken(name: string): boolean {
    return this.#broken.has(name);
  }

  addBroken(name: string): void {
    this.#broken.add(name);
  }

  delete(name: string): void {
    this.#byName.delete(name);
    this.#normalised.delete(normalForm(name));
  }

  add(report: Report, name: ast.Ident, decl: Decl): void {
    if (isReserved(name.name)) {
      report.error("E210", name.span, `"${name.name}" is a reserved name`, "choose another name");
      return;
    }
    const before = this.#byName.get(name.name);
    if (before !== undefined) {
      report.error(
        "E204",
        name.span,
        `${this.kind} "${name.name}" is defined twice`,
        `first defined at ${place(before)}`,
      );
      return;
    }
    const normal = normalForm(name.name);
    const twin = this.#normalised.get(normal);
    if (twin !== undefined) {
      const other = this.#byName.get(twin);
      report.error(
        "E211",
        name.span,
        `${this.kind} "${name.name}" equals another ${this.kind} after Unicode normalisation`,
        other === undefined ? undefined : `the other is at ${place(other)}; use the same characters in both`,
      );
      return;
    }
    this.#normalised.set(normal, name.name);
    this.#byName.set(name.name, { decl, source: report.source, span: name.span });
  }
}

const RESERVED_NAMES = new Set(["__proto__", "constructor", "prototype", "_id_"]);

/** Returns whether nothing can have a name. */
export function isReserved(name: string): boolean {
  return RESERVED_NAMES.has(name);
}

/** Returns where something is declared: `a.tsd:1:2`. */
export function place(declared: { readonly source: Source; readonly span: Span }): string {
  const { line, column } = declared.source.position(declared.span.start);
  return `${declared.source.file}:${line}:${column}`;
}

/**
 * Returns the hint for an unknown name: the nearest one, or, for `total-tax`, that a minus between letters belongs to
 * the name.
 */
export function hintFor(name: string, meant: string | undefined): string | undefined {
  if (meant !== undefined && normalForm(meant) === normalForm(name)) {
    return `"${meant}" looks the same but uses other characters: copy the name from its declaration`;
  }
  if (meant !== undefined) return didYouMean(meant);
  if (!name.includes("-")) return undefined;
  return `"-" between letters is part of a name; to subtract, put spaces around it: ${name.replaceAll("-", " - ")}`;
}
