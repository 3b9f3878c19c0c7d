// The checks for the inner loop (npm run test:quick), in less than a minute on an idle machine: types, who may import whom, the
// fast tests of every room, and every promise with a few cases. Nothing in it starts the command line or a compiler for each
// test. What it leaves out is in vitest.quick.config.ts; `npm test` runs everything.
import { must } from "./run.mjs";

/** Cases for each promise: enough for every kind of rule and operation to occur, few enough for a second each. */
const CASES = 60;

must("tsc -p tsconfig.check.json");
must("tsc -p tsconfig.json --noEmit"); // what the build asks for beyond it: declarations file by file
must("vitest run --config vitest.quick.config.ts", { SLUICE_CASES: String(CASES) });
