/** A run as events: one JSON object per line, in the order things happen. */
import type { Decision, GateAnswer, Maybe, VerdictAnswer } from "../../index.ts";
import type { RuleCount } from "./summary.ts";
import type { RunView } from "./view.ts";

export function jsonView(out: (text: string) => void): RunView {
  const write = (event: object): void => out(`${JSON.stringify(event)}\n`);
  return {
    fire: ({ n, rule, bindings }) => write({ event: "fire", n, rule, bindings: withNulls(bindings) }),
    reasoning: ({ n, rule }, explanation) => write({ event: "reasoning", of: "fire", n, rule, explanation }),
    effect: ({ n, action, args, rule }) => write({ event: "effect", n, action, args: args.map(orNull), rule }),
    fact: ({ op, id, type, fields, by }) => write({ event: "fact", op, id, type, fields, by }),
    reached: (answer) => write({ ...gateEvent(answer), change: true }),
    judged: (answer) => write({ ...verdictEvent(answer), change: true }),
    decision: (decision) => write(decisionEvent(decision)),
    standing: (gates, verdicts) => {
      for (const answer of gates) write(gateEvent(answer));
      for (const answer of verdicts) write(verdictEvent(answer));
    },
    summary: ({ fired, facts, rules, nodes, shared, end }) =>
      write({
        event: "summary",
        fired,
        facts,
        matches: byRule(rules, "matches"),
        fires: byRule(rules, "fires"),
        nodes,
        shared,
        halted: end === "halted",
      }),
  };
}

/** Without the tree: `sluice decide --json` shows it. */
function gateEvent({ gate, subject, outcome, status, missing }: GateAnswer): object {
  return { event: "gate", gate, subject, outcome, status, missing };
}

function verdictEvent(answer: VerdictAnswer): object {
  return { event: "verdict", ...answer };
}

/** What a gate or guardian said to a rule carries the rule's name; the decision of a pipeline its trace. */
function decisionEvent(decision: Decision): object {
  if ("pipeline" in decision) return { event: "decision", ...decision };
  const { n, rule } = decision;
  if ("gate" in decision) return { ...gateEvent(decision), event: "decision", rule, n };
  const { n: _n, rule: _rule, ...answer } = decision;
  return { ...verdictEvent(answer), event: "decision", rule, n };
}

/** Unknown is null: a name without a value would be left out. */
function withNulls(bindings: Readonly<Record<string, Maybe>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(bindings).map(([name, value]) => [name, orNull(value)]));
}

function orNull(value: Maybe): unknown {
  return value ?? null;
}

function byRule(rules: readonly RuleCount[], what: "matches" | "fires"): Record<string, number> {
  return Object.fromEntries(rules.map((rule) => [rule.rule, rule[what]]));
}
