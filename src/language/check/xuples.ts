/** Checks the settings of tuple spaces. */
import { didYouMean, nearest } from "../../base/nearest.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";

const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["selection", ["fifo", "lifo", "random"]],
  ["consumption", ["once", "per-agent"]],
  ["retention", ["unlimited"]],
  ["max-size", []],
]);

export function checkXupleSpace(cx: Context, space: ast.XupleSpaceDecl): void {
  const seen = new Set<string>();
  for (const setting of space.settings) {
    const name = setting.name.name.toLowerCase();
    if (seen.has(name)) cx.report.error("E204", setting.span, `"${name}" appears twice`, "remove one of them");
    seen.add(name);
    checkSetting(cx, name, setting);
  }
}

function checkSetting(cx: Context, name: string, setting: ast.XupleSetting): void {
  const words = WORDS.get(name);
  if (words === undefined) {
    const hint = didYouMean(nearest(name, WORDS.keys())) ?? `settings: ${[...WORDS.keys()].join(", ")}`;
    cx.report.error("E213", setting.name.span, `unknown xuple-space setting "${setting.name.name}"`, hint);
    return;
  }
  if (!fits(name, words, setting.value)) {
    cx.report.error("E209", setting.value.span, `invalid value for "${name}"`, `expected ${possible(name, words)}`);
  }
}

function fits(name: string, words: readonly string[], value: ast.XupleSetting["value"]): boolean {
  if ("name" in value) return words.includes(value.name.toLowerCase());
  if (value.kind === "duration") return name === "retention";
  if (value.kind === "limited") return name === "consumption" && Number.isInteger(value.count) && value.count >= 1;
  return name === "max-size" && Number.isInteger(value.value) && value.value >= 1;
}

function possible(name: string, words: readonly string[]): string {
  if (name === "max-size") return "an integer of 1 or more";
  const forms: Readonly<Record<string, string>> = { retention: "duration(10m)", consumption: "limited(3)" };
  return [...words, ...(forms[name] === undefined ? [] : [forms[name]])].join(", ");
}
