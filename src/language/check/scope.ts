/** The variables that are visible at a place, and the constructs allowed there. */
import type { FactType } from "./builtin-types.ts";
import type { Type } from "./types.ts";

export interface Variable {
  readonly name: string;
  readonly type: Type;
  /** A matched fact, a computed value, a parameter, an item of a list, or a part of the decision that an `after` sees. */
  readonly kind: "fact" | "value" | "parameter" | "item" | "decision";
  /** True for a name that `let` gives, which is bound also where its value is unknown. */
  readonly named?: boolean;
  /** True for a name of `using`, over which aggregates compute. */
  readonly evidence?: boolean;
}

/** Constructs that only some places have. */
export type Feature =
  /** Named conditions, `at least n of`. */
  | "conditions"
  /** `wait until t`, which requirements have as well. */
  | "waiting"
  /** `gate x(y) passes`. */
  | "outcomes"
  /** `missing()` in a gate's reactions. */
  | "missing"
  /** `actions()` in a guardian's reactions. */
  | "actions"
  /** `avg(e.confidence)` over the facts of `using`. */
  | "evidence"
  /** `decision`, `reason`, `answer` and `receiver` in the test of an `after`, but not inside its subqueries. */
  | "decision"
  /** Not a construct: a test on the items of a list, in which nothing is asked about facts. */
  | "items"
  /** Not a construct: the tests of guardians and pipelines, where strings come from outside (W242). */
  | "judging";

/** The pattern whose fields bare names refer to. */
export interface Own {
  readonly typeName: string;
  /** The declared type; undefined in an open program. */
  readonly type: FactType | undefined;
}

export class Scope {
  readonly #parent: Scope | undefined;
  readonly #variables = new Map<string, Variable>();
  /** Variables that exist nearby but not here, with the reason. */
  readonly #hidden = new Map<string, string>();
  readonly #features: ReadonlySet<Feature>;
  readonly own: Own | undefined;

  private constructor(parent: Scope | undefined, features: ReadonlySet<Feature>, own: Own | undefined) {
    this.#parent = parent;
    this.#features = features;
    this.own = own;
  }

  static root(...features: Feature[]): Scope {
    return new Scope(undefined, new Set(features), undefined);
  }

  /** Returns a scope that sees everything of this one; what is added to it is not visible outside. */
  inner(...features: Feature[]): Scope {
    return new Scope(
      this,
      features.length === 0 ? this.#features : new Set([...this.#features, ...features]),
      this.own,
    );
  }

  /** Returns a scope with the same variables and other constructs. */
  only(...features: Feature[]): Scope {
    return new Scope(this, new Set(features), this.own);
  }

  /** Returns a scope for the tests of a pattern. */
  inPattern(own: Own): Scope {
    return new Scope(this, this.#features, own);
  }

  /** Returns a scope for a subquery: the same variables outside the pattern, and nothing of the decision. */
  outsidePattern(): Scope {
    const features = this.has("decision")
      ? new Set([...this.#features].filter((one) => one !== "decision"))
      : undefined;
    return new Scope(this, features ?? this.#features, undefined);
  }

  /** Returns a scope with the same variables and the same pattern, and nothing of the decision. */
  withoutDecision(): Scope {
    return new Scope(this, new Set([...this.#features].filter((one) => one !== "decision")), this.own);
  }

  has(feature: Feature): boolean {
    return this.#features.has(feature);
  }

  add(variable: Variable): void {
    this.#variables.set(variable.name, variable);
  }

  hide(name: string, reason: string): void {
    this.#hidden.set(name, reason);
  }

  get(name: string): Variable | undefined {
    return this.#variables.get(name) ?? this.#parent?.get(name);
  }

  whyHidden(name: string): string | undefined {
    return this.#hidden.get(name) ?? this.#parent?.whyHidden(name);
  }

  /** Returns the variables added here, without those of outer scopes. */
  added(): IterableIterator<Variable> {
    return this.#variables.values();
  }

  names(): string[] {
    return [...this.#variables.keys(), ...(this.#parent?.names() ?? [])];
  }
}
