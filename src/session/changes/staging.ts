/**
 * Changes that are not made yet. Each is checked as if those before it had been made already, so that a list of changes is
 * either accepted or refused as a whole.
 *
 * A staging is over working memory, or over another staging: a batch inside a batch.
 */
import { factLabel } from "../../base/fact-label.ts";
import { keylessId } from "../../base/identity.ts";
import { must, unreachable } from "../../base/invariant.ts";
import { type Maybe, same } from "../../base/value.ts";
import type { Changes, Shape } from "../../rete/fact.ts";
import type { FieldValues } from "../../rete/production.ts";
import type { Activation } from "../agenda/activation.ts";
import { contentOf } from "./content.ts";
import type { Admitted, Admission } from "../admission/admission.ts";
import { FactError } from "../errors.ts";
import type { Xuples } from "../xuples.ts";
import { type Author, copyOf, type Wanted } from "./wanted.ts";

export type { Author } from "./wanted.ts";

export type Change =
  | {
      readonly kind: "insert";
      readonly id: string;
      readonly shape: Shape;
      readonly values: Maybe[];
      /** The number in the id of a fact without a key. */
      readonly keyless: number | undefined;
      /** The activation that supports a logical fact; undefined for a plain one. */
      readonly support: Activation | undefined;
    }
  | { readonly kind: "support"; readonly id: string; readonly activation: Activation }
  | { readonly kind: "plain"; readonly id: string; readonly plain: boolean }
  | { readonly kind: "update"; readonly id: string; readonly changes: Changes }
  | { readonly kind: "retract"; readonly id: string }
  /** A fact that never enters, because it has expired. */
  | { readonly kind: "expired"; readonly id?: undefined }
  | { readonly kind: "focus"; readonly id?: undefined; readonly group: string }
  | {
      readonly kind: "xuple";
      readonly id?: undefined;
      readonly space: string;
      readonly shape: Shape;
      readonly values: readonly Maybe[];
    };

/** A fact as it is after the staged changes. */
export interface Known {
  readonly id: string;
  readonly shape: Shape;
  readonly values: readonly Maybe[];
  readonly plain: boolean;
  readonly logical: boolean;
}

/** The facts under a staging. */
export interface View {
  get(id: string): Known | undefined;
  known(type: string | undefined): Iterable<Known>;
  lastKeyless(type: string): number;
  /** Returns the id of the logical fact without a key that has this content. */
  logicalWith(content: string): string | undefined;
  xuplesWaiting(space: string): number;
  /** Notes that a number of a fact without a key is given, so that nobody else gets it. */
  reserve(type: string, keyless: number): void;
}

const HOST: Author = {};

/** The author of changes by rules and of the facts that the program states. */
export const PROGRAM: Author = { role: "policy" };

/** Up to this number of changes the list itself is searched; a table is made only for more. */
const SCAN_UP_TO = 8;

export class Staging implements View {
  readonly changes: Change[] = [];
  /** What the host asked for, in order, where it may have to be staged again; undefined where it need not be noted. */
  journal: Wanted[] | undefined;
  readonly #below: View;
  readonly #admission: Admission;
  readonly #xuples: Xuples;
  // These tables are made when first needed: a staging is made for every firing and every single change.
  /** The facts that differ from those below, after the first `#inOverlay` changes; undefined for one that is removed. */
  #overlay: Map<string, Known | undefined> | undefined;
  #inOverlay: number;
  #keyless: Map<string, number> | undefined;
  #contents: Map<string, string> | undefined;
  #waiting: Map<string, number> | undefined;

  constructor(below: View, admission: Admission, xuples: Xuples) {
    this.journal = undefined;
    this.#overlay = undefined;
    this.#inOverlay = 0;
    this.#below = below;
    this.#admission = admission;
    this.#xuples = xuples;
    this.#keyless = undefined;
    this.#contents = undefined;
    this.#waiting = undefined;
  }

