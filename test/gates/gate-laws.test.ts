/** Tests the truth tables and laws of three-valued logic, for all assignments and, where stated, for all trees. */
import { describe, expect, test } from "vitest";
import { compile, evaluateGate, evaluateGateColumns, type RetRequirement } from "../../src/index.ts";

type Truth = boolean | undefined;
type Logic = "kleene" | "bochvar";
const VALUES: readonly Truth[] = [true, false, undefined];
const LOGICS: readonly Logic[] = ["kleene", "bochvar"];
const LETTERS: Readonly<Record<string, Truth>> = { T: true, F: false, U: undefined };

const a: RetRequirement = { kind: "condition", name: "a" };
const b: RetRequirement = { kind: "condition", name: "b" };
const c: RetRequirement = { kind: "condition", name: "c" };
const and = (...items: RetRequirement[]): RetRequirement => ({ kind: "all", items });
const or = (...items: RetRequirement[]): RetRequirement => ({ kind: "any", items });
const not = (item: RetRequirement): RetRequirement => ({ kind: "not", item });
const least = (min: number, ...items: RetRequirement[]): RetRequirement => ({ kind: "at least", min, items });

/** Every assignment of n leaves. */
function assignments(n: number): Truth[][] {
  return n === 0 ? [[]] : assignments(n - 1).flatMap((rest) => VALUES.map((value) => [...rest, value]));
}

function named(values: readonly Truth[]): Record<string, Truth> {
  return Object.fromEntries(values.map((value, index) => ["abcdef"[index] ?? "", value]));
}

describe("the tables", () => {
  const rows = ["TTTTTT", "TFFTFT", "TUUTUU", "FFFFFF", "FUFUUU", "UUUUUU"];
  test.each(rows)("%s: a, b, Kleene and, or, Bochvar and, or", (row) => {
    const [x, y, ...results] = [...row].map((letter) => LETTERS[letter]);
    for (const values of [named([x, y]), named([y, x])]) {
      const found = LOGICS.flatMap((logic) => [and(a, b), or(a, b)].map((one) => evaluateGate(one, values, { logic })));
      expect(found).toEqual(results);
    }
  });

  test("not", () => {
    for (const logic of LOGICS) {
      expect(VALUES.map((value) => evaluateGate(not(a), { a: value }, { logic }))).toEqual([false, true, undefined]);
    }
  });

  test.each(["TTF2T", "TUU2U", "TFF2F", "TTU2T", "FFF2F", "UUU2U"])("quorum %s", (row) => {
    const [x, y, z, min, result] = [...row];
    const values = named([x, y, z].map((letter) => LETTERS[letter ?? "U"]));
    const found = evaluateGate(least(Number(min), a, b, c), values);
    expect(found).toBe(LETTERS[result ?? "U"]);
    const strict = evaluateGate(least(Number(min), a, b, c), values, { logic: "bochvar" });
    expect(strict).toBe(Object.values(values).includes(undefined) ? undefined : found);
  });
});

describe("the laws, over 27 assignments", () => {
  const same = (left: RetRequirement, right: RetRequirement, logics: readonly Logic[] = LOGICS): void => {
    for (const logic of logics) {
      for (const values of assignments(3).map(named)) {
        expect(evaluateGate(left, values, { logic })).toBe(evaluateGate(right, values, { logic }));
      }
    }
  };

  test("De Morgan", () => {
    same(not(and(a, b)), or(not(a), not(b)));
    same(not(or(a, b)), and(not(a), not(b)));
  });

  test("double negation, commutation, association", () => {
    same(not(not(a)), a);
    same(and(a, b), and(b, a));
    same(or(a, b), or(b, a));
    same(and(a, and(b, c)), and(a, b, c));
    same(or(a, or(b, c)), or(a, b, c));
  });

  test("absorption holds for Kleene", () => {
    same(and(a, or(a, b)), a, ["kleene"]);
    same(or(a, and(a, b)), a, ["kleene"]);
  });

  test("distribution", () => {
    same(and(a, or(b, c)), or(and(a, b), and(a, c)));
    same(or(a, and(b, c)), and(or(a, b), or(a, c)));
  });

  test("the excluded middle fails at unknown", () => {
    expect(VALUES.map((value) => evaluateGate(or(a, not(a)), { a: value }))).toEqual([true, true, undefined]);
  });

  test("any is at least 1, all is at least as many as there are", () => {
    same(or(a, b, c), least(1, a, b, c));
    same(and(a, b, c), least(3, a, b, c));
  });
});

/** Every tree with n leaves: every shape, with every operator at every place; leaves are named in order. */
function trees(n: number): RetRequirement[] {
  return shapes(n).flatMap((shape) => spellings(shape, 0));
}

