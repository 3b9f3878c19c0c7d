import { configDefaults, defineConfig } from "vitest/config";
import { FailedFiles } from "./test/support/failed-files.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { Running } from "./test/support/running.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // have runs of their own: vitest.steps.config.ts, vitest.planted.config.ts
    exclude: [...configDefaults.exclude, "test/promises/steps.test.ts", "test/**/planted.test.ts"],
    globalSetup: ["test/support/run-folder.ts"],
    setupFiles: ["test/support/seed.ts"],
    reporters: ["default", new Running(), new FailedFiles()],
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
    // one process for many files: what was loaded and made fast for one property is so for the next
    isolate: false,
    execArgv: [
      // rules and facts can never run code: with this, nothing that is tested can make code from text
      "--disallow-code-generation-from-strings",
      // properties make much garbage: with 64 MB for what is new, half the time of its collection is saved
      "--min-semi-space-size=64",
      "--max-semi-space-size=64",
    ],
  },
});
