/**
 * Drives a session through a generated history and compares its matches with those of the naive matcher.
 *
 * Programs go to the engine as checked trees, not as text: reading is not what is tried here, and it would take most of
 * the time. Some properties go the whole way, through `compile`, `extend` and `without`.
 */
import type { Value } from "../../src/base/value.ts";
import {
  type CheckedProgram,
  type CompileOptions,
  type MatchView,
  type OpenOptions,
  Program,
  type RuleSession,
  SessionError,
} from "../../src/index.ts";
import { canonical } from "../../src/prove/compare.ts";
import type { HostFunctions } from "../../src/prove/world.ts";
import { naiveMatches, type NaiveMatch } from "../oracle/naive.ts";
import type { Case, Domain, Operation } from "./engine-arbitrary.ts";
import { checkRules, type Rule, sourceOf } from "./engine-program.ts";
import { Difference } from "./difference.ts";
import { History, type Step } from "./history.ts";

export interface RigOptions {
  readonly compile?: CompileOptions;
  readonly open?: OpenOptions;
}

/** A program that was checked already. */
export function programOf(checked: CheckedProgram, options: CompileOptions = {}): Program {
  return new Program([], checked, options);
}

export function programOfRules(rules: ReadonlyMap<string, Rule>): Program {
  return programOf(checkRules(rules));
}

/** The matches of each rule as texts, sorted: two multisets are equal when these are. */
export type MatchTexts = ReadonlyMap<string, readonly string[]>;

export type NaiveMatches = ReadonlyMap<string, readonly NaiveMatch[]>;

export function naiveTexts(
  checked: CheckedProgram,
  history: Pick<History, "facts">,
  clock?: string,
  functions?: HostFunctions,
): MatchTexts {
  return textsOf(naiveMatches(checked, history.facts, { clock, functions }));
}

function textsOf(matches: NaiveMatches): MatchTexts {
  return new Map([...matches].map(([rule, found]) => [rule, found.map(naiveText).sort()]));
}

/** The variables of a match. */
export function naiveText({ bindings }: NaiveMatch): string {
  const texts = [];
  for (const [name, bound] of Object.entries(bindings)) {
    texts.push(`${name}=${"fact" in bound ? bound.fact : canonical(bound.value)}`);
  }
  return inOrder(texts);
}

export function engineTexts(session: RuleSession, rules: Iterable<string>): MatchTexts {
  return new Map([...rules].map((rule) => [rule, session.matches(rule).map(engineText).sort()]));
}

function engineText({ bindings }: MatchView): string {
  const texts = [];
  for (const [name, bound] of Object.entries(bindings)) {
    texts.push(`${name}=${isFact(bound) ? bound.id : canonical(bound)}`);
  }
  return inOrder(texts);
}

type FactLike = Extract<MatchView["bindings"][string], { readonly id: string; readonly fields: unknown }>;

export function isFact(bound: MatchView["bindings"][string]): bound is FactLike {
  return typeof bound === "object" && "id" in bound && "fields" in bound;
}

function inOrder(texts: string[]): string {
  return texts.length < 2 ? (texts[0] ?? "") : texts.sort().join(" ");
}

/** The program of some rules: checked once, and planned once for each way of compiling it. */
class Compiled {
  readonly checked: CheckedProgram;
  readonly #rules: readonly (readonly [string, Rule])[];
  readonly #programs = new Map<CompileOptions | undefined, Program>();

  constructor(rules: ReadonlyMap<string, Rule>) {
    this.#rules = [...rules];
    this.checked = checkRules(rules);
  }

  isOf(rules: ReadonlyMap<string, Rule>): boolean {
    const others = [...rules];
    return (
      others.length === this.#rules.length &&
      this.#rules.every(([name, rule], index) => others[index]?.[0] === name && others[index]?.[1] === rule)
    );
  }

  program(options: CompileOptions | undefined): Program {
    const known = this.#programs.get(options) ?? programOf(this.checked, options);
    this.#programs.set(options, known);
    return known;
  }
}

/** A session and what it was opened with. */
interface Followed {
  readonly session: RuleSession;
  readonly options: RigOptions;
}

/** Sessions that follow one history, each opened in its own way: what they have in common is worked out once. */
export class Rig {
  readonly history: History;
  /** The first of the sessions. */
  readonly session: RuleSession;
  readonly #followed: readonly Followed[];
  readonly #told: Step[] = [];
  #compiled: Compiled;
  /** What the program was before: a rule that was just added may go again. */
  #before: Compiled;
  #naive: NaiveMatches | undefined;

  constructor(domain: Domain, rules: Case["rules"], options: RigOptions = {}, others: readonly RigOptions[] = []) {
    this.history = new History(domain, rules);
    this.#compiled = this.#before = new Compiled(this.history.rules);
    this.session = this.open(options);
    const opened = others.map((other) => ({ session: this.open(other), options: other }));
    this.#followed = [{ session: this.session, options }, ...opened];
  }

  get sessions(): RuleSession[] {
    return this.#followed.map(({ session }) => session);
  }

  get checked(): CheckedProgram {
    return this.#compiled.checked;
  }

  /** The program as it is now. */
  program(options?: CompileOptions): Program {
    return this.#compiled.program(options);
  }

