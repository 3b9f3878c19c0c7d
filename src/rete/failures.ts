/**
 * Functions that failed while something was tested, and of which failures it can still be said that they stand.
 *
 * A test that fails is not true, so a rule does not fire, and nothing else shows it: what the rule would have concluded is
 * not there. So each failure is kept with the match and the fact of the test, until the same test is evaluated again, or
 * can no longer be: the match or the fact is gone, or what the test reads is different. Nodes are shared, and rules come and
 * go: whose failure it is says the site, which knows the rules that use the node now.
 *
 * A failure that ends while rules fire stands for good: without it the rule could have fired before, and what it would have
 * done does not end with its match.
 */
import { factLabel } from "../base/fact-label.ts";
import { isJudge, ruleWords } from "../base/rule-words.ts";
import type { AlphaNode } from "./alpha.ts";
import type { Fact } from "./fact.ts";
import type { FunctionProblem } from "../base/answers.ts";
import type { Match } from "./match.ts";
import { ANY_SLOT, type Reads } from "./node.ts";
import type { FactLookup } from "./port.ts";

/** A call that failed, in words. */
export interface FailedCall {
  readonly function: string;
  /** As somebody would write them, shortened. */
  readonly args: readonly string[];
  /** Follows the name of the function: `failed: down`. */
  readonly how: string;
  readonly hint: string;
}

/** A function that failed in an action: nothing can be done with its value. */
export class FunctionFailure extends Error {
  readonly hint: string;

  constructor({ function: name, args, how, hint }: FailedCall) {
    super(callWords(name, args, how));
    this.name = "FunctionFailure";
    this.hint = hint;
  }
}

/** A place where functions are called: a node, or the actions of a rule. */
export interface FailureSite {
  /** The rules that use it now. */
  rules: readonly string[];
  /** The facts that are tested here pass this node; undefined: nothing is known. */
  alpha: AlphaNode | undefined;
  /** Whether functions are called here at all. */
  calls: boolean;
  /** Whether it is that of the actions of a rule, which are compiled again with every program: then all of them share a log. */
  readonly actions: boolean;
  /** The shared log; made when something first fails. */
  log: FailureLog | undefined;
}

/** A site where nothing has failed yet. */
export function failureSite(rules: readonly string[], actions: boolean): FailureSite {
  return { rules, alpha: undefined, calls: false, actions, log: undefined };
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
  /** What the test read when it failed. */
  readonly seen: readonly unknown[];
  /** The test is known all the same: `r.ok or risky(r.id)` with `r.ok`. */
  known: boolean;
  /** What tells it from others; worked out when somebody wants to know. */
  words: { readonly reason: string; readonly which: string } | undefined;
}

/** Failures of one test that are kept; beyond them there is only a count. */
const MOST = 1000;
/** Facts that a problem names. */
const MOST_FACTS = 8;

export class Failures {
  readonly #facts: FactLookup;
  /** Hears of every failure, and of functions that will fail because they are not there. */
  readonly heard: (rules: readonly string[], call: FailedCall) => void;
  /** Only those in which something has failed. */
  readonly #logs = new Set<FailureLog>();
  /** Failures that a run has met: they stood when it began, or came since. */
  readonly #met = new Map<Failure, FailureLog>();
  /** Failures that ended in a run, by rules, function and reason. */
  readonly #lasting = new Map<string, ProblemGroup>();
  #running = false;
  /** Alpha nodes that call functions themselves: they are not asked again to see whether a failure stands. */
  #calling: WeakSet<AlphaNode> | undefined = undefined;

  constructor(facts: FactLookup, heard: (rules: readonly string[], call: FailedCall) => void) {
    this.#facts = facts;
    this.heard = heard;
  }

  /** Whether anything failed that may still stand. */
  get any(): boolean {
    return this.#logs.size + this.#met.size + this.#lasting.size > 0;
  }

