/**
 * Explains the stage of a subject in a flow: the stages so far, the branch and the gate that led to each, and why the subject
 * stays where it is.
 *
 * A move is explained with the facts as they were when it was made. Without them, its fact still names the branch and the gate.
 */
import { factLabel } from "../../base/fact-label.ts";
import type { FlowAnswer, GateAnswer, Outcome } from "../../base/answers.ts";
import type { FlowStanding } from "../../base/judging.ts";
import type { PastFact } from "../../session/history.ts";
import type { FactView } from "../../session/results.ts";
import { stageAnswer } from "../../session/stage-answer.ts";
import { unlessStopped } from "../read/budget.ts";
import type { ExplainContext } from "../read/context.ts";
import type { Draft } from "../read/draft.ts";
import { gateDraft, withOutcome } from "./gate.ts";
import { headlineOf } from "./headline.ts";
import { type Explanation, numbered } from "./step.ts";
import type { FactBase } from "../read/world.ts";

/** The explanation of a stage of a flow. */
export interface WhyFlow extends Explanation {
  /** The name of the flow. */
  readonly flow: string;
  /** The id of the subject; null for a flow without `for`. */
  readonly subject: string | null;
  /** The stage. */
  readonly stage: string;
  /** The stages up to this one, oldest first, each with the move that led there. */
  readonly path: readonly FlowAnswer[];
  /** Whether `path` begins at the first stage. False when the history does not reach back that far. */
  readonly complete: boolean;
  /**
   * Why the subject does not go on: the stage is `final`, `no branch` applies (E540), or a branch leads back to the `same
   * stage`. `moves`: it goes on when the session runs. `left`: it is no longer in this stage.
   */
  readonly stays: "final" | "no branch" | "same stage" | "moves" | "left";
}

/** A stage that was reached; `tag` is the change that wrote its fact, undefined when it is not known. */
interface Reached {
  readonly answer: FlowAnswer;
  readonly tag: number | undefined;
}

/** What a gate said when a move was made, with the facts of that moment. */
interface AnswerThen {
  readonly answer: GateAnswer;
  readonly facts: FactBase;
}

/** The most moves of a path that are shown. */
const MAX_MOVES = 12;

const TYPE = "FlowStage";

/** Returns the stage that a fact records; undefined when the fact records none. */
export function stageOfFact({ program }: ExplainContext, fact: FactView): FlowAnswer | undefined {
  const { type } = fact;
  return type !== TYPE || program.symbols.type(type)?.engineKept !== true ? undefined : stageAnswer(fact);
}

export function explainStage(context: ExplainContext, answer: FlowAnswer): WhyFlow {
  const journey = new Journey(context, answer);
  const { flow, subject, stage } = answer;
  const id = subject === null ? flow : `${flow}/${subject}`;
  const path = journey.path.map(({ answer }) => answer);
  const { complete, stays } = journey;
  return { ...numbered(journey.draft(), `${id}/${stage}`), flow, subject, stage, path, complete, stays };
}

export function stageDraft(context: ExplainContext, answer: FlowAnswer): Draft {
  return new Journey(context, answer).draft();
}

class Journey {
  readonly #context: ExplainContext;
  readonly #now: FlowAnswer;
  readonly #standing: FlowStanding | undefined;
  /** The stages up to the one that is explained, oldest first. */
  readonly path: readonly Reached[];

  constructor(context: ExplainContext, answer: FlowAnswer) {
    this.#context = context;
    this.path = pathTo(context, answer);
    this.#now = this.path.at(-1)?.answer ?? answer;
    const { flow, subject, stage, fact } = this.#now;
    const isLive = context.session.fact(fact) !== undefined;
    this.#standing = isLive ? context.flow(flow, subject, stage) : undefined;
  }

  get complete(): boolean {
    return this.path[0]?.answer.from === undefined;
  }

