/**
 * Warns of the test of an `after` that blocks every FORWARD, because it reads `answer`, or every ANSWER, because it reads `receiver`.
 *
 * The test is evaluated to the set of results that it can have when the name is missing and everything else can be anything. It is
 * reported when it can be unknown and never true, although it could be true if the name had a value.
 */
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";

type Decision = "ANSWER" | "FORWARD";

/** The part that a decision does not have. */
const LACKS = { ANSWER: "receiver", FORWARD: "answer" } as const;
const ARTICLE = { ANSWER: "an", FORWARD: "a" } as const;

/** Warns of the tests of a pipeline that has no errors. */
export function warnOfBlocking(cx: Context, items: readonly ast.PipelineItem[]): void {
  for (const decision of ["FORWARD", "ANSWER"] as const) {
    const isReached = items.some((item) => item.kind !== "audit" && item.kind !== "let" && item.action === decision);
    if (!isReached) continue;
    for (const item of items) if (item.kind === "after") warnOfTest(cx, item.test, decision);
  }
}

function warnOfTest(cx: Context, test: ast.Expr, decision: Decision): void {
  const found = resultsOf(test, { cx, decision, lacks: LACKS[decision] });
  if (found.has(true) || !found.has(undefined)) return;
  if (!resultsOf(test, { cx, decision, lacks: undefined }).has(true)) return;
  const lacks = LACKS[decision];
  const message = `${ARTICLE[decision]} ${decision} has no ${lacks}, so this blocks every ${decision}`;
  cx.report.warning("W246", test.span, message, `write: decision == "${decision}" or ${shortText(cx, test)}`);
}

/** The longest test that is repeated in the hint. */
const LONGEST = 60;

function shortText({ report: { source } }: Context, { span }: ast.Expr): string {
  const text = source.text.slice(span.start, span.end);
  return text.length > LONGEST || text.includes("\n") ? "…" : text;
}

// ---------------------------------------------------------------- results

type Truth = boolean | undefined;
type Results = ReadonlySet<Truth>;

interface World {
  readonly cx: Context;
  readonly decision: Decision;
  /** The part of the decision that is missing; undefined to give it a value. */
  readonly lacks: "answer" | "receiver" | undefined;
}

const UNKNOWN: Results = new Set([undefined]);
const ANY: Results = new Set([true, false, undefined]);

/** Returns the results that a test can have. Tests that depend on each other are taken for independent: the set may be too large. */
function resultsOf(expr: ast.Expr, world: World): Results {
  switch (expr.kind) {
    case "bool":
      return new Set([expr.value]);
    case "not":
      return new Set([...resultsOf(expr.operand, world)].map((truth) => (truth === undefined ? truth : !truth)));
    case "logic":
      return expr.items
        .map((item) => resultsOf(item, world))
        .reduce((left, right) => combined(left, right, expr.op === "or"));
    case "presence":
      return presenceOf(expr, world);
    case "compare":
      return isMissing(expr.left, world) || isMissing(expr.right, world) ? UNKNOWN : comparisonOf(expr, world);
    case "in":
      if (isMissing(expr.left, world) || sidesOf(expr).some((side) => isMissing(side, world))) return UNKNOWN;
      return membershipOf(expr, world);
    default:
      return isMissing(expr, world) ? UNKNOWN : ANY;
  }
}

function sidesOf({ right }: ast.InExpr): ast.Expr[] {
  return right.kind === "range" ? [right.from, right.to] : [right];
}

/** Returns the results of `and` or `or`; `decisive` is the value that decides alone. */
function combined(left: Results, right: Results, decisive: boolean): Results {
  const both = (a: Truth, b: Truth): Truth => {
    if (a === decisive || b === decisive) return decisive;
    return a === undefined || b === undefined ? undefined : !decisive;
  };
  return new Set([...left].flatMap((a) => [...right].map((b) => both(a, b))));
}

/** Whoever asks whether the name is missing knows that it can be, so its presence is the same in both worlds. */
function presenceOf({ operand, missing }: ast.PresenceExpr, world: World): Results {
  return isMissing(operand, { ...world, lacks: LACKS[world.decision] }) ? new Set([missing]) : ANY;
}

function comparisonOf({ op, left, right }: ast.CompareExpr, world: World): Results {
  if (op !== "==" && op !== "!=") return ANY;
  const [name, text] = left.kind === "text" ? [right, left] : [left, right];
  if (!isPart(name, "decision", world) || text.kind !== "text") return ANY;
  return new Set([(text.value === world.decision) === (op === "==")]);
}

function membershipOf({ left, right, negated }: ast.InExpr, world: World): Results {
  if (!isPart(left, "decision", world) || right.kind !== "list") return ANY;
  const texts = right.items.flatMap((item) => (item.kind === "text" ? [item.value] : []));
  return texts.length < right.items.length ? ANY : new Set([texts.includes(world.decision) !== negated]);
}

// ---------------------------------------------------------------- missing values

/** Returns whether a value is certainly missing, because it is computed from the part that the decision lacks. */
function isMissing(value: ast.Value, world: World): boolean {
  const some = (values: readonly ast.Value[]): boolean => values.some((one) => isMissing(one, world));
  switch (value.kind) {
    case "path":
      return world.lacks !== undefined && isPart(value, world.lacks, world);
    case "negate":
    case "cast":
      return isMissing(value.operand, world);
    case "chain":
    case "list":
      return some(value.items);
    case "contains":
      return some([value.left, value.right]);
    case "like":
    case "matches":
      return some([value.left, value.pattern]);
    case "item-test":
    case "comprehension":
      return isMissing(value.list, world);
    case "item":
      return some([value.list, value.at]);
    case "property":
      return isMissing(value.of, world);
    case "call":
      return isMissingCall(value, world);
    default:
      return false;
  }
}

/** A function has no value without an argument that it needs; `coalesce` needs one of them. */
function isMissingCall({ name, args }: ast.CallExpr, world: World): boolean {
  const { symbols } = world.cx;
  if (symbols.functionName(name.name) === "coalesce") return args.every((arg) => isMissing(arg, world));
  if (symbols.computedFunction(name.name) !== undefined) return false; // its expression may do without
  const params = symbols.function(name.name)?.params ?? [];
  return args.some((arg, at) => (params[at] ?? params.at(-1))?.optional === false && isMissing(arg, world));
}

function isPart(expr: ast.Value, part: string, { cx }: World): boolean {
  return expr.kind === "path" && expr.root.name === part && cx.resolutions.get(expr) === "decision";
}
