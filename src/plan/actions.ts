/** Plans what a rule does. References are followed when the rule fires, not kept live. */
import { unreachable } from "../base/invariant.ts";
import type * as ast from "../language/ast.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import { lowerExpr, type Lowering, lowerOutput } from "./lower-expr.ts";
import type { PlanAction, PlanExpr, PlanField } from "./plan.ts";

/** The values of `missing()` in the reactions of a gate, and of `actions()` in those of a guardian. */
export type ReactionValues = Pick<Lowering, "missing" | "actions">;

/** Returns the actions of a rule over the matches that the builder ends with. */
export function planActions(
  builder: RuleBuilder,
  actions: readonly ast.Action[],
  reactionValues: ReactionValues = {},
): PlanAction[] {
  const lx = { ...loweringAtFiring(builder), ...reactionValues };
  return actions.map((action) => planAction(lx, action));
}

/** Returns the lowering of expressions that are evaluated when a rule fires: references are followed then. */
export function loweringAtFiring(builder: RuleBuilder): Lowering {
  return {
    program: builder.program,
    namedFacts: builder.namedFacts,
    variable: (name) => builder.variable(name),
    patternFact: () => undefined,
    follow: (of, _type, field) => ({ op: "follow", of, field }),
    subquery: () => {
      throw new Error("the checker refuses questions about facts in actions");
    },
  };
}

function planAction(lx: Lowering, action: ast.Action): PlanAction {
  switch (action.kind) {
    case "call":
      return planCall(lx, action);
    case "insert":
      return {
        kind: "insert",
        type: action.fact.type.name,
        logical: action.logical,
        fields: fieldsOf(lx, action.fact),
      };
    case "xuple":
      if (action.fact.kind === "path") {
        return { kind: "xuple-fact", space: action.space.value, target: lowerExpr(lx, action.fact) };
      }
      return {
        kind: "xuple",
        space: action.space.value,
        type: action.fact.type.name,
        fields: fieldsOf(lx, action.fact),
      };
    case "update":
      return { kind: "update", target: lowerExpr(lx, action.target), fields: entriesOf(lx, action.changes.entries) };
    case "assign":
      return planAssign(lx, action);
    case "retract":
      return { kind: "retract", target: lowerExpr(lx, action.target) };
    case "halt":
      return { kind: "halt" };
    case "decide":
      return { kind: "decide", gate: action.gate.name, subject: action.args.map((arg) => lowerExpr(lx, arg))[0] };
    case "verify":
      return {
        kind: "verify",
        guardian: action.guardian.name,
        subject: action.args.map((arg) => lowerExpr(lx, arg))[0],
      };
    case "let":
      throw new Error("the checker puts the expression of a let in place of its name");
    default:
      return unreachable(action);
  }
}

/** Built-in actions are recognised in upper and lower case. */
function planCall(lx: Lowering, action: ast.CallAction): PlanAction {
  const folded = action.name.name.toLowerCase();
  const args = action.args.map((arg) => lowerOutput(lx, arg));
  const [group] = args;
  if (folded === "focus" && group !== undefined) return { kind: "focus", group };
  return effect(folded === "log" || folded === "print" ? folded : action.name.name, args);
}

function effect(name: string, args: readonly PlanExpr[]): PlanAction {
  return { kind: "effect", name, args };
}

function planAssign(lx: Lowering, action: ast.AssignAction): PlanAction {
  const { target } = action;
  const owner = { ...target, fields: target.fields.slice(0, -1) };
  // The checker resolved the path with its last field; the path without it begins with the same name.
  const resolutions = new Map([[owner, lx.program.resolutions.get(target) ?? "variable"]]);
  const field = target.fields.at(-1)?.name ?? "";
  return {
    kind: "update",
    target: lowerExpr({ ...lx, program: { ...lx.program, resolutions } }, owner),
    fields: [{ name: field, value: lowerOutput(lx, action.value) }],
  };
}

function entriesOf(lx: Lowering, entries: readonly ast.Entry[]): PlanField[] {
  return entries.map((entry) => ({ name: entry.name.name, value: lowerOutput(lx, entry.value) }));
}

/** Values by position get the names that the type gives its fields; `null` leaves a field out. */
function fieldsOf(lx: Lowering, fact: ast.FactLiteral): PlanField[] {
  const names = [...(lx.program.symbols.type(fact.type.name)?.fields.keys() ?? [])];
  return fact.args.flatMap((arg, index) => {
    const name = arg.name?.name ?? names[index];
    const isNull = arg.value.kind === "path" && lx.program.resolutions.get(arg.value) === "null";
    return name === undefined || isNull ? [] : [{ name, value: lowerOutput(lx, arg.value) }];
  });
}
