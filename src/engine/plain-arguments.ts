/** What hosts pass to queries, before it is checked by types. */
import { didYouMean, nearest } from "../base/nearest.ts";
import type { Value } from "../base/value.ts";
import { SessionError } from "../session/errors.ts";

/** A handle or a view of a fact stands for its id. */
export function plainArgument(value: unknown): Value | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "object" && "id" in value && typeof value.id === "string") return value.id;
  return value as Value;
}

export function unknownParameter(query: string, name: string, names: readonly string[]): SessionError {
  const known =
    names.length === 0 ? "it has no parameters" : `its parameters: ${names.map((one) => `"${one}"`).join(", ")}`;
  const hint = didYouMean(nearest(name, names)) ?? known;
  return new SessionError("E205", `query "${query}" has no parameter "${name}"`, hint);
}
