/** Turns planned rules into what the session runs: functions of a match. */
import { unreachable } from "../base/invariant.ts";
import type { Maybe } from "../base/value.ts";
import type { Fact } from "../rete/fact.ts";
import type { Match } from "../rete/match.ts";
import type { ActionPlan, Binding, FieldValues, Production } from "../rete/production.ts";
import { TerminalNode } from "../rete/terminal.ts";
import { compileExpr, type Evaluate, type Frame } from "./expression.ts";
import type { Layout, PlanAction, PlanBinding, PlanExpr, PlanField, PlanRule } from "./plan.ts";

/** Where expressions over whole matches are compiled; the level is that of the rule's terminal. */
export type FrameAt = (level: number) => Frame;

export function production(rule: PlanRule, levels: readonly number[], frameAt: FrameAt): Production {
  const names = [...new Set(rule.layouts.flatMap((layout) => layout.bindings.map((binding) => binding.name)))];
  const frames = levels.map(frameAt);
  const actions = rule.layouts.map((layout, index) =>
    layout.actions.map((action) => compileAction(action, must(frames[index]))),
  );
  return {
    name: rule.name,
    order: rule.order,
    salience: rule.salience,
    group: rule.group,
    noLoop: rule.noLoop,
    bindings: names.map((name) => bindingOf(rule, name)),
    facts: (match) => factsOf(layoutOf(rule, match), match),
    identity: (match) => identityOf(layoutOf(rule, match), match),
    actions: (rule.layouts[0]?.actions ?? []).map((action, index) =>
      rule.layouts.length === 1
        ? must(actions[0]?.[index])
        : dispatched(action, (match) => must(actions[layoutIndex(match)]?.[index])),
    ),
    reaction: rule.reaction === true,
  };
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("every layout has the same actions");
  return value;
}

function layoutIndex(match: Match): number {
  return match.owner instanceof TerminalNode ? match.owner.layout : 0;
}

function layoutOf(rule: PlanRule, match: Match): Layout {
  return must(rule.layouts[layoutIndex(match)]);
}

// ---------------------------------------------------------------- bindings

function bindingOf(rule: PlanRule, name: string): Binding {
  return {
    name,
    read: (match) => {
      const binding = layoutOf(rule, match).bindings.find((one) => one.name === name);
      return binding === undefined ? undefined : readBinding(binding, match);
    },
  };
}

function readBinding(binding: PlanBinding, match: Match): Fact | Maybe {
  const at = match.at(binding.level);
  return binding.kind === "fact" ? at.fact : at.value;
}

function factsOf(layout: Layout, match: Match): Fact[] {
  return layout.facts.flatMap((level) => match.at(level).fact ?? []);
}

/** The facts of all patterns in written order, and what the variables are. */
function identityOf(layout: Layout, match: Match): string {
  const bindings = layout.bindings.map((binding) => {
    const at = match.at(binding.level);
    return [binding.name, binding.kind === "fact" ? { fact: at.fact?.id } : { value: at.value }];
  });
  return JSON.stringify([factsOf(layout, match).map((fact) => fact.id), bindings.sort(byName)]);
}

function byName(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}

// ---------------------------------------------------------------- actions

function compileAction(action: PlanAction, frame: Frame): ActionPlan {
  switch (action.kind) {
    case "effect": {
      const args = action.args.map((arg) => compileExpr(arg, frame));
      return { kind: "effect", name: action.name, args: (match) => args.map((arg) => arg(match, undefined)) };
    }
    case "focus": {
      const group = compileExpr(action.group, frame);
      return { kind: "focus", group: (match) => group(match, undefined) };
    }
    case "insert": {
      const fields = compileFields(action.fields, frame);
      return { kind: "insert", type: action.type, logical: action.logical, fields };
    }
    case "xuple":
      return { kind: "xuple", space: action.space, type: action.type, fields: compileFields(action.fields, frame) };
    case "update":
      return {
        kind: "update",
        target: compileTarget(action.target, frame),
        changes: compileFields(action.fields, frame),
      };
    case "retract":
      return { kind: "retract", target: compileTarget(action.target, frame) };
    case "decide": {
      const { gate } = action;
      const subject = action.subject === undefined ? undefined : compileExpr(action.subject, frame);
      return { kind: "decide", answer: (match) => frame.gates.decide(gate, subject?.(match, undefined)) };
    }
    case "verify": {
      const { guardian } = action;
      const subject = action.subject === undefined ? undefined : compileExpr(action.subject, frame);
      return { kind: "verify", answer: (match) => frame.gates.verify(guardian, subject?.(match, undefined)) };
    }
    case "halt":
      return { kind: "halt" };
    default:
      return unreachable(action);
  }
}

function compileFields(fields: readonly PlanField[], frame: Frame): (match: Match) => FieldValues {
  const compiled: { readonly name: string; readonly value: Evaluate }[] = fields.map(({ name, value }) => ({
    name,
    value: compileExpr(value, frame),
  }));
  return (match) => Object.fromEntries(compiled.map(({ name, value }) => [name, value(match, undefined)]));
}

function compileTarget(target: PlanExpr, frame: Frame): (match: Match) => Fact | undefined {
  const id = compileExpr(target, frame);
  return (match) => {
    const found = id(match, undefined);
    return typeof found === "string" ? frame.facts.get(found) : undefined;
  };
}

/** An action of a rule with alternatives: which functions apply is seen from the match. */
function dispatched(action: PlanAction, of: (match: Match) => ActionPlan): ActionPlan {
  switch (action.kind) {
    case "effect":
      return { kind: "effect", name: action.name, args: (match) => as(of(match), "effect").args(match) };
    case "focus":
      return { kind: "focus", group: (match) => as(of(match), "focus").group(match) };
    case "insert":
      return {
        kind: "insert",
        type: action.type,
        logical: action.logical,
        fields: (match) => as(of(match), "insert").fields(match),
      };
    case "xuple":
      return {
        kind: "xuple",
        space: action.space,
        type: action.type,
        fields: (match) => as(of(match), "xuple").fields(match),
      };
    case "update":
      return {
        kind: "update",
        target: (match) => as(of(match), "update").target(match),
        changes: (match) => as(of(match), "update").changes(match),
      };
    case "retract":
      return { kind: "retract", target: (match) => as(of(match), "retract").target(match) };
    case "decide":
      return { kind: "decide", answer: (match) => as(of(match), "decide").answer(match) };
    case "verify":
      return { kind: "verify", answer: (match) => as(of(match), "verify").answer(match) };
    case "halt":
      return { kind: "halt" };
    default:
      return unreachable(action);
  }
}

function as<Kind extends ActionPlan["kind"]>(plan: ActionPlan, kind: Kind): Extract<ActionPlan, { kind: Kind }> {
  if (plan.kind !== kind) throw new Error("every layout has the same actions");
  return plan as Extract<ActionPlan, { kind: Kind }>;
}
