/** The context that every part of the checker receives. */
import type { Report } from "../../base/diagnostic.ts";
import type { Limits } from "../../base/limits.ts";
import type { ChainExpr, Declaration, Expr, Ident, PathExpr, PropertyExpr, TextExpr, Value } from "../ast.ts";
import type { ConditionUse, DeclaredCondition } from "./condition-uses.ts";
import type { TableNotes } from "./table-uses.ts";
import type { Scope } from "./scope.ts";
import type { Symbols } from "./symbols.ts";
import type { Type } from "./types.ts";

/** The meaning of the first name of a path. */
export type Resolution =
  "own-field" | "variable" | "item" | "fact" | "constant" | "condition" | "word" | "null" | "decision" | "clock";

/** `{avg(e.confidence)}` in a reason: where it starts and ends in the string, and its expression. */
export interface Hole {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly expr: Expr;
}

type TimeNote<Node, Note> = ReadonlyMap<Node, Note> & Pick<Noted<Node, Note>, "set">;

/** Where a program computes with times. Expressions that are not listed here have none. */
export interface TimeNotes {
  /** The types of expressions whose values are times, or lists of them. */
  readonly types: TimeNote<Value, Type>;
  /** The operators of sums and products with times, with the types of both sides: `date + duration`. */
  readonly operators: TimeNote<ChainExpr, readonly string[]>;
  /** The types of aggregates whose values are times, by the name of the function. */
  readonly aggregates: TimeNote<Ident, Type>;
  /** The paths that read a time off a record, which holds it as ISO 8601 text. */
  readonly held: TimeNote<PathExpr | PropertyExpr, true>;
  /** The expressions whose times become ISO 8601 text, because what receives them takes any value. */
  readonly texts: TimeNote<Value, true>;
}

export function noTimes(): TimeNotes {
  return { types: new Map(), operators: new Map(), aggregates: new Map(), held: new Map(), texts: new Map() };
}

export interface Context {
  readonly symbols: Symbols;
  /** The report of the file that contains the declaration. */
  readonly report: Report;
  readonly limits: Limits;
  readonly resolutions: ReadonlyMap<PathExpr, Resolution> & Noted<PathExpr, Resolution>;
  /** The tests that are conditions. */
  readonly conditionUses: Noted<ConditionUse, DeclaredCondition>;
  readonly times: TimeNotes;
  /** The paths with fields that are read off a value and lead to no fact: true at the places of these fields. */
  readonly valueFields: Noted<PathExpr | PropertyExpr, readonly boolean[]>;
  readonly tables: TableNotes;
  /** The expressions in `{…}` of reasons. */
  readonly holes: Noted<TextExpr, readonly Hole[]>;
  /** Statements as the checked program has them: with expressions in place of the names that `let` gives. */
  readonly elaborated: Map<Declaration, Declaration>;
}

/** What the checker notes about nodes of the tree. */
interface Noted<Node, Note> {
  get(node: Node): Note | undefined;
  has(node: Node): boolean;
  set(node: Node, note: Note): unknown;
}

/** Computes the types of the parts of an expression: for the files that typing.ts itself uses. */
export interface Typing {
  readonly typeOf: (cx: Context, expr: Expr, scope: Scope) => Type;
  readonly typeOfValue: (cx: Context, value: Value, scope: Scope) => Type;
  readonly typesOf: (cx: Context, values: readonly Value[], scope: Scope) => Type[];
  /** The type of an operand that must be a list; `advice` is the hint for a name that is unknown. */
  readonly typeOfList: (cx: Context, expr: Expr, scope: Scope, advice?: string) => Type;
  readonly checkTest: (cx: Context, test: Expr, scope: Scope, asValue: boolean) => void;
}
