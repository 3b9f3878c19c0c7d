/**
 * Explains the parts of a condition along one choice of facts: for each pattern its fact, for each test the values.
 *
 * The choice may end early: then the part where it ends is explained with the facts that come closest, and later parts as not
 * checked.
 */
import { factLabel } from "../../base/fact-label.ts";
import type { Truth } from "../../base/truth.ts";
import type * as ast from "../../language/ast.ts";
import { evaluate, valueAndFailure } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { everyTruth, type Finding, findings, firstDoubt, lacksKey } from "../read/judge.ts";
import { nearest } from "../read/nearest.ts";
import { holds, sentence } from "./operators.ts";
import type { AbsencePart, AggregatePart, ForallPart, LetPart, OrPart, Part, PatternPart } from "../read/parts.ts";
import { reach } from "../read/reach.ts";
import { counterexample, extended, firstSolution, waitsFor } from "../read/solve.ts";
import { type Chosen, chosenFor, type Fixed } from "../read/chosen.ts";
import type { Draft, Reason } from "../read/draft.ts";
import { clauseOf, reasonsOf } from "./headline.ts";
import { seenWords } from "./step.ts";
import { absentWords, foundWords, noneMatches, presentWords, ruledOut } from "./absence-words.ts";
import { aggregateDraft } from "./aggregate.ts";
import { closestItem, itemsDraft } from "./items.ts";
import { doubtWords, methodOf, observations, testDraft } from "./tests.ts";
import { plural, seenValue, type Words } from "../read/words.ts";
import { closingWords } from "../read/within.ts";
import type { World } from "../read/world.ts";

export interface DraftContext {
  readonly world: World;
  readonly words: Words;
  readonly fixed: Fixed;
  /** Returns the explanation of a fact's origin, which follows the tests of its pattern. */
  origin?(id: string): Draft | undefined;
}

/**
 * Returns one draft for each part. `start` holds the bindings before the first part, `end` all bindings; the first
 * `reached` parts are explained as fulfilled.
 */
export function conditionDrafts(
  parts: readonly Part[],
  reached: number,
  start: Chosen,
  end: Chosen,
  context: DraftContext,
): Draft[] {
  let chosen = start;
  const gap = context.world.context.judging === true ? gapAt(parts, reached, start, context.world) : undefined;
  return parts.map((part, index) => {
    if (index > reached && !(part.kind === "where" && part.slash)) return notReached(part, context);
    if (index === reached && part.kind === "pattern" && gap !== undefined) return gapDraft(part, gap, context);
    const draft = index < reached ? fulfilled(part, chosen, end, context) : stuck(part, chosen, end, context);
    if (index === reached && part.kind === "where" && draft.draft.outcome !== true) {
      return closestItem(draft.draft, part.test, parts.slice(0, index), chosen, context);
    }
    chosen = index < reached ? upTo(parts, index, start, end) : draft.chosen;
    return draft.draft;
  });
}

/** Returns the gap when nothing fulfils a part because a value in its lookup is unknown. */
function gapAt(parts: readonly Part[], reached: number, start: Chosen, world: World): Finding | undefined {
  if (reached >= parts.length) return undefined;
  for (const found of findings(parts.slice(0, reached + 1), world, start))
    if (found.gap === parts[reached]) return found;
  return undefined;
}

interface PartDraft {
  readonly draft: Draft;
  readonly chosen: Chosen;
}

/** Returns the bindings up to and including a part; parts inside others bind as well. */
function upTo(parts: readonly Part[], index: number, start: Chosen, end: Chosen): Chosen {
  const known = new Set(parts.slice(0, index + 1).flatMap(bindingParts));
  const before = start.entries().length;
  let chosen = start;
  for (const entry of end.entries().slice(before)) {
    if (entry.part !== undefined && known.has(entry.part)) chosen = chosen.with(entry.part, entry.name, entry.bound);
  }
  return chosen;
}

function bindingParts(part: Part): Part[] {
  return part.kind === "or" ? part.alternatives.flat().flatMap(bindingParts) : [part];
}

