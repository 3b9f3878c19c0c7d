/**
 * Explains why a rule does not fire: how far its condition gets, where it ends, which facts come near, and what would
 * help.
 */
import type { Maybe } from "../../base/value.ts";
import type { Fired } from "../../session/results.ts";
import type { MatchState } from "../../session/options.ts";
import { conditionDrafts, partText, type DraftContext } from "./condition.ts";
import { unlessStopped } from "../read/budget.ts";
import type { Remedy } from "../search/edit.ts";
import { type MatchQuestion, wouldMatch } from "../search/match.ts";
import { nearest } from "../read/nearest.ts";
import type { Part } from "../read/parts.ts";
import { reach, type Reach } from "../read/reach.ts";
import {
  type Target,
  ruleOrQueryNamed,
  type ExplainContext,
  fixedBy,
  fixedByQuestion,
  type QuestionArguments,
} from "../read/context.ts";
import { firstSolution } from "../read/solve.ts";
import { agrees, boundValue, type Chosen, type Fixed } from "../read/chosen.ts";
import type { Draft } from "../read/draft.ts";
import { failingPart } from "./failing-part.ts";
import { forVariables, headlineOf, reasonsOf } from "./headline.ts";
import { type Explanation, numbered, outcomeOf, type Outcome } from "./step.ts";
import { shown } from "./shown.ts";
import { allParts } from "../read/words.ts";
import { World } from "../read/world.ts";

/** Why a rule does not fire, or that a query has answers. */
export type Hindrance =
  /** No facts fulfil the condition. */
  | "no match"
  /** It has a match and fires when the session runs. */
  | "waiting"
  /** Its group is not active. */
  | "parked"
  /** Its matches have fired. */
  | "fired"
  /** `no-loop`: its match came from its own changes. */
  | "held back"
  | "disabled"
  /** It reached its match limit (E511). */
  | "switched off"
  /** The query has answers. */
  | "found"
  /** A parameter of the query has no value. */
  | "no argument";

/** Why a rule does not fire, or a query has no answer. */
export interface WhyNot extends Explanation {
  /** The name of the rule or query. */
  readonly rule: string;
  /** The reason that it does not fire. */
  readonly hindrance: Hindrance;
  /** For each part of the condition, the number of partial matches up to it. Ends at the first part without any. */
  readonly prefixes: readonly { readonly element: string; readonly matches: number }[];
  /** The variables of the partial match that gets furthest. */
  readonly deepest: Readonly<Record<string, Maybe>>;
  /**
   * The first test that is not true, with the value that was read and what the test requires; undefined when no test
   * failed.
   */
  readonly failing:
    | { readonly element: string; readonly actual: string; readonly expected: string; readonly outcome: Outcome }
    | undefined;
  /**
   * The nearest facts, when a matching fact is missing, with the tests that are not true of each; `unknown` are those of them
   * that are unknown. Facts with the fewest such tests come first, then those with the nearest numbers.
   */
  readonly nearest: readonly {
    readonly id: string;
    readonly failing: readonly string[];
    readonly unknown: readonly string[];
  }[];
  /**
   * The smallest changes that would help, each verified on a copy of the session. Empty when nothing was found
   * within 3 changes.
   */
  readonly remedies: readonly Remedy[];
  /** The number of facts that were read. */
  readonly looked: number;
  /** Whether all partial matches were followed. */
  readonly complete: boolean;
  /** Why the search ended early: `stopped after 5,000,000 steps`. Absent when it did not. */
  readonly stopped?: string;
  /** The parameters of a query that need a value, when it finds nothing without them. Absent when there are none. */
  readonly lacks?: readonly string[];
}

/** The most near facts that are shown. */
const MAX_NEAREST = 3;

/** Returns the explanation for a rule or, when no rule has the name, for a query. */
export function explainNot(context: ExplainContext, name: string, args: QuestionArguments = {}): WhyNot {
  const target = ruleOrQueryNamed(context, name, args);
  const world = World.of(context, context.session);
  const fixed = fixedByQuestion(target, args, World.of(context, context.session)); // names are no part of the answer
  const question = { context, target, args, fixed, world };
  if (target.kind === "query") return aboutQuery(question);
  const doubt = context.doubt?.(name);
  if (doubt?.own !== undefined) return switchedOff(question, doubt.own);
  const states = context.session.matchStates(name).filter((one) => agrees(one.bindings, fixed));
  return unlessStopped(
    () => (states.length > 0 ? matched(question, states) : new Answer(question).tell()),
    (stopped) => unexplained(question, stopped),
  );
}

