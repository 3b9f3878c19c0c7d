/** Tests the formatter: it keeps every comment and the meaning, and formatting twice changes nothing. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Report } from "../../src/base/diagnostic.ts";
import { DEFAULT_LIMITS } from "../../src/base/limits.ts";
import { Source } from "../../src/base/source.ts";
import { formatSource } from "../../src/language/format.ts";
import { Lexer } from "../../src/language/lexer.ts";
import { printFile } from "../../src/language/print.ts";
import { KEYWORDS } from "../../src/language/recogniser.ts";
import { runs } from "../support/cases.ts";
import { program } from "../support/program-arbitrary.ts";
import { expectSameTree, read, readWell, withoutSpelling } from "../support/trees.ts";

const format = (text: string): string => formatSource(text).text;
const migrate = (text: string): string => formatSource(text, { migrate: true }).text;

/** A text without the indentation it has in this file. */
function tsd(strings: TemplateStringsArray): string {
  const lines = (strings.raw[0] ?? "").split("\n").slice(1, -1);
  const margin = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return lines.map((line) => `${line.slice(margin)}\n`).join("");
}

describe("any text", () => {
  test("keeps its comments and its meaning, and is formatted only once", () => {
    fc.assert(
      fc.property(scattered(INLINE), (text) => {
        const formatted = format(text);
        expect(commentTexts(formatted)).toEqual(commentTexts(text));
        expectSameTree(readWell(formatted), readWell(text));
        expect(format(formatted)).toBe(formatted);
      }),
      { numRuns: runs(2_500) },
    );
  });

  test("keeps its meaning and its comments when it is migrated", () => {
    fc.assert(
      fc.property(scattered([...INLINE, "\n# old\n", "\n   # old\n"]), (text) => {
        if (read(text).report.diagnostics.length > 0) return; // a "#" inside a list of fields marks a key
        const migrated = migrate(text);
        expect(commentTexts(migrated)).toEqual(
          commentTexts(text)
            .map((one) => one.replace(/^#/u, "//"))
            .sort(),
        );
        expect(migrate(migrated)).toBe(migrated);
        expect(format(migrated)).toBe(migrated);
      }),
      { numRuns: runs(500) },
    );
  });

  test("keeps each statement within its span", () => {
    fc.assert(
      fc.property(scattered(INLINE), (text) => {
        for (const one of readWell(text)) expectSameTree(readWell(text.slice(one.span.start, one.span.end)), [one]);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe("the layout", () => {
  test("of a block rule has one element and one action on each line", () => {
    const text = tsd`
      RULE "VIP_or_Adult"   salience 10 { when p: Person(p.status=="VIP" OR p.age>18), o: Order(buyer == p && total > 100)
        !Refund(order == o.num)  where (a.b) then log("Eligible: "+p.name) Update(p, {status: 'Gold'}) Retract(o) halt() }
    `;
    expect(format(text)).toBe(tsd`
      rule "VIP_or_Adult" salience 10 {
          when
              p: Person(p.status == "VIP" or p.age > 18)
              o: Order(buyer == p and total > 100)
              not Refund(order == o.num)
              where a.b
          then
              log("Eligible: " + p.name)
              update(p, {status: "Gold"})
              retract o
              halt
      }
    `);
  });

  test("of a slash rule is one line, or broken before ==> and between the actions", () => {
    const text = tsd`
      rule adult : {p: Person} / p.age >= 18 AND NOT(EXISTS(o: Order / o.buyer == p)) ==> log(p.name), Insert(T(1))
      rule big : {p: Person, o: Order} / o.buyer == p AND o.total > 100 ==> notify(p.id, "a long message"), log("and another")
    `;
    expect(format(text)).toBe(tsd`
      rule adult : {p: Person} / p.age >= 18 and not EXISTS(o: Order / o.buyer == p)
          ==> log(p.name),
              insert T(1)

      rule big : {p: Person, o: Order} / o.buyer == p and o.total > 100
          ==> notify(p.id, "a long message"),
              log("and another")
    `);
  });

  test("of a gate breaks a long requirement before and", () => {
    const text = tsd`
      gate "deploy" for r: Release { require r.env == "production" and tests_ok(r) and (coverage_ok(r) or waived(r)) and not blocked(r)
        on pass then ship(r.id) on unknown then ask("team", missing()), log("held") }
    `;
    expect(format(text)).toBe(tsd`
      gate "deploy" for r: Release {
          require r.env == "production"
              and tests_ok(r)
              and (coverage_ok(r) or waived(r))
              and not blocked(r)
          on pass then ship(r.id)
          on hold then
              ask("team", missing())
              log("held")
      }
    `);
  });

  test("of long types, facts and lists is one item on each line", () => {
    const text = tsd`
      type Order(#num: string, buyer: Person, total: number, tags: string[], state: "open" | "paid" | "void" = "open")
      Order(num: "o1", buyer: alice, total: 120, tags: ["gift", "express", "fragile"], state: open, note: "by hand")
      list terms = ["the first of many terms", "the second of many terms", "the third of many terms", "and the last"]
    `;
    expect(format(text)).toBe(tsd`
      type Order(
          #num: string,
          buyer: Person,
          total: number,
          tags: string[],
          state: "open" | "paid" | "void" = "open"
      )

      Order(
          num: "o1",
          buyer: alice,
          total: 120,
          tags: ["gift", "express", "fragile"],
          state: open,
          note: "by hand"
      )

      list terms = [
          "the first of many terms",
          "the second of many terms",
          "the third of many terms",
          "and the last"
      ]
    `);
  });

  test("of statements: kinds stand apart, and one empty line of the author stays", () => {
    const text =
      "type A(x: number)\ntype B(y: number)\n\n\n\ntype C()\nA(1) A(2)\n\nB(3)\nreset reset\nremove fact A 1 remove rule r";
    expect(format(text)).toBe(tsd`
      type A(x: number)
      type B(y: number)

      type C()

      A(1)
      A(2)

      B(3)

      reset
      reset

      remove fact A 1
      remove rule r
    `);
  });

  test("puts a comma where the grammar asks for one", () => {
    expect(format("query q { p: Person, (A() or B()) where x, (C() D() or E()) F(), (G() or H()) }")).toBe(tsd`
      query q {
          p: Person,
          (A() or B())
          where x,
          (C(), D() or E())
          F()
          (G() or H())
      }
    `);
  });

  test("has parentheses where they mean something, and where people are glad of them", () => {
    const text =
      "condition c : (((a) and b)) and c or (d or e) and not ((f == (g + (h * i)) - (j - k))) or -(-(5)) < (2 * 3) * 4";
    expect(format(text)).toBe(
      [
        "condition c : ((a and b) and c)",
        "    or ((d or e) and not (f == (g + h * i) - (j - k)))",
        "    or --5 < (2 * 3) * 4\n",
      ].join("\n"),
    );
  });

  test("writes texts in double quotes and escapes only what must be", () => {
    const text = String.raw`list l = ['it\'s', 'say "hi"', "\d+\\w", "a\\n", "tab	end\\", "\u{202E}\u{0}\u{1F600}"]`;
    expect(format(text)).toBe(
      `${String.raw`list l = ["it's", "say \"hi\"", "\d+\w", "a\\n", "tab\tend\\", "\u{202E}\u{0}😀"]`}\n`,
    );
  });

  test("of an empty file is nothing", () => {
    expect(format("")).toBe("");
    expect(format(" \n\n")).toBe("");
    expect(format("// only this")).toBe("// only this\n");
  });
});

describe("comments", () => {
  test("stay with what they stand above or behind", () => {
    const text = tsd`
      // the file

      // a type
      type Person( // people
        #id: string,      // the key
        // how old
        age: number /* years */ )
      /* facts */ Person("p1", /* age */ 3) // Ann
      rule r { // a rule
        // before when
        when // conditions
          // a person
          p: Person(age > 3) // old enough
          // the last word
        then // actions
          log(p.id) // said
          // nothing more
      } // end of rule
      // end of file
    `;
    expect(format(text)).toBe(tsd`
      // the file

      // a type
      type Person(
          // people
          #id: string, // the key
          // how old
          age: number /* years */
      )

      /* facts */
      Person("p1", /* age */ 3) // Ann

      rule r { // a rule
          // before when
          when // conditions
              // a person
              p: Person(age > 3) // old enough
              // the last word
          then // actions
              log(p.id) // said
              // nothing more
      } // end of rule

      // end of file
    `);
  });

  test("in a requirement stand before the word and, or behind the test", () => {
    const text = tsd`
      gate g {
        require a // first
          // why b
          and b and /* c */ c
        // trust
        trust verified
      }
    `;
    expect(format(text)).toBe(tsd`
      gate g {
          require a // first
              // why b
              and b
              and /* c */ c
          // trust
          trust verified
      }
    `);
  });

  test("in the middle of an expression move to the item around it", () => {
    expect(format("condition c : a // left\n == // middle\n b // right\n")).toBe(tsd`
      // left
      // middle
      condition c : a == b // right
    `);
  });

  test("alone in brackets stay there", () => {
    expect(format("T(/* none */)\nlist l = [ // none\n]\ngate g { // none\n }")).toBe(tsd`
      T(/* none */)

      list l = [
          // none
      ]

      gate g { // none
      }
    `);
  });
});

describe("a text with an error", () => {
  test("stays as it is, and says so", () => {
    const text = "type  Person(  // unfinished";
    const formatted = formatSource(text, { file: "a.tsd" });
    expect(formatted.text).toBe(text);
    expect(formatted.diagnostics.map((one) => `${one.file}:${one.line} ${one.code}`)).toEqual(["a.tsd:1 E101"]);
  });
});

describe("older spellings", () => {
  const text = tsd`
    # the model
    type User : <id:string,   age:number>
    type  User( id: string, age: number ) // again
    assert( User(id = "u1", age = 3) )
    User( id:"u2", age: 4 )
    {u: User} /  u.age > 18 ==> log(cast(u.age as string))
    RULE old WHEN {u: User} / u.age > 3 THEN log(u.id)
    rule braces { when { u: User(age > 2) } then { log(u.id) /* said */ } }
    rule hash {
      when u: User
      # inside
      then   halt
    }
    {v: User} / ==> halt
  `;

  test("are left alone, statement by statement", () => {
    expect(format(text)).toBe(tsd`
      # the model
      type User : <id:string,   age:number>
      type  User( id: string, age: number ) // again

      assert( User(id = "u1", age = 3) )
      User(id: "u2", age: 4)

      {u: User} /  u.age > 18 ==> log(cast(u.age as string))
      RULE old WHEN {u: User} / u.age > 3 THEN log(u.id)
      rule braces { when { u: User(age > 2) } then { log(u.id) /* said */ } }

      rule hash {
        when u: User
        # inside
        then   halt
      }

      {v: User} / ==> halt
    `);
    expect(format(format(text))).toBe(format(text));
  });

  test("are rewritten when asked", () => {
    expect(migrate(text)).toBe(tsd`
      // the model
      type User(id: string, age: number)

      // again
      User(id: "u1", age: 3)
      User(id: "u2", age: 4)

      rule rule_1 : {u: User} / u.age > 18 ==> log((string) u.age)
      rule old : {u: User} / u.age > 3 ==> log(u.id)

      rule braces {
          when
              u: User(age > 2)
          then
              log(u.id) /* said */
      }

      rule hash {
          when
              u: User
              // inside
          then
              halt
      }

      rule rule_2 : {v: User} / ==> halt
    `);
  });

  test("mean the same when they are rewritten", () => {
    const [first, , ...others] = readWell(text);
    expect(withoutSpelling(readWell(migrate(text)))).toEqual(withoutSpelling([first, ...others]));
  });
});

// ---------------------------------------------------------------- texts at random

const BLANKS = [" ", "  ", "\n", "\n\n\n", "\t", "\r\n", " \n    "];
const INLINE = [
  "/* in line */",
  " // behind\n",
  "\n// above\n",
  "\n\n/* two\n   lines */\n",
  "/* a */ /* b */",
  " // one\n// two\n",
  "/*x*/ // y\n",
  "//\n",
  "/* then { ) */",
];

/** Programs whose lexemes are laid out anew, with comments between them. */
function scattered(comments: readonly string[]): fc.Arbitrary<string> {
  const gap = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...BLANKS) },
    { weight: 1, arbitrary: fc.constantFrom(...comments) },
  );
  return fc.tuple(program, fc.array(gap, { minLength: 1, maxLength: 60, size: "max" })).map(([declarations, gaps]) =>
    // One statement after the other: what a "#" on a line of its own is depends on the statement that it stands in.
    declarations.map((one) => scatter(printFile({ declarations: [one], comments: [] }), gaps)).join("\n"),
  );
}

function scatter(text: string, gaps: readonly string[]): string {
  const lexer = new Lexer(new Report(new Source("test.tsd", text)), KEYWORDS, DEFAULT_LIMITS);
  let laid = gaps[0] ?? "";
  let index = 1;
  for (let lexeme = lexer.next(); lexeme !== undefined; lexeme = lexer.next()) {
    // At the start of a line "# name" may be an old comment, so the mark of a key stays with its name.
    const gap = lexeme.text === "#" ? "" : ` ${gaps[index++ % gaps.length] ?? ""} `;
    laid += text.slice(lexeme.start, lexeme.end) + gap;
  }
  return laid;
}

function commentTexts(text: string): string[] {
  return read(text)
    .comments.map((one) => one.text)
    .sort();
}
