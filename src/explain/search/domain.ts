/**
 * The values that a suggestion may give a field: those of its declared type, within the range of the values and
 * constants that are there. No number becomes negative, broken or larger than one by a suggestion alone.
 */
import { readTime, type TimeKind } from "../../base/time.ts";
import type { Truth } from "../../base/truth.ts";
import type { Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { Field } from "../../language/check/builtin-types.ts";
import type { RecordType, Type } from "../../language/check/types.ts";
import { Chosen } from "../read/chosen.ts";
import { evaluate, truth } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import type { World } from "../read/world.ts";
import { ofField, type Reading, stringsFor, testsOf } from "./reading.ts";
import { fitsRecord, plainRecord, recordCandidates } from "./records.ts";

/** A string that stands for any other: whoever applies a suggestion replaces it. */
export const PLACEHOLDER = "…";
/** Two strings that stand for any others that differ. */
export const PLACEHOLDERS: readonly string[] = [PLACEHOLDER, `${PLACEHOLDER} 2`];

/** The most values of facts that are read to find the range of a field, and the most candidates for one field. */
const MAX_SAMPLE = 100;
const MAX_CANDIDATES = 12;

export class Domain {
  readonly reading: Reading;
  readonly #world: World;
  readonly #ranges = new Map<string, NumberRange>();

  constructor(reading: Reading, world: World) {
    this.reading = reading;
    this.#world = world;
  }

  field(type: string, field: string): Field | undefined {
    return this.#world.context.program.symbols.type(type)?.fields.get(field);
  }

  /** Returns whether a suggestion may give the field this value. */
  allows(type: string, field: string, value: Value): boolean {
    const declared = this.field(type, field)?.type;
    if (!fits(value, declared)) return false;
    if ((declared === undefined || declared.kind === "any") && !this.#isOfKnownKind(type, field, value)) return false;
    return typeof value !== "number" || this.#rangeOf(type, field).has(value);
  }

  /** Returns whether a path may stand for this string: a list names it, a fact has it, or its values are not known. */
  mayBe(path: ast.PathExpr, value: string): boolean {
    const { symbols, resolutions } = this.#world.context.program;
    const resolution = resolutions.get(path);
    if (resolution === "word") return path.root.name === value;
    if (resolution === "constant") {
      const constant = symbols.constants.get(path.root.name)?.decl.value;
      const items = constant?.kind === "list" ? constant.items : [constant];
      return items.some((item) => item?.kind === "text" && item.value === value);
    }
    const fields = this.reading.owners.lastFields(path);
    return fields.length === 0 || fields.some((name) => this.isKnown(name, value));
  }

  /** Returns whether a fact has this value in a field, `Type.field`, or in a list there. */
  isKnown(name: string, value: Value): boolean {
    const [type = "", field = ""] = name.split(".");
    if (type === "?" || this.#world.having(type, field, value).length > 0) return true;
    const lists = this.#world.someValues(type, field, MAX_SAMPLE).filter((one) => Array.isArray(one));
    return lists.some((list: readonly Value[]) => list.includes(value));
  }

  /** Returns the strings that a path may stand for, as far as they are known. */
  stringsAt(path: ast.PathExpr): string[] {
    const fields = this.reading.owners.lastFields(path);
    const values = this.isConstant(path)
      ? [evaluate(path, this.#nothingChosen())].flat()
      : fields.length === 0
        ? this.reading.arguments
        : fields.flatMap((name) => this.#valuesOf(name)).flat();
    return values.filter((value) => typeof value === "string");
  }

  /** Returns whether a path is a word or a constant, which no fact changes. */
  isConstant(path: ast.PathExpr): boolean {
    const resolution = this.#world.context.program.resolutions.get(path);
    return resolution === "word" || resolution === "constant";
  }

  /** Returns the truth of a test with a string in place of a path, when it reads nothing else of facts. */
  truthWith(test: ast.Expr, path: ast.PathExpr, value: string): Truth {
    return truth(withText(test, path, { kind: "text", value, span: path.span }), this.#nothingChosen());
  }

  /** Returns the ids of missing facts of a type that facts refer to. */
  missing(type: string): string[] {
    const ids = new Set<string>();
    for (const owner of this.reading.types) {
      for (const { name, type: declared } of this.#world.context.program.symbols.type(owner)?.fields.values() ?? []) {
        if (declared.kind !== "fact" || declared.type !== type) continue;
        for (const id of this.#valuesOf(`${owner}.${name}`))
          if (typeof id === "string" && this.#world.get(id) === undefined) ids.add(id);
      }
    }
    return [...ids];
  }

  #valuesOf(name: string): Value[] {
    const [type = "", field = ""] = name.split(".");
    return this.#world.someValues(type, field, MAX_SAMPLE);
  }

  #nothingChosen(): EvaluationScope {
    return { world: this.#world, chosen: Chosen.nothing, ownFact: undefined };
  }

  /** Returns values to try for a field, likely ones first. */
  candidates(type: string, field: string): Value[] {
    const declared = this.field(type, field)?.type;
    const fitting = this.#likely(type, field, declared).filter((value) => this.allows(type, field, value));
    return [...new Set(fitting)].slice(0, MAX_CANDIDATES);
  }

  /** Returns a number that is a little larger or smaller, for a comparison that excludes the number itself. */
  around(type: string, field: string, base: number): number[] {
    const steps = this.#rangeOf(type, field).steps;
    return steps.flatMap((step) => [rounded(base + step), rounded(base - step)]);
  }

  /** Returns the largest and the smallest number that suit a field. */
  extremes(type: string, field: string): number[] {
    const candidates = this.candidates(type, field).filter((value) => typeof value === "number");
    const { most } = this.#rangeOf(type, field);
    const largest = Number.isFinite(most) ? most : Math.max(...candidates);
    return candidates.length === 0 ? [] : [largest, Math.min(...candidates)];
  }

  /** Returns a value for a required field that no test reads. */
  plain(type: Type, world: World): Value | undefined {
    switch (type.kind) {
      case "number":
        return 0;
      case "bool":
        return false;
      case "union":
        return type.options[0];
      case "list":
        return [];
      case "fact":
        return world.ofType(type.type)[0]?.id;
      case "date":
        return "2000-01-01";
      case "instant":
        return "2000-01-01T00:00:00Z";
      case "duration":
        return "PT0S";
      case "record":
        return plainRecord(type, (inner) => this.plain(inner, world));
      default:
        return PLACEHOLDER;
    }
  }

  #likely(type: string, field: string, declared: Type | undefined): Value[] {
    const { program } = this.#world.context;
    const { strings, joined } = stringsFor(type, field, this.reading, program);
    const texts = joined ? [...strings, ...this.reading.arguments, ...this.#others("string")] : strings;
    const known = this.#world.someValues(type, field, MAX_CANDIDATES);
    switch (declared?.kind) {
      case "bool":
        return [true, false];
      case "union":
        return [...declared.options];
      case "fact":
        return this.#world.ofType(declared.type).map(({ id }) => id);
      case "list":
        return [[], ...known, ...texts.map((one) => [one]), ...this.reading.numbers.map((one) => [one])];
      case "number":
        return this.#numbers(type, field, known);
      case "date":
      case "instant":
      case "duration":
        return [...this.reading.times[declared.kind], ...known, ...this.#others(declared.kind)];
      case "string":
        return [...this.#containing(type, field), ...texts, ...known, ...PLACEHOLDERS];
      case "record":
        return this.#records(declared, known);
      default:
        return [...texts, ...this.#numbers(type, field, known), true, false, ...known];
    }
  }

  #records(record: RecordType, known: readonly Value[]): Value[] {
    const blank = this.plain(record, this.#world) ?? {};
    return recordCandidates(record, known, blank, (type, name) => {
      switch (type.kind) {
        case "string":
          return stringsFor(record.name, name, this.reading, this.#world.context.program).strings;
        case "number":
          return this.reading.numbers.flatMap((one) => [one, one + 1, one - 1]);
        case "bool":
          return [true, false];
        case "union":
          return type.options;
        case "date":
        case "instant":
        case "duration":
          return this.reading.times[type.kind];
        default:
          return [];
      }
    });
  }

  /** Returns strings that contain what tests ask for and something else: one of it, and all of it. */
  #containing(type: string, field: string): string[] {
    const asked = testsOf(type, field, this.reading).flatMap((test) =>
      test.kind === "contains" && test.right.kind === "text" ? [test.right.value] : [],
    );
    const all = [...new Set(asked)];
    return [...all, ...[...all, all.join(" ")].filter((one) => one !== "").map((one) => `${PLACEHOLDER} ${one}`)];
  }

  /** Returns the numbers of the question and the facts, and those next to them. */
  #numbers(type: string, field: string, known: readonly Value[]): number[] {
    const bases = [
      ...ofField(this.reading.bounds, type, field),
      ...ofField(this.reading.solutions, type, field),
      ...this.reading.numbers,
      ...this.#others("number"),
      ...known,
    ];
    const numbers = bases.filter((one) => typeof one === "number");
    return [...numbers, ...numbers.flatMap((one) => this.around(type, field, one)), 0, 1];
  }

  /** Returns values of all fields of a kind that the question reads: one may have to equal another. */
  #others(kind: "string" | "number" | TimeKind): Value[] {
    const { types, fields } = this.reading;
    const values: Value[] = [];
    for (const type of types) {
      for (const field of this.#world.context.program.symbols.type(type)?.fields.values() ?? []) {
        if (field.type.kind === kind && fields.has(field.name))
          values.push(...this.#world.someValues(type, field.name, MAX_CANDIDATES));
      }
    }
    return values;
  }

  /** Returns whether a value is of the kind that a field without a declared type holds or is compared with. */
  #isOfKnownKind(type: string, field: string, value: Value): boolean {
    const { strings } = stringsFor(type, field, this.reading, this.#world.context.program);
    const known = [
      ...this.#world.someValues(type, field, MAX_SAMPLE),
      ...ofField(this.reading.bounds, type, field),
      ...strings,
    ];
    return known.length === 0 || known.some((one) => typeof one === typeof value);
  }

  #rangeOf(type: string, field: string): NumberRange {
    const key = `${type}.${field}`;
    let range = this.#ranges.get(key);
    if (range === undefined) this.#ranges.set(key, (range = this.#readRange(type, field)));
    return range;
  }

  #readRange(type: string, field: string): NumberRange {
    const values = this.#world.someValues(type, field, MAX_SAMPLE).filter((one) => typeof one === "number");
    return new NumberRange([...values, ...ofField(this.reading.bounds, type, field)]);
  }
}

/** The numbers that suit others: not negative unless they are, whole when they are, up to one when they are shares. */
class NumberRange {
  /** How far the next number is, likely steps first. */
  readonly steps: readonly number[];
  readonly #least: number;
  readonly most: number;
  readonly #whole: boolean;

  constructor(known: readonly number[]) {
    this.#whole = known.every((one) => Number.isInteger(one));
    const share = !this.#whole && known.every((one) => one >= 0 && one <= 1);
    this.#least = known.some((one) => one < 0) ? -Infinity : 0;
    this.most = share ? 1 : Infinity;
    this.steps = this.#whole ? [1] : [0.1, 0.01, 1];
  }

  has(value: number): boolean {
    return value >= this.#least && value <= this.most && (!this.#whole || Number.isInteger(value));
  }
}

const DIGITS = 12;

/** Returns a number without the traces of binary fractions: 0.7 for 0.6 + 0.1. */
export function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** Returns a node with a text in place of a path; what does not have it stays the same node. */
function withText<Node>(node: Node, path: ast.PathExpr, text: ast.TextExpr): Node {
  if ((node as unknown) === path) return text as Node;
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) {
    const items = node.map((item: unknown) => withText(item, path, text));
    return items.some((item, index) => item !== node[index]) ? (items as Node) : node;
  }
  const entries = Object.entries(node).map(([name, one]) => [name, withText<unknown>(one, path, text)] as const);
  const isSame = entries.every(([name, one]) => one === (node as Readonly<Record<string, unknown>>)[name]);
  return isSame ? node : (Object.fromEntries(entries) as Node);
}

/** Returns whether a field of a declared type can hold a value. */
function fits(value: Value, type: Type | undefined): boolean {
  switch (type?.kind) {
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "date":
    case "instant":
    case "duration":
      return typeof value === "string" && "value" in readTime(type.kind, value);
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "union":
      return (typeof value === "string" || typeof value === "number") && type.options.includes(value);
    case "fact":
      return typeof value === "string" && value.startsWith(`${type.type}~`);
    case "list":
      return Array.isArray(value) && value.every((item) => fits(item as Value, type.item));
    case "record":
      return fitsRecord(value, type, fits);
    default:
      return true;
  }
}
