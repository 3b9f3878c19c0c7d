/** A difference between the network and the brute-force matcher as text. */
import type { FoundDifference, LabelledFact, ProofChange } from "../../index.ts";
import type { Paint } from "../paint.ts";
import { fieldsText, valueText } from "../value-text.ts";

export function differenceText({ history, difference }: FoundDifference, paint: Paint): string[] {
  const { rule, network, naive, failure } = difference;
  const names = namesOf(history.facts, history.changes);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [paint("bold", title), ...lines.map((line) => `  ${line}`), ""];
  return [
    ...section("facts", history.facts.map(factText)),
    ...section(
      "changes",
      history.changes.map((change, index) => `${index + 1}  ${changeText(change, names)}`),
    ),
    ...(failure === undefined
      ? [
          paint("bold", `rule "${rule}"`),
          ...answer("network              ", network),
          ...answer("brute-force matcher  ", naive),
        ]
      : [`${paint("bold", "the network failed:")} ${failure}`]),
  ];
}

function answer(who: string, matches: readonly string[]): string[] {
  const [first = "no match", ...rest] = matches.map((match) => (match === "" ? "a match without variables" : match));
  return [`  ${who}${first}`, ...rest.map((match) => `  ${" ".repeat(who.length)}${match}`)];
}

function factText({ type, fields }: LabelledFact): string {
  return `${type}(${fieldsText(fields)})`;
}

function changeText(change: ProofChange, names: ReadonlyMap<number, string>): string {
  if (change.is === "assert") return `assert   ${factText(change.fact)}`;
  const name = names.get(change.label) ?? "";
  if (change.is === "retract") return `retract  ${name}`;
  const value = change.value === null ? "missing" : valueText(change.value);
  return `update   ${name}: ${change.field} = ${value}`;
}

/** Returns short names of the facts, by their labels: the type and the first two fields. */
function namesOf(facts: readonly LabelledFact[], changes: readonly ProofChange[]): Map<number, string> {
  const asserted = changes.flatMap((change) => (change.is === "assert" ? [change.fact] : []));
  return new Map([...facts, ...asserted].map((fact) => [fact.label, shortText(fact)]));
}

function shortText({ type, fields }: LabelledFact): string {
  const entries = Object.entries(fields);
  const shown = fieldsText(Object.fromEntries(entries.slice(0, 2)));
  return `${type}(${shown}${entries.length > 2 ? ", …" : ""})`;
}
