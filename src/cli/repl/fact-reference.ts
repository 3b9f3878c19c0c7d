/** Facts as the user refers to them: by a name from the program or this conversation, by id, or by label. */
import { findFact } from "../fact-names.ts";
import type { ReplContext } from "./context.ts";

/** Returns the id of the fact that a reference means, or the reference itself when there is no such fact. */
export function factIdOf(context: ReplContext, reference: string): string {
  return namedFact(context, reference) ?? findFact(context.session, unquoted(reference)) ?? reference;
}

/**
 * Returns the id of a fact with a name of its own, or else the subject as it was written: a text may be the label of one fact
 * and the key of another, which is refused as on the command line.
 */
export function subjectIn(context: ReplContext, reference: string): string {
  return namedFact(context, reference) ?? unquoted(reference);
}

/** Returns the id of a fact that the program or this conversation has given a name. */
function namedFact({ session, names }: ReplContext, reference: string): string | undefined {
  return names.get(reference) ?? session.program.factNames().get(reference);
}

/** The most words that a label may have; a longer one needs the id. */
const MAX_LABEL_WORDS = 8;

/** Splits a line into the fact that it begins with and the rest: the first words that refer to a fact count. */
export function leadingFact(
  context: ReplContext,
  line: string,
): { readonly id: string; readonly rest: string } | undefined {
  const breaks = [...line.matchAll(/\s+|$/gu)].slice(0, MAX_LABEL_WORDS);
  for (const { index } of breaks) {
    const id = factIdOf(context, line.slice(0, index));
    if (context.session.fact(id) !== undefined) return { id, rest: line.slice(index).trim() };
  }
  return undefined;
}

export function isQuoted(name: string): boolean {
  return /^".*"$/u.test(name);
}

/** Returns a name without the quotes around it. */
export function unquoted(name: string): string {
  return name.replace(/^"(.*)"$/u, "$1");
}
