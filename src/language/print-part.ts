/** Prints one expression or element in a single line, for messages. */
import type { Element, Expr } from "./ast.ts";
import { Comments } from "./comments.ts";
import { group, render } from "./layout.ts";
import { elementList } from "./print-element.ts";
import { expression } from "./print-expression.ts";

const ONE_LINE = Number.MAX_SAFE_INTEGER;

export function expressionText(expr: Expr): string {
  return render(group(expression(new Comments([], ""), expr)), ONE_LINE);
}

export function elementText(element: Element): string {
  return render(group(elementList(new Comments([], ""), [element], Infinity)), ONE_LINE);
}
