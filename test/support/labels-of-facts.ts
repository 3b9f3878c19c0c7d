/** Finds facts by the labels that explanations give them. */
import { factLabel } from "../../src/base/fact-label.ts";

interface Facts {
  facts(): readonly { readonly id: string }[];
}

/** The label of a fact of one of these types at a place of a sentence, as a pattern: `B #1`, `A 3`, `C "two words"`. */
export const LABEL = String.raw`[A-Z]\w* (?:"(?:[^"\\]|\\.)*"|[^\s,:;)"]+)`;

/** Returns the id of the fact that has a label in a session; undefined when there is none. */
export function idOfLabel(session: Facts, label: string): string | undefined {
  return session.facts().find(({ id }) => factLabel(id) === label)?.id;
}
