/** The keys of the facts that a program or a test states: two facts cannot have the same. */
import type { Source } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { factArgument, isNull, plainValue } from "./facts.ts";
import { keysOf, writtenKeyPart } from "./keys.ts";
import { place } from "./names.ts";

/** The keys in use, in file order: `remove fact` and `reset` free them again. */
export class Keys {
  readonly #taken = new Map<string, { readonly source: Source; readonly span: Span; readonly replaceable: boolean }>();
  /** True while the facts that are added can be replaced by others with the same key. */
  replaceable: boolean = false;

  take(cx: Context, fact: ast.FactLiteral): void {
    const given = givenKeys(cx, fact);
    const id = idOf(cx, fact.type.name, given);
    if (id === undefined) return;
    const before = this.#taken.get(id);
    if (before === undefined || before.replaceable) {
      this.#taken.set(id, { source: cx.report.source, span: fact.span, replaceable: this.replaceable });
      return;
    }
    const hint = `the other is at ${place(before)}; change the key or remove one of them`;
    const text = given.map((value) => JSON.stringify(value)).join(", ");
    cx.report.error("E410", fact.span, `duplicate key: ${fact.type.name} ${text} already exists`, hint);
  }

  free(cx: Context, type: string, values: readonly unknown[]): void {
    const id = idOf(cx, type, values);
    if (id !== undefined) this.#taken.delete(id);
  }

  clear(): void {
    this.#taken.clear();
  }
}

function idOf({ symbols }: Context, type: string, values: readonly unknown[]): string | undefined {
  const parts = keysOf(symbols, type).map((key, index) => writtenKeyPart(key.type, values[index]));
  return parts.length === 0 || parts.includes(undefined) ? undefined : JSON.stringify([type, ...parts]);
}

/** Returns what a fact gives for its keys; undefined for the name of another fact, whose id is known when the program is planned. */
function givenKeys({ symbols }: Context, fact: ast.FactLiteral): unknown[] {
  return [...(symbols.type(fact.type.name)?.fields.values() ?? [])].flatMap((field, index) => {
    if (!field.key) return [];
    const value = factArgument(fact, field.name, index)?.value;
    const isName =
      value?.kind === "path" && field.type.kind === "fact" && symbols.facts.get(value.root.name) !== undefined;
    return [value === undefined || isNull(value) || isName ? undefined : plainValue(value, symbols)];
  });
}
