/** The facts and values of variables, while the parts of a condition are read in order. */
import type { Maybe } from "../../base/value.ts";
import type { FactView } from "../../session/results.ts";
import type { Part, PatternPart } from "./parts.ts";
import type { World } from "./world.ts";

/**
 * The fact or value of a variable; a constant is the same whatever facts there are. An item of a list that is unknown has no value, and
 * a reason for that.
 */
export type Bound =
  { readonly fact: FactView } | { readonly value: Maybe; readonly constant?: boolean; readonly doubt?: string };

/** The bindings so far, the newest last. A linked list: adding one costs O(1) and leaves the shorter list valid. */
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

  /** Returns the bindings, oldest first. */
  entries(): Chosen[] {
    if (this.older === undefined) return [];
    const entries: Chosen[] = [this];
    for (let one = this.older; one.older !== undefined; one = one.older) entries.push(one);
    return entries.toReversed();
  }

  /** Returns the same bindings, with the facts as they are in another world. */
  in(world: World): Chosen {
    let chosen = Chosen.nothing;
    for (const { part, name, bound } of this.entries()) {
      const fact = "fact" in bound ? world.get(bound.fact.id) : undefined;
      chosen = chosen.with(part, name, fact === undefined ? bound : { fact });
    }
    return chosen;
  }
}

/** Returns the fact that is bound to a pattern. */
export function chosenFor(chosen: Chosen, part: PatternPart): FactView | undefined {
  for (let one: Chosen | undefined = chosen; one !== undefined; one = one.older) {
    if (one.part === part && "fact" in one.bound) return one.bound.fact;
  }
  return undefined;
}

/** The variables that must have these facts or values. */
export type Fixed = ReadonlyMap<string, Bound>;

/** No variable is fixed. */
export const FREE: Fixed = new Map();

/** Returns the value of a variable or an aggregate; for a fact its id. */
export function boundValue(bound: Bound | undefined): Maybe {
  if (bound === undefined) return undefined;
  return "fact" in bound ? bound.fact.id : bound.value;
}

/** Returns whether the variables of a match have the fixed values. */
export function agrees(bindings: Readonly<Record<string, Maybe>>, fixed: Fixed): boolean {
  return [...fixed].every(([name, bound]) => bindings[name] === boundValue(bound));
}
