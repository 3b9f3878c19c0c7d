/**
 * `after` never loosens: over random decisions and random tests of them, a pipeline with `after` lines decides what the same
 * pipeline decides without them, or BLOCK, and exactly as a hand-written evaluation of the tests says. What it blocks is in no
 * trace, audit or explanation.
 */
import { expect, test } from "vitest";
import { SeededRandom } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { decideAfter } from "../support/after-model.ts";
import type { Random } from "../support/gate-model.ts";

test(
  "after only blocks, as its tests say, and what it blocks is nowhere",
  () => {
    const source = new SeededRandom(15);
    const random: Random = () => source.next();
    const seen = new Map<string, number>();
    for (let done = 0; done < runs(4_000); done++) {
      for (const word of decideAfter(random)) seen.set(word, (seen.get(word) ?? 0) + 1);
    }
    for (const word of ["BLOCK", "ANSWER", "FORWARD", "ERROR", "unknown", "false"]) {
      expect(seen.get(word) ?? 0, word).toBeGreaterThan(0);
    }
  },
  PATIENT,
);
