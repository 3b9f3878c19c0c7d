/** The warnings of a session: each thing once for each rule, with the place where the rule is declared. */
import { type Diagnostic, Report } from "../base/diagnostic.ts";
import { factLabel } from "../base/fact-label.ts";
import type { Fact } from "../rete/fact.ts";
import { callWords, type FailedCall } from "../rete/failures.ts";
import type { Program } from "./program.ts";

export class Warnings {
  readonly #byKey = new Map<string, Diagnostic>();

  get list(): readonly Diagnostic[] {
    return [...this.#byKey.values()];
  }

  /** Adds a division by zero (W501), once for each rule. */
  noteDivision({ checked }: Program, rules: readonly string[], fact: Fact | undefined): void {
    for (const rule of rules) {
      const declared = checked.symbols.rules.get(rule);
      if (this.#byKey.has(rule) || declared === undefined) continue;
      const report = new Report(declared.source);
      const seen = fact === undefined ? "" : ` for ${factLabel(fact.id)}`;
      const hint = "first test that the divisor is not 0";
      report.warning("W501", declared.span, `rule "${rule}" divides by zero${seen}, and the result is unknown`, hint);
      this.#add(rule, report);
    }
  }

  /** Adds a host function that failed (E521), once for each rule and function; rules that share a test share its failures. */
  noteFailure(program: Program, rules: readonly string[], call: FailedCall): void {
    for (const rule of rules) {
      const key = `${call.function} in ${rule}`;
      const declared = this.#byKey.has(key) ? undefined : declarationOf(program, rule);
      if (declared === undefined) continue;
      const report = new Report(declared.source);
      const words = callWords(call.function, call.args, call.how);
      report.warning("E521", declared.span, `${words}, so the test that calls it is unknown`, call.hint);
      this.#add(key, report);
    }
  }

  #add(key: string, { diagnostics }: Report): void {
    for (const diagnostic of diagnostics) this.#byKey.set(key, diagnostic);
  }
}

/** Returns where a rule, query, gate, flow, guardian or pipeline is declared. */
function declarationOf({ checked }: Program, name: string): Pick<Declared, "source" | "span"> | undefined {
  const { rules, gates, flows, guardians, pipelines, queries } = checked.symbols;
  const rule = rules.get(name) ?? queries.get(name.replace(/^\0query /u, ""));
  if (rule !== undefined) return rule;
  const [, kind, judge = ""] = /^(gate|flow|guardian|pipeline) "([^]*?)"/u.exec(name) ?? [];
  switch (kind) {
    case "gate":
      return gates.get(judge);
    case "flow":
      return flows.get(judge);
    case "guardian":
      return guardians.get(judge);
    default:
      return pipelines.get(judge);
  }
}

type Declared = NonNullable<ReturnType<Program["checked"]["symbols"]["rules"]["get"]>>;
