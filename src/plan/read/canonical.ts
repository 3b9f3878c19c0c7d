/** The canonical text of an expression: equal texts mean equal tests. People read it too, in graphs. */
import { signatureText } from "../../base/host-types.ts";
import { unreachable } from "../../base/invariant.ts";
import { calledFunction } from "../../functions/functions.ts";
import type { PlanExpr } from "../plan.ts";

/** Returns the text of an expression. Fields of level 0, the fact of an alpha node, are written `.age`; those of other levels `$2.age`. */
export function canonicalText(expr: PlanExpr): string {
  switch (expr.op) {
    case "const":
      return constant(expr.value);
    case "field":
      return asRead(expr, `${at(expr.level)}.${name(expr.field)}`);
    case "fact":
      return `${at(expr.level)}#id`;
    case "value":
      return `${at(expr.level)}#value`;
    case "step":
      return asRead(expr, `(${canonicalText(expr.of)}->${at(expr.level)}.${name(expr.field)})`);
    case "follow":
      return asRead(expr, `(${canonicalText(expr.of)}->${name(expr.field)})`);
    case "not":
      return `NOT(${canonicalText(expr.of)})`;
    case "and":
    case "or":
      return `(${expr.items.map(canonicalText).join(expr.op === "and" ? " AND " : " OR ")})`;
    case "compare":
      return `${operand(expr.left)} ${expr.by} ${operand(expr.right)}`;
    case "in":
      return `${operand(expr.left)} IN ${operand(expr.right)}`;
    case "contains":
      return `${operand(expr.left)} CONTAINS${expr.any ? " ANY" : expr.all === true ? " ALL" : ""} ${operand(expr.right)}`;
    case "like":
      return `${operand(expr.left)} LIKE ${operand(expr.pattern)}`;
    case "matches":
      return `${operand(expr.left)} MATCHES ${JSON.stringify(expr.pattern)}`;
    case "missing":
      return `MISSING(${canonicalText(expr.of)})`;
    case "nottrue":
      return `NOTTRUE(${canonicalText(expr.of)})`;
    case "chain":
      return `(${expr.items.map((item, index) => `${index === 0 ? "" : ` ${expr.ops[index - 1]} `}${operand(item)}`).join("")})`;
    case "negate":
      return `NEG(${canonicalText(expr.of)})`;
    case "cast":
      return `CAST_${expr.to}(${canonicalText(expr.of)})`;
    case "call":
      return `CALL ${JSON.stringify(expr.name)}(${expr.args.map(canonicalText).join(", ")})${declared(expr)}`;
    case "table": {
      const computed = expr.computed.length === 0 ? "" : ` GIVING (${expr.computed.map(canonicalText).join(", ")})`;
      return `TABLE ${JSON.stringify(expr.table)}(${expr.inputs.map(canonicalText).join(", ")})${computed}`;
    }
    case "if":
      return `IF(${[expr.test, expr.whenTrue, expr.whenFalse].map(canonicalText).join(", ")})`;
    case "unmet":
      return `UNMET ${JSON.stringify(expr.gate)}(${canonicalText(expr.subject)})`;
    case "outcome":
      return `${expr.of.toUpperCase()} ${JSON.stringify(expr.name)}(${canonicalText(expr.subject)}) ${expr.outcome}`;
    case "decided":
      return `DECIDED ${expr.part}`;
    case "clock":
      return expr.zone === undefined ? "NOW" : `TODAY ${JSON.stringify(expr.zone)}`;
    case "list":
      return `[${expr.items.map(canonicalText).join(", ")}]`;
    case "each":
      return `${expr.quantifier.toUpperCase()}(%${expr.depth} IN ${operand(expr.list)} : ${canonicalText(expr.test)})`;
    case "collect": {
      const test = expr.test === undefined ? "" : ` IF ${canonicalText(expr.test)}`;
      return `[${canonicalText(expr.value)} FOR %${expr.depth} IN ${operand(expr.list)}${test}]`;
    }
    case "item":
      return `%${expr.depth}`;
    case "at":
      return `${operand(expr.list)}[${canonicalText(expr.index)}]`;
    case "property":
      return `${operand(expr.of)}.${name(expr.field)}`;
    case "object":
      return `{${expr.entries.map((entry) => `${JSON.stringify(entry.name)}: ${canonicalText(entry.value)}`).join(", ")}}`;
    default:
      return unreachable(expr);
  }
}

function asRead({ timesAsText }: { readonly timesAsText?: true }, text: string): string {
  return timesAsText === true ? `TEXT(${text})` : text;
}

/** Returns the text of an operand. A test inside another test is in parentheses, so that (a == b) == c and a == (b == c) differ. */
function operand(expr: PlanExpr): string {
  return TESTS.has(expr.op) ? `(${canonicalText(expr)})` : canonicalText(expr);
}

const TESTS: ReadonlySet<PlanExpr["op"]> = new Set<PlanExpr["op"]>(["compare", "in", "contains", "like", "matches"]);

/** Returns the text of a constant. Strings are quoted, so that 1 and "1" differ; a list is written like a list of expressions. */
function constant(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(constant).join(", ")}]`;
  return value === null ? "UNKNOWN" : JSON.stringify(value);
}

function at(level: number): string {
  return level === 0 ? "" : `$${level}`;
}

/** Returns the name of a field, quoted when it is no plain word, so that no name can pass for syntax. */
function name(field: string): string {
  return /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(field) ? field : JSON.stringify(field);
}

/** Returns the signature of a function of the host: two programs of one session can declare it in different ways. */
function declared({ name: called, signature }: Extract<PlanExpr, { op: "call" }>): string {
  return calledFunction(called) !== undefined ? "" : ` AS ${signatureText(signature)}`;
}
