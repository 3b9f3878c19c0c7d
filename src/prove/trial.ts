/** Plays a history to a session and compares its matches with those of the brute-force matcher after every change. */
import { OutOfSteps, type StepBudget } from "../base/step-budget.ts";
import type { Value } from "../base/value.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { canonical } from "./compare.ts";
import type { Change, History, LabelledFact } from "./history.ts";
import type { HostFunctions } from "./world.ts";
import { naiveMatches, type NaiveMatch } from "./naive.ts";
import { liveRules } from "./work.ts";

/** The role of all changes, so that facts of protected types can be changed as well. */
const BY = { role: "policy" } as const;
type By = typeof BY;

/** A session of the program without facts: the members that are used here. */
export interface Subject {
  assert(type: string, fields: Readonly<Record<string, unknown>>, by?: By): { readonly id: string };
  update(id: string, fields: Readonly<Record<string, unknown>>, by?: By): unknown;
  retract(id: string, by?: By): unknown;
  facts(): readonly SubjectFact[];
  matches(rule: string): readonly { readonly bindings: Readonly<Record<string, unknown>> }[];
  /** What its clock shows, as text; undefined while it is not set. */
  readonly clock?: string | undefined;
  /** The problems of the session; the rules that E511 names are switched off and have no matches. */
  readonly problems?: readonly { readonly code: string; readonly rules?: readonly string[] }[];
}

export interface SubjectFact {
  readonly id: string;
  readonly type: string;
  readonly fields: Readonly<Record<string, Value>>;
}

export interface Difference {
  /** The number of changes made before the difference; 0 when the facts alone make it. */
  readonly changes: number;
  readonly rule: string;
  /** The variables of each match as strings: `p = Person~p1, n = 3`, sorted. */
  readonly network: readonly string[];
  readonly naive: readonly string[];
  /** The error of a network that failed instead of giving an answer. */
  readonly failure: string | undefined;
}

export interface Trial {
  readonly program: CheckedProgram;
  open(): Subject;
  /** The functions of the host. */
  readonly functions?: HostFunctions | undefined;
  /** The steps that the brute-force matcher may spend. */
  readonly steps?: StepBudget;
}

/** Returns the first difference; undefined when there is none. */
export function differenceIn(trial: Trial, { facts, changes }: History): Difference | undefined {
  const player = new Player(trial);
  let made = 0;
  try {
    for (const fact of facts) player.assert(fact);
    let difference = player.compare();
    for (; difference === undefined && made < changes.length; difference = player.compare()) {
      player.make(changes[made] as Change);
      made += 1;
    }
    return difference === undefined ? undefined : { ...difference, changes: made };
  } catch (error) {
    if (error instanceof OutOfSteps) throw error;
    const failure = error instanceof Error ? error.message : String(error);
    return { changes: made, rule: "", network: [], naive: [], failure };
  }
}

class Player {
  readonly #program: CheckedProgram;
  readonly #subject: Subject;
  readonly #rules: readonly string[];
  readonly #steps: StepBudget | undefined;
  readonly #functions: HostFunctions | undefined;
  readonly #ids = new Map<number, string>();

  constructor(trial: Trial) {
    this.#program = trial.program;
    this.#subject = trial.open();
    this.#steps = trial.steps;
    this.#functions = trial.functions;
    this.#rules = liveRules(trial.program).map((rule) => rule.name.name);
  }

  assert({ label, type, fields }: LabelledFact): void {
    unlessRefused(() => this.#ids.set(label, this.#subject.assert(type, fields, BY).id));
  }

  make(change: Change): void {
    if (change.is === "assert") return this.assert(change.fact);
    const id = this.#ids.get(change.label);
    if (id === undefined) return;
    if (change.is === "update") {
      unlessRefused(() => this.#subject.update(id, { [change.field]: change.value }, BY));
    } else {
      this.#subject.retract(id, BY);
      this.#ids.delete(change.label);
    }
  }

  compare(): Omit<Difference, "changes"> | undefined {
    const facts = this.#subject.facts().map((fact, order) => ({ ...fact, order }));
    const found = naiveMatches(this.#program, facts, {
      steps: this.#steps,
      functions: this.#functions,
      clock: this.#subject.clock,
    });
    const limits = (this.#subject.problems ?? []).filter(({ code }) => code === "E511");
    const off = new Set(limits.flatMap(({ rules = [] }) => rules));
    for (const rule of this.#rules) {
      if (off.has(rule)) continue;
      const naive = (found.get(rule) ?? []).map(naiveText).sort();
      const network = this.#subject.matches(rule).map(networkText).sort();
      if (naive.join("\n") !== network.join("\n")) return { rule, network, naive, failure: undefined };
    }
    return undefined;
  }
}

/**
 * Does the work unless the session refuses it: a refused change, such as a key that is taken, changes nothing. Every
 * refusal has a code.
 */
function unlessRefused(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
  }
}

function naiveText({ bindings }: NaiveMatch): string {
  return textOf(
    Object.entries(bindings).map(([name, bound]) => [name, "fact" in bound ? bound.fact : canonical(bound.value)]),
  );
}

function networkText({ bindings }: { readonly bindings: Readonly<Record<string, unknown>> }): string {
  return textOf(
    Object.entries(bindings).map(([name, bound]) => [name, isFact(bound) ? bound.id : canonical(bound as Value)]),
  );
}

function isFact(bound: unknown): bound is SubjectFact {
  return typeof bound === "object" && bound !== null && "id" in bound && "type" in bound && "fields" in bound;
}

function textOf(bindings: readonly (readonly [string, string])[]): string {
  return [...bindings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, what]) => `${name} = ${what}`)
    .join(", ");
}
