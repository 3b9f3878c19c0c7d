/**
 * Looks for the fewest edits of facts after which a condition is fulfilled.
 *
 * It walks through the parts as a match would, and where a part is not fulfilled it tries what could help: another value
 * in a field that a test reads, a fact more, a fact less. Each step is tried in a world of its own; whoever uses the result
 * tries it again in a real session.
 */
import { keyedId, keylessId } from "../base/identity.ts";
import type { Maybe, Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import type { FactView } from "../session/results.ts";
import { aggregate } from "./aggregate.ts";
import type { Edit } from "./edit.ts";
import { evaluate, existsPart, memberValues, type Place, truth } from "./evaluate.ts";
import { guesses, pathsIn, plainGuess, type Slot, slotOf } from "./guess.ts";
import { nearest } from "./nearest.ts";
import { type AggregatePart, conjuncts, innerParts, mentions, type Part, type PatternPart } from "./parts.ts";
import {
  type Chosen,
  chosenFor,
  counterexample,
  extended,
  firstPossibility,
  firstSolution,
  type Fixed,
  possibilities,
  solutions,
} from "./solve.ts";
import { fieldOf, type World } from "./world.ts";

/** A world after some edits, and what was chosen in it. */
export interface State {
  readonly world: World;
  readonly chosen: Chosen;
  readonly edits: readonly Edit[];
}

/** The fact that bare names speak of. */
interface Own {
  readonly part: PatternPart;
  readonly id: string;
}

/** How much is tried: facts that fit, facts that nearly fit, values for one field, members of an aggregate, states in all. */
const FITTING = 6;
const NEAR = 6;
const VALUES = 2;
const MEMBERS = 3;
const STATES = 4_000;
const LOOKS = 1_000_000;
/** Fields of a new fact count as one edit together. */
const FIELDS_OF_NEW = 12;

export class Repair {
  readonly #fixed: Fixed;
  readonly #lookLimit: number;
  #states = 0;
  /** While a new fact is made up, only its fields may change. */
  #only: string | undefined;

  constructor(world: World, fixed: Fixed) {
    this.#fixed = fixed;
    this.#lookLimit = world.looks + LOOKS;
  }

  /** Every way that is found with at most `budget` edits. */
  ways(parts: readonly Part[], world: World, start: Chosen, budget: number): Iterable<State> {
    this.#states = 0;
    return this.#through(parts, 0, { world, chosen: start, edits: [] }, budget);
  }

  *#through(parts: readonly Part[], index: number, state: State, budget: number): Iterable<State> {
    const part = parts[index];
    if (part === undefined) {
      yield state;
      return;
    }
    for (const next of this.#fulfil(part, parts.slice(index + 1), state, budget)) {
      yield* this.#through(parts, index + 1, next, left(state, next, budget));
    }
  }

  #exhausted(world: World): boolean {
    this.#states += 1;
    return this.#states > STATES || world.looks > this.#lookLimit;
  }

  *#fulfil(part: Part, behind: readonly Part[], state: State, budget: number): Iterable<State> {
    if (this.#exhausted(state.world)) return;
    switch (part.kind) {
      case "pattern":
        return yield* this.#pattern(part, state, budget);
      case "where":
        return yield* this.#make(part.test, true, undefined, state, budget);
      case "absence":
        if (part.quantifier === "not") return yield* this.#prevent(part.parts, state, budget);
        return yield* this.#inside(part.parts, state, budget);
      case "forall":
        return yield* this.#everyOne(part, state, budget);
      case "aggregate":
        return yield* this.#aggregate(part, behind, state, budget);
      case "or":
        for (const alternative of part.alternatives) yield* this.#through(alternative, 0, state, budget);
    }
  }

  // ---------------------------------------------------------------- patterns

  *#pattern(part: PatternPart, state: State, budget: number): Iterable<State> {
    const { world, chosen } = state;
    let fitting = 0;
    for (const longer of extended(part, world, chosen, this.#fixed)) {
      yield { ...state, chosen: longer };
      fitting += 1;
      if (fitting >= FITTING) break;
    }
    if (budget === 0) return;
    for (const near of nearest(part, world, chosen, this.#fixed, NEAR)) {
      if (near.failing.length > 0) yield* this.#adapt(part, near.fact.id, state, budget);
    }
    if (part.variable === null || !this.#fixed.has(part.variable)) yield* this.#add(part, state);
  }

  /** Edits until all tests of the pattern are true of the fact. */
  *#adapt(part: PatternPart, id: string, state: State, budget: number): Iterable<State> {
    const own = { part, id };
    for (const next of this.#makeAll([...part.tests, ...part.early], 0, own, state, budget)) {
      const fact = next.world.get(id);
      if (fact === undefined) continue;
      const place = placeOf(next, own);
      if ([...part.tests, ...part.early].every((test) => truth(test, place) === true)) {
        yield { ...next, chosen: next.chosen.with(part, part.variable, { fact }) };
      }
    }
  }

  /** A new fact that fits. */
  *#add(part: PatternPart, state: State): Iterable<State> {
    const fresh = this.#shaped(part, state);
    if (fresh === undefined) return;
    const world = state.world.changed(undefined, fresh);
    const edit: Edit = { op: "assert", type: fresh.type, fields: fresh.fields };
    const chosen = state.chosen.in(world).with(part, part.variable, { fact: fresh });
    yield { world, chosen, edits: [...state.edits, edit] };
  }

  #shaped(part: PatternPart, state: State): FactView | undefined {
    const draft = freshFact(part.type, state.world);
    if (draft === undefined || this.#only !== undefined) return undefined;
    this.#only = draft.id;
    try {
      const begin = { ...state, world: state.world.changed(undefined, draft) };
      for (const next of this.#adapt(part, draft.id, begin, FIELDS_OF_NEW)) {
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
    const place = placeOf(next, { part, id: fact.id });
    return [...part.tests, ...part.early].every((test) => truth(test, place) === true);
  }

  // ---------------------------------------------------------------- tests

  *#makeAll(
    tests: readonly ast.Expr[],
    index: number,
    own: Own | undefined,
    state: State,
    budget: number,
  ): Iterable<State> {
    const test = tests[index];
    if (test === undefined) {
      yield state;
      return;
    }
    for (const next of this.#make(test, true, own, state, budget)) {
      yield* this.#makeAll(tests, index + 1, own, next, left(state, next, budget));
    }
  }

  /** Edits until a test is true, or is no longer; where facts are judged, until it is false. */
  *#make(test: ast.Expr, want: boolean, own: Own | undefined, state: State, budget: number): Iterable<State> {
    const now = truth(test, placeOf(state, own));
    if (now === want || (now === undefined && !want && state.world.ground.judging !== true)) {
      yield state;
      return;
    }
    if (budget === 0 || this.#exhausted(state.world)) return;
    switch (test.kind) {
      case "not":
        return yield* this.#turn(test.operand, !want, own, state, budget);
      case "logic":
        if ((test.op === "and") === want) return yield* this.#each(test.items, 0, want, own, state, budget);
        for (const item of test.items) yield* this.#make(item, want, own, state, budget);
        return;
      case "exists":
        return yield* this.#presence([existsPart(test)], want, state, budget);
      case "exists-in":
        return yield* this.#presence(innerParts(test), want, state, budget);
      default:
        yield* this.#setField(test, want, own, state, budget);
        if (this.#only === undefined) yield* this.#shiftInside(test, want, own, state, budget);
    }
  }

  /** The operand of `not` has to be false, not just unknown. */
  *#turn(test: ast.Expr, want: boolean, own: Own | undefined, state: State, budget: number): Iterable<State> {
    for (const next of this.#make(test, want, own, state, budget)) {
      if (truth(test, placeOf(next, own)) === want) yield next;
    }
    if (!want && truth(test, placeOf(state, own)) === undefined) yield* this.#setField(test, false, own, state, budget);
  }

  *#each(
    items: readonly ast.Expr[],
    index: number,
    want: boolean,
    own: Own | undefined,
    state: State,
    budget: number,
  ): Iterable<State> {
    const item = items[index];
    if (item === undefined) {
      yield state;
      return;
    }
    for (const next of this.#make(item, want, own, state, budget)) {
      yield* this.#each(items, index + 1, want, own, next, left(state, next, budget));
    }
  }

  *#presence(parts: readonly Part[], want: boolean, state: State, budget: number): Iterable<State> {
    if (this.#only !== undefined) return;
    yield* want ? this.#inside(parts, state, budget) : this.#prevent(parts, state, budget);
  }

  /** Another value in a field that the test reads. */
  *#setField(test: ast.Expr, want: boolean, own: Own | undefined, state: State, budget: number): Iterable<State> {
    if (budget === 0) return;
    const place = placeOf(state, own);
    for (const slot of slotsOf(test, place)) {
      if (!this.#mayChange(slot, state)) continue;
      let found = 0;
      for (const value of guesses(test, slot, place)) {
        if (this.#exhausted(state.world)) return;
        const next = withValue(state, slot, value);
        if (truth(test, placeOf(next, own)) !== want) continue;
        yield next;
        found += 1;
        if (found >= VALUES) break;
      }
    }
  }

  #mayChange({ fact, field }: Slot, { world, edits }: State): boolean {
    if (this.#only !== undefined) return fact.id === this.#only;
    const type = world.ground.program.symbols.type(fact.type);
    if (type?.engineKept === true || type?.fields.get(field)?.key === true) return false;
    return !edits.some((edit) =>
      edit.op === "update" ? edit.fact === fact.id && edit.field === field : edit.op === "assert" && isNew(fact, edit),
    );
  }

  // ---------------------------------------------------------------- not, exists, forall

  /** What is chosen inside is not known outside. */
  *#inside(parts: readonly Part[], state: State, budget: number): Iterable<State> {
    for (const next of this.#through(parts, 0, state, budget)) yield { ...next, chosen: state.chosen.in(next.world) };
  }

  /** Takes away or changes facts until nothing fulfils the parts. */
  *#prevent(parts: readonly Part[], state: State, budget: number): Iterable<State> {
    const { world, chosen } = state;
    const found = firstSolution(parts, world, chosen) ?? this.#inDoubt(parts, state);
    if (found === undefined) {
      yield state;
      return;
    }
    if (budget === 0 || this.#exhausted(world)) return;
    for (const next of this.#against(found, state, budget)) {
      yield* this.#prevent(parts, next, left(state, next, budget));
    }
  }

  /** Where facts are judged, what may fulfil the parts is in the way as well. */
  #inDoubt(parts: readonly Part[], { world, chosen }: State): Chosen | undefined {
    return world.ground.judging === true ? firstPossibility(parts, world, chosen) : undefined;
  }

  /** Ways to end one solution: its facts away, or one of their tests no longer true. */
  *#against(found: Chosen, state: State, budget: number): Iterable<State> {
    const outer = new Set(state.chosen.entries().map((entry) => ("fact" in entry.bound ? entry.bound.fact.id : "")));
    const inner = found.entries().slice(state.chosen.entries().length);
    for (const { part, bound } of inner) {
      if (part?.kind !== "pattern" || !("fact" in bound)) continue;
      if (!outer.has(bound.fact.id)) yield withoutFact(state, bound.fact);
    }
    for (const { part, bound } of inner) {
      if (part?.kind !== "pattern" || !("fact" in bound)) continue;
      const own = { part, id: bound.fact.id };
      const seen = { ...state, chosen: found };
      for (const test of [...part.tests, ...part.early]) {
        for (const next of this.#make(test, false, own, seen, budget)) {
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
    const own = { part: part.pattern, id: fact.id };
    const seen = { ...state, chosen: against };
    for (const next of this.#make(part.test, true, own, seen, budget)) {
      const back = { ...next, chosen: state.chosen.in(next.world) };
      yield* this.#everyOne(part, back, left(state, next, budget));
    }
    for (const next of this.#against(against, state, budget))
      yield* this.#everyOne(part, next, left(state, next, budget));
  }

  // ---------------------------------------------------------------- aggregates

  *#aggregate(part: AggregatePart, behind: readonly Part[], state: State, budget: number): Iterable<State> {
    const asItIs = aggregated(part, state);
    if (asItIs !== undefined) yield asItIs;
    if (budget === 0) return;
    for (const item of part.items) {
      for (const target of targetsOf(item.name, behind, state)) {
        for (const next of this.#shift(part.inner, item.fn, item.value, target, state, budget)) {
          const done = aggregated(part, next);
          if (done !== undefined) yield done;
        }
      }
    }
  }

  /** A test that speaks of an aggregate inside: `COUNT(…) >= 2`. */
  *#shiftInside(test: ast.Expr, want: boolean, own: Own | undefined, state: State, budget: number): Iterable<State> {
    if (test.kind !== "compare") return;
    const place = placeOf(state, own);
    for (const [side, other] of [[test.left, test.right] as const, [test.right, test.left] as const]) {
      if (side.kind !== "aggregate-in") continue;
      const bound = evaluate(other, place);
      for (const target of typeof bound === "number" ? [bound, bound + 1, bound - 1] : []) {
        const fn = side.name.name.toLowerCase();
        const seen = { ...state, chosen: place.chosen };
        for (const next of this.#shift(innerParts(side), fn, side.value, target, seen, budget)) {
          const back = { ...next, chosen: state.chosen.in(next.world) };
          if (truth(test, placeOf(back, own)) === want) yield back;
        }
      }
    }
  }

  /** Facts more or less, or another value in one of them, so that an aggregate has a value. */
  *#shift(
    inner: readonly PatternPart[],
    fn: string,
    value: ast.Expr | null,
    target: number,
    state: State,
    budget: number,
  ): Iterable<State> {
    if (this.#exhausted(state.world)) return;
    const values = memberValues(inner, value, { world: state.world, chosen: state.chosen, own: undefined });
    const now = aggregate(fn, values);
    const doubt = this.#uncounted(inner, state);
    if (doubt !== undefined) return yield* this.#clear(doubt, inner, fn, value, target, state, budget);
    if (now === target) return;
    if (fn === "count") return yield* this.#recount(inner, target - values.length, state, budget);
    yield* this.#setMember(inner, fn, value, target, values, state);
    if (inner.length === 1) {
      for (const next of this.#through(inner, 0, { ...state, world: state.world }, 1)) {
        if (next.edits.length === state.edits.length) continue;
        const back = { ...next, chosen: state.chosen.in(next.world) };
        if (
          aggregate(fn, memberValues(inner, value, { world: back.world, chosen: back.chosen, own: undefined })) ===
          target
        ) {
          yield back;
        } else yield* this.#setAdded(inner, fn, value, target, back);
      }
    }
  }

  /** Where facts are judged: one of which it is not known whether it counts. */
  #uncounted(inner: readonly PatternPart[], { world, chosen }: State): Chosen | undefined {
    if (world.ground.judging !== true) return undefined;
    for (const found of possibilities(inner, world, chosen)) {
      const counts = inner.every((part) => {
        const place = { world, chosen: found, own: chosenFor(found, part) };
        return [...part.tests, ...part.early].every((test) => truth(test, place) === true);
      });
      if (!counts) return found;
    }
    return undefined;
  }

  /** An aggregate is known when it is known of every fact whether it counts. */
  *#clear(
    doubt: Chosen,
    inner: readonly PatternPart[],
    fn: string,
    value: ast.Expr | null,
    target: number,
    state: State,
    budget: number,
  ): Iterable<State> {
    if (budget === 0) return;
    for (const next of this.#against(doubt, state, budget)) {
      const values = memberValues(inner, value, { world: next.world, chosen: next.chosen, own: undefined });
      if (this.#uncounted(inner, next) === undefined && aggregate(fn, values) === target) yield next;
      else if (left(state, next, budget) > 0)
        yield* this.#shift(inner, fn, value, target, next, left(state, next, budget));
    }
  }

  *#recount(inner: readonly PatternPart[], missing: number, state: State, budget: number): Iterable<State> {
    if (missing === 0) {
      yield state;
      return;
    }
    if (Math.abs(missing) > budget || this.#exhausted(state.world)) return;
    if (missing < 0) {
      const found = firstSolution(inner, state.world, state.chosen);
      if (found === undefined) return;
      for (const next of this.#against(found, state, 1)) yield* this.#recount(inner, missing + 1, next, budget - 1);
      return;
    }
    for (const next of this.#onceMore(inner, state)) yield* this.#recount(inner, missing - 1, next, budget - 1);
  }

  /** One member more, by one edit. */
  *#onceMore(inner: readonly PatternPart[], state: State): Iterable<State> {
    const [part] = inner;
    if (part === undefined || inner.length > 1) return;
    for (const next of this.#add(part, state)) yield { ...next, chosen: state.chosen.in(next.world) };
    for (const near of nearest(part, state.world, state.chosen, NO_FIXED, NEAR)) {
      if (near.failing.length !== 1) continue;
      for (const next of this.#adapt(part, near.fact.id, state, 1))
        yield { ...next, chosen: state.chosen.in(next.world) };
    }
  }

  *#setMember(
    inner: readonly PatternPart[],
    fn: string,
    value: ast.Expr | null,
    target: number,
    values: readonly Maybe[],
    state: State,
  ): Iterable<State> {
    if (value === null) return;
    let index = -1;
    for (const member of solutions(inner, state.world, state.chosen)) {
      index += 1;
      if (index >= MEMBERS) return;
      const own = inner.length === 1 && inner[0] !== undefined ? chosenFor(member, inner[0]) : undefined;
      const place = { world: state.world, chosen: member, own };
      for (const slot of slotsOf(value, place)) {
        if (!this.#mayChange(slot, state)) continue;
        const wanted = memberTarget(fn, target, values, index);
        const next = withValue(state, slot, wanted);
        const then = memberValues(inner, value, { world: next.world, chosen: next.chosen, own: undefined });
        if (aggregate(fn, then) === target) yield next;
      }
    }
  }

  /** The fact that was added gets the value that is lacking. */
  *#setAdded(
    inner: readonly PatternPart[],
    fn: string,
    value: ast.Expr | null,
    target: number,
    state: State,
  ): Iterable<State> {
    const last = state.edits.at(-1);
    const [part] = inner;
    if (value?.kind !== "path" || last?.op !== "assert" || part === undefined) return;
    const fact = state.world.ofType(last.type).findLast((one) => isNew(one, last));
    if (fact === undefined) return;
    const values = memberValues(inner, value, { world: state.world, chosen: state.chosen, own: undefined });
    const place = { world: state.world, chosen: state.chosen.with(part, part.variable, { fact }), own: fact };
    const slot = slotOf(value, place);
    if (slot === undefined || slot.fact.id !== fact.id) return;
    const fields = { ...fact.fields, [slot.field]: memberTarget(fn, target, values, values.length - 1) };
    const changed = { ...fact, fields };
    const world = state.world.changed(fact, changed);
    const edits = [...state.edits.slice(0, -1), { ...last, fields }];
    const next = { world, chosen: state.chosen.in(world), edits };
    if (aggregate(fn, memberValues(inner, value, { world, chosen: next.chosen, own: undefined })) === target)
      yield next;
  }
}

const NO_FIXED: Fixed = new Map();

/** How many edits are left after those that lead from one state to the next. */
function left(from: State, to: State, budget: number): number {
  return budget - (to.edits.length - from.edits.length);
}

function placeOf(state: State, own: Own | undefined): Place {
  const chosen = state.chosen.in(state.world);
  if (own === undefined) return { world: state.world, chosen, own: undefined };
  const fact = state.world.get(own.id);
  return {
    world: state.world,
    chosen: fact === undefined ? chosen : chosen.with(own.part, own.part.variable, { fact }),
    own: fact,
  };
}

function slotsOf(expr: ast.Expr, place: Place): Slot[] {
  const slots = pathsIn(expr).map((path) => slotOf(path, place));
  return slots.filter((slot) => slot !== undefined);
}

function withValue(state: State, { fact, field }: Slot, value: Value | null): State {
  const { [field]: from, ...others } = fact.fields;
  const fields = value === null ? others : { ...fact.fields, [field]: value };
  const world = state.world.changed(fact, { ...fact, fields });
  const edit: Edit = { op: "update", fact: fact.id, field, from, to: value };
  return { world, chosen: state.chosen.in(world), edits: [...state.edits, edit] };
}

function withoutFact(state: State, fact: FactView): State {
  const world = state.world.changed(fact, undefined);
  return { world, chosen: state.chosen.in(world), edits: [...state.edits, { op: "retract", fact: fact.id }] };
}

function isNew(fact: FactView, edit: Extract<Edit, { op: "assert" }>): boolean {
  return fact.type === edit.type && fact.fields === edit.fields;
}

function aggregated(part: AggregatePart, state: State): State | undefined {
  for (const chosen of extended(part, state.world, state.chosen)) return { ...state, chosen };
  return undefined;
}

/** What a member must be for the aggregate to reach its target. */
function memberTarget(fn: string, target: number, values: readonly Maybe[], index: number): number {
  const others = values.filter((value, at) => at !== index && typeof value === "number") as number[];
  const sum = others.reduce((a, b) => a + b, 0);
  if (fn === "sum") return target - sum;
  return fn === "avg" ? target * (others.length + 1) - sum : target;
}

/** The numbers that tests behind an aggregate compare it with, and those beside them. */
function targetsOf(name: string, behind: readonly Part[], state: State): number[] {
  const names = new Set([name]);
  const targets: number[] = [];
  for (const part of behind) {
    for (const test of part.kind === "where" ? conjuncts(part.test) : []) {
      if (test.kind !== "compare" || !mentions(test, names)) continue;
      const other = mentions(test.left, names) ? test.right : test.left;
      const bound = evaluate(other, placeOf(state, undefined));
      if (typeof bound === "number") targets.push(bound, bound + 1, bound - 1);
    }
  }
  return targets.length === 0 ? [0, 1] : targets;
}

// ---------------------------------------------------------------- new facts

/** A fact of a type with something in every field that must have a value; undefined when only the engine writes such facts. */
function freshFact(type: string, world: World): FactView | undefined {
  const declared = world.ground.program.symbols.type(type);
  if (declared?.engineKept === true) return undefined;
  const fields: Record<string, Value> = {};
  for (const field of declared?.fields.values() ?? []) {
    if (field.key) fields[field.name] = freeKey(field.type.kind === "number", type, field.name, world);
    else if (!field.optional && !field.hasDefault) fields[field.name] = plainGuess(field.type, { world });
  }
  return { id: `${type}~@new`, type, fields };
}

function freeKey(isNumber: boolean, type: string, field: string, world: World): Value {
  for (let n = 1; ; n++) {
    const key = isNumber ? n : `new-${n}`;
    if (world.having(type, field, key).length === 0) return key;
  }
}

/** With the id that its key gives it. */
function withId(fact: FactView, world: World): FactView {
  const declared = [...(world.ground.program.symbols.type(fact.type)?.fields.values() ?? [])];
  const keys = declared.filter((field) => field.key).map((field) => fieldOf(fact, field.name));
  if (keys.length > 0) return { ...fact, id: keyedId(fact.type, keys as string[]) };
  for (let n = 1_000_000_000; ; n++) {
    const id = keylessId(fact.type, n);
    if (world.get(id) === undefined) return { ...fact, id };
  }
}
