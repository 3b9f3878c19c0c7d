/** Where changes go while a batch or a firing collects them; nowhere while nothing does. */
import type { Staging } from "./staging.ts";

export class OpenStaging {
  staging: Staging | undefined = undefined;

  /** Changes that the work asks for go into the staging. */
  collect<Result>(staging: Staging, work: () => Result): Result {
    const outer = this.staging;
    this.staging = staging;
    try {
      return work();
    } finally {
      this.staging = outer;
    }
  }
}
