/** The plans of questions that come with a saved plan. Those of the facts of a type need no source text, and are made. */
import { must } from "../../base/invariant.ts";
import type { StandingPlan } from "../../plan/standing.ts";
import { planStandingType } from "../../plan/standing-type.ts";
import type { Purpose, QuerySignature, QuestionPlans } from "../question-plans.ts";
import type { SavedQuery } from "./format.ts";

export class SavedQuestions implements QuestionPlans {
  readonly #queries: ReadonlyMap<string, SavedQuery>;
  readonly #types = new Map<string, StandingPlan>();

  constructor(queries: readonly SavedQuery[]) {
    this.#queries = new Map(queries.map((query) => [query.name, query]));
  }

  names(): Iterable<string> {
    return this.#queries.keys();
  }

  find(query: string): QuerySignature | undefined {
    return this.#queries.get(query);
  }

  query(query: string, purpose: Purpose): StandingPlan {
    return must(this.#queries.get(query), "a query that was found is in the plan")[purpose];
  }

  type(type: string, fields: readonly string[], purpose: Purpose): StandingPlan {
    const key = JSON.stringify([purpose, type, fields]);
    const made = this.#types.get(key) ?? planStandingType(type, fields, purpose);
    this.#types.set(key, made);
    return made;
  }
}
