/** Checks `option` statements. */
import { didYouMean, nearest } from "../../base/nearest.ts";
import { zoneNamed } from "../../base/zone.ts";
import { STRATEGIES } from "../../base/strategy.ts";
import type * as ast from "../ast.ts";
import { zoneNameOf } from "./clock.ts";
import type { Context } from "./context.ts";

const OPTIONS = ["strategy", "limit", "zone", "order"];

/** The orders in which the patterns of rules are joined: as the planner chooses, or as they are written. */
const ORDERS = ["chosen", "written"];

export function checkOption(cx: Context, option: ast.OptionDecl): void {
  const name = option.name.name.toLowerCase();
  if (!OPTIONS.includes(name)) {
    const hint = didYouMean(nearest(name, OPTIONS)) ?? `the options are ${OPTIONS.join(", ")}`;
    cx.report.error("E213", option.name.span, `unknown option "${option.name.name}"`, hint);
    return;
  }
  if (name === "zone") return checkZone(cx, option);
  const { value } = option;
  const written = "name" in value ? value.name : String(value.value);
  const isWord = "name" in value || value.kind === "text";
  if (name === "strategy" && !(isWord && isStrategy(written.toLowerCase()))) {
    const hint = didYouMean(nearest(written, STRATEGIES)) ?? `the strategies are ${STRATEGIES.join(", ")}`;
    cx.report.error("E213", value.span, `unknown strategy "${written}"`, hint);
  }
  if (name === "order" && !(isWord && ORDERS.includes(written.toLowerCase()))) {
    const hint = didYouMean(nearest(written, ORDERS)) ?? `the orders are ${ORDERS.join(" and ")}`;
    cx.report.error("E213", value.span, `unknown order "${written}"`, hint);
  }
  if (
    name === "limit" &&
    !("kind" in value && value.kind === "number" && Number.isInteger(value.value) && value.value >= 1)
  ) {
    cx.report.error("E209", value.span, "option limit must be a number of firings", "write an integer of 1 or more");
  }
}

function checkZone(cx: Context, { value }: ast.OptionDecl): void {
  const name = zoneNameOf(value);
  if (name !== undefined && zoneNamed(name) !== undefined) return;
  // `option zone Europe/Paris`: the parser has reported what is after the word.
  if ("name" in value && cx.report.source.text.charAt(value.span.end) === "/") return;
  const message = name === undefined ? "option zone must be a string" : `unknown time zone ${JSON.stringify(name)}`;
  cx.report.error("E213", value.span, message, 'use a name such as "Europe/Paris"');
}

function isStrategy(name: string): boolean {
  return (STRATEGIES as readonly string[]).includes(name);
}
