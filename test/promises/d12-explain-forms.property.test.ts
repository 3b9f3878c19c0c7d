/** D12 for output formats: an explanation that is written can be read again, whatever strings it contains. */
import * as fc from "fast-check";
import { Parser } from "links-notation";
import { expect, test } from "vitest";
import { compile, type Explanation, fromLinks, textTree, toHtml, toLinks } from "../../src/index.ts";
import { quoted, unquoted } from "../../src/explain/show/lino.ts";
import { runs } from "../support/cases.ts";

const awkward = fc.constantFrom(
  '"',
  "'",
  "`",
  "\\",
  "\n",
  "\r",
  "\t",
  '""',
  " ",
  "",
  "\u2028",
  "é",
  "😀",
  "\\n",
  "  ",
  "(",
  ":",
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(awkward, { maxLength: 8 }).map((parts) => parts.join("")),
);

test("any text survives its quotes", () => {
  fc.assert(
    fc.property(text, (value) => {
      const written = quoted(value);
      expect(written).not.toMatch(/[\r\n\t]/u);
      expect(unquoted(written)).toBe(value);
    }),
    { numRuns: runs() },
  );
});

/** Any tree: its texts are arbitrary, ids and depths are as they must be. */
const tree: fc.Arbitrary<Explanation> = fc
  .record({
    root: text,
    shape: fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 3 }),
    texts: fc.array(text, { minLength: 4, maxLength: 4 }),
  })
  .map(({ root, shape, texts }) => {
    const step = (unit_id: string, depth: number, children: readonly Explanation[], method?: string): Explanation => ({
      unit_id,
      depth,
      observation: texts[0] ?? "",
      decision: children.length > 0 ? "decompose" : "direct_method",
      downward_rationale: texts[1] ?? "",
      upward_rationale: texts[2] ?? "",
      ...(method === undefined ? {} : { method }),
      outcome: "unknown",
      children,
    });
    const children = shape.map((methods, index) => {
      const id = `${root}.${index + 1}`;
      return step(
        id,
        1,
        methods.map((method, at) => step(`${id}.${at + 1}`, 2, [], method)),
      );
    });
    return step(root, 0, children);
  });

test("a tree written in Links Notation is read again as it was", () => {
  fc.assert(
    fc.property(tree, (one) => {
      expect(fromLinks(toLinks(one))).toEqual(one);
    }),
    { numRuns: runs(2_000) },
  );
});

test("nothing in Links Notation steers a terminal, and all of it is read again", () => {
  const sly = "a\u001b[2Jb\u0000\u202e\u2028\u{e0001}c\\u{1b}";
  const one: Explanation = { ...LEAF, unit_id: "x\u001b", observation: sly };
  const written = toLinks(one);
  expect(written).toContain('observation "a\\u{1b}[2Jb\\u{0}\\u{202e}\\u{2028}\\u{e0001}c\\\\u{1b}"');
  expect(written).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Zl}/u);
  expect(fromLinks(written)).toEqual(one);
});

test("a text that is no tree is refused", () => {
  expect(() => fromLinks("")).toThrow("this string holds no record");
  expect(() => fromLinks('  unit_id "x"')).toThrow("a record begins with its id");
  expect(() => fromLinks("x\n  unit_id x")).toThrow("a value in quotes was expected");
  expect(() => fromLinks('x\n  unit_id "x"')).toThrow("a record lacks its depth");
  expect(() => fromLinks(toLinks({ ...LEAF, children: [] }).replace("outcome", "child"))).toThrow();
});

const LEAF: Explanation = {
  unit_id: "a",
  depth: 0,
  observation: "p.age is 16",
  decision: "direct_method",
  downward_rationale: "Asked whether p.age > 18.",
  upward_rationale: "p.age is 16, so p.age > 18 does not hold.",
  method: ">",
  outcome: "false",
  children: [],
};

test("an only step that repeats the line above it has no line of its own, and what is below it moves up", () => {
  const leaf = (
    unit_id: string,
    depth: number,
    upward_rationale: string,
    children: Explanation[] = [],
  ): Explanation => {
    const decision = children.length > 0 ? "decompose" : "direct_method";
    return { ...LEAF, unit_id, depth, decision, upward_rationale, children };
  };
  const tests = [leaf("a.1.1.1", 3, "x is 1."), leaf("a.1.1.2", 3, "y is 2.")];
  const root = leaf("a", 0, "No.", [leaf("a.1", 1, "p is P 1; both hold.", [leaf("a.1.1", 2, "both hold.", tests)])]);
  const lines = ["└─ ✗ p is P 1; both hold.", "   ├─ ✗ x is 1.", "   └─ ✗ y is 2."];
  expect(textTree(root)).toBe(["No.", "", ...lines, ""].join("\n"));
  expect(toHtml(root)).not.toContain("<span>both hold.");
  expect(fromLinks(toLinks(root))).toEqual(root);
});

test("the reader of others finds our records, where it can read them", () => {
  const session = compile(
    `type P(#id: string, age: number) P(id: "a", age: 16) rule r { when p: P(age > 18) then log(p.id) }`,
  ).session();
  const written = toLinks(session.whyNot("r"));
  const flat = (links: readonly unknown[]): string[] =>
    links.flatMap((link) => {
      const { id, values } = link as { readonly id: string | null; readonly values: readonly unknown[] };
      return [...(id === null ? [] : [id]), ...flat(values)];
    });
  const words = flat(new Parser().parse(written) as readonly unknown[]);
  for (const word of [
    "r",
    "record_type",
    "reasoning_step",
    "unit_id",
    "decision",
    "decompose",
    "child",
    "r.1",
    "r.1.1",
  ]) {
    expect(words).toContain(word);
  }
});

test("a page is one file that nothing from elsewhere can change", () => {
  fc.assert(
    fc.property(text, (value) => {
      const page = toHtml({
        ...LEAF,
        upward_rationale: value,
        children: [{ ...LEAF, unit_id: "a.1", depth: 1, upward_rationale: `<script>${value}` }],
      });
      expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:/u);
      expect(page.startsWith("<!doctype html>")).toBe(true);
    }),
    { numRuns: runs(500) },
  );
});

test("every operator of a page folds, and what fails is open", () => {
  const session = compile(
    `type P(#id: string, age: number) P(id: "a", age: 16) rule r { when p: P(age > 18 or age < 3) then log(p.id) }`,
  ).session();
  const answer = session.whyNot("r");
  const page = toHtml(answer);
  expect(page.match(/<details open>/gu)?.length).toBe(1);
  expect(page.match(/<li class="leaf"/gu)?.length).toBe(2);
  expect(page).toContain("What would help");
});

test("the tree on a terminal has a line for every step below the headline, however alike several are", () => {
  fc.assert(
    fc.property(tree, (one) => {
      fc.pre(one.children.every(({ children }) => children.length !== 1));
      const steps = one.children.length + one.children.reduce((sum, child) => sum + child.children.length, 0);
      const lines = textTree(one)
        .split("\n")
        .filter((line) => /^[│ ]*[├└]─ /u.test(line));
      expect(lines.length).toBeGreaterThanOrEqual(steps);
    }),
    { numRuns: runs(500) },
  );
});
