/**
 * Changes that are wanted but not yet made. Each is checked as if those before it had been made already, so that a list
 * of changes is either right as a whole or refused as a whole.
 *
 * Laid over working memory, or over another staging: a batch inside a batch.
 */
import { keylessId } from "../base/identity.ts";
import { must } from "../base/invariant.ts";
import { type Maybe, same } from "../base/value.ts";
import type { Changes, Shape } from "../rete/fact.ts";
import type { Activation } from "./activation.ts";
import { contentOf } from "./content.ts";
import type { Admitted, Door } from "./door.ts";
import { FactError } from "./errors.ts";
import type { Xuples } from "./xuples.ts";

export type Change =
  | {
      readonly kind: "insert";
      readonly id: string;
      readonly shape: Shape;
      readonly values: Maybe[];
      /** The number in the id of a fact without a key. */
      readonly keyless: number | undefined;
      /** For a logical fact: what it rests on. */
      readonly support: Activation | undefined;
    }
  | { readonly kind: "support"; readonly id: string; readonly activation: Activation }
  | { readonly kind: "plain"; readonly id: string; readonly plain: boolean }
  | { readonly kind: "update"; readonly id: string; readonly changes: Changes }
  | { readonly kind: "retract"; readonly id: string }
  | { readonly kind: "focus"; readonly group: string }
  | { readonly kind: "xuple"; readonly space: string; readonly shape: Shape; readonly values: readonly Maybe[] };

/** A fact as it will be. */
export interface Known {
  readonly id: string;
  readonly shape: Shape;
  readonly values: readonly Maybe[];
  readonly plain: boolean;
  readonly logical: boolean;
}

/** What lies under a staging. */
export interface View {
  get(id: string): Known | undefined;
  known(type: string | undefined): Iterable<Known>;
  lastKeyless(type: string): number;
  /** The id of the logical fact without a key that has this content. */
  logicalWith(content: string): string | undefined;
  xuplesWaiting(space: string): number;
}

export interface Author {
  /** May write facts of engine-kept types. */
  readonly byEngine?: boolean;
  /** The fact is logical and rests on this. */
  readonly support?: Activation;
}

export class Staging implements View {
  readonly changes: Change[] = [];
  readonly #below: View;
  readonly #door: Door;
  readonly #xuples: Xuples;
  /** Facts that are different from what lies below; undefined when they are gone. */
  readonly #over: Map<string, Known | undefined> | undefined;
  // Made when first needed: a staging is made for every single change.
  #keyless: Map<string, number> | undefined;
  #contents: Map<string, string> | undefined;
  #waiting: Map<string, number> | undefined;

  /** With `single` there will be one change and no question: nothing needs to be remembered for the next. */
  constructor(below: View, door: Door, xuples: Xuples, single = false) {
    this.#over = single ? undefined : new Map();
    this.#below = below;
    this.#door = door;
    this.#xuples = xuples;
    this.#keyless = undefined;
    this.#contents = undefined;
    this.#waiting = undefined;
  }

