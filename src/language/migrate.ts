/**
 * What `fmt --migrate` rewrites besides old syntax: a quorum over facts, `at least 2 of v: T : v.ok`, was once false as soon
 * as the facts that exist do not suffice. That is now written `of all`.
 */
import type { Report } from "../base/diagnostic.ts";
import type { Declaration, FactQuorumExpr } from "./ast.ts";
import type { ParsedFile } from "./parse.ts";
import { forEachNode } from "./walk.ts";

/** Returns a declaration in which every quorum over facts is `of all`. A declaration without one is returned itself. */
export function closed<One extends Declaration>(declaration: One): One {
  return openQuorums(declaration).length === 0 ? declaration : (rewritten(declaration) as One);
}

/** Notes each quorum that `closed` rewrites: a program that was written for the current meaning must not be migrated. */
export function noteClosed(file: ParsedFile, report: Report): void {
  for (const { count, pattern } of openQuorums(file.declarations)) {
    const span = { start: count.span.start, end: pattern.span.end };
    const message = `"of all" was added, so that this is still false when the facts that exist do not suffice`;
    report.note("W103", span, message, 'remove "all" where facts arrive one by one: the gate then holds until they do');
  }
}

function openQuorums(part: unknown): FactQuorumExpr[] {
  const found: FactQuorumExpr[] = [];
  forEachNode(part, (node) => {
    if (isOpen(node)) found.push(node);
  });
  return found;
}

function isOpen(node: object): node is FactQuorumExpr {
  return "kind" in node && node.kind === "fact-quorum" && "closed" in node && node.closed === false;
}

function rewritten(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewritten);
  if (typeof part !== "object" || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, child]) => [key, rewritten(child)]));
  return isOpen(part) ? { ...copy, closed: true } : copy;
}