  /** A session of the program that follows nothing. */
  open(options: RigOptions = {}): RuleSession {
    return this.program(options.compile).session({ facts: "none", ...options.open });
  }

  /** Does what an operation means here; false when it means nothing. */
  follow(operation: Operation): boolean {
    const step = this.history.plan(operation);
    if (step !== undefined) this.apply(step);
    return step !== undefined;
  }

  /** Does a step to the sessions and takes note of it. */
  apply(step: Step): void {
    this.#told.push(step);
    this.#naive = undefined;
    const expected = this.history.nextId(step);
    let id: string | undefined;
    for (const { session } of this.#followed) {
      id = this.#perform(session, step);
      if (id !== undefined && id !== expected && this.history.domain.deeds !== true) {
        throw new Difference(`the new fact is ${id}, and should be ${expected}\n${this.story()}`);
      }
    }
    this.history.note(step, ...(id === undefined ? [] : [id]));
    if (step.is === "add" || step.is === "remove") this.#reload();
    if (this.history.domain.deeds === true) this.history.replace(this.session.facts());
  }

  #perform(session: RuleSession, step: Step): string | undefined {
    switch (step.is) {
      case "assert":
        return session.assert(step.type, step.fields).id;
      case "refuse":
        this.#refuse(session, step);
        return undefined;
      case "retract":
        session.retract(step.id);
        return undefined;
      case "update":
        session.update(step.id, step.changes);
        return undefined;
      case "run":
        run(session);
        return undefined;
      case "add":
      case "remove":
        return undefined;
    }
  }

  #refuse(session: RuleSession, step: Extract<Step, { is: "refuse" }>): void {
    try {
      session.assert(step.type, step.fields);
    } catch (error) {
      if (error instanceof SessionError && error.code === "E410") return;
      throw error;
    }
    throw new Difference(`a second fact with the same key was accepted\n${this.story()}`);
  }

  #reload(): void {
    const { rules } = this.history;
    const next = this.#before.isOf(rules) ? this.#before : new Compiled(rules);
    [this.#before, this.#compiled] = [this.#compiled, next];
    for (const { session, options } of this.#followed) session.reload(this.program(options.compile));
  }

  /** What the naive matcher finds now. */
  naive(): NaiveMatches {
    return (this.#naive ??= naiveMatches(this.checked, this.history.facts));
  }

  /** Throws when the matches of a session are not those of the naive matcher. */
  compare(): void {
    const expected = textsOf(this.naive());
    for (const { session, options } of this.#followed) {
      const found = engineTexts(session, this.history.rules.keys());
      expectSame(expected, found, () => `opened with ${JSON.stringify(options.open)}\n${this.story()}`);
    }
  }

  /** Throws when the facts of the first session are not those that the history left. */
  compareFacts(): void {
    const facts = factTexts(this.session.facts());
    if (!sameTexts(factTexts(this.history.facts), facts)) throw new Difference(`other facts\n${this.story()}`);
  }

  /** Retracts every fact; throws when anything is remembered of any. */
  empty(): void {
    for (const { id } of this.history.facts) this.apply({ is: "retract", id });
    for (const { session } of this.#followed) {
      const { facts, matches, indexEntries, logicalFacts } = session.counters();
      if (facts + matches + indexEntries + logicalFacts === 0) continue;
      throw new Difference(`${JSON.stringify({ facts, matches, indexEntries, logicalFacts })}\n${this.story()}`);
    }
  }

  /** Returns the matches of each session that follows the history, in the order in which they were opened. */
  allTexts(): MatchTexts[] {
    return this.sessions.map((session) => engineTexts(session, this.history.rules.keys()));
  }

  texts(): MatchTexts {
    return engineTexts(this.session, this.history.rules.keys());
  }

  /** The program and everything that was done, for a person to read. */
  story(): string {
    return `${sourceOf(this.history.rules)}\n${this.#told.map((step) => JSON.stringify(step)).join("\n")}`;
  }
}

/** Throws when two sessions that should have the same matches do not; the story is told only then. */
export function expectSame(expected: MatchTexts, found: MatchTexts, story: () => string): void {
  for (const [rule, texts] of expected) {
    const others = found.get(rule) ?? [];
    if (!sameTexts(texts, others)) {
      throw new Difference(`rule ${rule}\n  expected ${list(texts)}\n  found    ${list(others)}\n${story()}`);
    }
  }
}

/** A few firings; a run that would go on for ever is stopped. */
function run(session: RuleSession): void {
  try {
    session.run({ limit: 30 });
  } catch (error) {
    if (!(error instanceof SessionError && error.code === "E510")) throw error;
  }
}

function factTexts(
  facts: readonly { readonly id: string; readonly fields: Readonly<Record<string, Value>> }[],
): string[] {
  return facts.map(({ id, fields }) => `${id} ${canonical(fields)}`).sort();
}

export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? "nothing" : texts.map((text) => `[${text}]`).join(" ");
}

/** D1: with the facts it begins with, and after every operation, the network has the matches of the naive matcher. */
export function followAndCompare(one: Case, domain: Domain, options: RigOptions = {}): void {
  const rig = new Rig(domain, one.rules, options);
  for (const fact of one.facts) rig.follow({ is: "assert", fact });
  rig.compare();
  for (const operation of one.operations) if (rig.follow(operation)) rig.compare();
  rig.compareFacts();
}