function fulfilled(part: Part, chosen: Chosen, end: Chosen, context: DraftContext): PartDraft {
  if (part.kind === "pattern") {
    const fact = chosenFor(end, part);
    if (fact !== undefined) return { draft: patternDraft(part, chosen, fact.id, context, true), chosen };
  }
  if (part.kind === "items") {
    return { draft: itemsDraft(part, partText(part, context.words), chosen, end, context), chosen };
  }
  return { draft: draftOf(part, chosen, context), chosen };
}

/**
 * Returns the draft of the part that nothing fulfils. A pattern is explained with the nearest fact, which later tests
 * use as well.
 */
function stuck(part: Part, chosen: Chosen, end: Chosen, context: DraftContext): PartDraft {
  if (part.kind !== "pattern") return fulfilled(part, chosen, end, context);
  const [near] = nearest(part, context.world, chosen, context.fixed, 1);
  if (near === undefined) return { draft: noFact(part, context), chosen };
  const draft = patternDraft(part, chosen, near.fact.id, context, false);
  return { draft, chosen: chosen.with(part, part.variable, { fact: near.fact }) };
}

function draftOf(part: Part, chosen: Chosen, context: DraftContext): Draft {
  switch (part.kind) {
    case "pattern":
      return stuck(part, chosen, chosen, context).draft;
    case "absence":
      return absenceDraft(part, chosen, context);
    case "forall":
      return forallDraft(part, chosen, context);
    case "aggregate":
      return aggregateDraft(part, partText(part, context.words), chosen, context);
    case "or":
      return orDraft(part, chosen, context);
    case "let":
      return letDraft(part, chosen, context);
    case "items":
      return itemsDraft(part, partText(part, context.words), chosen, chosen, context);
    case "where":
      return testDraft(part.test, scopeOf(chosen, context), context.words);
  }
}

/** Explains a name: its value, with what it was computed from. It always holds. */
function letDraft(part: LetPart, chosen: Chosen, context: DraftContext): Draft {
  const scope = scopeOf(chosen, context);
  const { value, failure } = valueAndFailure(part.value, scope);
  const seen = observations(part.value, scope, context.words);
  const unknown = failure === undefined ? "unknown" : `unknown because ${failure}`;
  const result = `${part.name} is ${value === undefined ? unknown : seenValue(value)}`;
  const from = seen.length === 0 ? "" : ` (${seenWords(seen)})`;
  return {
    text: partText(part, context.words),
    seen: [...seen, result],
    down: `Computes ${part.name}.`,
    up: `${result}${from}.`,
    reasons: [{ words: result, minor: true }],
    outcome: true,
    children: [],
  };
}

function scopeOf(chosen: Chosen, { world }: DraftContext): EvaluationScope {
  return { world, chosen, ownFact: undefined };
}

/** Returns the text of a part in the program. */
export function partText(part: Part, words: Words): string {
  switch (part.kind) {
    case "pattern":
      return part.element === undefined ? `${part.variable ?? ""}: ${part.type}` : words.element(part.element);
    case "aggregate":
      return part.element === undefined ? aggregateText(part, words) : words.element(part.element);
    case "where":
      return part.slash ? words.expression(part.test) : `where ${words.expression(part.test)}`;
    default:
      return words.element(part.element);
  }
}

function aggregateText({ items, inner }: AggregatePart, words: Words): string {
  const values = items.map(({ name, fn, value }) => {
    return `${name}: ${fn.toUpperCase()}(${value === null ? "" : words.expression(value)})`;
  });
  return `${values.join(", ")} over ${inner.map(({ variable, type }) => `${variable ?? ""}: ${type}`).join(", ")}`;
}

// ---------------------------------------------------------------- patterns

