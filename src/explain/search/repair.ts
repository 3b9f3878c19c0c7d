/**
 * Searches the fewest edits of facts after which a condition is fulfilled.
 *
 * It walks through the parts as a match would, and where a part is not fulfilled it tries what could help: another
 * value in a field that a test reads, one fact more, one fact less. Each step is tried in a world of its own; callers
 * try the result again in a real session.
 */
import { stoppedAfter } from "../../base/step-budget.ts";
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import type { FactEdit } from "./edit.ts";
import { evaluate, truth } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { existsPart, innerParts, type ItemsPart, type Part, type PatternPart, withTest } from "../read/parts.ts";
import { withoutDerived } from "./derived-facts.ts";
import type { Domain } from "./domain.ts";
import { freshFact, withId } from "./fresh-fact.ts";
import { guesses, type Slot } from "./guess.ts";
import type { Policy } from "./policy.ts";
import { nearest } from "../read/nearest.ts";
import { type AskedCondition, askedCondition, evidencePart } from "../read/conditions.ts";
import { AggregateRepair } from "./repair-aggregates.ts";
import {
  isNew,
  editsLeft,
  type OwnFact,
  scopeOf,
  slotsOf,
  type State,
  withoutFact,
  withValue,
} from "./repair-state.ts";
import { firstDoubt } from "../read/judge.ts";
import { counterexample, extended, firstSolution } from "../read/solve.ts";
import { type Chosen, chosenFor, type Fixed } from "../read/chosen.ts";
import type { World } from "../read/world.ts";
import { rowsToTry } from "./table-rows.ts";
import { writtenOut } from "./written-out.ts";

/** The most matching facts, near facts, values for one field, states and facts read that are tried. */
const MAX_MATCHING = 6;
const MAX_NEAR = 6;
const MAX_VALUES = 2;
const MAX_STATES = 4_000;
const MAX_READS = 1_000_000;
/** The most fields of a new fact that are changed; together they count as one edit. */
const MAX_NEW_FIELDS = 12;

export class Repair {
  readonly #fixed: Fixed;
  readonly #policy: Policy;
  readonly #domain: Domain;
  readonly #readLimit: number;
  readonly #aggregates: AggregateRepair;
  #states = 0;
  #stopped: string | undefined;
  /** The id of a new fact while it is made: only its fields may change then. */
  #only: string | undefined;
  readonly #mayRelabel: boolean;

