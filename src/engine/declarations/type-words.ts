/** Types of the rules in the words of TypeScript: as values are read, and as they are given. */
import type * as ast from "../../language/ast.ts";
import { plainKeyOf } from "../../language/check/keys.ts";
import type { Symbols } from "../../language/check/symbols.ts";
import type { RowType, Type } from "../../language/check/types.ts";
import { member } from "./names.ts";

/** The names that stand for references and records. */
interface InnerNames {
  readonly reference: (type: string) => string;
  readonly record: (name: string) => string;
}

export class TypeWords {
  readonly #symbols: Symbols;
  readonly #records: Readonly<Record<"read" | "given", (name: string) => string>>;

  /** Takes the names of the interfaces of records. */
  constructor(symbols: Symbols, records: Readonly<Record<"read" | "given", (name: string) => string>>) {
    this.#symbols = symbols;
    this.#records = records;
  }

  /** A reference is read as an id. */
  read(type: Type): string {
    const reference = (name: string): string => `IdOf<${JSON.stringify(name)}>`;
    return this.#words(type, { reference, record: this.#records.read });
  }

  /** A reference is given as a handle, an id or a key; an instant also as a `Date`. */
  given(type: Type): string {
    if (type.kind === "instant") return "string | Date";
    const reference = (name: string): string => {
      const key = this.#onlyKey(name);
      return `RefOf<${JSON.stringify(name)}${key === undefined ? "" : `, ${key}`}>`;
    };
    return this.#words(type, { reference, record: this.#records.given });
  }

  givenRef(ref: ast.TypeRef): string {
    return this.given(this.#symbols.typeOfRef(ref));
  }

  #words(type: Type, names: InnerNames): string {
    switch (type.kind) {
      case "bool":
        return "boolean";
      case "any":
        return "Value";
      case "union":
        return type.options.map((option) => JSON.stringify(option)).join(" | ");
      case "list": {
        const item = this.#words(type.item, names);
        return type.item.kind === "union" ? `readonly (${item})[]` : `readonly ${item}[]`;
      }
      case "date":
      case "instant":
      case "duration":
        return "string";
      case "months":
        return "number";
      case "fact":
        return names.reference(type.type);
      case "record":
        return names.record(type.name);
      case "row":
        return this.#row(type, names);
      default:
        return type.kind;
    }
  }

  /** An output is missing where it is unknown. */
  #row({ fields }: RowType, names: InnerNames): string {
    const members = Array.from(fields, ([name, type]) => member(name, this.#words(type, names), true));
    return `{ ${members.join(" ")} }`;
  }

  #onlyKey(name: string): string | undefined {
    const key = plainKeyOf(this.#symbols, name);
    return key === undefined ? undefined : this.read(key.type);
  }
}
