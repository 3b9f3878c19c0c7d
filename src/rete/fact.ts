/** Facts in working memory. Values are stored in slots; the shape of a type maps fields to slots. */
import type { Maybe } from "../base/value.ts";
import type { BlockEntry } from "./absence.ts";
import type { FactEntry } from "./alpha-memory.ts";
import type { Match } from "./match.ts";

/** The fields of a type, each with its slot. Grows when an open program meets a new field. */
export class Shape {
  readonly type: string;
  readonly #slots = new Map<string, number>();
  readonly #names: string[] = [];
  /** The list of live facts of the type in the order they were asserted. Maintained by working memory. */
  first: Fact | undefined = undefined;
  last: Fact | undefined = undefined;
  count = 0;

  constructor(type: string, fields: Iterable<string> = []) {
    this.type = type;
    for (const field of fields) this.slot(field);
  }

  /** Returns the slot of a field, adding one for a new field. */
  slot(field: string): number {
    const known = this.#slots.get(field);
    if (known !== undefined) return known;
    const slot = this.#names.length;
    this.#slots.set(field, slot);
    this.#names.push(field);
    return slot;
  }

  find(field: string): number | undefined {
    return this.#slots.get(field);
  }

  get fields(): readonly string[] {
    return this.#names;
  }
}

/** New values: two parallel lists of slots and values. */
export interface Changes {
  readonly slots: readonly number[];
  readonly values: readonly Maybe[];
}

/**
 * One fact. Its values change in place on update, so that matches which do not read the changed fields stay as they are.
 * A reference to another fact is the other's id.
 */
export class Fact {
  readonly id: string;
  readonly shape: Shape;
  readonly values: Maybe[];
  /** The number of the fact in the order of assertion. */
  readonly order: number;
  /** The number of the change that asserted or last updated the fact. */
  tag: number;
  /** The list of matches whose last level is this fact. Maintained by the network. */
  matches: Match | undefined;
  /** The index entries of the fact, and the matches that it blocks. */
  entries: FactEntry | undefined;
  blocked: BlockEntry | undefined;
  /** The neighbours in the list of live facts of its type. */
  previous: Fact | undefined;
  next: Fact | undefined;
  /** The activations of rules that match this fact alone. Maintained by the agenda. */
  waiting: object | undefined;

  constructor(id: string, shape: Shape, values: Maybe[], order: number, tag: number) {
    this.id = id;
    this.shape = shape;
    this.values = values;
    this.order = order;
    this.tag = tag;
    this.matches = undefined;
    this.entries = undefined;
    this.blocked = undefined;
    this.previous = undefined;
    this.next = undefined;
    this.waiting = undefined;
  }

  change({ slots, values }: Changes): void {
    for (let at = 0; at < slots.length; at++) this.values[slots[at] as number] = values[at];
  }
}
