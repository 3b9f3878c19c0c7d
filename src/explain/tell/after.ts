/**
 * Explains the test of an `after`: what it saw of the decision, without the answer that it blocked.
 *
 * A part of the test that reads a withheld answer is a single test here; numbers and truth values computed from the
 * answer are shown, strings are not.
 */
import type { Decided, DecisionPart } from "../../base/answers.ts";
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import { forEachNode } from "../../language/walk.ts";
import { evaluate, truth } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import type { Chosen } from "../read/chosen.ts";
import type { Draft } from "../read/draft.ts";
import type { Words } from "../read/words.ts";
import { allOf, anyOf, noneOf, tested } from "./operators.ts";
import { methodOf, testDraft } from "./tests.ts";
import { type AnswerSources, VALUES_WITHHELD } from "./withheld.ts";

/** Returns the bindings with the parts of the decision under their names; a variable of the program keeps its name. */
export function withDecision(chosen: Chosen, decided: Decided): Chosen {
  let all = chosen;
  for (const [name, value] of Object.entries(decided)) {
    if (chosen.get(name) === undefined) all = all.with(undefined, name, { value });
  }
  return all;
}

/** Returns the draft of a test after an answer that is withheld; what reads the answer, or what it is made of, shows no string. */
export function withheldDraft(test: ast.Expr, scope: EvaluationScope, words: Words, sources: AnswerSources): Draft {
  if (!readsAnswer(test, scope) && !sources.areReadBy(test)) return testDraft(test, scope, words);
  const text = words.expression(test);
  switch (test.kind) {
    case "logic": {
      const items = test.items.map((item) => withheldDraft(item, scope, words, sources));
      return (test.op === "and" ? allOf : anyOf)(text, items);
    }
    case "not":
      return noneOf(text, withheldDraft(test.operand, scope, words, sources));
    default:
      return tested(text, sidesSeen(test, scope, words, sources), methodOf(test), truth(test, scope));
  }
}

/** The names of the decision that hold the answer: `reason` is the same string then. */
const HOLDING_THE_ANSWER: ReadonlySet<string> = new Set<DecisionPart>(["answer", "reason"]);

/** Returns whether an expression reads the answer. */
function readsAnswer(expr: ast.Value, { world }: EvaluationScope): boolean {
  let found = false;
  forEachNode(expr, (node) => {
    if (node["kind"] !== "path") return;
    const path = node as unknown as ast.PathExpr;
    found ||=
      world.context.program.resolutions.get(path) === "decision" &&
      HOLDING_THE_ANSWER.has(path.root.name.toLowerCase());
  });
  return found;
}

function sidesSeen(test: ast.Expr, scope: EvaluationScope, words: Words, sources: AnswerSources): string[] {
  if (sources.areReadBy(test)) return [VALUES_WITHHELD];
  const sides = test.kind === "compare" ? [test.left, test.right] : [];
  const computed = sides.flatMap((side) => {
    if (side.kind === "path" || !readsAnswer(side, scope)) return [];
    const value: Maybe = evaluate(side, scope);
    return typeof value === "number" || typeof value === "boolean" ? [`${words.expression(side)} is ${value}`] : [];
  });
  return computed.length > 0 ? computed : ["the answer is withheld"];
}
