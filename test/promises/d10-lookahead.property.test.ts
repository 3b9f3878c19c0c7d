/** D10 for speed: looking one token ahead changes no reading, no end of a statement, and nothing that was expected. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Report } from "../../src/base/diagnostic.ts";
import { DEFAULT_LIMITS } from "../../src/base/limits.ts";
import { Source } from "../../src/base/source.ts";
import { type Lexeme, Lexer } from "../../src/language/lexer.ts";
import { printFile } from "../../src/language/print.ts";
import { KEYWORDS, recogniseStatement, recogniseWithoutLookahead } from "../../src/language/recogniser.ts";
import { runs } from "../support/cases.ts";
import { program } from "../support/program-arbitrary.ts";
import { withoutSpans } from "../support/trees.ts";

function lexemesOf(text: string): Lexeme[] {
  const lexer = new Lexer(new Report(new Source("test.tsd", text)), KEYWORDS, DEFAULT_LIMITS);
  const lexemes: Lexeme[] = [];
  for (let next = lexer.next(); next !== undefined; next = lexer.next()) lexemes.push(next);
  return lexemes;
}

/** One token left out, twice, or in the place of another; or none. */
const mistake = fc.record({
  kind: fc.constantFrom("none", "without", "twice", "swapped"),
  at: fc.nat(),
  from: fc.nat(),
});

function withMistake(
  lexemes: readonly Lexeme[],
  { kind, at, from }: { kind: string; at: number; from: number },
): Lexeme[] {
  const here = at % lexemes.length;
  const other = lexemes[from % lexemes.length];
  const made = [...lexemes];
  if (kind === "without") made.splice(here, 1);
  else if (kind !== "none" && other !== undefined) made.splice(here, kind === "swapped" ? 1 : 0, other);
  return made;
}

test("a statement is read the same with and without looking ahead", () => {
  let mistaken = 0;
  fc.assert(
    fc.property(program, mistake, (declarations, wrong) => {
      const all = lexemesOf(printFile({ declarations, comments: [] }));
      if (all.length === 0) return;
      const lexemes = withMistake(all, wrong);
      const tokens = { at: (index: number) => lexemes[index] };
      for (let from = 0; from < lexemes.length;) {
        const ahead = recogniseStatement(tokens, from);
        const blind = recogniseWithoutLookahead(tokens, from);
        expect([ahead.end, ahead.readings.length]).toEqual([blind.end, blind.readings.length]);
        expect(ahead.expected()).toEqual(blind.expected());
        const [tree] = ahead.readings;
        const [other] = blind.readings;
        if (tree === undefined || other === undefined) {
          mistaken += 1;
          break;
        }
        expect(withoutSpans([tree()])).toEqual(withoutSpans([other()]));
        from = ahead.end;
      }
    }),
    { numRuns: runs() },
  );
  expect(mistaken).toBeGreaterThan(0);
});
