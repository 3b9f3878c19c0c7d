/** The text, colours and lines of boxes in all formats. */
import { visible } from "../visible.ts";
import { counted } from "./collapse.ts";
import type { ENDS } from "./machine.ts";
import type { Box, BoxKind } from "./model.ts";

export const SHARED_LINE = "#b45309";

export const KIND_STYLES: Readonly<Record<BoxKind, { readonly fill: string; readonly line: string }>> = {
  type: { fill: "#e2e8f0", line: "#475569" },
  alpha: { fill: "#dbeafe", line: "#2563eb" },
  join: { fill: "#ede9fe", line: "#7c3aed" },
  not: { fill: "#fee2e2", line: "#dc2626" },
  exists: { fill: "#fce7f3", line: "#db2777" },
  aggregate: { fill: "#ccfbf1", line: "#0d9488" },
  lookup: { fill: "#f1f5f9", line: "#64748b" },
  last: { fill: "#f0fdfa", line: "#0d9488" },
  timer: { fill: "#e0f2fe", line: "#0284c7" },
  items: { fill: "#f1f5f9", line: "#64748b" },
  let: { fill: "#f1f5f9", line: "#64748b" },
  filter: { fill: "#f1f5f9", line: "#64748b" },
  condition: { fill: "#fef9c3", line: "#ca8a04" },
  gate: { fill: "#ffedd5", line: "#ea580c" },
  operator: { fill: "#fff7ed", line: "#ea580c" },
  flow: { fill: "#ffedd5", line: "#ea580c" },
  guardian: { fill: "#ffe4e6", line: "#e11d48" },
  pipeline: { fill: "#ffe4e6", line: "#e11d48" },
  stage: { fill: "#ecfeff", line: "#0891b2" },
  state: { fill: "#ecfeff", line: "#0891b2" },
  rule: { fill: "#dcfce7", line: "#16a34a" },
};

const NAMED: ReadonlySet<BoxKind> = new Set<BoxKind>(["type", "rule", "stage", "state"]);

/** The colours of a pipeline's ends, and of the moves that lead there. */
export const END_COLORS: Readonly<Record<(typeof ENDS)[number], string>> = {
  Rejected: "#dc2626",
  DirectAnswer: "#16a34a",
  Forwarded: "#2563eb",
};

/** Returns the name of a type, rule, stage or state, and the text of every other box. */
export function titleOf({ kind, name, text }: Box): string {
  return visible(NAMED.has(kind) ? name : text);
}

/** Returns the small line of a box: its kind, and its counts after a run. */
export function kindLine(box: Box): string {
  const { kind, text } = box;
  if (kind === "state") return text === "" ? kind : visible(text);
  const note = (kind === "rule" || kind === "stage") && text !== "" ? `, ${visible(text)}` : "";
  return `${kind}${note}${liveWords(box)}${collapsedWords(box)}`;
}

function collapsedWords({ alike, inside }: Box): string {
  const many = alike === undefined ? "" : ` · ${counted(alike)} alike`;
  return inside === undefined || inside === 0 ? many : `${many} · ${counted(inside)} more inside`;
}

/** Returns the rules that share a node: as many names as fit on a line. */
export function sharingLine({ shared, rules }: Box, width: number): string | undefined {
  if (!shared) return undefined;
  const head = `${rules.length} rules: `;
  const names: string[] = [];
  for (const rule of rules.map(visible)) {
    const rest = rules.length - names.length;
    const tail = rest > 1 ? ` +${rest - 1}` : "";
    const sofar = head.length + names.join(", ").length + tail.length;
    if (names.length > 0 && sofar + rule.length + 2 > width) break;
    names.push(names.length === 0 ? clip(rule, width - head.length - tail.length) : rule);
  }
  const left = rules.length - names.length;
  return `${head}${names.join(", ")}${left > 0 ? ` +${left}` : ""}`;
}

/** Returns the lines of a box for formats with little room. */
export function captionOf(box: Box): string[] {
  const sharing = sharingLine(box, 60);
  return [titleOf(box), clip(kindLine(box), 80), ...(sharing === undefined ? [] : [sharing])];
}

export function clip(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(1, width - 1)).join("")}…`;
}

function liveWords({ kind, count, fires }: Box): string {
  if (count === undefined) return "";
  const what = kind === "type" || kind === "alpha" ? "fact" : "match";
  const words = `${count} ${count === 1 ? what : what === "fact" ? "facts" : "matches"}`;
  return fires === undefined ? ` · ${words}` : ` · ${words}, ${fires} ${fires === 1 ? "firing" : "firings"}`;
}
