/** Remembers the place of each fact with a key, in few bytes: there may be millions. */
import { type FactPlace, factPlaces, type Program } from "../../index.ts";

/** The largest column that is stored; larger ones count as this. */
const WIDEST = 4095;

export class Places {
  readonly #program: Program;
  /** For each file, the line and column of facts in one number, by id. */
  readonly #files: { readonly file: string; readonly at: Map<string, number> }[] = [];

  #stated: ReadonlyMap<string, FactPlace> | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  beginFile(file: string): void {
    this.#files.push({ file, at: new Map() });
  }

  add(id: string, line: number, column: number): void {
    this.#files.at(-1)?.at.set(id, line * (WIDEST + 1) + Math.min(column, WIDEST));
  }

  /** Returns whether a fact is from a built-in table: a fact with the same key replaces it. */
  isShipped(id: string): boolean {
    if (this.#program.checked.shipped.size === 0) return false;
    return this.of(id)?.startsWith("sluice:") === true;
  }

  /** Returns `facts.json:3:5`; undefined when the place is not known. */
  of(id: string): string | undefined {
    for (const { file, at } of this.#files) {
      const place = at.get(id);
      if (place !== undefined) return `${file}:${Math.floor(place / (WIDEST + 1))}:${place % (WIDEST + 1)}`;
    }
    this.#stated ??= factPlaces(this.#program);
    const stated = this.#stated.get(id);
    return stated === undefined ? undefined : `${stated.file}:${stated.line}:${stated.column}`;
  }
}
