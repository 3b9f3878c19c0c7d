/** The content of a fact as one string: equal exactly for facts of one type with equal fields. */
import type { Maybe, Value } from "../../base/value.ts";
import type { Shape } from "../../rete/fact.ts";

export function contentOf(shape: Shape, values: readonly Maybe[]): string {
  const parts: string[] = [JSON.stringify(shape.type)];
  for (const [slot, value] of values.entries()) if (value !== undefined) parts.push(`${slot}:${textOf(value)}`);
  return parts.join(",");
}

function textOf(value: Value): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item as Value)).join(",")}]`;
  const record = value as Readonly<Record<string, Value>>;
  const entries = Object.keys(record)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${textOf(record[name] as Value)}`);
  return `{${entries.join(",")}}`;
}
