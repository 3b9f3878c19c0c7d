/**
 * Functions of the program: a call has the value of the expression with the arguments in it, in the engine and in the naive
 * matcher, for every expression, whether the fact or its fields are passed.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Report } from "../../src/base/diagnostic.ts";
import { Source } from "../../src/base/source.ts";
import type { Value } from "../../src/base/value.ts";
import type * as ast from "../../src/language/ast.ts";
import { checkProgram } from "../../src/language/check/program.ts";
import { printFile } from "../../src/language/print.ts";
import type { OracleFact } from "../oracle/naive.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { expression, fields, rulesFor } from "../support/expression-arbitrary.ts";
import { engineTexts, expectSame, naiveTexts, programOf } from "../support/rig.ts";

const span = { start: 0, end: 0 };
const ident = (name: string): ast.Ident => ({ name, span });
const path = (root: string, ...names: readonly string[]): ast.PathExpr => ({
  kind: "path",
  root: ident(root),
  fields: names.map(ident),
  span,
});
const param = (name: string, type: string): ast.FieldDecl => ({
  name: ident(name),
  type: { kind: "named", name: type, span },
  key: false,
  optional: false,
  default: null,
  span,
});
const define = (name: string, params: readonly ast.FieldDecl[], body: ast.Expr): ast.FunctionDecl => ({
  kind: "function",
  name: ident(name),
  params,
  result: { kind: "named", name: "any", span },
  optional: false,
  body,
  span,
});
const callOf = (name: string, ...args: readonly ast.Expr[]): ast.CallExpr => ({
  kind: "call",
  name: ident(name),
  args,
  span,
});

const FIELDS = ["a", "b", "c", "d"];

/** Returns the expression with parameters in place of the fields of `v`. */
function overParameters<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map((item: unknown) => overParameters(item)) as Node;
  if (typeof node !== "object" || node === null) return node;
  const { kind, root: from, fields: names } = node as unknown as ast.PathExpr;
  if (kind === "path" && from.name === "v") {
    const [root = "", ...rest] = names.map(({ name }) => name);
    return path(root, ...rest) as Node;
  }
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, overParameters(child)])) as Node;
}

/** The rules of an expression, under names of their own. */
const named = (prefix: string, expr: ast.Expr): readonly ast.RuleDecl[] =>
  rulesFor(expr).map((rule) => ({
    ...rule,
    name: { ...rule.name, name: `${prefix} ${rule.name.name}`, quoted: true },
  }));

const FORMS = ["fact", "fields", "nested"];

function agree(expr: ast.Expr, given: readonly Readonly<Record<string, Value>>[]): void {
  const source = new Source("rules.tsd", "");
  const declarations: readonly ast.Declaration[] = [
    define("of_fact", [param("v", "T")], expr),
    define(
      "of_fields",
      FIELDS.map((name) => param(name, "any")),
      overParameters(expr),
    ),
    define("again", [param("w", "T")], callOf("of_fields", ...FIELDS.map((name) => path("w", name)))),
    ...named("plain", expr),
    ...named("fact", callOf("of_fact", path("v"))),
    ...named("fields", callOf("of_fields", ...FIELDS.map((name) => path("v", name)))),
    ...named("nested", callOf("again", path("v"))),
  ];
  const checked = checkProgram([{ file: { source, declarations, comments: [] }, report: new Report(source) }]);
  fc.pre(checked.diagnostics.every(({ severity }) => severity !== "error"));
  const session = programOf(checked).session({ facts: "none" });
  const facts = given.map((values, order): OracleFact => {
    return { id: session.assert("T", values).id, type: "T", fields: values, order };
  });
  const rules = declarations.flatMap((decl) => (decl.kind === "rule" ? [decl.name.name] : []));
  const where = (): string => `${printFile({ declarations, comments: [] })}\n${JSON.stringify(given)}`;
  const found = engineTexts(session, rules);
  expectSame(naiveTexts(checked, { facts }), found, where);
  for (const form of FORMS) {
    for (const what of ["value", "is_true", "is_false"])
      expect(found.get(`${form} ${what}`), `${form} ${what}\n${where()}`).toEqual(found.get(`plain ${what}`));
  }
}

test(
  "a call has the value of the expression with its arguments, in the engine and in the naive matcher",
  () => {
    fc.assert(fc.property(expression, fc.array(fields, { minLength: 1, maxLength: 3 }), agree), { numRuns: runs() });
  },
  PATIENT,
);
