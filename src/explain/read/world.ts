/**
 * The facts that an explanation looks at, found by field through indexes that are made when first needed.
 *
 * A world can be changed without touching what it was made from: `changed` gives another world that differs by one edit.
 */
import type { StepBudget } from "../../base/step-budget.ts";
import type { Maybe, Value } from "../../base/value.ts";
import type { PureFunction } from "../../functions/built-in.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import type { FactView } from "../../session/results.ts";
import type { Draft } from "../tell/step.ts";
import { fieldOf } from "./field.ts";
import { type FactQuestions, QUESTIONS } from "./questions.ts";

/** Where facts come from: a session, or a session as it was. */
export interface FactBase {
  /** In the order they were asserted. */
  facts(type: string): readonly FactView[];
  fact(id: string): FactView | undefined;
}

/** What is known besides the facts. */
export interface Ground {
  readonly program: CheckedProgram;
  readonly functions: ReadonlyMap<string, PureFunction>;
  /** The ids of facts that the program gives a name to. */
  readonly namedFacts: ReadonlyMap<string, string>;
  /** Facts are looked for to judge, as gates do: one of which it is not known whether it fits makes the answer unknown. */
  readonly judging?: boolean;
  /** Every fact that is looked at costs a step. */
  readonly budget?: StepBudget;
  /** How often a function has failed, in tests and inside of questions about facts, where that is wanted. */
  readonly failures?: { count: number; inside: number };
  /** What a gate or guardian says about a fact, where a test may ask for it. */
  said?(of: "gate" | "guardian", name: string, subject: string): Said | undefined;
}

export interface Said {
  readonly outcome: "pass" | "hold" | "fail";
  /** `gate "budget" is on hold for Request~q1`. */
  readonly words: string;
  /** Why it says so. */
  draft(): Draft;
}

/** What failed is not missing, and nothing takes its place: who needs the difference compares the count before and after. */
export interface FailedCalls {
  failed: number;
  /** The newest failure: `score("x") failed: down`. */
  lastFailure: string;
}

/** One fact that is another; `after` undefined: that is gone, `before` undefined: that is new. */
interface Difference {
  readonly before: FactView | undefined;
  readonly after: FactView | undefined;
}

type Index = ReadonlyMap<Maybe, readonly FactView[]>;

const NONE: readonly FactView[] = [];

export class World {
  readonly ground: Ground;
  readonly #store: Store;
  readonly #differences: ReadonlyMap<string, Difference>;

  private constructor(ground: Ground, store: Store, differences: ReadonlyMap<string, Difference>) {
    this.ground = ground;
    this.#store = store;
    this.#differences = differences;
  }

  static of(ground: Ground, base: FactBase): World {
    return new World(ground, new Store(base), new Map());
  }

  /** Answers questions about facts inside of expressions: `exists`, aggregates. */
  get questions(): FactQuestions {
    return QUESTIONS;
  }

  /** Counts the calls that failed while expressions were evaluated in this world and those it was changed from. */
  get calls(): FailedCalls {
    return this.#store.calls;
  }

  /** How many facts were looked at, each counted once, in this world and those it was changed from. */
  get looked(): number {
    return this.#store.seen();
  }

  /** How often a fact was looked at. */
  get looks(): number {
    return this.#store.looks;
  }

  get(id: string): FactView | undefined {
    const difference = this.#differences.get(id);
    return difference === undefined ? this.#store.get(id) : difference.after;
  }

  ofType(type: string): readonly FactView[] {
    this.ground.budget?.spend(1 + this.#store.ofType(type).length);
    this.#store.seeType(type);
    return this.#with(type, this.#store.ofType(type), () => true);
  }

  /** How many facts of a type there are; this looks at none. */
  count(type: string): number {
    return this.#with(type, this.#store.ofType(type), () => true).length;
  }

  /** The facts of a type whose field has a value. */
  having(type: string, field: string, value: Value): readonly FactView[] {
    const found = this.#store.index(type, field).get(value) ?? NONE;
    this.ground.budget?.spend(1 + found.length);
    this.#store.see(type, found);
    return this.#with(type, found, (fact) => fieldOf(fact, field) === value);
  }

  /** One fact, looked at for its own sake. */
  one(id: string): FactView | undefined {
    const fact = this.get(id);
    this.ground.budget?.spend(1);
    if (fact !== undefined) this.#store.see(fact.type, [fact]);
    return fact;
  }

  /** Some values that a field has, each once. */
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
    return new World(this.ground, this.#store, new Map(this.#differences).set(id, { before: original, after }));
  }

  #with(type: string, facts: readonly FactView[], fits: (fact: FactView) => boolean): readonly FactView[] {
    if (this.#differences.size === 0) return facts;
    const kept = facts.filter(({ id }) => !this.#differences.has(id));
    for (const { after } of this.#differences.values()) if (after?.type === type && fits(after)) kept.push(after);
    return kept;
  }
}

/** The facts of the base by type, id and field, each list made when it is first asked for. */
class Store {
  looks = 0;
  readonly calls: FailedCalls = { failed: 0, lastFailure: "" };
  /** Types of which every fact was looked at, and single facts of others. */
  readonly #seenTypes = new Set<string>();
  readonly #seenIds = new Map<string, string>();
  readonly #base: FactBase;
  readonly #byType = new Map<string, readonly FactView[]>();
  /** Null: there is no such fact. */
  readonly #single = new Map<string, FactView | null>();
  readonly #byId = new Map<string, ReadonlyMap<string, FactView>>();
  readonly #indexes = new Map<string, Map<string, Index>>();

  constructor(base: FactBase) {
    this.#base = base;
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
    if (facts === undefined) this.#byType.set(type, (facts = this.#base.facts(type)));
    return facts;
  }

  /** As long as nobody looked through the facts of a type, single ones are taken from the base. */
  get(id: string): FactView | undefined {
    const type = id.slice(0, Math.max(0, id.indexOf("~")));
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
