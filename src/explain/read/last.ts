/**
 * `over last 20`: whether a fact is among the last ones of those for which the other tests of its pattern are true. All facts of the
 * pattern are looked at once for the same earlier variables, and then compared with each fact that is asked about.
 */
import { timeNumbers } from "../../base/time.ts";
import type { Truth } from "../../base/truth.ts";
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import { type Chosen, chosenFor } from "./chosen.ts";
import { clockValue } from "./clock.ts";
import type { Evaluate, EvaluationScope } from "./scope.ts";
import { fieldOf } from "./field.ts";
import { bareOf } from "./last-parts.ts";
import type { World } from "./world.ts";

/** A fact in its order: by its key, and then by when it was asserted. */
interface Placed {
  readonly fact: FactView;
  /** The key as a number, 0 where there is none; undefined where it is missing. */
  readonly at: number | undefined;
  readonly order: number;
  /** False where it is unknown whether the fact is counted. */
  readonly sure: boolean;
}

/** What is known of a fact and those beside it. */
export interface LastFacts {
  /** How many facts count; undefined where that is unknown. */
  readonly count: number | undefined;
  /** The name of the field that orders them; undefined where they are in the order of assertion. */
  readonly field: string | undefined;
  /** The key of the fact, as it is outside. */
  readonly at: Maybe;
  /** Whether the time of the fact has come. */
  readonly come: Truth;
  /** The facts that are counted for certain and come after it, the newest first. */
  readonly newer: readonly FactView[];
  /** The facts that may come after it. */
  readonly doubtful: readonly FactView[];
  /** True where it cannot be told which facts to look for. */
  readonly isGap: boolean;
}

interface Members {
  readonly placed: readonly Placed[];
  readonly orders: ReadonlyMap<string, number>;
  readonly isGap: boolean;
}

const found = new WeakMap<World, WeakMap<Chosen, Map<ast.LastExpr, Members>>>();

/** Returns what is known of a fact and those beside it; undefined where no fact is chosen yet. */
export function lastFacts(expr: ast.LastExpr, scope: EvaluationScope, evaluate: Evaluate): LastFacts | undefined {
  const { world, chosen } = scope;
  const bound = expr.variable === null ? undefined : chosen.get(expr.variable.name);
  const own = bound !== undefined && "fact" in bound ? bound.fact : scope.ownFact;
  if (own === undefined) return undefined;
  const isChosenLast = "fact" in chosen.bound && chosen.bound.fact === own;
  const base = (isChosenLast ? chosen.older : undefined) ?? chosen;
  const { placed, orders, isGap } = membersFor(expr, world, base);
  const key = keyOf(expr, world);
  const value = evaluate(expr.count, { world, chosen: base, ownFact: undefined });
  const at = key === undefined ? undefined : fieldOf(own, key.field);
  const mine = key === undefined ? 0 : numberOf(key, at);
  const others = placed.filter(({ fact }) => fact.id !== own.id);
  const order = orders.get(own.id) ?? Infinity;
  const isNewer = (one: Placed): boolean =>
    mine === undefined || one.at === undefined || one.at > mine || (one.at === mine && one.order > order);
  const later = others.filter(isNewer).toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0) || b.order - a.order);
  const isCertain = (one: Placed): boolean => one.sure && one.at !== undefined && mine !== undefined;
  return {
    count: typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined,
    field: key?.field,
    at,
    come: hasCome(key, mine, world),
    newer: later.filter(isCertain).map(({ fact }) => fact),
    doubtful: later.filter((one) => !isCertain(one)).map(({ fact }) => fact),
    isGap,
  };
}

/** Returns whether a fact is among the last ones, if its pattern fits it. */
export function lastTruth(expr: ast.LastExpr, scope: EvaluationScope, evaluate: Evaluate): Truth {
  const facts = lastFacts(expr, scope, evaluate);
  if (facts === undefined) return undefined;
  const { count, field, at, come, newer, doubtful, isGap } = facts;
  if (come === false) return false;
  if (count === undefined || (field !== undefined && at === undefined)) return undefined;
  if (newer.length >= count) return false;
  return come === true && !isGap && newer.length + doubtful.length < count ? true : undefined;
}

/** Returns the facts for which the other tests of the pattern are true or, where something is judged, may be. */
function membersFor(expr: ast.LastExpr, world: World, base: Chosen): Members {
  let byBase = found.get(world);
  if (byBase === undefined) found.set(world, (byBase = new WeakMap()));
  let byWindow = byBase.get(base);
  if (byWindow === undefined) byBase.set(base, (byWindow = new Map()));
  const known = byWindow.get(expr);
  if (known !== undefined) return known;
  const members = readMembers(expr, world, base);
  byWindow.set(expr, members);
  return members;
}

function readMembers(expr: ast.LastExpr, world: World, base: Chosen): Members {
  const bare = bareOf(expr);
  if (bare === undefined) throw new Error("a window is read as a test of its pattern");
  const orders = new Map(world.ofType(bare.type).map(({ id }, order) => [id, order]));
  const key = keyOf(expr, world);
  const placed: Placed[] = [];
  let isGap = false;
  const add = (chosen: Chosen, sure: boolean): void => {
    const fact = chosenFor(chosen, bare);
    if (fact === undefined) return;
    const at = key === undefined ? 0 : numberOf(key, fieldOf(fact, key.field));
    const come = hasCome(key, at, world);
    const isLeftOut = come === false || (world.context.judging !== true && (come === undefined || at === undefined));
    if (!isLeftOut) placed.push({ fact, at, order: orders.get(fact.id) ?? 0, sure: sure && come === true });
  };
  const { calls } = world;
  const before = calls.failed;
  if (world.context.judging === true) {
    for (const { chosen, sure, gap } of world.questions.findings([bare], world, base)) {
      if (gap === undefined) add(chosen, sure);
      else isGap = true;
    }
  } else {
    for (const chosen of world.questions.solutions([bare], world, base)) add(chosen, true);
  }
  calls.failed = before;
  return { placed, orders, isGap };
}

/** The field that orders the facts of a window, and what it holds. */
interface Key {
  readonly field: string;
  readonly kind: "number" | "date" | "instant";
}

function keyOf({ key, type }: ast.LastExpr, { context }: World): Key | undefined {
  if (key === null) return undefined;
  const field = (key.fields.at(-1) ?? key.root).name;
  const kind = context.program.symbols.type(type.name)?.fields.get(field)?.type.kind;
  return { field, kind: kind === "date" || kind === "instant" ? kind : "number" };
}

function numberOf({ kind }: Key, value: Maybe): number | undefined {
  const number = kind === "number" ? value : timeNumbers(kind, value);
  return typeof number === "number" ? number : undefined;
}

function hasCome(key: Key | undefined, at: number | undefined, world: World): Truth {
  if (key === undefined || key.kind === "number") return true;
  const now = numberOf(key, clockValue(key.kind === "date" ? "today" : "now", world));
  return at === undefined || now === undefined ? undefined : at <= now;
}
