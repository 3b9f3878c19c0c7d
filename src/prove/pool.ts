/**
 * Facts and values that are likely to make a difference: those that a case begins with, and the constants of the rules
 * with their neighbours.
 */
import type { Value } from "../base/value.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { Field } from "../language/check/builtin-types.ts";
import type { Type } from "../language/check/types.ts";
import { forEachNode } from "../language/walk.ts";
import { canonical } from "./compare.ts";
import { below, chance, oneOf, type Random } from "./choose.ts";
import type { GivenFact } from "./history.ts";
import type { SubjectFact } from "./trial.ts";
import { liveRules } from "./work.ts";

/** So many values of a field, ids of a type, or keys are remembered. */
const MOST = 20;

/** The part of a pool that is the same for every case. */
export class Vocabulary {
  readonly program: CheckedProgram;
  /** The types that rules look at. */
  readonly types: readonly string[];
  readonly constants: readonly Value[];

  constructor(program: CheckedProgram) {
    this.program = program;
    this.types = typesOf(program);
    this.constants = constantsOf(program);
  }
}

export class Pool {
  readonly #vocabulary: Vocabulary;
  readonly #program: CheckedProgram;
  /** By `Type.field`, then by canonical text. */
  readonly #seen = new Map<string, Map<string, Value>>();
  /** Other fields may hold keys too. */
  readonly #keys = new Set<Value>();
  readonly #ids = new Map<string, string[]>();

  constructor(vocabulary: Vocabulary, facts: readonly SubjectFact[]) {
    this.#vocabulary = vocabulary;
    this.#program = vocabulary.program;
    for (const fact of facts) this.#note(fact);
  }

  /** A value that the field can have; null when it can be missing and is. */
  value(type: string, field: string, random: Random): Value | null {
    const declared = this.#program.symbols.type(type)?.fields.get(field);
    if (declared?.optional === true && chance(random, 0.25)) return null;
    const seen = [...(this.#seen.get(`${type}.${field}`)?.values() ?? [])];
    if (seen.length > 0 && chance(random, 0.5)) return oneOf(random, seen) ?? null;
    return this.#valueOf(declared?.type ?? { kind: "any" }, random) ?? oneOf(random, seen) ?? null;
  }

  /** The fields of a type that an update may change. */
  changeableFields({ type, fields }: GivenFact): string[] {
    const declared = this.#fieldsOf(type);
    if (declared.length === 0) return Object.keys(fields);
    return declared.filter((field) => !field.key).map((field) => field.name);
  }

  /** A new fact of a type that rules look at; undefined when nothing is known of its fields. */
  fact(random: Random): GivenFact | undefined {
    const type = oneOf(random, this.#vocabulary.types);
    const fields = type === undefined ? [] : this.#fieldsOf(type);
    if (type === undefined || fields.length === 0) return undefined;
    const entries = fields.map((field) => [field.name, this.value(type, field.name, random)] as const);
    const given = entries.filter((entry): entry is [string, Value] => entry[1] !== null);
    return { type, fields: Object.fromEntries(given) };
  }

  isKeyed(type: string): boolean {
    return this.#fieldsOf(type).some((field) => field.key);
  }

  #fieldsOf(type: string): Field[] {
    return [...(this.#program.symbols.type(type)?.fields.values() ?? [])];
  }

  #valueOf(type: Type, random: Random): Value | undefined {
    switch (type.kind) {
      case "bool":
        return chance(random, 0.5);
      case "union":
        return oneOf(random, type.options);
      case "fact":
        return oneOf(random, [...(this.#ids.get(type.type) ?? []), `${type.type}~none`]);
      case "list":
        return this.#list(type.item, random);
      case "number":
        return oneOf(random, [...this.#ofKind("number"), 0, 1]);
      case "string":
        return oneOf(random, [...this.#ofKind("string"), "", "x"]);
      case "any":
        return oneOf(random, this.#vocabulary.constants);
    }
  }

  #list(item: Type, random: Random): Value {
    const items = Array.from({ length: below(random, 3) }, () => this.#valueOf(item, random));
    return items.filter((value) => value !== undefined);
  }

  #ofKind(kind: "number" | "string"): Value[] {
    return [...this.#vocabulary.constants, ...this.#keys].filter((value) => typeof value === kind);
  }

  #note({ id, type, fields }: SubjectFact): void {
    const ids = this.#ids.get(type) ?? [];
    if (ids.length < MOST) this.#ids.set(type, [...ids, id]);
    for (const [name, value] of Object.entries(fields)) {
      const seen = this.#seen.get(`${type}.${name}`) ?? new Map<string, Value>();
      if (seen.size < MOST) seen.set(canonical(value), value);
      this.#seen.set(`${type}.${name}`, seen);
      const isKey = this.#program.symbols.type(type)?.fields.get(name)?.key === true;
      if (isKey && this.#keys.size < MOST) this.#keys.add(value);
    }
  }
}

function typesOf(program: CheckedProgram): string[] {
  const types = new Set<string>();
  for (const rule of liveRules(program)) {
    forEachNode(rule.body, (node) => {
      if (node["kind"] === "pattern" || node["kind"] === "source") types.add((node["type"] as { name: string }).name);
    });
  }
  return [...types].filter((type) => program.symbols.type(type)?.engineKept !== true);
}

/** The texts and numbers in rules and lists; numbers with their neighbours, patterns as texts that they could fit. */
function constantsOf(program: CheckedProgram): Value[] {
  const constants = new Map<string, Value>();
  const note = (value: Value): void => void constants.set(canonical(value), value);
  const lists = [...program.symbols.lists.values()].map(({ decl }) => decl.items);
  forEachNode([...liveRules(program).map((rule) => rule.body), ...lists], (node) => {
    const value = node["value"];
    if (node["kind"] === "number") for (const step of [-1, 0, 1]) note((value as number) + step);
    if (node["kind"] === "text") {
      note(value as string);
      note((value as string).replaceAll("%", "").replaceAll("_", "x"));
    }
  });
  return [...constants.values()];
}
