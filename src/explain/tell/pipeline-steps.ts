/** Explains the lines of a pipeline as steps: what each read, and what it did. */
import { not, type Truth } from "../../base/truth.ts";
import type * as ast from "../../language/ast.ts";
import type { Decided, ExecutedStep, PipelineDecision } from "../../base/answers.ts";
import type { DecisionAccount } from "../../guardian/pipeline.ts";
import type { FactView } from "../../session/results.ts";
import { withDecision, withheldDraft } from "./after.ts";
import { conditionDrafts } from "./condition.ts";
import { truth } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { truthAndFailed } from "../read/failure.ts";
import { type Finding, findings } from "../read/judge.ts";
import { type Part, partsOfElements } from "../read/parts.ts";
import { reach } from "../read/reach.ts";
import { type Chosen, chosenFor } from "../read/chosen.ts";
import type { Draft, Reason } from "../read/draft.ts";
import { clauseOf, reasonsOf } from "./headline.ts";
import { limitDraft } from "./line.ts";
import { seenWords } from "./step.ts";
import { methodOf, testDraft } from "./tests.ts";
import { subjectChosen } from "../read/deciding-line.ts";
import { notReached } from "./verdict.ts";
import { valueWords, Words } from "../read/words.ts";
import type { World } from "../read/world.ts";
import { AnswerSources, VALUES_WITHHELD } from "./withheld.ts";

/** The line that decided: what it saw, and why it decided, without the value of the decision. */
export interface Decisive {
  readonly seen: readonly string[];
  readonly reasons: readonly Reason[];
  readonly isAfter: boolean;
}

export class StepExplainer {
  readonly #world: World;
  readonly #decl: ast.PipelineDecl;
  readonly #words: Words;
  readonly #decision: PipelineDecision;
  readonly #subject: Chosen;
  /** What the `after` lines saw; undefined when `before` refused the request. */
  readonly #decided: Decided | undefined;
  /** The executed steps, up to the one that ended the pipeline. */
  readonly #executed: readonly ExecutedStep[];
  /** The entry of an `after` that blocked, which follows that of the step that ended the pipeline. */
  readonly #tightened: ExecutedStep | undefined;
  /** What an answer that an `after` blocked is made of, which is not shown; undefined when none was blocked. */
  readonly #withheld: AnswerSources | undefined;
  /** The line that decided; set when all lines are drafted. */
  decisive: Decisive | undefined;

