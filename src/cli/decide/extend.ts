/** Extends a program with the gates of a document. An error in a test of the document is shown where the document has the test. */
import { CompileError, conditionsOf, type Diagnostic, gateSource, type Program } from "../../index.ts";
import type { AddedGate } from "./gate-file.ts";
import { placeIn, type RetDocument } from "./ret-file.ts";

/** Returns the program with the gates. Throws a CompileError whose errors are at the tests that cause them. */
export function extended(program: Program, added: readonly AddedGate[], file: string, document: RetDocument): Program {
  try {
    return program.extend(added.map(({ source }) => source).join("\n"), { file });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const found: Diagnostic[] = [];
    let tested = 0;
    for (const gate of added) {
      if (tested >= MAX_TESTS) break;
      const tests = testsOf(program, gate).slice(0, MAX_TESTS - tested);
      tested += tests.length;
      found.push(...testErrors(program, gate, tests, file, document));
    }
    throw found.length === 0 ? error : new CompileError(found);
  }
}

/** The most tests that are compiled by themselves to find the errors: each costs what the program costs. */
const MAX_TESTS = 100;

/** Returns the leaves of a gate that are tests, not names of conditions. */
function testsOf({ checked }: Program, { requirement }: AddedGate): Leaf[] {
  return conditionsOf(requirement).filter(({ name }) => checked.symbols.conditions.get(name) === undefined);
}

type Leaf = ReturnType<typeof conditionsOf>[number];

/** Returns the errors of tests of a gate. Each is compiled by itself, with the conditions, which decide the subject. */
function testErrors(
  program: Program,
  gate: AddedGate,
  tests: readonly Leaf[],
  file: string,
  document: RetDocument,
): Diagnostic[] {
  const { name, like, requirement } = gate;
  const path = gate.path();
  const named = conditionsOf(requirement).filter(
    (leaf) => program.checked.symbols.conditions.get(leaf.name) !== undefined,
  );
  return tests.flatMap((test) => {
    const items = [test, ...named].map((leaf) => ({ kind: "condition" as const, name: leaf.name }));
    const options = { name, ...(like === undefined ? {} : { like }) };
    const errors = errorsOf(program, gateSource(program, { kind: "all", items }, options), file);
    if (errors.length === 0) return [];
    const place = placeIn(document, `${path}${test.path.slice(1)}`);
    return errors.map((one) => ({ ...one, ...place }));
  });
}

function errorsOf(program: Program, source: string, file: string): readonly Diagnostic[] {
  try {
    program.extend(source, { file });
    return [];
  } catch (error) {
    if (error instanceof CompileError) return error.diagnostics.filter(({ severity }) => severity === "error");
    throw error;
  }
}
