/** Edits after which an aggregate has a helpful value: one fact more or less, or another value in one of them. */
import { isInRange, type TimeKind, timeNumbers, timeText } from "../../base/time.ts";
import type { Maybe, Value } from "../../base/value.ts";
import { aggregateNamed, countsFacts, givesList } from "../../functions/aggregates.ts";
import type * as ast from "../../language/ast.ts";
import { valueTaken } from "../../language/ranked.ts";
import { evaluate, truth } from "../read/evaluate.ts";
import { memberValues } from "../read/members.ts";
import type { Domain } from "./domain.ts";
import { guesses, type Slot, slotOf } from "./guess.ts";
import { firstDoubt } from "../read/judge.ts";
import { nearest } from "../read/nearest.ts";
import { type AggregatePart, conjuncts, innerParts, mentions, type Part, type PatternPart } from "../read/parts.ts";
import { isNew, editsLeft, type OwnFact, scopeOf, slotsOf, type State, withValue } from "./repair-state.ts";
import { timesBeside } from "./reading.ts";
import { extended, firstSolution, solutions } from "../read/solve.ts";
import { aggregateValue, timeKind } from "../read/times.ts";
import { type Chosen, chosenFor, type Fixed } from "../read/chosen.ts";
import type { World } from "../read/world.ts";

/** The other steps of the search that a repair of aggregates uses. */
export interface RepairSteps {
  through(parts: readonly Part[], index: number, state: State, budget: number): Iterable<State>;
  /** Yields states in which one solution no longer holds. */
  against(found: Chosen, state: State, budget: number): Iterable<State>;
  /** Yields states with a new fact that matches. */
  add(part: PatternPart, state: State): Iterable<State>;
  /** Yields states in which all tests of a pattern are true of a fact. */
  adapt(part: PatternPart, id: string, state: State, budget: number): Iterable<State>;
  mayChange(slot: Slot, state: State): boolean;
  exhausted(world: World): boolean;
}

/** The most near facts, and the most members of an aggregate, that are tried. */
const MAX_NEAR = 6;
const MAX_MEMBERS = 3;

export class AggregateRepair {
  readonly #domain: Domain;
  readonly #steps: RepairSteps;

  constructor(domain: Domain, steps: RepairSteps) {
    this.#domain = domain;
    this.#steps = steps;
  }

  *part(part: AggregatePart, later: readonly Part[], state: State, budget: number): Iterable<State> {
    const asItIs = aggregated(part, state);
    if (asItIs !== undefined) yield asItIs;
    if (budget === 0) return;
    for (const item of part.items) {
      for (const target of targetsOf(item.name, later, state, timeKind(state.world.context.program, item.value))) {
        for (const next of this.#shift(part.inner, item.fn, item.value, target, state, budget)) {
          const done = aggregated(part, next);
          if (done !== undefined) yield done;
        }
      }
      if (givesList(item.fn)) yield* this.#relist(part, item.value, later, state, budget);
    }
  }

