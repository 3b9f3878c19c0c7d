/** The warnings of a session: each thing once for each rule, with the place where the rule is declared. */
import { LateMap } from "../base/late.ts";
import { type Diagnostic, warningAt } from "../base/diagnostic.ts";
import { factLabel } from "../base/fact-label.ts";
import type { Fact } from "../rete/fact.ts";
import { callWords, type FailedCall } from "../rete/failures.ts";
import type { RunnableProgram } from "./runnable.ts";

export class Warnings {
  readonly #byKey = new LateMap<string, Diagnostic>();

  get list(): readonly Diagnostic[] {
    return [...this.#byKey.values()];
  }

  /** Adds a division by zero (W501), once for each rule. */
  noteDivision(program: RunnableProgram, rules: readonly string[], fact: Fact | undefined): void {
    for (const rule of rules) {
      const place = this.#byKey.has(rule) ? undefined : program.declaredAt(rule);
      if (place?.isRule !== true) continue;
      const seen = fact === undefined ? "" : ` for ${factLabel(fact.id)}`;
      const hint = "first test that the divisor is not 0";
      const message = `rule "${rule}" divides by zero${seen}, and the result is unknown`;
      this.#byKey.set(rule, warningAt(place, "W501", message, hint));
    }
  }

  /** Adds a host function that failed (E521), once for each rule and function; rules that share a test share its failures. */
  noteFailure(program: RunnableProgram, rules: readonly string[], call: FailedCall): void {
    for (const rule of rules) {
      const key = `${call.function} in ${rule}`;
      const place = this.#byKey.has(key) ? undefined : program.declaredAt(rule);
      if (place === undefined) continue;
      const words = callWords(call.function, call.args, call.how);
      this.#byKey.set(key, warningAt(place, "E521", `${words}, so the test that calls it is unknown`, call.hint));
    }
  }
}
