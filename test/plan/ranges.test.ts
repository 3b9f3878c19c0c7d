/** Tests which tests of a pattern become bounds by which facts are found in order, and which do not. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";
import { canonicalText } from "../../src/plan/read/canonical.ts";
import type { JoinPlan } from "../../src/plan/plan.ts";

const TYPES = `type A(#id: string, k: number, lo: number?, hi: number?, s: string, x: any?, at: instant, day: date)
record W(n: number)
type B(#id: string, k: number, v: number?, w: number?, s: string, x: any?, at: instant, day: date, r: W)
`;

/** Returns the bounds of a pattern of type B after one of type A, the field first. */
function rangeOf(tests: string): string {
  const program = compile(`${TYPES}rule r { when a: A b: B(${tests}) then log(b.id) }`, {
    functions: { f: { params: [{ name: "x", type: { kind: "number" }, optional: true }], result: { kind: "number" } } },
  });
  const joins = program.network().nodes.filter((node): node is JoinPlan => node.kind === "join" && node.type === "B");
  const range = joins[0]?.range;
  if (range === undefined) return "none";
  const { field, from, to } = range;
  const lower = from === undefined ? "" : ` ${from.excluded ? ">" : ">="} ${canonicalText(from.value)}`;
  const upper = to === undefined ? "" : ` ${to.excluded ? "<" : "<="} ${canonicalText(to.value)}`;
  return `${canonicalText(field)}${lower}${upper}`;
}

test.each([
  ["one bound", "v > a.lo", "$2.v > $1.lo"],
  ["written the other way round", "a.lo <= v", "$2.v >= $1.lo"],
  ["beside a key", "k == a.k, v <= a.hi", "$2.v <= $1.hi"],
  ["two bounds", "v >= a.lo, v < a.hi", "$2.v >= $1.lo < $1.hi"],
  ["a range", "v in [a.lo..a.hi)", "$2.v >= $1.lo < $1.hi"],
  ["the field with two bounds", "s > a.s, v >= a.lo, v < a.hi", "$2.v >= $1.lo < $1.hi"],
  ["sums of numbers", "v < a.lo + 5", "$2.v < ($1.lo + 5)"],
  ["strings and values of any kind", "x <= a.x", "$2.x <= $1.x"],
  ["a field of a record", "r.n > a.lo", /n.* > \$1\.lo/u],
  ["a date in a window", "day >= a.day, day <= a.day + 3 days", /^\$2\.day >= \$1\.day <= .*\$1\.day/u],
  ["an instant in a window", "at >= a.at, at - a.at <= 1 h", /^\$2\.at >= \$1\.at <= .*\$1\.at/u],
  ["an instant before another", "at <= a.at, a.at - at <= 1 h", /^\$2\.at >= .*\$1\.at.* <= \$1\.at/u],
] as const)("%s", (_, tests, range) => {
  if (typeof range === "string") expect(rangeOf(tests)).toBe(range);
  else expect(rangeOf(tests)).toMatch(range);
});

test.each([
  ["a constant, which is tested before the join", "v > 3"],
  ["an equality", "v == a.lo"],
  ["a difference", "v != a.lo"],
  ["arithmetic on the field itself", "v * 2 > a.lo"],
  ["two fields of the same fact", "v > w, k != a.k"],
  ["a call, which may fail", "v > f(a.lo)"],
  ["a call elsewhere in the pattern", "v > a.lo, f(w) > a.hi"],
  ["a division, which may be by zero", "v > a.lo / a.hi"],
  ["a division elsewhere in the pattern", "v > a.lo, w % a.k > 1"],
  ["strings that are joined, which may be too long", 's > a.s + "x"'],
  ["a sum of values of any kind", "v > a.lo + a.x"],
  ["an or", "v > a.lo or w > a.lo"],
] as const)("no bound: %s", (_, tests) => {
  expect(rangeOf(tests)).toBe("none");
});
