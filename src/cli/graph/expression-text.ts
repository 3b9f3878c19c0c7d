/** Expressions of a plan as source text: levels become variables again, and fields of the current fact need no variable. */
import type { PlanExpr } from "../../index.ts";
import { valueText } from "../value-text.ts";

export interface Naming {
  /** The level whose fields need no variable: that of the fact that a node tests. */
  readonly own: number | undefined;
  /** Returns the variable at a level. */
  name(level: number): string | undefined;
}

export function expressionText(expr: PlanExpr, naming: Naming): string {
  const words = (inner: PlanExpr): string => expressionText(inner, naming);
  switch (expr.op) {
    case "const":
      return expr.value === null ? "unknown" : valueText(expr.value);
    case "field":
      return expr.level === naming.own ? expr.field : `${variable(expr.level, naming)}.${expr.field}`;
    case "fact":
    case "value":
      return variable(expr.level, naming);
    case "each":
      return `${expr.quantifier}(${itemName(expr.depth)} in ${operand(expr.list, naming)} : ${words(expr.test)})`;
    case "collect": {
      const test = expr.test === undefined ? "" : ` if ${words(expr.test)}`;
      return `[${words(expr.value)} for ${itemName(expr.depth)} in ${operand(expr.list, naming)}${test}]`;
    }
    case "item":
      return itemName(expr.depth);
    case "at":
      return `${operand(expr.list, naming)}[${words(expr.index)}]`;
    case "property":
    case "step":
    case "follow":
      return `${words(expr.of)}.${expr.field}`;
    case "not":
      return expr.of.op === "missing" ? `${operand(expr.of.of, naming)} is present` : `not (${words(expr.of)})`;
    case "and":
    case "or":
      return expr.items.map((item) => operand(item, naming)).join(` ${expr.op} `);
    case "compare":
      return comparison(expr, naming);
    case "in":
      return `${operand(expr.left, naming)} in ${operand(expr.right, naming)}`;
    case "contains":
      return `${operand(expr.left, naming)} contains ${expr.any ? "any " : expr.all === true ? "all " : ""}${operand(expr.right, naming)}`;
    case "like":
      return `${operand(expr.left, naming)} like ${operand(expr.pattern, naming)}`;
    case "matches":
      return `${operand(expr.left, naming)} matches ${valueText(expr.pattern)}`;
    case "missing":
      return `${operand(expr.of, naming)} is missing`;
    case "nottrue":
      return isAnyPlainValue(expr.of, naming)
        ? `${words(expr.of.items[0].left)} cannot be told`
        : `not true: ${words(expr.of)}`;
    case "chain":
      return expr.items
        .map((item, at) => `${at === 0 ? "" : ` ${expr.ops[at - 1]} `}${operand(item, naming)}`)
        .join("");
    case "negate":
      return `-${operand(expr.of, naming)}`;
    case "cast":
      return `(${expr.to}) ${operand(expr.of, naming)}`;
    case "if":
      return `if ${words(expr.test)} then ${words(expr.whenTrue)} else ${words(expr.whenFalse)}`;
    case "call":
      return `${expr.name}(${expr.args.map(words).join(", ")})`;
    case "table": {
      const name = expr.table.slice(0, expr.table.lastIndexOf("~"));
      return `${name}(${expr.inputs.map(words).join(", ")})`;
    }
    case "list":
      return `[${expr.items.map(words).join(", ")}]`;
    case "outcome":
      return `${expr.of} ${expr.name} ${expr.outcome}${expr.outcome === "pass" ? "es" : "s"}`;
    case "decided":
      return expr.part;
    case "clock":
      return expr.zone === undefined ? "now" : "today";
    case "unmet":
      return `missing(${expr.gate})`;
    default:
      return `{${expr.entries.map((entry) => `${entry.name}: ${words(entry.value)}`).join(", ")}}`;
  }
}

type Comparison = Extract<PlanExpr, { op: "compare" }>;

/** Returns whether an expression is `x == 0 or x != 0`, which is unknown only where x is missing, a list or an object. */
function isAnyPlainValue(
  expr: PlanExpr,
  naming: Naming,
): expr is { readonly op: "or"; readonly items: readonly [Comparison, Comparison] } {
  if (expr.op !== "or" || expr.items.length !== 2) return false;
  const [same, other] = expr.items.toSorted((a) => (a.op === "compare" && a.by === "==" ? -1 : 1));
  if (same?.op !== "compare" || other?.op !== "compare" || same.by !== "==" || other.by !== "!=") return false;
  const isZero = ({ right }: Comparison): boolean => right.op === "const" && right.value === 0;
  return isZero(same) && isZero(other) && expressionText(same.left, naming) === expressionText(other.left, naming);
}

/** Returns a comparison with the current fact on the left. */
function comparison({ left, by, right }: Comparison, naming: Naming): string {
  const isOwn = (side: PlanExpr): boolean => side.op === "field" && side.level === naming.own;
  if (isOwn(left) || !isOwn(right)) return `${operand(left, naming)} ${by} ${operand(right, naming)}`;
  return `${operand(right, naming)} ${MIRRORED[by]} ${operand(left, naming)}`;
}

const MIRRORED = { "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

const SIMPLE: ReadonlySet<PlanExpr["op"]> = new Set<PlanExpr["op"]>([
  "const",
  "field",
  "fact",
  "value",
  "decided",
  "step",
  "follow",
  "each",
  "collect",
  "item",
  "at",
  "property",
  "call",
  "list",
  "object",
  "compare",
  "missing",
  "in",
  "contains",
  "like",
  "matches",
  "outcome",
]);

function operand(expr: PlanExpr, naming: Naming): string {
  const isPresent = expr.op === "not" && expr.of.op === "missing";
  return isPresent || SIMPLE.has(expr.op) ? expressionText(expr, naming) : `(${expressionText(expr, naming)})`;
}

/** Returns a name for the items of a loop: nodes are shared whatever their authors call them. */
function itemName(depth: number): string {
  return depth === 1 ? "item" : `item${depth}`;
}

function variable(level: number, naming: Naming): string {
  return naming.name(level) ?? `$${level}`;
}
