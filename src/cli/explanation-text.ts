/** Explanations as a person reads them on a terminal. */
import { type Explanation, textTree, type WhyNot, whyNotNotes } from "../index.ts";
import type { Paint } from "./paint.ts";
import { visible } from "./visible.ts";

const COLORS = { headline: "bold", line: "faint", true: "green", false: "red", unknown: "yellow" } as const;

/** The headline, the tree, and for a rule that does not fire what was found besides. */
export function explanationText(explanation: Explanation | WhyNot, paint: Paint): string {
  const tree = textTree(visibleStep(explanation), (what, words) => paint(COLORS[what], words));
  const notes = "remedies" in explanation ? whyNotNotes(explanation) : [];
  return notes.length === 0 ? tree : `${tree}\n${notes.map(visible).join("\n")}\n`;
}

/** Data cannot steer a terminal. */
function visibleStep(step: Explanation): Explanation {
  return { ...step, upward_rationale: visible(step.upward_rationale), children: step.children.map(visibleStep) };
}