  /** Returns a staging on top of this one. */
  nested(): Staging {
    const nested = new Staging(this, this.#admission, this.#xuples);
    if (this.journal !== undefined) nested.journal = [];
    return nested;
  }

  /** Returns whether this staging is the given one, or is on top of it. */
  isOn(staging: Staging): boolean {
    if (staging === this) return true;
    return this.#below instanceof Staging && this.#below.isOn(staging);
  }

  /** Adds what was staged on top of this one. */
  absorb(above: Staging): void {
    for (const change of above.changes) this.changes.push(change);
    if (above.journal !== undefined) for (const wanted of above.journal) this.journal?.push(wanted);
    this.#keyless = joined(this.#keyless, above.#keyless);
    this.#contents = joined(this.#contents, above.#contents);
    this.#waiting = joined(this.#waiting, above.#waiting);
  }

  // ---------------------------------------------------------------- staging changes

  /** Stages a new fact of the host or the engine and returns its id. */
  insert(type: string, fields: unknown, author: Author = HOST): string {
    const id = this.#insert(this.#admission.admit(type, fields, author), author);
    if (this.journal !== undefined) this.#noteInsert("insert", type, fields as object, author);
    return id;
  }

  /** Stages a new fact of a rule and returns its id. */
  insertNamed(type: string, fields: FieldValues, author: Author): string {
    return this.#insert(this.#admission.admitNamed(type, fields, author), author);
  }

  #insert(admitted: Admitted, author: Author, keyless?: number): string {
    if (this.#admission.hasExpired(admitted)) return this.#refuseExpired(admitted, keyless);
    const before = this.#equalBefore(admitted, author.support !== undefined);
    if (before === undefined) return this.#insertNew(admitted, author.support, keyless);
    if (author.support === undefined) this.#makePlain(before);
    else this.#addSupport(before, author.support);
    return before.id;
  }

  /** Stages changed fields. False when nothing differs. */
  update(id: string, fields: unknown, author: Author = HOST): boolean {
    const known = this.get(id);
    if (known === undefined) throw new FactError("E532", `no fact with id "${id}"`);
    const changed = this.#change(known, this.#admission.admitChanges(known.shape.type, known.values, fields, author));
    this.journal?.push({ op: "update", id, fields: copyOf(fields) as object, author });
    return changed;
  }

  /** Stages changed fields of a rule, unless an earlier action removed the fact. */
  updateNamed(id: string, fields: FieldValues): void {
    const known = this.get(id);
    if (known === undefined) return;
    this.#change(known, this.#admission.admitNamedChanges(known.shape.type, known.values, fields, PROGRAM));
  }

  /** Stages a new fact, or changed fields of the one that has its key. Returns its id. */
  upsert(type: string, data: object, author: Author = HOST): string {
    const fields = { ...data }; // so that every property is read once
    const id = this.#upsert(type, fields, author);
    if (this.journal !== undefined) this.#noteInsert("upsert", type, fields, author);
    return id;
  }

  #upsert(type: string, fields: object, author: Author, keyless?: number): string {
    const id = this.#admission.idFor(type, fields, author);
    const known = id === undefined ? undefined : this.get(id);
    if (known === undefined) return this.#insert(this.#admission.admit(type, fields, author), author, keyless);
    const changes = this.#admission.admitChanges(type, known.values, fields, author);
    if (changes.slots.length > 0) this.#change(known, changes);
    else if (!known.plain) this.#makePlain(known);
    return known.id;
  }

  /** Stages the removal of a fact. False when there is no such fact. */
  retract(id: string, author: Author = HOST): boolean {
    const known = this.get(id);
    if (known === undefined) return false;
    this.#admission.refuseGuarded(known.shape.type, author);
    this.journal?.push({ op: "retract", id, author });
    this.changes.push(known.plain && known.logical ? { kind: "plain", id, plain: false } : { kind: "retract", id });
    return true;
  }

  focus(group: string): void {
    this.journal?.push({ op: "focus", group });
    this.changes.push({ kind: "focus", group });
  }

  /** Stages again what was asked for before, over other facts; throws when it is no longer possible. */
  repeat(wanted: Wanted): void {
    switch (wanted.op) {
      case "insert":
        this.#insert(this.#admission.admit(wanted.type, wanted.fields, wanted.author), wanted.author, wanted.keyless);
        break;
      case "upsert":
        this.#upsert(wanted.type, wanted.fields, wanted.author, wanted.keyless);
        break;
      case "update":
        this.update(wanted.id, wanted.fields, wanted.author);
        break;
      case "retract":
        this.retract(wanted.id, wanted.author);
        break;
      case "focus":
        this.focus(wanted.group);
        break;
      default:
        unreachable(wanted);
    }
  }

  /** Returns the staging itself: nothing else is committed while it is filled. */
  current(): Staging {
    return this;
  }

  reserve(type: string, keyless: number): void {
    this.#below.reserve(type, keyless);
  }

