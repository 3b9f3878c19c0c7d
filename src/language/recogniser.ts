/**
 * Recognises one statement with nearley: feeds it tokens as long as the grammar accepts them.
 *
 * Statements have no separator. A statement ends where the grammar accepts no further token; nearley is asked before a
 * token is fed, because its own error report costs more than a parse.
 */
import nearley from "nearley";
import { must } from "../base/invariant.ts";
import type { Declaration, Expr, FieldDecl, TableCell, TableOutput } from "./ast.ts";
import { defer, force } from "./deferred.ts";
import compiled from "./grammar.ts";
import type { Lexeme } from "./lexer.ts";
import { Lookahead, type RulesByName } from "./lookahead.ts";

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
  /** Returns the terminals that could follow there; the tokens must be those that were read. */
  readonly expected: () => readonly Terminal[];
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

/** A grammar, and the rules that each token can begin. */
interface Start {
  /** One parse at a time: its `byName` has the rules for the token that follows. */
  readonly grammar: nearley.Grammar;
  readonly all: RulesByName;
  readonly rulesAt: (lexeme: Lexeme | undefined) => RulesByName;
}

const STATEMENT = startingWith("statement");
const EXPRESSION = startingWith("expr");

function startingWith(name: string): Start {
  const grammar = grammarFor(name);
  const lookahead = new Lookahead(grammar);
  return { grammar, all: grammar.byName, rulesAt: (lexeme) => lookahead.rulesAt(lexeme) };
}

/** Returns the grammar without looking ahead: any token may come next. */
function blind({ grammar, all }: Start): Start {
  return { grammar, all, rulesAt: () => all };
}

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

/** Recognises a statement without looking ahead, which must give the same. */
export function recogniseWithoutLookahead(lexemes: Lexemes, from: number): Recognised<Declaration> {
  return recognise<Declaration>(blind(STATEMENT), lexemes, from, Infinity);
}

/** The parts of a statement that can stand alone, in a cell of a table in a file. */
export interface Parts {
  readonly expr: Expr;
  readonly param: FieldDecl;
  readonly table_cell: TableCell;
  readonly table_output: TableOutput;
}

const parts = new Map<keyof Parts, Start>();

export function recognisePart<Name extends keyof Parts>(name: Name, lexemes: Lexemes): Recognised<Parts[Name]> {
  const start = parts.get(name) ?? startingWith(name);
  parts.set(name, start);
  return recognise<Parts[Name]>(start, lexemes, 0, Infinity);
}

/**
 * Returns the end of the longest proper prefix of a failed statement that is a statement itself. Called only after a
 * failure, so it feeds the tokens again rather than keeping every column of every parse.
 */
export function longestStatement(lexemes: Lexemes, from: number, to: number): number | undefined {
  let longest: number | undefined;
  feed(STATEMENT, lexemes, from, to, (column, index) => {
    if (column.states.some((state) => state.isComplete && state.reference === 0 && state.rule.name === "statement")) {
      longest = index;
    }
  });
  return longest;
}

function recognise<Tree>(start: Start, lexemes: Lexemes, from: number, to: number): Recognised<Tree> {
  const { results, end } = feed(start, lexemes, from, to);
  return {
    readings: results.map((deferred) => () => force(deferred) as Tree),
    end,
    expected: () => feed(blind(start), lexemes, from, end).last.scannable.map(terminal),
  };
}

/** Feeds tokens as long as they are accepted. */
function feed(
  { grammar, rulesAt }: Start,
  lexemes: Lexemes,
  from: number,
  to: number,
  observe?: (column: Column, index: number) => void,
): { readonly results: readonly unknown[]; readonly end: number; readonly last: Column } {
  let index = from;
  const at = (place: number): Lexeme | undefined => (place < to ? lexemes.at(place) : undefined);
  const currentColumn = (): Column =>
    must(
      (parser as unknown as { table: Column[] }).table[(parser as unknown as { current: number }).current],
      "a column",
    );
  grammar.byName = rulesAt(at(index));
  const feeder = {
    next: (): Lexeme | undefined => {
      const column = currentColumn();
      if (index > from) observe?.(column, index);
      const lexeme = at(index);
      if (lexeme === undefined || !accepts(column, lexeme)) return undefined;
      index += 1;
      grammar.byName = rulesAt(at(index));
      return lexeme;
    },
    save: () => undefined,
    reset: () => undefined,
    formatError: () => "",
    has: () => true,
  };
  const parser = new nearley.Parser(grammar, { lexer: feeder as unknown as nearley.Lexer });
  parser.feed("");
  return { results: parser.results as readonly unknown[], end: index, last: currentColumn() };
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