  get stays(): WhyFlow["stays"] {
    if (this.#standing === undefined) return "left";
    const { final, branch } = this.#standing;
    if (final) return "final";
    if (branch === undefined) return "no branch";
    return branch.goto === this.#now.stage ? "same stage" : "moves";
  }

  draft(): Draft {
    const { flow, subject, stage } = this.#now;
    const shown = this.path.slice(-MAX_MOVES);
    const earlier = this.path.length - shown.length;
    return {
      text: `flow "${flow}"`,
      seen: [`the stages so far are ${this.path.map(({ answer }) => answer.stage).join(", ")}`],
      down: `Looks for what led ${subject === null ? `flow "${flow}"` : factLabel(subject)} to stage ${stage}.`,
      up: this.#headline(),
      method: "flow",
      outcome: true,
      children: [
        ...(this.complete && earlier === 0 ? [] : [beginningDraft(earlier)]),
        ...shown.map((one) => this.#reachedDraft(one)),
        this.#stayDraft(),
      ],
    };
  }

  // ---------------------------------------------------------------- sentences

  #headline(): string {
    const { flow, subject, stage } = this.#now;
    const whom = subject === null ? `Flow "${flow}"` : factLabel(subject);
    const place = subject === null ? `stage ${stage}` : `stage ${stage} of flow "${flow}"`;
    if (this.stays === "no branch" || this.stays === "same stage")
      return headlineOf(`${whom} stays in ${place}`, [this.#stayWords()]);
    return headlineOf(`${whom} ${this.stays === "left" ? "was" : "is"} in ${place}`, [this.#reason()]);
  }

  /** Returns what led to the stage: its move, and when no gate decided that, the last gate that decided. */
  #reason(): string {
    const last = this.path.findLast(({ answer }) => answer.gate !== undefined)?.answer;
    const words = moveWords(this.#now);
    if (last === undefined || last === this.#now || last.outcome === undefined) return words;
    const said = `gate "${last.gate}" ${THEN[last.outcome]}${this.#whom(last.about)}`;
    return `${words}, after ${said} in stage ${last.from}`;
  }

  /** Returns why the subject stays, without a full stop. */
  #stayWords(): string {
    const { stage } = this.#now;
    const { decides, outcome, branch } = this.#standing ?? {};
    if (decides === undefined || outcome === undefined) return `stage ${stage} has no branch that applies`;
    const says = `gate "${decides.gate}" ${NOW[outcome]}${this.#whom(decides.about)}`;
    if (branch === undefined) return `${says}, and no branch matches ${outcome} (E540)`;
    return `${says}, so "${branchWords(branch.on, branch.goto)}" keeps it there`;
  }

  /** Returns whom a gate decides about, when that is not the subject of the flow itself. */
  #whom(about: string | null | undefined): string {
    return typeof about === "string" && about !== this.#now.subject ? ` for ${factLabel(about)}` : "";
  }

  // ---------------------------------------------------------------- steps

  #reachedDraft(reached: Reached): Draft {
    const { stage, from, branch, gate, about, outcome } = reached.answer;
    if (from === undefined || branch === undefined)
      return leaf(`stage ${stage}`, `stage ${stage} is the first one`, `It began in stage ${stage}, the first stage.`);
    const text = branchWords(branch, stage);
    if (gate === undefined || outcome === undefined)
      return leaf(text, `stage ${from} has "${text}"`, `Stage ${from} has "${text}", so it moved to stage ${stage}.`);
    const then = unlessStopped(
      () => this.#gateThen(reached, gate, outcome),
      (stopped) => ({ children: [], note: ` Why is not shown: ${stopped}.` }),
    );
    const said = `gate "${gate}" ${THEN[outcome]}${this.#whom(about)}`;
    return {
      ...leaf(text, `${said} in stage ${from}`, ""),
      up: `In stage ${from}, ${said}, so "${text}" applied.${then.note}`,
      children: then.children,
    };
  }

  /** Returns the explanation of the gate at a move, and what has changed since. */
  #gateThen(reached: Reached, gate: string, outcome: Outcome): { children: Draft[]; note: string } {
    const about = reached.answer.about ?? null;
    const now = this.#context.gate(gate, about);
    const then = this.#answerThen(reached, gate, about);
    if (then === undefined) {
      if (now === undefined) return { children: [], note: ` ${FORGOTTEN}` };
      const note = now.outcome === outcome ? ` ${FORGOTTEN}` : "";
      return { children: [gateDraft(this.#context, withOutcome(now, outcome))], note };
    }
    if (then === "no subject") {
      const who = about === null ? "nothing" : factLabel(about);
      return { children: [], note: ` ${capital(who)} was not a subject of the gate, which counts as hold.` };
    }
    return { children: [gateDraft(this.#context, then.answer, then.facts)], note: sinceThen(then.answer, now) };
  }

  /** Returns what the gate said when the move was made; undefined when the facts of that time are not known. */
  #answerThen(reached: Reached, gate: string, about: string | null): AnswerThen | "no subject" | undefined {
    const past = reached.tag === undefined ? undefined : this.#context.history.beforeWrite(reached.tag);
    if (past?.known !== true || this.#context.program.symbols.gates.get(gate) === undefined) return undefined;
    const facts = this.#context.forkPast(past);
    const answer = this.#context.gate(gate, about, facts);
    if (answer === undefined) return reached.answer.outcome === "hold" ? "no subject" : undefined;
    return answer.outcome === reached.answer.outcome ? { answer, facts } : undefined;
  }

  #stayDraft(): Draft {
    const { stage } = this.#now;
    switch (this.stays) {
      case "left":
        return this.#leftDraft();
      case "final":
        return leaf(`stage ${stage} final`, `stage ${stage} is final`, `Stage ${stage} is final, so it stays there.`);
      case "moves": {
        const { branch } = this.#standing ?? {};
        const next = branch === undefined ? "" : branchWords(branch.on, branch.goto);
        return this.#gateNow(`It goes on when the session runs: "${next}" applies now.`);
      }
      default:
        return this.#gateNow(`It stays in stage ${stage}: ${this.#stayWords()}.`);
    }
  }

  /** Returns a step with the gate of the stage as it is now. */
  #gateNow(up: string): Draft {
    const { decides, outcome } = this.#standing ?? {};
    const answer = decides === undefined ? undefined : this.#context.gate(decides.gate, decides.about);
    const seen = decides === undefined ? "no gate decides" : `gate "${decides.gate}" ${NOW[outcome ?? "hold"]}`;
    const children = answer === undefined ? [] : [gateDraft(this.#context, answer)];
    const outside =
      decides !== undefined && answer === undefined && decides.about !== null
        ? ` ${factLabel(decides.about)} is not a subject of the gate, which counts as hold.`
        : "";
    return { ...leaf(`stage ${this.#now.stage}`, seen, `${up}${outside}`), children };
  }

  #leftDraft(): Draft {
    const next = recorded(this.#context, this.#now).find(({ order }) => order > (this.#order() ?? Infinity));
    if (next?.answer.from === this.#now.stage) {
      const { stage } = next.answer;
      return leaf(
        `stage ${stage}`,
        `it moved to stage ${stage}`,
        `It left for stage ${stage}: ${moveWords(next.answer)}.`,
      );
    }
    const { subject, stage } = this.#now;
    const gone = subject !== null && this.#context.session.fact(subject) === undefined;
    const up = gone
      ? `${factLabel(subject)} was withdrawn, and its stage with it.`
      : `It is no longer in stage ${stage}.`;
    return leaf(`stage ${stage}`, `it is no longer in stage ${stage}`, up);
  }

  #order(): number | undefined {
    return recorded(this.#context, this.#now).find(({ answer }) => answer.fact === this.#now.fact)?.order;
  }
}

const FORGOTTEN = "The facts of that moment are no longer known.";

const THEN: Readonly<Record<Outcome, string>> = { pass: "passed", hold: "was on hold", fail: "failed" };
const NOW: Readonly<Record<Outcome, string>> = { pass: "passes", hold: "is on hold", fail: "fails" };

/** Returns what led to a stage, as the end of a sentence. */
function moveWords({ stage, from, branch, gate, about, subject, outcome }: FlowAnswer): string {
  if (from === undefined || branch === undefined) return "it is the first stage";
  const taken = `"${branchWords(branch, stage)}"`;
  if (gate === undefined || outcome === undefined) return `stage ${from} has ${taken}`;
  const whom = about === undefined || about === subject ? "" : ` for ${factLabel(about)}`;
  return `gate "${gate}" ${THEN[outcome]}${whom} in stage ${from}, so ${taken} applied`;
}

/** `on pass goto ship`; `branch` may also be the outcome alone. */
function branchWords(branch: string, goto: string): string {
  const name = branch === "always" || branch === "otherwise" || branch.startsWith("on ") ? branch : `on ${branch}`;
  return `${name} goto ${goto}`;
}

/** Returns a note when a gate says something else now, or for other reasons. */
function sinceThen(then: GateAnswer, now: GateAnswer | undefined): string {
  if (now === undefined) return ` The gate no longer decides about it.`;
  if (now.outcome !== then.outcome) return ` The facts have changed since: it ${NOW[now.outcome]} now.`;
  return JSON.stringify(now.tree) === JSON.stringify(then.tree) ? "" : " The facts have changed since.";
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function leaf(text: string, seen: string, up: string): Draft {
  return { text, seen: [seen], down: `Checks ${text}.`, up, method: "flow", outcome: true, children: [] };
}

/** Returns the step before the first stage that is shown. */
function beginningDraft(earlier: number): Draft {
  const up =
    earlier > 0
      ? `There are ${earlier} earlier stages, which are not shown.`
      : "The stages before are no longer in the history.";
  const text = "earlier stages";
  return { text, seen: [up.slice(0, -1)], down: `Checks ${text}.`, up, outcome: true, children: [], bound: true };
}

// ---------------------------------------------------------------- the stages so far

/** A stage of the history, with its place among the facts. */
interface Recorded extends Reached {
  readonly order: number;
}

/** Returns the stages that a subject is known to have had in a flow, oldest first. */
function recorded(context: ExplainContext, { flow, subject, fact }: FlowAnswer): Recorded[] {
  const facts: PastFact[] = [];
  for (const removed of context.history.removed(TYPE)) facts.push(removed.fact);
  const live = new Set([fact, ...context.session.facts(TYPE).map(({ id }) => id)]);
  for (const id of live) {
    const placed = context.history.placed(id);
    if (placed !== undefined) facts.push(placed);
  }
  return facts
    .flatMap((one) => {
      const answer = stageOfFact(context, one);
      const isOfSubject = answer?.flow === flow && answer.subject === subject;
      return answer !== undefined && isOfSubject ? [{ answer, order: one.order, tag: one.tag }] : [];
    })
    .sort((a, b) => a.order - b.order);
}

/** Returns the stages up to one, as far back as they are known: each begins where the one before was left. */
function pathTo(context: ExplainContext, answer: FlowAnswer): Reached[] {
  const known = recorded(context, answer);
  let index = known.findIndex((one) => one.answer.fact === answer.fact);
  let first: Reached = known[index] ?? { answer, tag: undefined };
  const path = [first];
  while (first.answer.from !== undefined && index > 0) {
    index -= 1;
    const before: Reached | undefined = known[index];
    if (before?.answer.stage !== first.answer.from) break;
    first = before;
    path.unshift(first);
  }
  return path;
}
