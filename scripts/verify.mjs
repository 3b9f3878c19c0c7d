// The test command: every check that a change must pass, each with its name and time. Stops at the first that fails.
// `npm test -- --quick` runs fewer random cases.
import { run } from "./run.mjs";

const env = process.argv.includes("--quick") ? { SLUICE_QUICK: "1" } : {};
const steps = [
  ["generated grammar is current", "node scripts/grammar.mjs --check"],
  ["shipped guardian is current", "node scripts/guardians.mjs --check"],
  ["types", "tsc -p tsconfig.check.json"],
  ["lint", "oxlint --type-aware --deny-warnings"],
  ["format", "prettier --check --log-level warn ."],
  ["unused code", "knip"],
  ["tests", "vitest run"],
  ["tests with colliding names", "SLUICE_QUICK=1 vitest run --config vitest.collide.config.ts"],
  ["examples are in canonical layout", "node dist/cli/main.js fmt --check examples"],
];

for (const [name, command] of steps) {
  const start = Date.now();
  const passed = run(command, env);
  console.log(`${passed ? "ok  " : "FAIL"} ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  if (!passed) process.exit(1);
}
