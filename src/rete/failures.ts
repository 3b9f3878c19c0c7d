/**
 * Functions that failed while something was tested, and of which failures it can still be said that they stand.
 *
 * A test that fails is not true, so a rule does not fire, and nothing else shows it: what the rule would have concluded is
 * not there. So each failure is kept with the match and the fact of the test, until the same test is evaluated again, or
 * can no longer be: the match or the fact is gone, or what the test reads is different. Nodes are shared, and rules come and
 * go: whose failure it is says the site, which knows the rules that use the node now.
 *
 * A failure that ends while rules fire stands for good: without it the rule could have fired before, and what it would have
 * done does not end with its match. So does one that stood when a run ended, and that the clock ends: nobody repaired anything.
 */
import { LateMap, LateSet } from "../base/late.ts";
import { empty } from "../base/empty.ts";
import { factLabel } from "../base/fact-label.ts";
import { isParameterType } from "../base/parameter-type.ts";
import { isJudge, ruleWords } from "../base/rule-words.ts";
import type { AlphaNode } from "./alpha.ts";
import type { Fact } from "./fact.ts";
import type { FunctionProblem } from "../base/answers.ts";
import type { Match } from "./match.ts";
import { ANY_SLOT, type Reads } from "./node.ts";
import type { FactLookup } from "./port.ts";

/** A failed call of a function, in words. */
export interface FailedCall {
  readonly function: string;
  /** The arguments as they would be written, shortened. */
  readonly args: readonly string[];
  /** What follows the name of the function: `failed: down`. */
  readonly how: string;
  readonly hint: string;
}

/** Thrown when a function fails in an action. */
export class FunctionFailure extends Error {
  readonly hint: string;

  constructor({ function: name, args, how, hint }: FailedCall) {
    super(callWords(name, args, how));
    this.name = "FunctionFailure";
    this.hint = hint;
  }
}

/** A place where functions are called: a node, or the actions of a rule. It belongs to a program, and is shared by its sessions. */
export interface FailureSite {
  /** The rules that use the site now. */
  rules: readonly string[];
  /** The alpha node that tested facts have passed; undefined when unknown. */
  alpha: AlphaNode | undefined;
  /** True when functions are called at the site. */
  calls: boolean;
  /** True for the actions of a rule. They are compiled again with every program and share one log. */
  readonly actions: boolean;
}

/** A test that keeps a log of what failed in it. */
export interface LoggedTest {
  readonly site: FailureSite;
  readonly reads: () => TestReads;
  /** What the log is kept under in each session. */
  readonly of: object;
}

/** Returns a site where nothing has failed yet. */
export function failureSite(rules: readonly string[], actions: boolean): FailureSite {
  return { rules, alpha: undefined, calls: false, actions };
}

/** What a test reads: where its own fact is, and which slots and values of the match. */
export interface TestReads {
  readonly factLevel: number | undefined;
  readonly reads: Reads;
  readonly values: Iterable<number>;
}

interface Failure {
  readonly call: FailedCall;
  readonly match: Match | undefined;
  readonly fact: Fact | undefined;
  /** The values that the test read when it failed. */
  readonly seen: readonly unknown[];
  /** True when the test has a value in spite of the failure: `r.ok or risky(r.id)` with `r.ok`. */
  known: boolean;
  /** The words that distinguish it from other failures; computed when they are first needed. */
  words: { readonly reason: string; readonly which: string } | undefined;
}

/** The most failures of one test that are kept; further ones are only counted. */
const MAX_FAILURES = 1000;
/** The most facts that a problem names. */
const MAX_FACTS = 8;

