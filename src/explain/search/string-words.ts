/**
 * The words of a string that is only one of several that would help: `a string that contains "x"`. They state what
 * every test of the field asks, so that each string of which they are true helps as well. Where they cannot, the string
 * itself is shown.
 */
import type { Maybe } from "../../base/value.ts";
import { givesList } from "../../functions/aggregates.ts";
import { functionNamed } from "../../functions/functions.ts";
import type * as ast from "../../language/ast.ts";
import type { Type } from "../../language/check/types.ts";
import { expressionText } from "../../language/print-part.ts";
import { forEachNode } from "../../language/walk.ts";
import { valueWords } from "../read/words.ts";
import { type Domain, PLACEHOLDER } from "./domain.ts";
import { testsOf } from "./reading.ts";

/** A string in a field, and the value that it replaces. */
export interface NewString {
  readonly type: string;
  readonly field: string;
  readonly value: string;
  readonly from: Maybe;
}

/** Returns the words for a string that is only an example; undefined when only this one is known to help. */
export function stringWords(one: NewString, domain: Domain): string | undefined {
  const { type, field, value, from } = one;
  if (!HOLDING_STRINGS.has(domain.field(type, field)?.type.kind)) return undefined;
  const tests = outermost(testsOf(type, field, domain.reading));
  if (tests.length === 0) return isInvented(value) ? newStringWords(type, field, domain) : undefined;
  const asked = tests.map((test) => askedBy(test, one, domain));
  const said = asked.filter((each) => typeof each === "object");
  const that = textsOf(said.map((each) => each.that));
  const which = textsOf(said.map((each) => each.which));
  const except = new Set(said.flatMap((each) => each.except ?? []));
  if (asked.includes("only") || except.has(value)) return undefined;
  const isAnother = typeof from === "string" || (isInvented(value) && value !== PLACEHOLDER);
  if (asked.includes("unsaid") || which.length > 1) {
    const kind = isAnother ? "another string" : "a string";
    const isExample = domain.isKnown(`${type}.${field}`, value);
    return `${kind} that passes its tests${isExample ? `, such as ${exampleWords(value)}` : ""}`;
  }
  if (typeof from === "string" && that.length === 0 && which.length === 0) except.delete(from);
  const others = [...except].map((each) => valueWords(each));
  const isSeen = that.length + which.length === 0 ? !isInvented(value) : domain.isKnown(`${type}.${field}`, value);
  return [
    that.length === 0 && isAnother ? "another string" : "a string",
    that.length === 0 ? "" : ` that ${that.join(" and ")}`,
    others.length === 0
      ? ""
      : others.length > MAX_OTHERS
        ? " that no fact or test has yet"
        : ` other than ${others.join(" or ")}`,
    which.length === 0 ? "" : ` for which ${which.join(" and ")}`,
    isSeen ? `, such as ${exampleWords(value)}` : "",
  ].join("");
}

/** Returns the words for a string that no test reads, but that may tell its fact from others: a key, or the name of a group. */
function newStringWords(type: string, field: string, domain: Domain): string {
  return domain.field(type, field)?.key === true ? "any new string" : "a string that no fact has yet";
}

/** The types of fields that hold any string; a field that is not declared holds any value. */
const HOLDING_STRINGS: ReadonlySet<Type["kind"] | undefined> = new Set(["string", "any", undefined]);

/** The most strings that a string must differ from and that are named. */
const MAX_OTHERS = 4;
/** The most characters of an example. */
const MAX_EXAMPLE_LENGTH = 60;

function exampleWords(value: string): string {
  return valueWords(value.length > MAX_EXAMPLE_LENGTH ? `${value.slice(0, MAX_EXAMPLE_LENGTH)}…` : value);
}

function isInvented(value: string): boolean {
  return value.startsWith(PLACEHOLDER);
}

function textsOf(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}

/** Returns the tests that are not part of another one. */
function outermost(tests: readonly ast.Expr[]): ast.Expr[] {
  const inner = new Set<unknown>();
  for (const test of tests)
    forEachNode(test, (node) => {
      if ((node as unknown) !== test) inner.add(node);
    });
  return [...new Set(tests)].filter((test) => !inner.has(test));
}

