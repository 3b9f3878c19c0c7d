/** Working memory: the live facts by id, and by type in the order they were asserted. */
import { LateMap } from "../base/late.ts";
import { empty } from "../base/empty.ts";
import { IdMap } from "../base/id-map.ts";
import type { Maybe } from "../base/value.ts";
import { Fact, type Shape } from "../rete/fact.ts";
import type { FactLookup } from "../rete/port.ts";
import { MinHeap } from "./changes/min-heap.ts";

export interface MemoryCounters {
  /** Facts asserted so far. */
  readonly order: number;
  /** Changes made so far. */
  readonly change: number;
  /** The last number given to a fact of each type without keys. */
  readonly keyless: Readonly<Record<string, number>>;
}

export class Memory implements FactLookup {
  readonly #byId = new IdMap<Fact>();
  readonly #shapes = new LateMap<string, Shape>();
  readonly #keyless = new LateMap<string, number>();
  #order = 0;
  #outOfOrder = false;
  #change = 0;

  get(id: string): Fact | undefined {
    return this.#byId.get(id);
  }

  get size(): number {
    return this.#byId.size;
  }

  count(type: string): number {
    return this.#shapes.get(type)?.count ?? 0;
  }

  /** The number of the change that is being made, or was made last. */
  get change(): number {
    return this.#change;
  }

  /** Begins a change and returns its number. */
  beginChange(): number {
    this.#change += 1;
    return this.#change;
  }

  /** Adds a new fact, as part of the current change. */
  insert(id: string, shape: Shape, values: Maybe[]): Fact {
    this.#order += 1;
    const fact = new Fact(id, shape, values, this.#order, this.#change);
    this.put(fact);
    return fact;
  }

  /** Adds a fact that was made elsewhere; facts must be added in their order. */
  put(fact: Fact): void {
    const { shape } = fact;
    this.#byId.add(fact.id, fact);
    if (shape.first === undefined) {
      shape.first = fact;
      this.#shapes.set(shape.type, shape);
    }
    fact.previous = shape.last;
    fact.next = undefined;
    if (shape.last !== undefined) shape.last.next = fact;
    shape.last = fact;
    shape.count += 1;
  }

  /** Adds a fact again that was removed on trial, out of order. */
  putBack(fact: Fact): void {
    this.put(fact);
    this.#outOfOrder = true;
  }

  remove(fact: Fact): void {
    const { shape, previous, next } = fact;
    this.#byId.delete(fact.id);
    shape.count -= 1;
    if (previous === undefined) shape.first = next;
    else previous.next = next;
    if (next === undefined) shape.last = previous;
    else next.previous = previous;
    // A fact that is gone may be kept for a while, by a match that is gone: it must not keep the facts after it.
    fact.previous = undefined;
    fact.next = undefined;
  }

  /** Returns the live facts, all of them or of one type, in the order they were asserted. */
  facts(type?: string): Iterable<Fact> {
    if (this.#outOfOrder) this.#sort();
    return type === undefined ? this.#all() : factsOf(this.#shapes.get(type));
  }

  #all(): Iterable<Fact> {
    return this.#byId.inOrder ?? merged(this.#shapes.values());
  }

  #sort(): void {
    const facts = [...this.#shapes.values()].flatMap((shape) => [...factsOf(shape)]);
    facts.sort((a, b) => a.order - b.order);
    this.#byId.clear();
    for (const shape of this.#shapes.values()) {
      shape.first = undefined;
      shape.last = undefined;
      shape.count = 0;
    }
    for (const fact of facts) this.put(fact);
    this.#outOfOrder = false;
  }

  /** Returns the types that have facts. */
  types(): string[] {
    return [...this.#shapes.values()].filter(({ count }) => count > 0).map(({ type }) => type);
  }

  /** Removes all facts; the counters stay. */
  removeAll(): void {
    for (const shape of this.#shapes.values()) {
      shape.first = undefined;
      shape.last = undefined;
      shape.count = 0;
    }
    empty(this.#shapes);
    this.#byId.clear();
    this.#outOfOrder = false;
  }

  lastKeyless(type: string): number {
    return this.#keyless.get(type) ?? 0;
  }

  setLastKeyless(type: string, n: number): void {
    this.#keyless.set(type, n);
  }

  /** Notes that a number is given to a fact without a key, which may come later or never. */
  reserveKeyless(type: string, n: number): void {
    if (n > this.lastKeyless(type)) this.setLastKeyless(type, n);
  }

  /** Removes all facts and counts from 0 again. */
  clear(): void {
    this.removeAll();
    empty(this.#keyless);
    this.#order = 0;
    this.#change = 0;
  }

  counters(): MemoryCounters {
    return { order: this.#order, change: this.#change, keyless: Object.fromEntries(this.#keyless) };
  }

  /** Sets the number of the change that is made again, while a session is restored. */
  restoreChange(change: number): void {
    this.#change = change;
  }

  restoreCounters(counters: MemoryCounters): void {
    this.#order = counters.order;
    this.#change = counters.change;
    for (const [type, n] of Object.entries(counters.keyless)) this.#keyless.set(type, n);
  }
}

/** Merges the facts of several types, each in order. */
function* merged(shapes: Iterable<Shape>): Iterable<Fact> {
  const next = new MinHeap<Fact>();
  for (const { first } of shapes) if (first !== undefined) next.push(first, first.order);
  for (let fact = next.pop(); fact !== undefined; fact = next.pop()) {
    yield fact;
    if (fact.next !== undefined) next.push(fact.next, fact.next.order);
  }
}

function* factsOf(shape: Shape | undefined): Iterable<Fact> {
  for (let fact = shape?.first; fact !== undefined; fact = fact.next) yield fact;
}
