/**
 * Tests whole programs, from the documents, the examples and this file: the engine and the naive matcher find the same matches.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, type RuleSession, RunLimitError } from "../../src/index.ts";
import { engineTexts, naiveTexts } from "../support/rig.ts";

/** What the naive matcher finds in the facts that the session has now. */
function expectAgreement(session: RuleSession): void {
  const { checked } = session.program;
  const facts = session.facts().map((fact, order) => ({ ...fact, order }));
  const naive = naiveTexts(checked, { facts });
  expect(engineTexts(session, enabled(session, naive.keys()))).toEqual(
    new Map([...naive].filter(([rule]) => isEnabled(session, rule))),
  );
}

function enabled(session: RuleSession, rules: Iterable<string>): string[] {
  return [...rules].filter((rule) => isEnabled(session, rule));
}

function isEnabled(session: RuleSession, rule: string): boolean {
  const attributes = session.program.checked.symbols.rules.get(rule)?.decl.attributes ?? [];
  return attributes.every((attribute) => attribute.kind !== "disabled");
}

/** Before anything fires, and when all has. */
function agrees(source: string, read?: (file: string) => string): void {
  const session = compile(source, { file: "program.tsd", ...(read === undefined ? {} : { read }) }).session({
    missingFunctions: "unknown",
  });
  expectAgreement(session);
  try {
    session.run({ limit: 200 });
  } catch (error) {
    if (!(error instanceof RunLimitError)) throw error;
  }
  expectAgreement(session);
}

describe("the programs of the documents", () => {
  const text = readFileSync("docs/language.md", "utf8");
  const blocks = [...text.matchAll(/^```tsd(?: legacy)?\n(.*?)^```$/gmsu)].map((found) => found[1] ?? "");
  test.each(blocks)("%#", (block) => agrees(block));
});

describe("the examples", () => {
  const files = readdirSync("examples", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsd"));
  test.each(files)("%s", (file) => {
    agrees(readFileSync(join("examples", file), "utf8"), (path) =>
      readFileSync(join("examples", file, "..", path), "utf8"),
    );
  });
});

describe("programs written for this", () => {
  test.each([
    [
      "names of facts and lists",
      `type P(#id: string, boss: P?, n: number)
       type Q(who: P, tag: string)
       list good = [1, 2, "x"]
       list tags = [red, "blue"]
       a = P("a b", null, 1)
       b = P(id: "b_c~d%", boss: a, n: 2)
       first = Q(who: b, tag: red)
       Q(who: a, tag: green)
       rule boss { when p: P(boss == a) then log(p) }
       rule listed { when p: P(n in good) then log(p) }
       rule tagged { when q: Q(tag not in tags) then log(q) }
       rule named { when q: Q where q == first then log(q) }
       rule followed { when q: Q(who.boss.n == a.n) then log(q) }`,
    ],
    [
      "names that are fields and variables",
      `type E(k: number, n: number)
       E(k: 1, n: 1) E(k: 1, n: 2) E(k: 2, n: 3)
       rule counted : {e: E} / COUNT(f: E / f.n > 1) == 2 AND e.k == 1 ==> log(e)
       rule twice : {e: E} / EXISTS(f: E / f.k == e.k AND f.n > e.n AND COUNT(g: E / g.k == f.k) > 1) ==> log(e)
       rule own { when n: E E(n == 2) then log(n) }
       rule mixed { when k: E(k.k == 1) e: E(k == k.k) then log(e) }`,
    ],
    [
      "texts that are followed as references in an open program",
      `P(name: "x", of: "P~@2") P(name: "y", of: "P~@1") P(name: "z", of: 3) P(name: "w", of: {name: "inner"})
       rule r { when p: P(of.name == "x" or of.name == "inner") then log(p) }
       rule s { when p: P q: P(q.of == p) then log(q) }
       rule t { when p: P q: P(q.of.of.name == p.name) then log(q) }`,
    ],
    [
      "elements inside elements",
      `A(n: 1) A(n: 2) B(n: 1) B(n: 3) C(n: 1)
       rule nested { when a: A(not exists B(n == a.n)) then log(a) }
       rule absent { when not (a: A not (b: B(n == a.n) exists C(n == b.n))) then log(1) }
       rule counted { when n: count() from A(n > 0) b: B(b.n > n) then log(n, b) }
       rule grouped { when (a: A m: sum(b.n) from b: B(b.n >= a.n) where m > 2 or a: A(n == 1) m: count() from B()) then log(a, m) }
       rule every { when forall (a: A(a.n > 1) : not exists B(n == a.n)) then log(1) }
       rule empty { when then log("always") }`,
    ],
    [
      "rules that are disabled or removed",
      `A(n: 1)
       rule off disabled { when a: A() then log(1) }
       rule gone { when a: A() then log(1) }
       remove rule gone
       rule gone { when a: A(n == 2) then log(1) }`,
    ],
    [
      "aggregates with names",
      `D(k: 1) D(k: 2) D(k: 3) E(d: 1, n: 1) E(d: 1, n: 2) E(d: 2, n: 3) E(d: 2)
       rule both : {d: D, m: SUM(e.n), n: COUNT(e), l: COLLECT(e.n)} / {e: E} / e.d == d.k AND n > 0 ==> log(d, m, l)
       rule two : {d: D, n: COUNT(e)} / {e: E, f: E} / e.d == d.k AND f.d == d.k AND (n > 1 OR d.k > 2) ==> log(d, n)
       rule none : {d: D, m: MAX(e.n)} / {e: E} / e.d == d.k ==> log(d, m)
       rule inside : {d: D} / MAX(e: E / e.d == d.k ; e.n) is missing ==> log(d)`,
    ],
  ])("%s", (_, source) => agrees(source));
});