function patternDraft(part: PatternPart, before: Chosen, id: string, context: DraftContext, found: boolean): Draft {
  const { world, words } = context;
  const fact = world.get(id);
  if (fact === undefined) return noFact(part, context);
  const text = partText(part, words);
  const chosen = before.with(part, part.variable, { fact });
  const scope = { world, chosen, ownFact: fact };
  const tests = (part.element?.tests ?? []).map((test) =>
    found ? testDraft(test, scope, words) : ownTest(test, part, scope, words),
  );
  const outcome = conclusionOf(tests);
  const origin = context.origin?.(id);
  const isFixed = part.variable !== null && context.fixed.has(part.variable);
  const who = part.variable === null ? `the ${part.type} is ${factLabel(id)}` : `${part.variable} is ${factLabel(id)}`;
  const isClosest = !found && !isFixed && outcome !== true;
  const head = isClosest ? `no ${part.type} matches; the closest is ${factLabel(id)}` : who;
  const seen = tests.flatMap((test) => test.seen);
  const count = tests.length;
  return {
    text,
    seen: [who, ...seen],
    down: `Looks for ${text}${count === 0 ? "" : ` and evaluates ${count === 1 ? "its test" : `its ${count} tests`}`}.`,
    up: `${head}${conclusion(tests, outcome)}`,
    reasons: isClosest
      ? closestReasons(part, id, tests)
      : count === 0
        ? [{ words: who, minor: true }]
        : decisiveReasons(tests, outcome),
    method: "is there",
    outcome,
    children: origin === undefined ? tests : [...tests, origin],
  };
}

/** Returns the reasons of the tests that decide: all of them when all hold, else those that do not hold. */
function decisiveReasons(tests: readonly Draft[], outcome: Truth): readonly Reason[] {
  return tests.filter((test) => outcome === true || test.outcome !== true).flatMap((test) => reasonsOf(test));
}

/** Returns the reasons that no fact matches: those of the closest one, which the first names. */
function closestReasons(part: PatternPart, id: string, tests: readonly Draft[]): readonly Reason[] {
  const [first, ...others] = decisiveReasons(tests, false);
  const none = `no ${part.type} matches`;
  if (first === undefined) return [{ words: none }];
  return [{ words: `${none}; for the closest, ${factLabel(id)}, ${first.words}` }, ...others];
}

/** Returns the draft of a test. In judging, a fact that lacks the field of its key does not match. */
function ownTest(test: ast.Expr, part: PatternPart, scope: EvaluationScope, words: Words): Draft {
  const draft = testDraft(test, scope, words);
  const { world, chosen } = scope;
  if (draft.outcome !== undefined || world.context.judging !== true) return draft;
  if (!lacksKey(test, part, world, chosen)) return draft;
  const up = sentence(draft.seen, `${draft.text} does not find it`, ", so ");
  return { ...draft, outcome: false, method: methodOf(test), up, reasons: [{ words: clauseOf(up) }] };
}

function conclusionOf(tests: readonly Draft[]): Truth {
  if (tests.some(({ outcome }) => outcome === false)) return false;
  return tests.every(({ outcome }) => outcome === true) ? true : undefined;
}

/** Returns the end of the sentence about a fact: the results of its tests. */
function conclusion(tests: readonly Draft[], outcome: Truth): string {
  const decisive = tests.filter((test) => test.outcome !== true);
  if (tests.length === 0) return ".";
  if (outcome === true)
    return `; ${
      tests.length === 1
        ? (tests[0]?.up ?? "")
        : sentence(
            tests.flatMap(({ seen }) => seen),
            tests.length === 2 ? "both tests hold" : `all ${tests.length} tests hold`,
            "; ",
          )
    }`;
  return `; ${decisive.map(({ up }) => up).join(" ")}`;
}

function noFact(part: PatternPart, { world, words, fixed }: DraftContext): Draft {
  const text = partText(part, words);
  const wanted = part.variable === null ? undefined : fixed.get(part.variable);
  const count = world.count(part.type);
  const seen =
    wanted !== undefined && "fact" in wanted
      ? `there is no fact ${factLabel(wanted.fact.id)}`
      : count === 0
        ? `there are no ${part.type} facts`
        : noneMatches([part.type], world);
  return { text, seen: [seen], down: `Looks for ${text}.`, up: `${seen}.`, outcome: false, children: [] };
}

/** Returns the draft of a pattern whose facts cannot be looked up, because a value in the lookup is unknown. */
function gapDraft(part: PatternPart, gap: Finding, { world, words }: DraftContext): Draft {
  const text = partText(part, words);
  const seen = doubtWords([part], gap, world, words);
  return { text, seen: [seen], down: `Looks for ${text}.`, up: `${seen}.`, outcome: undefined, children: [] };
}

