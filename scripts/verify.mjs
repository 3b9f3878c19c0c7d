// The test command: every check that a change must pass, each with its name and time. Stops at the first that fails.
// `npm test -- --quick` runs fewer random cases. No step can go on for ever: each has a deadline, and so has the whole.
import { runWithin } from "./within.mjs";

const env = process.argv.includes("--quick") ? { SLUICE_QUICK: "1" } : {};
/** Seconds for everything; the deadlines of the steps are for finding out which one hangs. */
const TOTAL = 3000;
const steps = [
  ["generated grammar is current", 60, "node scripts/grammar.mjs --check"],
  ["shipped guardian is current", 60, "node scripts/guardians.mjs --check"],
  ["API reference is current", 120, "node scripts/api.mjs --check"],
  ["types", 300, "tsc -p tsconfig.check.json"],
  ["lint", 300, "oxlint --type-aware --deny-warnings"],
  ["format", 300, "prettier --check --log-level warn ."],
  ["unused code", 300, "knip"],
  ["tests", 2400, "vitest run"],
  ["tests that count steps", 600, "vitest run --config vitest.steps.config.ts"],
  ["planted bugs are found", 300, "vitest run --config vitest.planted.config.ts"],
  ["tests with colliding names", 900, "SLUICE_CASES=500 vitest run --config vitest.collide.config.ts"],
  ["package", 300, "node scripts/package.mjs"],
  ["package on every platform", 300, "node scripts/platforms.mjs"],
  ["package with every TypeScript", 600, "node scripts/type-matrix.mjs"],
  ["browser under a strict policy", 600, "node scripts/browser.mjs"],
  ["examples are in canonical layout", 60, "node dist/cli/main.js fmt --check examples"],
];

const begin = Date.now();
const since = (start) => (Date.now() - start) / 1000;

for (const [name, seconds, command] of steps) {
  const start = Date.now();
  const allowed = Math.max(1, Math.min(seconds, TOTAL - since(begin)));
  const outcome = await runWithin(allowed, command, env);
  const took = since(start).toFixed(1);
  if (outcome === "late") console.log(`FAIL ${name}: stopped after ${took} s, its deadline; it ran: ${command}`);
  else console.log(`${outcome === "passed" ? "ok  " : "FAIL"} ${name} (${took} s)`);
  if (outcome !== "passed") process.exit(1);
}