  /** A staging of its own on top of this one. */
  nested(): Staging {
    return new Staging(this, this.#door, this.#xuples);
  }

  /** Takes over what was staged on top of this one. */
  absorb(above: Staging): void {
    for (const change of above.changes) this.changes.push(change);
    for (const [id, known] of above.#over ?? []) this.#over?.set(id, known);
    this.#keyless = joined(this.#keyless, above.#keyless);
    this.#contents = joined(this.#contents, above.#contents);
    this.#waiting = joined(this.#waiting, above.#waiting);
  }

  // ---------------------------------------------------------------- wanted changes

  /** Gives the id of the fact. */
  insert(type: string, fields: unknown, author: Author = {}): string {
    const admitted = this.#door.admit(type, fields, author);
    const before = this.#equalBefore(admitted, author.support !== undefined);
    if (before === undefined) return this.#insertNew(admitted, author.support);
    if (author.support === undefined) this.#makePlain(before);
    else this.#addSupport(before, author.support);
    return before.id;
  }

  /** False when nothing differs. */
  update(id: string, fields: unknown, author: Author = {}): boolean {
    const known = this.get(id);
    if (known === undefined) throw new FactError("E532", `there is no fact "${id}"`);
    return this.#change(known, this.#door.admitChanges(known.shape.type, known.values, fields, author));
  }

  /** Asserts the fact, or updates the one that has its key. */
  upsert(type: string, given: object): string {
    const fields = { ...given }; // so that every property is read once
    const id = this.#door.idFor(type, fields);
    const known = id === undefined ? undefined : this.get(id);
    if (known === undefined) return this.insert(type, fields);
    const changes = this.#door.admitChanges(type, known.values, fields);
    if (changes.slots.length > 0) this.#change(known, changes);
    else if (!known.plain) this.#makePlain(known);
    return known.id;
  }

  /** False when there is no such fact. */
  retract(id: string, author: Author = {}): boolean {
    const known = this.get(id);
    if (known === undefined) return false;
    this.#door.refuseEngineKept(known.shape.type, author);
    if (known.plain && known.logical) {
      this.changes.push({ kind: "plain", id, plain: false });
      this.#over?.set(id, { ...known, plain: false });
    } else {
      this.changes.push({ kind: "retract", id });
      this.#over?.set(id, undefined);
    }
    return true;
  }

  focus(group: string): void {
    this.changes.push({ kind: "focus", group });
  }

  xuple(space: string, type: string, fields: unknown): void {
    const { shape, values } = this.#door.admit(type, fields);
    const waiting = this.xuplesWaiting(space);
    this.#xuples.refuseWhenFull(space, waiting);
    (this.#waiting ??= new Map()).set(space, waiting + 1);
    this.changes.push({ kind: "xuple", space, shape, values });
  }

  // ---------------------------------------------------------------- what will be

  get(id: string): Known | undefined {
    return this.#over?.has(id) === true ? this.#over.get(id) : this.#below.get(id);
  }

  *known(type: string | undefined): Iterable<Known> {
    for (const known of this.#below.known(type)) {
      const now = this.get(known.id);
      if (now !== undefined) yield now;
    }
    for (const known of this.#over?.values() ?? []) {
      const fresh = known !== undefined && this.#below.get(known.id) === undefined;
      if (fresh && (type === undefined || known.shape.type === type)) yield known;
    }
  }

  lastKeyless(type: string): number {
    return this.#keyless?.get(type) ?? this.#below.lastKeyless(type);
  }

  logicalWith(content: string): string | undefined {
    const id = this.#contents?.get(content) ?? this.#below.logicalWith(content);
    return id !== undefined && this.get(id)?.logical === true ? id : undefined;
  }

  xuplesWaiting(space: string): number {
    return this.#waiting?.get(space) ?? this.#below.xuplesWaiting(space);
  }

  // ---------------------------------------------------------------- steps

  /** The fact that this insert would be one with; refuses a second fact with one key. */
  #equalBefore(admitted: Admitted, logical: boolean): Known | undefined {
    if (admitted.id === undefined) return logical ? this.#equalLogical(admitted) : undefined;
    const before = this.get(admitted.id);
    if (before === undefined) return undefined;
    const merges = (logical || !before.plain) && sameValues(before.values, admitted.values);
    if (!merges) throw secondWithKey(admitted.shape, admitted.id);
    return before;
  }

  #equalLogical(admitted: Admitted): Known | undefined {
    const id = this.logicalWith(contentOf(admitted.shape, admitted.values));
    return id === undefined ? undefined : this.get(id);
  }

  #insertNew(admitted: Admitted, support: Activation | undefined): string {
    const { shape, values } = admitted;
    const keyless = admitted.id === undefined ? this.lastKeyless(shape.type) + 1 : undefined;
    const id = admitted.id ?? keylessId(shape.type, must(keyless, "a fact without a key has a number"));
    if (keyless !== undefined) (this.#keyless ??= new Map()).set(shape.type, keyless);
    const logical = support !== undefined;
    if (logical && keyless !== undefined) (this.#contents ??= new Map()).set(contentOf(shape, values), id);
    this.changes.push({ kind: "insert", id, shape, values, keyless, support });
    this.#over?.set(id, { id, shape, values, plain: !logical, logical });
    return id;
  }

  #makePlain(known: Known): void {
    this.changes.push({ kind: "plain", id: known.id, plain: true });
    this.#over?.set(known.id, { ...known, plain: true });
  }

  #addSupport(known: Known, activation: Activation): void {
    this.changes.push({ kind: "support", id: known.id, activation });
    this.#over?.set(known.id, { ...known, logical: true });
  }

  /** A changed fact is no longer what a rule concluded: it is plain from here on. */
  #change(known: Known, changes: Changes): boolean {
    const { slots } = changes;
    if (slots.length === 0) return false;
    const values = [...known.values];
    for (let at = 0; at < slots.length; at++) values[slots[at] as number] = changes.values[at];
    this.changes.push({ kind: "update", id: known.id, changes });
    this.#over?.set(known.id, { ...known, values, plain: true, logical: false });
    return true;
  }
}

function joined<Key, Item>(
  below: Map<Key, Item> | undefined,
  above: Map<Key, Item> | undefined,
): Map<Key, Item> | undefined {
  if (below === undefined || above === undefined) return below ?? above;
  for (const [key, item] of above) below.set(key, item);
  return below;
}

function sameValues(a: readonly Maybe[], b: readonly Maybe[]): boolean {
  const length = Math.max(a.length, b.length);
  for (let slot = 0; slot < length; slot++) if (!same(a[slot], b[slot])) return false;
  return true;
}

function secondWithKey(shape: Shape, id: string): FactError {
  const hint = "retract the other one first, or use upsert";
  return new FactError("E410", `a second ${shape.type} with the key of ${id}`, hint);
}
