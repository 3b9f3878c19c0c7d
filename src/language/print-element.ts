/** Prints conditional elements: on lines of their own in a block, with commas between them inside parentheses. */
import { unreachable } from "../base/invariant.ts";
import type { AbsenceElement, AggregateElement, Element } from "./ast.ts";
import type { Comments } from "./comments.ts";
import type { Doc } from "./layout.ts";
import { enclosed, listed, parts, type Row, rowsOf } from "./place.ts";
import { continuesExpression, expression, isOpen, itemsList, LEVEL, pattern, values } from "./print-expression.ts";

/** Prints one element per line; a comma follows only where the next one would be read as part of it. */
export function elementRows(comments: Comments, elements: readonly Element[], limit: number): Row[] {
  return rowsOf(comments, elements, limit, (one, index) => {
    const next = elements[index + 1];
    const comma = next !== undefined && ((endsOpen(one) && couldContinue(next)) || isWindowWord(next)) ? "," : "";
    return [element(comments, one), comma];
  });
}

/** Returns whether an element could be read as part of an open one before it: `(… or …)`, or `then (…)` after `where if (a)`. */
function couldContinue(next: Element): boolean {
  return (
    next.kind === "or" || (next.kind === "pattern" && next.variable === null && continuesExpression(next.type.name))
  );
}

/** Returns whether a pattern begins as a window does, which would belong to the element before it: `within (…)`. */
function isWindowWord(next: Element): boolean {
  return next.kind === "pattern" && next.variable === null && /^within$/iu.test(next.type.name);
}

/** Prints elements in one line, as in `when k: Kb(…), not Blocked(…)`. */
export function elementList(comments: Comments, elements: readonly Element[], limit: number): Doc {
  const items = listed(elements, (one) => element(comments, one));
  return parts(comments, items, limit);
}

function element(
  comments: Comments,
  one: Element,
  level: typeof LEVEL.choice | typeof LEVEL.conjunction = LEVEL.choice,
): Doc {
  switch (one.kind) {
    case "pattern":
      return pattern(comments, one);
    case "absence":
      return [one.quantifier, " ", absent(comments, one)];
    case "or":
      return inParentheses(comments, one.alternatives, one.span.end);
    case "forall":
      return ["forall (", pattern(comments, one.pattern, true), " : ", expression(comments, one.test), ")"];
    case "aggregate":
      return aggregate(comments, one);
    case "row":
      return [`${one.variable.name} in ${one.query.name}`, values(comments, one)];
    case "items":
      return [`${one.variable.name} in `, itemsList(comments, one.list)];
    case "where":
      return ["where ", expression(comments, one.test, level)];
    case "let":
      return [`let ${one.name.name} = `, expression(comments, one.value, level)];
    default:
      return unreachable(one);
  }
}

/** Prints a `not` or `exists`; one pattern, absence or group needs no parentheses of its own. */
function absent(comments: Comments, one: AbsenceElement): Doc {
  const [only, second] = one.elements;
  if (only === undefined || second !== undefined || !STANDS_ALONE.has(only.kind)) {
    return inParentheses(comments, [one.elements], one.span.end);
  }
  return element(comments, only);
}

const STANDS_ALONE: ReadonlySet<string> = new Set(["pattern", "absence", "or"]);

/** Prints `(a, b or c)`. There `or` separates alternatives, so a test must not show one of its own. */
function inParentheses(comments: Comments, alternatives: readonly (readonly Element[])[], end: number): Doc {
  const items = alternatives.flatMap((elements, index) =>
    listed(elements, (one) => element(comments, one, LEVEL.conjunction)).map((one, inner) =>
      index > 0 && inner === 0 ? { ...one, word: "or " } : one,
    ),
  );
  return enclosed(comments, ["(", ")"], items, end);
}

function aggregate(comments: Comments, one: AggregateElement): Doc {
  const counted = one.value === null ? "" : expression(comments, one.value);
  return [`${one.name.name}: ${one.fn.name}(`, counted, ") from ", pattern(comments, one.pattern)];
}

/** Returns whether a following `(… or …)` could be read as part of this element. */
function endsOpen(one: Element): boolean {
  switch (one.kind) {
    case "pattern":
      return isOpen(one);
    case "aggregate":
      return isOpen(one.pattern);
    case "where":
    case "let":
    case "items":
      return true;
    case "absence":
      return one.elements.length === 1 && one.elements.some((only) => STANDS_ALONE.has(only.kind) && endsOpen(only));
    default:
      return false;
  }
}
