/** Why a pipeline decided as it did: every line of it is a step, in written order, with its outcome. */
import { not, type Truth } from "../base/truth.ts";
import type * as ast from "../language/ast.ts";
import type { ExecutedStep, PipelineDecision } from "../rete/keeper.ts";
import { conditionDrafts } from "./condition.ts";
import { truth } from "./evaluate.ts";
import { type Part, partsOfElements } from "./parts.ts";
import { reach } from "./reach.ts";
import { type Chosen, solutions } from "./solve.ts";
import { type Draft, type Explanation, numbered, seenWords } from "./step.ts";
import { methodOf, testDraft } from "./tests.ts";
import { notReached, subjectChosen } from "./verdict.ts";
import { plural, valueWords, Words } from "./words.ts";
import type { World } from "./world.ts";

export interface WhyDecision extends Explanation {
  readonly pipeline: string;
  readonly subject: string;
  readonly says: PipelineDecision["decision"];
  readonly value: string;
  readonly flags: readonly string[];
  /** The step that ended it, by its name; `before`, `after` or `otherwise` where that was none. */
  readonly decided: string;
}

/** `now` is what the pipeline would decide now; undefined when it no longer looks at the subject. */
export function explainDecision(world: World, asked: PipelineDecision, now: PipelineDecision | undefined): WhyDecision {
  const { pipeline, subject, decision: says, value, flags } = asked;
  const root = numbered(decisionDraft(world, asked, now), `${pipeline}/${subject}`);
  return { ...root, pipeline, subject, says, value, flags, decided: decidedBy(world, asked) };
}

function decidedBy({ ground }: World, { pipeline, decision, trace }: PipelineDecision): string {
  const last = trace.rules_executed.at(-1);
  if (last !== undefined && ends(last)) return last.rule;
  const items = ground.program.symbols.pipelines.get(pipeline)?.decl.items ?? [];
  const refused = decision === "BLOCK" && last === undefined && items.some(({ kind }) => kind === "before");
  return refused && !isOtherwise(items, decision) ? "before" : "otherwise";
}

/** Whether the `otherwise` of a pipeline without steps could have decided so. */
function isOtherwise(items: readonly ast.PipelineItem[], decision: PipelineDecision["decision"]): boolean {
  const hasSteps = items.some(({ kind }) => kind === "step");
  return !hasSteps && items.some((item) => item.kind === "otherwise" && item.action === decision);
}

function decisionDraft(world: World, asked: PipelineDecision, now: PipelineDecision | undefined): Draft {
  const { pipeline, subject, decision } = asked;
  const found = world.ground.program.symbols.pipelines.get(pipeline);
  const head = `Pipeline "${pipeline}" decides ${decision}${said(asked)} for ${subject}`;
  const down = `Pipeline "${pipeline}" was asked about ${subject}; it goes through its lines in order, and the first that ends it decides.`;
  const base = { text: `pipeline "${pipeline}"`, down, outcome: true, method: "pipeline" };
  if (asked.code !== undefined || found === undefined || now === undefined) {
    const children = asked.trace.rules_executed.map(traced);
    const gone =
      asked.code === undefined ? ` ${subject} is no longer one that it decides about: what follows is its trace.` : "";
    const up = `${asked.code === undefined ? head : `Pipeline "${pipeline}" gives ERROR for ${subject}: ${asked.value}`}.${gone}`;
    return { ...base, seen: [plural(children.length, "step was", "steps were") + " executed"], up, children };
  }
  const teller = new StepTeller(world, found.decl, found.source, now);
  const children = teller.items();
  const decisive = teller.decisive;
  const changed = same(asked, now) ? "" : `. ${CHANGED_SINCE} Now it decides ${now.decision}${said(now)}`;
  const noted = now.flags.length === 0 ? "" : ` Noted: ${now.flags.join(", ")}.`;
  return {
    ...base,
    seen: decisive?.seen ?? [],
    up: `${head}${changed}: ${decisive?.up ?? ""}${noted}`,
    children,
  };
}

const CHANGED_SINCE = "The facts have changed since, and what follows is told with those of now.";

/** What was said to whoever asked. */
function said({ value }: Pick<PipelineDecision, "value">): string {
  return ` ${valueWords(value)}`;
}

function same(a: PipelineDecision, b: PipelineDecision): boolean {
  const plain = ({ decision, value, trace }: PipelineDecision): string =>
    JSON.stringify([decision, value, trace.rules_executed.map(({ rule, action, reason }) => [rule, action, reason])]);
  return plain(a) === plain(b);
}

