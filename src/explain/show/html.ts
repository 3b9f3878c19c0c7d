/** Explanations as a page whose steps fold and unfold: one file, no script, no external resources. */
import { printable } from "../../base/printable.ts";
import type { Explanation } from "../tell/step.ts";
import { stepsBelow } from "./fold.ts";
import { whyNotNotes } from "./text-tree.ts";
import type { WhyNot } from "../tell/why-not.ts";

const SIGNS = { true: "✓", false: "✗", unknown: "?" } as const;
const SPOKEN = { true: "holds", false: "does not hold", unknown: "is not known" } as const;

/**
 * Renders an explanation as one HTML page without scripts, whose steps fold and unfold.
 *
 * @param more - Lines to show below the tree. The notes of a `whyNot` answer are shown there too.
 */
export function toHtml(explanation: Explanation | WhyNot, more: readonly string[] = []): string {
  const notes = [...("remedies" in explanation ? whyNotNotes(explanation) : []), ...more];
  const headline = escaped(explanation.upward_rationale);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${headline}</title>
<style>
${STYLE}
</style>
</head>
<body>
<main>
<h1>${headline}</h1>
<ul class="tree">
${explanation.children.map((child) => item(child)).join("\n")}
</ul>
${notes.length === 0 ? "" : `<pre>${escaped(notes.join("\n"))}</pre>`}
</main>
</body>
</html>
`;
}

/** Returns a step. Steps that hold are closed below the first level, all others are open. */
function item(step: Explanation): string {
  const sign = `<span class="sign ${step.outcome}" role="img" aria-label="${SPOKEN[step.outcome]}">${SIGNS[step.outcome]}</span>`;
  const line = `${sign} <span>${escaped(step.upward_rationale)}</span>`;
  const below = stepsBelow(step);
  if (below.length === 0) {
    return `<li class="leaf" title="${escaped(step.downward_rationale)}">${line}</li>`;
  }
  const open = step.depth < 2 || step.outcome !== "true" ? " open" : "";
  const children = below.map((child) => item(child)).join("\n");
  return `<li><details${open}><summary title="${escaped(step.downward_rationale)}">${line}</summary>
<ul>
${children}
</ul></details></li>`;
}

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `:root { color-scheme: light dark; --good: #1a7f37; --bad: #c4232b; --open: #9a6700; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --good: #4ac26b; --bad: #ff7b72; --open: #d4a72c; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem; }
main { max-width: 60rem; margin: 0 auto; }
h1 { font-size: 1.25rem; line-height: 1.4; margin: 0 0 1.5rem; text-wrap: pretty; }
ul { list-style: none; margin: 0; padding-left: 1.5rem; border-left: 1px solid var(--line); }
ul.tree { padding-left: 0; border: 0; }
li { margin: .25rem 0; overflow-wrap: anywhere; }
li.leaf { padding-left: 2.3rem; text-indent: -1.15rem; }
summary { cursor: pointer; border-radius: .25rem; padding-left: 2.3rem; text-indent: -2.3rem; }
summary:hover, li.leaf:hover { background: #8881; }
summary:focus-visible { outline: 2px solid currentColor; }
.sign { display: inline-block; width: 1.1em; text-indent: 0; text-align: center; font-weight: 700; }
.sign.true { color: var(--good); }
.sign.false { color: var(--bad); }
.sign.unknown { color: var(--open); }
pre { font: 14px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; border-top: 1px solid var(--line); margin: 1.5rem 0 0; padding-top: 1rem; }`;
