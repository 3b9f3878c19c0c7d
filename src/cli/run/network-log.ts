/**
 * The network as the rules load: one line for each node of each rule, created by the rule or shared with one before.
 *
 *     rule "adult"  created  alpha_2955eb7d958f502c  Person[.age > 18]
 *     rule "buyer"  shared   alpha_2955eb7d958f502c  Person[.age > 18] (with "adult")
 */
import { type LoadedNode, loadedNodes, type Program } from "../../index.ts";
import { quotedList } from "../arguments.ts";
import { filled, widthOf } from "../columns.ts";
import type { Io } from "../io.ts";
import { painter, type Paint } from "../paint.ts";
import { gainSentence } from "../sharing-text.ts";
import { oneLine } from "../visible.ts";

/** The widest column of rules. */
const WIDEST = 40;

/** Logs to standard error, where it is apart from what the rules say; with `json` as events on standard output. */
export function logNetwork(io: Io, program: Program, json: boolean): void {
  const sharing = program.sharing();
  if (json) {
    for (const loaded of loadedNodes(sharing)) io.out(`${JSON.stringify(eventOf(loaded))}\n`);
    const { nodes, without, saved, kinds } = sharing;
    return io.out(`${JSON.stringify({ event: "sharing", nodes, without, saved, kinds })}\n`);
  }
  const rules = new Set(program.network().rules.map(({ name }) => name));
  const titles = new Map(sharing.network.flatMap((node) => node.rules).map((rule) => [rule, titleOf(rule, rules)]));
  const width = Math.min(WIDEST, Math.max(0, ...Array.from(titles.values(), widthOf)));
  const names = Math.max(0, ...sharing.network.map(({ name }) => name.length));
  const paint = painter(io.color);
  for (const loaded of loadedNodes(sharing)) {
    const title = filled(titles.get(loaded.rule) ?? "", width);
    io.err(`${title}  ${lineOf(loaded, names, paint)}\n`);
  }
  io.err(`${paint("bold", gainSentence(sharing))}\n`);
}

/** Returns `rule "adult"`; what is no rule says itself what it is: `gate "deploy"`. */
function titleOf(rule: string, rules: ReadonlySet<string>): string {
  return oneLine(rules.has(rule) ? `rule ${quotedList([rule])}` : rule);
}

function lineOf({ node: { name, kind, text }, earlier }: LoadedNode, width: number, paint: Paint): string {
  const node = `${filled(paint("faint", name), width)}  ${kind === "entry" ? "entry " : ""}${oneLine(text)}`;
  const [first] = earlier;
  if (first === undefined) return `created  ${node}`;
  const more = earlier.length > 1 ? ` and ${(earlier.length - 1).toLocaleString("en-US")} more` : "";
  return `${paint("yellow", "shared")}   ${node}  ${paint("yellow", `(with ${oneLine(quotedList([first]))}${more})`)}`;
}

/** Returns the event of a node: `with` is the rule that created it, `rules` counts those that have it so far. */
function eventOf({ rule, node: { name, hash, kind, text }, earlier }: LoadedNode): object {
  const [first] = earlier;
  const shared = first === undefined ? { how: "created" } : { how: "shared", with: first };
  return { event: "network", rule, ...shared, rules: earlier.length + 1, node: name, hash, kind, text };
}