function notReached(part: Part, { words }: DraftContext): Draft {
  const text = partText(part, words);
  const seen = "an earlier part does not match";
  const up = `${text} was not checked, because ${seen}.`;
  return { text, seen: [seen], down: `${text} comes next.`, up, outcome: undefined, children: [] };
}

// ---------------------------------------------------------------- not, exists, forall

function absenceDraft(part: AbsencePart, chosen: Chosen, context: DraftContext): Draft {
  const { world, words } = context;
  const text = partText(part, words);
  const free = { ...context, fixed: new Map() };
  const found = firstSolution(part.parts, world, chosen);
  const doubt =
    found === undefined && world.context.judging === true ? firstDoubt(part.parts, world, chosen) : undefined;
  const whole = found ?? (doubt?.gap === undefined ? doubt?.chosen : undefined);
  const progress = whole === undefined ? reach(part.parts, world, chosen, NO_FIXED) : undefined;
  const reached = progress === undefined ? part.parts.length : progress.depth;
  const end = whole ?? progress?.deepest ?? chosen;
  const anyFact = part.parts.some((one) => one.kind !== "pattern" || world.count(one.type) > 0);
  const children = anyFact ? conditionDrafts(part.parts, reached, chosen, end, free) : [];
  const unsure = doubt === undefined ? absentWords(part, chosen, context) : doubtWords(part.parts, doubt, world, words);
  const open = found === undefined ? waitsFor(part, scopeOf(chosen, context)) : undefined;
  const closing = open === undefined ? "" : ` yet; ${closingWords(open, scopeOf(chosen, context), evaluate)}`;
  const seen = [found === undefined ? `${unsure}${closing}` : foundWords(part, found)];
  const isCertain = doubt === undefined && open === undefined;
  const outcome = isCertain ? (found !== undefined) === (part.quantifier === "exists") : undefined;
  const quantity = part.quantifier === "exists" ? "at least one" : "no";
  const told =
    found === undefined || part.quantifier === "exists" ? seenWords(seen) : presentWords(part, found, chosen, context);
  const verdict =
    outcome === undefined
      ? `, so ${text} is unknown`
      : part.quantifier === "exists"
        ? `, so ${text} ${holds(outcome)}`
        : outcome
          ? ""
          : ruledOut(part, text);
  return {
    text,
    seen,
    down: `${text} holds when there is ${quantity} such fact.`,
    up: `${told}${verdict}.`,
    reasons: [{ words: `${told}${part.quantifier === "exists" && outcome !== undefined ? "" : verdict}` }],
    ...(outcome === undefined ? {} : { method: part.quantifier }),
    outcome,
    children,
  };
}

const NO_FIXED: Fixed = new Map();

function forallDraft(part: ForallPart, chosen: Chosen, context: DraftContext): Draft {
  const { world, words } = context;
  const text = partText(part, words);
  const against = counterexample(part, world, chosen);
  const down = `${text} holds when every such fact passes the test.`;
  const test = words.expression(part.test);
  if (against === undefined) {
    let count = 0;
    for (const _ of extended(part.pattern, world, chosen)) count += 1;
    const open = waitsFor(part, scopeOf(chosen, context));
    if (open !== undefined) {
      const seen = [closingWords(open, scopeOf(chosen, context), evaluate)];
      return { text, seen, down, up: `${seen[0]}, so ${text} is unknown.`, outcome: undefined, children: [] };
    }
    const seen = [
      count === 0 ? `there is no such ${part.pattern.type}` : `${plural(count, `such ${part.pattern.type}`)} checked`,
    ];
    const up =
      count === 0
        ? `${seen[0]}, so ${text} holds.`
        : `${count === 1 ? "the one" : `each of the ${count}`} such ${part.pattern.type} passes ${test}.`;
    return { text, seen, down, up, method: "forall", outcome: true, children: [] };
  }
  const fact = chosenFor(against, part.pattern);
  if (world.context.judging === true) {
    const { truth, against: doubt } = everyTruth(part, world, chosen);
    if (truth === undefined && doubt !== undefined) return unsureEvery(part, chosen, doubt, context);
  }
  const id = fact?.id ?? "";
  const pattern = patternDraft(part.pattern, chosen, id, context, true);
  const failed = testDraft(part.test, { world, chosen: against, ownFact: fact }, words);
  const seen = [`${factLabel(id)} does not pass`, ...failed.seen];
  const up = `${factLabel(id)} does not pass: ${failed.up}`;
  const [first, ...others] = reasonsOf(failed);
  const reasons = [{ words: `${factLabel(id)} does not pass: ${first?.words ?? failed.text}` }, ...others];
  return { text, seen, down, up, reasons, outcome: false, children: [pattern, failed] };
}

