/** Explains the items of a list: which one a match has, why there is none, and which comes closest to what a later test wants. */
import type { Maybe, Value } from "../../base/value.ts";
import { same } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { Chosen, Fixed } from "../read/chosen.ts";
import type { Draft } from "../read/draft.ts";
import { itemsOf, valueAndFailure } from "../read/evaluate.ts";
import { type ItemsPart, mentions, type Part } from "../read/parts.ts";
import { seenValue, type Words } from "../read/words.ts";
import type { World } from "../read/world.ts";
import { seenWords } from "./step.ts";
import { observations } from "./tests.ts";

interface ItemsContext {
  readonly world: World;
  readonly words: Words;
  readonly fixed: Fixed;
}

/** Explains the part of a match that is an item; `end` has all bindings of the match, or those that were found. */
export function itemsDraft(part: ItemsPart, text: string, chosen: Chosen, end: Chosen, context: ItemsContext): Draft {
  const { world, words } = context;
  const scope = { world, chosen, ownFact: undefined };
  const list = words.expression(part.list);
  const { value, failure } = valueAndFailure(part.list, scope);
  const step = { text, down: `Takes the items of ${list}.`, children: [] };
  if (!Array.isArray(value)) {
    const why = failure ?? seenWords(observations(part.list, scope, words));
    const seen = `${list} is no list${why === "" ? "" : ` (${why})`}`;
    return { ...step, seen: [seen], up: `${seen}.`, outcome: world.context.judging === true ? undefined : false };
  }
  const item = boundBy(part, end);
  if (item === undefined) {
    const wanted = wantedOf(part, context.fixed);
    const none = wanted === undefined ? `${list} is empty` : `no item of ${list} is ${seenValue(wanted)}`;
    return { ...step, seen: [none], up: `${none}.`, outcome: false };
  }
  const found = `${part.variable} is ${seenValue(item)}`;
  const at = value.findIndex((one) => same(one, item));
  const up = at < 0 ? `${found}.` : `${found}, the item ${list}[${at}].`;
  return { ...step, seen: [found], up, reasons: [{ words: found, minor: true }], method: "item", outcome: true };
}

/** Returns the explanation of a test that no item passes, with the item that comes closest. */
export function closestItem(
  draft: Draft,
  test: ast.Expr,
  before: readonly Part[],
  chosen: Chosen,
  { world, words, fixed }: ItemsContext,
): Draft {
  const part = before.findLast(
    (one): one is ItemsPart => one.kind === "items" && mentions(test, new Set([one.variable])),
  );
  if (part === undefined || fixed.has(part.variable) || world.context.judging === true) return draft;
  const items = itemsOf(part, { world, chosen, ownFact: undefined }) ?? [];
  const item = boundBy(part, chosen);
  const at = items.findIndex((one) => same(one, item));
  if (items.length < 2 || at < 0) return draft;
  const list = words.expression(part.list);
  const head = `no item of ${list} passes; for the closest, ${list}[${at}], `;
  const [first, ...others] = draft.reasons ?? [];
  const reasons = first === undefined ? {} : { reasons: [{ ...first, words: `${head}${first.words}` }, ...others] };
  return { ...draft, ...reasons, up: `${head}${draft.up}` };
}

function boundBy(part: ItemsPart, chosen: Chosen): Maybe {
  const entry = chosen.entries().find((one) => one.part === part);
  return entry === undefined || "fact" in entry.bound ? undefined : entry.bound.value;
}

function wantedOf({ variable }: ItemsPart, fixed: Fixed): Value | undefined {
  const wanted = fixed.get(variable);
  return wanted === undefined || "fact" in wanted ? undefined : wanted.value;
}
