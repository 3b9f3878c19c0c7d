/** Answers the queries of a saved plan. */
import type { Assembly } from "../../assemble/assembly.ts";
import type { Value } from "../../base/value.ts";
import { fit } from "../../session/admission/field-type.ts";
import type { Activity } from "../../session/activity.ts";
import { unknownName } from "../../session/errors.ts";
import { nodeCounts } from "../node-counts.ts";
import { plainArgument, unknownParameter } from "../plain-arguments.ts";
import { type QueryPort, rows, tooManyAnswers } from "../query-rows.ts";
import type { QueryRow } from "../rows.ts";
import type { RunningProgram } from "../running-program.ts";
import type { Plan } from "../../plan/plan.ts";
import type { SavedQuery } from "./format.ts";
import { withValues } from "./parameters.ts";
import type { SavedProgram } from "./program.ts";
import { notHere } from "./unexplained.ts";

export class SavedQueries implements QueryPort {
  readonly #running: RunningProgram<SavedProgram>;
  readonly #activity: Activity;

  constructor(running: RunningProgram<SavedProgram>, activity: Activity) {
    this.#running = running;
    this.#activity = activity;
  }

  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    const { queries } = this.#running.program;
    const query = queries.get(name);
    if (query === undefined) throw unknownName("query", "queries", name, queries.keys());
    return this.#during(withValues(query.plan, this.#values(query, args)), rows);
  }

  ask(): never {
    throw notHere("a question that is not a query of the program");
  }

  argumentsOf(): never {
    throw notHere("a question that is not a query of the program");
  }

  nodeCounts(): ReadonlyMap<number, number> {
    const count = (assembly: Assembly, rule: string): number => [...assembly.network.matches(rule)].length;
    const isOff = (rule: string): boolean => this.#running.upToDate().whySwitchedOff(rule) !== undefined;
    return nodeCounts(this.#running.program.plan(), (plan) => this.#during(plan, count), isOff);
  }

  #values({ name, params }: SavedQuery, args: Readonly<Record<string, unknown>>): (Value | null)[] {
    const names = params.map((param) => param.name);
    for (const given of Object.keys(args)) if (!names.includes(given)) throw unknownParameter(name, given, names);
    const { schema } = this.#running.program.data();
    return params.map((param) => {
      const plain = plainArgument(args[param.name]);
      return plain === null ? null : fit(schema, `parameter "${param.name}" of query "${name}"`, param.type, plain);
    });
  }

  #during<Result>(plan: Plan, read: (assembly: Assembly, rule: string) => Result): Result {
    this.#activity.refuseWhileCommitting();
    const assembly = this.#running.upToDate();
    return assembly.during(plan, ([rule = ""]) => read(assembly, rule), tooManyAnswers);
  }
}
