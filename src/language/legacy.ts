/** Old syntax that is still accepted, and what to write instead. */
import type { Report } from "../base/diagnostic.ts";
import { SmallSteps, type Steps } from "../base/slices.ts";
import type { Span } from "../base/span.ts";
import type { Declaration, FactArg, FactDecl, LegacySpelling } from "./ast.ts";
import { BUILT_IN_ACTIONS } from "./lexemes.ts";
import type { Comment } from "./lexer.ts";
import type { ParsedFile } from "./parse.ts";
import { forEachNode } from "./walk.ts";

export interface LegacyUse {
  readonly spelling: LegacySpelling | "hash-comment" | "built-in-action";
  readonly span: Span;
}

/** The message and the current form for each old spelling. */
const WORDS: Readonly<Record<LegacyUse["spelling"], { readonly message: string; readonly hint: string }>> = {
  "unnamed-rule": { message: "a rule without a name", hint: "write: rule name : {…} / … ==> …" },
  "angle-type": { message: "a type declaration with < >", hint: "write: type Name(field: string, …)" },
  cast: { message: "a cast with cast(… as …)", hint: "write: (string) x" },
  assert: { message: "a fact inside assert(…)", hint: "write only the fact: Person(id: …)" },
  equals: { message: '"=" between a field and its value', hint: 'write ":" instead' },
  "when-slash": { message: "WHEN {…} / … THEN … in a rule", hint: "write: rule name : {…} / … ==> …" },
  braces: { message: 'braces around the parts of "when" and "then"', hint: "write: rule name { when … then … }" },
  "inner-name": {
    message: "a variable inside EXISTS or an aggregate with the name of one outside",
    hint: "give it another name: EXISTS(o2: Order / o2.total > 5)",
  },
  "built-in-action": {
    message: "a declaration of a built-in action",
    hint: "remove it: every program has log, print, insert, update, retract and xuple",
  },
  "hash-comment": { message: 'a comment that starts with "#"', hint: 'start it with "//"' },
};

const NONE: readonly LegacyUse[] = [];

/** Returns whether a fact of plain values has no old syntax: files of facts are long, and are not walked. */
function isCurrentFact(decl: FactDecl): boolean {
  const { fact } = decl;
  if ("legacy" in decl || "legacy" in fact) return false;
  return fact.args.every((arg) => !("legacy" in arg) && PLAIN.has(arg.value.kind) && !("legacy" in arg.value));
}

/** The kinds of values that have no parts. */
const PLAIN: ReadonlySet<FactArg["value"]["kind"]> = new Set(["text", "number", "bool"]);

/** Returns the uses of old syntax in a declaration, in source order. */
export function legacyUses(declaration: Declaration): readonly LegacyUse[] {
  if (declaration.kind === "fact" && isCurrentFact(declaration)) return NONE;
  const uses: LegacyUse[] = [];
  if (declaresBuiltIn(declaration)) uses.push({ spelling: "built-in-action", span: declaration.span });
  forEachNode(declaration, (node) => {
    if (typeof node["legacy"] === "string") {
      uses.push({ spelling: node["legacy"] as LegacySpelling, span: node["span"] as Span });
    }
  });
  return uses;
}

/** Returns whether a statement declares an action that exists in every program. */
export function declaresBuiltIn(declaration: Declaration): boolean {
  return declaration.kind === "action" && BUILT_IN_ACTIONS.has(declaration.name.name.toLowerCase());
}

export function isHashComment(comment: Comment): boolean {
  return comment.text.startsWith("#");
}

/** Reports one warning per form of old syntax in a file, at its first use. */
export function* reportLegacy(file: ParsedFile, report: Report): Steps<void> {
  const uses: LegacyUse[] = [];
  const small = new SmallSteps();
  for (const declaration of file.declarations) {
    uses.push(...legacyUses(declaration));
    if (small.isDue()) yield;
  }
  for (const comment of file.comments) {
    // In a statement that could not be read, a "#" may have been the mark of a key.
    if (file.unread === undefined && isHashComment(comment))
      uses.push({ spelling: "hash-comment", span: comment.span });
  }
  const bySpelling = new Map<string, LegacyUse[]>();
  for (const use of uses) {
    const same = bySpelling.get(use.spelling);
    if (same === undefined) bySpelling.set(use.spelling, [use]);
    else same.push(use);
  }
  for (const [first, ...more] of bySpelling.values()) {
    if (first === undefined) continue;
    const { message, hint } = WORDS[first.spelling];
    const often = more.length === 0 ? "" : ` (and ${more.length} more in this file)`;
    const span = { start: first.span.start, end: Math.min(first.span.end, firstLineEnd(report, first.span.start)) };
    report.warning("W101", span, `old syntax: ${message}${often}`, `${hint}; "sluice fmt --migrate" rewrites it`);
  }
}

function firstLineEnd(report: Report, from: number): number {
  const end = report.source.text.indexOf("\n", from);
  return end < 0 ? report.source.text.length : end;
}
