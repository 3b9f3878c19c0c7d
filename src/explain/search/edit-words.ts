/** The words of the values in a remedy: which do not matter, and which are only one of several that would help. */
import { idOfParts, keyPart, typeOfId } from "../../base/identity.ts";
import type { Value } from "../../base/value.ts";
import type { Type } from "../../language/check/types.ts";
import { valueWords } from "../read/words.ts";
import type { World } from "../read/world.ts";
import type { Domain } from "./domain.ts";
import type { FactEdit, EditWords } from "./edit.ts";
import type { Policy } from "./policy.ts";
import { stringWords } from "./string-words.ts";

/**
 * Returns the edits with the fields named whose value does not matter, because no test of the question reads them, and
 * those whose value is only an example. The key of a fact that another edit or a fact refers to matters.
 */
export function marked(edits: readonly FactEdit[], domain: Domain): FactEdit[] {
  const referred = new Set(edits.flatMap((edit) => (edit.op === "assert" ? Object.values(edit.fields) : [])));
  return edits.map((edit) => {
    if (edit.op === "retract") return edit;
    if (edit.op === "update") {
      const { fact, field, to } = edit;
      return isExample(typeOfId(fact), field, to, domain) ? { ...edit, examples: [field] } : edit;
    }
    const id = idOf(edit, domain);
    const kept = referred.has(id) || domain.missing(edit.type).includes(id);
    const names = Object.keys(edit.fields);
    const free = names.filter((name) => {
      return !domain.reading.fields.has(name) && !(kept && domain.field(edit.type, name)?.key === true);
    });
    const examples = names.filter((name) => {
      return !free.includes(name) && isExample(edit.type, name, edit.fields[name], domain);
    });
    const lists = { ...(free.length === 0 ? {} : { free }), ...(examples.length === 0 ? {} : { examples }) };
    return { ...edit, ...lists };
  });
}

/** Returns whether a value is a string that is only one of several. */
function isExample(type: string, field: string, value: Value | null | undefined, domain: Domain): boolean {
  return typeof value === "string" && stringWords({ type, field, value, from: undefined }, domain) !== undefined;
}

/** Returns the id that the key of a new fact gives it; an empty one for a fact without a key. */
function idOf({ type, fields }: FactEdit & { readonly op: "assert" }, domain: Domain): string {
  const keys = Object.keys(fields).flatMap((name) => {
    const field = domain.field(type, name);
    return field?.key === true ? [keyPart(fields[name] as string, field.type.kind === "fact")] : [];
  });
  return keys.length === 0 ? "" : idOfParts(type, keys);
}

export function editWords(domain: Domain, policy: Policy, world: World): EditWords {
  return {
    isFact: (id) => world.get(id) !== undefined,
    any: (type, field) => {
      const declared = domain.field(type, field);
      return anyWords(declared?.type, declared?.key === true);
    },
    oneOf: (type, field, value, from) =>
      typeof value === "string" ? stringWords({ type, field, value, from }, domain) : undefined,
    isMeasured: (type, field) => policy.isMeasured?.(type, field) === true,
  };
}

function anyWords(type: Type | undefined, key: boolean): string {
  const any = key ? "any new" : "any";
  switch (type?.kind) {
    case "number":
      return `${any} number`;
    case "string":
      return `${any} string`;
    case "bool":
      return "true or false";
    case "date":
    case "instant":
    case "duration":
      return `${any} ${type.kind}`;
    case "union":
      return type.options.map((option) => valueWords(option)).join(" or ");
    case "fact":
      return `any ${type.type}`;
    case "list":
      return "any list";
    default:
      return `${any} value`;
  }
}
