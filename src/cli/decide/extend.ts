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
    const found = added.flatMap((gate) => testErrors(program, gate, file, document));
    throw found.length === 0 ? error : new CompileError(found);
  }
}

/** Returns the errors of each test of a gate. Each is compiled by itself, with the conditions, which decide the subject. */
function testErrors(program: Program, gate: AddedGate, file: string, document: RetDocument): Diagnostic[] {
  const { name, like, requirement } = gate;
  const path = gate.path();
  const leaves = conditionsOf(requirement);
  const isTest = (leaf: string): boolean => program.checked.symbols.conditions.get(leaf) === undefined;
  const named = leaves.filter((leaf) => !isTest(leaf.name));
  return leaves
    .filter((leaf) => isTest(leaf.name))
    .flatMap((test) => {
      const items = [test, ...named].map((leaf) => ({ kind: "condition" as const, name: leaf.name }));
      const options = { name, ...(like === undefined ? {} : { like }) };
      const place = placeIn(document, `${path}${test.path.slice(1)}`);
      return errorsOf(program, gateSource(program, { kind: "all", items }, options), file).map((one) => ({
        ...one,
        ...place,
      }));
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
