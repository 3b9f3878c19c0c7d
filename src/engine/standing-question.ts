/**
 * A question that stands in the network of a session: a query, or the facts of a type. What asks it is a fact with its
 * parameters, below which the nodes keep the answers until the fact is removed.
 */
import type { Assembly } from "../assemble/assembly.ts";
import type { RowListener, StandingNodes } from "../assemble/standing-nodes.ts";
import type { Maybe } from "../base/value.ts";
import { PARAMETER_LEVEL, type StandingPlan } from "../plan/standing.ts";
import { Fact } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import type { Production } from "../rete/production.ts";
import type { Bound } from "../rete/rule-matches.ts";
import type { Ending, TerminalNode } from "../rete/terminal.ts";
import { tooManyAnswers } from "./query-rows.ts";
import type { Activity } from "../session/activity.ts";
import type { Shapes } from "../session/admission/shapes.ts";

/** An answer in the network. It hangs on its match, and goes with it. */
export class Answer implements Ending, Bound {
  readonly terminal: TerminalNode | undefined;
  nextOfMatch: Ending | undefined = undefined;
  /** Replaced, with the match, when another alternative finds the answer in its place. */
  production: Production;
  match: Match;
  readonly fact: undefined = undefined;
  readonly asker: Asker | undefined;
  /** What the asker knows it by. */
  key: string = "";

  constructor(production: Production, match: Match, terminal: TerminalNode | undefined, asker: Asker | undefined) {
    this.production = production;
    this.match = match;
    this.terminal = terminal;
    this.asker = asker;
  }
}

/** Who asks a question once, or for as long as it stands. */
export interface Asker {
  answerAdded(answer: Answer): void;
  /** Called for an answer that was added; one change may add and remove the same answer. */
  answerRemoved(answer: Answer): void;
  /** Called when a fact of an answer has other values. */
  factsChanged(production: Production, match: Match): void;
  /** Called when the nodes were switched off at the match limit, at a pattern. */
  switchedOff(pattern: string): void;
}

/** The parts of a session that questions need. */
export interface QuestionContext {
  readonly assembly: Assembly;
  readonly shapes: Pick<Shapes, "of">;
  readonly activity: Activity;
}

export class StandingQuestion implements RowListener {
  readonly spec: StandingPlan;
  readonly late: undefined = undefined;
  readonly #context: QuestionContext;
  readonly #nodes: StandingNodes;
  readonly #askers = new Map<Fact, Asker>();
  #asked = 0;

  /** Adds the nodes of the question to the network. */
  constructor(spec: StandingPlan, context: QuestionContext) {
    this.spec = spec;
    this.#context = context;
    const shape = context.shapes.of(spec.parameters);
    for (const name of spec.names) shape.slot(name);
    this.#nodes = context.assembly.questions.stand(spec.plan, spec.parameters, this);
  }

  /** False after it was dropped, or another program was applied. */
  get isLive(): boolean {
    return this.#nodes.isLive;
  }

  /** Begins to ask, and returns the fact that asks; the asker hears of all answers at once. Throws E511 when there are too many. */
  ask(values: ReadonlyMap<string, Maybe | null>, asker: Asker): Fact {
    const { assembly, shapes, activity } = this.#context;
    const { names, parameters } = this.spec;
    const given = names.map((name) => values.get(name) ?? undefined);
    this.#asked += 1;
    const fact = new Fact(`${parameters} ${this.#asked}`, shapes.of(parameters), given, 0, 0);
    this.#askers.set(fact, asker);
    const before = activity.committing;
    activity.committing = true;
    try {
      assembly.questions.fill(this.#nodes, () => assembly.network.ask(fact), tooManyAnswers);
    } catch (error) {
      this.#askers.delete(fact);
      throw error;
    } finally {
      activity.committing = before;
    }
    return fact;
  }

  /** Stops asking: the answers leave the network. */
  stop(fact: Fact): void {
    if (this.#askers.delete(fact) && this.isLive) this.#context.assembly.network.stopAsking(fact);
  }

  /** Takes the nodes of the question down. */
  drop(): void {
    this.#askers.clear();
    this.#context.assembly.questions.drop(this.#nodes);
  }

  // ---------------------------------------------------------------- what the network says

  matchAdded(production: Production, match: Match, terminal?: TerminalNode): Answer {
    const asker = this.#askerOf(match);
    const answer = new Answer(production, match, terminal, asker);
    asker?.answerAdded(answer);
    return answer;
  }

  matchRemoved(ending: Ending): void {
    if (ending instanceof Answer) ending.asker?.answerRemoved(ending);
  }

  wayChanged(ending: Ending, { production }: TerminalNode, match: Match): void {
    if (!(ending instanceof Answer)) return;
    ending.production = production;
    ending.match = match;
    ending.asker?.factsChanged(production, match);
  }

  factsChanged(production: Production, match: Match): void {
    this.#askerOf(match)?.factsChanged(production, match);
  }

  switchedOff(pattern: string): void {
    for (const asker of [...this.#askers.values()]) asker.switchedOff(pattern);
  }

  factPassed(): void {
    // a question has no direct terminal
  }

  factLeft(): void {
    // a question has no direct terminal
  }

  pairsDeferred(): boolean {
    return false;
  }

  pairsDropped(): void {
    // nothing is deferred
  }

  #askerOf(match: Match): Asker | undefined {
    const { fact } = match.at(PARAMETER_LEVEL);
    return fact === undefined ? undefined : this.#askers.get(fact);
  }
}
