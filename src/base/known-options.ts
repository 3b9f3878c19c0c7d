/** Refuses names that a host misspells. A misspelt option would do nothing, silently. */
import { didYouMean, nearest } from "./nearest.ts";
import { SessionError } from "./session-error.ts";

/** Every option once; a missing or unknown one does not compile. */
export type OptionNames<Of> = Readonly<Record<keyof Of, true>>;

/** Throws E213 for an option that does not exist, with the nearest one that does, and E407 for what is no object. */
export function refuseUnknownOptions<Of extends object>(given: Of | undefined, known: OptionNames<Of>): void {
  if (given !== undefined && (typeof given !== "object" || (given as unknown) === null)) {
    throw new SessionError("E407", "options must be an object", `known options: ${Object.keys(known).join(", ")}`);
  }
  for (const name in given) if (!Object.hasOwn(known, name)) throw unknown("option", name, Object.keys(known), "E213");
}

/** Throws an error for the first of the given names that is not known. */
export function refuseUnknown(
  kind: string,
  given: readonly string[],
  known: readonly string[],
  code: "E206" | "E213",
): void {
  const first = given.find((name) => !known.includes(name));
  if (first !== undefined) throw unknown(kind, first, known, code);
}

function unknown(kind: string, name: string, known: readonly string[], code: "E206" | "E213"): SessionError {
  const hint = didYouMean(nearest(name, known)) ?? `known ${pluralOf(kind)}: ${known.join(", ")}`;
  return new SessionError(code, `unknown ${kind} "${name}"`, hint);
}

function pluralOf(kind: string): string {
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
