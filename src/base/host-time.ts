/** Times as hosts have them: `Date` and Temporal objects, as ISO 8601 text. */

/** The classes of Temporal whose text is that of a time, by their tag. Its other classes say neither an instant nor a date. */
const TEMPORAL: ReadonlySet<string> = new Set(["Temporal.PlainDate", "Temporal.Instant", "Temporal.Duration"]);

/** Returns the text of a `Date` or a Temporal object; undefined for what is neither, and for an invalid date. */
export function hostTimeText(data: object): string | undefined {
  if (data instanceof Date) return Number.isNaN(data.getTime()) ? undefined : data.toISOString();
  const tag: unknown = (data as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  if (typeof tag !== "string") return undefined;
  if (tag === "Temporal.ZonedDateTime") return textOf((data as { readonly toInstant?: () => unknown }).toInstant?.());
  return TEMPORAL.has(tag) ? textOf(data) : undefined;
}

/** Returns what an object says of itself; `[u-ca=…]` after a date names a calendar, and is left out. */
function textOf(data: unknown): string | undefined {
  const { toString } = Object(data) as { readonly toString?: unknown };
  if (typeof toString !== "function") return undefined;
  const text: unknown = toString.call(data);
  return typeof text === "string" ? text.replace(/\[.*$/u, "") : undefined;
}
