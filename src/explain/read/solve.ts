/**
 * Finds the facts that together fulfil parts of a condition, through indexes where a test is an equality.
 *
 * Everything is lazy: whoever asks for one answer pays for one.
 */
import { same, type Maybe, type Value } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import { aggregate } from "./aggregate.ts";
import { evaluate, knownValues, truth } from "./evaluate.ts";
import { everyTruth, foundTruth } from "./judge.ts";
import { type AggregatePart, type ForallPart, mentions, type Part, type PatternPart } from "./parts.ts";
import type { World } from "./world.ts";

/** What a variable stands for. */
export type Bound = { readonly fact: FactView } | { readonly value: Value };

/** What was chosen so far, the newest last; it grows without being copied. */
export class Chosen {
  static readonly nothing: Chosen = new Chosen(undefined, undefined, null, { value: "" });
  readonly older: Chosen | undefined;
  readonly part: Part | undefined;
  readonly name: string | null;
  readonly bound: Bound;

  private constructor(older: Chosen | undefined, part: Part | undefined, name: string | null, bound: Bound) {
    this.older = older;
    this.part = part;
    this.name = name;
    this.bound = bound;
  }

  with(part: Part | undefined, name: string | null, bound: Bound): Chosen {
    return new Chosen(this, part, name, bound);
  }

  get(name: string): Bound | undefined {
    if (this.name === name) return this.bound;
    let { older } = this;
    while (older !== undefined && older.name !== name) older = older.older;
    return older?.bound;
  }

  /** From the oldest on. */
  entries(): Chosen[] {
    if (this.older === undefined) return [];
    const entries: Chosen[] = [this];
    for (let one = this.older; one.older !== undefined; one = one.older) entries.push(one);
    return entries.toReversed();
  }

  /** The same choice, with the facts as they are in another world. */
  in(world: World): Chosen {
    let chosen = Chosen.nothing;
    for (const { part, name, bound } of this.entries()) {
      const fact = "fact" in bound ? world.get(bound.fact.id) : undefined;
      chosen = chosen.with(part, name, fact === undefined ? bound : { fact });
    }
    return chosen;
  }
}

/** The fact that was chosen for a pattern. */
export function chosenFor(chosen: Chosen, part: PatternPart): FactView | undefined {
  for (let one: Chosen | undefined = chosen; one !== undefined; one = one.older) {
    if (one.part === part && "fact" in one.bound) return one.bound.fact;
  }
  return undefined;
}

/** Variables that must stand for these facts or values. */
export type Fixed = ReadonlyMap<string, Bound>;

const FREE: Fixed = new Map();

/** Every way to fulfil all parts. */
export function* solutions(
  parts: readonly Part[],
  world: World,
  from: Chosen,
  fixed: Fixed = FREE,
  index = 0,
): Iterable<Chosen> {
  const part = parts[index];
  if (part === undefined) {
    yield from;
    return;
  }
  for (const next of extended(part, world, from, fixed)) yield* solutions(parts, world, next, fixed, index + 1);
}

export function firstSolution(
  parts: readonly Part[],
  world: World,
  from: Chosen,
  fixed: Fixed = FREE,
): Chosen | undefined {
  for (const found of solutions(parts, world, from, fixed)) return found;
  return undefined;
}

export function isFound(parts: readonly Part[], world: World, from: Chosen): boolean {
  return firstSolution(parts, world, from) !== undefined;
}

/** Every way to go on through one more part. */
export function* extended(part: Part, world: World, from: Chosen, fixed: Fixed = FREE): Iterable<Chosen> {
  const place = { world, chosen: from, own: undefined };
  switch (part.kind) {
    case "pattern":
      for (const fact of candidates(part, world, from, fixed)) {
        const chosen = from.with(part, part.variable, { fact });
        if (passesAll(part, { world, chosen, own: fact })) yield chosen;
      }
      return;
    case "absence": {
      const found =
        world.ground.judging === true ? foundTruth(part.parts, world, from) : isFound(part.parts, world, from);
      if (found === (part.quantifier === "exists")) yield from;
      return;
    }
    case "forall":
      if (counterexample(part, world, from) === undefined) yield from;
      return;
    case "aggregate": {
      const chosen = withAggregates(part, world, from, fixed);
      if (chosen !== undefined) yield chosen;
      return;
    }
    case "where":
      if (truth(part.test, place) === true) yield from;
      return;
    case "or":
      for (const alternative of part.alternatives) yield* solutions(alternative, world, from, fixed);
  }
}

function passesAll(part: PatternPart, place: Parameters<typeof truth>[1]): boolean {
  for (const test of part.tests) if (truth(test, place) !== true) return false;
  for (const test of part.early) if (truth(test, place) !== true) return false;
  return true;
}

