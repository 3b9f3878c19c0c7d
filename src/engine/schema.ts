/** The types and tuple spaces of a checked program, as the session needs them. */
import type { Value } from "../base/value.ts";
import { dataOf, milliseconds } from "../plan/program-data.ts";
import type * as ast from "../language/ast.ts";
import type { FactType } from "../language/check/builtin-types.ts";
import { zoneOf } from "../language/check/clock.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { Type } from "../language/check/types.ts";
import type {
  ExpirySchema,
  FieldSchema,
  RecordSchema,
  Schema,
  SchemaType,
  TypeSchema,
} from "../session/admission/schema.ts";
import type { XupleSpace } from "../session/xuples.ts";

export function schemaOf(program: CheckedProgram): Schema {
  const defaults = defaultsByField(program);
  const records = recordsOf(program);
  const types = new Map<string, TypeSchema>();
  for (const name of program.symbols.typeNames()) {
    const declared = program.symbols.type(name);
    if (declared === undefined) continue;
    const fields = [...declared.fields.values()].map((field): FieldSchema => {
      const { key, optional } = field;
      const fallback = defaults.get(`${name}.${field.name}`);
      const type = schemaType(field.type);
      return { name: field.name, type, key, optional, default: fallback, ...(field.at === true && { at: true }) };
    });
    const { engineKept, protected: guarded, more } = declared;
    const expires = expiryOf(program, declared);
    const kept = { ...(more === true && { more }), ...(expires !== undefined && { expires }) };
    types.set(name, { name, fields, engineKept, protected: guarded, ...kept });
  }
  return { open: program.symbols.open, types, ...(records.size > 0 && { records }) };
}

function recordsOf(program: CheckedProgram): Map<string, RecordSchema> {
  const records = [...program.symbols.records.values()].map(({ decl }): [string, RecordSchema] => [
    decl.name.name,
    {
      name: decl.name.name,
      more: decl.more !== undefined,
      fields: decl.fields.map(({ name, type, optional, default: value }) => ({
        name: name.name,
        type: schemaType(program.symbols.typeOfRef(type)),
        key: false,
        optional,
        default: value === null ? undefined : schemaDefault(program, value),
      })),
    },
  ]);
  return new Map(records);
}

/** Returns the value of a default that is checked to be data. */
export function schemaDefault(program: CheckedProgram, value: ast.Value): Value {
  return dataOf(program, value, new Map()) as Value;
}

/** Returns when facts of a type expire. */
function expiryOf(program: CheckedProgram, { fields, expires }: FactType): ExpirySchema | undefined {
  const field = [...fields.values()].find(({ at }) => at === true);
  if (field === undefined || expires === undefined) return undefined;
  return { field: field.name, after: expires, ...(field.type.kind === "date" && { zone: zoneOf(program) }) };
}

export function schemaType(type: Type): SchemaType {
  switch (type.kind) {
    case "list":
      return { kind: "list", item: schemaType(type.item) };
    case "fact":
      return { kind: "ref", type: type.type };
    case "record":
      return { kind: "record", name: type.name };
    case "months":
      return { kind: "number" };
    case "row":
      return { kind: "any" };
    default:
      return type;
  }
}

function defaultsByField(program: CheckedProgram): Map<string, Value> {
  const defaults = new Map<string, Value>();
  for (const decl of program.files.flatMap((file) => file.declarations)) {
    if (decl.kind !== "type") continue;
    for (const field of decl.fields) {
      const value = field.default === null ? undefined : dataOf(program, field.default, new Map());
      if (value !== undefined) defaults.set(`${decl.name.name}.${field.name.name}`, value as Value);
    }
  }
  return defaults;
}

export function xupleSpacesOf(program: CheckedProgram): XupleSpace[] {
  return [...program.symbols.spaces.values()].map(({ decl }) => spaceOf(decl));
}

function spaceOf(decl: ast.XupleSpaceDecl): XupleSpace {
  const settings = new Map(decl.settings.map((setting) => [setting.name.name.toLowerCase(), setting.value]));
  const word = (name: string): string | undefined => {
    const value = settings.get(name);
    return value !== undefined && "name" in value ? value.name.toLowerCase() : undefined;
  };
  const retention = settings.get("retention");
  const consumption = settings.get("consumption");
  const size = settings.get("max-size");
  return {
    name: decl.name.name,
    selection: (word("selection") ?? "fifo") as XupleSpace["selection"],
    consumption:
      consumption !== undefined && "count" in consumption
        ? { limit: consumption.count }
        : ((word("consumption") ?? "once") as "once" | "per-agent"),
    retention: retention !== undefined && "text" in retention ? milliseconds(retention.text) : undefined,
    maxSize: size !== undefined && "value" in size ? size.value : undefined,
  };
}
