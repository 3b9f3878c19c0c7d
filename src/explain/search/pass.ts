/**
 * The smallest changes of facts after which the verdict of a guardian differs, because the line that decided passes.
 * Each is tried in a copy of the session, and reported with the verdict there.
 */
import type { VerdictAccount } from "../../guardian/account.ts";
import type { Truth } from "../../base/truth.ts";
import type { Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import { forEachNode } from "../../language/walk.ts";
import type { VerdictAnswer } from "../../base/answers.ts";
import { unlessStopped } from "../read/budget.ts";
import { type Edit, type Found, foundOf, placeOfEdits, type Remedy, remedyOf } from "./edit.ts";
import { truth } from "../read/evaluate.ts";
import { plainGuess } from "./guess.ts";
import { findings, firstDoubt } from "../read/judge.ts";
import type { AbsencePart, Part, PatternPart } from "../read/parts.ts";
import { relevantFacts } from "../read/relevant.ts";
import { RemedySearch } from "./remedy-search.ts";
import type { State } from "./repair-state.ts";
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
  readonly #belonging: ReadonlySet<string>;
  /** The changes after which another line decides, by location. */
  readonly #partial = new Map<string, VerdictRemedy>();

  constructor(context: ExplainContext, decl: ast.GuardianDecl, account: VerdictAccount) {
    this.#context = context;
    this.#decl = decl;
    this.#account = account;
    this.#world = World.of({ ...context, judging: true }, context.session);
    this.#subject = subjectChosen(decl.subject, account.answer.subject, this.#world);
    this.#belonging = belongingTypes(context, decl);
    const { guardian, subject } = account.answer;
    let relevant: { readonly facts: ReadonlySet<string> | undefined } | undefined;
    this.#search = new RemedySearch(context, this.#world, FREE, {
      maxTrials: MAX_TRIALS,
      maxCopiedFacts: MAX_COPIED_FACTS,
      relevant: () => (relevant ??= { facts: this.#relevant() }).facts,
      ask: (fork) => context.verdict(guardian, subject, fork),
      remedy: (then, change) => (then.answer.verdict === "PASS" ? remedyWith(then, change) : undefined),
      place: (edits) => placeOfEdits(edits),
    });
  }

  found(): Found<VerdictRemedy> {
    const start = { world: this.#world, chosen: this.#subject, edits: [] };
    const { remedies, stopped } = this.#search.find((maxEdits) => this.#explore(this.#account, start, maxEdits));
    return foundOf(remedies.length > 0 ? remedies : this.#smallestPartial(), stopped);
  }

  #smallestPartial(): VerdictRemedy[] {
    const partial = [...this.#partial.values()];
    const fewest = Math.min(...partial.map(({ edits }) => edits.length));
    return partial.filter(({ edits }) => edits.length === fewest).slice(0, MAX_PARTIAL);
  }

  /** Tries changes that make the deciding line pass and, when another line decides after that, that one as well. */
  #explore(account: VerdictAccount, state: State, budget: number): void {
    const plain = decidingLine(this.#world, account)?.plain;
    if (plain === undefined) return;
    for (const repaired of this.#repaired(plain, state, budget)) {
      if (this.#search.isDone) return;
      if (repaired.edits.length === 0) continue;
      const next = { ...repaired, edits: [...state.edits, ...repaired.edits] };
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

  #filledFact(edit: Extract<Edit, { op: "assert" }>, index: number): Edit {
    const fields: Record<string, Value> = { ...edit.fields };
    for (const field of this.#context.program.symbols.type(edit.type)?.fields.values() ?? []) {
      if (!field.optional || fields[field.name] !== undefined) continue;
      const known = this.#world.someValues(edit.type, field.name, index + 1).at(index);
      const value = known ?? (field.type.kind === "number" ? 1 : plainGuess(field.type, { world: this.#world }));
      fields[field.name] = value;
    }
    return { ...edit, fields };
  }

  #try(state: State, plain: PlainLine, left: number): void {
    const then = this.#isForged(plain, state) ? undefined : this.#search.tryChange(state)?.answer;
    if (then === undefined || then.answer.verdict === "PASS") return;
    const place = placeOfEdits(state.edits);
    const other = decidingLine(this.#world, then)?.plain !== plain;
    if (other && !this.#partial.has(place)) {
      const change = remedyOf(state.edits, (id) => state.world.get(id) !== undefined);
      this.#partial.set(place, remedyWith(then, change));
    }
    if (left > 0) this.#explore(then, state, left);
  }

  /**
   * Returns whether a change is forged. Only the subject and what belongs to it may change, not the tables that all
   * subjects are measured by; and evidence may neither become nor stop being evidence about the subject.
   */
  #isForged({ using }: PlainLine, state: State): boolean {
    return state.edits.some((edit) => {
      if (edit.op === "assert") return !this.#belonging.has(edit.type);
      const type = this.#world.get(edit.fact)?.type ?? "";
      if (edit.fact === this.#account.answer.subject) return edit.op === "retract";
      if (!this.#belonging.has(type)) return true;
      if (edit.op === "retract") return false;
      return using.some((part) => {
        if (part.type !== type) return false;
        const before = this.#isEvidence(part, edit.fact, this.#world);
        return before !== undefined && before !== this.#isEvidence(part, edit.fact, state.world);
      });
    });
  }

  /** Returns whether a fact is evidence; undefined when that is unknown. */
  #isEvidence(part: PatternPart, id: string, world: World): Truth {
    const fact = world.get(id);
    if (fact === undefined || part.variable === null) return false;
    const fixed = new Map([[part.variable, { fact }]]);
    let known: Truth = false;
    for (const { sure } of findings([part], world, this.#subject.in(world), fixed)) {
      if (sure) return true;
      known = undefined;
    }
    return known;
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

/** Returns the types whose patterns refer to the subject or its key: `e: Evidence(e.draft == d.id)`. */
function belongingTypes({ program }: ExplainContext, decl: ast.GuardianDecl): ReadonlySet<string> {
  const name = decl.subject.variable?.name;
  const fields = program.symbols.type(decl.subject.type.name)?.fields;
  const types = new Set<string>();
  const names = (path: ast.PathExpr): boolean => {
    const [first, second] = path.fields;
    if (path.root.name !== name || second !== undefined) return false;
    return first === undefined || fields === undefined || fields.get(first.name)?.key === true;
  };
  forEachNode(decl.checks, (node) => {
    if (node.kind !== "pattern") return;
    const pattern = node as unknown as ast.Pattern;
    forEachNode(pattern.tests, (inner) => {
      if (inner.kind === "path" && names(inner as unknown as ast.PathExpr)) types.add(pattern.type.name);
    });
  });
  return types;
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