  xuple(space: string, type: string, fields: FieldValues): void {
    this.xupleOf(space, this.#admission.admitNamed(type, fields, PROGRAM));
  }

  /** Stages an entry of a tuple space with the content of a fact. */
  xupleOf(space: string, { shape, values }: { readonly shape: Shape; readonly values: readonly Maybe[] }): void {
    const waiting = this.xuplesWaiting(space);
    this.#xuples.refuseWhenFull(space, waiting);
    (this.#waiting ??= new Map()).set(space, waiting + 1);
    this.changes.push({ kind: "xuple", space, shape, values: [...values] });
  }

  // ---------------------------------------------------------------- facts after the changes

  get(id: string): Known | undefined {
    return this.#isTouched(id) ? this.#currentOverlay().get(id) : this.#below.get(id);
  }

  *known(type: string | undefined): Iterable<Known> {
    for (const known of this.#below.known(type)) {
      const now = this.get(known.id);
      if (now !== undefined) yield now;
    }
    for (const known of this.#currentOverlay().values()) {
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

  /** Returns the fact that the new one would be equal to; throws E410 for another fact with the same key. */
  #equalBefore(admitted: Admitted, logical: boolean): Known | undefined {
    if (admitted.id === undefined) return logical ? this.#equalLogical(admitted) : undefined;
    const before = this.get(admitted.id);
    if (before === undefined) return undefined;
    const merges = (logical || !before.plain) && sameValues(before.values, admitted.values);
    if (!merges) throw secondWithKey(admitted.id);
    return before;
  }

  #equalLogical(admitted: Admitted): Known | undefined {
    const id = this.logicalWith(contentOf(admitted.shape, admitted.values));
    return id === undefined ? undefined : this.get(id);
  }

  #insertNew(admitted: Admitted, support: Activation | undefined, reserved: number | undefined): string {
    const { shape, values } = admitted;
    const keyless = admitted.id === undefined ? (reserved ?? this.lastKeyless(shape.type) + 1) : undefined;
    const id = admitted.id ?? keylessId(shape.type, must(keyless, "a fact without a key has a number"));
    if (keyless !== undefined) {
      (this.#keyless ??= new Map()).set(shape.type, Math.max(keyless, this.lastKeyless(shape.type)));
    }
    const logical = support !== undefined;
    if (logical && keyless !== undefined) (this.#contents ??= new Map()).set(contentOf(shape, values), id);
    this.changes.push({ kind: "insert", id, shape, values, keyless, support });
    return id;
  }

  /** Notes that a fact has expired, and returns the id that it would have had: nobody else gets it. */
  #refuseExpired({ id, shape: { type } }: Admitted, reserved: number | undefined): string {
    this.changes.push({ kind: "expired" });
    if (id !== undefined) return id;
    const keyless = reserved ?? this.lastKeyless(type) + 1;
    (this.#keyless ??= new Map()).set(type, Math.max(keyless, this.lastKeyless(type)));
    this.reserve(type, keyless);
    return keylessId(type, keyless);
  }

  /** Notes an insert or upsert that was just staged. A number that it gave stays given, whatever happens to the firing. */
  #noteInsert(op: "insert" | "upsert", type: string, fields: object, author: Author): void {
    const last = this.changes.at(-1);
    const keyless = last?.kind === "insert" ? last.keyless : undefined;
    if (keyless !== undefined) this.reserve(type, keyless);
    this.journal?.push({ op, type, fields: copyOf(fields) as object, author, keyless });
  }

  #makePlain({ id }: Known): void {
    this.changes.push({ kind: "plain", id, plain: true });
  }

  #addSupport({ id }: Known, activation: Activation): void {
    this.changes.push({ kind: "support", id, activation });
  }

  #change({ id }: Known, changes: Changes): boolean {
    if (changes.slots.length === 0) return false;
    this.changes.push({ kind: "update", id, changes });
    return true;
  }

  /** Whether a change here is about the fact. */
  #isTouched(id: string): boolean {
    const { changes } = this;
    if (changes.length > SCAN_UP_TO) return this.#currentOverlay().has(id);
    for (let at = 0; at < changes.length; at++) if (changes[at]?.id === id) return true;
    return false;
  }

  #currentOverlay(): ReadonlyMap<string, Known | undefined> {
    const { changes } = this;
    const overlay = (this.#overlay ??= new Map());
    for (; this.#inOverlay < changes.length; this.#inOverlay++) {
      const change = changes[this.#inOverlay] as Change;
      const { id } = change;
      if (id === undefined) continue;
      const known = overlay.has(id) ? overlay.get(id) : this.#below.get(id);
      overlay.set(id, knownAfter(change, known));
    }
    return overlay;
  }
}

/** Returns a fact after a change; undefined when it is removed. */
function knownAfter(change: Change & { readonly id: string }, before: Known | undefined): Known | undefined {
  if (change.kind === "insert") {
    const { id, shape, values } = change;
    const logical = change.support !== undefined;
    return { id, shape, values, plain: !logical, logical };
  }
  if (before === undefined || change.kind === "retract") return undefined;
  switch (change.kind) {
    case "plain":
      return { ...before, plain: change.plain };
    case "support":
      return { ...before, logical: true };
    case "update": // it is no longer what a rule concluded: plain from here on
      return { ...before, values: valuesAfter(before.values, change.changes), plain: true, logical: false };
    default:
      return unreachable(change);
  }
}

function valuesAfter(before: readonly Maybe[], { slots, values }: Changes): Maybe[] {
  const after = before.slice();
  for (let at = 0; at < slots.length; at++) after[slots[at] as number] = values[at];
  return after;
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

function secondWithKey(id: string): FactError {
  const hint = "retract the existing fact first, or use upsert";
  return new FactError("E410", `duplicate key: ${factLabel(id)} already exists`, hint);
}
