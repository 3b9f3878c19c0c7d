/** Returns a part of the source for a message: on one line, and not too long. */
import type { Span } from "../../../base/span.ts";
import type { Context } from "../context.ts";

/** The most characters of the source that a message repeats. */
const LONGEST = 60;

export function shownText({ report: { source } }: Pick<Context, "report">, { start, end }: Span): string {
  const text = source.text.slice(start, end).replaceAll(/\s+/gu, " ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
