/** Writes a compiled program as a saved plan. */
import type { Plan } from "../../plan/plan.ts";
import { declaredAt, declaredNames } from "../declared-at.ts";
import type { Program } from "../program.ts";
import { standingPlans } from "../standing-plans.ts";
import { declaredQuery } from "../standing-queries.ts";
import { type SavedQuery, writeSaved } from "./format.ts";

export function savedText(program: Program): string {
  const { checked, limits } = program;
  const plan = program.plan(true);
  const { schema, xupleSpaces, initialFacts } = program.data();
  const queries = queriesOf(program);
  return writeSaved({
    plan,
    hash: program.hash,
    open: schema.open,
    types: [...schema.types.values()],
    ...(schema.records !== undefined && { records: [...schema.records.values()] }),
    xupleSpaces,
    initialFacts,
    limits,
    options: program.sessionOptions(),
    queries,
    actions: program.actionNames(),
    ...(program.hostFunctions().length === 0 ? {} : { functions: program.hostFunctions() }),
    places: declaredNames(checked).flatMap((name) => {
      const place = declaredAt(checked, name);
      return place === undefined ? [] : [[name, place] as const];
    }),
    needsRegex: [plan, ...queries.map((query) => query.asked.plan)].some(hasMatches),
  });
}

function queriesOf({ checked }: Program): SavedQuery[] {
  const plans = standingPlans(checked, true);
  return Array.from(plans.names(), (name) => ({
    ...declaredQuery(plans, name),
    asked: plans.query(name, "asked"),
    live: plans.query(name, "live"),
  }));
}

/** Whether an expression of a plan is a `matches`. */
function hasMatches(plan: Plan): boolean {
  const open: unknown[] = [plan];
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if ("op" in next && next.op === "matches") return true;
    open.push(...Object.values(next));
  }
  return false;
}