type Shape = { readonly parts: readonly Shape[] };

function shapes(n: number): Shape[] {
  if (n === 1) return [{ parts: [] }];
  return splits(n).flatMap((sizes) => products(sizes.map(shapes)).map((parts) => ({ parts })));
}

function splits(n: number): number[][] {
  const all = (left: number): number[][] =>
    left === 0
      ? [[]]
      : Array.from({ length: left }, (_, k) => k + 1).flatMap((k) => all(left - k).map((rest) => [k, ...rest]));
  return all(n).filter((sizes) => sizes.length > 1);
}

function products<Item>(lists: readonly (readonly Item[])[]): Item[][] {
  return lists.reduce<Item[][]>((found, list) => found.flatMap((rest) => list.map((item) => [...rest, item])), [[]]);
}

/** With leaves from the given one on. A quorum of two parts is one of the others, so it is not spelt. */
function spellings(shape: Shape, first: number): RetRequirement[] {
  if (shape.parts.length === 0) return [{ kind: "condition", name: "abcdef"[first] ?? "a" }];
  let next = first;
  const parts = shape.parts.map((part) => {
    const spelt = spellings(part, next);
    next += leavesIn(part);
    return spelt;
  });
  return products(parts).flatMap((items) => [
    and(...items),
    or(...items),
    not(and(...items)),
    ...(items.length > 2 ? [least(2, ...items)] : []),
  ]);
}

function leavesIn({ parts }: Shape): number {
  return parts.length === 0 ? 1 : parts.reduce((sum, part) => sum + leavesIn(part), 0);
}

test("information order: a U that becomes T or F never changes a T or F above, for all trees with up to 6 leaves", () => {
  for (let n = 1; n <= 6; n++) {
    const rows = assignments(n);
    const index = new Map(rows.map((row, at) => [JSON.stringify(row.map(code)), at]));
    const columns = Object.fromEntries(
      Array.from({ length: n }, (_, at) => ["abcdef"[at] ?? "", rows.map((row) => row[at])]),
    );
    const finer = rows.map((row) =>
      row.flatMap((value, at) =>
        value === undefined
          ? [true, false].map((known) => index.get(JSON.stringify(row.with(at, known).map(code))) ?? 0)
          : [],
      ),
    );
    for (const tree of trees(n)) {
      for (const logic of LOGICS) {
        const found = evaluateGateColumns(tree, columns, rows.length, { logic });
        const broken = found.findIndex(
          (value, at) => value !== undefined && finer[at]?.some((one) => found[one] !== value),
        );
        expect(broken, JSON.stringify(tree)).toBe(-1);
      }
    }
  }
});

function code(value: Truth): number {
  return value === undefined ? 2 : Number(value);
}

test("two bit planes give what one value at a time gives, for all assignments of all trees with up to 4 leaves", () => {
  for (let n = 1; n <= 4; n++) {
    const rows = assignments(n);
    const columns = Object.fromEntries(
      Array.from({ length: n }, (_, at) => ["abcdef"[at] ?? "", rows.map((row) => row[at])]),
    );
    for (const tree of trees(n)) {
      for (const logic of LOGICS) {
        const one = rows.map((row) => evaluateGate(tree, named(row), { logic }));
        expect(evaluateGateColumns(tree, columns, rows.length, { logic })).toEqual(one);
      }
    }
  }
});

test("quorums of every size over every number of true and unknown parts, through facts and by themselves", () => {
  const session = compile(`type V(#id: number, ok: bool?)
    condition ok(n: number) : v.ok from v: V(v.id == n)
    ${[1, 2, 3, 4].map((min) => `gate "k${min}" { require at least ${min} of (ok(0), ok(1), ok(2), ok(3)) }`).join("\n")}
    ${[1, 2, 3, 4].map((min) => `gate "b${min}" { logic bochvar require at least ${min} of (ok(0), ok(1), ok(2), ok(3)) }`).join("\n")}`).session();
  for (let id = 0; id < 4; id++) session.assert("V", { id });
  for (const row of assignments(4)) {
    session.batch(() => {
      for (const [id, ok] of row.entries()) session.update(`V~${id}`, { ok: ok ?? null });
    });
    const trues = row.filter((value) => value === true).length;
    const unknowns = row.filter((value) => value === undefined).length;
    for (const min of [1, 2, 3, 4]) {
      const kleene = trues >= min ? "pass" : trues + unknowns < min ? "fail" : "hold";
      expect(session.gate(`k${min}`).outcome).toBe(kleene);
      expect(session.gate(`b${min}`).outcome).toBe(unknowns > 0 ? "hold" : kleene);
    }
  }
});
