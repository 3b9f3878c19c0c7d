/**
 * Every production of the grammar is used by a program that a generator or an author of tests wrote, and each of these has one
 * reading. So no construct can be added without programs that show it is not ambiguous.
 */
import * as fc from "fast-check";
import nearley from "nearley";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/base/limits.ts";
import { Report } from "../../src/base/diagnostic.ts";
import { Source } from "../../src/base/source.ts";
import { defer } from "../../src/language/deferred.ts";
import compiled from "../../src/language/grammar.ts";
import { Lexer } from "../../src/language/lexer.ts";
import { countReadings } from "../../src/language/parse.ts";
import { printFile } from "../../src/language/print.ts";
import { KEYWORDS } from "../../src/language/recogniser.ts";
import { program } from "../support/program-arbitrary.ts";
import { read } from "../support/trees.ts";

/** The rule that was completed, and what it consists of, by what it made. */
const completed = new WeakMap<object, { readonly rule: number; readonly parts: readonly unknown[] }>();

const rules = compiled.ParserRules.map((rule, index) => {
  const { postprocess } = rule;
  if (postprocess === undefined) return rule;
  const build = defer(postprocess as (parts: unknown[]) => unknown);
  return {
    ...rule,
    postprocess: (parts: unknown[], reference?: number, fail?: object): unknown => {
      const made = build(parts, reference, fail);
      if (made !== fail && typeof made === "object" && made !== null) completed.set(made, { rule: index, parts });
      return made;
    },
  };
});
const grammar = nearley.Grammar.fromCompiled({ ...compiled, ParserRules: rules, ParserStart: "statement" });

/** Returns the productions that the statements of a text use. */
function usedBy(text: string, used: Set<number>): void {
  const { declarations } = read(text);
  for (const { span } of declarations) {
    const statement = text.slice(span.start, span.end);
    const lexer = new Lexer(new Report(new Source("a.tsd", statement)), KEYWORDS, DEFAULT_LIMITS);
    const tokens = {
      next: () => lexer.next(),
      save: () => undefined,
      reset: () => undefined,
      formatError: () => "",
      has: () => true,
    };
    const parser = new nearley.Parser(grammar, { lexer: tokens as unknown as nearley.Lexer });
    parser.feed("");
    for (const result of parser.results as unknown[]) collect(result, used);
  }
}

function collect(part: unknown, used: Set<number>): void {
  if (Array.isArray(part)) return part.forEach((one) => collect(one, used));
  const found = typeof part === "object" && part !== null ? completed.get(part) : undefined;
  if (found === undefined) return;
  used.add(found.rule);
  found.parts.forEach((one) => collect(one, used));
}

function wordsOf(index: number): string {
  const { name, symbols } = rules[index] ?? { name: "", symbols: [] };
  const words = (symbols as readonly unknown[]).map((symbol) =>
    typeof symbol === "string"
      ? symbol
      : "literal" in (symbol as object)
        ? `"${(symbol as { literal: string }).literal}"`
        : `%${(symbol as { type: string }).type}`,
  );
  return `${name} -> ${words.join(" ")}`;
}

const CASES = readdirSync("test/cases").map((file) => readFileSync(`test/cases/${file}`, "utf8"));

test("every production is used, and what uses it has one reading", () => {
  const used = new Set<number>();
  const printed = fc
    .sample(program, { numRuns: 1500, seed: 7 })
    .map((declarations) => printFile({ declarations, comments: [] }));
  for (const text of [...CASES, ...printed]) {
    expect(new Set(countReadings(new Report(new Source("a.tsd", text))))).toEqual(new Set([1]));
    usedBy(text, used);
  }
  const unused = rules.flatMap(({ postprocess }, index) =>
    postprocess === undefined || used.has(index) ? [] : [wordsOf(index)],
  );
  expect(unused).toEqual([]);
});
