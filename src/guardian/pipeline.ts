/**
 * A pipeline: takes a request through its steps in strict order, once, and ends in one decision.
 *
 * It fails closed: a step that throws blocks, an unknown test of a BLOCK step blocks, and a value that cannot be
 * computed is not returned.
 */
import { type Clock, recordedTime } from "../base/stopwatch.ts";
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type { ExecutedStep, PipelineDecision, StepAction } from "../base/answers.ts";
import type { Match } from "../rete/match.ts";
import type { MatchInput } from "../rete/node.ts";
import { Subjects } from "./subjects.ts";
import type { WatchNode } from "./watch.ts";

type Tested = { readonly truth: Truth; readonly threw: string | undefined };

export interface AlternativeSpec {
  readonly watch: WatchNode;
  readonly test: (match: Match) => Tested;
  /** Computes the value of the decision; undefined when the step has none. */
  readonly value: ((match: Match) => { readonly value: Maybe; readonly threw: string | undefined }) | undefined;
}

export interface StepSpec {
  readonly name: string;
  readonly action: StepAction;
  /** True when the step looks for facts; then finding none is false, not unknown. */
  readonly looks: boolean;
  readonly alternatives: readonly AlternativeSpec[];
}

export interface PipelineSpec {
  readonly name: string;
  readonly subjectType: string;
  readonly subjectLevel: number;
  readonly before: readonly StepSpec[];
  readonly steps: readonly StepSpec[];
  readonly after: readonly StepSpec[];
  readonly otherwise: StepSpec;
  readonly audit: string | undefined;
}

type Final = Pick<PipelineDecision, "decision" | "value">;

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

  /** Returns the decision on a request; undefined when it is not a subject of this pipeline. */
  decide(id: string, now: Clock): PipelineDecision | undefined {
    const subject = this.subjects.match(id);
    return subject === undefined ? undefined : new RequestRun(this.spec, subject, id, now).decision();
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

  decision(): PipelineDecision {
    const elapsed = recordedTime(this.#now);
    const { decision, value } = this.#refused() ?? this.#tightened(this.#ended() ?? this.#otherwise());
    const total_latency_ms = elapsed();
    const trace = {
      request_id: this.#id,
      rules_executed: this.#executed,
      final_decision: decision,
      total_latency_ms,
    };
    return { pipeline: this.#spec.name, subject: this.#id, decision, value, flags: this.#flags, trace };
  }

  /** Returns the decision when the request is refused at the entry; the trace stays empty. */
  #refused(): Final | undefined {
    for (const border of this.#spec.before) {
      const finding = look(border, this.#subject);
      if (finding.truth !== true)
        return { decision: "BLOCK", value: whyUnreliable(border) ?? valueUnlessTrue(border, this.#subject) };
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
    const { otherwise } = this.#spec;
    const { action } = otherwise;
    const result = look(otherwise, this.#subject);
    const ends = action === "BLOCK" || action === "ANSWER" || action === "FORWARD";
    if (ends && result.truth === true && result.value !== undefined) return { decision: action, value: result.value };
    return { decision: "ERROR", value: whyUnreliable(otherwise) ?? result.value ?? "no step decided" };
  }

  /**
   * Returns the decision after the `after` checks, which can block an ANSWER or FORWARD and never loosen a decision.
   */
  #tightened(final: Final): Final {
    if (final.decision !== "ANSWER" && final.decision !== "FORWARD") return final;
    for (const border of this.#spec.after) {
      if (look(border, this.#subject).truth === true) continue;
      const blocked = this.#timed("after", () => ({
        action: "BLOCK",
        reason: whyUnreliable(border) ?? valueUnlessTrue(border, this.#subject),
      }));
      this.#executed.splice(0, Infinity, ...withheld(this.#executed));
      return blocked ?? final;
    }
    return final;
  }

  /** Records what a step did; returns a decision when the step ends the pipeline. */
  #timed(rule: string, work: () => Pick<ExecutedStep, "action" | "reason">): Final | undefined {
    const elapsed = recordedTime(this.#now);
    const { action, reason } = work();
    this.#executed.push({ rule, action, reason, latency_ms: elapsed() });
    if (action === "NOTE") this.#flags.push(reason);
    if (action === "ALLOW" || action === "NOTE") return undefined;
    return { decision: action, value: reason };
  }
}

/** Returns the steps without the value of an ANSWER: a trace must not reveal a value that is withheld. */
export function withheld(steps: readonly ExecutedStep[]): ExecutedStep[] {
  return steps.map((step) => (step.action === "ANSWER" ? { ...step, reason: "(withheld)" } : step));
}

const CONTINUED = { action: "ALLOW", reason: "" } as const;

/**
 * Returns the result of a step. A step whose facts cannot be relied on blocks, whatever its action: it may have been
 * the one that decides.
 */
function stepResult(step: StepSpec, subject: Match): Pick<ExecutedStep, "action" | "reason"> {
  const blind = whyUnreliable(step);
  if (blind !== undefined) return { action: "BLOCK", reason: blind };
  const finding = look(step, subject);
  const { action } = step;
  const failed = { action: "BLOCK", reason: `rule_error:${step.name}` } as const;
  if (finding.threw) return failed;
  if (finding.truth === false) return CONTINUED;
  if (finding.truth === undefined) {
    return action === "BLOCK" ? { action, reason: valueUnlessTrue(step, subject) } : CONTINUED;
  }
  if (finding.value !== undefined) return { action, reason: finding.value };
  return action === "ALLOW" ? CONTINUED : failed;
}

interface StepFinding {
  readonly truth: Truth;
  readonly threw: boolean;
  /** The value of the step when its test is true and the value could be computed. */
  readonly value: string | undefined;
}

/** Returns why the facts of a step cannot be relied on; undefined when they can. */
function whyUnreliable({ alternatives }: StepSpec): string | undefined {
  for (const { watch } of alternatives) if (watch.blind !== undefined) return watch.blind;
  return undefined;
}

/** Returns the result for the first match whose test is true. A test that throws ends the search, so that it blocks. */
function look(step: StepSpec, subject: Match): StepFinding {
  const { alternatives, looks } = step;
  if (whyUnreliable(step) !== undefined) return { truth: undefined, threw: false, value: undefined };
  let truth: Truth = looks ? false : undefined;
  for (const alternative of alternatives) {
    if (alternative.watch.gaps.has(subject)) truth = undefined;
    for (const match of alternative.watch.matches(subject)) {
      const tested = alternative.test(match);
      if (tested.threw !== undefined) return { truth: undefined, threw: true, value: undefined };
      if (tested.truth === true) return result(alternative, match);
      if (!looks || tested.truth === undefined) truth = tested.truth;
    }
  }
  return { truth, threw: false, value: undefined };
}

function result(alternative: AlternativeSpec, match: Match): StepFinding {
  const computed = alternative.value?.(match);
  const threw = computed?.threw !== undefined;
  return { truth: true, threw, value: threw ? undefined : textOf(computed?.value) };
}

/**
 * Returns the value of a step whose test is not true, if it can be computed from what was found; otherwise "unknown".
 */
function valueUnlessTrue({ alternatives, looks }: StepSpec, subject: Match): string {
  for (const alternative of alternatives) {
    const found = alternative.watch.matches(subject);
    const match = (looks ? found.find((one) => alternative.test(one).truth !== false) : found[0]) ?? subject;
    const text = textOf(alternative.value?.(match).value);
    if (text !== undefined) return text;
  }
  return "unknown";
}

function textOf(value: Maybe): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : String(value);
}
