/** Random histories of lists, played to a session and to the model of items. */
import * as fc from "fast-check";
import { compile, type RuleSession, RunLimitError } from "../../src/index.ts";
import { Difference } from "./difference.ts";
import { ITEMS_PROGRAM, ItemsModel } from "./items-model.ts";

const IDS = ["a", "b"];
const VALUES = ["x", "y", "z"];

/** Few values, so that items are equal, stay, go, and change places. */
const list = fc.option(fc.array(fc.constantFrom("x", "x", "y", "z"), { maxLength: 5, size: "max" }), {
  nil: null,
  freq: 8,
});

type Step =
  | { readonly is: "put" | "change"; readonly id: number; readonly xs: string[] | null; readonly ys: string[] | null }
  | { readonly is: "change xs"; readonly id: number; readonly xs: string[] | null }
  | { readonly is: "drop"; readonly id: number }
  | { readonly is: "key"; readonly v: number }
  | { readonly is: "fire" | "restore" };

const id = fc.nat(IDS.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant("put" as const), id, xs: list, ys: list }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant("change" as const), id, xs: list, ys: list }) },
  { weight: 6, arbitrary: fc.record({ is: fc.constant("change xs" as const), id, xs: list }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("drop" as const), id }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant("key" as const), v: fc.nat(VALUES.length - 1) }) },
  { weight: 10, arbitrary: fc.constant({ is: "fire" as const }) },
  { weight: 1, arbitrary: fc.constant({ is: "restore" as const }) },
);

export interface ItemCase {
  readonly newestFirst: boolean;
  readonly steps: readonly Step[];
}

export const itemCase: fc.Arbitrary<ItemCase> = fc.record({
  newestFirst: fc.boolean(),
  steps: fc.array(step, { minLength: 4, maxLength: 24, size: "max" }),
});

const PROGRAM = compile(ITEMS_PROGRAM);

/** Plays a case; throws when the session and the model differ. */
export function everyItem({ newestFirst, steps }: ItemCase): void {
  const player = new Player(newestFirst);
  for (const one of steps) {
    player.play(one);
    player.compare();
  }
  while (player.fire()) player.compare();
}

class Player {
  readonly #model: ItemsModel;
  #session: RuleSession;
  readonly #keys = new Set<string>();
  readonly #strategy: "depth" | "breadth";

  constructor(newestFirst: boolean) {
    this.#model = new ItemsModel(newestFirst);
    this.#strategy = newestFirst ? "depth" : "breadth";
    this.#session = PROGRAM.session({ strategy: this.#strategy });
  }

  play(step: Step): void {
    switch (step.is) {
      case "put":
      case "change":
        return this.#put(step, step.is);
      case "change xs":
        return this.#change(IDS[step.id] ?? "", { xs: step.xs });
      case "drop": {
        const name = IDS[step.id] ?? "";
        if (!this.#model.orders.has(name)) return;
        this.#session.retract(`O~${name}`);
        return this.#model.drop(name);
      }
      case "key":
        return this.#key(VALUES[step.v] ?? "");
      case "fire":
        this.fire();
        return;
      case "restore":
        this.#session = PROGRAM.session({ from: this.#session.snapshot(), strategy: this.#strategy });
    }
  }

  #put({ id: at, xs, ys }: Extract<Step, { is: "put" | "change" }>, is: "put" | "change"): void {
    const name = IDS[at] ?? "";
    if (is === "change") return this.#change(name, { xs, ys });
    if (this.#model.orders.has(name)) return;
    this.#session.assert("O", { id: name, ...(xs === null ? {} : { xs }), ...(ys === null ? {} : { ys }) });
    this.#model.put(name, xs, ys);
  }

  #change(name: string, lists: { readonly xs?: string[] | null; readonly ys?: string[] | null }): void {
    if (!this.#model.orders.has(name)) return;
    this.#session.update(`O~${name}`, lists);
    this.#model.change(name, lists);
  }

  #key(v: string): void {
    if (this.#model.keys.has(v)) {
      this.#session.retract(`K~${v}`);
      this.#model.dropKey(v);
    } else {
      this.#session.assert("K", { v });
      this.#model.putKey(v);
    }
  }

  /** Fires one rule on both sides; returns whether there was one. */
  fire(): boolean {
    const expected = this.#model.fire();
    const effects = firstEffects(this.#session);
    const said = effects.map(({ args }) => args.map(textOf).join(" ")).join();
    if (said !== (expected ?? "")) throw new Difference(`fired ${said}, and should fire ${expected}`);
    for (const { key = "" } of effects) {
      if (this.#keys.has(key)) throw new Difference(`two effects have the key of ${said}`);
      this.#keys.add(key);
    }
    return expected !== undefined;
  }

  compare(): void {
    for (const [rule, count] of Object.entries(this.#model.counts())) {
      const found = this.#session.matches(rule).length;
      if (found !== count) throw new Difference(`${rule} has ${found} matches, and should have ${count}`);
    }
  }
}

function textOf(arg: unknown): string {
  return typeof arg === "string" ? arg : JSON.stringify(arg);
}

/** Fires at most one rule. */
function firstEffects(session: RuleSession): RunLimitError["result"]["effects"] {
  try {
    return session.run({ limit: 1 }).effects;
  } catch (error) {
    if (!(error instanceof RunLimitError)) throw error;
    return error.result.effects;
  }
}
