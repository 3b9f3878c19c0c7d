/**
 * The rules that could have caused what a test expects: an effect, or a fact. Rules whose actions cannot give the expected values are left out;
 * the others are asked first about the facts that would give them: `log("Hello, " + p.name)` gives `log("Hello, Bo")` for the person Bo.
 */
import { type Maybe, same } from "../../base/value.ts";
import type { WhyNot } from "../../explain/tell/why-not.ts";
import type * as ast from "../../language/ast.ts";
import { forEachNode } from "../../language/walk.ts";
import type { TestContext } from "./expectation.ts";
import { type Bindings, distance, factVariables, whyNotMeant } from "./meant.ts";
import { valuesOf } from "./values.ts";

/** The most rules that are asked about, and the most that are shown. */
const MAX_ASKED = 4;
const MAX_SHOWN = 2;

/** A field that the fact of a variable must have, so that an action gives the expected value. */
interface Need {
  readonly variable: string;
  readonly field: string;
  readonly value: Maybe;
}

/** Returns why the rules that call an action with such arguments did not fire, the nearest first. */
export function effectCauses(context: TestContext, name: string, args: readonly Maybe[]): WhyNot[] {
  return nearestRules(context, (_, action) => {
    if (action.kind !== "call" || action.name.name.toLowerCase() !== name.toLowerCase()) return undefined;
    if (!action.args.every((arg, index) => couldBe(arg, args[index]))) return undefined;
    return action.args.flatMap((arg, index) => needOf(context, arg, args[index]) ?? []);
  });
}

/** Returns why the rules that make such a fact, or change a fact so, did not fire, the nearest first. */
export function factCauses(context: TestContext, pattern: ast.Pattern): WhyNot[] {
  const wanted = wantedFields(context, pattern);
  const tested = fieldsIn(context, pattern.tests);
  return nearestRules(context, (rule, action) => {
    const written = writtenFields(context, rule, action, pattern.type.name);
    if (written === undefined) return undefined;
    const { target, fields } = written;
    if (!fields.every(([field, value]) => !wanted.has(field) || couldBe(value, wanted.get(field)))) return undefined;
    const needs = fields.flatMap(([field, value]) =>
      wanted.has(field) ? (needOf(context, value, wanted.get(field)) ?? []) : [],
    );
    if (target === undefined) return needs;
    if (!fields.some(([field]) => tested.has(field))) return undefined;
    const kept = [...wanted].filter(([field]) => !fields.some(([other]) => other === field));
    return [...needs, ...kept.map(([field, value]) => ({ variable: target, field, value }))];
  });
}

/** Asks about the rules with an action that could be the cause: one for which `needsOf` returns what it needs. */
function nearestRules(
  context: TestContext,
  needsOf: (rule: ast.RuleDecl, action: ast.Action) => readonly Need[] | undefined,
): WhyNot[] {
  const causes = [...context.program.checked.symbols.rules.values()].flatMap(({ decl }) => {
    const ways = decl.body.actions.flatMap((action) => {
      const needs = needsOf(decl, action);
      return needs === undefined ? [] : [needs];
    });
    return ways.length === 0 ? [] : [{ name: decl.name.name, ways }];
  });
  const answers = causes.slice(0, MAX_ASKED).flatMap(({ name, ways }) => {
    const isMeant = (bindings: Bindings): boolean => ways.some((needs) => fulfils(context, bindings, needs));
    return whyNotMeant(context, name, isMeant) ?? whyNotMeant(context, name) ?? [];
  });
  const unfired = answers.filter(({ hindrance }) => hindrance !== "fired");
  return unfired.sort((a, b) => distance(a) - distance(b)).slice(0, MAX_SHOWN);
}

function fulfils({ session }: TestContext, bindings: Bindings, needs: readonly Need[]): boolean {
  return needs.every(({ variable, field, value }) => {
    const id = bindings[variable];
    return id === undefined || same(session.fact(id)?.fields[field], value);
  });
}

// ---------------------------------------------------------------- fields

