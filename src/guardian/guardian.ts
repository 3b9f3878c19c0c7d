/**
 * A guardian: for each subject the findings of its lines. They are computed when the verdict is read, only as far as
 * the verdict needs them, and are kept until something that was read changes.
 */
import type { Stopwatch } from "../base/stopwatch.ts";
import type { Maybe } from "../base/value.ts";
import type { VerdictAnswer } from "../base/answers.ts";
import type { Match } from "../rete/match.ts";
import type { MatchInput } from "../rete/node.ts";
import type { CheckAccount, VerdictAccount } from "./account.ts";
import { type LineFinding, type LineSpec, lookAt, type Remark, remarkOf } from "./line.ts";
import { Subjects } from "./subjects.ts";
import { type Finding, judge, type Judged, unjudged } from "./verdict.ts";
import type { WatchListener, WatchNode } from "./watch.ts";
import type { Track, CheckRules } from "../base/judging.ts";

export interface CheckSpec extends CheckRules {
  readonly lines: readonly LineSpec[];
}

export interface RemarkSpec extends LineSpec {
  readonly kind: "warn" | "flag";
  /** The track of its check; undefined for both tracks. */
  readonly checkTrack: Track | undefined;
}

export interface Deadline {
  readonly ms: number;
  readonly stopwatch: Stopwatch;
}

export interface GuardianSpec {
  readonly name: string;
  readonly subjectType: string;
  readonly subjectLevel: number;
  readonly max: number;
  /** Whether a verdict has the reasons of every line that does not pass. */
  readonly reportAll: boolean;
  readonly checks: readonly CheckSpec[];
  readonly remarks: readonly RemarkSpec[];
  /** Reads the track and the attempt of a subject. */
  readonly settings: {
    readonly watch: WatchNode;
    readonly track: (match: Match) => Maybe;
    readonly attempt: (match: Match) => Maybe;
  };
  /** The most milliseconds that a check may take; undefined for no limit. */
  readonly deadline: Deadline | undefined;
}

/** Why a subject cannot be judged: an error in its facts. */
export interface Fault {
  readonly message: string;
  readonly hint: string;
}

export class GuardianNode implements MatchInput, WatchListener {
  readonly spec: GuardianSpec;
  readonly subjects: Subjects;
  /** The finding of each line, by subject and line. */
  readonly #findings = new Map<Match, Map<LineSpec, LineFinding>>();
  readonly #lines: ReadonlyMap<WatchNode, readonly LineSpec[]>;
  #touched = new Set<string>();
  /** The subject that was touched last, kept because one change often touches the same subject many times. */
  #latest: Match | undefined = undefined;

  constructor(spec: GuardianSpec) {
    this.spec = spec;
    this.subjects = new Subjects(spec.subjectLevel);
    const lines = [...spec.checks.flatMap((check) => check.lines), ...spec.remarks];
    const byWatch = new Map<WatchNode, LineSpec[]>([[spec.settings.watch, []]]);
    for (const line of lines) {
      const watches = [line.watch, line.off?.watch, line.sentence?.watch];
      for (const watch of watches) {
        if (watch !== undefined) byWatch.set(watch, [...(byWatch.get(watch) ?? []), line]);
      }
    }
    this.#lines = byWatch;
  }

