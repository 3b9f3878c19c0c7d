/**
 * What a statement grows to when everything that it uses by name is written out in its place: functions, conditions, decision tables,
 * and the names that `let` gives. The planner, explanations and the brute-force matcher all do that, so the growth is limited here, once.
 */
import type { Report } from "../../base/diagnostic.ts";
import type * as ast from "../ast.ts";
import { forEachNode, partsIn } from "../walk.ts";
import { type Definition, definitionUsed, type DefinitionNames, nameOf, partsOf } from "./definitions.ts";
import { inlinedElements, SPLIT_HINT } from "./lets.ts";
import type { TableUse } from "./table-uses.ts";

/** The most parts that one statement grows by: room for a gate with 1,000 requirements that each use a condition. */
const MOST_IN_STATEMENT = 100_000;
/** The most parts that are inside each other. */
const DEEPEST = 1_000;
/** The most parts that are added to all statements of a program together. */
const MOST_IN_PROGRAM = 2_000_000;

/** The number of parts: some of its own, and each parameter so many times; and how deep they are. */
interface Size {
  own: number;
  depth: number;
  readonly uses: Map<string, { count: number; depth: number }>;
}

/** The names of a program, as the checker has resolved them. */
export interface WrittenOutNames extends DefinitionNames {
  readonly tableUses: { get(call: ast.CallExpr): TableUse | undefined };
}

/** Measures statements with all that they use written out. No definition may use itself. */
export class WrittenOut {
  readonly #names: WrittenOutNames;
  readonly #definitions = new Map<Definition, Size>();
  readonly #parts = new WeakMap<object, Size>();
  /** The definitions that are too large; what uses them is not reported again. */
  readonly #refused = new Set<Definition>();
  #added = 0;

  constructor(names: WrittenOutNames) {
    this.#names = names;
  }

