/**
 * Constants: plain values with names, `const VAT = 0.2` and `list EU = ["FR", "DE"]`.
 *
 * One that is written with `const`, and a parameter, may stand in data too: as a value in a fact of the program, a default, or another constant.
 * There a bare word is a string, unless it is the name of such a constant.
 */
import { LONGEST_CHAIN } from "../../base/limits.ts";
import type { Report } from "../../base/diagnostic.ts";
import type { Source } from "../../base/source.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import type { Context } from "./context.ts";
import { isLiteral, typeOfLiteral } from "./literals.ts";
import type { Declared } from "./names.ts";
import type { Symbols } from "./symbols.ts";
import { common, listOf, REPORTED, type Type } from "./types.ts";

/** Returns the constant that a bare word in data names; undefined when it is a string. */
export function constantInData(symbols: Symbols, value: ast.Value): ast.ConstDecl | undefined {
  if (value.kind !== "path" || value.fields.length > 0) return undefined;
  const decl = symbols.constants.get(value.root.name)?.decl;
  return decl?.spelling === "list" ? undefined : decl;
}

/** Returns the type of a constant. */
export function typeOfConstant({ symbols }: Context, decl: ast.ConstDecl): Type {
  return decl.type === undefined ? typeOfData(symbols, decl.value, new Set([decl])) : symbols.typeOfRef(decl.type);
}

/** Returns the type of plain data; `inside` are the constants that it is part of: a circular one is `any`. */
function typeOfData(symbols: Symbols, value: ast.Value, inside: ReadonlySet<ast.ConstDecl>): Type {
  if (isLiteral(value)) return typeOfLiteral(value);
  if (value.kind === "list") return listOf(common(value.items.map((item) => typeOfData(symbols, item, inside))));
  const decl = constantInData(symbols, value);
  if (decl === undefined || inside.has(decl)) return REPORTED;
  return typeOfData(symbols, decl.value, new Set([...inside, decl]));
}

/** Returns whether a constant is defined by itself, directly or through others. */
export function isCircular({ symbols }: Context, decl: ast.ConstDecl): boolean {
  return reaches(symbols, decl.value, decl, new Set());
}

function reaches(symbols: Symbols, value: ast.Value, target: ast.ConstDecl, seen: Set<ast.ConstDecl>): boolean {
  if (value.kind === "list") return value.items.some((item) => reaches(symbols, item, target, seen));
  if (value.kind === "object") return value.entries.some((entry) => reaches(symbols, entry.value, target, seen));
  const decl = constantInData(symbols, value);
  if (decl === undefined || seen.has(decl)) return false;
  seen.add(decl);
  return decl === target || reaches(symbols, decl.value, target, seen);
}

/** The most values of a constant when the constants in it are written out, and the most levels of lists and objects. */
const MOST_VALUES = 100_000;
const DEEPEST = 256;

/** Returns whether a constant was refused for its size. */
export function isRefused({ value }: ast.ConstDecl): boolean {
  return value === NULL;
}

interface ValueSize {
  readonly values: number;
  readonly depth: number;
  /** How many constants in a row it uses at most. */
  readonly length: number;
}

/**
 * Reports constants that are too large, nested too deeply or in too long a row when the constants in them are written out. They are
 * null from then on, so that nothing follows them. What uses one of them is not reported again.
 */
export function refuseConstants(symbols: Symbols, reportIn: (source: Source) => Report | undefined): void {
  const refused = new Set<ast.ConstDecl>();
  const sizes = new Map<ast.ConstDecl, ValueSize>();
  for (const declared of inOrderOfUse(symbols)) {
    const { decl } = declared;
    let usesRefused = false;
    const sizeOf = (value: ast.Value): ValueSize => {
      if (value.kind === "list") return together(value.items.map(sizeOf));
      if (value.kind === "object") return together(value.entries.map((entry) => sizeOf(entry.value)));
      const used = constantInData(symbols, value);
      if (used === undefined) return ONE_VALUE;
      usesRefused ||= refused.has(used);
      const size = sizes.get(used) ?? ONE_VALUE;
      return { ...size, length: size.length + 1 };
    };
    const size = sizeOf(decl.value);
    sizes.set(decl, size);
    const fault = usesRefused ? undefined : faultOf(decl, size);
    if (fault !== undefined) reportIn(declared.source)?.error(fault.code, declared.span, fault.message, LOAD_HINT);
    if (usesRefused || fault !== undefined) refused.add(decl);
  }
  if (refused.size > 0) symbols.constants.change((decl) => (refused.has(decl) ? { ...decl, value: NULL } : decl));
}

const LOAD_HINT = "state the values as facts, or load them from a data file";

const NOWHERE = { start: 0, end: 0 };
const NULL: ast.PathExpr = { kind: "path", root: { name: "null", span: NOWHERE }, fields: [], span: NOWHERE };

const ONE_VALUE: ValueSize = { values: 1, depth: 0, length: 0 };

function together(parts: readonly ValueSize[]): ValueSize {
  let values = 1;
  let depth = 0;
  let length = 0;
  for (const part of parts) {
    values += part.values;
    depth = Math.max(depth, part.depth);
    length = Math.max(length, part.length);
  }
  return { values, depth: depth + 1, length };
}

function faultOf(
  { name }: ast.ConstDecl,
  { values, depth, length }: ValueSize,
): { readonly code: "E301" | "E307"; readonly message: string } | undefined {
  const what = `constant "${name.name}"`;
  const when = "when the constants in it are written out";
  if (values > MOST_VALUES) return { code: "E307", message: `${what} has more than ${MOST_VALUES} values ${when}` };
  if (depth > DEEPEST) return { code: "E301", message: `${what} is nested more than ${DEEPEST} levels deep ${when}` };
  if (length <= LONGEST_CHAIN) return undefined;
  return { code: "E301", message: `${what} uses more than ${LONGEST_CHAIN} constants in a row` };
}

/** Returns the constants, each after those that it uses; those of a circle in any order. Rows of them may be long, so it is a loop. */
function inOrderOfUse(symbols: Symbols): readonly Declared<ast.ConstDecl>[] {
  const ordered: Declared<ast.ConstDecl>[] = [];
  const seen = new Set<ast.ConstDecl>();
  for (const first of symbols.constants.values()) {
    const open = [{ declared: first, isDone: false }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { declared, isDone } = next;
      if (isDone) ordered.push(declared);
      if (isDone || seen.has(declared.decl)) continue;
      seen.add(declared.decl);
      open.push({ declared, isDone: true });
      for (const one of usedBy(symbols, declared.decl.value)) open.push({ declared: one, isDone: false });
    }
  }
  return ordered;
}

function usedBy(symbols: Symbols, data: ast.Value): Declared<ast.ConstDecl>[] {
  const found: Declared<ast.ConstDecl>[] = [];
  forEachNode(data, (node) => {
    if (node["kind"] !== "path") return;
    const used = constantInData(symbols, node as unknown as ast.PathExpr);
    const declared = used === undefined ? undefined : symbols.constants.get(used.name.name);
    if (declared !== undefined) found.push(declared);
  });
  return found;
}