/** A step of which only the trace is known. */
function traced({ rule, action, reason }: ExecutedStep): Draft {
  const what = `step ${rule}: ${action}${reason === "" ? "" : ` ${valueWords(reason)}`}`;
  return {
    text: `step ${rule}`,
    seen: [what],
    down: `step ${rule} was executed.`,
    up: `${what}.`,
    outcome: action !== "ALLOW",
    method: "trace",
    children: [],
  };
}

function ends({ action }: ExecutedStep): boolean {
  return action !== "ALLOW" && action !== "NOTE";
}

// ---------------------------------------------------------------- the lines of a pipeline

class StepTeller {
  readonly #world: World;
  readonly #decl: ast.PipelineDecl;
  readonly #words: Words;
  readonly #decision: PipelineDecision;
  readonly #subject: Chosen;
  /** What each step did, up to the one that ended the way. */
  readonly #executed: readonly ExecutedStep[];
  /** An `after` that tightened has an entry of its own, behind that of the step that ended the way. */
  readonly #tightened: ExecutedStep | undefined;
  /** What decided; known when all lines are told. */
  decisive: Draft | undefined;

  constructor(
    world: World,
    decl: ast.PipelineDecl,
    source: ConstructorParameters<typeof Words>[0],
    decision: PipelineDecision,
  ) {
    this.#world = world;
    this.#decl = decl;
    this.#words = new Words(source);
    this.#decision = decision;
    this.#subject = subjectChosen(decl.subject, decision.subject, world);
    const all = decision.trace.rules_executed;
    const steps = decl.items.filter(({ kind }) => kind === "step").length;
    const end = all.findIndex(ends);
    const last = end < 0 || end >= steps ? Math.min(all.length, steps) : end + 1;
    this.#executed = all.slice(0, last);
    this.#tightened = all[last];
  }

  items(): Draft[] {
    const refusing = this.#refusing();
    let step = -1;
    const refused = refusing === undefined ? undefined : "the request was not accepted";
    return this.#decl.items.flatMap((item): Draft[] => {
      switch (item.kind) {
        case "audit":
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

  /** The `before` that is not true; the others are not looked at. */
  #refusing(): ast.BorderItem | undefined {
    const befores = this.#decl.items.filter((item): item is ast.BorderItem => item.kind === "before");
    const { decision, trace } = this.#decision;
    if (decision !== "BLOCK" || trace.rules_executed.length > 0) return undefined;
    return befores.find((item) => this.#test(item.test).outcome !== true);
  }

  #before(item: ast.BorderItem, refusing: ast.BorderItem | undefined): Draft {
    const text = `before ${this.#words.expression(item.test)}`;
    const isLater = refusing !== undefined && item.span.start > refusing.span.start;
    if (isLater) return notReached(text, "the request was not accepted");
    const draft = this.#border(item, text, "accepts the request when this holds");
    if (item !== refusing) return { ...draft, up: `${reasoned(draft.seen)}${text} lets it in.` };
    return (this.decisive = {
      ...draft,
      up: `${reasoned(draft.seen)}${text} ${asUnknown(draft.outcome)}, which ends it with BLOCK${said(this.#decision)}.`,
    });
  }

  #border(item: ast.BorderItem, text: string, purpose: string): Draft {
    const test = this.#test(item.test);
    return {
      text,
      seen: test.seen,
      down: `${text} ${purpose}, so it is tested.`,
      up: "",
      outcome: test.outcome,
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
    const draft = this.#border(item, text, "lets a decision through when this holds");
    if (this.#tightened === undefined || draft.outcome === true || this.decisive?.text.startsWith("after ") === true) {
      const up =
        draft.outcome === true ? `${reasoned(draft.seen)}${text} lets it through.` : `${text} was not looked at.`;
      return { ...draft, up };
    }
    return (this.decisive = {
      ...draft,
      up: `${reasoned(draft.seen)}${text} ${asUnknown(draft.outcome)}, which turns it into BLOCK${said({ value: this.#tightened.reason })}.`,
    });
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
    const draft = {
      text,
      seen: [seen],
      down: `${text} decides when no step did.`,
      up: `${seen}, so ${text} decides.`,
      outcome: true,
      method: "otherwise",
      children: [],
    };
    this.decisive ??= draft;
    return draft;
  }

  #test(test: ast.Expr): Draft {
    return testDraft(test, { world: this.#world, chosen: this.#subject, own: undefined }, this.#words);
  }

  // -------------------------------------------------------------- steps

  #step(item: ast.StepItem, entry: ExecutedStep | undefined, refused: string | undefined): Draft {
    const text = `step ${item.name.name}`;
    const last = this.#executed.at(-1);
    if (entry === undefined) return notReached(text, refused ?? `step ${last?.rule ?? ""} has decided`);
    const look = this.#look(item);
    const fits = agrees(look.outcome, item, entry);
    const seen = fits ? look.seen : [`${entry.action}${entry.reason === "" ? "" : ` ${valueWords(entry.reason)}`}`];
    const draft: Draft = {
      text,
      seen,
      down: `${text} ${item.action === "BLOCK" ? "blocks" : `gives ${item.action}`} ${conditionWords(item)}, so it is looked at.`,
      up: stepWords(text, item, entry, fits ? look : { ...look, seen: [] }),
      outcome: fits ? look.outcome : entry.action !== "ALLOW",
      method: "step",
      children: fits ? look.children : [],
    };
    if (ends(entry)) this.decisive = draft;
    return draft;
  }

  /** The condition of a step: a test or facts that are looked for, and what is excepted. */
  #look({ when, unless }: ast.StepItem): Look {
    const found = when?.kind === "pattern-condition" ? this.#lookFor(when.elements, unless) : undefined;
    if (found !== undefined) return found;
    const drafts: Draft[] = [];
    const truths: Truth[] = [];
    if (when?.kind === "test-condition") {
      const test = this.#test(when.test);
      drafts.push(test);
      truths.push(test.outcome);
    }
    if (unless !== null) {
      const test = this.#test(unless);
      drafts.push(test);
      truths.push(not(test.outcome));
    }
    const [only, second] = drafts;
    const isLeaf = only !== undefined && second === undefined && only.children.length === 0;
    const seen = drafts.flatMap((draft) => draft.seen);
    return { outcome: and(truths), seen, children: isLeaf ? [] : drafts };
  }

