/** Compares the value of an expression in the engine with that in the naive matcher. */
import * as fc from "fast-check";
import { Report } from "../../src/base/diagnostic.ts";
import { Source } from "../../src/base/source.ts";
import type { Value } from "../../src/base/value.ts";
import type * as ast from "../../src/language/ast.ts";
import { checkProgram } from "../../src/language/check/program.ts";
import { printFile } from "../../src/language/print.ts";
import type { OracleFact } from "../oracle/naive.ts";
import { expression, fields, rulesFor } from "./expression-arbitrary.ts";
import { engineTexts, expectSame, naiveTexts, programOf } from "./rig.ts";

/** Throws when the value, or its being true or false, is another one. */
function agree(expr: ast.Expr, given: readonly Readonly<Record<string, Value>>[]): void {
  const source = new Source("rules.tsd", "");
  const declarations = rulesFor(expr);
  const checked = checkProgram([{ file: { source, declarations, comments: [] }, report: new Report(source) }]);
  fc.pre(checked.diagnostics.every(({ severity }) => severity !== "error"));
  const session = programOf(checked).session({ facts: "none" });
  const facts = given.map((values, order): OracleFact => {
    return { id: session.assert("T", values).id, type: "T", fields: values, order };
  });
  const rules = declarations.map(({ name }) => name.name);
  expectSame(naiveTexts(checked, { facts }), engineTexts(session, rules), () => {
    return `${printFile({ declarations, comments: [] })}\n${JSON.stringify(given)}`;
  });
}

/** Holds for every expression over the fields of a few facts. */
export const EXPRESSIONS_AGREE = fc.property(expression, fc.array(fields, { minLength: 1, maxLength: 3 }), agree);
