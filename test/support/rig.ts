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
import { naiveMatches, type NaiveMatch } from "../oracle/naive.ts";
import type { Case, Domain, Operation } from "./engine-arbitrary.ts";
import { checkRules, sourceOf } from "./engine-program.ts";
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

/** The matches of each rule as texts, sorted: two multisets are equal when these are. */
export type MatchTexts = ReadonlyMap<string, readonly string[]>;

export function naiveTexts(checked: CheckedProgram, history: Pick<History, "facts">): MatchTexts {
  const texts = [...naiveMatches(checked, history.facts)].map(([rule, matches]) => {
    return [rule, matches.map(naiveText).sort()] as const;
  });
  return new Map(texts);
}

function naiveText({ bindings }: NaiveMatch): string {
  return textOf(
    Object.entries(bindings).map(([name, bound]) => [name, "fact" in bound ? bound.fact : canonical(bound.value)]),
  );
}

export function engineTexts(session: RuleSession, rules: Iterable<string>): MatchTexts {
  return new Map([...rules].map((rule) => [rule, session.matches(rule).map(engineText).sort()]));
}

function engineText({ bindings }: MatchView): string {
  return textOf(Object.entries(bindings).map(([name, bound]) => [name, isFact(bound) ? bound.id : canonical(bound)]));
}

type FactLike = Extract<MatchView["bindings"][string], { readonly id: string; readonly fields: unknown }>;

export function isFact(bound: MatchView["bindings"][string]): bound is FactLike {
  return typeof bound === "object" && "id" in bound && "fields" in bound;
}

function textOf(bindings: readonly (readonly [string, string])[]): string {
  return [...bindings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, what]) => `${name}=${what}`)
    .join(" ");
}

/** One session that follows a history. */
export class Rig {
  readonly history: History;
  readonly session: RuleSession;
  readonly #options: RigOptions;
  readonly #told: Step[] = [];
  #checked: CheckedProgram;

  constructor(domain: Domain, rules: Case["rules"], options: RigOptions = {}) {
    this.history = new History(domain, rules);
    this.#options = options;
    this.#checked = checkRules(this.history.rules);
    this.session = programOf(this.#checked, options.compile).session({ facts: "none", ...options.open });
  }

  get checked(): CheckedProgram {
    return this.#checked;
  }

  /** Does what an operation means here; false when it means nothing. */
  follow(operation: Operation): boolean {
    const step = this.history.plan(operation);
    if (step !== undefined) this.apply(step);
    return step !== undefined;
  }

  /** Does a step to the session and takes note of it. */
  apply(step: Step): void {
    this.#told.push(step);
    const expected = this.history.nextId(step);
    const id = this.#perform(step);
    if (id !== undefined && id !== expected && this.history.domain.deeds !== true) {
      throw new Difference(`the new fact is ${id}, and should be ${expected}\n${this.story()}`);
    }
    this.history.note(step, ...(id === undefined ? [] : [id]));
    if (step.is === "add" || step.is === "remove") this.#reload();
    if (this.history.domain.deeds === true) this.history.replace(this.session.facts());
  }

  #perform(step: Step): string | undefined {
    const { session } = this;
    switch (step.is) {
      case "assert":
        return session.assert(step.type, step.fields).id;
      case "refuse":
        this.#refuse(step);
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

  #refuse(step: Extract<Step, { is: "refuse" }>): void {
    try {
      this.session.assert(step.type, step.fields);
    } catch (error) {
      if (error instanceof SessionError && error.code === "E410") return;
      throw error;
    }
    throw new Difference(`a second fact with the same key was accepted\n${this.story()}`);
  }

  #reload(): void {
    this.#checked = checkRules(this.history.rules);
    this.session.reload(programOf(this.#checked, this.#options.compile));
  }

  /** Throws when the matches are not those of the naive matcher. */
  compare(): void {
    expectSame(naiveTexts(this.#checked, this.history), this.texts(), () => this.story());
  }

  /** Throws when the facts are not those that the history left. */
  compareFacts(): void {
    const facts = factTexts(this.session.facts());
    if (!sameTexts(factTexts(this.history.facts), facts)) throw new Difference(`other facts\n${this.story()}`);
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
