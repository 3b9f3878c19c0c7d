/**
 * The blueprints of a plan: one for each way to open sessions, made when it is first asked for. All sessions that are opened the
 * same way share one.
 */
import { Blueprint, type BlueprintOptions } from "../assemble/blueprint.ts";
import { FUNCTIONS } from "../functions/functions.ts";
import { finish, type Steps } from "../base/slices.ts";
import type { Plan } from "../plan/plan.ts";
import { rulesOf } from "../session/agenda/strategies.ts";
import type { Schema } from "../session/admission/schema.ts";
import { declaredLayouts, type Layouts, type Shapes } from "../session/admission/shapes.ts";
import type { OpenOptions } from "./program.ts";
import type { RunnableProgram } from "./runnable.ts";

/** How many blueprints are kept for sessions that continue with other slots. A session keeps its own as long as it lives. */
const MOST_CONTINUED = 16;

/** A blueprint, and where the facts of its sessions have their values. */
interface LaidOut {
  readonly blueprint: Blueprint;
  readonly layouts: Layouts;
}

/** The blueprints of a plan for one way to open sessions. */
class Blueprints {
  readonly #plan: Plan;
  readonly #schema: Schema;
  readonly #options: Omit<BlueprintOptions, "shapes">;
  /** By the slots that facts had before, as text; empty for sessions that are opened. */
  readonly #made = new Map<string, LaidOut>();

  constructor(plan: Plan, schema: Schema, options: Omit<BlueprintOptions, "shapes">) {
    this.#plan = plan;
    this.#schema = schema;
    this.#options = options;
  }

  /** Returns the blueprint for sessions that are opened. */
  shared(): LaidOut {
    return this.#made.get("") ?? finish(this.sharing());
  }

  /** Does the same in steps, one for each rule and each node. */
  *sharing(): Steps<LaidOut> {
    return this.#made.get("") ?? (yield* this.#making("", declaredLayouts(this.#schema)));
  }

  /** Returns the blueprint for sessions that continue with the program, and whose facts have other slots. */
  continuing(shapes: Shapes): LaidOut {
    const key = shapes.text();
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const layouts = shapes.continued();
    layouts.declare(this.#schema);
    return finish(this.#making(key, layouts));
  }

  *#making(key: string, layouts: Layouts): Steps<LaidOut> {
    const made = { blueprint: yield* Blueprint.making(this.#plan, { ...this.#options, shapes: layouts }), layouts };
    // All sessions share one: another session may have been opened meanwhile.
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    this.#made.set(key, made);
    this.#forgetOldest();
    return made;
  }

  /** Programs without types can meet ever new slots. */
  #forgetOldest(): void {
    for (const key of this.#made.keys()) {
      if (this.#made.size <= MOST_CONTINUED + 1) return;
      if (key !== "") this.#made.delete(key);
    }
  }
}

const byPlan = new WeakMap<Plan, Map<string, Blueprints>>();

/** Returns the blueprints of a plan of a program for sessions that are opened with these options. */
export function blueprintsOf(program: RunnableProgram, plan: Plan, options: OpenOptions): Blueprints {
  const { sharing = true, indexing = true, shortcuts = true, strategy = "breadth", functions = {} } = options;
  const { needsHeap } = rulesOf(strategy);
  // A function of the host is meant although a built-in one has its name.
  const overriding = Object.keys(functions).filter((name) => FUNCTIONS.has(name));
  const key = `${sharing} ${indexing} ${shortcuts} ${needsHeap} ${overriding.toSorted().join()}`;
  let ways = byPlan.get(plan);
  if (ways === undefined) byPlan.set(plan, (ways = new Map()));
  const known = ways.get(key);
  if (known !== undefined) return known;
  const forQueue = shortcuts && !needsHeap;
  const taken = {
    direct: forQueue,
    absence: shortcuts,
    control: forQueue,
    ordered: shortcuts,
    running: shortcuts && indexing,
  };
  const made = new Blueprints(plan, program.data().schema, {
    functions: new Set(overriding),
    regex: program.regex,
    indexing,
    sharing,
    shortcuts: taken,
  });
  ways.set(key, made);
  return made;
}
