/** The ids of the facts that a program names, `alice = Person(…)`, so that other facts and rules can refer to them. */
import { idOfParts, keylessId } from "../base/identity.ts";
import { eachSmall, finish, type Steps } from "../base/slices.ts";
import type * as ast from "../language/ast.ts";
import { factArgument, plainValue } from "../language/check/facts.ts";
import { writtenKeyPart } from "../language/check/keys.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { Symbols } from "../language/check/symbols.ts";
import type { Type } from "../language/check/types.ts";

/** Returns the ids that named facts have when the facts of the program are loaded in file order. */
export function namedFactIds(program: CheckedProgram): Map<string, string> {
  return finish(namingFacts(program));
}

/** Does the same in small steps, one for each fact. */
export function* namingFacts(program: CheckedProgram): Steps<Map<string, string>> {
  const { symbols } = program;
  const decls = program.files.flatMap((file) => file.declarations).filter((decl) => decl.kind === "fact");
  const named = new Map(decls.flatMap((decl) => (decl.name === null ? [] : [[decl.name.name, decl]])));
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();
  const partOf = (type: Type, value: ast.Value | undefined): string | undefined => {
    const name = value?.kind === "path" && type.kind === "fact" ? value.root.name : undefined;
    const other = name === undefined ? undefined : named.get(name);
    const given = other === undefined ? value && plainValue(value, symbols) : keyedIdOf(symbols, other.fact, partOf);
    return writtenKeyPart(type, given);
  };
  yield* eachSmall(decls, ({ fact, name }) => {
    const count = (counts.get(fact.type.name) ?? 0) + 1;
    const keyed = keyedIdOf(symbols, fact, partOf);
    if (keyed === undefined) counts.set(fact.type.name, count);
    if (name !== null) ids.set(name.name, keyed ?? keylessId(fact.type.name, count));
  });
  return ids;
}

/** Returns the id that its keys give a fact; undefined for a type without keys. */
function keyedIdOf(
  symbols: Symbols,
  fact: ast.FactLiteral,
  partOf: (type: Type, value: ast.Value | undefined) => string | undefined,
): string | undefined {
  const fields = [...(symbols.type(fact.type.name)?.fields.values() ?? [])];
  const parts = fields.flatMap((field, index) => {
    return field.key ? (partOf(field.type, factArgument(fact, field.name, index)?.value) ?? []) : [];
  });
  return parts.length === 0 ? undefined : idOfParts(fact.type.name, parts);
}
