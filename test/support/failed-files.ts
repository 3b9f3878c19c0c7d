/** A reporter that names the files that failed at the end of a run, with the command that runs them again. */
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

export class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.filter((module) => !module.ok()).map(({ moduleId }) => relative(process.cwd(), moduleId));
    if (failed.length === 0) return;
    console.error(`\nFailed test files. Run them again with:\n  npx vitest run ${failed.sort().join(" ")}\n`);
  }
}
