/**
 * Generates facts for a benchmark from the types and constants of a program: values next to the constants that rules compare with,
 * and values that other facts have where rules join on them. The same seed gives the same facts.
 */
import {
  FactError,
  type FactView,
  factSession,
  type Program,
  type Schema,
  SeededRandom,
  type Session,
  type Value,
} from "../../index.ts";
import { type FieldPlan, type Link, vocabularyOf } from "./vocabulary.ts";

/** Returns about `count` facts, the same number of each type that rules read, after the facts that the program states. */
export function generatedFacts(program: Program, count: number, seed: number): readonly FactView[] {
  return new Author(program, seed).write(count);
}

const BY_PROGRAM = { role: "policy" } as const;

class Author {
  readonly #session: Session;
  readonly #vocabulary: ReturnType<typeof vocabularyOf>;
  readonly #random: SeededRandom;
  readonly #records: NonNullable<Schema["records"]>;
  /** The facts of each type so far. */
  readonly #facts = new Map<string, FactView[]>();

  constructor(program: Program, seed: number) {
    this.#session = factSession(program);
    this.#vocabulary = vocabularyOf(program);
    this.#random = new SeededRandom(seed);
    this.#records = program.data().schema.records ?? new Map();
    for (const { type, fields } of program.data().initialFacts) this.#assert(type, fields);
  }

  write(count: number): readonly FactView[] {
    const each = Math.ceil(count / Math.max(1, this.#vocabulary.size));
    for (const [type, fields] of this.#vocabulary) {
      for (let number = 1; number <= each; number++) this.#assert(type, this.#fields(type, fields, number));
    }
    return this.#session.facts();
  }

  /** Asserts a fact; one that is refused, as another has its key, is left out. */
  #assert(type: string, fields: Readonly<Record<string, unknown>>): void {
    try {
      const fact = this.#session.fact(this.#session.assert(type, fields, BY_PROGRAM));
      if (fact === undefined) return;
      const known = this.#facts.get(type) ?? [];
      known.push(fact);
      this.#facts.set(type, known);
    } catch (error) {
      if (!(error instanceof FactError)) throw error;
    }
  }

  #fields(type: string, plans: readonly FieldPlan[], number: number): Record<string, Value> {
    const fields: Record<string, Value> = {};
    for (const plan of plans) {
      const value = this.#value(type, plan, number);
      if (value !== undefined) fields[plan.name] = value;
    }
    return fields;
  }

  #value(type: string, plan: FieldPlan, number: number): Value | undefined {
    if (plan.optional && this.#chance(MISSING)) return undefined;
    const linked = this.#linked(plan.links);
    if (linked !== undefined && this.#chance(LINKED)) return linked;
    if (plan.key && plan.type.kind === "string") return `${type.toLowerCase()}-${number}`;
    if (plan.key && plan.type.kind === "number") return number;
    return this.#ofKind(plan.type, plan.constants) ?? linked;
  }

  /** Returns what a field that is joined with this one has in some fact. */
  #linked(links: readonly Link[]): Value | undefined {
    const link = this.#oneOf(links);
    const fact = link === undefined ? undefined : this.#oneOf(this.#facts.get(link.type) ?? []);
    return link?.field === undefined ? fact?.id : fact?.fields[link.field];
  }

  #ofKind(type: FieldPlan["type"], constants: readonly Value[]): Value | undefined {
    switch (type.kind) {
      case "bool":
        return this.#chance(0.5);
      case "union":
        return this.#oneOf(type.options);
      case "ref":
        return this.#oneOf(this.#facts.get(type.type) ?? [])?.id ?? `${type.type}~none`;
      case "list":
        return [0, 1].flatMap(() => (this.#chance(0.5) ? [] : (this.#ofKind(type.item, constants) ?? [])));
      case "record":
        return this.#record(type.name, constants);
      case "number":
        return this.#number(constants.filter((value) => typeof value === "number"));
      case "string":
        return this.#string(constants.filter((value) => typeof value === "string"));
      case "date":
      case "instant":
      case "duration":
        return this.#time(type.kind, constants);
      case "any":
        return this.#any(constants);
    }
  }

  #record(name: string, constants: readonly Value[]): Value {
    const fields = this.#records.get(name)?.fields ?? [];
    const entries = fields.flatMap((field): [string, Value][] => {
      const isGiven = !(field.optional || field.default !== undefined) || this.#chance(1 - MISSING);
      const value = isGiven ? this.#ofKind(field.type, constants) : undefined;
      return value === undefined ? [] : [[field.name, value]];
    });
    return Object.fromEntries(entries);
  }

  /** Returns a time on either side of a constant of the plan, which has days or milliseconds. */
  #time(kind: "date" | "instant" | "duration", constants: readonly Value[]): string {
    const number = Math.trunc(this.#number(constants.filter((value) => typeof value === "number")));
    if (kind === "duration") return `${number < 0 ? "-" : ""}PT${Math.abs(number) / 1000}S`;
    const text = new Date(kind === "date" ? number * 86_400_000 : number).toISOString();
    return kind === "date" ? text.slice(0, 10) : text;
  }

  #any(constants: readonly Value[]): Value {
    const one = this.#oneOf(constants);
    if (typeof one === "number") return this.#number(constants.filter((value) => typeof value === "number"));
    return one ?? this.#below(WORDS);
  }

  /** Returns a number on either side of a constant, or any between the smallest and the largest. */
  #number(constants: readonly number[]): number {
    const one = this.#oneOf(constants);
    if (one === undefined) return this.#below(100);
    if (this.#chance(0.5)) return one + this.#below(3) - 1;
    const [low, high] = [Math.min(...constants), Math.max(...constants)];
    const room = Math.max(10, (high - low) / 4);
    return Math.round(low - room + this.#random.next() * (high - low + 2 * room));
  }

  #string(constants: readonly string[]): string {
    const one = this.#oneOf(constants);
    if (one === undefined || this.#chance(OTHER)) return `word-${this.#below(WORDS)}`;
    return one.replaceAll("%", "x").replaceAll("_", "x");
  }

  #oneOf<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#below(items.length)];
  }

  #below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  #chance(probability: number): boolean {
    return this.#random.next() < probability;
  }
}

/** How often an optional field is missing, a joined field has a partner, a string is none of the constants. */
const MISSING = 0.15;
const LINKED = 0.9;
const OTHER = 0.3;
/** How many different other strings there are. */
const WORDS = 50;
