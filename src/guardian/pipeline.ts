/**
 * A pipeline: takes a request through its steps in strict order, once, and ends in one decision.
 *
 * It fails closed: a step that throws blocks, an unknown test of a BLOCK step blocks, and a value that cannot be
 * computed is not returned.
 */
import { type Clock, recordedTime } from "../base/stopwatch.ts";
import type { Decided, ExecutedStep, PipelineDecision } from "../base/answers.ts";
import type { Match } from "../rete/match.ts";
import type { MatchInput } from "../rete/node.ts";
import { borderResult, otherwiseResult, stepResult, type StepResult, type StepSpec } from "./step-result.ts";
import { Subjects } from "./subjects.ts";
import { withholding } from "./withheld.ts";

export interface PipelineSpec {
  readonly name: string;
  readonly subjectType: string;
  readonly subjectLevel: number;
  readonly before: readonly StepSpec[];
  readonly steps: readonly StepSpec[];
  readonly after: readonly StepSpec[];
  readonly otherwise: StepSpec;
  readonly audit: string | undefined;
  /** Returns the result of the work, during which the tests of `after` see a decision. */
  readonly showing: <Result>(decided: Decided, work: () => Result) => Result;
}

/** A decision, with what its `after` lines saw: an answer that one of them blocked is nowhere else. */
export interface DecisionAccount {
  readonly decision: PipelineDecision;
  /** Undefined when `before` refused the request. */
  readonly decided: Decided | undefined;
}

type Final = Pick<PipelineDecision, "decision" | "value" | "unknown" | "failed">;

export class PipelineNode implements MatchInput {
  readonly spec: PipelineSpec;
  readonly subjects: Subjects;
  #waiting = new Set<string>();

  constructor(spec: PipelineSpec) {
    this.spec = spec;
    this.subjects = new Subjects(spec.subjectLevel);
  }

  /** Returns the subjects that were added since the last call and are still there, oldest first. */
  takeWaiting(): string[] {
    const waiting = this.#waiting;
    if (waiting.size === 0) return [];
    this.#waiting = new Set();
    return this.subjects.inOrder([...waiting].filter((id) => this.subjects.match(id) !== undefined));
  }

  /** Returns the subjects that `takeWaiting` would return; undefined when these are all of them. */
  get waiting(): readonly string[] | undefined {
    const waiting = [...this.#waiting].filter((id) => this.subjects.match(id) !== undefined);
    return waiting.length === this.subjects.size ? undefined : this.subjects.inOrder(waiting);
  }

  /** Replaces the subjects that wait, for a session that was restored: the others were decided before. */
  restoreWaiting(subjects: readonly string[]): void {
    this.#waiting = new Set(subjects);
  }

  /** Returns the decision on a request; undefined when it is not a subject of this pipeline. */
  decide(id: string, now: Clock): PipelineDecision | undefined {
    return this.account(id, now)?.decision;
  }

  /** Returns the decision on a request with what its `after` lines saw; undefined when it is not a subject. */
  account(id: string, now: Clock): DecisionAccount | undefined {
    const subject = this.subjects.match(id);
    return subject === undefined ? undefined : new RequestRun(this.spec, subject, id, now).account();
  }

  leftAdded(subject: Match): void {
    this.#waiting.add(this.subjects.add(subject));
  }

  leftRemoved(subject: Match): void {
    this.subjects.remove(subject);
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.subjects.matches()].filter((match) => !ignore(match)).length;
  }

  reassert(): void {
    // never called: this node implements no `reads`
  }
}

/** One request on its way through a pipeline. */
class RequestRun {
  readonly #spec: PipelineSpec;
  readonly #subject: Match;
  readonly #id: string;
  readonly #now: Clock;
  readonly #executed: ExecutedStep[] = [];
  readonly #flags: string[] = [];

  constructor(spec: PipelineSpec, subject: Match, id: string, now: Clock) {
    this.#spec = spec;
    this.#subject = subject;
    this.#id = id;
    this.#now = now;
  }

