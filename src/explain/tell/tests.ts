/** Explains a test: one step for every operator and every leaf, all of them tested again, with the values seen. */
import { factLabel } from "../../base/fact-label.ts";
import { isIn as isInList } from "../../functions/operator/contains.ts";
import type * as ast from "../../language/ast.ts";
import { partsOf } from "../../language/ranked.ts";
import { containsWords } from "../../language/print-expression.ts";
import { chosenSide, evaluate, valueAndFailure, follow, outcomeAnswerOf, truth } from "../read/evaluate.ts";
import { existsPart, innerParts, type Part, type PatternPart } from "../read/parts.ts";
import { insideFunction, computedCall } from "../read/calls.ts";
import { knownValues } from "../read/members.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { type Finding, firstDoubt, unknownKeys } from "../read/judge.ts";
import { allOf, anyOf, noneOf, tested } from "./operators.ts";
import { askedCondition } from "../read/conditions.ts";
import { firstSolution, solutions } from "../read/solve.ts";
import { aggregateValue } from "../read/times.ts";
import { type Chosen, chosenFor } from "../read/chosen.ts";
import type { Draft, Reason } from "../read/draft.ts";
import { conditionDraft, type Telling } from "./asked-condition.ts";
import { clauseOf } from "./headline.ts";
import { hitWords } from "./hits.ts";
import { itemTestWords } from "./item-tests.ts";
import { testReason } from "./phrases.ts";
import { shown } from "./shown.ts";
import { tableOutputWords, tableWords } from "./tables.ts";
import { seenWords } from "./step.ts";
import { plural, seenValue, type Words } from "../read/words.ts";
import { writtenLength } from "../../language/check/window-length.ts";
import { windowsIn } from "../../language/check/within.ts";
import { lastFacts } from "../read/last.ts";
import { closingWords, openWindow, windowTimes, windowTruth } from "../read/within.ts";
import type { World } from "../read/world.ts";

export function testDraft(test: ast.Expr, scope: EvaluationScope, words: Words): Draft {
  const text = words.expression(test);
  const asked = askedCondition(test, scope);
  if (asked !== undefined) return conditionDraft(asked, text, TELLING);
  switch (test.kind) {
    case "logic": {
      const items = test.items.map((item) => testDraft(item, scope, words));
      return (test.op === "and" ? allOf : anyOf)(text, items);
    }
    case "not":
      return noneOf(text, testDraft(test.operand, scope, words));
    case "presence":
      return presenceDraft(test, text, scope, words);
    case "outcome":
      return outcomeDraft(test, text, scope, words);
    default:
      return singleDraft(test, text, scope, words);
  }
}

const TELLING: Telling = {
  test: testDraft,
  doubt: ({ finding, part }, { world }, words) => doubtWords([part], finding, world, words),
};

function singleDraft(test: ast.Expr, text: string, scope: EvaluationScope, words: Words): Draft {
  const outcome = truth(test, scope);
  const seen = observations(test, scope, words);
  const draft = tested(text, seen, methodOf(test), outcome);
  const isSearch = test.kind === "exists" || test.kind === "exists-in";
  const isSpoken = test.kind === "item-test" || (isSearch && outcome !== undefined);
  const reason = isSpoken ? spoken(seen) : testReason(test, outcome, scope, words);
  return reason === undefined ? draft : { ...draft, reasons: [reason] };
}

function spoken(seen: readonly string[]): Reason | undefined {
  return seen.length === 0 ? undefined : { words: seen.join(", ") };
}

/** Returns the draft of a presence test, which needs a sentence of its own. It is unknown only of a value that failed or is in doubt. */
function presenceDraft(test: ast.PresenceExpr, text: string, scope: EvaluationScope, words: Words): Draft {
  const seen = observations(test.operand, scope, words);
  const outcome = truth(test, scope);
  if (outcome === undefined) return tested(text, seen, methodOf(test), outcome);
  const down = `Checks whether ${text}: a single test.`;
  const method = test.missing ? "is missing" : "is present";
  const up = `${seen.join(", ") || text}${outcome ? ", as required" : `, but it ${method.replace("is", "must be")}`}.`;
  const reasons = [{ words: outcome ? seen.join(", ") || text : clauseOf(up) }];
  return { text, seen, down, up, reasons, method, outcome, children: [] };
}

/** Returns the draft of a test of an outcome, with the explanation of the gate or guardian below it. */
function outcomeDraft(test: ast.OutcomeExpr, text: string, scope: EvaluationScope, words: Words): Draft {
  const answer = outcomeAnswerOf(test, scope);
  const seen = observations(test, scope, words);
  const reasons = seen.map((one) => ({ words: one }));
  const draft = tested(text, seen, test.of, truth(test, scope));
  const down = `Checks whether ${text} by asking the ${test.of}.`;
  return { ...draft, down, reasons, children: answer === undefined ? [] : [answer.draft()] };
}

