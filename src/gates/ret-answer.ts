/** Answers a requirement from given condition values, in the form in which gates of a program answer. */
import type { GateAnswer, GateTree, Status } from "../base/answers.ts";
import type { Requirement } from "../base/judging.ts";
import type { Truth } from "../base/truth.ts";
import { missingValues } from "./missing.ts";
import { type Code, codeOf, evaluate, outcomeOf, statusOf } from "./requirement.ts";
import { type EvaluateOptions, givenValue, numberedTree, logicOf } from "./ret-evaluate.ts";
import type { RetGate } from "./ret-document.ts";
import type { RetRequirement } from "./ret-json.ts";

/**
 * Answers a gate of a RET document, or a requirement, for given condition values, without a program: the outcome, every part with its value,
 * and the smallest set of conditions that could still open it.
 *
 * @param values - The value of each condition by name. A condition that is absent is unknown.
 *
 * @example
 * ```ts
 * const [gate] = gatesFromJson({ gate_id: "ship", requirement: { Condition: "tested" } });
 * decideGate(gate, {}).outcome; // => "hold"
 * decideGate(gate, { tested: true }).outcome; // => "pass"
 * ```
 */
export function decideGate(
  gate: RetGate | RetRequirement,
  values: Readonly<Record<string, Truth>>,
  options: EvaluateOptions = {},
): GateAnswer {
  const logic = logicOf(options);
  const { name = "", requirement } = "requirement" in gate ? gate : { requirement: gate };
  const { tree, names } = numberedTree(requirement);
  const code = (leaf: number): Code => codeOf(givenValue(values, names[leaf]));
  const told = (part: Requirement): GateTree => {
    const value: Status = statusOf(evaluate(part, logic, code));
    if (part.kind === "leaf")
      return {
        kind: "leaf",
        text: names[part.leaf] ?? "",
        value,
        reason: reasonOf(values, names[part.leaf]),
        evidence: [],
      };
    const min = part.kind === "at least" ? { min: part.min } : {};
    return { kind: part.kind, text: "", value, ...min, items: part.items.map(told) };
  };
  const root = evaluate(tree, logic, code);
  const missing = Array.from(missingValues(tree, logic, code), ([leaf, value]) => ({
    text: names[leaf] ?? "",
    needs: NEEDS[statusOf(value)],
  }));
  return { gate: name, subject: null, outcome: outcomeOf(root), status: statusOf(root), missing, tree: told(tree) };
}

const NEEDS: Readonly<Record<Status, string>> = {
  true: "must be true",
  false: "must be false",
  unknown: "must be known",
};

function reasonOf(values: Readonly<Record<string, Truth>>, name: string = ""): string {
  return Object.hasOwn(values, name) ? `given as ${givenValue(values, name) ?? "unknown"}` : "not given";
}