/** What a test asks of a string: a property, a test that has a result, strings that it must not be. */
interface Asked {
  readonly that?: string;
  readonly which?: string;
  readonly except?: readonly string[];
}

/**
 * Returns what a test asks of every string that helps as this one does: `only` when it names this one, `unsaid` when
 * words cannot state it.
 */
function askedBy(test: ast.Expr, one: NewString, domain: Domain): Asked | "only" | "unsaid" {
  if (test.kind === "presence") return {};
  const paths = pathsBelow(test);
  const reading = paths.filter((path) => domain.reading.owners.lastFields(path).some((name) => isPlace(name, one)));
  const [path] = reading;
  const isAlone = reading.length === 1 && paths.every((each) => each === path || domain.isConstant(each));
  const result = path === undefined || !isAlone ? undefined : domain.truthWith(test, path, one.value);
  if (result !== undefined && isText(test) && test.left === path) return { that: propertyWords(test, result) };
  if (!isInvented(one.value) && names(test, one.value, path, domain)) return "only";
  if (isAboutSameness(test)) return { except: namedStrings(test, paths, domain) };
  if (result === undefined) return "unsaid";
  return { which: `${expressionText(test)} ${result ? "holds" : "does not hold"}` };
}

function isPlace(name: string, { type, field }: NewString): boolean {
  return name === `${type}.${field}` || name === `?.${field}`;
}

function pathsBelow(test: ast.Expr): ast.PathExpr[] {
  const paths: ast.PathExpr[] = [];
  forEachNode(test, (node) => {
    if (node["kind"] === "path") paths.push(node as unknown as ast.PathExpr);
  });
  return paths;
}

type TextTest = ast.ContainsExpr | ast.LikeExpr | ast.MatchesExpr;

function isText(test: ast.Expr): test is TextTest {
  return test.kind === "contains" || test.kind === "like" || test.kind === "matches";
}

function propertyWords(test: TextTest, holds: boolean): string {
  if (test.kind === "matches") return `${holds ? "matches" : "does not match"} ${valueWords(test.pattern.value)}`;
  if (test.kind === "like") return `${holds ? "is" : "is not"} like ${expressionText(test.pattern)}`;
  const right = expressionText(test.right);
  if (test.any) return `contains ${holds ? "one" : "none"} of ${right}`;
  return `${holds ? "contains" : "does not contain"} ${right}`;
}

/** Returns whether a test names a string, or compares the field with facts that have it. */
function names(test: ast.Expr, value: string, reading: ast.PathExpr | undefined, domain: Domain): boolean {
  let named = false;
  forEachNode(test, (found) => {
    const node = found as unknown as ast.Value;
    if (node.kind === "text") named ||= node.value === value;
    if (node.kind === "path" && node !== reading) named ||= domain.mayBe(node, value);
  });
  return named;
}

/** Returns whether a test only asks which strings are the same: equality, membership and counts of different ones. */
function isAboutSameness(test: ast.Expr): boolean {
  if (test.kind === "in") return test.left.kind === "path";
  if (test.kind === "contains") return test.right.kind === "path" || isCollection(test.left);
  if (test.kind !== "compare") return false;
  if (isCountOfDifferent(test.left) || isCountOfDifferent(test.right)) return true;
  return (test.op === "==" || test.op === "!=") && [test.left, test.right].every(({ kind }) => PLAIN.has(kind));
}

const PLAIN: ReadonlySet<string> = new Set(["path", "text"]);

function isCollection(expr: ast.Value): boolean {
  return (expr.kind === "call" || expr.kind === "aggregate-in") && givesList(expr.name.name);
}

function isCountOfDifferent(expr: ast.Value): boolean {
  if (expr.kind !== "call" || functionNamed(expr.name.name)?.counts !== true) return false;
  return expr.args.some((arg) => isCollection(arg));
}

/** Returns the strings that a test names, and those in the fields that it reads. */
function namedStrings(test: ast.Expr, paths: readonly ast.PathExpr[], domain: Domain): string[] {
  const texts: string[] = [];
  forEachNode(test, (node) => {
    if (node["kind"] === "text") texts.push((node as unknown as ast.TextExpr).value);
  });
  return [...texts, ...paths.flatMap((path) => domain.stringsAt(path))];
}