export function methodOf(test: ast.Expr): string {
  switch (test.kind) {
    case "compare":
      return test.op;
    case "in":
      return test.negated ? "not in" : "in";
    case "contains":
      return containsWords(test);
    case "item-test":
      return test.quantifier;
    case "like":
    case "matches":
    case "exists":
      return test.kind;
    case "exists-in":
      return "exists";
    case "wait":
      return "wait until";
    case "within":
      return "within";
    case "last":
      return "over last";
    case "call":
      return test.name.name;
    default:
      return "is true";
  }
}

// ---------------------------------------------------------------- what was seen

/** Returns every name in an expression with its value, `p.age is 16`, and the value of what is computed from them. */
export function observations(expr: ast.Value, scope: EvaluationScope, words: Words): string[] {
  const asked = askedCondition(expr, scope);
  if (asked !== undefined && expr.kind !== "object") {
    return [...conditionDraft(asked, words.expression(expr), TELLING).seen];
  }
  switch (expr.kind) {
    case "text":
    case "number":
    case "bool":
    case "time":
    case "amount":
      return [];
    case "path":
      return pathObservation(expr, scope);
    case "compare":
      return [expr.left, expr.right].flatMap((side) => observations(side, scope, words));
    case "in":
      return inObservations(expr, scope, words);
    case "contains": {
      const hits = hitWords(expr, scope, words);
      return hits === undefined ? [expr.left, expr.right].flatMap((side) => observations(side, scope, words)) : [hits];
    }
    case "like":
      return [expr.left, expr.pattern].flatMap((side) => observations(side, scope, words));
    case "matches":
      return observations(expr.left, scope, words);
    case "list":
      return expr.items.flatMap((item) => observations(item, scope, words));
    case "item-test": {
      const seen = itemTestWords(expr, scope, words, (test, outcome, inside) => {
        return testReason(test, outcome, inside, words)?.words ?? observations(test, inside, words).join(", ");
      });
      return seen === undefined ? observations(expr.list, scope, words) : [seen];
    }
    case "comprehension":
      return computedWords(expr, [expr.list], scope, words);
    case "item":
      return computedWords(expr, [expr.at], scope, words);
    case "property": {
      const outputs = tableOutputWords(expr, scope, words, (input) => observations(input, scope, words));
      return outputs ?? computedWords(expr, evaluate(expr, scope) === undefined ? [expr.of] : [], scope, words);
    }
    case "logic":
      return expr.items.flatMap((item) => observations(item, scope, words));
    case "not":
    case "presence":
      return observations(expr.operand, scope, words);
    case "exists":
      return [foundWords([existsPart(expr)], scope, words)];
    case "exists-in":
      return [foundWords(innerParts(expr), scope, words)];
    case "aggregate-in":
      return [aggregateWords(expr, scope, words)];
    case "wait":
      return waitWords(expr, scope, words);
    case "ranked":
      return partsOf(expr).flatMap((part) => observations(part, scope, words));
    case "within":
      return windowObservations(expr, scope, words);
    case "last":
      return lastObservations(expr, scope, words);
    case "outcome":
      return [outcomeAnswerOf(expr, scope)?.words ?? `no ${expr.of} "${expr.name.name}"`];
    case "chain":
      return computedWords(expr, expr.items, scope, words);
    case "call": {
      const use = scope.world.context.program.tables.uses.get(expr);
      if (use !== undefined) {
        const seen = use.inputs.flatMap((input) => observations(input, scope, words));
        return [...seen, ...[tableWords(expr, scope, words)].filter((one) => one !== undefined)];
      }
      const hits = hitWords(expr, scope, words);
      return hits === undefined ? callWords(expr, scope, words) : [hits];
    }
    case "negate":
    case "cast":
      return computedWords(expr, [expr.operand], scope, words);
    case "if": {
      const side = chosenSide(expr, scope);
      return computedWords(expr, side === undefined ? [expr.test] : [expr.test, side], scope, words);
    }
    default:
      return [];
  }
}

/** Returns until when `wait until` waits, or since when it does not. */
function waitWords({ until }: ast.WaitExpr, scope: EvaluationScope, words: Words): string[] {
  const at = evaluate(until, scope);
  if (typeof at !== "string") return observations(until, scope, words);
  if (scope.world.clock === undefined) return ["the clock is not set"];
  const isOver = truth({ kind: "wait", until, span: until.span }, scope) === true;
  return [`${isOver ? "waited" : "waits"} until ${at}`];
}

