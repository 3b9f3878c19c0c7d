/** Evaluates a requirement that was read from JSON, for one case or for many. */
import { refuseUnknownOptions } from "../base/known-options.ts";
import type { Truth } from "../base/truth.ts";
import { evaluateBitPlanes, LANES, type BitPlanes } from "./bit-planes.ts";
import { codeOf, evaluate, TRUE, UNKNOWN } from "./requirement.ts";
import type { RetRequirement } from "./ret-json.ts";
import type { Logic, Requirement } from "../base/judging.ts";

/** Options of {@link evaluateGate} and {@link evaluateGateColumns}. */
export interface EvaluateOptions {
  /**
   * `kleene`: unknown counts only where it matters. `bochvar`: any unknown part makes the whole unknown. Default:
   * `kleene`.
   */
  readonly logic?: Logic;
}

/**
 * Evaluates a requirement for given condition values, without a program. Returns undefined for unknown.
 *
 * @param values - The value of each condition by name. A condition that is absent, or neither true nor false, is
 *   unknown.
 */
export function evaluateGate(
  requirement: RetRequirement,
  values: Readonly<Record<string, Truth>>,
  options: EvaluateOptions = {},
): Truth {
  const logic = logicOf(options);
  const { tree, names } = numberedTree(requirement);
  const code = evaluate(tree, logic, (leaf) => codeOf(givenValue(values, names[leaf])));
  return code === UNKNOWN ? undefined : code === TRUE;
}

/** Returns the logic that the options choose. */
export function logicOf(options: EvaluateOptions): Logic {
  refuseUnknownOptions(options, { logic: true });
  return options.logic ?? "kleene";
}

/** Returns the value that is given for a condition: anything but true and false is unknown. */
export function givenValue(values: Readonly<Record<string, unknown>>, name: string | undefined): Truth {
  const value = valueOf(values, name);
  return typeof value === "boolean" ? value : undefined;
}

/**
 * Evaluates a requirement for many cases at once, 32 at a time. Each condition has a column with one value per case.
 *
 * @param size - The number of cases.
 *
 * @example
 * ```ts
 * const requirement = gateFromJson('{ "Or": [{ "Condition": "a" }, { "Condition": "b" }] }');
 * evaluateGateColumns(requirement, { a: [true, false, undefined], b: [false, false, false] }, 3); // => [true, false, undefined]
 * ```
 */
export function evaluateGateColumns(
  requirement: RetRequirement,
  columns: Readonly<Record<string, readonly Truth[]>>,
  size: number,
  options: EvaluateOptions = {},
): Truth[] {
  const logic = logicOf(options);
  const { tree, names } = numberedTree(requirement);
  const results: Truth[] = [];
  for (let first = 0; first < size; first += LANES) {
    const lanes = Math.min(LANES, size - first);
    const leaves = names.map((name) => planesOf(valueOf(columns, name) ?? [], first, lanes));
    const { trues, falses } = evaluateBitPlanes(tree, logic, (leaf) => leaves[leaf] ?? NEITHER);
    for (let lane = 0; lane < lanes; lane++) {
      results.push(((trues >>> lane) & 1) === 1 ? true : ((falses >>> lane) & 1) === 1 ? false : undefined);
    }
  }
  return results;
}

const NEITHER: BitPlanes = { trues: 0, falses: 0 };

function planesOf(column: readonly Truth[], first: number, lanes: number): BitPlanes {
  let trues = 0;
  let falses = 0;
  for (let lane = 0; lane < lanes; lane++) {
    const value = column[first + lane];
    if (value === true) trues |= 1 << lane;
    else if (value === false) falses |= 1 << lane;
  }
  return { trues, falses };
}

function valueOf<Item>(of: Readonly<Record<string, Item>>, name: string | undefined): Item | undefined {
  return name !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
}

/** Returns the tree with conditions numbered in the order of `names`; equal names get the same number. */
export function numberedTree(requirement: RetRequirement): {
  readonly tree: Requirement;
  readonly names: readonly string[];
} {
  const numbers = new Map<string, number>();
  const tree = treeOf(requirement, (name) => {
    const leaf = numbers.get(name) ?? numbers.size;
    numbers.set(name, leaf);
    return leaf;
  });
  return { tree, names: [...numbers.keys()] };
}

function treeOf(requirement: RetRequirement, leafOf: (name: string) => number): Requirement {
  const text = "";
  switch (requirement.kind) {
    case "condition":
      return { kind: "leaf", leaf: leafOf(requirement.name), text };
    case "not":
      return { kind: "not", min: 1, items: [treeOf(requirement.item, leafOf)], text };
    default: {
      const items = requirement.items.map((item) => treeOf(item, leafOf));
      const min = requirement.kind === "at least" ? requirement.min : requirement.kind === "all" ? items.length : 1;
      return { kind: requirement.kind, min, items, text };
    }
  }
}
