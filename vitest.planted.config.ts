/** The tests that plant bugs in the engine and demand that they are found: test/support/planted-bugs.ts. */
import { defineConfig } from "vitest/config";
import { plantedBugs } from "./test/support/planted-bugs.ts";
import base from "./vitest.config.ts";

export default defineConfig({
  ...base,
  plugins: [plantedBugs()],
  test: { ...base.test, include: ["test/**/planted.test.ts"], exclude: [] },
});
