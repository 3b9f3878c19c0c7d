/**
 * Recognises one statement with nearley: feeds it tokens as long as the grammar accepts them.
 *
 * Statements have no separator. A statement ends where the grammar accepts no further token; nearley is asked before a
 * token is fed, because its own error report costs more than a parse.
 */
import nearley from "nearley";
import { must } from "../base/invariant.ts";
import type { Declaration, Expr } from "./ast.ts";
import { defer, force } from "./deferred.ts";
import compiled from "./grammar.ts";
import type { Lexeme } from "./lexer.ts";

/** Returns the tokens of a file by index, lexing as needed; undefined at the end. */
export interface Lexemes {
  at(index: number): Lexeme | undefined;
}

/** A terminal of the grammar: a kind of token, or a literal. */
export type Terminal = { readonly type: string } | { readonly literal: string };

export interface Recognised<Tree> {
  /** All parses of the tokens taken; more than one means that the grammar is ambiguous. */
  readonly readings: readonly (() => Tree)[];
  /** The first token that was not taken. */
  readonly end: number;
  /** The terminals that could follow there. */
  readonly expected: readonly Terminal[];
}

interface Column {
  readonly scannable: readonly { readonly rule: nearley.Rule; readonly dot: number }[];
  readonly states: readonly State[];
}
interface State {
  readonly rule: nearley.Rule;
  readonly isComplete: boolean;
  readonly reference: number;
}

/** The words that the grammar knows as literals; the lexer folds their case. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  compiled.ParserRules.flatMap((rule) => rule.symbols)
    .map((symbol) => (typeof symbol === "object" && "literal" in symbol ? String(symbol.literal) : ""))
    .filter((literal) => /^[a-z]/u.test(literal)),
);

const STATEMENT = grammarFor("statement");
const EXPRESSION = grammarFor("expr");

function grammarFor(start: string): nearley.Grammar {
  const rules = compiled.ParserRules.map((rule) => ({
    ...rule,
    ...(rule.postprocess === undefined ? {} : { postprocess: defer(rule.postprocess) }),
  }));
  return nearley.Grammar.fromCompiled({ ...compiled, ParserRules: rules, ParserStart: start });
}

export function recogniseStatement(lexemes: Lexemes, from: number, to: number = Infinity): Recognised<Declaration> {
  return recognise<Declaration>(STATEMENT, lexemes, from, to);
}

export function recogniseExpression(lexemes: Lexemes, from: number): Recognised<Expr> {
  return recognise<Expr>(EXPRESSION, lexemes, from, Infinity);
}

/**
 * Returns the end of the longest proper prefix of a failed statement that is a statement itself. Called only after a
 * failure, so it feeds the tokens again rather than keeping every column of every parse.
 */
export function longestStatement(lexemes: Lexemes, from: number, to: number): number | undefined {
  let longest: number | undefined;
  recognise(STATEMENT, lexemes, from, to, (column, index) => {
    if (column.states.some((state) => state.isComplete && state.reference === 0 && state.rule.name === "statement")) {
      longest = index;
    }
  });
  return longest;
}

function recognise<Tree>(
  grammar: nearley.Grammar,
  lexemes: Lexemes,
  from: number,
  to: number,
  observe?: (column: Column, index: number) => void,
): Recognised<Tree> {
  let index = from;
  const currentColumn = (): Column =>
    must(
      (parser as unknown as { table: Column[] }).table[(parser as unknown as { current: number }).current],
      "a column",
    );
  const feeder = {
    next: (): Lexeme | undefined => {
      const column = currentColumn();
      if (index > from) observe?.(column, index);
      const lexeme = index < to ? lexemes.at(index) : undefined;
      if (lexeme === undefined || !accepts(column, lexeme)) return undefined;
      index += 1;
      return lexeme;
    },
    save: () => undefined,
    reset: () => undefined,
    formatError: () => "",
    has: () => true,
  };
  const parser = new nearley.Parser(grammar, { lexer: feeder as unknown as nearley.Lexer });
  parser.feed("");
  return {
    readings: parser.results.map((deferred: unknown) => () => force(deferred) as Tree),
    end: index,
    expected: currentColumn().scannable.map(terminal),
  };
}

function accepts(column: Column, lexeme: Lexeme): boolean {
  return column.scannable.some((state) => {
    const wanted = terminal(state);
    return "type" in wanted ? wanted.type === lexeme.type : wanted.literal === lexeme.text;
  });
}

function terminal(state: { readonly rule: nearley.Rule; readonly dot: number }): Terminal {
  return state.rule.symbols[state.dot] as Terminal;
}
