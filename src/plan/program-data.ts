/** What a program says besides rules, as data for a session: types, facts, tuple spaces, options. */
import { eachSmall, finish, type Steps } from "../base/slices.ts";
import type * as ast from "../language/ast.ts";
import type { Field } from "../language/check/builtin-types.ts";
import { plainValue } from "../language/check/facts.ts";
import { keysOf, writtenKeyPart } from "../language/check/keys.ts";
import type { CheckedProgram } from "../language/check/program.ts";

/** A fact of the program in the form the host would assert it. */
export interface InitialFact {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Returns the facts that a session begins with: statements work in file order, `remove fact` and `reset` included. In small steps:
 * one for each statement.
 */
export function* initialFacts(
  program: CheckedProgram,
  namedFacts: ReadonlyMap<string, string>,
): Steps<readonly InitialFact[]> {
  const stated = yield* statingFacts(program, namedFacts);
  const facts: InitialFact[] = [];
  yield* eachSmall(stated, ({ type, fields }) => facts.push({ type, fields }));
  return facts;
}

/** A fact that the program states, with its statement. */
interface StatedFact extends InitialFact {
  readonly decl: ast.FactDecl;
  readonly shipped: boolean;
}

/** Returns the facts that the program begins with, in order: those that nothing removes again. */
export function statedFacts(program: CheckedProgram, namedFacts: ReadonlyMap<string, string>): StatedFact[] {
  return finish(statingFacts(program, namedFacts));
}

function* statingFacts(program: CheckedProgram, namedFacts: ReadonlyMap<string, string>): Steps<StatedFact[]> {
  let facts: StatedFact[] = [];
  const shipped = new Set([...program.shipped].flatMap((file) => file.declarations));
  const declarations = program.files.flatMap((file) => file.declarations);
  yield* eachSmall(declarations, (decl) => {
    if (decl.kind === "fact") {
      const fact = {
        type: decl.fact.type.name,
        fields: fieldsOf(program, decl, namedFacts),
        decl,
        shipped: shipped.has(decl),
      };
      if (!fact.shipped && shipped.size > 0)
        facts = facts.filter((one) => !one.shipped || !sameKey(program, one, fact));
      facts.push(fact);
    } else if (decl.kind === "reset") facts = [];
    else if (decl.kind === "remove-fact") facts = facts.filter((fact) => !isRemoved(program, decl, fact));
  });
  return facts;
}

function fieldsOf(
  program: CheckedProgram,
  decl: ast.FactDecl,
  namedFacts: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const names = [...(program.symbols.type(decl.fact.type.name)?.fields.keys() ?? [])];
  const entries = decl.fact.args.flatMap((arg, index) => {
    const name = arg.name?.name ?? names[index];
    const value = dataOf(program, arg.value, namedFacts);
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns a plain value as data; undefined for `null`. */
export function dataOf(program: CheckedProgram, value: ast.Value, namedFacts: ReadonlyMap<string, string>): unknown {
  switch (value.kind) {
    case "list":
      return value.items.map((item) => dataOf(program, item, namedFacts));
    case "object":
      return Object.fromEntries(
        value.entries.map(({ name, value: inner }) => [name.name, dataOf(program, inner, namedFacts)]),
      );
    case "path": {
      const resolution = program.resolutions.get(value);
      if (resolution === "null") return undefined;
      const constant = resolution === "constant" ? program.symbols.constants.get(value.root.name) : undefined;
      if (constant !== undefined) return dataOf(program, constant.decl.value, namedFacts);
      return resolution === "fact" ? namedFacts.get(value.root.name) : value.root.name;
    }
    default:
      return plainValue(value, program.symbols);
  }
}

/** Returns whether two facts have the same key: a fact of the program then replaces a shipped one. */
function sameKey(program: CheckedProgram, a: InitialFact, b: InitialFact): boolean {
  if (a.type !== b.type) return false;
  return isKeyed(program, a, (key) => b.fields[key.name]);
}

function isRemoved(program: CheckedProgram, decl: ast.RemoveFactDecl, fact: InitialFact): boolean {
  if (fact.type !== decl.type.name) return false;
  return isKeyed(program, fact, (_, index) => plainValue(decl.keys[index] as ast.Value, program.symbols));
}

/** Returns whether the keys of a fact are these values; a reference may be written as an id or as a key. */
function isKeyed(
  { symbols }: CheckedProgram,
  { type, fields }: InitialFact,
  valueOf: (key: Field, index: number) => unknown,
): boolean {
  const keys = keysOf(symbols, type);
  const isSame = (key: Field, index: number): boolean =>
    writtenKeyPart(key.type, fields[key.name]) === writtenKeyPart(key.type, valueOf(key, index));
  return keys.length > 0 && keys.every(isSame);
}

/** Returns the values of options, by name in lower case; the last one counts. */
export function optionsOf(program: CheckedProgram): ReadonlyMap<string, string | number> {
  const options = new Map<string, string | number>();
  for (const decl of program.files.flatMap((file) => file.declarations)) {
    if (decl.kind !== "option") continue;
    const value = "name" in decl.value ? decl.value.name : decl.value.value;
    options.set(decl.name.name.toLowerCase(), typeof value === "string" ? value.toLowerCase() : value);
  }
  return options;
}

/** Returns whether the program says that patterns are joined in the order in which they are written. */
export function isOrderWritten(program: CheckedProgram): boolean {
  return optionsOf(program).get("order") === "written";
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns a duration such as `10m` in milliseconds. */
export function milliseconds(duration: string): number {
  const unit = /[a-z]+$/u.exec(duration)?.[0] ?? "ms";
  return Number(duration.slice(0, -unit.length)) * (UNITS[unit] ?? 1);
}
