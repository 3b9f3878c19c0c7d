/**
 * The facts that an explanation reads, found by field through indexes that are made when first needed.
 *
 * A world is immutable: `changed` returns another world that differs by one edit.
 */
import { isThrown } from "../../base/host-result.ts";
import { typeOfId } from "../../base/identity.ts";
import { SessionError } from "../../base/session-error.ts";
import type { StepBudget } from "../../base/step-budget.ts";
import type { Maybe, Value } from "../../base/value.ts";
import type { PureFunction } from "../../functions/built-in.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import type { FactView } from "../../session/results.ts";
import type { Draft } from "./draft.ts";
import { fieldOf } from "./field.ts";
import { type FactQuestions, QUESTIONS } from "./questions.ts";

/** The source of the facts: a session, or a session as it was. */
export interface FactBase {
  /** Returns the facts of a type in the order in which they were asserted. */
  facts(type: string): readonly FactView[];
  fact(id: string): FactView | undefined;
  /** What the clock shows with these facts, as text; undefined while it is not set. */
  readonly clock?: string | undefined;
}

/** What evaluation needs besides the facts. */
export interface WorldContext {
  readonly program: CheckedProgram;
  readonly functions: ReadonlyMap<string, PureFunction>;
  /** The ids of facts that the program names. */
  readonly namedFacts: ReadonlyMap<string, string>;
  /** True to search as gates do: when it is unknown whether a fact matches, the answer is unknown. */
  readonly judging?: boolean;
  /** The steps that are left; every fact that is read costs one. */
  readonly budget?: StepBudget;
  /** Counts failed function calls, in tests and in nested questions; undefined when they are not counted. */
  readonly failures?: { count: number; inside: number };
  /** Returns the answer of a gate or guardian about a fact, for tests that ask for it. */
  outcomeAnswer?(of: "gate" | "guardian", name: string, subject: string): OutcomeAnswer | undefined;
}

export interface OutcomeAnswer {
  readonly outcome: "pass" | "hold" | "fail";
  /** The answer in words: `gate "budget" is on hold for Request~q1`. */
  readonly words: string;
  /** Returns the explanation of the answer. */
  draft(): Draft;
}

/**
 * Counts failed calls. A failed value is not a missing one: callers that need the difference compare the count before
 * and after.
 */
export interface FailedCalls {
  failed: number;
  /** The latest failure: `score("x") failed: down`. */
  lastFailure: string;
}

/** A changed fact; `after` is undefined when it is removed, `before` when it is new. */
interface Difference {
  readonly before: FactView | undefined;
  readonly after: FactView | undefined;
}

type Index = ReadonlyMap<Maybe, readonly FactView[]>;

const NONE: readonly FactView[] = [];

export class World {
  readonly context: WorldContext;
  readonly #store: Store;
  readonly #differences: ReadonlyMap<string, Difference>;

  private constructor(context: WorldContext, store: Store, differences: ReadonlyMap<string, Difference>) {
    this.context = context;
    this.#store = store;
    this.#differences = differences;
  }

  static of(context: WorldContext, base: FactBase): World {
    return new World(context, new Store(base), new Map());
  }