/** Returns the time of a fact, what it is compared with, and the clock where the time has not come. */
function windowObservations(expr: ast.WithinExpr, scope: EvaluationScope, words: Words): string[] {
  const { field, at, now, refused } = windowTimes(expr, scope, evaluate);
  const outside = { ...scope, ownFact: undefined };
  const time = `${field} is ${typeof at === "string" ? at : "missing"}`;
  const isComing = typeof at === "string" && windowTruth(expr, scope, evaluate) !== true;
  const clock =
    now === undefined ? ["the clock is not set"] : isComing && typeof now === "string" ? [`now is ${now}`] : [];
  return [time, ...observations(expr.anchor, outside, words), ...clock, ...[refused ?? []].flat()];
}

/** Returns why a fact is, is not or may be among the last ones: how many count, when it was, and which facts are newer. */
function lastObservations(expr: ast.LastExpr, scope: EvaluationScope, words: Words): string[] {
  const facts = lastFacts(expr, scope, evaluate);
  if (facts === undefined) return [];
  const { count, field, at, come, newer, doubtful } = facts;
  if (count === undefined) {
    const { failure } = valueAndFailure(expr.count, scope);
    const seen = observations(writtenLength(expr.count), { ...scope, ownFact: undefined }, words);
    return failure === undefined ? seen : [...seen, failure];
  }
  if (field !== undefined && at === undefined) return [`${field} is missing`];
  if (come !== true) {
    const now = scope.world.clock;
    return [`${field} is ${seenValue(at ?? "")}`, now === undefined ? "the clock is not set" : `now is ${now}`];
  }
  const after = newer.length === 0 ? "nothing is newer" : newerWords(newer);
  const isOpen = newer.length < count && newer.length + doubtful.length >= count;
  return isOpen ? [after, `unclear whether ${newerWords(doubtful)}`] : [after];
}

/** Returns `Payment p3 is newer`, `Payment p3, Payment p4 are newer`. */
function newerWords(facts: readonly { readonly id: string }[]): string {
  const named = facts.slice(0, MAX_NAMED).map(({ id }) => factLabel(id));
  const more = facts.length > MAX_NAMED ? `, and ${facts.length - MAX_NAMED} more` : "";
  return `${named.join(", ")}${more} ${facts.length === 1 ? "is" : "are"} newer`;
}

/** Returns the values of an `in`; a named list is left out when the value is one of its items. */
function inObservations({ left, right, negated, window }: ast.InExpr, scope: EvaluationScope, words: Words): string[] {
  if (window !== undefined && left.kind === "chain" && right.kind === "range") {
    const { failure } = valueAndFailure(right.to, scope);
    const seen = [...left.items, writtenLength(right.to)].flatMap((side) => observations(side, scope, words));
    return failure === undefined ? seen : [...seen, failure];
  }
  if (right.kind === "range") return [left, right.from, right.to].flatMap((side) => observations(side, scope, words));
  const isIn = right.kind === "path" && isInList(evaluate(left, scope), evaluate(right, scope)) === true;
  const sides = isIn && !negated ? [left] : [left, right];
  return sides.flatMap((side) => observations(side, scope, words));
}

function computedWords(expr: ast.Expr, operands: readonly ast.Value[], scope: EvaluationScope, words: Words): string[] {
  const { value, failure } = valueAndFailure(expr, scope);
  const unknown = failure === undefined ? "unknown" : `unknown because ${failure}`;
  const result = `${words.expression(expr)} is ${value === undefined ? unknown : seenValue(value)}`;
  return [...operands.flatMap((operand) => observations(operand, scope, words)), result];
}

/** Returns the value of a call; when that is unknown for another reason than its arguments, what the function sees. */
function callWords(call: ast.CallExpr, scope: EvaluationScope, words: Words): string[] {
  const seen = computedWords(call, call.args, scope, words);
  const computed = computedCall(scope.world.context.program, call);
  if (computed === undefined || valueAndFailure(call, scope).value !== undefined) return seen;
  if (call.args.some((arg) => evaluate(arg, scope) === undefined)) return seen;
  return [...observations(computed.body, insideFunction(call, computed, scope), words), ...seen.slice(-1)];
}

/** Returns the value of a path; for a missing value, the first part of the path that is missing. */
function pathObservation(path: ast.PathExpr, scope: EvaluationScope): string[] {
  const { resolutions } = scope.world.context.program;
  const resolution = resolutions.get(path);
  if (resolution === "word") return [];
  const name = (fields: number): string =>
    [path.root, ...path.fields.slice(0, fields)].map((one) => one.name).join(".");
  const value = follow(path, path.fields.length, scope);
  if (value !== undefined) return [`${name(path.fields.length)} is ${shown(value, scope)}`];
  const bound = scope.chosen.get(path.root.name);
  if (resolution === "variable" && bound !== undefined && "value" in bound && bound.doubt !== undefined) {
    return [`${path.root.name} is unknown`];
  }
  const isChosen = scope.passed?.has(path.root.name) === true || bound !== undefined;
  if (resolution === "variable" && !isChosen) {
    return [`no fact is chosen for ${path.root.name} yet`];
  }
  for (let fields = 0; fields < path.fields.length; fields++) {
    const reached = follow(path, fields, scope);
    if (reached === undefined) return [`${name(fields)} is missing`];
    if (typeof reached === "string" && scope.world.get(reached) === undefined) {
      return [`${name(fields)} refers to ${factLabel(reached)}, which does not exist`];
    }
  }
  return [`${name(path.fields.length)} is missing`];
}

