/** Explanations as a tree for a terminal: the headline, then a line for every step that says something new. */
import { factLabel } from "../../base/fact-label.ts";
import type { Explanation, Outcome } from "../tell/step.ts";
import type { WhyNot } from "../tell/why-not.ts";
import { plural } from "../read/words.ts";
import { stepsBelow } from "./fold.ts";

const SIGNS: Readonly<Record<Outcome, string>> = { true: "✓", false: "✗", unknown: "?" };

/** Colours the signs, the headline and the lines of a text tree. */
export type PaintStep = (what: Outcome | "headline" | "line", words: string) => string;

/**
 * Renders an explanation as a tree for a terminal: the headline, then one line for each step. A step that only repeats a
 * part of the line above it has no line of its own.
 *
 * @example
 * ```ts
 * const session = compile('type Person(#id: string, age: number) rule "adult" { when p: Person(age >= 18) then log(p.id) }').session();
 * session.assert("Person", { id: "p1", age: 12 });
 * console.log(textTree(session.whyNot("adult")));
 * ```
 */
export function textTree(explanation: Explanation, paint: PaintStep = (_, words) => words): string {
  const lines = [paint("headline", explanation.upward_rationale)];
  if (explanation.children.length > 0) lines.push("");
  for (const [index, child] of explanation.children.entries()) {
    branch(child, "", index === explanation.children.length - 1, lines, paint);
  }
  return `${lines.join("\n")}\n`;
}

function branch(step: Explanation, before: string, last: boolean, lines: string[], paint: PaintStep): void {
  const fork = paint("line", `${before}${last ? "└─ " : "├─ "}`);
  const text = step.upward_rationale.replaceAll("\n", " ");
  lines.push(`${fork}${paint(step.outcome, SIGNS[step.outcome])} ${text}`);
  const below = stepsBelow(step);
  for (const [index, child] of below.entries()) {
    branch(child, `${before}${last ? "   " : "│  "}`, index === below.length - 1, lines, paint);
  }
}

/**
 * Returns lines with what a `whyNot` answer knows besides its tree: how far facts get, which come near, and what would
 * help. `option` comes before the name of a query's parameter that needs a value, such as `--fact `.
 */
export function whyNotNotes(answer: WhyNot, option = ""): string[] {
  const { lacks = [] } = answer;
  if (lacks.length > 0) return ["What would help", ...lacks.map((name) => `  give it a value: ${option}${name}=…`)];
  if (answer.hindrance !== "no match") return [];
  const { prefixes, nearest, remedies, looked, complete, stopped } = answer;
  const far = prefixes.map(({ element, matches }) => `  ${countWords(matches, complete)}  ${element}`);
  const near = nearest.map((fact) => `  ${factLabel(fact.id)}  ${nearWords(fact)}`);
  const help =
    remedies.length === 0
      ? ["  nothing was found within 3 changes"]
      : remedies.map(({ words }, index) => `  ${index === 0 ? "" : "or "}${words}`);
  return [
    "What would help",
    ...help,
    ...(stopped === undefined ? [] : [`  ${stopped}: there may be others`]),
    ...(near.length === 0 ? [] : ["", "Closest facts", ...near]),
    ...(far.length === 0 ? [] : ["", "Matches after each part", ...far]),
    "",
    `${plural(looked, "fact")} checked${complete ? "" : unfollowed(stopped)}`,
  ];
}

/** Returns the tests that are not true of a fact: `fails age > 90; email like "%@x" is unknown`. */
function nearWords({ failing, unknown }: WhyNot["nearest"][number]): string {
  const failed = failing.filter((test) => !unknown.includes(test));
  return [
    ...(failed.length === 0 ? [] : [`fails ${failed.join(" and ")}`]),
    ...(unknown.length === 0 ? [] : [`${unknown.join(" and ")} ${unknown.length === 1 ? "is" : "are"} unknown`]),
  ].join("; ");
}

/** Returns a note that more partial matches may exist than were counted. */
function unfollowed(stopped: string | undefined): string {
  return `; ${stopped ?? "there were too many partial matches to follow all of them"}`;
}

function countWords(matches: number, complete: boolean): string {
  const more = !complete && matches > 0 ? "+" : "";
  return `${matches.toLocaleString("en")}${more}`.padStart(7);
}