  /** To be called when rules begin to fire. */
  runBegan(): void {
    this.#running = true;
    for (const log of this.#logs) for (const failure of this.#standing(log)) this.#met.set(failure, log);
  }

  /** To be called when no rule fires any more. */
  runEnded(): void {
    this.#keepEnded();
    this.#met.clear();
    this.#running = false;
  }

  log(site: FailureSite, reads: () => TestReads): FailureLog {
    return new FailureLog(this, site, reads);
  }

  calls(node: AlphaNode): void {
    (this.#calling ??= new WeakSet()).add(node); // most sessions have none, and a weak set is dear to the garbage collector
  }

  /** Whether more failed at the site than can be kept: only evaluating everything again shows what of it stands. */
  isFull(site: FailureSite | undefined): boolean {
    for (const log of this.#logs) if (log.site === site && log.uncounted > 0) return true;
    return false;
  }

  /** The site is no longer part of the network. */
  forget(site: FailureSite): void {
    for (const log of this.#logs) if (log.site === site) this.#logs.delete(log);
  }

  failed(log: FailureLog, failure: Failure): void {
    this.#logs.add(log);
    if (this.#running && log.uncounted === 0) this.#met.set(failure, log);
    this.heard(log.site.rules, failure.call);
  }

  /** The same is evaluated once more: only what it gives now counts. */
  triedAgain(failure: Failure): void {
    this.#met.delete(failure);
  }

  /** What stands, one for each group of rules, function and reason. */
  problems(): FunctionProblem[] {
    this.#keepEnded();
    const groups = new Map(
      Array.from(this.#lasting, ([key, group]) => [key, { ...group, cases: new Set(group.cases) }] as const),
    );
    for (const log of this.#logs) this.#gather(log, groups);
    return Array.from(groups.values(), problemOf);
  }

  /** The rules (and what judges) with a failure that stands, and why. */
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

  /** The rules that a failure keeps in doubt though it no longer stands, and why. */
  lasting(): { readonly rule: string; readonly reason: string }[] {
    this.#keepEnded();
    return [...this.#lasting.values()].flatMap(({ rules, call }) =>
      rules.map((rule) => ({ rule, reason: callWords(call.function, call.args, call.how) })),
    );
  }

  /** Keeps the failures that a run has met and that no longer stand. What judges looks again: only rules leave something behind. */
  #keepEnded(): void {
    for (const [failure, log] of this.#met) {
      if (failure.known || this.#stands(log, failure)) continue;
      this.#met.delete(failure);
      const rules = log.site.rules.filter((rule) => !isJudge(rule));
      if (rules.length > 0) addTo(this.#lasting, rules, failure);
    }
  }

  /** One failure that stands is enough, and mostly the first one does. */
  #firstUnknown(log: FailureLog): Failure | undefined {
    if (log.unknown === 0 && log.uncounted === 0) return undefined;
    for (const failure of log.all()) if (!failure.known && this.#stands(log, failure)) return failure;
    return this.#standing(log).find((failure) => !failure.known);
  }

  #stands(log: FailureLog, failure: Failure): boolean {
    const { fact } = failure;
    return this.#isThere(log, failure) && (fact === undefined || this.#passes(fact, log.site.alpha));
  }

  /** A fact that does not pass other tests may pass them again, and then its failure stands again. */
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

  #isThere({ changedSince }: FailureLog, failure: Failure): boolean {
    const { match, fact } = failure;
    if (match !== undefined && !match.alive) return false;
    if (fact !== undefined && this.#facts.get(fact.id) !== fact) return false;
    return !changedSince(failure);
  }

  /** As far as that can be seen without calling a function: a fact may have left by a change that its test does not read. */
  #passes(fact: Fact, alpha: AlphaNode | undefined): boolean {
    for (let node = alpha; node !== undefined; node = node.above) {
      if (this.#calling?.has(node) !== true && !node.test(fact)) return false;
    }
    return true;
  }
}

/** The failures of one test. */
export class FailureLog {
  readonly site: FailureSite;
  /** Failures that are not kept. They cannot be seen to end, so they stand as long as the test is there. */
  uncounted: number = 0;
  /** Of those that are kept, how many leave it unknown what the test says. */
  unknown: number = 0;
  readonly #owner: Failures;
  readonly #readsOf: () => TestReads;
  #reads: TestReads | undefined = undefined;
  readonly #failures = new Map<Match | undefined, Map<Fact | undefined, Failure[]>>();
  #size = 0;
  /** One of those that are not kept, to speak for them. */
  #uncountedOne: Failure | undefined = undefined;

  constructor(owner: Failures, site: FailureSite, reads: () => TestReads) {
    this.#owner = owner;
    this.site = site;
    this.#readsOf = reads;
  }

  /** The test is evaluated again: what failed before no longer counts. */
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

  /** Whatever failed, the value is known. */
  known(match: Match | undefined, fact: Fact | undefined): void {
    if (this.#size === 0) return;
    for (const failure of this.#failures.get(match)?.get(fact) ?? []) {
      if (!failure.known) this.unknown -= 1;
      failure.known = true;
    }
  }

  add(call: FailedCall, match: Match | undefined, fact: Fact | undefined): void {
    const failure = { call, match, fact, seen: this.#seenIn(match, fact), known: false, words: undefined };
    if (this.#size < MOST) this.#keep(failure);
    else {
      this.uncounted += 1;
      this.#uncountedOne ??= failure;
    }
    this.#owner.failed(this, failure);
  }

  *all(): Iterable<Failure> {
    for (const ofMatch of this.#failures.values()) for (const failures of ofMatch.values()) yield* failures;
  }

  /** Those that are still there; the others are forgotten. When there were too many, one of them always is. */
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

  /** Whether a failure of the test is kept. */
  has(match: Match | undefined, fact: Fact | undefined): boolean {
    return this.#failures.get(match)?.has(fact) === true;
  }

  /** Whether what the test reads is different: then it was evaluated again, or does not apply any more. */
  readonly changedSince = ({ match, fact, seen }: Failure): boolean => {
    const now = this.#seenIn(match, fact);
    return now.some((value, index) => value !== seen[index]);
  };

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
  /** Arguments and facts of each failure. */
  readonly cases: Set<string>;
  uncounted: number;
}

/** Adds a failure to those of the same rules, function and reason, and returns their group. */
function addTo(groups: Map<string, ProblemGroup>, rules: readonly string[], failure: Failure): ProblemGroup {
  const { reason, which } = (failure.words ??= wordsOf(failure));
  const key = `${JSON.stringify(rules)} ${reason}`;
  let group = groups.get(key);
  if (group === undefined) {
    group = { call: failure.call, rules, facts: factsOf(failure), cases: new Set(), uncounted: 0 };
    groups.set(key, group);
  }
  if (group.cases.size < MOST) group.cases.add(which);
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

/** The ids of the facts in whose test it failed, outermost first. */
function factsOf({ match, fact }: Failure): string[] {
  const ids: string[] = fact === undefined ? [] : [fact.id];
  for (let above = match; above !== undefined && ids.length < MOST_FACTS; above = above.parent) {
    if (above.fact !== undefined) ids.unshift(above.fact.id);
  }
  return ids;
}