  /** Reports a statement that grows too large or too deep, given as it is written and as it was checked. Returns whether it does not. */
  check(written: ast.Declaration, checked: ast.Declaration, report: Report): boolean {
    if (checked === written && !this.#uses(checked)) return true;
    const definition = definitionOf(checked);
    const { own, depth } = definition === undefined ? this.#sizeOf(checked, NOTHING) : this.#whole(definition);
    const fault = this.#fault(own - partsIn(written), depth, definition !== undefined);
    if (fault === undefined) return true;
    if (definition !== undefined) this.#refused.add(definition);
    if (!this.#usesRefused(checked, definition)) {
      report.error(fault.code, written.span, `${nameIn(written)} ${fault.what}`, SPLIT_HINT);
    }
    return false;
  }

  /** Returns whether a statement uses something that is written out. */
  #uses(decl: ast.Declaration): boolean {
    if (decl.kind === "fact" || decl.kind === "type") return false;
    let found = false;
    forEachNode(decl, (node) => {
      found ||= definitionUsed(this.#names, node) !== undefined || node["kind"] === "let";
      found ||= node["kind"] === "call" && this.#names.tableUses.get(node as unknown as ast.CallExpr) !== undefined;
    });
    return found;
  }

  #fault(
    added: number,
    depth: number,
    isDefinition: boolean,
  ): { readonly code: "E301" | "E307"; readonly what: string } | undefined {
    const when = "when all that it uses is written out";
    if (added > MOST_IN_STATEMENT)
      return { code: "E307", what: `grows by more than ${MOST_IN_STATEMENT} parts ${when}` };
    if (depth > DEEPEST) return { code: "E301", what: `is nested more than ${DEEPEST} levels deep ${when}` };
    if (isDefinition) return undefined;
    const before = this.#added;
    this.#added += Math.max(0, added);
    if (before > MOST_IN_PROGRAM || this.#added <= MOST_IN_PROGRAM) return undefined;
    const what = `is the one with which this program has more than ${MOST_IN_PROGRAM} parts ${when}`;
    return { code: "E307", what };
  }

  #usesRefused(checked: ast.Declaration, itself: Definition | undefined): boolean {
    if (this.#refused.size === (itself === undefined ? 0 : 1)) return false;
    let found = false;
    forEachNode(itself === undefined ? checked : partsOf(itself), (node) => {
      const used = definitionUsed(this.#names, node)?.decl;
      found ||= used !== undefined && used !== itself && this.#refused.has(used);
    });
    return found;
  }

  /** Returns the size of a definition whose parameters stand for themselves. */
  #whole(decl: Definition): Pick<Size, "own" | "depth"> {
    const { own, depth, uses } = this.#definition(decl);
    const params = [...uses.values()];
    return {
      own: params.reduce((sum, { count }) => sum + count, own),
      depth: params.reduce((most, param) => Math.max(most, param.depth), depth),
    };
  }

  #definition(decl: Definition): Size {
    const known = this.#definitions.get(decl);
    if (known !== undefined) return known;
    const size: Size = { own: 0, depth: 0, uses: new Map() };
    const params = new Set(decl.params.map(({ name }) => name.name));
    for (const part of partsOf(decl)) add(size, this.#sizeOf(part, params), { count: 1, depth: 0 });
    this.#definitions.set(decl, size);
    return size;
  }

  /** Returns the size of a part of the tree; `params` are the names that stand for something else. */
  #sizeOf(node: unknown, params: ReadonlySet<string>): Size {
    if (typeof node !== "object" || node === null) return { own: 0, depth: 0, uses: new Map() };
    const known = this.#parts.get(node);
    if (known !== undefined) return known;
    const size: Size = { own: 1, depth: 1, uses: new Map() };
    const used = definitionUsed(this.#names, node)?.decl;
    const { kind } = node as { readonly kind?: unknown };
    const table = kind === "call" ? this.#names.tableUses.get(node as ast.CallExpr) : undefined;
    if (used !== undefined) this.#addUse(size, kind === "call" ? (node as ast.CallExpr).args : [], used, params);
    else if (table !== undefined) {
      add(size, this.#sizeOf(table.inputs, params), ONCE);
      add(size, this.#sizeOf(table.computed, params), ONCE);
    } else if (kind === "path" && params.has((node as ast.PathExpr).root.name)) {
      size.uses.set((node as ast.PathExpr).root.name, { count: 1, depth: 1 });
    } else this.#addChildren(size, node, params);
    this.#parts.set(node, size);
    return size;
  }

  #addChildren(size: Size, node: object, params: ReadonlySet<string>): void {
    const children = Array.isArray(node) ? inlinedElements(node as ast.Element[]) : node;
    for (const key in children) {
      if (key !== "span") add(size, this.#sizeOf((children as Record<string, unknown>)[key], params), ONCE);
    }
  }

  #addUse(size: Size, args: readonly ast.Value[], used: Definition, params: ReadonlySet<string>): void {
    const body = this.#definition(used);
    size.own += body.own;
    size.depth += body.depth;
    for (const [index, param] of used.params.entries()) {
      const use = body.uses.get(param.name.name);
      if (use !== undefined) add(size, this.#sizeOf(args[index] ?? param.default, params), use);
    }
  }
}

const NOTHING: ReadonlySet<string> = new Set();
const ONCE = { count: 1, depth: 1 } as const;

function definitionOf(decl: ast.Declaration): Definition | undefined {
  if (decl.kind === "condition") return decl;
  return decl.kind === "function" && decl.body !== null ? (decl as Definition) : undefined;
}

/** Returns the name of a statement for a message: `rule "discount"`. */
function nameIn(decl: ast.Declaration): string {
  const definition = definitionOf(decl);
  if (definition !== undefined) return nameOf(definition);
  const hasName = "name" in decl && decl.name !== null && "name" in decl.name;
  return hasName ? `${decl.kind} "${decl.name.name}"` : "this statement";
}

/** Adds a part that occurs `count` times, at most `depth` levels below. */
function add(size: Size, part: Size, { count, depth }: { readonly count: number; readonly depth: number }): void {
  size.own += part.own * count;
  size.depth = Math.max(size.depth, part.depth + depth);
  for (const [name, use] of part.uses) {
    const before = size.uses.get(name) ?? { count: 0, depth: 0 };
    size.uses.set(name, {
      count: before.count + use.count * count,
      depth: Math.max(before.depth, use.depth + depth),
    });
  }
}
