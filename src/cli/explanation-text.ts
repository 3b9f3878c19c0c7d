/** Explanations as text for a terminal. */
import { type Explanation, textTree, type WhyNot, whyNotNotes } from "../index.ts";
import type { Paint } from "./paint.ts";
import { visible } from "./visible.ts";

const COLORS = { headline: "bold", line: "faint", true: "green", false: "red", unknown: "yellow" } as const;

/** Returns the headline and the tree; for a rule that does not fire also the suggested changes. See {@link whyNotNotes} for `option`. */
export function explanationText(explanation: Explanation | WhyNot, paint: Paint, option = ""): string {
  const tree = textTree(visibleStep(explanation), (what, words) => paint(COLORS[what], words));
  const notes = "remedies" in explanation ? whyNotNotes(explanation, option) : [];
  return notes.length === 0 ? tree : `${tree}\n${notes.map(visible).join("\n")}\n`;
}

/** Returns a step whose texts cannot steer a terminal. */
function visibleStep(step: Explanation): Explanation {
  return { ...step, upward_rationale: visible(step.upward_rationale), children: step.children.map(visibleStep) };
}