/** Returns the answer when the steps are used up before the condition is evaluated. */
function unexplained({ target, world }: Question, stopped: string): WhyNot {
  const { kind, name } = target;
  const draft = {
    text: `${kind} "${name}"`,
    seen: [],
    down: `Finds out why ${notHappening(target)}.`,
    up: `It is unknown why ${notHappening(target)}: ${stopped}.`,
    outcome: undefined,
    children: [],
    bound: true,
  };
  return { ...withoutSearch(draft, name, world), hindrance: "no match", complete: false, stopped };
}

/** Returns the parts of an answer that needed no search. */
function withoutSearch(draft: Draft, name: string, world: World): Omit<WhyNot, "hindrance" | "complete"> {
  return {
    ...numbered(draft, name),
    rule: name,
    prefixes: [],
    deepest: {},
    failing: undefined,
    nearest: [],
    remedies: [],
    looked: world.factsRead,
  };
}

type Question = MatchQuestion;

function aboutQuery(question: Question): WhyNot {
  const { context, target, args, fixed } = question;
  const answers = context.answers(context.session, target.name, args).filter((one) => agrees(one, fixed));
  if (answers.length === 0 && target.lacks.length > 0) return withoutArgument(question);
  return unlessStopped(
    () => (answers.length === 0 ? new Answer(question).tell() : answered(question, answers)),
    (stopped) => unexplained(question, stopped),
  );
}

/** Returns the answer for a query that finds nothing without its arguments: no change of facts gives them. */
function withoutArgument({ target, world }: Question): WhyNot {
  const { name, lacks } = target;
  const [only, ...others] = lacks;
  const reason =
    others.length === 0 ? `its parameter ${only} has no value` : `its parameters ${lacks.join(" and ")} have no values`;
  const draft = {
    text: `query "${name}"`,
    seen: [reason],
    down: `Finds out why ${notHappening(target)}.`,
    up: headlineOf(`Query "${name}" finds nothing`, [reason]),
    method: "query",
    outcome: undefined,
    children: [],
  };
  return { ...withoutSearch(draft, name, world), hindrance: "no argument", complete: true, lacks };
}

// ---------------------------------------------------------------- it was switched off

/**
 * Returns the answer for a rule that was switched off. There is nothing to search: no change of facts switches it on
 * again.
 */
function switchedOff({ target: { name }, world }: Question, reason: string): WhyNot {
  const draft = {
    text: `rule "${name}"`,
    seen: [reason],
    down: `Asked why "${name}" does not fire.`,
    up: headlineOf(`"${name}" does not fire`, [
      reason,
      "add a test that connects its patterns, or raise limits.liveMatches, and load it again",
    ]),
    method: "limit",
    outcome: false,
    children: [],
  };
  return { ...withoutSearch(draft, name, world), hindrance: "switched off", complete: true };
}

// ---------------------------------------------------------------- it has a match

function matched(question: Question, states: readonly MatchState[]): WhyNot {
  const { context, target, world } = question;
  const state = states.find((one) => one.state !== "done") ?? states[0];
  const bindings = state?.bindings ?? {};
  const hindrance = hindranceOf(context, target, state);
  const whom = forVariables(bindings, (one) => shown(one, { world }));
  const up = hindranceWords(context, target, hindrance, whom, state);
  const seen = `it has ${states.length === 1 ? "one match" : `${states.length} matches`} now`;
  return fulfilledAnswer(question, bindings, { seen, up, hindrance });
}

function answered(question: Question, answers: readonly Readonly<Record<string, Maybe>>[]): WhyNot {
  const [first = {}] = answers;
  const count = answers.length === 1 ? "one answer" : `${answers.length} answers`;
  const whom = argumentWords(question);
  const up = `Query "${question.target.name}" finds ${count}${whom}${answers.length === 1 ? "" : "; the first is shown"}.`;
  return fulfilledAnswer(question, first, { seen: `it finds ${count} now`, up, hindrance: "found" });
}

