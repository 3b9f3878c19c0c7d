/** The standing plans of a program, each made when it is first needed and shared by all sessions of the program. */
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { planStandingQuery, planStandingType, type StandingPlan } from "../plan/standing-plan.ts";

/** Questions that are answered once, and questions that stay: they share indexes, and no matches. */
export type Purpose = "asked" | "live";

export class StandingPlans {
  readonly #checked: CheckedProgram;
  readonly #sharing: boolean;
  readonly #plans = new Map<string, StandingPlan>();

  constructor(checked: CheckedProgram, sharing: boolean) {
    this.#checked = checked;
    this.#sharing = sharing;
  }

  query(query: ast.QueryDecl, purpose: Purpose): StandingPlan {
    return this.#plan(`query ${purpose} ${query.name.name}`, () =>
      planStandingQuery(this.#checked, query, purpose, { sharing: this.#sharing }),
    );
  }

  /** Returns the plan of the facts of a type whose fields equal parameters of the same names. */
  type(type: string, fields: readonly string[], purpose: Purpose): StandingPlan {
    return this.#plan(`type ${purpose} ${JSON.stringify([type, fields])}`, () =>
      planStandingType(this.#checked, type, fields, purpose, { sharing: this.#sharing }),
    );
  }

  #plan(key: string, make: () => StandingPlan): StandingPlan {
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#plans.set(key, made);
    return made;
  }
}

const PLANS = new WeakMap<CheckedProgram, Map<boolean, StandingPlans>>();

/** Returns the standing plans of a program, with or without sharing of nodes. */
export function standingPlans(checked: CheckedProgram, sharing: boolean): StandingPlans {
  const known = PLANS.get(checked) ?? new Map<boolean, StandingPlans>();
  PLANS.set(checked, known);
  const plans = known.get(sharing) ?? new StandingPlans(checked, sharing);
  known.set(sharing, plans);
  return plans;
}
