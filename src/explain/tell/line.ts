/** Evaluates one line of a check again: its outcome, the values it read, and the steps below it. */
import { not, type Truth } from "../../base/truth.ts";
import type { LineFinding } from "../../guardian/line.ts";
import { conditionDrafts } from "./condition.ts";
import { truth } from "../read/evaluate.ts";
import { truthAndFailed } from "../read/failure.ts";
import { type Finding, findings } from "../read/judge.ts";
import { type Chosen, chosenFor } from "../read/chosen.ts";
import type { Draft, Reason } from "../read/draft.ts";
import { clauseOf, reasonsOf } from "./headline.ts";
import { holds, sentence } from "./operators.ts";
import { seenWords } from "./step.ts";
import { doubtWords, methodOf, testDraft } from "./tests.ts";
import type { PlainLine } from "../read/using.ts";
import type { Words } from "../read/words.ts";
import type { World } from "../read/world.ts";

export interface Evaluation {
  readonly outcome: Truth;
  readonly seen: readonly string[];
  readonly children: readonly Draft[];
  /** The step of the test, for a line that is a single test and has no steps below it. */
  readonly single?: Draft;
  /** The reasons of the test, for a headline; absent when what was observed says it best. */
  readonly reasons?: readonly Reason[];
  /** The operator of a line that is a single test. */
  readonly method?: string;
  /**
   * How the line got its outcome when its test did not decide: a limit let it pass, or each of several facts passed.
   */
  readonly how?: string;
}

/**
 * Returns the evaluation of a line; undefined when it tests more than `MAX_FACTS` facts. With `threw`, the fact is
 * explained for which a function fails.
 */
export function evaluateLine(
  plain: PlainLine,
  world: World,
  subject: Chosen,
  words: Words,
  threw = false,
): Evaluation | undefined {
  if (plain.each.length === 0) return evaluateOnce(plain, world, subject, words);
  let count = 0;
  let unknown: Finding | undefined;
  let only: Finding | undefined;
  for (const found of findings(plain.each, world, subject)) {
    count += 1;
    if (count > MAX_FACTS) return undefined;
    if (found.gap !== undefined) return evaluateInDoubt(plain, found, world, words);
    only = found;
    if (threw) {
      if (fails(plain, found, world)) return evaluateForFact(plain, world, subject, found, words);
      continue;
    }
    const outcome = found.sure ? evaluateOnce(plain, world, found.chosen, words).outcome : undefined;
    if (outcome === false) return evaluateForFact(plain, world, subject, found, words);
    if (outcome === undefined) unknown ??= found;
  }
  const deciding = unknown ?? (count === 1 ? only : undefined);
  if (deciding !== undefined) return evaluateForFact(plain, world, subject, deciding, words);
  const types = plain.each.map(({ type }) => type).join(" with ");
  if (count === 0) return evaluateWithoutFacts(plain, types, world, subject, words);
  const how = `each of the ${count} ${types} facts passes`;
  return { outcome: true, seen: [how], children: [], how };
}

/** Returns whether a function fails for a finding: in the tests of the patterns, or in the line. */
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

/** Returns the evaluation of a line whose facts cannot be looked up. */
function evaluateInDoubt({ each }: PlainLine, doubt: Finding, world: World, words: Words): Evaluation {
  return { outcome: undefined, seen: [doubtWords(each, doubt, world, words)], children: [] };
}

const MAX_FACTS = 1_000;

/** Returns the draft of the fact that decides, followed by the line for it. */
function evaluateForFact(plain: PlainLine, world: World, subject: Chosen, found: Finding, words: Words): Evaluation {
  const { each } = plain;
  const { chosen } = found;
  const patterns = conditionDrafts(each, each.length, subject, chosen, { world, words, fixed: new Map() });
  if (!found.sure) return { ...evaluateInDoubt(plain, found, world, words), children: patterns };
  const evaluation = evaluateOnce(plain, world, chosen, words);
  const spoken = evaluation.seen.join(" ");
  const facts = patterns.flatMap(({ seen }, index) => {
    const name = each[index]?.variable ?? "";
    return spoken.includes(`${name}.`) ? seen.slice(0, 1) : [];
  });
  return { ...evaluation, seen: [...facts, ...evaluation.seen], children: [...patterns, ...evaluation.children] };
}

/** Returns the evaluation of a line without facts to test: unknown, unless a limit lets it pass. */
function evaluateWithoutFacts(
  plain: PlainLine,
  types: string,
  world: World,
  subject: Chosen,
  words: Words,
): Evaluation {
  const none = `no ${types} for it`;
  const saysNone = (words: string): boolean =>
    words === `no ${types} matches` || words === `there are no ${types} facts`;
  const limits = plain.limits.filter(({ withoutFacts: apart }) => apart);
  const off = evaluateOnce({ ...plain, limits }, world, subject, words).lifted;
  return off === undefined
    ? { outcome: undefined, seen: [none], children: [] }
    : { outcome: true, seen: off.seen.some(saysNone) ? off.seen : [...off.seen, none], children: [off], how: off.how };
}

