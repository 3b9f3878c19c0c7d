/** One line of a check, looked at again: its outcome, the values it saw, and what is below it. */
import { not, type Truth } from "../base/truth.ts";
import type { LineFinding } from "../guardian/line.ts";
import { conditionDrafts } from "./condition.ts";
import { type Chosen, solutions } from "./solve.ts";
import { type Draft, seenWords } from "./step.ts";
import { methodOf, testDraft } from "./tests.ts";
import type { PlainLine } from "./using.ts";
import type { Words } from "./words.ts";
import type { World } from "./world.ts";

export interface Look {
  readonly outcome: Truth;
  readonly seen: readonly string[];
  readonly children: readonly Draft[];
  /** Of a line that is one test. */
  readonly method?: string;
  /** How the line came to its outcome, where it is not by its test: it was let off, or each of so many facts passed. */
  readonly how?: string;
}

/** Undefined when the line speaks of so many facts that they are not looked at again. */
export function lookAt(plain: PlainLine, world: World, subject: Chosen, words: Words): Look | undefined {
  if (plain.each.length === 0) return lookOnce(plain, world, subject, words);
  let count = 0;
  let unknown: Chosen | undefined;
  let only: Chosen | undefined;
  for (const chosen of solutions(plain.each, world, subject)) {
    count += 1;
    only = chosen;
    if (count > MOST_FACTS) return undefined;
    const { outcome } = lookOnce(plain, world, chosen, words);
    if (outcome === false) return lookAtFact(plain, world, subject, chosen, words);
    if (outcome === undefined) unknown ??= chosen;
  }
  const told = unknown ?? (count === 1 ? only : undefined);
  if (told !== undefined) return lookAtFact(plain, world, subject, told, words);
  const types = plain.each.map(({ type }) => type).join(" with ");
  if (count === 0) return lookAtNone(plain, types, world, subject, words);
  const how = `each of the ${count} ${types} facts passes`;
  return { outcome: true, seen: [how], children: [], how };
}

const MOST_FACTS = 1_000;

/** The fact that decides, with its pattern, then the line for it. */
function lookAtFact(plain: PlainLine, world: World, subject: Chosen, chosen: Chosen, words: Words): Look {
  const { each } = plain;
  const patterns = conditionDrafts(each, each.length, subject, chosen, { world, words, fixed: new Map() });
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
  const none = `there is no ${types} for it`;
  const limits = plain.limits.filter(({ apart }) => apart);
  const off = lookOnce({ ...plain, limits }, world, subject, words).lifted;
  return off === undefined
    ? { outcome: undefined, seen: [none], children: [] }
    : { outcome: true, seen: [...off.seen, none], children: [off], how: letOff(off) };
}

function lookOnce(plain: PlainLine, world: World, chosen: Chosen, words: Words): Look & { readonly lifted?: Draft } {
  const place = { world, chosen, own: undefined };
  const limits = plain.limits.map(({ kind, test }) => ({ kind, draft: testDraft(test, place, words) }));
  const own = testDraft(plain.test, place, words);
  const wanted = plain.line.polarity === "forbid" ? not(own.outcome) : own.outcome;
  const lifts = limits.map(({ kind, draft }) => (kind === "unless" ? draft.outcome : not(draft.outcome)));
  const all = [...lifts, wanted];
  const outcome = all.includes(true) ? true : all.includes(undefined) ? undefined : false;
  const isLeaf = plain.each.length === 0 && limits.length === 0 && own.children.length === 0;
  const children = isLeaf ? [] : [...limits.map(({ draft }) => draft), own];
  const lifted = limits[lifts.indexOf(true)]?.draft;
  if (lifted !== undefined) return { outcome, seen: lifted.seen, children, how: letOff(lifted), lifted };
  return { outcome, seen: own.seen, children, ...(isLeaf ? { method: methodOf(plain.test) } : {}) };
}

function letOff({ text, outcome }: Draft): string {
  return `${text} ${outcome === true ? "holds" : "does not hold"}, which lets it off`;
}

export function lineWords(text: string, { outcome, seen, how }: Look, { reasons }: LineFinding): string {
  const head = seen.length === 0 || seen[0] === how ? "" : `${seenWords(seen)}; `;
  if (how !== undefined) return `${head}${how}, so ${text} passes.`;
  const told = seen.length === 0 ? "" : `${seenWords(seen)}, so `;
  if (outcome === true) return `${told}${text} passes.`;
  const [reason = ""] = reasons;
  if (outcome === false) return `${told}${text} fails (${reason}).`;
  return `${told}it is not known whether ${text} passes, and what is not known does not pass (${reason}).`;
}
