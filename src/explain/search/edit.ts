/** A change of one fact that would help, as data and in words. */
import { factLabel } from "../../base/fact-label.ts";
import { typeOfId } from "../../base/identity.ts";
import type { Maybe, Value } from "../../base/value.ts";
import { seenValue } from "../read/words.ts";

/** A change of one fact that would help: an update, an assert or a retract. */
export type FactEdit =
  | {
      readonly op: "update";
      readonly fact: string;
      readonly field: string;
      /** The value before; undefined when the field was missing. */
      readonly from: Maybe;
      /** The value after; null to clear the field. */
      readonly to: Value | null;
      /** The field, when its new value is only an example: the value of another fact, where others help as well. */
      readonly examples?: readonly string[];
    }
  | {
      readonly op: "assert";
      readonly type: string;
      readonly fields: Readonly<Record<string, Value>>;
      /** The fields whose value does not matter: any other of their type helps as well. */
      readonly free?: readonly string[];
      /** The fields whose value is only an example: others that pass the tests help as well. */
      readonly examples?: readonly string[];
    }
  | { readonly op: "retract"; readonly fact: string };

/** A change that would help: of one fact, or waiting. */
export type Edit =
  | FactEdit
  | {
      /** Nothing but waiting: the clock reaches this instant, and no fact changes. */
      readonly op: "wait";
      readonly until: string;
    };

/** Edits that together would help. */
export interface Remedy {
  /** The edits as a sentence. */
  readonly words: string;
  /** The edits as data. */
  readonly edits: readonly Edit[];
}

/** How the values of edits are written. */
export interface EditWords {
  isFact(id: string): boolean;
  /** Returns the words for any value of a field. */
  any(type: string, field: string): string;
  /**
   * Returns the words for a string that is only one of several, `a string that contains "x"`, and may replace a value;
   * undefined for other values.
   */
  oneOf(type: string, field: string, value: Value, from: Maybe): string | undefined;
  /** Returns whether a new value of the field is measured again instead of changed. */
  isMeasured(type: string, field: string): boolean;
}

export function remedyOf(edits: readonly Edit[], words: EditWords): Remedy {
  return { words: edits.map((edit) => sentenceOf(edit, words)).join(", and "), edits };
}

function sentenceOf(edit: Edit, words: EditWords): string {
  switch (edit.op) {
    case "update":
      return updateSentence(edit, words);
    case "assert": {
      const fields = Object.entries(edit.fields).map(([name, one]) => {
        const isFree = edit.free?.includes(name) === true;
        return `${name}: ${isFree ? words.any(edit.type, name) : valueIn(edit.type, name, one, undefined, words)}`;
      });
      return `add ${edit.type}(${fields.join(", ")})`;
    }
    case "retract":
      return `remove ${factLabel(edit.fact)}`;
    case "wait":
      return `wait until ${edit.until}`;
  }
}

function updateSentence({ fact, field, from, to }: FactEdit & { readonly op: "update" }, words: EditWords): string {
  const type = typeOfId(fact);
  const name = factLabel(fact);
  if (to === null) return `clear ${field} of ${name}, which is ${plain(from, words)}`;
  const value = valueIn(type, field, to, from, words);
  if (from === undefined) return `set ${field} of ${name} to ${value}`;
  if (words.isMeasured(type, field)) {
    return `replace ${name} (${field}: ${plain(from, words)}) with one that has ${field}: ${value}`;
  }
  return `change ${field} of ${name} from ${plain(from, words)} to ${value}`;
}

function valueIn(type: string, field: string, value: Value, from: Maybe, words: EditWords): string {
  return words.oneOf(type, field, value, from) ?? plain(value, words);
}

function plain(value: Maybe, words: EditWords): string {
  return typeof value === "string" && words.isFact(value) ? factLabel(value) : seenValue(value);
}

/** The result of a search for remedies. */
export interface Found<One extends Remedy> {
  /** The remedies that were found, smallest first. */
  readonly remedies: One[];
  /** Why the search ended early: `stopped after 60 trials`. Absent when everything was tried. */
  readonly stopped?: string;
  /** Why no change is suggested: `check policy is never retried`. Absent when changes were searched. */
  readonly final?: string;
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
  added: (edit: FactEdit & { readonly op: "assert" }) => string = typeOf,
): string {
  const places = edits.map((edit) => {
    if (edit.op === "update") return `${edit.fact}.${edit.field}`;
    if (edit.op === "wait") return "the clock";
    return edit.op === "retract" ? edit.fact : added(edit);
  });
  return places.sort().join(" ");
}

function typeOf(edit: FactEdit & { readonly op: "assert" }): string {
  return edit.type;
}
