/**
 * Unicode normalisation in linear time.
 *
 * Normalising sorts every run of combining marks, which takes the square of the length of the run. So no run of more than 30 marks
 * is ever normalised: that is as many as the stream-safe format of UAX 15 allows, and no language needs as many.
 */
const MOST_MARKS = 30;

/** Marks, and the two half-width forms that become marks. */
const LONG_RUN = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${MOST_MARKS}})[\\p{M}\\uff9e\\uff9f]+`, "gu");
const EVERY_RUN = new RegExp(`[\\p{M}\\uff9e\\uff9f]{${MOST_MARKS}}(?=[\\p{M}\\uff9e\\uff9f])`, "gu");
/** U+034F, the character that the stream-safe format puts into a run that is too long. */
const JOINER = "\u034f";

/** Without the marks of each run that come after the 30th. */
export function cutMarks(text: string): string {
  return text.replace(LONG_RUN, "$1");
}

/** The compatibility form (NFKC) of a name. Two names that differ only after many marks stay different. */
export function normalForm(name: string): string {
  return name.replace(EVERY_RUN, `$&${JOINER}`).normalize("NFKC");
}
