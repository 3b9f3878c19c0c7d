/** One line of a check, looked at again: its outcome, the values it saw, and what is below it. */
import { not, type Truth } from "../../base/truth.ts";
import type { LineFinding } from "../../guardian/line.ts";
import { conditionDrafts } from "./condition.ts";
import { truthAndFailed, truth } from "../read/evaluate.ts";
import { type Finding, findings } from "../read/judge.ts";
import { type Chosen, chosenFor } from "../read/chosen.ts";
import { type Draft, seenWords } from "./step.ts";
import { doubtWords, methodOf, testDraft } from "./tests.ts";
import type { PlainLine } from "../read/using.ts";
import type { Words } from "./words.ts";
import type { World } from "../read/world.ts";

export interface Look {
  readonly outcome: Truth;
  readonly seen: readonly string[];
  readonly children: readonly Draft[];
  /** Of a line that is one test. */
  readonly method?: string;
  /** How the line came to its outcome, where it is not by its test: it was let off, or each of so many facts passed. */
  readonly how?: string;
}

/**
 * Undefined when the line speaks of so many facts that they are not looked at again. `threw`: a function failed, so the first
 * fact is told for which one does.
 */
export function lookAt(plain: PlainLine, world: World, subject: Chosen, words: Words, threw = false): Look | undefined {
  if (plain.each.length === 0) return lookOnce(plain, world, subject, words);
  let count = 0;
  let unknown: Finding | undefined;
  let only: Finding | undefined;
  for (const found of findings(plain.each, world, subject)) {
    count += 1;
    if (count > MOST_FACTS) return undefined;
    if (found.gap !== undefined) return inDoubt(plain, found, world, words);
    only = found;
    if (threw) {
      if (fails(plain, found, world)) return lookAtFact(plain, world, subject, found, words);
      continue;
    }
    const outcome = found.sure ? lookOnce(plain, world, found.chosen, words).outcome : undefined;
    if (outcome === false) return lookAtFact(plain, world, subject, found, words);
    if (outcome === undefined) unknown ??= found;
  }
  const told = unknown ?? (count === 1 ? only : undefined);
  if (told !== undefined) return lookAtFact(plain, world, subject, told, words);
  const types = plain.each.map(({ type }) => type).join(" with ");
  if (count === 0) return lookAtNone(plain, types, world, subject, words);
  const how = `each of the ${count} ${types} facts passes`;
  return { outcome: true, seen: [how], children: [], how };
}

/** Whether a function fails for what was found: in the tests that say whether it counts, or in the line. */
function fails(plain: PlainLine, { chosen, sure }: Finding, world: World): boolean {
  const tests = sure ? [...plain.limits.map(({ test }) => test), plain.test] : [];
  const fit = plain.each.flatMap((part) =>
    sure ? [] : [...part.tests, ...part.early].map((test) => ({ test, part })),
  );
  return [
    ...tests.map((test) => ({ test, ownFact: undefined })),
    ...fit.map(({ test, part }) => ({ test, ownFact: chosenFor(chosen, part) })),
  ].some(({ test, ownFact }) => truthAndFailed(world, () => truth(test, { world, chosen, ownFact })).failed);
}

/** It is not known what to look at. */
function inDoubt({ each }: PlainLine, doubt: Finding, world: World, words: Words): Look {
  return { outcome: undefined, seen: [doubtWords(each, doubt, world, words)], children: [] };
}

const MOST_FACTS = 1_000;

/** The fact that decides, with its pattern, then the line for it. */
function lookAtFact(plain: PlainLine, world: World, subject: Chosen, found: Finding, words: Words): Look {
  const { each } = plain;
  const { chosen } = found;
  const patterns = conditionDrafts(each, each.length, subject, chosen, { world, words, fixed: new Map() });
  if (!found.sure) return { ...inDoubt(plain, found, world, words), children: patterns };
  const look = lookOnce(plain, world, chosen, words);
  const spoken = look.seen.join(" ");
  const facts = patterns.flatMap(({ seen }, index) => {
    const name = each[index]?.variable ?? "";
    return spoken.includes(`${name}.`) ? seen.slice(0, 1) : [];
  });
  return { ...look, seen: [...facts, ...look.seen], children: [...patterns, ...look.children] };
}

/** Nothing to look at is unknown, unless a limit lets the line off. */
function lookAtNone(plain: PlainLine, types: string, world: World, subject: Chosen, words: Words): Look {
  const none = `no ${types} for it`;
  const limits = plain.limits.filter(({ withoutFacts: apart }) => apart);
  const off = lookOnce({ ...plain, limits }, world, subject, words).lifted;
  return off === undefined
    ? { outcome: undefined, seen: [none], children: [] }
    : { outcome: true, seen: [...off.seen, none], children: [off], how: letOff(off) };
}

function lookOnce(plain: PlainLine, world: World, chosen: Chosen, words: Words): Look & { readonly lifted?: Draft } {
  const scope = { world, chosen, ownFact: undefined };
  const limits = plain.limits.map(({ kind, test }) => ({ kind, draft: testDraft(test, scope, words) }));
  const tested = testDraft(plain.test, scope, words);
  const wanted = plain.line.polarity === "forbid" ? not(tested.outcome) : tested.outcome;
  const lifts = limits.map(({ kind, draft }) => (kind === "unless" ? draft.outcome : not(draft.outcome)));
  const all = [...lifts, wanted];
  const outcome = all.includes(true) ? true : all.includes(undefined) ? undefined : false;
  const isLeaf = plain.each.length === 0 && limits.length === 0 && tested.children.length === 0;
  const children = isLeaf ? [] : [...limits.map(({ draft }) => draft), tested];
  const lifted = limits[lifts.indexOf(true)]?.draft;
  if (lifted !== undefined) return { outcome, seen: lifted.seen, children, how: letOff(lifted), lifted };
  return { outcome, seen: tested.seen, children, ...(isLeaf ? { method: methodOf(plain.test) } : {}) };
}

function letOff({ text, outcome }: Draft): string {
  return `${text} ${outcome === true ? "holds" : "does not hold"}, which exempts it`;
}

export function lineWords(text: string, { outcome, seen, how }: Look, { reasons, state }: LineFinding): string {
  const [reason = "", why = "a function failed"] = reasons;
  if (state === "threw") {
    const told = seen.length === 0 || why.includes(seenWords(seen)) ? "" : `${seenWords(seen)}; `;
    return `${told}${why}, so ${text} does not pass (${reason}).`;
  }
  const head = seen.length === 0 || seen[0] === how ? "" : `${seenWords(seen)}; `;
  if (how !== undefined) return `${head}${how}, so ${text} passes.`;
  const told = seen.length === 0 ? "" : `${seenWords(seen)}, so `;
  if (outcome === true) return `${told}${text} passes.`;
  if (outcome === false) return `${told}${text} fails (${reason}).`;
  return `${told}${text} is unknown, and unknown does not pass (${reason}).`;
}
