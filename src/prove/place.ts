/** The bindings that the brute-force matcher evaluates an expression with. */
import type { Maybe } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import type { OracleFact, World } from "./world.ts";

/** The fact or value of a variable. */
export type Bound = { readonly fact: string } | { readonly value: Maybe };

/** The variables bound so far, the newest first. A linked list: adding one leaves the shorter list valid. */
export class Bindings {
  static readonly none: Bindings = new Bindings(undefined, "", { fact: "" });
  readonly #older: Bindings | undefined;
  readonly #name: string;
  readonly #bound: Bound;

  private constructor(older: Bindings | undefined, name: string, bound: Bound) {
    this.#older = older;
    this.#name = name;
    this.#bound = bound;
  }

  with(name: string, bound: Bound): Bindings {
    return new Bindings(this, name, bound);
  }

  get(name: string): Bound | undefined {
    if (this.#older === undefined) return undefined;
    return this.#name === name ? this.#bound : this.#older.get(name);
  }

  /** Returns each variable once, in the order in which they were bound. */
  entries(): Map<string, Bound> {
    return this.#older === undefined ? new Map() : this.#older.entries().set(this.#name, this.#bound);
  }
}

/** The bindings that an expression is evaluated with. */
export interface Place {
  readonly world: World;
  readonly bindings: Bindings;
  /** The fact whose fields bare names mean. */
  readonly own?: OracleFact;
  /** Inside a function: what is passed for each parameter, and where. It is evaluated whenever the parameter is read. */
  readonly passed?: ReadonlyMap<string, { readonly value: ast.Value; readonly place: Place }>;
  /** Inside a condition: the parameters whose values are the same whatever facts there are. Its patterns are judged. */
  readonly constants?: ReadonlySet<string>;
}