  #lookFor(elements: readonly ast.Element[], unless: ast.Expr | null): Look {
    const world = this.#world;
    const parts = partsOfElements(elements, elements);
    const telling = { world, words: this.#words, fixed: new Map() };
    const { chosen, outcome } = this.#found(parts, unless);
    if (chosen !== undefined) {
      const found = conditionDrafts(parts, parts.length, this.#subject, chosen, telling);
      const except = unless === null ? [] : [testDraft(unless, { world, chosen, own: undefined }, this.#words)];
      const children = [...found, ...except];
      return { outcome, seen: children.flatMap(({ seen }) => seen), children };
    }
    const { depth, deepest } = reach(parts, world, this.#subject, new Map());
    const children = conditionDrafts(parts, depth, this.#subject, deepest, telling);
    const stuck = children[depth]?.up.replace(/\.$/u, "");
    return { outcome: false, seen: stuck === undefined ? [] : [stuck], children };
  }

  /** The first facts for which the exception does not hold, else those for which it is not known, else any. */
  #found(
    parts: readonly Part[],
    unless: ast.Expr | null,
  ): { readonly chosen: Chosen | undefined; readonly outcome: Truth } {
    let unsure: Chosen | undefined;
    let excepted: Chosen | undefined;
    let count = 0;
    for (const chosen of solutions(parts, this.#world, this.#subject)) {
      const excuse = unless === null ? false : truth(unless, { world: this.#world, chosen, own: undefined });
      if (excuse === false) return { chosen, outcome: true };
      if (excuse === undefined) unsure ??= chosen;
      excepted ??= chosen;
      count += 1;
      if (count > MOST_FOUND) break;
    }
    return unsure === undefined ? { chosen: excepted, outcome: false } : { chosen: unsure, outcome: undefined };
  }
}

const MOST_FOUND = 1_000;

interface Look {
  readonly outcome: Truth;
  readonly seen: readonly string[];
  readonly children: readonly Draft[];
}

function and(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
}

/** Whether what is seen leads to what the step did. */
function agrees(outcome: Truth, { action }: ast.StepItem, entry: ExecutedStep): boolean {
  if (entry.reason.startsWith("rule_error:") && entry.reason === `rule_error:${entry.rule}`) return false;
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
  if (entry.reason === `rule_error:${entry.rule}`) return `${text} failed, and what fails blocks: BLOCK${reason}.`;
  if (entry.action === "ALLOW") {
    const unsure =
      outcome === undefined
        ? "is not known to apply"
        : item.action === "ALLOW" && outcome
          ? "allows it"
          : "does not apply";
    return `${reasoned(seen)}${text} ${unsure}, and it goes on.`;
  }
  if (entry.action === "NOTE") return `${reasoned(seen)}${text} notes${reason}, and it goes on.`;
  if (outcome === undefined)
    return `${reasoned(seen)}it is not known whether ${text} applies, and what is not known blocks: BLOCK${reason}.`;
  return `${reasoned(seen)}${text} ends it with ${entry.action}${reason}.`;
}

function reasoned(seen: readonly string[]): string {
  return seen.length === 0 ? "" : `${seenWords(seen)}, so `;
}

function asUnknown(outcome: Truth): string {
  return outcome === undefined ? "is not known to hold" : "does not hold";
}