export class Failures {
  readonly #facts: FactLookup;
  /** Called for every failure, and for functions that are missing and will fail. */
  readonly heard: (rules: readonly string[], call: FailedCall) => void;
  /** The logs with at least one failure. */
  readonly #logs = new LateSet<FailureLog>();
  /** The failures that were there during the current run. */
  readonly #met = new LateMap<Failure, FailureLog>();
  /** The failures that stood when the last run ended. */
  readonly #rested = new LateMap<Failure, FailureLog>();
  /** The one of them whose test is evaluated again now, on the same values: if it fails again, it goes on. */
  #again: Failure | undefined = undefined;
  /** The failures that ended during a run, or by the clock after one, by rules, function and reason. */
  readonly #lasting = new LateMap<string, ProblemGroup>();
  #running = false;
  /** The logs by test, made when something first fails in it. */
  readonly #byTest = new LateMap<object, FailureLog>();
  /** The places of the session, by the place of the program: where something failed, or whose rules became others. */
  readonly #sites = new LateMap<FailureSite, FailureSite>();

  constructor(facts: FactLookup, heard: (rules: readonly string[], call: FailedCall) => void) {
    this.#facts = facts;
    this.heard = heard;
  }

  /** Returns whether there may be failures. */
  get any(): boolean {
    return this.#logs.size + this.#met.size + this.#rested.size + this.#lasting.size > 0;
  }

