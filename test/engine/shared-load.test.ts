/** Many clients on one session: the short form of `node scripts/load.mjs`, which makes a million calls. */
import { expect, test } from "vitest";
import { sharedLoad } from "../support/shared-load.ts";

test("nothing acknowledged is lost under concurrent clients, failing handlers and refused changes", async () => {
  const report = await sharedLoad(4000, 20);
  expect(report).toMatchObject({ calls: 4000, wrong: [], paidTwice: 0 });
  expect(report.failedRuns).toBeGreaterThan(0);
  expect(report.acknowledged).toBeGreaterThan(2000);
});
