/** Checks expected effects: calls of actions that happened, and calls that did not. */
import { type Maybe, same } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { Effect } from "../../session/results.ts";
import { effectCauses } from "./causes.ts";
import type { Difference, TestContext } from "./expectation.ts";
import { notFiredLines, whyLine } from "./reasons.ts";
import { counted, firstFew, valueWords } from "./words.ts";

/** Returns the difference between an expected effect and what happened; undefined when there is none. */
export function effect(context: TestContext, item: ast.ExpectEffect): Difference | undefined {
  return item.isAbsent ? absentEffect(context, item.effect) : presentEffect(context, item.effect);
}

/**
 * Returns why it is not certain whether an effect happens. An absent effect depends on everything that can call its action: a rule
 * that was not tested for some facts could have called it.
 */
export function effectUncertainty(context: TestContext, item: ast.ExpectEffect): string | undefined {
  const { session } = context;
  const limit = session.problems.find(({ code }) => code === "E511")?.message;
  if (limit !== undefined || !item.isAbsent) return limit;
  for (const actor of callersOf(context, actionName(item.effect.name.name))) {
    const doubt = session.uncertainty({ rule: actor });
    if (doubt !== undefined) return doubt;
  }
  return undefined;
}

/** Returns the rules, gates and guardians with a call of an action, as the engine names them. */
function callersOf({ program }: TestContext, name: string): string[] {
  const calls = (actions: readonly ast.Action[]): boolean =>
    actions.some((action) => action.kind === "call" && actionName(action.name.name) === name);
  const { rules, gates, guardians } = program.checked.symbols;
  const reacts = ({ decl }: { readonly decl: Pick<ast.GateDecl | ast.GuardianDecl, "reactions"> }): boolean =>
    decl.reactions.some(({ actions }) => calls(actions));
  return [
    ...[...rules.values()].flatMap(({ decl }) => (calls(decl.body.actions) ? [decl.name.name] : [])),
    ...[...gates.values()].flatMap((gate) => (reacts(gate) ? [`gate "${gate.decl.name.name}"`] : [])),
    ...[...guardians.values()].flatMap((one) => (reacts(one) ? [`guardian "${one.decl.name.name}"`] : [])),
  ];
}

/** Returns the calls that should not have happened, each with its reason. Without arguments, any call is one. */
function absentEffect(context: TestContext, call: ast.CallAction): Difference | undefined {
  const name = actionName(call.name.name);
  const args = argumentsOf(context, call);
  const isMeant = (one: Effect): boolean => call.args.length === 0 || sameArguments(one.args, args);
  const found = context.course.effects.filter((one) => one.action === name && isMeant(one));
  if (found.length === 0) return undefined;
  return {
    expected: `no ${call.args.length === 0 ? name : callWords(name, args)}`,
    got: counted(found.length, "call"),
    details: firstFew(found, (one) => [effectLine(one), whyLine(context.session, one) ?? []].flat()),
  };
}

function argumentsOf({ session, given }: TestContext, call: ast.CallAction): Maybe[] {
  const question = { name: "effect", names: given.names, elements: [], actions: [call] };
  return session.argumentsOf(question)[0] ?? [];
}

function effectLine({ action, args, rule }: Effect): string {
  return `${callWords(action, args)}   rule ${rule}`;
}

function presentEffect(context: TestContext, call: ast.CallAction): Difference | undefined {
  const args = argumentsOf(context, call);
  const name = actionName(call.name.name);
  const { effects } = context.course;
  if (effects.some((one) => one.action === name && sameArguments(one.args, args))) return undefined;
  const alike = effects.filter((one) => one.action === name);
  const shown = alike.length > 0 ? nearestEffects(alike, args) : effects;
  const causes = effectCauses(context, name, args);
  return {
    expected: callWords(name, args),
    got: effects.length === 0 ? "no effect" : alike.length === 0 ? `no ${name}` : `another ${name}`,
    details: [...firstFew(shown, (one) => [effectLine(one)]), ...causes.flatMap(notFiredLines)],
  };
}

/** Returns effects with those first that have most of the expected arguments. */
function nearestEffects(effects: readonly Effect[], args: readonly Maybe[]): Effect[] {
  const rank = (one: Effect): number => one.args.filter((value, index) => same(value, args[index])).length;
  return effects.toSorted((a, b) => rank(b) - rank(a));
}

/** Returns the name of an action; built-in actions are known in any case. */
function actionName(name: string): string {
  const folded = name.toLowerCase();
  return folded === "log" || folded === "print" ? folded : name;
}

function sameArguments(a: Effect["args"], b: readonly Maybe[]): boolean {
  return a.length === b.length && a.every((value, index) => same(value, b[index]));
}

function callWords(name: string, args: readonly Maybe[]): string {
  return `${name}(${args.map(valueWords).join(", ")})`;
}