/** Returns the answer for a condition whose parts all hold: something else keeps it from firing, or nothing does. */
function fulfilledAnswer(
  { target, fixed, world }: Question,
  bindings: Readonly<Record<string, Maybe>>,
  reason: { readonly seen: string; readonly up: string; readonly hindrance: Hindrance },
): WhyNot {
  const { parts, start, name } = target;
  const chosen = firstSolution(parts, world, start, fixedBy(bindings, parts, world)) ?? start;
  const draft = {
    text: `${target.kind} "${name}"`,
    seen: [reason.seen],
    down: `Finds out why ${notHappening(target)}.`,
    up: reason.up,
    method: "agenda",
    outcome: reason.hindrance === "waiting" || reason.hindrance === "found",
    children: conditionDrafts(parts, parts.length, start, chosen, { world, words: target.words, fixed }),
  };
  return { ...withoutSearch(draft, name, world), hindrance: reason.hindrance, deepest: bindings, complete: true };
}

function notHappening({ kind, name }: Target): string {
  return kind === "rule" ? `"${name}" does not fire` : `query "${name}" finds nothing`;
}

/** Returns the arguments of the question in words: ` for p = Person~p4, min = 18`. */
function argumentWords({ target, fixed, world }: Question): string {
  const args = new Map([...fixed].map(([name, bound]) => [name, boundValue(bound)]));
  for (const { name, bound } of target.start.entries()) if (name !== null) args.set(name, boundValue(bound));
  return forVariables(Object.fromEntries(args), (one) => shown(one, { world }));
}

function hindranceOf(
  { session }: ExplainContext,
  { name, attributes }: Target,
  state: MatchState | undefined,
): Hindrance {
  if (state === undefined) return "waiting";
  if (state.state !== "done") return state.state;
  const fired = session
    .firings(name)
    .some(({ n, bindings }) => sameBindings(bindings, state.bindings) && (session.past(n)?.change ?? 0) >= state.stamp);
  const noLoop = attributes.some((attribute) => attribute.kind === "no-loop");
  return noLoop && !fired ? "held back" : "fired";
}

