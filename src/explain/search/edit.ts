/** A change of one fact that would help, as data and in words. */
import { factLabel } from "../../base/fact-label.ts";
import type { Maybe, Value } from "../../base/value.ts";
import { seenValue } from "../read/words.ts";

/** A change of one fact that would help: an update, an assert or a retract. */
export type Edit =
  | {
      readonly op: "update";
      readonly fact: string;
      readonly field: string;
      /** The value before; undefined when the field was missing. */
      readonly from: Maybe;
      /** The value after; null to clear the field. */
      readonly to: Value | null;
    }
  | { readonly op: "assert"; readonly type: string; readonly fields: Readonly<Record<string, Value>> }
  | { readonly op: "retract"; readonly fact: string };

/** Edits that together would help. */
export interface Remedy {
  /** The edits as a sentence. */
  readonly words: string;
  /** The edits as data. */
  readonly edits: readonly Edit[];
}

export function remedyOf(edits: readonly Edit[], isFact: (id: string) => boolean): Remedy {
  const value = (one: Maybe): string => (typeof one === "string" && isFact(one) ? factLabel(one) : seenValue(one));
  return { words: edits.map((edit) => editWords(edit, value)).join(", and "), edits };
}

function editWords(edit: Edit, value: (one: Maybe) => string): string {
  switch (edit.op) {
    case "update":
      if (edit.from === undefined)
        return `set ${edit.field} of ${factLabel(edit.fact)} to ${value(edit.to ?? undefined)}`;
      return edit.to === null
        ? `clear ${edit.field} of ${factLabel(edit.fact)}, which is ${value(edit.from)}`
        : `change ${edit.field} of ${factLabel(edit.fact)} from ${value(edit.from)} to ${value(edit.to)}`;
    case "assert": {
      const fields = Object.entries(edit.fields).map(([name, one]) => `${name}: ${value(one)}`);
      return `add ${edit.type}(${fields.join(", ")})`;
    }
    case "retract":
      return `remove ${factLabel(edit.fact)}`;
  }
}

/** The result of a search for remedies. */
export interface Found<One extends Remedy> {
  /** The remedies that were found, smallest first. */
  readonly remedies: One[];
  /** Why the search ended early: `stopped after 60 trials`. Absent when everything was tried. */
  readonly stopped?: string;
}

export function foundOf<One extends Remedy>(remedies: One[], stopped: string | undefined): Found<One> {
  return stopped === undefined ? { remedies } : { remedies, stopped };
}

/**
 * Returns the location of edits. Two changes at the same location are one suggestion; `added` distinguishes new facts,
 * by default by their type.
 */
export function placeOfEdits(
  edits: readonly Edit[],
  added: (edit: Edit & { readonly op: "assert" }) => string = typeOf,
): string {
  const places = edits.map((edit) => {
    if (edit.op === "update") return `${edit.fact}.${edit.field}`;
    return edit.op === "retract" ? edit.fact : added(edit);
  });
  return places.sort().join(" ");
}

function typeOf(edit: Edit & { readonly op: "assert" }): string {
  return edit.type;
}
