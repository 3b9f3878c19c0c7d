/** The instant at which a fact happened, as the clock of a session takes it. */
import { readTime, timeText } from "../base/time.ts";
import { zoneNamed } from "../base/zone.ts";
import type { Schema } from "../session/admission/schema.ts";

/**
 * Returns the instant of the `@` field of a fact, as text; for a date the first instant of the day in the zone. Undefined for a
 * type without one, and where it is missing or no time.
 */
export function factInstant(
  { types }: Schema,
  zone: string,
  type: string,
  fields: Readonly<Record<string, unknown>>,
): string | undefined {
  const field = types.get(type)?.fields.find(({ at }) => at === true);
  if (field === undefined) return undefined;
  const kind = field.type.kind === "date" ? "date" : "instant";
  const given = fields[field.name] ?? field.default;
  const read = typeof given === "string" ? readTime(kind, given) : undefined;
  if (read === undefined || !("value" in read)) return undefined;
  const instant = kind === "date" ? zoneNamed(zone)?.startOf(read.value) : read.value;
  return instant === undefined ? undefined : timeText("instant", instant);
}
