/** A change of one fact that would help, as data and in words. */
import type { Maybe, Value } from "../../base/value.ts";
import { seenValue } from "../tell/words.ts";

export type Edit =
  | {
      readonly op: "update";
      readonly fact: string;
      readonly field: string;
      /** Undefined: missing. */
      readonly from: Maybe;
      /** Null: to be cleared. */
      readonly to: Value | null;
    }
  | { readonly op: "assert"; readonly type: string; readonly fields: Readonly<Record<string, Value>> }
  | { readonly op: "retract"; readonly fact: string };

/** Edits that together make a rule match, in words. */
export interface Remedy {
  readonly words: string;
  readonly edits: readonly Edit[];
}

export function remedyOf(edits: readonly Edit[], isFact: (id: string) => boolean): Remedy {
  const value = (one: Maybe): string => (typeof one === "string" && isFact(one) ? one : seenValue(one));
  return { words: edits.map((edit) => editWords(edit, value)).join(", and "), edits };
}

function editWords(edit: Edit, value: (one: Maybe) => string): string {
  switch (edit.op) {
    case "update":
      if (edit.from === undefined) return `set ${edit.field} of ${edit.fact} to ${value(edit.to ?? undefined)}`;
      return edit.to === null
        ? `clear ${edit.field} of ${edit.fact}, which is ${value(edit.from)}`
        : `change ${edit.field} of ${edit.fact} from ${value(edit.from)} to ${value(edit.to)}`;
    case "assert": {
      const fields = Object.entries(edit.fields).map(([name, one]) => `${name}: ${value(one)}`);
      return `add ${edit.type}(${fields.join(", ")})`;
    }
    case "retract":
      return `remove ${edit.fact}`;
  }
}

/** What a search found, and why it stopped before everything was tried, if it did. */
export interface Found<One extends Remedy> {
  readonly remedies: One[];
  /** `stopped after 60 trials`: there may be more, or better ones. */
  readonly stopped?: string;
}

export function foundOf<One extends Remedy>(remedies: One[], stopped: string | undefined): Found<One> {
  return stopped === undefined ? { remedies } : { remedies, stopped };
}
