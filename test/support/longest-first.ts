/**
 * Starts the test files that take longest first, so that both workers are busy until the end. A file that is not listed takes
 * less than half a minute. The order comes from a full run; a wrong place costs time and nothing else.
 */
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

const LONGEST = [
  "live-rows",
  "d12-headlines",
  "d1-histories",
  "d4-rules",
  "d12-remedies",
  "sessions-apart",
  "d12-why-gate",
  "stateless",
  "d14-logical",
  "d6-switches",
  "d9-rules-apart",
  "d1-actions",
  "d5-update",
  "d10-print",
  "d12-firings",
  "d10-robust",
  "d3-order",
  "d4-reload",
  "d8-collisions",
  "d12-why-verdict",
  "modules",
  "gates",
  "fail-closed",
].map((name) => `/test/promises/${name}.property.test.ts`);

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((end) => moduleId.endsWith(end));
  return place < 0 ? LONGEST.length : place;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}
