/**
 * Rules over the items of lists fire once for each item that comes, in the order of the lists as they are, and not again for an item
 * that stays. So says a model of its own, after every change, also in a session that continues from a snapshot, and for a match that
 * two alternatives find. The keys of all effects differ.
 */
import * as fc from "fast-check";
import { test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { everyItem, itemCase } from "../support/items-history.ts";

test(
  "items fire as the model says",
  () => {
    fc.assert(fc.property(itemCase, everyItem), { numRuns: runs() });
  },
  PATIENT,
);
