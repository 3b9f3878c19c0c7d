/** Checks `option` statements. */
import { nearest } from "../../base/nearest.ts";
import { STRATEGIES } from "../../base/strategy.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { didYouMean } from "./symbols.ts";

const OPTIONS = ["strategy", "limit"];

export function checkOption(cx: Context, option: ast.OptionDecl): void {
  const name = option.name.name.toLowerCase();
  if (!OPTIONS.includes(name)) {
    const hint = didYouMean(nearest(name, OPTIONS)) ?? `the options are ${OPTIONS.join(", ")}`;
    cx.report.error("E213", option.name.span, `unknown option "${option.name.name}"`, hint);
    return;
  }
  const { value } = option;
  if (name === "strategy" && !("name" in value && isStrategy(value.name.toLowerCase()))) {
    const written = "name" in value ? value.name : String(value.value);
    const hint = didYouMean(nearest(written, STRATEGIES)) ?? `the strategies are ${STRATEGIES.join(", ")}`;
    cx.report.error("E213", value.span, `unknown strategy "${written}"`, hint);
  }
  if (name === "limit" && !("value" in value && Number.isInteger(value.value) && value.value >= 1)) {
    cx.report.error("E209", value.span, "option limit must be a number of firings", "write an integer of 1 or more");
  }
}

function isStrategy(name: string): boolean {
  return (STRATEGIES as readonly string[]).includes(name);
}
