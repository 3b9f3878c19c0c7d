/**
 * Builds tree nodes from what the grammar matched: one short function per construct, named in `grammar/tsd.ne`.
 *
 * Each is called once, after the whole statement was accepted (see deferred.ts), with its children already built.
 */
import { windowed } from "./build/elements.ts";
import { aggregateIn, existsExpr, existsIn, parens } from "./build/expressions.ts";
import { listAndElement, listAndPattern, type Refusal } from "./build/parts.ts";
import { stepValue } from "./build/pipeline.ts";

export * from "./build/parts.ts";
export * from "./build/facts.ts";
export * from "./build/rules.ts";
export * from "./build/elements.ts";
export * from "./build/within.ts";
export * from "./build/actions.ts";
export * from "./build/expressions.ts";
export * from "./build/decisions.ts";
export * from "./build/guardian.ts";
export * from "./build/pipeline.ts";
export * from "./build/tests.ts";
export * from "./build/tables.ts";
export * from "./build/rest.ts";

/**
 * Rejects one of two readings that the grammar alone would allow: `(number) length(x)` is a cast, never a name in
 * parentheses with something else after it; the word after `ALLOW` begins the next item of the pipeline, if it can; and
 * `ALLOW when (a or b)` is a condition, never the call of a function with that name; and `if (a) then (b) else (c)` is a choice,
 * never three elements or actions called `if`, `then` and `else`, unless there are commas between them; and
 * `A() within (d) after (t)` is a window, never three patterns or actions, unless there are commas between them; and the window of
 * `COUNT(a: A / exists B() over last d)` is that of B, unless `exists B()` is in parentheses.
 */
export const REFUSALS: ReadonlyMap<unknown, Refusal> = new Map<unknown, Refusal>([
  [parens, { part: 1, words: new Set(["number", "string", "bool", "boolean"]) }],
  [
    stepValue,
    {
      part: 0,
      words: new Set(["before", "step", "after", "otherwise", "audit"]),
      beginnings: new Set(["when", "unless"]),
    },
  ],
  [
    listAndElement,
    { part: 2, words: new Set<string>(), beginnings: new Set(["then", "else", "within"]), followedBy: "(", unless: 1 },
  ],
  [aggregateIn, { part: 3, next: 4, end: existsExpr, complete: windowed }],
  [existsIn, { part: 3, next: 4, end: existsExpr, complete: windowed }],
  [listAndPattern, { part: 2, words: new Set<string>(), beginnings: new Set(["within"]), followedBy: "(", unless: 1 }],
]);
