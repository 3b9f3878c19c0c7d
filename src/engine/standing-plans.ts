/** The standing plans of a compiled program, each made when it is first needed and shared by all sessions of the program. */
import { must } from "../base/invariant.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { planStandingQuery } from "../plan/standing-plan.ts";
import type { StandingPlan } from "../plan/standing.ts";
import { planStandingType } from "../plan/standing-type.ts";
import type { Purpose, QuerySignature, QuestionPlans } from "./question-plans.ts";
import { schemaDefault, schemaType } from "./schema.ts";

class StandingPlans implements QuestionPlans {
  readonly #checked: CheckedProgram;
  readonly #sharing: boolean;
  readonly #plans = new Map<string, StandingPlan>();
  readonly #signatures = new Map<string, QuerySignature>();

  constructor(checked: CheckedProgram, sharing: boolean) {
    this.#checked = checked;
    this.#sharing = sharing;
  }

  names(): Iterable<string> {
    return this.#checked.symbols.queries.names();
  }

  find(query: string): QuerySignature | undefined {
    const known = this.#signatures.get(query);
    if (known !== undefined) return known;
    const { symbols } = this.#checked;
    const decl = symbols.queries.get(query)?.decl;
    if (decl === undefined) return undefined;
    const params = decl.params.map(({ name, type, default: value }) => ({
      name: name.name,
      type: schemaType(symbols.typeOfRef(type)),
      ...(value !== null && { default: schemaDefault(this.#checked, value) }),
    }));
    const made = { name: decl.name.name, params };
    this.#signatures.set(query, made);
    return made;
  }

  query(query: string, purpose: Purpose): StandingPlan {
    return this.#plan(`query ${purpose} ${query}`, () => {
      const { decl } = must(this.#checked.symbols.queries.get(query), "a query that was found is declared");
      return planStandingQuery(this.#checked, decl, purpose, { sharing: this.#sharing });
    });
  }

  type(type: string, fields: readonly string[], purpose: Purpose): StandingPlan {
    return this.#plan(`type ${purpose} ${JSON.stringify([type, fields])}`, () =>
      planStandingType(type, fields, purpose),
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
export function standingPlans(checked: CheckedProgram, sharing: boolean): QuestionPlans {
  const known = PLANS.get(checked) ?? new Map<boolean, StandingPlans>();
  PLANS.set(checked, known);
  const plans = known.get(sharing) ?? new StandingPlans(checked, sharing);
  known.set(sharing, plans);
  return plans;
}
