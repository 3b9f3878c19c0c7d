/** Types of the rules in the words of TypeScript: as values are read, and as they are given. */
import type * as ast from "../../language/ast.ts";
import { type Symbols, typeOfRef } from "../../language/check/symbols.ts";
import type { Type } from "../../language/check/types.ts";

export class TypeWords {
  readonly #symbols: Symbols;

  constructor(symbols: Symbols) {
    this.#symbols = symbols;
  }

  /** A reference is read as an id. */
  read(type: Type): string {
    return this.#words(type, (name) => `IdOf<${JSON.stringify(name)}>`);
  }

  /** A reference is given as a handle, an id or a key. */
  given(type: Type): string {
    return this.#words(type, (name) => {
      const key = this.#onlyKey(name);
      return `RefOf<${JSON.stringify(name)}${key === undefined ? "" : `, ${key}`}>`;
    });
  }

  readRef(ref: ast.TypeRef): string {
    return this.read(typeOfRef(ref));
  }

  givenRef(ref: ast.TypeRef): string {
    return this.given(typeOfRef(ref));
  }

  #words(type: Type, reference: (name: string) => string): string {
    switch (type.kind) {
      case "bool":
        return "boolean";
      case "any":
        return "Value";
      case "union":
        return type.options.map((option) => JSON.stringify(option)).join(" | ");
      case "list": {
        const item = this.#words(type.item, reference);
        return type.item.kind === "union" ? `readonly (${item})[]` : `readonly ${item}[]`;
      }
      case "fact":
        return reference(type.type);
      default:
        return type.kind;
    }
  }

  #onlyKey(name: string): string | undefined {
    const keys = [...(this.#symbols.type(name)?.fields.values() ?? [])].filter((field) => field.key);
    const [key] = keys;
    return key === undefined || keys.length > 1 ? undefined : this.read(key.type);
  }
}
