/** Where the parts of a checked program are declared. */
import type { Source } from "../base/source.ts";
import type { Span } from "../base/span.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { DeclaredAt } from "./runnable.ts";

interface Declared {
  readonly source: Source;
  readonly span: Span;
}

/** Returns where a rule, query, gate, flow, guardian or pipeline is declared, by the name that the network has for it. */
export function declaredAt(checked: CheckedProgram, name: string): DeclaredAt | undefined {
  const rule = checked.symbols.rules.get(name);
  const declared = rule ?? otherDeclaration(checked, name);
  if (declared === undefined) return undefined;
  const { source, span } = declared;
  const start = source.position(span.start);
  const end = source.position(Math.max(span.start, span.end));
  const place = { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
  return { file: source.file, ...place, isRule: rule !== undefined };
}

/** Returns the names that the network has for what a program declares. */
export function declaredNames({ symbols }: CheckedProgram): string[] {
  const { rules, queries, gates, flows, guardians, pipelines } = symbols;
  const named = (kind: string, all: { names(): Iterable<string> }): string[] =>
    [...all.names()].map((name) => `${kind} "${name}"`);
  return [
    ...rules.names(),
    ...named("query", queries),
    ...named("gate", gates),
    ...named("flow", flows),
    ...named("guardian", guardians),
    ...named("pipeline", pipelines),
  ];
}

function otherDeclaration({ symbols }: CheckedProgram, name: string): Declared | undefined {
  const { gates, flows, guardians, pipelines, queries } = symbols;
  const [, kind, judge = ""] = /^(gate|flow|guardian|pipeline|query) "([^]*?)"/u.exec(name) ?? [];
  switch (kind) {
    case "gate":
      return gates.get(judge);
    case "flow":
      return flows.get(judge);
    case "guardian":
      return guardians.get(judge);
    case "query":
      return queries.get(judge);
    default:
      return pipelines.get(judge);
  }
}
