/**
 * A pipeline: takes a request through its steps in strict order, once, and ends in one decision.
 *
 * Errors close: a step that throws blocks, an unknown test blocks where a BLOCK step asks it, and what cannot be said is
 * not said.
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

export interface WaySpec {
  readonly watch: WatchNode;
  readonly test: (match: Match) => Tested;
  /** What the step says; undefined where it says nothing. */
  readonly value: ((match: Match) => { readonly value: Maybe; readonly threw: string | undefined }) | undefined;
}

export interface StepSpec {
  readonly name: string;
  readonly action: StepAction;
  /** True when facts are looked for: nothing found is an answer. */
  readonly looks: boolean;
  readonly ways: readonly WaySpec[];
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
  readonly parts: PipelineSpec;
  readonly subjects: Subjects;
  #waiting = new Set<string>();

  constructor(parts: PipelineSpec) {
    this.parts = parts;
    this.subjects = new Subjects(parts.subjectLevel);
  }

  /** The subjects that came since this was last asked and are still there, the oldest first. */
  takeWaiting(): string[] {
    const waiting = this.#waiting;
    if (waiting.size === 0) return [];
    this.#waiting = new Set();
    return this.subjects.inOrder([...waiting].filter((id) => this.subjects.match(id) !== undefined));
  }

  /** Undefined when it is not a subject of this pipeline. */
  decide(id: string, now: Clock): PipelineDecision | undefined {
    const subject = this.subjects.match(id);
    return subject === undefined ? undefined : new Passage(this.parts, subject, id, now).decision();
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
    // never asked for: see reads
  }
}

/** One request on its way. */
class Passage {
  readonly #parts: PipelineSpec;
  readonly #subject: Match;
  readonly #id: string;
  readonly #now: Clock;
  readonly #executed: ExecutedStep[] = [];
  readonly #flags: string[] = [];

  constructor(parts: PipelineSpec, subject: Match, id: string, now: Clock) {
    this.#parts = parts;
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
    return { pipeline: this.#parts.name, subject: this.#id, decision, value, flags: this.#flags, trace };
  }

  /** At the entry: the trace stays empty. */
  #refused(): Final | undefined {
    for (const border of this.#parts.before) {
      const seen = look(border, this.#subject);
      if (seen.truth !== true) return { decision: "BLOCK", value: blindAt(border) ?? textAt(border, this.#subject) };
    }
    return undefined;
  }

  #ended(): Final | undefined {
    for (const step of this.#parts.steps) {
      const final = this.#timed(step.name, () => stepResult(step, this.#subject));
      if (final !== undefined) return final;
    }
    return undefined;
  }

  #otherwise(): Final {
    const { otherwise } = this.#parts;
    const { action } = otherwise;
    const said = look(otherwise, this.#subject);
    const ends = action === "BLOCK" || action === "ANSWER" || action === "FORWARD";
    if (ends && said.truth === true && said.value !== undefined) return { decision: action, value: said.value };
    return { decision: "ERROR", value: blindAt(otherwise) ?? said.value ?? "no step decided" };
  }

  /** What would be let through is looked at once more; a decision is never made milder. */
  #tightened(final: Final): Final {
    if (final.decision !== "ANSWER" && final.decision !== "FORWARD") return final;
    for (const border of this.#parts.after) {
      if (look(border, this.#subject).truth === true) continue;
      const blocked = this.#timed("after", () => ({
        action: "BLOCK",
        reason: blindAt(border) ?? textAt(border, this.#subject),
      }));
      this.#executed.splice(0, Infinity, ...withheld(this.#executed));
      return blocked ?? final;
    }
    return final;
  }

  /** Notes what a step did; gives a decision when it ended the way. */
  #timed(rule: string, work: () => Pick<ExecutedStep, "action" | "reason">): Final | undefined {
    const elapsed = recordedTime(this.#now);
    const { action, reason } = work();
    this.#executed.push({ rule, action, reason, latency_ms: elapsed() });
    if (action === "NOTE") this.#flags.push(reason);
    if (action === "ALLOW" || action === "NOTE") return undefined;
    return { decision: action, value: reason };
  }
}

/** The steps without what an ANSWER said: what is not given away does not stand in a trace either. */
export function withheld(steps: readonly ExecutedStep[]): ExecutedStep[] {
  return steps.map((step) => (step.action === "ANSWER" ? { ...step, reason: "(withheld)" } : step));
}

const WENT_ON = { action: "ALLOW", reason: "" } as const;

/** A step that cannot see what it asks about blocks, whatever it would have done: it may have been the one that decides. */
function stepResult(step: StepSpec, subject: Match): Pick<ExecutedStep, "action" | "reason"> {
  const blind = blindAt(step);
  if (blind !== undefined) return { action: "BLOCK", reason: blind };
  const seen = look(step, subject);
  const { action } = step;
  const failed = { action: "BLOCK", reason: `rule_error:${step.name}` } as const;
  if (seen.threw) return failed;
  if (seen.truth === false) return WENT_ON;
  if (seen.truth === undefined) {
    return action === "BLOCK" ? { action, reason: textAt(step, subject) } : WENT_ON;
  }
  if (seen.value !== undefined) return { action, reason: seen.value };
  return action === "ALLOW" ? WENT_ON : failed;
}

interface Seen {
  readonly truth: Truth;
  readonly threw: boolean;
  /** What is said, when the test is true and it can be told. */
  readonly value: string | undefined;
}

/** Why a step cannot see; undefined when it can. */
function blindAt({ ways }: StepSpec): string | undefined {
  for (const { watch } of ways) if (watch.blind !== undefined) return watch.blind;
  return undefined;
}

/** The first match for which the test is true; what throws closes before anything else opens. */
function look(step: StepSpec, subject: Match): Seen {
  const { ways, looks } = step;
  if (blindAt(step) !== undefined) return { truth: undefined, threw: false, value: undefined };
  let truth: Truth = looks ? false : undefined;
  for (const way of ways) {
    if (way.watch.gaps.has(subject)) truth = undefined;
    for (const match of way.watch.matches(subject)) {
      const tested = way.test(match);
      if (tested.threw !== undefined) return { truth: undefined, threw: true, value: undefined };
      if (tested.truth === true) return said(way, match);
      if (!looks || tested.truth === undefined) truth = tested.truth;
    }
  }
  return { truth, threw: false, value: undefined };
}

function said(way: WaySpec, match: Match): Seen {
  const given = way.value?.(match);
  const threw = given?.threw !== undefined;
  return { truth: true, threw, value: threw ? undefined : textOf(given?.value) };
}

/** The text of a step whose test is not true: it can be told where it does not speak of what was not found. */
function textAt({ ways, looks }: StepSpec, subject: Match): string {
  for (const way of ways) {
    const found = way.watch.matches(subject);
    const match = (looks ? found.find((one) => way.test(one).truth !== false) : found[0]) ?? subject;
    const text = textOf(way.value?.(match).value);
    if (text !== undefined) return text;
  }
  return "unknown";
}

function textOf(value: Maybe): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : String(value);
}
