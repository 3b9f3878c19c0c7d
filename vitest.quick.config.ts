/**
 * The tests of `npm run test:quick`: every room and every promise, without what takes long or starts processes. The number of
 * cases for each promise is in scripts/quick.mjs.
 */
import { defineConfig } from "vitest/config";
import { FailedFiles } from "./test/support/failed-files.ts";
import base from "./vitest.config.ts";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    reporters: ["dot", new FailedFiles()],
    exclude: [
      ...(base.test?.exclude ?? []),
      // start processes or compilers
      "test/{bench,docs,node}/**",
      "test/cli/{decide,mistakes,processes,terminal}*",
      "test/engine/types*",
      "test/explain/pack-signature*",
      "test/house/within*",
      "test/promises/escaping*",
      // take long however few cases are tried
      "test/base/exact-sum*",
      "test/cli/{attacks,graph-budget}*",
      "test/explain/budget*",
      "test/gates/gate-laws*",
      "test/house/{constructs,generator}*",
      "test/plan/{planning-steps,support-plans}*",
      "test/promises/{d14-logical-graphs,fail-closed.,hidden-text}*",
      "test/rete/memory-returns*",
      "test/session/logical-growth*",
    ],
  },
});
