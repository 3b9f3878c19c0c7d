import { configDefaults, defineConfig } from "vitest/config";
import { Running } from "./test/support/running.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // have runs of their own: vitest.steps.config.ts, vitest.planted.config.ts
    exclude: [...configDefaults.exclude, "test/promises/steps.test.ts", "test/**/planted.test.ts"],
    setupFiles: ["test/support/seed.ts"],
    reporters: ["default", new Running()],
    testTimeout: 600_000,
    maxWorkers: 2,
    // one process for many files: what was loaded and made fast for one property is so for the next
    isolate: false,
    // rules and facts can never run code: with this, nothing that is tested can make code from text
    execArgv: ["--disallow-code-generation-from-strings"],
  },
});
