/** Facts in working memory. Values are stored in slots; the shape of a type maps fields to slots. */
import { type TimeKind, timeTexts } from "../base/time.ts";
import type { Maybe } from "../base/value.ts";
import type { BlockEntry } from "./absence.ts";
import type { FactEntry } from "./alpha-memory.ts";
import type { Match } from "./match.ts";
import type { Site } from "./site.ts";

/** The fields of a type, each with its slot, as a program knows them: shared by its sessions. */
export class Layout {
  readonly type: string;
  readonly #slots = new Map<string, number>();
  readonly #names: string[] = [];
  /** The kinds of times that fields hold, by slot; undefined for a type without such fields. */
  times: (TimeKind | undefined)[] | undefined = undefined;

  constructor(type: string, fields: Iterable<string> = []) {
    this.type = type;
    for (const field of fields) this.slot(field);
  }

  /** Returns the slot of a field, adding one for a new field. No field is added once a session uses the layout. */
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

/** Where shapes belong: the session of their facts. */
export interface ShapeHome {
  site: Site | undefined;
}

const NOWHERE: ShapeHome = { site: undefined };

/** The fields of a type in one session: those of the layout, then those that an open program met later. */
export class Shape {
  readonly type: string;
  readonly home: ShapeHome;
  #layout: Layout;
  /** The slots and names of fields that the layout does not have; undefined for most types. */
  #later: Layout | undefined = undefined;
  /** The list of live facts of the type in the order they were asserted. Maintained by working memory. */
  first: Fact | undefined = undefined;
  last: Fact | undefined = undefined;
  count = 0;

  constructor(layout: Layout, home: ShapeHome = NOWHERE) {
    this.type = layout.type;
    this.#layout = layout;
    this.home = home;
  }

  /** Returns the slot of a field, adding one for a new field. */
  slot(field: string): number {
    const known = this.#layout.find(field);
    if (known !== undefined) return known;
    this.#later ??= new Layout(this.type);
    return this.#layout.fields.length + this.#later.slot(field);
  }

  find(field: string): number | undefined {
    const known = this.#layout.find(field);
    if (known !== undefined || this.#later === undefined) return known;
    const later = this.#later.find(field);
    return later === undefined ? undefined : this.#layout.fields.length + later;
  }

  get fields(): readonly string[] {
    return this.#later === undefined ? this.#layout.fields : [...this.#layout.fields, ...this.#later.fields];
  }

  /** The kinds of times that fields hold, by slot; undefined for most types. */
  get times(): readonly (TimeKind | undefined)[] | undefined {
    return this.#layout.times;
  }

  /** The number of fields that the layout does not have. */
  get later(): number {
    return this.#later?.fields.length ?? 0;
  }

  /** Returns whether every field has the same slot in a layout. */
  fits(layout: Layout | undefined): boolean {
    const { fields } = this;
    return (
      fields.length === 0 || (layout !== undefined && fields.every((field, slot) => layout.fields[slot] === field))
    );
  }

  /** Continues with a layout that fits. */
  continueWith(layout: Layout): void {
    this.#layout = layout;
    this.#later = undefined;
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

/** Returns the value in a slot as it is outside the engine: times are ISO 8601 text. */
export function valueOutside({ shape, values }: Pick<Fact, "shape" | "values">, slot: number): Maybe {
  const kind = shape.times?.[slot];
  return kind === undefined ? values[slot] : timeTexts(kind, values[slot]);
}
