/**
 * Facts and values that are likely to make a difference: those that a case begins with, and the constants of the rules
 * with their neighbours.
 */
import type { Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { Field } from "../language/check/builtin-types.ts";
import type { RecordType, Type } from "../language/check/types.ts";
import { forEachNode } from "../language/walk.ts";
import { canonical } from "./compare.ts";
import { below, chance, oneOf, type Random } from "./choose.ts";
import { call } from "./functions.ts";
import type { GivenFact } from "./history.ts";
import { literalOf, timeStep } from "./times.ts";
import type { SubjectFact } from "./trial.ts";
import { liveRules } from "./work.ts";

/** The most values of a field, ids of a type, or keys that are kept. */
const MAX_KEPT = 20;

/** The part of a pool that is the same for every case. */
export class Vocabulary {
  readonly program: CheckedProgram;
  /** The types that rules read. */
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
  /** The values by `Type.field`, then by canonical string. */
  readonly #seen = new Map<string, Map<string, Value>>();
  /** All key values, because other fields may hold keys too. */
  readonly #keys = new Set<Value>();
  readonly #ids = new Map<string, string[]>();

  constructor(vocabulary: Vocabulary, facts: readonly SubjectFact[]) {
    this.#vocabulary = vocabulary;
    this.#program = vocabulary.program;
    for (const fact of facts) this.#note(fact);
  }

  /** Returns a value that the field can have; null to leave it out. */
  value(type: string, field: string, random: Random): Value | null {
    const declared = this.#program.symbols.type(type)?.fields.get(field);
    if (declared?.optional === true && chance(random, 0.25)) return null;
    const seen = [...(this.#seen.get(`${type}.${field}`)?.values() ?? [])];
    if (seen.length > 0 && chance(random, 0.5)) return oneOf(random, seen) ?? null;
    return this.#valueOf(declared?.type ?? { kind: "any" }, random) ?? oneOf(random, seen) ?? null;
  }

  /** Returns the fields of a type that an update may change. */
  changeableFields({ type, fields }: GivenFact): string[] {
    const declared = this.#fieldsOf(type);
    if (declared.length === 0) return Object.keys(fields);
    return declared.filter((field) => !field.key).map((field) => field.name);
  }

  /** Returns a new fact of a type that rules read; undefined when nothing is known of its fields. */
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
      case "record":
        return this.#record(type, random);
      case "number":
        return oneOf(random, [...this.#ofKind("number"), 0, 1]);
      case "string":
        return oneOf(random, [...this.#ofKind("string"), "", "x"]);
      case "date":
      case "instant":
      case "duration":
        return oneOf(random, this.#times(type.kind));
      case "months":
      case "row":
        return undefined;
      case "any":
        return oneOf(random, this.#vocabulary.constants);
    }
  }

  #list(item: Type, random: Random): Value {
    const items = Array.from({ length: below(random, 3) }, () => this.#valueOf(item, random));
    return items.filter((value) => value !== undefined);
  }

  #record({ fields }: RecordType, random: Random): Value | undefined {
    const entries = fields.map(({ name, type, optional, hasDefault }) => {
      const isGiven = !(optional || hasDefault) || chance(random, 0.75);
      return { name, isGiven, value: isGiven ? this.#valueOf(type, random) : undefined };
    });
    if (entries.some(({ isGiven, value }) => isGiven && value === undefined)) return undefined;
    return Object.fromEntries(
      entries.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
    );
  }

  /** Returns the times of a kind that rules name, and some others. */
  #times(kind: "date" | "instant" | "duration"): Value[] {
    const named = this.#vocabulary.constants.filter((value) => call(`parse_${kind}`, [value]) === value);
    return [...named, ...OTHER_TIMES[kind]];
  }

  #ofKind(kind: "number" | "string"): Value[] {
    return [...this.#vocabulary.constants, ...this.#keys].filter((value) => typeof value === kind);
  }

  #note({ id, type, fields }: SubjectFact): void {
    const ids = this.#ids.get(type) ?? [];
    if (ids.length < MAX_KEPT) this.#ids.set(type, [...ids, id]);
    for (const [name, value] of Object.entries(fields)) {
      const seen = this.#seen.get(`${type}.${name}`) ?? new Map<string, Value>();
      if (seen.size < MAX_KEPT) seen.set(canonical(value), value);
      this.#seen.set(`${type}.${name}`, seen);
      const isKey = this.#program.symbols.type(type)?.fields.get(name)?.key === true;
      if (isKey && this.#keys.size < MAX_KEPT) this.#keys.add(value);
    }
  }
}

const OTHER_TIMES = {
  date: ["2026-01-31", "2028-02-29"],
  instant: ["2026-10-25T00:59:59.999Z", "2026-01-31T23:30:00Z"],
  duration: ["PT0S", "-P1D"],
} as const;

function typesOf(program: CheckedProgram): string[] {
  const types = new Set<string>();
  for (const rule of liveRules(program)) {
    forEachNode(rule.body, (node) => {
      if (node["kind"] === "pattern" || node["kind"] === "source") types.add((node["type"] as { name: string }).name);
    });
  }
  return [...types].filter((type) => program.symbols.type(type)?.engineKept !== true);
}

/** Notes a written time and its neighbours. */
function noteTime(expr: ast.TimeExpr | ast.AmountExpr, note: (value: Value) => void): void {
  const text = literalOf(expr);
  const step = expr.of === "date" ? "P1D" : "PT0.001S";
  if (typeof text !== "string") return;
  for (const one of [
    text,
    timeStep(`${expr.of} + duration`, text, step),
    timeStep(`${expr.of} - duration`, text, step),
  ]) {
    if (one !== undefined) note(one);
  }
}

/**
 * Returns the strings and numbers in rules and constants; numbers with their neighbours, patterns as strings that could
 * match them.
 */
function constantsOf(program: CheckedProgram): Value[] {
  const constants = new Map<string, Value>();
  const note = (value: Value): void => void constants.set(canonical(value), value);
  const named = [...program.symbols.constants.values()].map(({ decl }) => decl.value);
  forEachNode([...liveRules(program).map((rule) => rule.body), ...named], (node) => {
    const value = node["value"];
    if (node["kind"] === "time" || node["kind"] === "amount") noteTime(node as unknown as ast.TimeExpr, note);
    if (node["kind"] === "number") for (const step of [-1, 0, 1]) note((value as number) + step);
    if (node["kind"] === "text") {
      note(value as string);
      note((value as string).replaceAll("%", "").replaceAll("_", "x"));
    }
  });
  return [...constants.values()];
}
