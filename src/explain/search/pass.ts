/**
 * The smallest changes of facts after which the verdict of a guardian differs, because the line that decided passes.
 * Each is tried in a copy of the session, and reported with the verdict there. What a check that is never retried says
 * is final.
 */
import type { VerdictAccount } from "../../guardian/account.ts";
import type { Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { VerdictAnswer } from "../../base/answers.ts";
import { unlessStopped } from "../read/budget.ts";
import { type FactEdit, type Found, foundOf, placeOfEdits, type Remedy } from "./edit.ts";
import { truth } from "../read/evaluate.ts";
import { firstDoubt } from "../read/judge.ts";
import type { AbsencePart, Part } from "../read/parts.ts";
import { relevantFacts } from "../read/relevant.ts";
import { guardianPolicy, hostFacts, testsOfGuardian } from "./policy.ts";
import { readingOf } from "./reading.ts";
import { RemedySearch } from "./remedy-search.ts";
import { editsAfter, type State } from "./repair-state.ts";
import type { ExplainContext } from "../read/context.ts";
import { solutions } from "../read/solve.ts";
import { type Chosen, FREE } from "../read/chosen.ts";
import { type PlainLine, plainLines } from "../read/using.ts";
import { decidingLine, subjectChosen } from "../read/deciding-line.ts";
import { World } from "../read/world.ts";

/** Edits after which a guardian judges differently. */
export interface VerdictRemedy extends Remedy {
  /** The verdict after the edits. */
  readonly verdict: VerdictAnswer["verdict"];
  /** The reasons that decide then, when the verdict is still not PASS. */
  readonly reasons: readonly string[];
}

const MAX_TRIALS = 60;
const MAX_COPIED_FACTS = 200_000;
/** The most suggestions that lead to another verdict than PASS. */
const MAX_PARTIAL = 3;

/**
 * Returns the remedies that lead to PASS, or else to another verdict; none when the verdict is PASS, or nothing within
 * three edits helps.
 */
export function wouldPass(context: ExplainContext, account: VerdictAccount): Found<VerdictRemedy> {
  const decl = context.program.symbols.guardians.get(account.answer.guardian)?.decl;
  if (decl === undefined || account.answer.verdict === "PASS" || account.fault !== undefined) {
    return { remedies: [] };
  }
  return unlessStopped(
    () => new VerdictSearch(context, decl, account).found(),
    (stopped) => ({ remedies: [], stopped }),
  );
}

class VerdictSearch {
  readonly #context: ExplainContext;
  readonly #decl: ast.GuardianDecl;
  readonly #account: VerdictAccount;
  readonly #world: World;
  readonly #search: RemedySearch<VerdictAccount, VerdictRemedy>;
  readonly #subject: Chosen;
  /** The line that decides now: after several changes it may decide again. */
  readonly #decider: PlainLine | undefined;
  /** The changes after which another line decides, by location. */
  readonly #partial = new Map<string, VerdictRemedy>();

  constructor(context: ExplainContext, decl: ast.GuardianDecl, account: VerdictAccount) {
    this.#context = context;
    this.#decl = decl;
    this.#account = account;
    this.#world = World.of({ ...context, judging: true }, context.session);
    this.#subject = subjectChosen(decl.subject, account.answer.subject, this.#world);
    this.#decider = decidingLine(this.#world, account)?.plain;
    const { guardian, subject } = account.answer;
    const policy = guardianPolicy(hostFacts(context), decl, subject, context.program);
    let relevant: { readonly facts: ReadonlySet<string> | undefined } | undefined;
    this.#search = new RemedySearch(context, this.#world, FREE, {
      maxTrials: MAX_TRIALS,
      policy,
      reading: readingOf([decl.subject, testsOfGuardian(decl)], context.program),
      maxCopiedFacts: MAX_COPIED_FACTS,
      relevant: () => (relevant ??= { facts: this.#relevant() }).facts,
      ask: (fork) => context.verdict(guardian, subject, fork),
      remedy: (then, change) => (then.answer.verdict === "PASS" ? remedyWith(then, change) : undefined),
      place: (edits) => placeOfEdits(edits),
    });
  }

  found(): Found<VerdictRemedy> {
    const start = { world: this.#world, chosen: this.#subject, edits: [] };
    const final = this.#finalCheck(this.#account);
    if (final !== undefined) return { remedies: [], final: `check ${final} is never retried` };
    const { remedies, stopped } = this.#search.find((maxEdits) => this.#explore(this.#account, start, maxEdits));
    return foundOf(remedies.length > 0 ? remedies : this.#smallestPartial(), stopped);
  }

  #smallestPartial(): VerdictRemedy[] {
    const partial = [...this.#partial.values()];
    const fewest = Math.min(...partial.map(({ edits }) => edits.length));
    return partial.filter(({ edits }) => edits.length === fewest).slice(0, MAX_PARTIAL);
  }

  /** Returns the name of the check that decided, if it is never retried. */
  #finalCheck(account: VerdictAccount): string | undefined {
    const check = decidingLine(this.#world, account)?.check;
    return check?.modifiers.some(({ kind }) => kind === "never-retry") === true ? check.name.name : undefined;
  }

  /** Tries changes that make the deciding line pass and, when another line decides after that, that one as well. */
  #explore(account: VerdictAccount, state: State, budget: number): void {
    const plain = decidingLine(this.#world, account)?.plain;
    if (plain === undefined || this.#finalCheck(account) !== undefined) return;
    for (const repaired of this.#repaired(plain, state, budget)) {
      if (this.#search.isDone) return;
      const next = { ...repaired, edits: editsAfter(state.edits, repaired.edits) };
      if (repaired.edits.length === 0 || next.edits.length === 0) continue;
      for (const one of [next, ...this.#filled(next)]) this.#try(one, plain, budget - repaired.edits.length);
    }
  }

  *#repaired(plain: PlainLine, state: State, budget: number): Iterable<State> {
    const { world } = state;
    for (const { parts, chosen } of this.#goals(plain, state))
      yield* this.#search.repair.repaired(parts, world, chosen, budget);
    const subject = this.#subject.in(world);
    const doubt = plain.each.length === 0 ? undefined : firstDoubt(plain.each, world, subject);
    if (doubt !== undefined) yield* this.#search.repair.decided(plain.each, doubt.chosen, world, subject, budget);
  }

  /**
   * Returns the conditions under which a line passes by its own test: for the first fact that fails it, or with a new
   * fact when there is none. Limits that would let it pass are not used.
   */
  #goals(plain: PlainLine, { world }: State): { readonly parts: readonly Part[]; readonly chosen: Chosen }[] {
    const test = passing(plain);
    const subject = this.#subject.in(world);
    const goal = { kind: "where", test, slash: false } as const;
    let some = false;
    for (const chosen of solutions(plain.each, world, subject)) {
      some = true;
      if (truth(test, { world, chosen, ownFact: undefined }) !== true) return [{ parts: [goal], chosen }];
    }
    const [pattern, second] = plain.each;
    if (some || pattern === undefined || second !== undefined) return [];
    return [{ parts: [{ ...pattern, tests: [...pattern.tests, test] }], chosen: subject }];
  }

  /** Returns states whose new facts have values in optional fields too, taken from other facts of the type. */
  #filled(state: State): State[] {
    if (!state.edits.some(({ op }) => op === "assert")) return [];
    return [0, 1, 2].map((index) => ({
      ...state,
      edits: state.edits.map((edit) => (edit.op === "assert" ? this.#filledFact(edit, index) : edit)),
    }));
  }

  #filledFact(edit: Extract<FactEdit, { op: "assert" }>, index: number): FactEdit {
    const fields: Record<string, Value> = { ...edit.fields };
    const { domain } = this.#search;
    for (const field of this.#context.program.symbols.type(edit.type)?.fields.values() ?? []) {
      if (!field.optional || fields[field.name] !== undefined || !domain.reading.fields.has(field.name)) continue;
      const known = this.#world.someValues(edit.type, field.name, index + 1).at(index);
      const value = known ?? domain.candidates(edit.type, field.name).at(index);
      if (value !== undefined) fields[field.name] = value;
    }
    return { ...edit, fields };
  }

  #try(state: State, plain: PlainLine, left: number): void {
    const then = this.#search.tryChange(state)?.answer;
    if (then === undefined || then.answer.verdict === "PASS") return;
    const place = placeOfEdits(state.edits);
    const now = decidingLine(this.#world, then)?.plain;
    const other = now !== plain && now !== this.#decider;
    if (other && !this.#partial.has(place)) this.#partial.set(place, remedyWith(then, this.#search.told(state)));
    if (left > 0) this.#explore(then, state, left);
  }

  /**
   * Returns the facts that the guardian reads; undefined when collecting them takes too many steps, or when it reads
   * the answers of others.
   */
  #relevant(): ReadonlySet<string> | undefined {
    if (JSON.stringify(this.#decl.checks).includes('"kind":"outcome"')) return undefined;
    const all = new Set<string>([this.#account.answer.subject]);
    for (const check of this.#decl.checks) {
      for (const plain of plainLines(check, this.#context.program)) {
        const found = relevantFacts([partRead(plain)], this.#world, this.#subject);
        if (found === undefined) return undefined;
        for (const id of found) all.add(id);
      }
    }
    return all;
  }
}

/** Returns everything that a line reads, as one part. */
function partRead({ each, test, limits, line }: PlainLine): AbsencePart {
  const tests = [...limits.map((limit) => limit.test), test];
  const parts: Part[] = [...each, ...tests.map((one): Part => ({ kind: "where", test: one, slash: false }))];
  const element = { kind: "absence", quantifier: "exists", elements: [], span: line.span } as const;
  return { kind: "absence", quantifier: "exists", parts, element };
}

/** Returns a test that is true when the line passes by itself. */
function passing({ line, test }: PlainLine): ast.Expr {
  if (line.polarity === "need") return test;
  return test.kind === "not" ? test.operand : { kind: "not", operand: test, span: test.span };
}

/** Returns a change with the verdict that follows. */
function remedyWith({ answer: { verdict, reasons } }: VerdictAccount, change: Remedy): VerdictRemedy {
  return { ...change, verdict, reasons };
}
