/**
 * Unicode normalisation in linear time.
 *
 * Normalising sorts every run of combining marks, which takes the square of the length of the run. So no run of more than 30 marks
 * is ever normalised: that is as many as the stream-safe format of UAX 15 allows, and no language needs as many.
 */
const MAX_MARKS = 30;

/** A run of more marks than that, including the two half-width forms that become marks. */
const LONG_RUN = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${MAX_MARKS}})[\\p{M}\\uff9e\\uff9f]+`, "gu");
const EVERY_RUN = new RegExp(`[\\p{M}\\uff9e\\uff9f]{${MAX_MARKS}}(?=[\\p{M}\\uff9e\\uff9f])`, "gu");
/** The character that the stream-safe format inserts into a run that is too long, U+034F. */
const JOINER = "\u034f";

/** Returns the text without the marks of each run after the 30th. */
export function cutMarks(text: string): string {
  return text.replace(LONG_RUN, "$1");
}

/**
 * Returns the compatibility form (NFKC) of a name. Names that differ only after the 30th mark of a run stay different.
 */
export function normalForm(name: string): string {
  return name.replace(EVERY_RUN, `$&${JOINER}`).normalize("NFKC");
}
