/**
 * Functions of the program that call each other: recursion, and what a statement grows to when every call is written out, which
 * the planner does.
 */
import type { Report } from "../../base/diagnostic.ts";
import type { Steps } from "../../base/slices.ts";
import type { Source } from "../../base/source.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import { inlinedElements } from "./lets.ts";
import { type ComputedFunction, type Declared, isComputed, type Symbols } from "./symbols.ts";

/** Returns the computed functions that a part of the tree calls, in written order. */
function calledIn(symbols: Symbols, part: unknown): Declared<ast.FunctionDecl>[] {
  const found: Declared<ast.FunctionDecl>[] = [];
  forEachNode(part, (node) => {
    if (node["kind"] !== "call") return;
    const called = symbols.functions.get((node as unknown as ast.CallExpr).name.name);
    if (called !== undefined && isComputed(called.decl)) found.push(called);
  });
  return found;
}

/** The most functions that call each other in a row. */
const LONGEST_CHAIN = 256;

/**
 * Returns the computed functions, each after those that it calls; undefined when some call themselves, or in too long a row. Each
 * cycle is reported once, where it is closed. One step for each function.
 */
export function* callOrder(
  symbols: Symbols,
  reportOf: (source: Source) => Report | undefined,
): Steps<readonly ComputedFunction[] | undefined> {
  /** How many functions in a row each calls at most, itself included. */
  const lengths = new Map<ast.FunctionDecl, number>();
  const path: Declared<ast.FunctionDecl>[] = [];
  let refused = false;
  const visit = (declared: Declared<ast.FunctionDecl>): void => {
    const at = path.findIndex(({ decl }) => decl === declared.decl);
    if (at !== -1) {
      refused = true;
      return reportCycle([...path.slice(at), declared], reportOf(declared.source));
    }
    if (lengths.has(declared.decl)) return;
    path.push(declared);
    const called = path.length > LONGEST_CHAIN ? [] : calledIn(symbols, declared.decl.body);
    for (const one of called) visit(one);
    path.pop();
    const length = 1 + Math.max(0, ...called.map(({ decl }) => lengths.get(decl) ?? 0));
    lengths.set(declared.decl, length);
    if (path.length < LONGEST_CHAIN && length <= LONGEST_CHAIN) return;
    // One report for each row, not for every function of it.
    if (!refused) reportChain(path[0] ?? declared, reportOf((path[0] ?? declared).source));
    refused = true;
  };
  for (const declared of symbols.functions.values()) {
    visit(declared);
    yield;
  }
  return refused ? undefined : [...lengths.keys()].filter(isComputed);
}

function reportChain({ decl, span }: Declared<ast.FunctionDecl>, report: Report | undefined): void {
  const message = `function "${decl.name.name}" calls more than ${LONGEST_CHAIN} functions in a row`;
  report?.error("E301", span, message, "let functions call fewer others");
}

function reportCycle(cycle: readonly Declared<ast.FunctionDecl>[], report: Report | undefined): void {
  const [first] = cycle;
  if (first === undefined) return;
  const names = cycle.map(({ decl }) => decl.name.name).join(" → ");
  const message = `function "${first.decl.name.name}" calls itself: ${names}`;
  report?.error(
    "E215",
    first.span,
    message,
    "a function is one expression without recursion: compute it in rules, or in the host",
  );
}

// ---------------------------------------------------------------- size

/** The most parts of a statement when every call in it is written out, and the most that are inside each other. */
const MOST_PARTS = 10_000;
const DEEPEST = 1_000;

/** The number of parts of an expression: some of its own, and each parameter so many times; and how deep they are. */
interface Size {
  own: number;
  depth: number;
  readonly uses: Map<string, { count: number; depth: number }>;
}

/** Measures statements with every call written out. */
export class WrittenOut {
  readonly #symbols: Symbols;
  readonly #functions = new Map<ComputedFunction, Size>();
  readonly #parts = new WeakMap<object, Size>();

  private constructor(symbols: Symbols) {
    this.#symbols = symbols;
  }

  /**
   * Measures the computed functions, one in a step. They are in the order of {@link callOrder}, so that what a function calls is
   * measured before it.
   */
  static *of(symbols: Symbols, functions: readonly ComputedFunction[]): Steps<WrittenOut> {
    const made = new WrittenOut(symbols);
    for (const one of functions) {
      made.#functions.set(one, made.#sizeOf(one.body, new Set(one.params.map(nameOf))));
      yield;
    }
    return made;
  }

  /** Reports a statement that is too large, or nested too deeply. */
  check(decl: ast.Declaration, report: Report): void {
    if (calledIn(this.#symbols, decl).length === 0) return;
    const { own, depth } = decl.kind === "function" ? this.#whole(decl) : this.#sizeOf(decl, NOTHING);
    const when = "when the functions that it calls are written out";
    if (own > MOST_PARTS) {
      const message = `this statement has more than ${MOST_PARTS} parts ${when}`;
      report.error("E307", decl.span, message, "split the computation over several rules");
    } else if (depth > DEEPEST) {
      const message = `this statement is nested more than ${DEEPEST} levels deep ${when}`;
      report.error("E301", decl.span, message, "split the computation over several rules");
    }
  }

  /** Returns the size of a function whose parameters stand for themselves. */
  #whole(decl: ast.FunctionDecl): Pick<Size, "own" | "depth"> {
    const { own = 0, depth = 0, uses } = (isComputed(decl) ? this.#functions.get(decl) : undefined) ?? {};
    const params = [...(uses?.values() ?? [])];
    return {
      own: params.reduce((sum, { count }) => sum + count, own),
      depth: params.reduce((most, param) => Math.max(most, param.depth), depth),
    };
  }

  /** Returns the size of a part of the tree; `params` are the names that stand for something else. */
  #sizeOf(node: unknown, params: ReadonlySet<string>): Size {
    if (typeof node !== "object" || node === null) return { own: 0, depth: 0, uses: new Map() };
    const known = this.#parts.get(node);
    if (known !== undefined) return known;
    const size: Size = { own: 1, depth: 1, uses: new Map() };
    const { kind } = node as { readonly kind?: unknown };
    const called = kind === "call" ? this.#symbols.computedFunction((node as ast.CallExpr).name.name) : undefined;
    if (called !== undefined) this.#addCall(size, node as ast.CallExpr, called, params);
    else if (kind === "path" && params.has((node as ast.PathExpr).root.name)) {
      size.uses.set((node as ast.PathExpr).root.name, { count: 1, depth: 1 });
    } else this.#addChildren(size, node, params);
    this.#parts.set(node, size);
    return size;
  }

  #addChildren(size: Size, node: object, params: ReadonlySet<string>): void {
    const children = Array.isArray(node) ? inlinedElements(node as ast.Element[]) : node;
    for (const [key, child] of Object.entries(children) as [string, unknown][]) {
      if (key !== "span") add(size, this.#sizeOf(child, params), { count: 1, depth: 1 });
    }
  }

  #addCall(size: Size, { args }: ast.CallExpr, called: ComputedFunction, params: ReadonlySet<string>): void {
    const body = this.#functions.get(called) ?? { own: 0, depth: 0, uses: new Map<string, never>() };
    size.own += body.own;
    size.depth += body.depth;
    for (const [index, param] of called.params.entries()) {
      const use = body.uses.get(nameOf(param));
      if (use !== undefined) add(size, this.#sizeOf(args[index] ?? param.default, params), use);
    }
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function nameOf({ name }: ast.FieldDecl): string {
  return name.name;
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
