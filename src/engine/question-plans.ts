/** The plans of the questions that sessions are asked, whether they are planned from source text or come with a saved plan. */
import type { Value } from "../base/value.ts";
import type { StandingPlan } from "../plan/standing.ts";
import type { SchemaType } from "../session/admission/schema.ts";

/** Questions that are answered once, and questions that stay: they share indexes, and no matches. */
export type Purpose = "asked" | "live";

/** A query as a host calls it. */
export interface QuerySignature {
  readonly name: string;
  readonly params: readonly {
    readonly name: string;
    readonly type: SchemaType;
    /** What it is when it is not given. Absent when it is missing then. */
    readonly default?: Value;
  }[];
}

/** Each plan is made once, and shared by all sessions of the program. */
export interface QuestionPlans {
  /** Returns the names of the queries. */
  names(): Iterable<string>;
  /** Returns a query; undefined when there is none of this name. */
  find(query: string): QuerySignature | undefined;
  /** Returns the plan of a query that `find` returns. */
  query(query: string, purpose: Purpose): StandingPlan;
  /** Returns the plan of the facts of a type whose fields equal parameters of the same names. */
  type(type: string, fields: readonly string[], purpose: Purpose): StandingPlan;
}
