/** The keys of the facts that a program or a test states: two facts cannot have the same. */
import type { Source } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import type { Field } from "./builtin-types.ts";
import type { Context } from "./context.ts";
import { factArgument, isNull, plainValue } from "./facts.ts";
import { writtenKeyPart } from "./keys.ts";
import { place } from "./names.ts";

/** Where a key was stated. */
interface Taken {
  readonly source: Source;
  readonly span: Span;
  readonly replaceable: boolean;
}

/** What is known of one type. */
interface TypeKeys {
  readonly keys: readonly KeyPlace[];
  readonly taken: Map<string, Taken>;
}

/** The keys in use, in file order: `remove fact` and `reset` free them again. */
export class Keys {
  /** By type: there may be very many facts of one. */
  readonly #types = new Map<string, TypeKeys>();
  /** True while the facts that are added can be replaced by others with the same key. */
  replaceable: boolean = false;

  take(cx: Context, fact: ast.FactLiteral): void {
    const { keys, taken } = this.#of(cx, fact.type.name);
    const given = givenKeys(cx, fact, keys);
    const key = wholeKey(keys, given);
    if (key === undefined) return;
    const before = taken.get(key);
    if (before === undefined || before.replaceable) {
      taken.set(key, { source: cx.report.source, span: fact.span, replaceable: this.replaceable });
      return;
    }
    const hint = `the other is at ${place(before)}; change the key or remove one of them`;
    const text = given.map((value) => JSON.stringify(value)).join(", ");
    cx.report.error("E410", fact.span, `duplicate key: ${fact.type.name} ${text} already exists`, hint);
  }

  free(cx: Context, type: string, values: readonly unknown[]): void {
    const { keys, taken } = this.#of(cx, type);
    const key = wholeKey(keys, values);
    if (key !== undefined) taken.delete(key);
  }

  clear(): void {
    for (const { taken } of this.#types.values()) taken.clear();
  }

  #of({ symbols }: Context, type: string): TypeKeys {
    let found = this.#types.get(type);
    if (found === undefined) {
      const fields = [...(symbols.type(type)?.fields.values() ?? [])];
      const keys = fields.flatMap((field, index) => (field.key ? [{ field, index }] : []));
      this.#types.set(type, (found = { keys, taken: new Map() }));
    }
    return found;
  }
}

/** A key field, and its place among the fields of its type. */
interface KeyPlace {
  readonly field: Field;
  readonly index: number;
}

/** Returns what a fact gives for its keys, as one text; undefined when it has none, or not all are known here. */
function wholeKey(keys: readonly KeyPlace[], values: readonly unknown[]): string | undefined {
  let whole: string | undefined;
  for (const [at, { field }] of keys.entries()) {
    const part = writtenKeyPart(field.type, values[at]);
    if (part === undefined) return undefined;
    whole = whole === undefined ? part : `${whole}~${part}`;
  }
  return whole;
}

/** Returns what a fact gives for its keys; undefined for the name of another fact, whose id is known when the program is planned. */
function givenKeys({ symbols }: Context, fact: ast.FactLiteral, keys: readonly KeyPlace[]): unknown[] {
  return keys.map(({ field, index }) => {
    const value = factArgument(fact, field.name, index)?.value;
    const isName =
      value?.kind === "path" && field.type.kind === "fact" && symbols.facts.get(value.root.name) !== undefined;
    return value === undefined || isName || isNull(value) ? undefined : plainValue(value, symbols);
  });
}
