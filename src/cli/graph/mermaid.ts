/** Writes the network for Mermaid, which many wikis and code hosts draw. */
import { printable } from "../../index.ts";
import { visible } from "../visible.ts";
import { captionOf, KIND_STYLES, SHARED_LINE } from "./look.ts";
import type { GraphModel } from "./model.ts";

export function mermaid({ boxes, arrows }: GraphModel, notes: readonly string[] = []): string {
  const ids = new Map(boxes.map((box, index) => [box.id, `n${index}`]));
  const nodes = boxes.map(
    (box) => `  ${ids.get(box.id)}["${captionOf(box).map(escaped).join("<br/>")}"]:::${box.kind}`,
  );
  const shared = boxes.filter((box) => box.shared).map((box) => ids.get(box.id));
  const edges = arrows.map(({ from, to, carries, label, how }) => {
    const line = carries === "inner" || carries === "results" || how !== undefined ? "-.->" : "-->";
    const said = label === undefined ? "" : `|"${escaped(visible(label))}"|`;
    return `  ${ids.get(from)} ${line}${said} ${ids.get(to)}`;
  });
  const kinds = [...new Set(boxes.map((box) => box.kind))];
  const classes = kinds.map(
    (kind) => `  classDef ${kind} fill:${KIND_STYLES[kind].fill},stroke:${KIND_STYLES[kind].line}`,
  );
  const sharing =
    shared.length === 0
      ? []
      : [`  classDef shared stroke:${SHARED_LINE},stroke-width:3px`, `  class ${shared.join(",")} shared`];
  return `${[...notes.map((note) => `%% ${note}`), "flowchart LR", ...nodes, ...edges, ...classes, ...sharing].join("\n")}\n`;
}

/** Escapes a text for Mermaid, which reads `#35;` as a character: nothing in it is read as syntax or HTML. */
function escaped(text: string): string {
  return printable(text).replace(/[^\p{L}\p{N} _.,:=+*/()-]/gu, (character) => `#${character.codePointAt(0)};`);
}
