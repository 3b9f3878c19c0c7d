/**
 * Turns a plan into the boxes and arrows of a picture.
 *
 * Some things are drawn as people think of them, not as they are built. The facts of a rule's first pattern come from an
 * alpha node or a type, without a join with nothing between. A `not`, `exists` or aggregate over one pattern is one box, and
 * so is a condition. The alternatives of a rule end in one box. The operators of a gate's requirement have boxes. A flow is
 * a state machine of its own, and so is the path of a request through a pipeline.
 */
import type { Plan, PlanNode } from "../../index.ts";
import { Drawing } from "./drawing.ts";
import { JudgeBoxes } from "./judge-boxes.ts";
import { JudgeText } from "./judge-text.ts";
import type { GraphModel, Live } from "./model.ts";
import { NodeIndex } from "./node-index.ts";
import { PatternText } from "./pattern-text.ts";
import { RuleBoxes } from "./rule-boxes.ts";

/** Returns the model of a plan; with `only`, of the parts that these rules depend on. */
export function graphModel(plan: Plan, only: ReadonlySet<string> | undefined, live: Live | undefined): GraphModel {
  const index = new NodeIndex(plan, only);
  const patterns = new PatternText(index, plan);
  const drawing = new Drawing(plan, index, live);
  const rules = new RuleBoxes(drawing, index, patterns, plan);
  const judges = new JudgeBoxes(drawing, index, new JudgeText(index, patterns, plan), plan);
  for (const node of index.nodes) draw(node, rules, judges);
  return drawing.model();
}

function draw(node: PlanNode, rules: RuleBoxes, judges: JudgeBoxes): void {
  switch (node.kind) {
    case "alpha":
      return rules.alpha(node);
    case "join":
      return rules.join(node);
    case "lookup":
      return rules.lookup(node);
    case "filter":
      return rules.filter(node);
    case "let":
      return rules.let(node);
    case "items":
      return rules.items(node);
    case "timer":
      return rules.timer(node);
    case "last":
      return rules.last(node);
    case "aggregate":
      return rules.aggregate(node);
    case "terminal":
      return rules.rule(node);
    case "condition":
      return judges.condition(node);
    case "gate":
      return judges.gate(node);
    case "flow":
      return judges.flow(node);
    case "guardian":
      return judges.guardian(node);
    case "pipeline":
      return judges.pipeline(node);
    case "watch":
      return; // drawn as part of the guardian or pipeline that reads it
  }
}
