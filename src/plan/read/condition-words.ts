/** How a condition reads its evidence, in the words that authors write: `latest … by … per …`, `at least 2 of all …`. */
import type { Reading } from "../../base/judging.ts";
import type { ConditionPlan, PlanExpr } from "../plan.ts";

/**
 * Returns a condition as an author writes it, `c.ok from latest c: Check(…) by c.at`. `evidence` names what it looks at, and
 * `write` writes its expressions.
 */
export function conditionWords(
  { reading, test, asked, by, per }: ConditionPlan,
  evidence: string,
  write: (expr: PlanExpr) => string,
): string {
  const written = (before: string, expr: PlanExpr | undefined): string =>
    expr === undefined ? "" : `${before}${write(expr)}`;
  const asks = asked?.text ?? written("", test);
  switch (reading.kind) {
    case "test":
      return asks;
    case "exists":
      return `${reading.negated ? "no" : "exists"} ${evidence}`;
    case "quorum":
      return `at least ${reading.min} of ${reading.closed ? "all " : ""}${evidence} : ${asks}`;
    default:
      return `${asks} from ${evidenceWord(reading)}${evidence}${written(" by ", by)}${written(" per ", per)}`;
  }
}

/** Returns the word before the evidence. Facts that must agree have none. */
function evidenceWord(reading: Exclude<Reading, { kind: "test" | "exists" | "quorum" }>): string {
  if (reading.kind === "newest") return reading.over === "agree" ? "latest " : `${reading.over} latest `;
  return reading.kind === "agree" ? "" : `${reading.kind} `;
}