  /** With `mayRelabel` a fact may become something else: it may be tied to another fact than now. */
  constructor(world: World, fixed: Fixed, policy: Policy, domain: Domain, mayRelabel: boolean) {
    this.#mayRelabel = mayRelabel;
    this.#fixed = fixed;
    this.#policy = policy;
    this.#domain = domain;
    this.#readLimit = world.readCount + MAX_READS;
    this.#aggregates = new AggregateRepair(domain, {
      through: (parts, index, state, budget) => this.#through(parts, index, state, budget),
      against: (found, state, budget) => this.#against(found, state, budget),
      add: (part, state) => this.#add(part, state),
      adapt: (part, id, state, budget) => this.#adapt(part, id, state, budget),
      mayChange: (slot, state) => this.#mayChange(slot, state),
      exhausted: (of) => this.#exhausted(of),
    });
  }

  /** Returns why the search ended before everything was tried; undefined when it did not. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Yields every state that is found with at most `budget` edits. */
  repaired(parts: readonly Part[], world: World, start: Chosen, budget: number): Iterable<State> {
    this.#states = 0;
    return this.#through(parts, 0, { world, chosen: start, edits: [] }, budget);
  }

  /** Yields states in which it is known whether facts in doubt count: they do, or they do not. */
  *decided(parts: readonly PatternPart[], found: Chosen, world: World, start: Chosen, budget: number): Iterable<State> {
    this.#states = 0;
    for (const part of parts) {
      const fact = chosenFor(found, part);
      if (fact !== undefined) yield* this.#adapt(part, fact.id, { world, chosen: found, edits: [] }, budget);
    }
    yield* this.#against(found, { world, chosen: start, edits: [] }, budget);
  }

  *#through(parts: readonly Part[], index: number, state: State, budget: number): Iterable<State> {
    const part = parts[index];
    if (part === undefined) {
      yield state;
      return;
    }
    for (const next of this.#fulfil(part, parts.slice(index + 1), state, budget)) {
      yield* this.#through(parts, index + 1, next, editsLeft(state, next, budget));
    }
  }

  #exhausted(world: World): boolean {
    this.#states += 1;
    world.context.budget?.spend(1);
    if (this.#states > MAX_STATES) this.#stopped = stoppedAfter(MAX_STATES, "combinations");
    else if (world.readCount > this.#readLimit) this.#stopped = stoppedAfter(MAX_READS, "looks at facts");
    else return false;
    return true;
  }

  *#fulfil(part: Part, later: readonly Part[], state: State, budget: number): Iterable<State> {
    if (this.#exhausted(state.world)) return;
    switch (part.kind) {
      case "pattern":
        return yield* this.#pattern(part, state, budget);
      case "let": {
        const { world, chosen } = state;
        const value = evaluate(part.value, { world, chosen, ownFact: undefined });
        yield { ...state, chosen: chosen.with(part, part.name, { value }) };
        return;
      }
      case "items":
        return yield* this.#items(part, state);
      case "where":
        return yield* this.#make(part.test, true, undefined, state, budget);
      case "absence":
        if (part.quantifier === "not") return yield* this.#prevent(part.parts, state, budget);
        return yield* this.#inside(part.parts, state, budget);
      case "forall":
        return yield* this.#everyOne(part, state, budget);
      case "aggregate":
        return yield* this.#aggregates.part(part, later, state, budget);
      case "or":
        for (const alternative of part.alternatives) yield* this.#through(alternative, 0, state, budget);
    }
  }

  /** Yields the items of a list that are there. */
  *#items(part: ItemsPart, state: State): Iterable<State> {
    const { world, chosen } = state;
    let count = 0;
    for (const longer of extended(part, world, chosen, this.#fixed)) {
      yield { ...state, chosen: longer };
      count += 1;
      if (count >= MAX_MATCHING) return;
    }
  }

  // ---------------------------------------------------------------- patterns

  *#pattern(part: PatternPart, state: State, budget: number): Iterable<State> {
    const { world, chosen } = state;
    let fitting = 0;
    for (const longer of extended(part, world, chosen, this.#fixed)) {
      yield { ...state, chosen: longer };
      fitting += 1;
      if (fitting >= MAX_MATCHING) break;
    }
    if (budget === 0) return;
    for (const near of nearest(part, world, chosen, this.#fixed, MAX_NEAR)) {
      if (near.failing.length > 0) yield* this.#adapt(part, near.fact.id, state, budget);
    }
    if (part.variable === null || !this.#fixed.has(part.variable)) yield* this.#add(part, state);
  }

  /** Yields states in which all tests of the pattern are true of the fact. */
  *#adapt(part: PatternPart, id: string, state: State, budget: number): Iterable<State> {
    const ownFact = { part, id };
    for (const next of this.#makeAll([...part.tests, ...part.early], 0, ownFact, state, budget)) {
      const fact = next.world.get(id);
      if (fact === undefined) continue;
      const scope = scopeOf(next, ownFact);
      if ([...part.tests, ...part.early].every((test) => truth(test, scope) === true)) {
        yield { ...next, chosen: next.chosen.with(part, part.variable, { fact }) };
      }
    }
  }

  /** Yields a state with a new fact that matches. */
  *#add(part: PatternPart, state: State): Iterable<State> {
    const fresh = this.#shaped(part, state);
    if (fresh === undefined) return;
    const world = state.world.changed(undefined, fresh);
    const edit: FactEdit = { op: "assert", type: fresh.type, fields: fresh.fields };
    const chosen = state.chosen.in(world).with(part, part.variable, { fact: fresh });
    yield { world, chosen, edits: [...state.edits, edit] };
  }

  #shaped(part: PatternPart, state: State): FactView | undefined {
    if (this.#only !== undefined || !this.#policy.mayAdd(part.type)) return undefined;
    const draft = freshFact(part.type, state.world, this.#domain);
    if (draft === undefined) return undefined;
    this.#only = draft.id;
    try {
      const begin = { ...state, world: state.world.changed(undefined, draft) };
      for (const next of this.#adapt(part, draft.id, begin, MAX_NEW_FIELDS)) {
        const made = next.world.get(draft.id);
        const named = made === undefined ? undefined : withId(made, state.world);
        if (named !== undefined && this.#stillFits(part, named, state)) return named;
      }
      return undefined;
    } finally {
      this.#only = undefined;
    }
  }

  #stillFits(part: PatternPart, fact: FactView, state: State): boolean {
    if (state.world.get(fact.id) !== undefined) return false;
    const next = { ...state, world: state.world.changed(undefined, fact) };
    const scope = scopeOf(next, { part, id: fact.id });
    return [...part.tests, ...part.early].every((test) => truth(test, scope) === true);
  }

  // ---------------------------------------------------------------- tests

  *#makeAll(
    tests: readonly ast.Expr[],
    index: number,
    ownFact: OwnFact | undefined,
    state: State,
    budget: number,
  ): Iterable<State> {
    const test = tests[index];
    if (test === undefined) {
      yield state;
      return;
    }
    for (const next of this.#make(test, true, ownFact, state, budget)) {
      yield* this.#makeAll(tests, index + 1, ownFact, next, editsLeft(state, next, budget));
    }
  }

  /** Yields states in which a test is true or, unless `want`, not true; in judging, false. */
  *#make(given: ast.Expr, want: boolean, ownFact: OwnFact | undefined, state: State, budget: number): Iterable<State> {
    const test = writtenOut(given, state.world.context.program);
    const now = truth(test, scopeOf(state, ownFact));
    if (now === want || (now === undefined && !want && state.world.context.judging !== true)) {
      yield state;
      return;
    }
    if (budget === 0 || this.#exhausted(state.world)) return;
    const asked = askedCondition(test, scopeOf(state, ownFact));
    if (asked !== undefined) return yield* this.#condition(asked, test, want, ownFact, state, budget);
    switch (test.kind) {
      case "not":
        return yield* this.#turn(test.operand, !want, ownFact, state, budget);
      case "logic":
        if ((test.op === "and") === want) return yield* this.#each(test.items, 0, want, ownFact, state, budget);
        for (const item of test.items) yield* this.#make(item, want, ownFact, state, budget);
        return;
      case "exists":
        return yield* this.#presence([existsPart(test)], want, state, budget);
      case "exists-in":
        return yield* this.#presence(innerParts(test), want, state, budget);
      default:
        yield* this.#rows(test, want, ownFact, state, budget);
        yield* this.#setField(test, want, ownFact, state, budget);
        if (this.#only !== undefined) return;
        yield* this.#aggregates.inside(test, want, ownFact, state, budget);
        yield* this.#aggregates.within(test, want, ownFact, state, budget);
    }
  }

  /** Yields states in which a condition has the wanted value: its test, or the test of a piece of evidence. */
  *#condition(
    { condition: { decl }, scope }: AskedCondition,
    use: ast.Expr,
    want: boolean,
    ownFact: OwnFact | undefined,
    state: State,
    budget: number,
  ): Iterable<State> {
    const inside = { world: scope.world, chosen: scope.chosen, edits: state.edits };
    const { evidence, test } = decl;
    const found =
      evidence === null
        ? this.#make(test, want, undefined, inside, budget)
        : this.#presence([withTest(evidencePart(evidence), test, want)], true, inside, budget);
    for (const { world, edits } of found) {
      const outside = world.judging(state.world.context.judging === true);
      const next = { world: outside, chosen: state.chosen.in(outside), edits };
      if (truth(use, scopeOf(next, ownFact)) === want) yield next;
    }
  }

  /** Yields states in which the operand of `not` has the wanted value; unknown is not enough. */
  *#turn(test: ast.Expr, want: boolean, ownFact: OwnFact | undefined, state: State, budget: number): Iterable<State> {
    for (const next of this.#make(test, want, ownFact, state, budget)) {
      if (truth(test, scopeOf(next, ownFact)) === want) yield next;
    }
    if (!want && truth(test, scopeOf(state, ownFact)) === undefined)
      yield* this.#setField(test, false, ownFact, state, budget);
  }

  *#each(
    items: readonly ast.Expr[],
    index: number,
    want: boolean,
    ownFact: OwnFact | undefined,
    state: State,
    budget: number,
  ): Iterable<State> {
    const item = items[index];
    if (item === undefined) {
      yield state;
      return;
    }
    for (const next of this.#make(item, want, ownFact, state, budget)) {
      yield* this.#each(items, index + 1, want, ownFact, next, editsLeft(state, next, budget));
    }
  }

  *#presence(parts: readonly Part[], want: boolean, state: State, budget: number): Iterable<State> {
    if (this.#only !== undefined) return;
    yield* want ? this.#inside(parts, state, budget) : this.#prevent(parts, state, budget);
  }

  /** Yields states in which another row of a decision table applies that the test asks. */
  *#rows(test: ast.Expr, want: boolean, ownFact: OwnFact | undefined, state: State, budget: number): Iterable<State> {
    for (const row of rowsToTry(test, scopeOf(state, ownFact))) {
      for (const next of this.#each(row, 0, true, ownFact, state, budget)) {
        if (truth(test, scopeOf(next, ownFact)) === want) yield next;
      }
    }
  }

  /** Yields states with another value in a field that the test reads. */
  *#setField(
    test: ast.Expr,
    want: boolean,
    ownFact: OwnFact | undefined,
    state: State,
    budget: number,
  ): Iterable<State> {
    if (budget === 0) return;
    const scope = scopeOf(state, ownFact);
    for (const slot of slotsOf(test, scope)) {
      if (!this.#mayChange(slot, state) || this.#isKept(test, slot, scope)) continue;
      let found = 0;
      for (const value of guesses(test, slot, scope, this.#domain)) {
        if (this.#exhausted(state.world)) return;
        const next = withValue(state, slot, value);
        if (truth(test, scopeOf(next, ownFact)) !== want) continue;
        yield next;
        found += 1;
        if (found >= MAX_VALUES) break;
      }
    }
  }

  #mayChange({ fact, field }: Slot, { world, edits }: State): boolean {
    if (this.#only !== undefined) return fact.id === this.#only;
    if (!this.#policy.mayChange(world.original(fact.id) ?? fact, field)) return false;
    return !edits.some((edit) =>
      edit.op === "update" ? edit.fact === fact.id && edit.field === field : edit.op === "assert" && isNew(fact, edit),
    );
  }

  /** Returns whether a field says what its fact is or ties it to another one, and may not be changed. */
  #isKept(test: ast.Expr, slot: Slot, scope: EvaluationScope): boolean {
    if (this.#mayRelabel || this.#only !== undefined) return false;
    if (this.#policy.isLabel?.(slot.fact.type, slot.field) === true) return true;
    if (this.#domain.field(slot.fact.type, slot.field)?.type.kind === "fact") return true;
    return (
      test.kind === "compare" && test.op === "==" && slotsOf(test, scope).some(({ fact }) => fact.id !== slot.fact.id)
    );
  }

  // ---------------------------------------------------------------- not, exists, forall

  /** Yields states in which the parts are fulfilled; bindings inside are not visible outside. */
  *#inside(parts: readonly Part[], state: State, budget: number): Iterable<State> {
    for (const next of this.#through(parts, 0, state, budget)) yield { ...next, chosen: state.chosen.in(next.world) };
  }

  /** Yields states in which facts are removed or changed until nothing fulfils the parts. */
  *#prevent(parts: readonly Part[], state: State, budget: number): Iterable<State> {
    const { world, chosen } = state;
    const found = firstSolution(parts, world, chosen) ?? this.#inDoubt(parts, state);
    if (found === undefined) {
      yield state;
      return;
    }
    if (budget === 0 || this.#exhausted(world)) return;
    for (const states of [this.#against(found, state, budget), this.#opposed(parts, found, state, budget)]) {
      for (const next of states) {
        if (next.edits.length > state.edits.length) yield* this.#prevent(parts, next, editsLeft(state, next, budget));
      }
    }
  }

  /**
   * Yields states in which a part that is no pattern no longer holds for a solution: what an inner `not` asks to be
   * absent is there, what `exists` found is gone, a test is not true.
   */
  *#opposed(parts: readonly Part[], found: Chosen, state: State, budget: number): Iterable<State> {
    const seen = { ...state, chosen: found };
    for (const part of parts) {
      for (const next of this.#oppose(part, seen, budget)) yield { ...next, chosen: state.chosen.in(next.world) };
    }
  }

  *#oppose(part: Part, state: State, budget: number): Iterable<State> {
    if (part.kind === "absence") {
      if (part.quantifier === "not") yield* this.#inside(part.parts, state, budget);
      else yield* this.#prevent(part.parts, state, budget);
    } else if (part.kind === "where") yield* this.#make(part.test, false, undefined, state, budget);
    else if (part.kind === "or")
      for (const alternative of part.alternatives) yield* this.#opposed(alternative, state.chosen, state, budget);
  }

  /** Returns facts that may fulfil the parts, which must be prevented in judging as well. */
  #inDoubt(parts: readonly Part[], { world, chosen }: State): Chosen | undefined {
    return world.context.judging === true ? firstDoubt(parts, world, chosen)?.chosen : undefined;
  }

  /**
   * Yields states in which one solution no longer holds: one of its facts is removed, or one of their tests is not
   * true.
   */
  *#against(found: Chosen, state: State, budget: number): Iterable<State> {
    const outer = new Set(state.chosen.entries().map((entry) => ("fact" in entry.bound ? entry.bound.fact.id : "")));
    const inner = found.entries().slice(state.chosen.entries().length);
    for (const { part, bound } of inner) {
      if (part?.kind !== "pattern" || !("fact" in bound)) continue;
      if (outer.has(bound.fact.id)) continue;
      if (this.#policy.mayRemove(bound.fact)) yield withoutFact(state, bound.fact);
      else yield* withoutDerived(state, bound.fact, this.#policy, budget);
    }
    for (const { part, bound } of inner) {
      if (part?.kind !== "pattern" || !("fact" in bound)) continue;
      const ownFact = { part, id: bound.fact.id };
      const seen = { ...state, chosen: found };
      for (const test of [...part.tests, ...part.early]) {
        for (const next of this.#make(test, false, ownFact, seen, budget)) {
          yield { ...next, chosen: state.chosen.in(next.world) };
        }
      }
    }
  }

  *#everyOne(part: Extract<Part, { kind: "forall" }>, state: State, budget: number): Iterable<State> {
    const against = counterexample(part, state.world, state.chosen);
    if (against === undefined) {
      yield state;
      return;
    }
    const fact = chosenFor(against, part.pattern);
    if (budget === 0 || fact === undefined || this.#exhausted(state.world)) return;
    const ownFact = { part: part.pattern, id: fact.id };
    const seen = { ...state, chosen: against };
    for (const next of this.#make(part.test, true, ownFact, seen, budget)) {
      const back = { ...next, chosen: state.chosen.in(next.world) };
      yield* this.#everyOne(part, back, editsLeft(state, next, budget));
    }
    for (const next of this.#against(against, state, budget))
      yield* this.#everyOne(part, next, editsLeft(state, next, budget));
  }
}
