/** What a session warns of: each thing once for each rule, where the rule is declared. */
import { type Diagnostic, Report } from "../base/diagnostic.ts";
import { factLabel } from "../base/fact-label.ts";
import type { Fact } from "../rete/fact.ts";
import { callWords, type FailedCall } from "../rete/failures.ts";
import type { Program } from "./program.ts";

interface Warned {
  readonly program: Program;
  readonly warnings: Map<string, Diagnostic>;
}

export function noteDivision({ program, warnings }: Warned, rules: readonly string[], fact: Fact | undefined): void {
  for (const rule of rules) {
    const declared = program.checked.symbols.rules.get(rule);
    if (warnings.has(rule) || declared === undefined) continue;
    const report = new Report(declared.source);
    const seen = fact === undefined ? "" : ` for ${factLabel(fact.id)}`;
    const hint = "first test that the divisor is not 0";
    report.warning("W501", declared.span, `rule "${rule}" divides by zero${seen}, and the result is unknown`, hint);
    for (const diagnostic of report.diagnostics) warnings.set(rule, diagnostic);
  }
}

/** Once for each rule and function; a rule that came later may share a test that has failed. */
export function noteFailure({ program, warnings }: Warned, rules: readonly string[], call: FailedCall): void {
  for (const rule of rules) {
    const key = `${call.function} in ${rule}`;
    const declared = warnings.has(key) ? undefined : declarationOf(program, rule);
    if (declared === undefined) continue;
    const report = new Report(declared.source);
    const words = callWords(call.function, call.args, call.how);
    report.warning("E521", declared.span, `${words}, so the test that calls it is unknown`, call.hint);
    for (const diagnostic of report.diagnostics) warnings.set(key, diagnostic);
  }
}

/** Where a rule, or what judges, is declared. */
function declarationOf({ checked }: Program, name: string): Pick<Declared, "source" | "span"> | undefined {
  const { rules, gates, flows, guardians, pipelines, queries } = checked.symbols;
  const rule = rules.get(name) ?? queries.get(name.replace(/^\0query /u, ""));
  if (rule !== undefined) return rule;
  const [, kind, own = ""] = /^(gate|flow|guardian|pipeline) "([^]*?)"/u.exec(name) ?? [];
  switch (kind) {
    case "gate":
      return gates.get(own);
    case "flow":
      return flows.get(own);
    case "guardian":
      return guardians.get(own);
    default:
      return pipelines.get(own);
  }
}

type Declared = NonNullable<ReturnType<Program["checked"]["symbols"]["rules"]["get"]>>;
