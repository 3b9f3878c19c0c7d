// The test command: every check that a change must pass, each with its name and time. Stops at the first that fails.
// Random checks try CASES cases; `npm test -- --full` tries 20,000, and `--quick` a tenth of them. No step can go on for ever:
// each has a deadline, and so has the whole.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runWithin } from "./within.mjs";

/** Random cases for each promise: enough for what a change breaks at once; `--full` and `npm run fuzz` try the rest. */
const CASES = "2000";
const env = casesFor(process.argv.slice(2));
/** Seconds for everything; the deadlines of the steps are for finding out which one hangs. */
const TOTAL = 5000;
/** Steps of one stage run two at a time: each of them keeps one core busy, and none needs what another makes. */
const LANES = 2;
const stages = [
  [
    ["API reference is current", 240, "node scripts/api.mjs --check"],
    ["format", 300, "prettier --check --log-level warn ."],
    ["unused code", 300, "knip"],
    ["generated grammar is current", 60, "node scripts/grammar.mjs --check"],
    ["shipped guardian is current", 60, "node scripts/guardians.mjs --check"],
  ],
  [["types", 300, "tsc -p tsconfig.check.json"]],
  [["lint", 300, "oxlint --type-aware --deny-warnings"]],
  [["tests", 4200, "vitest run"]],
  [
    ["tests that count steps", 600, "vitest run --config vitest.steps.config.ts"],
    ["planted bugs are found", 1200, "vitest run --config vitest.planted.config.ts --maxWorkers 1"],
  ],
  [["tests with colliding names", 900, "SLUICE_CASES=500 vitest run --config vitest.collide.config.ts"]],
  [["package", 300, "node scripts/package.mjs"]],
  [["packages beside it", 300, "node scripts/packages.mjs"]],
  [["package on every platform", 300, "node scripts/platforms.mjs"]],
  [["package with every TypeScript", 600, "node scripts/type-matrix.mjs"]],
  [["browser under a strict policy", 600, "node scripts/browser.mjs"]],
  [["examples are in canonical layout", 60, "node dist/cli/main.js fmt --check examples"]],
];

function casesFor(words) {
  const [word, ...more] = words;
  if (more.length === 0 && word === "--quick") return { SLUICE_QUICK: "1" };
  if (more.length === 0 && word === "--full") return {};
  if (word === undefined) return { SLUICE_CASES: process.env.SLUICE_CASES ?? CASES };
  console.error(`npm test takes --quick or --full, not "${words.join(" ")}"`);
  process.exit(2);
}

const begin = Date.now();
const since = (start) => (Date.now() - start) / 1000;
const outputs = mkdtempSync(join(tmpdir(), "sluice-verify-"));
process.on("exit", () => rmSync(outputs, { recursive: true, force: true }));

/** Runs one step. The output of a step that is not alone is printed when the step ends, so that it stays in one piece. */
async function runStep([name, seconds, command], isAlone) {
  const start = Date.now();
  const allowed = Math.max(1, Math.min(seconds, TOTAL - since(begin)));
  const output = join(outputs, name.replaceAll(" ", "-"));
  const outcome = await runWithin(allowed, isAlone ? command : `{ ${command}; } > '${output}' 2>&1`, env);
  if (!isAlone) process.stdout.write(readFileSync(output));
  const took = since(start).toFixed(1);
  if (outcome === "late") console.log(`FAIL ${name}: stopped after ${took} s, its deadline; it ran: ${command}`);
  else console.log(`${outcome === "passed" ? "ok  " : "FAIL"} ${name} (${took} s)`);
  return outcome === "passed";
}

/** Runs the steps of a stage; after one that fails none is begun. Returns whether all passed. */
async function runStage(steps) {
  const waiting = [...steps];
  let fine = true;
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined && fine; step = waiting.shift()) {
      fine = (await runStep(step, steps.length === 1)) && fine;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return fine;
}

for (const steps of stages) if (!(await runStage(steps))) process.exit(1);