  /** Yields states in which a list of values has other members, so that the tests after it hold. */
  *#relist(
    part: AggregatePart,
    value: ast.Expr | null,
    later: readonly Part[],
    state: State,
    budget: number,
  ): Iterable<State> {
    const names = new Set(part.items.map(({ name }) => name));
    const tests = testsOf(later).filter((test) => mentions(test, names));
    for (const test of tests) {
      const added = [...this.#added(part.inner, test, value, state)];
      for (const next of [...added, ...this.#changed(part.inner, test, value, state)]) {
        if (this.#steps.exhausted(state.world)) return;
        const done = aggregated(part, next);
        if (done !== undefined && truth(test, scopeOf(done, undefined)) === true) yield done;
      }
      if (budget < 2) continue;
      for (const next of added.slice(0, MAX_EXTENDED)) yield* this.#relist(part, value, later, next, budget - 1);
    }
  }

  /** Yields states for a comparison with an aggregate: `COUNT(…) >= 2`. */
  *inside(test: ast.Expr, want: boolean, ownFact: OwnFact | undefined, state: State, budget: number): Iterable<State> {
    if (test.kind !== "compare") return;
    const scope = scopeOf(state, ownFact);
    for (const [side, other] of [[test.left, test.right] as const, [test.right, test.left] as const]) {
      if (side.kind !== "aggregate-in") continue;
      const bound = evaluate(other, scope);
      for (const target of around(bound, timeKind(state.world.context.program, side.value))) {
        const fn = side.name.name.toLowerCase();
        const seen = { ...state, chosen: scope.chosen };
        for (const next of this.#shift(innerParts(side), fn, side.value, target, seen, budget)) {
          const back = { ...next, chosen: state.chosen.in(next.world) };
          if (truth(test, scopeOf(back, ownFact)) === want) yield back;
        }
      }
      if (side.value !== null) yield* this.#grow(test, want, side, ownFact, state, budget);
    }
  }

  /** Yields states with several new members of an extreme value: each moves a sum or a mean a little further. */
  *#grow(
    test: ast.Expr,
    want: boolean,
    aggregate: ast.AggregateInExpr,
    ownFact: OwnFact | undefined,
    state: State,
    budget: number,
  ): Iterable<State> {
    const [part, second] = innerParts(aggregate);
    const taken = aggregate.value === null ? undefined : valueTaken(aggregate.value);
    const field = taken?.kind === "path" ? taken.fields.at(-1)?.name : undefined;
    if (budget < 2 || part === undefined || second !== undefined || field === undefined) return;
    for (const next of this.#steps.add(part, { ...state, chosen: scopeOf(state, ownFact).chosen })) {
      const last = next.edits.at(-1);
      const fact = chosenFor(next.chosen, part);
      if (fact === undefined || last?.op !== "assert") continue;
      for (const value of this.#domain.extremes(fact.type, field)) {
        if (this.#steps.exhausted(state.world)) return;
        const fields = { ...fact.fields, [field]: value };
        const world = next.world.changed(fact, { ...fact, fields });
        const grown = { world, chosen: state.chosen.in(world), edits: [...state.edits, { ...last, fields }] };
        if (truth(test, scopeOf(grown, ownFact)) === want) yield grown;
        else yield* this.#grow(test, want, aggregate, ownFact, grown, budget - 1);
      }
    }
  }

  /**
   * Yields states for a test with an aggregate inside a larger expression, `distinct(e.source) contains "db"`: with one
   * member more, less or changed.
   */
  *within(test: ast.Expr, want: boolean, ownFact: OwnFact | undefined, state: State, budget: number): Iterable<State> {
    for (const found of aggregatesIn(test)) {
      const inner = innerParts(found);
      const added = [...this.#added(inner, test, found.value, state)];
      for (const next of [...added, ...this.#changed(inner, test, found.value, state)]) {
        if (this.#steps.exhausted(state.world)) return;
        if (truth(test, scopeOf(next, ownFact)) === want) yield next;
      }
      if (budget < 2) continue;
      for (const next of added.slice(0, MAX_EXTENDED)) yield* this.within(test, want, ownFact, next, budget - 1);
    }
  }

  /** Yields states with one member more, as it is made and with other values in the field that the aggregate reads. */
  *#added(inner: readonly PatternPart[], test: ast.Expr, value: ast.Expr | null, state: State): Iterable<State> {
    const [part] = inner;
    if (part === undefined || inner.length > 1) return;
    for (const next of this.#steps.add(part, state)) {
      const back = { ...next, chosen: state.chosen.in(next.world) };
      yield back;
      const last = next.edits.at(-1);
      const fact = chosenFor(next.chosen, part);
      if (value === null || fact === undefined || last?.op !== "assert") continue;
      const scope = { world: next.world, chosen: next.chosen, ownFact: fact };
      for (const slot of slotsOf(value, scope)) {
        if (slot.fact.id !== fact.id) continue;
        for (const guess of guesses(test, slot, scope, this.#domain).slice(0, MAX_VALUES)) {
          if (guess === null) continue;
          const fields = { ...fact.fields, [slot.field]: guess };
          const world = next.world.changed(fact, { ...fact, fields });
          yield { world, chosen: state.chosen.in(world), edits: [...state.edits, { ...last, fields }] };
        }
      }
    }
  }

  /** Yields states with one member changed or removed. */
  *#changed(inner: readonly PatternPart[], test: ast.Expr, value: ast.Expr | null, state: State): Iterable<State> {
    let changed = 0;
    for (const member of solutions(inner, state.world, state.chosen)) {
      if (changed >= MAX_MEMBERS) return;
      changed += 1;
      yield* this.#steps.against(member, state, 1);
      const ownFact = inner.length === 1 && inner[0] !== undefined ? chosenFor(member, inner[0]) : undefined;
      const scope = { world: state.world, chosen: member, ownFact };
      for (const slot of value === null ? [] : slotsOf(value, scope)) {
        if (!this.#steps.mayChange(slot, state)) continue;
        for (const guess of guesses(test, slot, scope, this.#domain).slice(0, MAX_VALUES))
          yield withValue(state, slot, guess);
      }
    }
  }

  /**
   * Yields states in which the aggregate has the target value, by one fact more or less, or another value in one of
   * them.
   */
  *#shift(
    inner: readonly PatternPart[],
    fn: string,
    value: ast.Expr | null,
    target: Target,
    state: State,
    budget: number,
  ): Iterable<State> {
    if (this.#steps.exhausted(state.world)) return;
    const values = memberValues(inner, value, { world: state.world, chosen: state.chosen, ownFact: undefined });
    const now = valueOf(fn, value, values, state);
    const doubt = uncounted(inner, state);
    if (doubt !== undefined) return yield* this.#clear(doubt, inner, fn, value, target, state, budget);
    if (now === target) return;
    if (countsFacts(fn)) {
      return typeof target === "number"
        ? yield* this.#recount(inner, target - values.length, state, budget)
        : undefined;
    }
    yield* this.#setMember(inner, fn, value, target, values, state);
    if (inner.length === 1) {
      for (const next of this.#steps.through(inner, 0, { ...state, world: state.world }, 1)) {
        if (next.edits.length === state.edits.length) continue;
        const back = { ...next, chosen: state.chosen.in(next.world) };
        const then = memberValues(inner, value, { world: back.world, chosen: back.chosen, ownFact: undefined });
        if (valueOf(fn, value, then, back) === target) yield back;
        else yield* this.#setAdded(inner, fn, value, target, back);
      }
    }
  }

  /**
   * Yields states in which a fact in doubt no longer counts: an aggregate is known only when this is known of every
   * fact.
   */
  *#clear(
    doubt: Chosen,
    inner: readonly PatternPart[],
    fn: string,
    value: ast.Expr | null,
    target: Target,
    state: State,
    budget: number,
  ): Iterable<State> {
    if (budget === 0) return;
    for (const next of this.#steps.against(doubt, state, budget)) {
      const values = memberValues(inner, value, { world: next.world, chosen: next.chosen, ownFact: undefined });
      if (uncounted(inner, next) === undefined && valueOf(fn, value, values, next) === target) yield next;
      else if (editsLeft(state, next, budget) > 0)
        yield* this.#shift(inner, fn, value, target, next, editsLeft(state, next, budget));
    }
  }

  *#recount(inner: readonly PatternPart[], missing: number, state: State, budget: number): Iterable<State> {
    if (missing === 0) {
      yield state;
      return;
    }
    if (Math.abs(missing) > budget || this.#steps.exhausted(state.world)) return;
    if (missing < 0) {
      const found = firstSolution(inner, state.world, state.chosen);
      if (found === undefined) return;
      for (const next of this.#steps.against(found, state, 1))
        yield* this.#recount(inner, missing + 1, next, budget - 1);
      return;
    }
    for (const next of this.#withOneMore(inner, state)) yield* this.#recount(inner, missing - 1, next, budget - 1);
  }

  /** Yields states with one member more, by one edit. */
  *#withOneMore(inner: readonly PatternPart[], state: State): Iterable<State> {
    const [part] = inner;
    if (part === undefined || inner.length > 1) return;
    for (const next of this.#steps.add(part, state)) yield { ...next, chosen: state.chosen.in(next.world) };
    for (const near of nearest(part, state.world, state.chosen, NO_FIXED, MAX_NEAR)) {
      if (near.failing.length !== 1) continue;
      for (const next of this.#steps.adapt(part, near.fact.id, state, 1))
        yield { ...next, chosen: state.chosen.in(next.world) };
    }
  }

  *#setMember(
    inner: readonly PatternPart[],
    fn: string,
    value: ast.Expr | null,
    target: Target,
    values: readonly Maybe[],
    state: State,
  ): Iterable<State> {
    if (value === null) return;
    let index = -1;
    for (const member of solutions(inner, state.world, state.chosen)) {
      index += 1;
      if (index >= MAX_MEMBERS) return;
      const ownFact = inner.length === 1 && inner[0] !== undefined ? chosenFor(member, inner[0]) : undefined;
      const scope = { world: state.world, chosen: member, ownFact };
      for (const slot of slotsOf(value, scope)) {
        if (!this.#steps.mayChange(slot, state)) continue;
        for (const wanted of memberTargets(fn, target, values, index, timeKind(state.world.context.program, value))) {
          if (!this.#domain.allows(slot.fact.type, slot.field, wanted)) continue;
          const next = withValue(state, slot, wanted);
          const then = memberValues(inner, value, { world: next.world, chosen: next.chosen, ownFact: undefined });
          if (valueOf(fn, value, then, next) !== target) continue;
          yield next;
          break;
        }
      }
    }
  }

  /** Yields states in which the fact that was added has the value that reaches the target. */
  *#setAdded(
    inner: readonly PatternPart[],
    fn: string,
    value: ast.Expr | null,
    target: Target,
    state: State,
  ): Iterable<State> {
    const last = state.edits.at(-1);
    const [part] = inner;
    const taken = value === null ? undefined : valueTaken(value);
    if (taken?.kind !== "path" || last?.op !== "assert" || part === undefined) return;
    const fact = state.world.ofType(last.type).findLast((one) => isNew(one, last));
    if (fact === undefined) return;
    const values = memberValues(inner, value, { world: state.world, chosen: state.chosen, ownFact: undefined });
    const scope = { world: state.world, chosen: state.chosen.with(part, part.variable, { fact }), ownFact: fact };
    const slot = slotOf(taken, scope);
    if (slot === undefined || slot.fact.id !== fact.id) return;
    const kind = timeKind(state.world.context.program, value);
    for (const wanted of memberTargets(fn, target, values, values.length - 1, kind)) {
      if (!this.#domain.allows(fact.type, slot.field, wanted)) continue;
      const fields = { ...fact.fields, [slot.field]: wanted };
      const world = state.world.changed(fact, { ...fact, fields });
      const chosen = state.chosen.in(world);
      const then = memberValues(inner, value, { world, chosen, ownFact: undefined });
      if (valueOf(fn, value, then, state) !== target) continue;
      yield { world, chosen, edits: [...state.edits.slice(0, -1), { ...last, fields }] };
      return;
    }
  }
}

/** The most values that are tried for one field, and the most new members after which another one is added. */
const MAX_VALUES = 12;
const MAX_EXTENDED = 4;

/** Returns the aggregates in an expression, except direct operands of a comparison. */
function aggregatesIn(test: ast.Expr): ast.AggregateInExpr[] {
  if (test.kind === "compare" && [test.left, test.right].some(({ kind }) => kind === "aggregate-in")) return [];
  const found: ast.AggregateInExpr[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    if ((node as ast.Expr).kind === "aggregate-in") found.push(node as ast.AggregateInExpr);
    else for (const [key, child] of Object.entries(node)) if (key !== "span") visit(child);
  };
  visit(test);
  return found;
}

const NO_FIXED: Fixed = new Map();

function aggregated(part: AggregatePart, state: State): State | undefined {
  for (const chosen of extended(part, state.world, state.chosen)) return { ...state, chosen };
  return undefined;
}

/** A value that an aggregate should have: a number, or a time as text. */
type Target = number | string;

function valueOf(fn: string, value: ast.Expr | null, values: readonly Maybe[], { world }: State): Maybe {
  return aggregateValue(world.context.program, fn, value, values);
}

/** Returns a bound and the values next to it; those of a time are times. */
function around(bound: Maybe, kind: TimeKind | undefined): Target[] {
  if (typeof bound === "number") return [bound, bound + 1, bound - 1];
  const time = kind === undefined ? undefined : timeNumbers(kind, bound);
  return kind === undefined || typeof time !== "number" ? [] : timesBeside(kind, time);
}

/**
 * Returns values of a member with which the aggregate may reach its target: each rounded to few digits first, then
 * exact. Those of times are text, of whole days or milliseconds.
 */
function memberTargets(
  fn: string,
  target: Target,
  values: readonly Maybe[],
  index: number,
  kind: TimeKind | undefined,
): Target[] {
  const inside = (value: Maybe): Maybe => (kind === undefined ? value : timeNumbers(kind, value));
  const wanted = inside(target);
  if (typeof wanted !== "number") return [];
  const { candidates, count } = aggregateNamed(fn);
  const others = values.filter((_, at) => at !== index);
  const numbers = others
    .map((one) => inside(count !== undefined && Array.isArray(one) ? (one as readonly Value[])[0] : one))
    .filter((value) => typeof value === "number");
  const number = Array.isArray(values[index]) ? (values[index] as readonly Value[]).at(-1) : undefined;
  const exact = candidates === undefined ? [wanted] : candidates(wanted, numbers, number);
  if (kind === undefined) return exact.flatMap((number) => [Number(number.toPrecision(DIGITS)), number]);
  return exact.map(Math.round).flatMap((number) => (isInRange(kind, number) ? [timeText(kind, number)] : []));
}

const DIGITS = 12;

function testsOf(later: readonly Part[]): ast.Expr[] {
  return later.flatMap((part) => (part.kind === "where" ? conjuncts(part.test) : []));
}

/** Returns the values that tests after an aggregate compare it with, and those next to them. */
function targetsOf(name: string, later: readonly Part[], state: State, kind: TimeKind | undefined): Target[] {
  const names = new Set([name]);
  const targets: Target[] = [];
  for (const test of testsOf(later)) {
    if (test.kind !== "compare" || !mentions(test, names)) continue;
    const other = mentions(test.left, names) ? test.right : test.left;
    const bound = evaluate(other, scopeOf(state, undefined));
    targets.push(...around(bound, kind));
  }
  return targets.length === 0 ? [0, 1] : targets;
}

/** Returns members in judging for which it is unknown whether they count. */
function uncounted(inner: readonly PatternPart[], { world, chosen }: State): Chosen | undefined {
  if (world.context.judging !== true) return undefined;
  return firstDoubt(inner, world, chosen)?.chosen;
}