/** Returns the draft of a `forall` in judging when a fact may be of the pattern, or may not pass. */
function unsureEvery(part: ForallPart, chosen: Chosen, doubt: Finding, context: DraftContext): Draft {
  const { world, words } = context;
  const text = partText(part, words);
  const down = `${text} holds when every such fact passes the test.`;
  const fact = chosenFor(doubt.chosen, part.pattern);
  const pattern =
    fact === undefined
      ? gapDraft(part.pattern, doubt, context)
      : patternDraft(part.pattern, chosen, fact.id, context, true);
  const test = fact === undefined ? [] : [testDraft(part.test, { world, chosen: doubt.chosen, ownFact: fact }, words)];
  const seen = [...pattern.seen, ...test.flatMap((one) => one.seen)];
  const up = `${seenWords(seen)}, so ${text} is unknown.`;
  return { text, seen, down, up, outcome: undefined, children: [pattern, ...test] };
}

// ---------------------------------------------------------------- or

/** Returns the draft of an `or`. All alternatives are evaluated, though one that holds is enough. */
function orDraft(part: OrPart, chosen: Chosen, context: DraftContext): Draft {
  const text = partText(part, context.words);
  const children = part.alternatives.map((alternative) => alternativeDraft(alternative, chosen, context));
  const holding = children.filter(({ outcome }) => outcome === true);
  const outcome = holding.length > 0 ? true : children.every((child) => child.outcome === false) ? false : undefined;
  const count = part.alternatives.length;
  const relevant = outcome === true ? holding : children;
  const none =
    outcome === undefined && context.world.context.judging === true
      ? "no alternative holds for certain"
      : count === 2
        ? "neither alternative holds"
        : `none of the ${count} alternatives holds`;
  const head = outcome === true ? (holding.length === 1 ? "one alternative holds" : "these alternatives hold") : none;
  return {
    text,
    seen: relevant.flatMap((child) => child.seen),
    down: `${text} holds when one of its ${count} alternatives holds.`,
    up: `${head}: ${relevant.map(({ up }) => clauseOf(up)).join(", and ")}.`,
    reasons: relevant.flatMap((child) => reasonsOf(child)),
    outcome,
    children,
  };
}

/** Returns the draft of one alternative; for a single part that of the part itself. */
function alternativeDraft(parts: readonly Part[], chosen: Chosen, context: DraftContext): Draft {
  const { world } = context;
  const sure = firstSolution(parts, world, chosen, context.fixed);
  const doubt = sure === undefined && world.context.judging === true ? firstDoubt(parts, world, chosen) : undefined;
  const found = sure ?? (doubt?.gap === undefined ? doubt?.chosen : undefined);
  const progress = found === undefined ? reach(parts, context.world, chosen, context.fixed) : undefined;
  const reached = progress === undefined ? parts.length : progress.depth;
  const drafts = conditionDrafts(parts, reached, chosen, found ?? progress?.deepest ?? chosen, context);
  const [only, second] = drafts;
  if (only !== undefined && second === undefined) return only;
  const text = parts.map((part) => partText(part, context.words)).join(", ");
  const failed = drafts[reached];
  const seen = failed === undefined ? drafts.flatMap((draft) => draft.seen) : failed.seen;
  return {
    text,
    seen,
    down: `${text} holds when all of its parts hold.`,
    up:
      failed !== undefined
        ? failed.up
        : sentence(seen, doubt === undefined ? "all of it holds" : "it is unknown whether all of it holds", "; "),
    ...(doubt === undefined
      ? { reasons: failed === undefined ? drafts.flatMap((draft) => reasonsOf(draft)) : reasonsOf(failed) }
      : {}),
    outcome: doubt === undefined ? found !== undefined : undefined,
    children: drafts,
  };
}
