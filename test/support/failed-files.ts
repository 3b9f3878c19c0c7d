/** A reporter that names the files that failed at the end of a run, with the command that runs them again. */
import { basename, relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";

export class FailedFiles implements Reporter {
  /** The option that a run needs to find files that the usual configuration leaves out, such as those that count steps. */
  #option = "";

  onInit({ vite }: Vitest): void {
    const config = basename(vite.config.configFile ?? "");
    if (config !== "vitest.config.ts") this.#option = `--config ${config} `;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.filter((module) => !module.ok()).map(({ moduleId }) => relative(process.cwd(), moduleId));
    if (failed.length === 0) return;
    const command = `npx vitest run ${this.#option}${failed.sort().join(" ")}`;
    console.error(`\nFailed test files. Run them again with:\n  ${command}\n`);
  }
}