function evaluateOnce(
  plain: PlainLine,
  world: World,
  chosen: Chosen,
  words: Words,
): Evaluation & { readonly lifted?: LimitDraft } {
  const scope = { world, chosen, ownFact: undefined };
  const limits = plain.limits.map(({ kind, test }) => ({
    kind,
    draft: limitDraft(kind, testDraft(test, scope, words)),
  }));
  const tested = testDraft(plain.test, scope, words);
  const wanted = plain.line.polarity === "forbid" ? not(tested.outcome) : tested.outcome;
  const lifts = limits.map(({ kind, draft }) => (kind === "unless" ? draft.outcome : not(draft.outcome)));
  const all = [...lifts, wanted];
  const outcome = all.includes(true) ? true : all.includes(undefined) ? undefined : false;
  const isLeaf = plain.each.length === 0 && limits.length === 0 && tested.children.length === 0;
  const children = isLeaf ? [] : [...limits.map(({ draft }) => draft), tested];
  const lifted = limits[lifts.indexOf(true)]?.draft;
  if (lifted !== undefined) return { outcome, seen: lifted.seen, children, how: lifted.how, lifted };
  const reasons = tested.outcome === undefined ? {} : { reasons: reasonsOf(tested) };
  return {
    outcome,
    seen: tested.seen,
    ...reasons,
    children,
    ...(isLeaf ? { method: methodOf(plain.test), single: tested } : {}),
  };
}

/** The step of a `when` or `unless`, and how it lets the line pass when it does. */
interface LimitDraft extends Draft {
  readonly how: string;
}

/** Returns the step of a limit. It is no requirement: its sentence says whether the line or the exception applies. */
export function limitDraft(kind: "when" | "unless", draft: Draft): LimitDraft {
  const what = kind === "when" ? "the line" : "the exception";
  const { outcome, text, method } = draft;
  const seen = draft.seen.length === 0 ? [`${text} ${holds(outcome === true)}`] : draft.seen;
  const result = outcome === undefined ? `it is unknown whether ${what} applies` : `${what} ${applies(outcome)}`;
  const isPresence = method === "is missing" || method === "is present"; // its reason says what must be
  return {
    ...draft,
    up: sentence(seen, result, ", so "),
    ...(isPresence ? { reasons: [{ words: seenWords(seen) }] } : {}),
    how: kind === "when" ? "the line does not apply" : "the exception applies",
  };
}

function applies(outcome: boolean): string {
  return outcome ? "applies" : "does not apply";
}

/** Returns why a line does not pass, for a headline: its own sentence, when it has one. */
export function lineReasons(
  text: string,
  { outcome, seen, reasons }: Evaluation,
  { reasons: told, state, sentence: own }: LineFinding,
): readonly Reason[] {
  if (own !== undefined) return [{ words: insideSentence(own), whole: true }];
  const [reason = "", why = "a function failed"] = told;
  if (state === "threw") return [{ words: `${why}, so ${text} does not pass (${reason})` }];
  const [first, ...others] = reasons ?? [{ words: seenWords(seen) }];
  if (first === undefined || outcome === true) return [];
  if (outcome === false) return [{ words: `${first.words} (${reason})` }, ...others];
  return [{ words: `${first.words}, and unknown does not pass (${reason})` }, ...others];
}

/** Returns a sentence as the end of another one: a first word that is no name loses its capital. */
export function insideSentence(sentence: string): string {
  return clauseOf(sentence).replace(PLAIN_WORDS, (word) => word.toLowerCase());
}

/** Words that begin a sentence, and are no names. */
const PLAIN_WORDS =
  /^(?:A|An|The|This|That|These|Those|There|It|Its|Only|No|None|Nobody|Nothing|Not|At|Each|Every|All|Both|Some|More|Fewer|Too|You|Your|We|Our)(?![\p{L}\p{N}_'’-])/u;

export function lineWords(
  text: string,
  { outcome, seen, how }: Evaluation,
  { reasons, state, sentence: own }: LineFinding,
): string {
  const [reason = "", why = "a function failed"] = reasons;
  if (own !== undefined) return `${insideSentence(own)}${own.includes(`(${reason})`) ? "" : ` (${reason})`}.`;
  if (state === "threw") {
    const observed = seen.length === 0 || why.includes(seenWords(seen)) ? "" : `${seenWords(seen)}; `;
    return `${observed}${why}, so ${text} does not pass (${reason}).`;
  }
  const head = seen.length === 0 || seen[0] === how ? "" : `${seenWords(seen)}; `;
  if (how !== undefined) return `${head}${how}, so ${text} passes.`;
  const observed = seen.length === 0 ? "" : `${seenWords(seen)}, so `;
  if (outcome === true) return `${observed}${text} passes.`;
  if (outcome === false) return `${observed}${text} fails (${reason}).`;
  return `${observed}${text} is unknown, and unknown does not pass (${reason}).`;
}
