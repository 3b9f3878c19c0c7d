/** Writes the network for Graphviz. */
import { printable } from "../../index.ts";
import { visible } from "../visible.ts";
import { captionOf, KIND_STYLES } from "./look.ts";
import type { GraphModel } from "./model.ts";

export function dot({ boxes, arrows }: GraphModel, notes: readonly string[] = []): string {
  const ids = new Map(boxes.map((box, index) => [box.id, `n${index}`]));
  const nodes = boxes.map((box) => {
    const { fill, line } = KIND_STYLES[box.kind];
    const shared = box.shared ? ', penwidth=3, color="#b45309"' : `, color="${line}"`;
    return `  ${ids.get(box.id)} [label=${quoted(captionOf(box).join("\n"))}, tooltip=${quoted(box.name)}, fillcolor="${fill}"${shared}];`;
  });
  const edges = arrows.map(({ from, to, carries, label, how }) => {
    const look = [
      ...(carries === "inner" || how === "error" ? ["style=dashed"] : carries === "results" ? ["style=dotted"] : []),
      ...(how === "never" ? ["style=dotted", 'color="#cbd5e1"', "constraint=false"] : []),
      ...(label === undefined ? [] : [`label=${quoted(visible(label))}`]),
    ];
    const style = look.length === 0 ? "" : ` [${look.join(", ")}]`;
    return `  ${ids.get(from)} -> ${ids.get(to)}${style};`;
  });
  const head = [
    "digraph network {",
    "  rankdir=LR;",
    '  node [shape=box, style="rounded,filled", fontname="monospace"];',
  ];
  return `${[...notes.map((note) => `// ${note}`), ...head, ...nodes, ...edges, "}"].join("\n")}\n`;
}

/** Returns a text in quotes for DOT, where a backslash begins an escape. */
function quoted(text: string): string {
  return `"${printable(text.replaceAll("\r\n", "\n")).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