/** The first fact of the pattern for which the test is not true; where facts are judged, one that may be of the pattern too. */
export function counterexample(part: ForallPart, world: World, from: Chosen): Chosen | undefined {
  if (world.ground.judging === true) return everyTruth(part, world, from).against?.chosen;
  for (const chosen of extended(part.pattern, world, from)) {
    if (truth(part.test, { world, chosen, own: chosenFor(chosen, part.pattern) }) !== true) return chosen;
  }
  return undefined;
}

function withAggregates(part: AggregatePart, world: World, from: Chosen, fixed: Fixed): Chosen | undefined {
  let chosen = from;
  for (const item of part.items) {
    const value = valueOfAggregate(part, item, world, from);
    if (value === undefined) return undefined;
    const wanted = fixed.get(item.name);
    if (wanted !== undefined && "value" in wanted && !same(wanted.value, value)) return undefined;
    chosen = chosen.with(part, item.name, { value });
  }
  return chosen;
}

/** Missing where facts are judged and it is not known of one whether it counts. */
export function valueOfAggregate(
  { inner }: AggregatePart,
  { fn, value }: AggregatePart["items"][number],
  world: World,
  from: Chosen,
): Maybe {
  const values = knownValues(inner, value, { world, chosen: from, own: undefined });
  return values === undefined ? undefined : aggregate(fn, values);
}

// ---------------------------------------------------------------- candidates

/** The facts that a pattern has to look at: one that is fixed, those that an index gives, or all of the type. */
export function candidates(part: PatternPart, world: World, from: Chosen, fixed: Fixed = FREE): readonly FactView[] {
  const wanted = part.variable === null ? undefined : fixed.get(part.variable);
  if (wanted !== undefined) {
    if (!("fact" in wanted)) return [];
    const fact = world.one(wanted.fact.id);
    return fact?.type === part.type ? [fact] : [];
  }
  const key = keyOf(part, world);
  if (key === undefined) return world.ofType(part.type);
  const value = evaluate(key.value, { world, chosen: from, own: undefined });
  if (value === undefined || typeof value === "object") return [];
  if (key.field !== undefined) return world.having(part.type, key.field, value);
  const fact = typeof value === "string" ? world.one(value) : undefined;
  return fact?.type === part.type ? [fact] : [];
}

/** `field == value`, where the value does not speak of the fact itself; without a field its id is meant. */
interface Key {
  readonly field: string | undefined;
  readonly value: ast.Expr;
}

const keys = new WeakMap<PatternPart, { readonly key: Key | undefined }>();

function keyOf(part: PatternPart, world: World): Key | undefined {
  let known = keys.get(part);
  if (known === undefined) keys.set(part, (known = { key: findKey(part, world) }));
  return known.key;
}

/** An equality with another fact before one with a constant: it is likely to leave fewer. */
function findKey(part: PatternPart, world: World): Key | undefined {
  const found: Key[] = [];
  for (const test of [...part.tests, ...part.early]) {
    if (test.kind !== "compare" || test.op !== "==") continue;
    for (const [own, value] of [[test.left, test.right] as const, [test.right, test.left] as const]) {
      const field = ownField(own, part, world);
      if (field !== undefined && !speaksOfOwn(value, part, world)) found.push({ field: field.name, value });
    }
  }
  return found.find(({ value }) => value.kind === "path") ?? found[0];
}

/** The field of the pattern's fact that an expression is, if it is one; `name` undefined for the fact itself. */
export function ownField(
  expr: ast.Expr,
  part: PatternPart,
  world: World,
): { readonly name: string | undefined } | undefined {
  if (expr.kind !== "path") return undefined;
  const resolution = world.ground.program.resolutions.get(expr);
  if (resolution === "own-field") return expr.fields.length === 0 ? { name: expr.root.name } : undefined;
  if (resolution !== "variable" || expr.root.name !== part.variable || expr.fields.length > 1) return undefined;
  return { name: expr.fields[0]?.name };
}

export function speaksOfOwn(expr: ast.Expr, part: PatternPart, world: World): boolean {
  if (part.variable !== null && mentions(expr, new Set([part.variable]))) return true;
  return hasOwnField(expr, world);
}

function hasOwnField(node: unknown, world: World): boolean {
  if (Array.isArray(node)) return node.some((item) => hasOwnField(item, world));
  if (typeof node !== "object" || node === null) return false;
  if ((node as Partial<ast.Expr>).kind === "path") {
    return world.ground.program.resolutions.get(node as ast.PathExpr) === "own-field";
  }
  return Object.entries(node).some(([key, child]) => key !== "span" && hasOwnField(child, world));
}

/** Of a variable or an aggregate, for telling. */
export function boundValue(bound: Bound | undefined): Maybe {
  if (bound === undefined) return undefined;
  return "fact" in bound ? bound.fact.id : bound.value;
}

/** Whether the variables of a match are those that were asked for. */
export function agrees(bindings: Readonly<Record<string, Maybe>>, fixed: Fixed): boolean {
  return [...fixed].every(([name, bound]) => bindings[name] === boundValue(bound));
}
