/** The part of a condition that keeps it from holding: the reasons of a condition that does not hold are those of this part. */
import type { Draft } from "../read/draft.ts";

/**
 * Returns the step that explains why a condition does not hold, of which the first `reached` parts do. In the slash form
 * that is the test, when the fact before it could be explained.
 */
export function failingPart(children: readonly Draft[], reached: number): Draft | undefined {
  const at = children[reached];
  if (at?.outcome !== true) return at;
  return children.find((child, index) => index > reached && child.outcome !== true && child.seen.length > 0) ?? at;
}