  constructor(
    world: World,
    decl: ast.PipelineDecl,
    source: ConstructorParameters<typeof Words>[0],
    { decision, decided }: DecisionAccount,
  ) {
    this.#world = world;
    this.#decl = decl;
    this.#words = new Words(source);
    this.#decision = decision;
    this.#decided = decided;
    this.#subject = subjectChosen(decl.subject, decision.subject, world);
    const all = decision.trace.rules_executed;
    const steps = decl.items.filter(({ kind }) => kind === "step").length;
    const end = all.findIndex(ends);
    const last = end < 0 || end >= steps ? Math.min(all.length, steps) : end + 1;
    this.#executed = all.slice(0, last);
    this.#tightened = all[last];
    if (this.#tightened === undefined || decided?.answer === undefined) return;
    this.#withheld = new AnswerSources(world.context.program, this.#answering()?.value ?? null);
  }

  /** Returns the line that gave the answer. */
  #answering(): ast.StepItem | ast.OtherwiseItem | undefined {
    const steps = this.#decl.items.filter((item): item is ast.StepItem => item.kind === "step");
    const last = this.#executed.at(-1);
    if (last !== undefined && ends(last)) return steps[this.#executed.length - 1];
    return this.#decl.items.find((item) => item.kind === "otherwise");
  }

  /** Returns a draft for each line, in the order in which they come into play: `after` is last, wherever it is written. */
  items(): Draft[] {
    const refusing = this.#refusing();
    let step = -1;
    const refused = refusing === undefined ? undefined : "the request was not accepted";
    const isAfter = ({ kind }: ast.PipelineItem): boolean => kind === "after";
    const items = [...this.#decl.items.filter((item) => !isAfter(item)), ...this.#decl.items.filter(isAfter)];
    return items.flatMap((item): Draft[] => {
      switch (item.kind) {
        case "audit":
        case "let": // its expression stands in place of the name
          return [];
        case "before":
          return [this.#before(item, refusing)];
        case "step": {
          step += 1;
          return [this.#step(item, this.#executed[step], refused)];
        }
        case "after":
          return [this.#after(item, refused)];
        case "otherwise":
          return [this.#otherwise(item, refused)];
      }
    });
  }

  /** Returns the first `before` that is not true; later ones were not checked. */
  #refusing(): ast.BorderItem | undefined {
    const befores = this.#decl.items.filter((item): item is ast.BorderItem => item.kind === "before");
    const { decision, trace } = this.#decision;
    if (decision !== "BLOCK" || trace.rules_executed.length > 0) return undefined;
    return befores.find((item) => !this.#holds(item.test));
  }

  /** Returns whether a test is true and no function failed in it. */
  #holds(test: ast.Expr): boolean {
    const scope = this.#scope();
    const { truth: held, failed } = truthAndFailed(this.#world, () => truth(test, scope));
    return held === true && !failed;
  }

  #before(item: ast.BorderItem, refusing: ast.BorderItem | undefined): Draft {
    const text = `before ${this.#words.expression(item.test)}`;
    const isLater = refusing !== undefined && item.span.start > refusing.span.start;
    if (isLater) return notReached(text, "the request was not accepted");
    const draft = this.#border(item, this.#test(item.test), text, "accepts the request when this holds");
    if (item !== refusing) return { ...draft, up: `${reasoned(draft.seen)}${text} lets it in.` };
    const clause = `${reasoned(draft.seen)}${text} ${asUnknown(draft.outcome)}`;
    this.decisive = { seen: draft.seen, reasons: reasonsOf(draft), isAfter: false };
    return { ...draft, up: `${clause}, which ends it with BLOCK${authorText(this.#decision.value, this.#decision)}.` };
  }

  #border(item: ast.BorderItem, test: Draft, text: string, purpose: string): Draft {
    return {
      text,
      seen: test.seen,
      down: `${text} ${purpose}, so it is tested.`,
      up: "",
      reasons: prefixed(`the "${item.kind}" test ${notMet(test.outcome)}`, reasonsOf(test)),
      outcome: test.outcome === true && !this.#holds(item.test) ? undefined : test.outcome,
      ...(test.children.length === 0 ? { method: methodOf(item.test), children: [] } : { children: [test] }),
    };
  }

  #after(item: ast.BorderItem, refused: string | undefined): Draft {
    const text = `after ${this.#words.expression(item.test)}`;
    if (refused !== undefined) return notReached(text, refused);
    const final = this.#executed.at(-1);
    const through =
      this.#tightened !== undefined || (this.#decision.decision !== "BLOCK" && this.#decision.decision !== "ERROR");
    if (!through)
      return notReached(text, `${final === undefined ? "it" : `step ${final.rule}`} has blocked it already`);
    const draft = this.#border(item, this.#test(item.test), text, "lets a decision through when this holds");
    if (this.#tightened === undefined || draft.outcome === true || this.decisive?.isAfter === true) {
      const up =
        draft.outcome === true ? `${reasoned(draft.seen)}${text} lets it through.` : `${text} was not checked.`;
      return { ...draft, up };
    }
    const clause = `${reasoned(draft.seen)}${text} ${asUnknown(draft.outcome)}`;
    this.decisive = { seen: draft.seen, reasons: reasonsOf(draft), isAfter: true };
    return {
      ...draft,
      up: `${clause}, which turns it into BLOCK${authorText(this.#tightened.reason, this.#tightened)}.`,
    };
  }

  #otherwise(item: ast.OtherwiseItem, refused: string | undefined): Draft {
    const text = `otherwise ${item.action}${item.value === null ? "" : ` ${this.#words.expression(item.value)}`}`;
    const last = this.#executed.at(-1);
    if (refused !== undefined) return notReached(text, refused);
    if (last !== undefined && ends(last)) return notReached(text, `step ${last.rule} has decided`);
    const steps = this.#executed.length;
    const seen =
      steps === 0
        ? "there is no step"
        : steps === 1
          ? "the one step did not end it"
          : `none of the ${steps} steps ended it`;
    if (this.#decision.failed === true) return this.#failedOtherwise(text, seen);
    const draft = {
      text,
      seen: [seen],
      down: `${text} decides when no step did.`,
      up: `${seen}, so ${text} decides.`,
      outcome: true,
      method: "otherwise",
      children: [],
    };
    this.decisive ??= { seen: [seen], reasons: [{ words: seen }], isAfter: false };
    return draft;
  }

  /** Returns the draft of an `otherwise` whose value could not be computed, which is an ERROR. */
  #failedOtherwise(text: string, seen: string): Draft {
    const why = this.#decision.value.replace(/^rule_error:otherwise: /u, "");
    this.decisive ??= { seen: [seen], reasons: [{ words: `${text} failed: ${why}` }], isAfter: false };
    return {
      text,
      seen: [seen, why],
      down: `${text} decides when no step did.`,
      up: `${seen}, and ${text} failed: ${why}.`,
      outcome: undefined,
      method: "otherwise",
      children: [],
    };
  }

  /** Returns the draft of a test. An answer that an `after` blocked, and what it is made of, is not shown. */
  #test(test: ast.Expr): Draft {
    const withheld = this.#withheld;
    if (withheld === undefined) return testDraft(test, this.#scope(), this.#words);
    return withheldDraft(test, this.#scope(), this.#words, withheld);
  }

  /** Returns the bindings of the borders: the request, and what was decided. */
  #scope(): EvaluationScope {
    const chosen = this.#decided === undefined ? this.#subject : withDecision(this.#subject, this.#decided);
    return { world: this.#world, chosen, ownFact: undefined };
  }

  // -------------------------------------------------------------- steps

  #step(item: ast.StepItem, entry: ExecutedStep | undefined, refused: string | undefined): Draft {
    const text = `step ${item.name.name}`;
    const last = this.#executed.at(-1);
    if (entry === undefined) return notReached(text, refused ?? `step ${last?.rule ?? ""} has decided`);
    const failed = entry.failed === true;
    const evaluation = this.#isWithheld(item)
      ? withoutValues(this.#evaluate(item, failed))
      : this.#evaluate(item, failed);
    const fits = failed || agrees(evaluation.outcome, item, entry);
    const seen = fits
      ? evaluation.seen
      : [`${entry.action}${entry.reason === "" ? "" : ` ${valueWords(entry.reason)}`}`];
    const draft: Draft = {
      text,
      seen,
      down: `${text} ${item.action === "BLOCK" ? "blocks" : `gives ${item.action}`} ${conditionWords(item)}.`,
      up: stepWords(text, item, entry, fits ? evaluation : { ...evaluation, seen: [] }),
      outcome: entry.unknown === true ? undefined : fits ? evaluation.outcome : entry.action !== "ALLOW",
      method: "step",
      children: fits ? evaluation.children : [],
    };
    if (ends(entry)) {
      const reasons = stepReasons(text, entry, draft.outcome, fits ? evaluation.reasons : [{ words: entry.reason }]);
      this.decisive = { seen, reasons, isAfter: false };
    }
    return draft;
  }

  /** Returns whether a step reads what a blocked answer is made of; one that looks for facts names them. */
  #isWithheld(item: ast.StepItem): boolean {
    const withheld = this.#withheld;
    if (withheld === undefined || withheld.isConstant) return false;
    return item === this.#answering() || withheld.areReadBy([item.when, item.unless]);
  }

  /** Evaluates the condition of a step: a test or a search for facts, and its exceptions. */
  #evaluate({ when, unless }: ast.StepItem, threw: boolean): Look {
    const found = when?.kind === "pattern-condition" ? this.#lookFor(when.elements, unless, threw) : undefined;
    if (found !== undefined) return found;
    const drafts: Draft[] = [];
    const truths: Truth[] = [];
    if (when?.kind === "test-condition") {
      const test = this.#test(when.test);
      drafts.push(test);
      truths.push(test.outcome);
    }
    if (unless !== null) {
      const test = limitDraft("unless", this.#test(unless));
      drafts.push(test);
      truths.push(not(test.outcome));
    }
    const [only, second] = drafts;
    const isLeaf = only !== undefined && second === undefined && only.children.length === 0;
    const seen = drafts.flatMap((draft) => draft.seen);
    const reasons = drafts.flatMap((draft) => reasonsOf(draft));
    return { outcome: and(truths), seen, reasons, children: isLeaf ? [] : drafts };
  }

  #lookFor(elements: readonly ast.Element[], unless: ast.Expr | null, threw: boolean): Look {
    const world = this.#world;
    const parts = partsOfElements(elements, elements);
    const draftContext = { world, words: this.#words, fixed: new Map() };
    const { found, outcome } = this.#found(parts, unless, threw);
    if (found !== undefined && found.gap === undefined) {
      const { chosen } = found;
      const drafts = conditionDrafts(parts, parts.length, this.#subject, chosen, draftContext);
      const except =
        unless === null
          ? []
          : [limitDraft("unless", testDraft(unless, { world, chosen, ownFact: undefined }, this.#words))];
      const children = [...drafts, ...except];
      const reasons = children.flatMap((child) => reasonsOf(child));
      return { outcome, seen: children.flatMap(({ seen }) => seen), reasons, children };
    }
    const gap = parts.findIndex((part) => part === found?.gap);
    const { depth, deepest } =
      found === undefined || gap < 0
        ? reach(parts, world, this.#subject, new Map())
        : { depth: gap, deepest: found.chosen };
    const children = conditionDrafts(parts, depth, this.#subject, deepest, draftContext);
    const stuck = children[depth];
    if (stuck === undefined) return { outcome, seen: [], reasons: [], children };
    return { outcome, seen: [clauseOf(stuck.up)], reasons: reasonsOf(stuck), children };
  }

  /**
   * Returns the first facts for which the exception does not hold, else those for which that or their match is unknown,
   * else any. With `threw`, the first for which a function fails.
   */
  #found(
    parts: readonly Part[],
    unless: ast.Expr | null,
    threw: boolean,
  ): { readonly found: Finding | undefined; readonly outcome: Truth } {
    let unsure: Finding | undefined;
    let excepted: Finding | undefined;
    let count = 0;
    for (const found of findings(parts, this.#world, this.#subject)) {
      const applies = this.#applies(found, unless);
      if (threw && this.#fails(parts, found, unless)) return { found, outcome: undefined };
      if (applies === true && !threw) return { found, outcome: true };
      if (applies === undefined) unsure ??= found;
      excepted ??= found;
      count += 1;
      if (count > MAX_FOUND) break;
    }
    return unsure === undefined ? { found: excepted, outcome: false } : { found: unsure, outcome: undefined };
  }

  #applies({ chosen, sure, gap }: Finding, unless: ast.Expr | null): Truth {
    if (gap !== undefined) return undefined;
    const excuse = unless === null ? false : truth(unless, { world: this.#world, chosen, ownFact: undefined });
    return and([sure ? true : undefined, not(excuse)]);
  }

  #fails(parts: readonly Part[], { chosen }: Finding, unless: ast.Expr | null): boolean {
    const world = this.#world;
    const fails = (test: ast.Expr, ownFact?: FactView): boolean =>
      truthAndFailed(world, () => truth(test, { world, chosen, ownFact })).failed;
    if (unless !== null && fails(unless)) return true;
    return parts.some((part) => {
      if (part.kind === "where") return fails(part.test);
      return (
        part.kind === "pattern" && [...part.tests, ...part.early].some((test) => fails(test, chosenFor(chosen, part)))
      );
    });
  }
}

const MAX_FOUND = 1_000;

interface Look {
  readonly outcome: Truth;
  readonly seen: readonly string[];
  /** Why the condition has its outcome, for a headline. */
  readonly reasons: readonly Reason[];
  readonly children: readonly Draft[];
}

/** Returns what an evaluation gave, without the values that it read. */
function withoutValues({ outcome }: Look): Look {
  return { outcome, seen: [VALUES_WITHHELD], reasons: [{ words: VALUES_WITHHELD }], children: [] };
}

/** Returns why a step ended the pipeline, for a headline; the first reason has the name of the step. */
function stepReasons(text: string, entry: ExecutedStep, outcome: Truth, reasons: readonly Reason[]): readonly Reason[] {
  if (entry.failed === true) return [{ words: `${text} failed: ${failureOf(entry)}` }];
  if (outcome === undefined) return prefixed(`it is unknown whether ${text} applies, and unknown blocks`, reasons);
  return prefixed(reasons.length === 0 ? `${text} always applies` : `${text} applies`, reasons);
}

function prefixed(prefix: string, [first, ...others]: readonly Reason[]): readonly Reason[] {
  if (first === undefined || first.words === "") return [{ words: prefix }, ...others];
  return [{ words: `${prefix}: ${first.words}`, brief: first.brief ?? first.words }, ...others];
}

function and(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
}

/** Returns whether an outcome leads to what the step did. */
function agrees(outcome: Truth, { action }: ast.StepItem, entry: ExecutedStep): boolean {
  if (outcome === true) return entry.action === action;
  return entry.action === (outcome === undefined && action === "BLOCK" ? "BLOCK" : "ALLOW");
}

function conditionWords({ when, unless }: ast.StepItem): string {
  if (when === null && unless === null) return "always";
  if (when === null) return "unless its test holds";
  const what = when.kind === "pattern-condition" ? "when such facts are there" : "when its test holds";
  return unless === null ? what : `${what}, unless another does`;
}

function stepWords(text: string, item: ast.StepItem, entry: ExecutedStep, { outcome, seen }: Look): string {
  const reason = entry.reason === "" ? "" : ` ${valueWords(entry.reason)}`;
  if (entry.failed === true)
    return `${seen.length === 0 ? "" : `${seenWords(seen)}; `}${text} failed, and a failure blocks: ${failureOf(entry)}.`;
  if (entry.action === "ALLOW") {
    const unsure =
      outcome === undefined
        ? "does not apply for certain"
        : item.action === "ALLOW" && outcome
          ? "allows it"
          : "does not apply";
    return `${reasoned(seen)}${text} ${unsure}, and it goes on.`;
  }
  if (entry.action === "NOTE") return `${reasoned(seen)}${text} notes${reason}, and it goes on.`;
  if (outcome === undefined || entry.unknown === true)
    return `${reasoned(seen)}it is unknown whether ${text} applies, and unknown blocks.`;
  return `${reasoned(seen)}${text} ends it with ${entry.action}${reason}.`;
}

/** Returns what failed in a step. */
function failureOf({ rule, reason }: ExecutedStep): string {
  return reason.slice(`rule_error:${rule}: `.length);
}

function reasoned(seen: readonly string[]): string {
  return seen.length === 0 ? "" : `${seenWords(seen)}, so `;
}

function notMet(outcome: Truth): string {
  return outcome === undefined ? "is unknown, and unknown blocks" : "does not hold";
}

function asUnknown(outcome: Truth): string {
  return outcome === undefined ? "is unknown" : "does not hold";
}

/**
 * Returns the text of a decision as the end of a phrase; nothing when it is the engine's own, because the line was
 * unknown or failed: the sentence says so in words.
 */
export function authorText(value: string, { unknown, failed }: Pick<ExecutedStep, "unknown" | "failed">): string {
  return unknown === true || failed === true ? "" : ` ${valueWords(value)}`;
}

export function ends({ action }: ExecutedStep): boolean {
  return action !== "ALLOW" && action !== "NOTE";
}