interface Written {
  /** The variable of the fact that is changed; undefined for a new fact. */
  readonly target?: string;
  readonly fields: readonly (readonly [field: string, value: ast.Value])[];
}

/** Returns the fields of a type that an action writes; undefined when it makes and changes no such fact. */
function writtenFields(
  context: TestContext,
  rule: ast.RuleDecl,
  action: ast.Action,
  type: string,
): Written | undefined {
  if (action.kind === "insert") {
    if (action.fact.type.name !== type) return undefined;
    const names = [...(context.program.checked.symbols.type(type)?.fields.keys() ?? [])];
    return { fields: action.fact.args.map(({ name, value }, index) => [name?.name ?? names[index] ?? "", value]) };
  }
  if (action.kind !== "assign" && action.kind !== "update") return undefined;
  const { root, fields } = action.target;
  const target = root.name;
  if (factVariables(context, rule.name.name).get(target) !== type) return undefined;
  if (action.kind === "update")
    return { target, fields: action.changes.entries.map(({ name, value }) => [name.name, value]) };
  const [field, deeper] = fields;
  return field === undefined || deeper !== undefined ? undefined : { target, fields: [[field.name, action.value]] };
}

/** Returns the values that tests of the form `level == 1` and `who == t.id` ask for. */
function wantedFields(context: TestContext, { tests, variable }: ast.Pattern): ReadonlyMap<string, Maybe> {
  const wanted = new Map<string, Maybe>();
  for (const test of tests) {
    if (test.kind !== "compare" || test.op !== "==" || test.left.kind !== "path" || variable !== null) continue;
    const { left, right } = test;
    if (left.fields.length > 0 || !fieldsIn(context, left).has(left.root.name)) continue;
    if (fieldsIn(context, right).size === 0) wanted.set(left.root.name, valuesOf(context, [right])[0]);
  }
  return wanted;
}

/** Returns the fields of the fact itself that an expression reads. */
function fieldsIn({ program }: TestContext, part: ast.Expr | readonly ast.Expr[]): ReadonlySet<string> {
  const fields = new Set<string>();
  forEachNode(part, (node) => {
    const path = node as unknown as ast.PathExpr;
    if (program.checked.resolutions.get(path) === "own-field") fields.add(path.root.name);
  });
  return fields;
}

// ---------------------------------------------------------------- values

/** Returns whether an expression can have a value: not when it is another literal, or text that begins or ends otherwise. */
function couldBe(value: ast.Value, wanted: Maybe): boolean {
  if (value.kind === "text" || value.kind === "number" || value.kind === "bool") return same(value.value, wanted);
  return value.kind !== "chain" || typeof wanted !== "string" || middleOf(value, wanted) !== undefined;
}

/** Returns the field that decides whether an expression has a value: of `p.name`, and of `"Hello, " + p.name + "!"`. */
function needOf(context: TestContext, value: ast.Value, wanted: Maybe): Need | undefined {
  if (value.kind === "path") {
    const [field, deeper] = value.fields;
    const resolution = context.program.checked.resolutions.get(value);
    const isOne = field !== undefined && deeper === undefined && resolution === "variable";
    return isOne ? { variable: value.root.name, field: field.name, value: wanted } : undefined;
  }
  if (value.kind !== "chain" || typeof wanted !== "string") return undefined;
  const [path, other] = value.items.filter((item, index) => item.kind !== "text" || isInside(value, index));
  const middle = middleOf(value, wanted);
  if (path?.kind !== "path" || other !== undefined || middle === undefined) return undefined;
  return needOf(context, path, middle);
}

function isInside({ items }: ast.ChainExpr, index: number): boolean {
  return index > 0 && index < items.length - 1;
}

/** Returns the text without what the first and the last item of a sum give; undefined when it begins or ends otherwise. */
function middleOf({ items }: ast.ChainExpr, text: string): string | undefined {
  const [first, last] = [items[0], items.at(-1)];
  const start = first?.kind === "text" ? first.value : "";
  const end = last?.kind === "text" ? last.value : "";
  const fits = text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
  return fits ? text.slice(start.length, text.length - end.length) : undefined;
}
