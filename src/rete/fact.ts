/** What lives in working memory. Values stand in slots; a shape says which field has which slot. */
import type { Maybe } from "../base/value.ts";
import type { BlockEntry } from "./absence.ts";
import type { FactEntry } from "./alpha-memory.ts";
import type { Match } from "./match.ts";

/** The fields of a type, each with its slot. Grows when an open program meets a new field. */
export class Shape {
  readonly type: string;
  readonly #slots = new Map<string, number>();
  readonly #names: string[] = [];
  /** The live facts of the type, in the order they were asserted, kept by working memory. */
  first: Fact | undefined = undefined;
  last: Fact | undefined = undefined;
  count = 0;

  constructor(type: string, fields: Iterable<string> = []) {
    this.type = type;
    for (const field of fields) this.slot(field);
  }

  /** The slot of a field, made when there is none yet. */
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

/** New values: slots, and beside each its value. */
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
  /** Counts facts in the order they were asserted. */
  readonly order: number;
  /** Counts changes: when the fact was asserted or last updated. */
  tag: number;
  /** The first of the matches that have this fact as their own, kept by the network. */
  matches: Match | undefined;
  /** The indexes it is in, and the matches that wait until it goes away. */
  entries: FactEntry | undefined;
  blocked: BlockEntry | undefined;
  /** Its neighbours among the live facts of its type. */
  previous: Fact | undefined;
  next: Fact | undefined;
  /** What waits to fire on this fact alone, kept by the agenda. */
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
