// Runs the properties with seeds that nobody has tried: npm run fuzz -- [--seed S] [--cases N] [--minutes M]
// One round, or rounds with new seeds until the minutes have passed. Each round says its seed; the same seed and number of
// cases try the same again.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runWithin } from "./within.mjs";

const FULL = 20_000;
/** Seconds that a round of 20,000 cases for each property may take: many times of what it takes. */
const PATIENCE = 3_600;

const { seed, cases, minutes } = numbersOf(
  parseArgs({ options: { seed: { type: "string" }, cases: { type: "string" }, minutes: { type: "string" } } }).values,
);
const count = cases ?? FULL;
const begin = Date.now();
let next = seed ?? randomInt(2 ** 31 - 1);

for (let round = 1; ; round++) {
  console.log(`round ${round}: seed ${next}, ${count} cases for each property`);
  const command = "vitest run property language/format session/agenda session/snapshot session/support";
  const patience = PATIENCE * Math.max(1, count / FULL);
  const outcome = await runWithin(patience, command, { SLUICE_SEED: String(next), SLUICE_CASES: String(count) });
  if (outcome !== "passed") {
    const what = outcome === "late" ? `did not end within ${patience} s` : "failed";
    console.log(`seed ${next} ${what}; again with: npm run fuzz -- --seed ${next} --cases ${count}`);
    process.exit(1);
  }
  if (Date.now() - begin >= (minutes ?? 0) * 60_000) break;
  next = randomInt(2 ** 31 - 1);
}

function numbersOf(values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => {
      const number = Number(text);
      const whole = Number.isInteger(number) && number >= (name === "cases" ? 1 : 0);
      if (name === "minutes" ? number >= 0 : whole) return [name, number];
      console.error(`--${name} takes ${name === "minutes" ? "a number" : "an integer"}, not "${text}"`);
      process.exit(2);
    }),
  );
}