function foundWords(parts: readonly PatternPart[], scope: EvaluationScope, words: Words): string {
  const { world, chosen } = scope;
  const found = firstSolution(parts, world, chosen);
  if (found !== undefined) return `${labelsOf(parts, found)} exists`;
  const doubt = doubtIn(parts, world, chosen, words);
  if (doubt !== undefined) return doubt;
  const open = openWindow(
    parts.flatMap(({ tests, early }) => windowsIn([...tests, ...early])),
    scope,
    evaluate,
  );
  if (open !== undefined)
    return `no ${parts.map(({ type }) => type).join(", ")} yet; ${closingWords(open, scope, evaluate)}`;
  const types = parts.map(({ type }) => type).join(", ");
  const count = Math.max(...parts.map(({ type }) => world.count(type)));
  return count === 0 ? `there are no ${types} facts` : `no ${types} matches`;
}

/** Returns what makes it unknown in judging whether such a fact exists, or how many. */
export function doubtIn(parts: readonly Part[], world: World, chosen: Chosen, words: Words): string | undefined {
  const doubt = world.context.judging === true ? firstDoubt(parts, world, chosen) : undefined;
  return doubt === undefined ? undefined : doubtWords(parts, doubt, world, words);
}

/** Returns a finding in doubt in words: `unclear whether E 1 matches: e.level is missing`. */
export function doubtWords(parts: readonly Part[], { chosen, gap, open }: Finding, world: World, words: Words): string {
  if (gap !== undefined && open !== undefined) {
    return `no ${gap.type} yet; ${closingWords(open, { world, chosen, ownFact: undefined }, evaluate)}`;
  }
  if (gap !== undefined) {
    const scope = { world, chosen, ownFact: undefined };
    const seen = unknownKeys(gap, world, chosen).flatMap((value) => observations(value, scope, words));
    return `unclear which ${gap.type} to look for${seen.length === 0 ? "" : `: ${seenWords(seen)}`}`;
  }
  const patterns = parts.filter((part) => part.kind === "pattern");
  const ids = patterns.map((part) => chosenFor(chosen, part)?.id ?? "").filter((id) => id !== "");
  const seen = patterns.flatMap((part) => {
    const scope = { world, chosen, ownFact: chosenFor(chosen, part) };
    const unclear = [...part.tests, ...part.early].filter((test) => truth(test, scope) === undefined);
    return unclear.flatMap((test) => observations(test, scope, words));
  });
  const what = ids.length === 0 ? "it holds" : `${ids.map(factLabel).join(" with ")} matches`;
  return `unclear whether ${what}${seen.length === 0 ? "" : `: ${seenWords(seen)}`}`;
}

function aggregateWords(expr: ast.AggregateInExpr, scope: EvaluationScope, words: Words): string {
  const inner = innerParts(expr);
  const { world, chosen } = scope;
  const text = words.expression(expr);
  const values = knownValues(inner, expr.value, scope);
  if (values === undefined) return `${text} is unknown (${doubtIn(inner, world, chosen, words) ?? ""})`;
  const value = aggregateValue(world.context.program, expr.name.name, expr.value, values);
  const over = memberWords(inner, values.length, scope);
  return `${text} is ${value === undefined ? "unknown" : seenValue(value)} (${over})`;
}

/** Returns the labels of the facts that were chosen for patterns: `Order o1 with Line #2`. */
function labelsOf(parts: readonly PatternPart[], chosen: Chosen): string {
  return parts
    .flatMap((part) => chosenFor(chosen, part)?.id ?? [])
    .map(factLabel)
    .join(" with ");
}

/** The most facts of an aggregate that are named. */
const MAX_NAMED = 3;

function memberWords(parts: readonly PatternPart[], count: number, { world, chosen }: EvaluationScope): string {
  const named: string[] = [];
  for (const one of solutions(parts, world, chosen)) {
    if (named.length === MAX_NAMED) break;
    named.push(labelsOf(parts, one));
  }
  if (named.length === 0) return `no ${parts.map(({ type }) => type).join(" with ")} matches`;
  return `over ${plural(count, "fact")}: ${named.join(", ")}${count > MAX_NAMED ? `, and ${count - MAX_NAMED} more` : ""}`;
}