  /** Returns the same facts, searched as gates do or as rules do. */
  judging(judging: boolean): World {
    if ((this.context.judging === true) === judging) return this;
    return new World({ ...this.context, judging }, this.#store, this.#differences);
  }

  /** What the clock shows, as text; undefined while it is not set. */
  get clock(): string | undefined {
    return this.#store.clock;
  }

  /** Returns the questions about facts inside expressions: `exists`, aggregates. */
  get questions(): FactQuestions {
    return QUESTIONS;
  }

  /** Returns the count of calls that failed in this world and those it was changed from. */
  get calls(): FailedCalls {
    return this.#store.calls;
  }

  /** Returns how many facts were read, each counted once, in this world and those it was changed from. */
  get factsRead(): number {
    return this.#store.seen();
  }

  /** Returns how often a fact was read. */
  get readCount(): number {
    return this.#store.looks;
  }

  get(id: string): FactView | undefined {
    const difference = this.#differences.get(id);
    return difference === undefined ? this.#store.get(id) : difference.after;
  }

  /** Returns a fact as it is in the base. */
  original(id: string): FactView | undefined {
    return this.#store.get(id);
  }

  ofType(type: string): readonly FactView[] {
    this.context.budget?.spend(1 + this.#store.ofType(type).length);
    this.#store.seeType(type);
    return this.#with(type, this.#store.ofType(type), () => true);
  }

  /** Returns the number of facts of a type, without reading them. */
  count(type: string): number {
    return this.#with(type, this.#store.ofType(type), () => true).length;
  }

  /** Returns the facts of a type whose field has a value. */
  having(type: string, field: string, value: Value): readonly FactView[] {
    const found = this.#store.index(type, field).get(value) ?? NONE;
    this.context.budget?.spend(1 + found.length);
    this.#store.see(type, found);
    return this.#with(type, found, (fact) => fieldOf(fact, field) === value);
  }

  /** Returns one fact and counts it as read. */
  one(id: string): FactView | undefined {
    const fact = this.get(id);
    this.context.budget?.spend(1);
    if (fact !== undefined) this.#store.see(fact.type, [fact]);
    return fact;
  }

  /** Returns up to `most` distinct values of a field. */
  someValues(type: string, field: string, most: number): Value[] {
    const values: Value[] = [];
    for (const value of this.#store.index(type, field).keys()) {
      if (values.length >= most) break;
      if (value !== undefined) values.push(value);
    }
    return values;
  }

  changed(before: FactView | undefined, after: FactView | undefined): World {
    const id = after?.id ?? before?.id ?? "";
    const first = this.#differences.get(id);
    const original = first === undefined ? before : first.before;
    return new World(this.context, this.#store, new Map(this.#differences).set(id, { before: original, after }));
  }

  #with(type: string, facts: readonly FactView[], fits: (fact: FactView) => boolean): readonly FactView[] {
    if (this.#differences.size === 0) return facts;
    const kept = facts.filter(({ id }) => !this.#differences.has(id));
    for (const { after } of this.#differences.values()) {
      if (after?.type === type && fits(after)) kept.splice(this.#placeAmong(kept, after), 0, after);
    }
    return kept;
  }

  /** Returns where a changed fact is among others of its type: a change leaves it in its place, and a new fact is the last. */
  #placeAmong(facts: readonly FactView[], { id, type }: FactView): number {
    const place = this.#store.place(type, id);
    let [from, to] = [0, facts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = facts[middle];
      if (other !== undefined && this.#store.place(type, other.id) <= place) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** The facts of the base by type, id and field; each list is made when it is first needed. */
class Store {
  looks = 0;
  readonly calls: FailedCalls = { failed: 0, lastFailure: "" };
  /** The types of which every fact was read, and single facts of other types. */
  readonly #seenTypes = new Set<string>();
  readonly #seenIds = new Map<string, string>();
  readonly #base: FactBase;
  readonly #byType = new Map<string, readonly FactView[]>();
  /** Single facts by id; null when there is no such fact. */
  readonly #single = new Map<string, FactView | null>();
  readonly #byId = new Map<string, ReadonlyMap<string, FactView>>();
  readonly #indexes = new Map<string, Map<string, Index>>();
  readonly #places = new Map<string, ReadonlyMap<string, number>>();

  constructor(base: FactBase) {
    this.#base = base;
  }

  get clock(): string | undefined {
    return this.#base.clock;
  }

  seeType(type: string): void {
    this.looks += this.ofType(type).length;
    this.#seenTypes.add(type);
  }

  see(type: string, facts: readonly FactView[]): void {
    this.looks += facts.length;
    if (!this.#seenTypes.has(type)) for (const { id } of facts) this.#seenIds.set(id, type);
  }

  seen(): number {
    let count = 0;
    for (const type of this.#seenTypes) count += this.ofType(type).length;
    for (const type of this.#seenIds.values()) if (!this.#seenTypes.has(type)) count += 1;
    return count;
  }

  ofType(type: string): readonly FactView[] {
    let facts = this.#byType.get(type);
    if (facts === undefined) this.#byType.set(type, (facts = factsOf(this.#base, type)));
    return facts;
  }

  /** Returns a fact. Until the facts of its type are listed, single facts are fetched from the base. */
  get(id: string): FactView | undefined {
    const type = typeOfId(id);
    if (this.#byType.has(type)) return this.#ids(type).get(id);
    let fact = this.#single.get(id);
    if (fact === undefined) this.#single.set(id, (fact = this.#base.fact(id) ?? null));
    return fact ?? undefined;
  }

  #ids(type: string): ReadonlyMap<string, FactView> {
    let facts = this.#byId.get(type);
    if (facts === undefined) {
      this.#byId.set(type, (facts = new Map(this.ofType(type).map((fact) => [fact.id, fact]))));
    }
    return facts;
  }

  /** Returns the place of a fact in the order of assertion; infinite for one that the base does not have. */
  place(type: string, id: string): number {
    let places = this.#places.get(type);
    if (places === undefined) {
      this.#places.set(type, (places = new Map(this.ofType(type).map((fact, at) => [fact.id, at]))));
    }
    return places.get(id) ?? Infinity;
  }

  index(type: string, field: string): Index {
    let ofType = this.#indexes.get(type);
    if (ofType === undefined) this.#indexes.set(type, (ofType = new Map()));
    let index = ofType.get(field);
    if (index === undefined) ofType.set(field, (index = indexOf(this.ofType(type), field)));
    return index;
  }
}

function indexOf(facts: readonly FactView[], field: string): Index {
  const index = new Map<Maybe, FactView[]>();
  for (const fact of facts) {
    const value = fieldOf(fact, field);
    const found = index.get(value);
    if (found === undefined) index.set(value, [fact]);
    else found.push(fact);
  }
  return index;
}

/** Returns the facts of a type; none of a type that the base refuses to know: what is asked about may have any name. */
function factsOf(base: FactBase, type: string): readonly FactView[] {
  try {
    return base.facts(type);
  } catch (error) {
    if (isThrown(error, SessionError) && error.code === "E201") return [];
    throw error;
  }
}
