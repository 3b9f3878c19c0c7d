/**
 * Silences warnings in place: `// sluice: allow W301` at the end of a line, or on a line of its own above one.
 *
 * Above a statement it holds for the whole statement; above any other line, for that line. After the codes anything may follow: the
 * reason. Errors cannot be silenced. What silences nothing is reported itself (W257).
 */
import { CODES } from "../../../base/codes.ts";
import { type Diagnostic, hasErrors, Report } from "../../../base/diagnostic.ts";
import type { Source } from "../../../base/source.ts";
import type { Span } from "../../../base/span.ts";
import type { Comment } from "../../lexer.ts";
import type { ParsedFile } from "../../parse.ts";

/** A code that is allowed from one line to another. */
interface Allowed {
  readonly code: string;
  readonly from: number;
  readonly to: number;
  readonly comment: Comment;
}

/** Returns the diagnostics of a file without the silenced ones; what silences nothing is added when the program has no errors. */
export function silenced(file: ParsedFile, report: Report, isWhole: boolean): readonly Diagnostic[] {
  const comments = file.comments.filter(({ text }) => ALLOW.test(text));
  if (comments.length === 0) return report.diagnostics;
  const allowed = comments.flatMap((comment) => allowedBy(file, comment));
  const used = new Set<Allowed>();
  const kept = report.diagnostics.filter((one) => {
    if (one.severity === "error") return true;
    const by = allowed.filter(({ code, from, to }) => code === one.code && from <= one.line && one.line <= to);
    for (const allow of by) used.add(allow);
    return by.length === 0;
  });
  if (!isWhole || hasErrors(kept)) return kept;
  const useless = new Report(report.source);
  for (const comment of comments) {
    const own = allowed.filter((one) => one.comment === comment);
    warnOfUseless(useless, comment, own, used);
  }
  return [...kept, ...useless.diagnostics];
}

const ALLOW = /^\/[/*]\s*sluice:\s*allow\b/iu;
const CODE_LIST = /^\/[/*]\s*sluice:\s*allow\b[\s,]*((?:[EW]\d{3}\b[\s,]*)*)/iu;

function allowedBy(file: ParsedFile, comment: Comment): Allowed[] {
  const codes = (CODE_LIST.exec(comment.text)?.[1] ?? "").split(/[\s,]+/u).filter((code) => code !== "");
  const { from, to } = linesOf(file, comment.span);
  return codes.map((code) => ({ code: code.toUpperCase(), from, to, comment }));
}

function warnOfUseless(report: Report, { span }: Comment, own: readonly Allowed[], used: ReadonlySet<Allowed>): void {
  const fix = own.some((one) => used.has(one)) ? undefined : report.fix("remove the comment", span, "");
  if (own.length === 0)
    report.warning("W257", span, "this comment allows no code", "name one: // sluice: allow W301", fix);
  for (const one of own) {
    if (used.has(one)) continue;
    const isKnown = Object.hasOwn(CODES, one.code);
    const why = !isKnown
      ? "there is no such code"
      : one.code.startsWith("E")
        ? "errors cannot be silenced"
        : "it is not reported here";
    report.warning("W257", span, `allow ${one.code} silences nothing: ${why}`, "remove it", fix);
  }
}

// ---------------------------------------------------------------- lines

function linesOf({ source, comments, declarations }: ParsedFile, { start, end }: Span): { from: number; to: number } {
  const lineOf = (offset: number): number => source.position(offset).line;
  if (!isAlone(source, start)) return { from: lineOf(start), to: lineOf(start) };
  const next = codeAfter(source, comments, end);
  const statement = declarations.find(({ span }) => span.start === next);
  return { from: lineOf(next), to: lineOf(statement?.span.end ?? next) };
}

function isAlone({ text }: Source, start: number): boolean {
  return text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trim() === "";
}

/** Returns where the next code begins: after spaces and comments. */
function codeAfter({ text }: Source, comments: readonly Comment[], offset: number): number {
  let at = offset;
  for (;;) {
    at += text.slice(at).search(/\S|$/u);
    const comment = comments.find(({ span }) => span.start === at);
    if (comment === undefined) return at;
    at = comment.span.end;
  }
}
