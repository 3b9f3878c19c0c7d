/** What the tests never covered, as text. */
import type { Coverage, TermCoverage } from "../../index.ts";
import type { Paint } from "../paint.ts";
import { readable } from "../readable.ts";
import { visible } from "../visible.ts";

export function coverageText(coverage: Coverage, paint: Paint): string[] {
  const { rules, neverFired, terms, halfTested, outcomes, neverReached } = coverage;
  const width = Math.max(0, ...halfTested.map((term) => termWords(term).length));
  return [
    paint("bold", "coverage"),
    `  rules that fired                ${rules - neverFired.length} of ${rules}`,
    ...neverFired.map((rule) => `    never fired   ${visible(rule)}`),
    `  conditions both true and false  ${terms - halfTested.length} of ${terms}`,
    ...halfTested.map((term) => {
      const words = termWords(term).padEnd(width);
      return `    ${missing(term).padEnd(12)}  ${words}  ${paint("faint", visible(term.rules.join(", ")))}`;
    }),
    ...(outcomes === 0 ? [] : [`  gate outcomes reached           ${outcomes - neverReached.length} of ${outcomes}`]),
    ...neverReached.map(({ gate, outcome }) => `    never ${outcome.padEnd(6)}  ${visible(gate)}`),
  ];
}

function termWords({ type, term }: TermCoverage): string {
  return visible(`${type}(${readable(term)})`);
}

function missing({ seenTrue, seenFalse }: TermCoverage): string {
  if (seenTrue) return "never false";
  return seenFalse ? "never true" : "never known";
}