  account(): DecisionAccount {
    const elapsed = recordedTime(this.#now);
    const refused = this.#refused();
    const reached = refused ?? this.#ended() ?? this.#otherwise();
    const decided = refused === undefined ? decidedBy(reached) : undefined;
    const final = decided === undefined ? reached : this.#tightened(reached, decided);
    const { decision } = final;
    const total_latency_ms = elapsed();
    const trace = {
      request_id: this.#id,
      rules_executed: this.#executed,
      final_decision: decision,
      total_latency_ms,
    };
    return {
      decision: { pipeline: this.#spec.name, subject: this.#id, ...final, flags: this.#flags, trace },
      decided,
    };
  }

  /** Returns the decision when the request is refused at the entry; the trace stays empty. */
  #refused(): Final | undefined {
    for (const border of this.#spec.before) {
      const result = borderResult(border, this.#subject);
      if (result !== undefined) return finalOf("BLOCK", result);
    }
    return undefined;
  }

  #ended(): Final | undefined {
    for (const step of this.#spec.steps) {
      const final = this.#timed(step.name, () => stepResult(step, this.#subject));
      if (final !== undefined) return final;
    }
    return undefined;
  }

  #otherwise(): Final {
    const result = otherwiseResult(this.#spec.otherwise, this.#subject);
    const { action } = result;
    return finalOf(action === "ALLOW" || action === "NOTE" ? "ERROR" : action, result);
  }

  /**
   * Returns the decision after the `after` lines, which can block an ANSWER or FORWARD and never loosen a decision: a
   * BLOCK or ERROR is not shown to them.
   */
  #tightened(final: Final, decided: Decided): Final {
    if (final.decision !== "ANSWER" && final.decision !== "FORWARD") return final;
    for (const border of this.#spec.after) {
      const elapsed = recordedTime(this.#now);
      const result = this.#spec.showing(decided, () => borderResult(border, this.#subject));
      if (result === undefined) continue;
      this.#withhold(final);
      this.#executed.push({ rule: "after", ...result, latency_ms: elapsed() });
      return finalOf("BLOCK", result);
    }
    return final;
  }

  /** Takes an answer that is blocked, and what shows the fields it is made of, out of the trace and the flags. */
  #withhold({ decision }: Final): void {
    if (decision !== "ANSWER") return;
    const { steps, otherwise } = this.#spec;
    const last = this.#executed.at(-1);
    const answering = last?.action === "ANSWER" ? steps[this.#executed.length - 1] : otherwise;
    const shown = this.#executed.map((executed, index) => {
      const step = steps[index];
      return step === undefined ? executed : withholding(step, executed, answering?.sources ?? new Set());
    });
    this.#executed.splice(0, Infinity, ...shown);
    const notes = shown.filter(({ action }) => action === "NOTE");
    this.#flags.splice(0, Infinity, ...notes.map(({ reason }) => reason));
  }

  /** Records what a step did; returns a decision when the step ends the pipeline. */
  #timed(rule: string, work: () => StepResult): Final | undefined {
    const elapsed = recordedTime(this.#now);
    const result = work();
    const { action, reason } = result;
    this.#executed.push({ rule, ...result, latency_ms: elapsed() });
    if (action === "NOTE") this.#flags.push(reason);
    return action === "ALLOW" || action === "NOTE" ? undefined : finalOf(action, result);
  }
}

function finalOf(decision: Final["decision"], { reason, unknown, failed }: StepResult): Final {
  return {
    decision,
    value: reason,
    ...(unknown === undefined ? {} : { unknown }),
    ...(failed === undefined ? {} : { failed }),
  };
}

/** Returns a decision as the `after` lines see it. */
function decidedBy({ decision, value }: Final): Decided {
  const own = decision === "ANSWER" ? { answer: value } : decision === "FORWARD" ? { receiver: value } : {};
  return { decision, reason: value, ...own };
}
