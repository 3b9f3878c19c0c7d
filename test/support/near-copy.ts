/**
 * A rule with exactly one change: an operator, a constant, a field, a type, a kind (fact, not, exists), or the order of
 * two neighbours. Two such rules share nearly everything, and must not share the rest.
 */
import type { Rule } from "./engine-program.ts";

/** `change` chooses among all changes that the rule allows. */
export function nearCopy(rule: Rule, change: number): Rule {
  const all = changesOf(rule);
  return (all[change % all.length]?.() as Rule | undefined) ?? rule;
}

type Tree = Readonly<Record<string, unknown>>;

/** Makes a changed tree: there are many, and one of them is wanted. */
type Change = () => unknown;

/** Every tree that differs from this one in one place. */
function changesOf(tree: unknown): Change[] {
  if (Array.isArray(tree)) {
    const inside = tree.flatMap((item: unknown, index) =>
      changesOf(item).map(
        (change): Change =>
          () =>
            tree.with(index, change()) as unknown,
      ),
    );
    return [...inside, ...swaps(tree)];
  }
  if (typeof tree !== "object" || tree === null) return [];
  const node = tree as Tree;
  const inside = Object.entries(node).flatMap(([key, child]) =>
    changesOf(child).map((change): Change => () => ({ ...node, [key]: change() })),
  );
  return [
    ...ownChanges(node).map(
      (changed): Change =>
        () =>
          changed,
    ),
    ...inside,
  ];
}

/** Two neighbours change places. */
function swaps(items: readonly unknown[]): Change[] {
  return items.slice(1).map((item, index) => () => items.with(index, item).with(index + 1, items[index]));
}

function ownChanges(node: Tree): unknown[] {
  return [...operatorChanges(node), ...valueChanges(node), ...kindChanges(node)];
}

const COMPARATORS = ["==", "!=", "<", "<=", ">", ">="];

function operatorChanges(node: Tree): unknown[] {
  if (node["is"] === "compare") {
    const ops = node["kind"] === "bool" || node["kind"] === "any" ? ["==", "!="] : COMPARATORS;
    return others(ops, node["op"]).map((op) => ({ ...node, op }));
  }
  if (node["is"] === "same") return others(["==", "!="], node["op"]).map((op) => ({ ...node, op }));
  if (node["is"] === "and" || node["is"] === "or") return [{ ...node, is: node["is"] === "and" ? "or" : "and" }];
  return ["negated", "missing"].flatMap((key) => (key in node ? [{ ...node, [key]: node[key] !== true }] : []));
}

function valueChanges(node: Tree): unknown[] {
  switch (node["is"]) {
    case "constant":
      return otherConstants(node["value"]).map((value) => ({ ...node, value }));
    case "field":
      return [
        ...otherFields(String(node["field"])).map((field) => ({ ...node, field })),
        { ...node, of: Number(node["of"]) + 1 },
        { ...node, via: Number(node["via"]) === 0 ? 1 : 0 },
      ];
    case "slash":
    case "grouped":
      return typeListChanges(node, "types");
    default:
      return "type" in node && node["type"] !== null
        ? others(["A", "B", "C"], node["type"]).map((type) => ({ ...node, type }))
        : [];
  }
}

function typeListChanges(node: Tree, key: string): unknown[] {
  const types = node[key] as readonly unknown[];
  return types.flatMap((one, index) =>
    others(["A", "B", "C"], one).map((type) => ({ ...node, [key]: types.with(index, type) })),
  );
}

function otherConstants(value: unknown): unknown[] {
  if (typeof value === "number") return others([0, 1, 2, 3], value);
  if (typeof value === "string") return others(["a", "b", ""], value);
  return typeof value === "boolean" ? [!value] : [];
}

function otherFields(field: string): string[] {
  const group = [
    ["n", "o", "w.n", "w.v.n"],
    ["s", "k", "w.s"],
  ].find((fields) => fields.includes(field));
  return others(group ?? [], field) as string[];
}

function others(all: readonly unknown[], one: unknown): unknown[] {
  return all.filter((other) => other !== one);
}

/** A fact becomes a `not` and an `exists`, and these become each other. */
function kindChanges(node: Tree): unknown[] {
  if (node["is"] === "absence") return [{ ...node, quantifier: node["quantifier"] === "not" ? "exists" : "not" }];
  if (node["is"] !== "fact") return [];
  return ["not", "exists"].map((quantifier) => ({ is: "absence", quantifier, elements: [node] }));
}