  /** Call when rules begin to fire. */
  runBegan(): void {
    this.#running = true;
    this.#again = undefined;
    empty(this.#rested);
    for (const log of this.#logs) for (const failure of this.#standing(log)) this.#met.set(failure, log);
  }

  /** Call when no rule fires any more. */
  runEnded(): void {
    this.#keepEnded();
    for (const [failure, log] of this.#met) if (!failure.known) this.#rested.set(failure, log);
    empty(this.#met);
    this.#again = undefined;
    this.#running = false;
  }

  /** Call before the clock moves. What ended since the last run was ended by the host, who changed its facts. */
  clockMoves(): void {
    this.#again = undefined;
    for (const [failure, log] of this.#rested) if (!this.#stands(log, failure)) this.#rested.delete(failure);
  }

  /** Call when the clock has moved. What ended by that stands for good. */
  clockMoved(): void {
    this.#again = undefined;
    for (const [failure, log] of this.#rested) {
      if (failure.known || this.#stands(log, failure)) continue;
      this.#rested.delete(failure);
      this.#addLasting(log, failure);
    }
  }

  /** Returns the log of a test; undefined when nothing has failed in it. */
  logOf({ of }: LoggedTest): FailureLog | undefined {
    return this.#byTest.size === 0 ? undefined : this.#byTest.get(of);
  }

  /** Returns the log of a test, made when there is none yet. */
  logFor({ site, reads, of }: LoggedTest): FailureLog {
    const known = this.#byTest.get(of);
    if (known !== undefined) return known;
    const log = new FailureLog(this, this.#own(site), reads);
    this.#byTest.set(of, log);
    return log;
  }

  /** Returns the rules that use a place of the program in this session. */
  rulesOf(site: FailureSite): readonly string[] {
    return this.#sites.get(site)?.rules ?? site.rules;
  }

  /** Sets the rules that use a place of a program before: its node stays, and other rules use it now. */
  setRules(site: FailureSite, rules: readonly string[]): void {
    if (this.#sites.has(site) || site.rules !== rules) this.#own(site).rules = rules;
  }

  /** Keeps what failed at a place of a program before as what failed at the same place of the program now. */
  move(before: FailureSite, now: FailureSite): void {
    const own = this.#sites.get(before);
    if (own === undefined) return;
    this.#sites.delete(before);
    this.#sites.set(now, own);
    own.alpha = now.alpha;
    const log = this.#byTest.get(before);
    if (log === undefined) return;
    this.#byTest.delete(before);
    this.#byTest.set(now, log);
  }

  #own(site: FailureSite): FailureSite {
    const known = this.#sites.get(site);
    if (known !== undefined) return known;
    const made = { ...site };
    this.#sites.set(site, made);
    return made;
  }

  /** Returns whether more failed at the site than is kept; then everything there must be evaluated again. */
  isFull(site: FailureSite | undefined): boolean {
    const own = site === undefined ? undefined : this.#sites.get(site);
    if (own === undefined) return false;
    for (const log of this.#logs) if (log.site === own && log.uncounted > 0) return true;
    return false;
  }

  /** Removes a site that is no longer part of the network. */
  forget(site: FailureSite): void {
    const own = this.#sites.get(site);
    if (own === undefined) return;
    this.#sites.delete(site);
    for (const [test, log] of this.#byTest) if (log.site === own) this.#byTest.delete(test);
    for (const log of this.#logs) if (log.site === own) this.#logs.delete(log);
  }

  failed(log: FailureLog, failure: Failure): void {
    this.#logs.add(log);
    if (this.#running && log.uncounted === 0) this.#met.set(failure, log);
    const again = this.#again;
    this.#again = undefined;
    if (again !== undefined && again.match === failure.match && again.fact === failure.fact)
      this.#rested.set(failure, log);
    this.heard(log.site.rules, failure.call);
  }

  /** Removes a failure whose test is evaluated again. */
  triedAgain(failure: Failure): void {
    this.#met.delete(failure);
    if (this.#rested.delete(failure)) this.#again = failure;
  }

  /** Returns the current failures, one problem for each group of rules, function and reason. */
  problems(): FunctionProblem[] {
    this.#keepEnded();
    const groups = new Map(
      Array.from(this.#lasting, ([key, group]) => [key, { ...group, cases: new Set(group.cases) }] as const),
    );
    for (const log of this.#logs) this.#gather(log, groups);
    return Array.from(groups.values(), problemOf);
  }

  /** Returns the rules and judges with a current failure, and the reason. */
  doubts(): { readonly rule: string; readonly reason: string }[] {
    this.#keepEnded();
    const reasons = new Map<string, string>();
    const add = (rules: readonly string[], { function: name, args, how }: FailedCall): void => {
      for (const rule of rules) if (!reasons.has(rule)) reasons.set(rule, callWords(name, args, how));
    };
    for (const { rules, call } of this.#lasting.values()) add(rules, call);
    for (const log of this.#logs) {
      const unknown = this.#firstUnknown(log);
      if (unknown !== undefined) add(log.site.rules, unknown.call);
    }
    return Array.from(reasons, ([rule, reason]) => ({ rule, reason }));
  }

  /** Returns the rules that stay in doubt because of a failure that ended, and the reason. */
  lasting(): { readonly rule: string; readonly reason: string }[] {
    this.#keepEnded();
    return [...this.#lasting.values()].flatMap(({ rules, call }) =>
      rules.map((rule) => ({ rule, reason: callWords(call.function, call.args, call.how) })),
    );
  }

  /** Returns the failures that ended, and leave rules in doubt. */
  lastingProblems(): FunctionProblem[] {
    this.#keepEnded();
    return Array.from(this.#lasting.values(), problemOf);
  }

  /** Keeps the failures of the run that ended. Only for rules: judges evaluate again. */
  #keepEnded(): void {
    for (const [failure, log] of this.#met) {
      if (failure.known || this.#stands(log, failure)) continue;
      this.#met.delete(failure);
      this.#addLasting(log, failure);
    }
  }

  #addLasting({ site }: FailureLog, failure: Failure): void {
    const rules = site.rules.filter((rule) => !isJudge(rule));
    if (rules.length > 0) addTo(this.#lasting, rules, failure);
  }

  /** Returns the first current failure that leaves its test unknown. Usually the first in the log. */
  #firstUnknown(log: FailureLog): Failure | undefined {
    if (log.unknown === 0 && log.uncounted === 0) return undefined;
    for (const failure of log.all()) if (!failure.known && this.#stands(log, failure)) return failure;
    return this.#standing(log).find((failure) => !failure.known);
  }

  #stands(log: FailureLog, failure: Failure): boolean {
    const { fact } = failure;
    return this.#isThere(log, failure) && (fact === undefined || this.#passes(fact, log.site.alpha));
  }

  /** Returns the current failures of a log. A failure whose fact fails other tests is kept: it counts again when the fact passes them. */
  #standing(log: FailureLog): readonly Failure[] {
    const kept = log.kept((failure) => this.#isThere(log, failure));
    if (kept.length === 0) this.#logs.delete(log);
    const standing = kept.filter(({ fact }) => fact === undefined || this.#passes(fact, log.site.alpha));
    return standing.length === 0 && log.uncounted > 0 ? kept.slice(-1) : standing;
  }

  #gather(log: FailureLog, groups: Map<string, ProblemGroup>): void {
    const standing = this.#standing(log);
    const { rules } = log.site;
    if (rules.length === 0) return;
    for (const failure of standing) {
      const group = addTo(groups, rules, failure);
      if (failure === standing[0]) group.uncounted += log.uncounted;
    }
  }

  #isThere(log: FailureLog, failure: Failure): boolean {
    const { match, fact } = failure;
    if (match !== undefined && !match.alive) return false;
    if (fact !== undefined && this.#facts.get(fact.id) !== fact) return false;
    return !log.changedSince(failure);
  }

  /** Returns whether a fact still passes the alpha node, as far as that is decidable without calling a function. */
  #passes(fact: Fact, alpha: AlphaNode | undefined): boolean {
    for (let node = alpha; node !== undefined; node = node.above) {
      if (!node.callsFunctions && !node.test(fact)) return false;
    }
    return true;
  }
}

/** The failures of one test. */
export class FailureLog {
  readonly site: FailureSite;
  /** The number of failures that are not kept. They last as long as the test, because nothing shows that they end. */
  uncounted: number = 0;
  /** The number of kept failures that leave their test unknown. */
  unknown: number = 0;
  readonly #owner: Failures;
  readonly #readsOf: () => TestReads;
  #reads: TestReads | undefined = undefined;
  readonly #failures = new LateMap<Match | undefined, Map<Fact | undefined, Failure[]>>();
  #size = 0;
  /** An example of the failures that are not kept. */
  #uncountedOne: Failure | undefined = undefined;

  constructor(owner: Failures, site: FailureSite, reads: () => TestReads) {
    this.#owner = owner;
    this.site = site;
    this.#readsOf = reads;
  }

  /** Removes the earlier failure of a test that is evaluated again. */
  begin(match: Match | undefined, fact: Fact | undefined): void {
    if (this.#size === 0) return;
    const ofMatch = this.#failures.get(match);
    const before = ofMatch?.get(fact);
    if (ofMatch === undefined || before === undefined) return;
    for (const failure of before) if (!this.changedSince(failure)) this.#owner.triedAgain(failure);
    this.#size -= before.length;
    for (const failure of before) if (!failure.known) this.unknown -= 1;
    ofMatch.delete(fact);
    if (ofMatch.size === 0) this.#failures.delete(match);
  }

  /** Marks the failure of a test as harmless: its value is known. */
  known(match: Match | undefined, fact: Fact | undefined): void {
    if (this.#size === 0) return;
    for (const failure of this.#failures.get(match)?.get(fact) ?? []) {
      if (!failure.known) this.unknown -= 1;
      failure.known = true;
    }
  }

  add(call: FailedCall, match: Match | undefined, fact: Fact | undefined): void {
    const failure = { call, match, fact, seen: this.#seenIn(match, fact), known: false, words: undefined };
    if (this.#size < MAX_FAILURES) this.#keep(failure);
    else {
      this.uncounted += 1;
      this.#uncountedOne ??= failure;
    }
    this.#owner.failed(this, failure);
  }

  *all(): Iterable<Failure> {
    for (const ofMatch of this.#failures.values()) for (const failures of ofMatch.values()) yield* failures;
  }

  /** Returns the failures that remain and removes the others; includes the example of those that are not kept. */
  kept(isThere: (failure: Failure) => boolean): readonly Failure[] {
    const there: Failure[] = [];
    for (const failure of this.all()) if (isThere(failure)) there.push(failure);
    if (there.length < this.#size) {
      this.#failures.clear();
      this.#size = 0;
      this.unknown = 0;
      for (const failure of there) this.#keep(failure);
    }
    return there.length === 0 && this.#uncountedOne !== undefined ? [this.#uncountedOne] : there;
  }

  /** Returns whether a failure of the test is kept. */
  has(match: Match | undefined, fact: Fact | undefined): boolean {
    return this.#failures.get(match)?.has(fact) === true;
  }

  /** Returns whether the values that the test reads have changed: then it was evaluated again, or no longer applies. */
  changedSince({ match, fact, seen }: Failure): boolean {
    const now = this.#seenIn(match, fact);
    return now.some((value, index) => value !== seen[index]);
  }

  #keep(failure: Failure): void {
    const { match, fact } = failure;
    let ofMatch = this.#failures.get(match);
    if (ofMatch === undefined) this.#failures.set(match, (ofMatch = new Map<Fact | undefined, Failure[]>()));
    const same = ofMatch.get(fact);
    if (same === undefined) ofMatch.set(fact, [failure]);
    else same.push(failure);
    this.#size += 1;
    if (!failure.known) this.unknown += 1;
  }

  #seenIn(match: Match | undefined, fact: Fact | undefined): unknown[] {
    const { factLevel, reads, values } = (this.#reads ??= this.#readsOf());
    const seen: unknown[] = [];
    for (const [level, slots] of reads) {
      const read = level === factLevel ? fact : match?.at(level).fact;
      for (const slot of slots) seen.push(slot === ANY_SLOT ? read?.tag : read?.values[slot]);
    }
    for (const level of values) seen.push(match?.at(level).value);
    return seen;
  }
}

interface ProblemGroup {
  readonly call: FailedCall;
  readonly rules: readonly string[];
  readonly facts: readonly string[];
  /** The arguments and facts of each failure in the group. */
  readonly cases: Set<string>;
  uncounted: number;
}

/** Adds a failure to those of the same rules, function and reason, and returns their group. */
function addTo(
  groups: Pick<Map<string, ProblemGroup>, "get"> & { set(key: string, group: ProblemGroup): void },
  rules: readonly string[],
  failure: Failure,
): ProblemGroup {
  const { reason, which } = (failure.words ??= wordsOf(failure));
  const key = `${JSON.stringify(rules)} ${reason}`;
  let group = groups.get(key);
  if (group === undefined) {
    group = { call: failure.call, rules, facts: factsOf(failure), cases: new Set(), uncounted: 0 };
    groups.set(key, group);
  }
  if (group.cases.size < MAX_FAILURES) group.cases.add(which);
  else group.uncounted += 1;
  return group;
}

function problemOf({ call, rules, facts, cases, uncounted }: ProblemGroup): FunctionProblem {
  const more = cases.size - 1 + uncounted;
  const seen = facts.length === 0 ? "" : `, with ${facts.map(factLabel).join(", ")}`;
  const rest = more === 0 ? "" : ` (and ${more.toLocaleString("en")} more)`;
  const words = callWords(call.function, call.args, call.how);
  const { args, how, hint } = call;
  const message = `${rules.map(ruleWords).join(", ")}: ${words}${seen}${rest}`;
  return { code: "E521", rules, function: call.function, args, how, facts, more, message, hint };
}

/** `score("x") failed: down`. */
export function callWords(name: string, args: readonly string[], how: string): string {
  return `${name}(${args.join(", ")}) ${how}`;
}

function wordsOf(failure: Failure): NonNullable<Failure["words"]> {
  const { call } = failure;
  return {
    reason: JSON.stringify([call.function, call.how]),
    which: JSON.stringify([call.args, factsOf(failure)]),
  };
}

/** Returns the ids of the facts that were tested, outermost first. */
function factsOf({ match, fact }: Failure): string[] {
  const ids: string[] = fact === undefined ? [] : [fact.id];
  for (let above = match; above !== undefined && ids.length < MAX_FACTS; above = above.parent) {
    // The parameters of a question are no fact of the session.
    if (above.fact !== undefined && !isParameterType(above.fact.shape.type)) ids.unshift(above.fact.id);
  }
  return ids;
}