function sameBindings(a: Fired["bindings"], b: Fired["bindings"]): boolean {
  return Object.keys(a).every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

function hindranceWords(
  { session }: ExplainContext,
  { name, attributes }: Target,
  hindrance: Hindrance,
  whom: string,
  state: MatchState | undefined,
): string {
  switch (hindrance) {
    case "waiting":
      return `Nothing prevents it: "${name}" has a match${whom} and fires when the session runs.`;
    case "parked": {
      const group = attributes.find((attribute) => attribute.kind === "group")?.name ?? "";
      return `"${name}" has a match${whom}, but it waits for its group: focus("${group}") lets it fire.`;
    }
    case "held back":
      return `"${name}" has a match${whom}, but it came from the rule's own changes, and no-loop prevents it from firing on those.`;
    default: {
      const fired = session.firings(name).find((one) => sameBindings(one.bindings, state?.bindings ?? {}));
      const when = fired === undefined ? "" : ` (firing ${fired.n})`;
      return `"${name}" has already fired${whom}${when}; a match fires once, and again only when a fact it reads changes.`;
    }
  }
}

// ---------------------------------------------------------------- it has none

class Answer {
  readonly #question: Question;
  readonly #target: Target;
  readonly #fixed: Fixed;
  readonly #world: World;
  readonly #progress: Reach;
  readonly #disabled: boolean;

  constructor(question: Question) {
    const { target, fixed, world } = question;
    this.#question = question;
    this.#target = target;
    this.#fixed = fixed;
    this.#world = world;
    this.#progress = reach(target.parts, world, target.start, fixed);
    this.#disabled = target.attributes.some((attribute) => attribute.kind === "disabled");
  }

  tell(): WhyNot {
    const { depth, deepest, counts, complete } = this.#progress;
    const { parts, start, words, name } = this.#target;
    const draftContext: DraftContext = { world: this.#world, words, fixed: this.#fixed };
    const children = conditionDrafts(parts, depth, start, deepest, draftContext);
    const stuck = failingPart(children, depth);
    const near = this.#nearest(depth, deepest);
    const { remedies, stopped } = this.#disabled ? { remedies: [] } : wouldMatch(this.#question);
    return {
      ...numbered(this.#draft(children, stuck), name),
      rule: name,
      hindrance: this.#disabled ? "disabled" : "no match",
      prefixes: counts.map((matches, index) => {
        const part = parts[index];
        return { element: part === undefined ? "" : this.#element(part), matches };
      }),
      deepest: this.#bindingsOf(deepest),
      failing: stuck === undefined ? undefined : failingOf(stuck),
      nearest: near,
      remedies,
      looked: this.#world.factsRead,
      complete,
      ...(stopped === undefined ? {} : { stopped }),
    };
  }

  /** Returns the text of a part; in the slash form with the tests that are decided at it. */
  #element(part: Part): string {
    const { words } = this.#target;
    const tests = part.kind === "pattern" ? part.early.map((test) => words.expression(test)) : [];
    return [partText(part, words), ...tests].join(tests.length === 1 ? " / " : ", ");
  }

  #draft(children: readonly Draft[], stuck: Draft | undefined): Draft {
    const { parts, kind, name } = this.#target;
    const needs = parts.length === 1 ? "its condition" : `${allParts(parts.length)} of its condition`;
    return {
      text: `${kind} "${name}"`,
      seen: children.flatMap((child) => child.seen),
      down: `Finds out why ${notHappening(this.#target)}; it needs ${needs} to hold.`,
      up: this.#headline(stuck),
      method: kind,
      outcome: false,
      children,
    };
  }

  #headline(stuck: Draft | undefined): string {
    const { kind, name } = this.#target;
    const whom = argumentWords(this.#question);
    const reasons = stuck === undefined ? ["no facts match it"] : reasonsOf(stuck);
    if (kind === "query") return headlineOf(`Query "${name}" finds nothing${whom}`, reasons);
    const reads = this.#question.context.doubt?.(name).reads;
    const last = reads === undefined ? {} : { last: `note that ${reads}` };
    if (!this.#disabled) return headlineOf(`"${name}" does not fire${whom}${this.#firedBefore()}`, reasons, last);
    const head = `"${name}" is disabled, so it never fires`;
    if (stuck === undefined) return headlineOf(`${head}, although its condition holds`, []);
    return headlineOf(`${head}; its condition does not hold either`, reasons);
  }

  #firedBefore(): string {
    if (this.#fixed.size === 0) return "";
    const fired = this.#question.context.session
      .firings(this.#target.name)
      .find(({ bindings }) => agrees(bindings, this.#fixed));
    return fired === undefined ? "" : ` again (it did in firing ${fired.n})`;
  }

  #bindingsOf(chosen: Chosen): Record<string, Maybe> {
    const named = chosen
      .entries()
      .flatMap(({ name, bound }) => (name === null ? [] : [[name, boundValue(bound)] as const]));
    return Object.fromEntries(named);
  }

  #nearest(depth: number, deepest: Chosen): WhyNot["nearest"] {
    const { parts, words } = this.#target;
    const part = parts[depth];
    if (part?.kind !== "pattern") return [];
    return nearest(part, this.#world, deepest, this.#fixed, MAX_NEAREST).map(({ fact, failing, unknown }) => ({
      id: fact.id,
      failing: failing.map((test) => words.expression(test)),
      unknown: [...unknown].map((test) => words.expression(test)),
    }));
  }
}

/** Returns the first leaf below a step that is not true. */
function failingOf(stuck: Draft): NonNullable<WhyNot["failing"]> {
  let leaf = stuck;
  for (;;) {
    const next: Draft | undefined = leaf.children.find((child) => child.outcome !== true);
    if (next === undefined) break;
    leaf = next;
  }
  const actual = leaf.seen.length === 0 ? leaf.up : leaf.seen.join(", ");
  return { element: stuck.text, actual, expected: leaf.text, outcome: outcomeOf(leaf.outcome) };
}
