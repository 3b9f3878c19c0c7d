/**
 * Definitions that are written out where they are used: functions of the program, and conditions. Those that use themselves, and rows
 * of them that are too long, are refused before anything follows them.
 */
import type { Report } from "../../base/diagnostic.ts";
import { LONGEST_CHAIN } from "../../base/limits.ts";
import type { Steps } from "../../base/slices.ts";
import type { Source } from "../../base/source.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import type { ConditionUse, DeclaredCondition } from "./condition-uses.ts";
import type { Declared } from "./names.ts";
import { type ComputedFunction, isComputed, type Symbols } from "./symbols.ts";

/** A definition that is written out where it is used. */
export type Definition = ComputedFunction | ast.ConditionDecl;

/** The names that uses of definitions are resolved by. */
export interface DefinitionNames {
  readonly symbols: Symbols;
  readonly conditionUses: { get(use: ConditionUse): DeclaredCondition | undefined };
}

/** Returns the definition that a node of the tree uses. */
export function definitionUsed(
  { symbols, conditionUses }: DefinitionNames,
  node: object,
): Declared<Definition> | undefined {
  const { kind } = node as { readonly kind?: unknown };
  if (kind !== "call" && kind !== "path") return undefined;
  const condition = conditionUses.get(node as ConditionUse);
  if (condition !== undefined || kind === "path") return condition;
  const called = symbols.functions.get((node as ast.CallExpr).name.name);
  return called !== undefined && isComputed(called.decl) ? { ...called, decl: called.decl } : undefined;
}

/** Returns what is written in place of a use. */
export function partsOf(decl: Definition): readonly unknown[] {
  return decl.kind === "function" ? [decl.body] : [decl.test, decl.evidence];
}

/** Returns the name of a definition for a message: `condition "paid"`. */
export function nameOf(decl: Definition): string {
  return `${decl.kind} "${decl.name.name}"`;
}

/**
 * Reports definitions that use themselves, each cycle once, where it is closed, and the first of a row that is too long. Returns whether
 * there are none. One step for each definition.
 */
export function* checkingDefinitions(
  names: DefinitionNames,
  reportOf: (source: Source) => Report | undefined,
): Steps<boolean> {
  const walk = new ChainWalk(names, reportOf);
  for (const { decl, source, span } of names.symbols.functions.values()) {
    if (isComputed(decl)) walk.visit({ decl, source, span });
    yield;
  }
  for (const declared of names.symbols.conditions.values()) {
    walk.visit(declared);
    yield;
  }
  return !walk.refused;
}

class ChainWalk {
  refused = false;
  readonly #names: DefinitionNames;
  readonly #reportOf: (source: Source) => Report | undefined;
  /** How many definitions in a row each uses at most, itself included. */
  readonly #lengths = new Map<Definition, number>();
  readonly #path: Declared<Definition>[] = [];
  #chainReported = false;

  constructor(names: DefinitionNames, reportOf: (source: Source) => Report | undefined) {
    this.#names = names;
    this.#reportOf = reportOf;
  }

  visit(declared: Declared<Definition>): void {
    const at = this.#path.findIndex(({ decl }) => decl === declared.decl);
    if (at !== -1) return this.#reportCycle([...this.#path.slice(at), declared]);
    if (this.#lengths.has(declared.decl)) return;
    this.#path.push(declared);
    const used = this.#path.length > LONGEST_CHAIN ? [] : this.#usedIn(declared.decl);
    for (const one of used) this.visit(one);
    this.#path.pop();
    const length = 1 + used.reduce((most, { decl }) => Math.max(most, this.#lengths.get(decl) ?? 0), 0);
    this.#lengths.set(declared.decl, length);
    if (this.#path.length < LONGEST_CHAIN && length <= LONGEST_CHAIN) return;
    // One report for each row, not for every definition of it.
    if (!this.#chainReported) this.#reportChain(this.#path[0] ?? declared);
    this.#chainReported = true;
  }

  #usedIn(decl: Definition): Declared<Definition>[] {
    const found = new Map<Definition, Declared<Definition>>();
    forEachNode(partsOf(decl), (node) => {
      const used = definitionUsed(this.#names, node);
      if (used !== undefined) found.set(used.decl, used);
    });
    return [...found.values()];
  }

  #reportChain({ decl, source, span }: Declared<Definition>): void {
    this.refused = true;
    const what = decl.kind === "function" ? "functions" : "conditions and functions";
    const verb = decl.kind === "function" ? "calls" : "uses";
    const message = `${nameOf(decl)} ${verb} more than ${LONGEST_CHAIN} ${what} in a row`;
    const hint = decl.kind === "function" ? "let functions call fewer others" : "let conditions use fewer others";
    this.#reportOf(source)?.error("E301", span, message, hint);
  }

  #reportCycle(cycle: readonly Declared<Definition>[]): void {
    this.refused = true;
    const [first] = cycle;
    if (first === undefined) return;
    const names = cycle.map(({ decl }) => decl.name.name).join(" → ");
    const isFunction = first.decl.kind === "function";
    const message = `${nameOf(first.decl)} ${isFunction ? "calls" : "uses"} itself: ${names}`;
    const hint = isFunction
      ? "a function is one expression without recursion: compute it in rules, or in the host"
      : "move what they share into a condition of its own";
    this.#reportOf(first.source)?.error("E215", first.span, message, hint);
  }
}
