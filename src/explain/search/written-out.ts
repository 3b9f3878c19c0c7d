/**
 * Tests with the expressions of functions in place of their calls, for the search: what could be changed is a field that the
 * expression reads. Explanations show the call itself.
 */
import type * as ast from "../../language/ast.ts";
import type { ConditionUse } from "../../language/check/condition-uses.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import type { ComputedFunction } from "../../language/check/symbols.ts";
import { computedCall } from "../read/calls.ts";

const known = new WeakMap<object, object>();

/** Returns a part of the tree with every call of a function of the program written out; the same object where there is none. */
export function writtenOut<Node extends object>(part: Node, program: CheckedProgram): Node {
  if (program.symbols.functions.isEmpty) return part;
  const before = known.get(part);
  if (before !== undefined) return before as Node;
  const written = new Writer(program).written(part, NOTHING);
  known.set(part, written);
  return written;
}

type Passed = ReadonlyMap<string, ast.Value | null>;

const NOTHING: Passed = new Map();

/** A field of a value that is computed cannot be written as a path: its call stays. */
class NoPath extends Error {}

class Writer {
  readonly #program: CheckedProgram;

  constructor(program: CheckedProgram) {
    this.#program = program;
  }

  /** Returns a node in which parameters stand for what is passed. */
  written<Node>(node: Node, passed: Passed): Node {
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) {
      const items = node.map((item: unknown) => this.written(item, passed));
      return items.some((item, at) => item !== node[at]) ? (items as Node) : node;
    }
    const expr = node as unknown as ast.Expr;
    if (expr.kind === "path") return this.#path(expr, passed) as Node;
    const computed = computedCall(this.#program, expr);
    if (computed !== undefined) return this.#call(expr as ast.CallExpr, computed, passed) as Node;
    return this.#copy(node, passed);
  }

  #copy<Node extends object>(node: Node, passed: Passed): Node {
    const changed = Object.entries(node).flatMap(([key, child]: [string, unknown]) => {
      const written = key === "span" ? child : this.written(child, passed);
      return written === child ? [] : [[key, written] as const];
    });
    if (changed.length === 0) return node;
    const copy = { ...node, ...Object.fromEntries(changed) };
    this.#carry(node, copy);
    this.#carryTable(node, copy, passed);
    return copy;
  }

  #call(call: ast.CallExpr, { params, body }: ComputedFunction, passed: Passed): ast.Expr {
    const args = this.written(call.args, passed);
    try {
      return this.written(body, new Map(params.map(({ name, default: other }, at) => [name.name, args[at] ?? other])));
    } catch (error) {
      if (!(error instanceof NoPath)) throw error;
      return args === call.args ? call : { ...call, args };
    }
  }

  #path(path: ast.PathExpr, passed: Passed): ast.Value {
    const isPassed = this.#program.resolutions.get(path) === "variable" && passed.has(path.root.name);
    const value = isPassed ? passed.get(path.root.name) : undefined;
    if (value === undefined) return path;
    const { resolutions } = notesOf(this.#program);
    if (value === null) {
      const nothing = { ...path };
      resolutions.set(nothing, "null");
      return nothing;
    }
    if (path.fields.length === 0) return value;
    if (value.kind !== "path") throw new NoPath();
    const longer = { ...value, fields: [...value.fields, ...path.fields] };
    const resolution = this.#program.resolutions.get(value);
    if (resolution !== undefined) resolutions.set(longer, resolution);
    this.#carry(path, longer);
    return longer;
  }

  /** Notes of a copy of a table's call what the table is asked there. */
  #carryTable(from: object, to: object, passed: Passed): void {
    const { uses } = notesOf(this.#program).tables;
    const use = uses.get(from as ast.CallExpr);
    if (use === undefined) return;
    const inputs = this.written(use.inputs, passed);
    uses.set(to as ast.CallExpr, { ...use, inputs, computed: this.written(use.computed, passed) });
  }

  /** Notes of a copy what the checker noted of the node. */
  #carry(from: object, to: object): void {
    const { conditionUses, times } = notesOf(this.#program);
    const condition = conditionUses.get(from as ConditionUse);
    if (condition !== undefined) conditionUses.set(to as ConditionUse, condition);
    const type = times.types.get(from as ast.Expr);
    if (type !== undefined) times.types.set(to as ast.Expr, type);
    const operators = times.operators.get(from as ast.ChainExpr);
    if (operators !== undefined) times.operators.set(to as ast.ChainExpr, operators);
  }
}

/** What the checker notes of nodes, of which copies get the same notes. */
interface Notes {
  readonly resolutions: Map<
    ast.PathExpr,
    CheckedProgram["resolutions"] extends ReadonlyMap<unknown, infer R> ? R : never
  >;
  readonly conditionUses: Map<
    ConditionUse,
    CheckedProgram["conditionUses"] extends ReadonlyMap<unknown, infer C> ? C : never
  >;
  readonly times: CheckedProgram["times"];
  readonly tables: CheckedProgram["tables"];
}

function notesOf(program: CheckedProgram): Notes {
  return program as unknown as Notes;
}
