/** What sharing saves, in words and as a table. */
import type { NodeGain, Sharing } from "../index.ts";
import { type Paint } from "./paint.ts";

/** Returns `12 nodes instead of 31: sharing saves 61 %`. */
export function gainSentence({ nodes, without }: NodeGain): string {
  const many = `${count(nodes)} ${nodes === 1 ? "node" : "nodes"}`;
  if (nodes === without) return `${many}: sharing saves none, as no two rules have a node in common`;
  return `${many} instead of ${count(without)}: sharing saves ${percent({ nodes, without })}`;
}

/** Returns the part that is saved: `61 %`, and never 0 or 100 for what is only close to it. */
export function percent({ nodes, without }: NodeGain): string {
  if (nodes === without) return "0 %";
  const saved = Math.round((100 * (without - nodes)) / without);
  if (saved === 0) return "less than 1 %";
  return saved === 100 ? "more than 99 %" : `${saved} %`;
}

/** Returns the sentence, a table by kind, and what is counted. */
export function gainLines(sharing: Sharing, paint: Paint): string[] {
  const rows = sharing.kinds.map(({ kind, ...gain }) => [kind, count(gain.nodes), count(gain.without), percent(gain)]);
  const head = ["", "nodes", "without sharing", "saved"];
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] ?? "").length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  ");
  return [
    paint("bold", gainSentence(sharing)),
    "",
    paint("faint", `  ${line(head)}`),
    ...rows.map((row) => `  ${line(row)}`),
    "",
    ...NOTES.map((note) => paint("faint", note)),
  ];
}

/** Each fits 80 columns. */
const NOTES = [
  "Every node counts but the types, which all rules have in common. Without",
  "sharing, each rule has nodes of its own. An entry makes matches of the facts of",
  "a first pattern; $1, $2 … are the facts and values of a match, in order.",
];

function count(number: number): string {
  return number.toLocaleString("en-US");
}
