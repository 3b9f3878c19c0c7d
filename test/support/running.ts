/** A reporter that says, when the run is stopped from outside, which test files had not ended. */
import type { Reporter, TestModule } from "vitest/node";

export class Running implements Reporter {
  readonly #files = new Set<string>();

  onInit(): void {
    process.once("SIGTERM", () => {
      const files = [...this.#files].sort().join(", ");
      console.error(`\nstopped; still running: ${files === "" ? "no test file" : files}`);
      process.exit(1);
    });
  }

  onTestModuleQueued({ relativeModuleId }: TestModule): void {
    this.#files.add(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#files.delete(relativeModuleId);
  }
}