  /** Subscribes to everything that the lines read. */
  listen(): void {
    for (const watch of this.#lines.keys()) watch.listen(this);
  }

  leave(): void {
    for (const watch of this.#lines.keys()) watch.leave(this);
  }

  /** Returns the subjects whose verdict may have changed since the last call, oldest first. */
  takeTouched(): string[] {
    const touched = this.#touched;
    if (touched.size === 0) return [];
    this.#touched = new Set();
    this.#latest = undefined;
    return this.subjects.inOrder(touched);
  }

  /** Returns the subjects that `takeTouched` would return, in the order in which they changed. */
  get waiting(): readonly string[] {
    return [...this.#touched];
  }

  /** Replaces the subjects that `takeTouched` returns, for a session that was restored. */
  restoreWaiting(subjects: readonly string[]): void {
    this.#touched = new Set(subjects);
    this.#latest = undefined;
  }

  /** Returns the verdict on a subject; undefined when it is not a subject of this guardian. */
  verdict(id: string): VerdictAnswer | undefined {
    const subject = this.subjects.match(id);
    if (subject === undefined) return undefined;
    const { name: guardian } = this.spec;
    const { track, attempt, fault } = this.#situation(subject);
    const judged = fault === undefined ? this.#judge(subject, track, attempt) : unjudged(fault.message);
    const remarks = judged.verdict === "PASS" ? this.#remarks(subject, track) : { flags: [], warnings: [] };
    return { guardian, subject: id, ...ownLists(judged), attempt, ...remarks };
  }

  /** Returns the verdict on a subject with the findings that it was reached by. */
  account(id: string): VerdictAccount | undefined {
    const answer = this.verdict(id);
    const subject = this.subjects.match(id);
    if (answer === undefined || subject === undefined) return undefined;
    const { track, fault } = this.#situation(subject);
    const { max } = this.spec;
    const remarks = answer.verdict === "PASS" ? this.spec.remarks.map((one) => this.#remark(one, subject, track)) : [];
    const checks = fault === undefined ? this.#accounts(subject, track) : [];
    return { answer, track, max, fault: fault?.message, checks, remarks };
  }

  #accounts(subject: Match, track: Track): CheckAccount[] {
    const accounts: CheckAccount[] = [];
    for (const check of this.spec.checks) {
      if (!runsOn(check.track, track)) {
        accounts.push({ state: undefined, reasons: [], lines: [] });
        continue;
      }
      const { state, reasons } = this.#check(subject, track, check);
      accounts.push({ state, reasons, lines: this.#lineFindings(subject, track, check) });
      if (state !== "true" && !this.spec.reportAll) break;
    }
    return accounts;
  }

  #lineFindings(subject: Match, track: Track, check: CheckSpec): (LineFinding | undefined)[] {
    const findings: (LineFinding | undefined)[] = [];
    const time = new TimeSpent();
    for (const line of check.lines) {
      const finding = runsOn(line.track, track) ? this.#finding(subject, line) : undefined;
      findings.push(finding);
      if (finding === undefined) continue;
      time.add(finding);
      if ((finding.state !== "true" && !this.spec.reportAll) || this.#isLate(time.total)) break;
    }
    return findings;
  }

  #remark(one: RemarkSpec, subject: Match, track: Track): Remark | undefined {
    return runsOn(one.track, track) && runsOn(one.checkTrack, track) ? remarkOf(one, subject) : undefined;
  }

  fault(id: string): Fault | undefined {
    const subject = this.subjects.match(id);
    if (subject === undefined || this.spec.settings.watch.blind !== undefined) return undefined;
    return this.#situation(subject).fault;
  }

  touched(subject: Match, watch: WatchNode): void {
    const findings = this.#findings.get(subject);
    if (findings !== undefined) for (const line of this.#lines.get(watch) ?? []) findings.delete(line);
    if (subject === this.#latest) return;
    this.#latest = subject;
    this.#touched.add(this.subjects.id(subject));
  }

  leftAdded(subject: Match): void {
    this.#touched.add(this.subjects.add(subject));
  }

  leftRemoved(subject: Match): void {
    this.#findings.delete(subject);
    this.#touched.add(this.subjects.remove(subject));
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    const live = [...this.subjects.matches(), ...this.#findings.keys()];
    return live.filter((match) => !ignore(match)).length;
  }

  #situation(subject: Match): { readonly track: Track; readonly attempt: number; readonly fault: Fault | undefined } {
    const { watch, track: readTrack, attempt: readAttempt } = this.spec.settings;
    if (watch.blind !== undefined) return { track: "QUALITY", attempt: 0, fault: unreliable(watch.blind) };
    const [match = subject] = watch.matches(subject);
    const track = trackOf(readTrack(match));
    const attempt = attemptOf(readAttempt(match));
    const fault = track === undefined ? badTrack(readTrack(match)) : attempt === undefined ? BAD_ATTEMPT : undefined;
    return { track: track ?? "QUALITY", attempt: attempt ?? 0, fault };
  }

  #judge(subject: Match, track: Track, attempt: number): Judged {
    const { checks, max, reportAll } = this.spec;
    const situation = { track, attempt, max, reportAll };
    return judge(checks, situation, (index) => this.#check(subject, track, checks[index]));
  }

  /**
   * Returns the finding of the first line that does not pass or, where all are reported, of every one. A check that takes
   * too long does not pass either, and is not looked at any further.
   */
  #check(subject: Match, track: Track, check: CheckSpec | undefined): Finding {
    const time = new TimeSpent();
    const failures: Finding[] = [];
    for (const line of check?.lines ?? []) {
      if (!runsOn(line.track, track)) continue;
      const finding = this.#finding(subject, line);
      time.add(finding);
      const isLate = this.#isLate(time.total);
      if (isLate) failures.push(late(line, this.#lateWords(check, time.total)));
      else if (finding.state !== "true") failures.push(failureOf(check, line, finding));
      if (isLate || (failures.length > 0 && !this.spec.reportAll)) break;
    }
    return together(failures);
  }

  #finding(subject: Match, line: LineSpec): LineFinding {
    const known = this.#findings.get(subject);
    const finding = known?.get(line);
    if (finding !== undefined) return finding;
    const made = lookAt(line, subject, this.spec.deadline?.stopwatch);
    if (known === undefined) this.#findings.set(subject, new Map([[line, made]]));
    else known.set(line, made);
    return made;
  }

  #isLate(took: number): boolean {
    const { deadline } = this.spec;
    return deadline !== undefined && !(took <= deadline.ms); // NaN, from a clock that failed, is never in time
  }

  #lateWords(check: CheckSpec | undefined, took: number): string {
    const { deadline } = this.spec;
    if (!Number.isNaN(took)) return `check "${check?.name}" took longer than ${deadline?.ms} ms`;
    return `check "${check?.name}" cannot be timed: ${deadline?.stopwatch.fault ?? "the clock did not return a number"}`;
  }

  #remarks(subject: Match, track: Track): Pick<VerdictAnswer, "flags" | "warnings" | "sentences"> {
    const applying = this.spec.remarks.filter((one) => runsOn(one.track, track) && runsOn(one.checkTrack, track));
    const made = applying.flatMap((one) => {
      const remark = remarkOf(one, subject);
      return remark === undefined ? [] : [{ kind: one.kind, ...remark }];
    });
    const texts = (kind: RemarkSpec["kind"]): string[] =>
      made.filter((one) => one.kind === kind).map(({ text }) => text);
    const blind = new Set(
      applying.flatMap(({ watch }) => (watch.blind === undefined ? [] : [`unknown: ${watch.blind}`])),
    );
    const sentences = made.flatMap(({ sentence }) => sentence ?? []);
    return { flags: texts("flag"), warnings: [...texts("warn"), ...blind], sentences };
  }
}

/**
 * The milliseconds that a check has taken so far. A result of the network that several of its lines use counts once.
 */
class TimeSpent {
  #took = 0;
  readonly #spent = new Map<Match, number>();

  add({ took, spent }: LineFinding): void {
    this.#took += took;
    for (const [answer, ms] of spent ?? []) this.#spent.set(answer, ms);
  }

  get total(): number {
    let total = this.#took;
    for (const ms of this.#spent.values()) total += ms;
    return total;
  }
}

const PASSED: Finding = { state: "true", reasons: [], sentences: [], actions: [] };

/** Returns the failures of a check as one: the first decides how it ended, and all say why. */
function together(failures: readonly Finding[]): Finding {
  const [first, second] = failures;
  if (first === undefined || second === undefined) return first ?? PASSED;
  return {
    state: first.state,
    reasons: failures.flatMap(({ reasons }) => reasons),
    sentences: failures.flatMap(({ sentences }) => sentences),
    actions: [...new Set(failures.flatMap(({ actions }) => actions))],
  };
}

function failureOf(check: CheckSpec | undefined, { actions }: LineSpec, finding: LineFinding): Finding {
  const { state, sentence } = finding;
  const reasons = state === "threw" ? withCheckName(check, finding.reasons) : finding.reasons;
  return { state, reasons, sentences: sentence === undefined ? [] : [sentence], actions };
}

function late({ actions }: LineSpec, words: string): Finding {
  return { state: "late", reasons: [words], sentences: [], actions };
}

/** Returns a verdict with lists of its own, so that a caller who changes them does not change the program. */
function ownLists(judged: Judged): Judged {
  const { reasons, sentences, required_actions, would_fix } = judged;
  return {
    ...judged,
    reasons: [...reasons],
    sentences: [...sentences],
    required_actions: [...required_actions],
    would_fix: [...would_fix],
  };
}

function runsOn(only: Track | undefined, track: Track): boolean {
  return only === undefined || only === track;
}

/** Returns the reason of the line, followed by the check that failed and how. */
function withCheckName(check: CheckSpec | undefined, [reason = "", ...rest]: readonly string[]): string[] {
  return [reason, ...rest.map((threw) => `check "${check?.name}" failed: ${threw}`)];
}

/** Returns the track, QUALITY for a missing value; undefined when there is no such track. */
function trackOf(value: Maybe): Track | undefined {
  if (value === undefined) return "QUALITY";
  const track = typeof value === "string" ? value.toUpperCase() : "";
  return track === "FAST" || track === "QUALITY" ? track : undefined;
}

/** Returns the attempt, 0 for a missing value; undefined when it is not an integer of 0 or more. */
function attemptOf(value: Maybe): number | undefined {
  if (value === undefined) return 0;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function badTrack(value: Maybe): Fault {
  const shown = JSON.stringify(value) ?? "";
  const text = shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
  return { message: `unknown track ${text}`, hint: "use FAST or QUALITY; a missing track means QUALITY" };
}

/** Returns the fault of a subject whose track and attempt cannot be relied on. */
function unreliable(reason: string): Fault {
  return { message: reason, hint: "fix the cause: see the other problems" };
}

const BAD_ATTEMPT: Fault = {
  message: "the attempt must be an integer of 0 or more",
  hint: "use 0 for the first draft, 1 for the first retry",
};
