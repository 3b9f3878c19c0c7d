/** A reporter that says, when the run is stopped from outside, which test files had not ended. */
import { writeSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

export class Running implements Reporter {
  readonly #files = new Set<string>();

  onInit(): void {
    process.prependOnceListener("SIGTERM", () => {
      const files = [...this.#files].sort().join(", ");
      writeSync(process.stderr.fd, `\nstopped; still running: ${files === "" ? "no test file" : files}\n`);
    });
  }

  onTestModuleQueued({ relativeModuleId }: TestModule): void {
    this.#files.add(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#files.delete(relativeModuleId);
  }
}
