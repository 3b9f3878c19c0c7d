/**
 * The words of `not` and `exists`: what was found, what is there although it must not be, and what is not there.
 *
 * A phrase names what was looked for with the values of earlier variables, so that it is true without the program.
 */
import { factLabel } from "../../base/fact-label.ts";
import { FLIPPED } from "../../base/comparator.ts";
import { dependsOnFact } from "../read/candidates.ts";
import { type Chosen, chosenFor } from "../read/chosen.ts";
import { evaluate } from "../read/evaluate.ts";
import type { AbsencePart, PatternPart } from "../read/parts.ts";
import type { Words } from "../read/words.ts";
import type { World } from "../read/world.ts";
import { shown } from "./shown.ts";

interface WordsContext {
  readonly world: World;
  readonly words: Words;
}

export function foundWords(part: AbsencePart, found: Chosen): string {
  const ids = part.parts.flatMap((one) => (one.kind === "pattern" ? [chosenFor(found, one)?.id ?? ""] : []));
  return ids.length === 0
    ? "it holds"
    : `${ids
        .filter((id) => id !== "")
        .map(factLabel)
        .join(" with ")} exists`;
}

/** Returns what is there although it must not be: `there is a Hold with order == "o1" (Hold o1)`. */
export function presentWords(part: AbsencePart, found: Chosen, chosen: Chosen, context: WordsContext): string {
  const [first, second, third] = part.parts;
  const fact = first?.kind === "pattern" ? chosenFor(found, first) : undefined;
  if (first?.kind !== "pattern" || fact === undefined || third !== undefined) return foundWords(part, found);
  const there = `there is ${article(first.type)} ${wantedWords(first, chosen, context)} (${factLabel(fact.id)})`;
  if (second === undefined) return there;
  const [inner, more] = second.kind === "absence" && second.quantifier === "not" ? second.parts : [];
  if (inner?.kind !== "pattern" || more !== undefined) return foundWords(part, found);
  return `${there} that has no ${wantedWords(inner, found, context)}`;
}

function article(noun: string): string {
  return /^[aeiou]/iu.test(noun) ? "an" : "a";
}

export function absentWords(part: AbsencePart, chosen: Chosen, context: WordsContext): string {
  const { world } = context;
  const types = part.parts.flatMap((one) => (one.kind === "pattern" ? [one.type] : []));
  if (types.length === 0) return "it does not hold";
  const missing = types.find((type) => world.count(type) === 0);
  if (missing !== undefined) return `there are no ${missing} facts`;
  const [only, second] = part.parts;
  if (only?.kind !== "pattern" || second !== undefined) return noneMatches(types, world);
  return `no ${wantedWords(only, chosen, context)} (${world.count(only.type).toLocaleString("en")} checked)`;
}

export function noneMatches(types: readonly string[], world: World): string {
  const [type = "", second] = types;
  const checked = second === undefined ? ` (${world.count(type).toLocaleString("en")} checked)` : "";
  return `no ${types.join(" with ")} matches${checked}`;
}

/** The tests that are written as a window after the pattern. */
const WINDOWS: ReadonlySet<string | undefined> = new Set(["within", "last"]);

/** Returns what a pattern looks for, with the values of earlier variables: `Welcome with who == "p2"`. */
function wantedWords(part: PatternPart, chosen: Chosen, { world, words }: WordsContext): string {
  const scope = { world, chosen, ownFact: undefined };
  const tests = (part.element?.tests ?? []).map((test) => {
    if (test.kind !== "compare") return words.expression(test);
    const [ownSide, other] = dependsOnFact(test.left, part, world) ? [test.left, test.right] : [test.right, test.left];
    const value = dependsOnFact(other, part, world) ? undefined : evaluate(other, scope);
    if (value === undefined || !dependsOnFact(ownSide, part, world)) return words.expression(test);
    const by = ownSide === test.left ? test.op : FLIPPED[test.op];
    return `${words.expression(ownSide)} ${by} ${shown(value, scope)}`;
  });
  const window = WINDOWS.has(part.element?.tests.at(-1)?.kind) ? ` ${tests.pop() ?? ""}` : "";
  return `${part.type}${tests.length === 0 ? "" : ` with ${tests.join(" and ")}`}${window}`;
}

/** Returns the end of the sentence about what a `not` found. */
export function ruledOut({ parts }: AbsencePart, text: string): string {
  return parts.some(({ kind }) => kind === "pattern") ? ", and there must be none" : `, which ${text} rules out`;
}
