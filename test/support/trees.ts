/** Trees to compare: what was read, without where it was read. */
import { expect } from "vitest";
import type { Declaration } from "../../src/language/ast.ts";
import { Report } from "../../src/base/diagnostic.ts";
import { Source } from "../../src/base/source.ts";
import { type ParsedFile, parseSource, type ParseOptions } from "../../src/language/parse.ts";

/** A copy of a tree in which no node says where it stood. */
export function withoutSpans(tree: unknown): unknown {
  return without(tree, new Set(["span"]));
}

/** The same, and no node says in which older spelling it was written. */
export function withoutSpelling(tree: unknown): unknown {
  return without(tree, new Set(["span", "legacy"]));
}

function without(tree: unknown, left: ReadonlySet<string>): unknown {
  if (Array.isArray(tree)) return tree.map((item: unknown) => without(item, left));
  if (typeof tree !== "object" || tree === null) return tree;
  const entries = Object.entries(tree).filter(([key]) => !left.has(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, without(value, left)]));
}

/** Fails with the difference, when there is one; comparing first is many times faster than asking for it. */
export function expectSameTree(found: unknown, wanted: unknown): void {
  if (!isSameTree(found, wanted)) expect(withoutSpans(found)).toEqual(withoutSpans(wanted));
}

/** Equal but for the places: the same keys, and below each the same. */
function isSameTree(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const sizes = [keys, others].map((all) => all.length - (all.includes("span") ? 1 : 0));
  return (
    sizes[0] === sizes[1] &&
    keys.every(
      (key) => key === "span" || (Object.hasOwn(other, key) && isSameTree(one[key as never], other[key as never])),
    )
  );
}

export interface Reading extends ParsedFile {
  readonly report: Report;
}

export function read(text: string, options: ParseOptions = {}): Reading {
  const report = new Report(new Source("test.tsd", text));
  return { ...parseSource(report, options), report };
}

/** The statements of a text that must have no error. */
export function readWell(text: string): readonly Declaration[] {
  const { declarations, report } = read(text);
  const errors = report.diagnostics.filter((one) => one.severity === "error");
  if (errors.length > 0) throw new Error(`${errors.map((one) => `${one.line}: ${one.message}`).join("\n")}\n${text}`);
  return declarations;
}
