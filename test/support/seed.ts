/**
 * Every property draws its cases from one seed, so that each run of the tests tries the same cases, on every machine.
 * `npm run fuzz` gives other seeds through `SLUICE_SEED`. Loaded before each test file: see vitest.config.ts.
 */
import * as fc from "fast-check";

const SEED = 20_260_101;

fc.configureGlobal({ seed: Number(process.env["SLUICE_SEED"] ?? SEED) });
