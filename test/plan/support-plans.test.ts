/** Tests which facts the logical facts of a rule depend on without being named by its matches, as the plan lists them. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { circlesOf } from "../../src/plan/read/circles.ts";
import { finish } from "../../src/base/slices.ts";
import { supportPlans } from "../../src/plan/read/support-plans.ts";
import { compile } from "../../src/index.ts";
import { runs } from "../support/cases.ts";

const TYPES = "type P(#k: number, d: D?) type X(#k: number) type D(#k: number) type E(#k: number)";

/** What the rule needs and minds, for the first of some rules. */
function unnamed(...rules: readonly string[]): { needs: string[]; minds: string[] } | undefined {
  const source = rules.map((rule, index) => `rule r${index} { when ${rule} }`).join("\n");
  const found = finish(supportPlans(compile(`${TYPES}\n${source}`).plan(true))).get("r0")?.unnamed;
  return found === undefined ? undefined : { needs: [...found.needs].sort(), minds: [...found.minds].sort() };
}

const INSERT = "then insert logical D(k: p.k)";

test.each([
  ["patterns", `p: P d: D(k == p.k) ${INSERT}`],
  ["an absence", `p: P not D(k == p.k) ${INSERT}`],
  ["an absence of two facts", `p: P not (x: X e: E(k == x.k)) ${INSERT}`],
  ["an exists over facts that are given", `p: P exists X(k == p.k) ${INSERT}`],
  ["a count over facts that are given", `p: P n: count() from X(k == p.k) where n > 1 ${INSERT}`],
])("%s rests on nothing unnamed that can depend on it", (_, rule) => {
  expect(unnamed(rule)).toBeUndefined();
});

test.each([
  ["an exists", `p: P exists D(k > p.k) ${INSERT}`, ["D"], []],
  ["a not inside", `p: P exists (d: D not X(k == d.k)) ${INSERT}`, ["D"], ["X"]],
  ["a double negation", `p: P not (x: X not D(k == x.k)) ${INSERT}`, ["D"], ["X"]],
  ["three deep", `p: P exists (d: D not (x: X not E(k == x.k))) ${INSERT}`, ["D", "E"], ["X"]],
  ["a count", `p: P where COUNT(d: D / d.k > p.k) > 1 ${INSERT}`, ["D"], []],
  ["a count inside", `p: P exists (d: D where COUNT(x: X / x.k == d.k) < 2) ${INSERT}`, ["D", "X"], ["X"]],
  ["an alternative", `p: P, (not X(k == p.k) or exists D(k == p.k)) ${INSERT}`, ["D"], ["X"]],
  ["a reference", `p: P(p.d.k > 1) ${INSERT}`, ["D"], []],
])("%s names what it needs and what it minds", (_, rule, needs, minds) => {
  expect(unnamed(rule)).toEqual({ needs, minds });
});

test("an exists matters as soon as another rule closes the circle", () => {
  const rule = `p: P exists E(k == p.k) ${INSERT}`;
  expect(unnamed(rule)).toBeUndefined();
  expect(unnamed(rule, "d: D then insert logical E(k: d.k)")).toEqual({ needs: ["E"], minds: [] });
});

test("members of a graph have one number exactly when they reach each other, and edges never lead down", () => {
  const name = fc.constantFrom(..."abcdefgh");
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name), { maxLength: 20 }), (edges) => {
      const graph = new Map([..."abcdefgh"].map((member) => [member, new Set<string>()]));
      for (const [from, to] of edges) graph.get(from)?.add(to);
      const numbers = circlesOf(graph);
      for (const from of graph.keys()) {
        for (const to of graph.keys()) {
          const both = reaches(graph, from, to) && reaches(graph, to, from);
          expect(numbers.get(from) === numbers.get(to)).toBe(both);
        }
      }
      for (const [from, to] of edges) expect(numbers.get(from)).toBeLessThanOrEqual(numbers.get(to) ?? -1);
    }),
    { numRuns: runs(2000) },
  );
});

function reaches(graph: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const member of seen) for (const next of graph.get(member) ?? []) seen.add(next);
  return seen.has(to);
}
