/** Writes a compiled program as a saved plan. */
import type { Plan } from "../../plan/plan.ts";
import { planQuery } from "../../plan/planner.ts";
import { declaredAt, declaredNames } from "../declared-at.ts";
import type { Program } from "../program.ts";
import { schemaType } from "../schema.ts";
import { type SavedQuery, writeSaved } from "./format.ts";
import { markOf } from "./parameters.ts";

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
    xupleSpaces,
    initialFacts,
    limits,
    options: program.sessionOptions(),
    queries,
    actions: program.actionNames(),
    places: declaredNames(checked).flatMap((name) => {
      const place = declaredAt(checked, name);
      return place === undefined ? [] : [[name, place] as const];
    }),
    needsRegex: [plan, ...queries.map((query) => query.plan)].some(hasMatches),
  });
}

function queriesOf({ checked }: Program): SavedQuery[] {
  const { symbols } = checked;
  return Array.from(symbols.queries.values(), ({ decl }) => {
    const params = decl.params.map((param) => ({
      name: param.name.name,
      type: schemaType(symbols.typeOfRef(param.type)),
    }));
    const marks = new Map(params.map(({ name }, index) => [name, markOf(index)]));
    return { name: decl.name.name, params, plan: planQuery(checked, decl, marks) };
  });
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
