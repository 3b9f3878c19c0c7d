/**
 * Gates, guardians and pipelines with windows: at every instant they say what the definition says, nothing turns before the instant that
 * `nextTime` names, and a gate opens exactly when it is told to wait until then.
 */
import { test } from "vitest";
import { PATIENT, runs } from "../support/cases.ts";
import { randomFrom } from "../support/clock-history.ts";
import { tryGates } from "../support/gates-in-time.ts";

test("what judges follows windows and waiting exactly", { timeout: PATIENT }, () => {
  tryGates(randomFrom(134), Math.ceil(runs(2000) / 20));
});
