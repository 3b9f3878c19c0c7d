/** A run as events: one JSON object per line, in the order things happen. */
import type { Decision, FlowAnswer, GateAnswer, Maybe, VerdictAnswer } from "../../index.ts";
import type { RuleCount } from "./summary.ts";
import type { Explained, RunView } from "./view.ts";

export function jsonView(out: (text: string) => void): RunView {
  const write = (event: object): void => out(`${JSON.stringify(event)}\n`);
  return {
    fire: ({ n, rule, bindings }) => write({ event: "fire", n, rule, bindings: withNulls(bindings) }),
    reasoning: (of, explanation) => write({ event: "reasoning", ...reasonedOf(of), explanation }),
    effect: ({ n, action, args, rule }) => write({ event: "effect", n, action, args: args.map(orNull), rule }),
    fact: ({ op, id, type, fields, by }) => write({ event: "fact", op, id, type, fields, by }),
    gate: (answer) => write({ ...gateEvent(answer), change: true }),
    flow: (answer) => write({ ...flowEvent(answer), change: true }),
    verdict: (answer) => write({ ...verdictEvent(answer), change: true }),
    decision: (decision) => write(decisionEvent(decision)),
    outcomes: (gates, verdicts, stages, why) => {
      for (const answer of [...gates, ...stages, ...verdicts]) {
        write(outcomeEvent(answer));
        if (why !== undefined) write({ event: "reasoning", ...reasonedOf(answer), explanation: why(answer) });
      }
    },
    summary: ({ fired, facts, rules, nodes, shared, end, clock }) =>
      write({
        event: "summary",
        fired,
        facts,
        ...(clock === undefined ? {} : { clock }),
        matches: byRule(rules, "matches"),
        fires: byRule(rules, "fires"),
        nodes,
        shared,
        halted: end === "halted",
      }),
  };
}

/** Returns what an explanation is about: the same names as in the event before it. */
function reasonedOf(of: Explained): object {
  if ("flow" in of) return { of: "flow", flow: of.flow, subject: of.subject, stage: of.stage };
  if ("pipeline" in of) return { of: "decision", pipeline: of.pipeline, subject: of.subject };
  const asked = "rule" in of ? { n: of.n, rule: of.rule } : {};
  if ("gate" in of) return { of: "rule" in of ? "decision" : "gate", gate: of.gate, subject: of.subject, ...asked };
  if ("guardian" in of) {
    return { of: "rule" in of ? "decision" : "verdict", guardian: of.guardian, subject: of.subject, ...asked };
  }
  return { of: "fire", ...asked };
}

/** Returns the event of a gate, without the tree, which `sluice decide --json` has. */
function gateEvent({ gate, subject, outcome, status, missing }: GateAnswer): object {
  return { event: "gate", gate, subject, outcome, status, missing };
}

function flowEvent(answer: FlowAnswer): object {
  return { event: "flow", ...answer };
}

function outcomeEvent(answer: GateAnswer | FlowAnswer | VerdictAnswer): object {
  if ("flow" in answer) return flowEvent(answer);
  return "gate" in answer ? gateEvent(answer) : verdictEvent(answer);
}

function verdictEvent(answer: VerdictAnswer): object {
  return { event: "verdict", ...answer };
}

/** Returns the event of a decision: a gate's or guardian's with the rule that asked, a pipeline's with its trace. */
function decisionEvent(decision: Decision): object {
  if ("pipeline" in decision) return { event: "decision", ...decision };
  const { n, rule } = decision;
  if ("gate" in decision) return { ...gateEvent(decision), event: "decision", rule, n };
  const { n: _n, rule: _rule, ...answer } = decision;
  return { ...verdictEvent(answer), event: "decision", rule, n };
}

/** Returns bindings with null for unknown, which JSON would leave out. */
function withNulls(bindings: Readonly<Record<string, Maybe>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(bindings).map(([name, value]) => [name, orNull(value)]));
}

function orNull(value: Maybe): unknown {
  return value ?? null;
}

function byRule(rules: readonly RuleCount[], what: "matches" | "fires"): Record<string, number> {
  return Object.fromEntries(rules.map((rule) => [rule.rule, rule[what]]));
}
