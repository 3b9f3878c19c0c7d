/** The input of the brute-force matcher: the live facts, and the meaning of names in the program. */
import type { StepBudget } from "../base/step-budget.ts";
import type { Maybe, Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import type { Field } from "../language/check/builtin-types.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { literalOf } from "./times.ts";

/** One live fact. An absent field is missing; a reference is the id of the fact it points to. */
export interface OracleFact {
  readonly id: string;
  readonly type: string;
  readonly fields: Readonly<Record<string, Value>>;
  /** The position of the fact: facts are read, and collected, in this order. */
  readonly order: number;
}

/** The host functions, by the name that they are declared with. */
export type HostFunctions = ReadonlyMap<string, (...args: Maybe[]) => unknown>;

export interface WorldOptions {
  readonly functions?: HostFunctions | undefined;
  readonly steps?: StepBudget | undefined;
  readonly clock?: string | undefined;
}

export class World {
  readonly program: CheckedProgram;
  readonly functions: HostFunctions;
  /** The instant that the clock shows, as text; undefined while it is not set. */
  readonly clock: string | undefined;
  /** The number of calls that failed so far. */
  failures = 0;
  readonly #byId: ReadonlyMap<string, OracleFact>;
  readonly #byType: ReadonlyMap<string, readonly OracleFact[]>;
  /** The steps that are left; a step is a fact that is read. */
  readonly #steps: StepBudget | undefined;
  #names: ReadonlyMap<string, string> | undefined;

  constructor(
    program: CheckedProgram,
    facts: readonly OracleFact[],
    { functions = new Map(), steps, clock }: WorldOptions = {},
  ) {
    this.program = program;
    this.clock = clock;
    this.functions = functions;
    this.#steps = steps;
    const byId = new Map<string, OracleFact>();
    const byType = new Map<string, OracleFact[]>();
    for (const fact of [...facts].sort((a, b) => a.order - b.order)) {
      byId.set(fact.id, fact);
      const same = byType.get(fact.type);
      if (same === undefined) byType.set(fact.type, [fact]);
      else same.push(fact);
    }
    this.#byId = byId;
    this.#byType = byType;
  }

  ofType(type: string): readonly OracleFact[] {
    const facts = this.#byType.get(type) ?? [];
    this.#steps?.spend(1 + facts.length);
    return facts;
  }

  get(id: string): OracleFact | undefined {
    return this.#byId.get(id);
  }

  /** Returns the id of a fact that the program names; it need not be live. */
  named(name: string): string | undefined {
    this.#names ??= namedFacts(this.program);
    return this.#names.get(name);
  }

  constant(name: string): ast.Value | undefined {
    return this.program.symbols.constants.get(name)?.decl.value;
  }
}

export function fieldOf(fact: OracleFact, name: string): Maybe {
  return Object.hasOwn(fact.fields, name) ? fact.fields[name] : undefined;
}

/** Returns the id of each named fact, `alice = Person(…)`, as it is when the program is loaded. */
function namedFacts(program: CheckedProgram): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const decl of program.files.flatMap((file) => file.declarations)) {
    if (decl.kind !== "fact") continue;
    const id = keyedId(program, decl.fact) ?? countedId(decl.fact.type.name, counts);
    if (decl.name !== null) names.set(decl.name.name, id);
  }
  return names;
}

/** Returns the next id of a fact without a key: they are numbered from 1 for each type. */
function countedId(type: string, counts: Map<string, number>): string {
  const count = (counts.get(type) ?? 0) + 1;
  counts.set(type, count);
  return `${type}~@${count}`;
}

function keyedId(program: CheckedProgram, fact: ast.FactLiteral): string | undefined {
  const fields = [...(program.symbols.type(fact.type.name)?.fields.values() ?? [])];
  if (!fields.some((field) => field.key)) return undefined;
  const keys = fields.flatMap((field, index) => (field.key ? [keyText(program, fact, field, index)] : []));
  return `${fact.type.name}~${keys.join("_")}`;
}

function keyText(program: CheckedProgram, fact: ast.FactLiteral, { name, type }: Field, index: number): string {
  const arg = fact.args.find((one, at) => (one.name === null ? at === index : one.name.name === name));
  const value = arg?.value;
  if (value === undefined) return "";
  if (type.kind === "fact") return referenceText(program, value, `${type.type}~`);
  if (value.kind === "path") return escapeKey(value.root.name);
  if (value.kind === "time" || value.kind === "amount")
    return escapeKey(JSON.stringify(literalOf(value)).replaceAll('"', ""));
  return plainText(value);
}

/** A key that refers to a fact stands in the id as the key of that fact. */
function referenceText(program: CheckedProgram, value: ast.Value, prefix: string): string {
  if (value.kind === "path") {
    const referred = program.symbols.facts.get(value.root.name)?.decl.fact;
    return referred === undefined ? "" : (keyedId(program, referred) ?? "").slice(prefix.length);
  }
  const isId = value.kind === "text" && value.value.startsWith(prefix);
  return isId ? value.value.slice(prefix.length) : plainText(value);
}

function plainText(value: ast.Value): string {
  return value.kind === "text" || value.kind === "number" || value.kind === "bool"
    ? escapeKey(String(value.value))
    : "";
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["%", "%25"],
  ["~", "%7E"],
  ["_", "%5F"],
  [" ", "%20"],
]);

function escapeKey(key: string): string {
  return [...key].map((character) => ESCAPES.get(character) ?? character).join("");
}
