/** Draws the network as SVG. Shared nodes have a heavy amber border and name the rules that share them. */
import { escapeXml } from "../xml.ts";
import { visible } from "../visible.ts";
import type { PlacedArrow, PlacedBox, Picture, Point } from "./picture.ts";
import { END_COLORS, KIND_STYLES, SHARED_LINE } from "./look.ts";
import { isEnd } from "./machine.ts";

const HEAD = 44;
const NOTE_LINE = 15;
const FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

export interface Caption {
  readonly title: string;
  readonly line: string;
  /** What was collapsed. */
  readonly notes?: readonly string[];
}

export function svg(picture: Picture, caption: Caption): string {
  const { notes = [] } = caption;
  const longest =
    Math.max(caption.title.length * 9.2, ...[caption.line, ...notes].map(({ length }) => length * 7)) + 32;
  const head = HEAD + notes.length * NOTE_LINE;
  const width = Math.max(picture.width, Math.ceil(longest));
  const height = picture.height + head;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}">`,
    `<title>${escapeXml(caption.title)}</title>`,
    `<defs>${[...new Set([LINE, ...picture.arrows.map(({ color }) => color ?? LINE)])].map(tip).join("")}</defs>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="22" font-size="15" font-weight="bold" fill="#0f172a">${escapeXml(caption.title)}</text>`,
    `<text x="16" y="39" font-size="11" fill="#64748b">${escapeXml(caption.line)}</text>`,
    ...notes.map(
      (note, index) =>
        `<text x="16" y="${39 + (index + 1) * NOTE_LINE}" font-size="11" fill="${SHARED_LINE}">${escapeXml(note)}</text>`,
    ),
    `<g transform="translate(0 ${head})">`,
    ...picture.arrows.map(arrow),
    ...picture.headings.map(
      ({ words, x, y }) =>
        `<text x="${n(x)}" y="${n(y)}" font-size="13" font-weight="bold" fill="#0f172a">${escapeXml(visible(words))}</text>`,
    ),
    ...picture.boxes.map(box),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function box({ box: of, x, y, width, height, title, small }: PlacedBox): string {
  const { fill, line } = styleOf(of);
  const left = x - width / 2;
  const top = y - height / 2;
  const stroke = of.shared ? `stroke="${SHARED_LINE}" stroke-width="3"` : `stroke="${line}" stroke-width="1.2"`;
  const radius = of.kind === "type" ? 2 : of.kind === "rule" ? height / 2.6 : 7;
  const hover = [of.name, of.text, rulesLine(of.rules)].filter((words) => words !== "").join("\n");
  const weight = BOLD.has(of.kind) ? ' font-weight="bold"' : "";
  const start = y - (title.length * 17 + small.length * 15) / 2; // the middle, also of a box that is higher than its words
  return [
    `<g><title>${escapeXml(hover)}</title>`,
    `<rect x="${n(left)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" rx="${n(radius)}" fill="${fill}" ${stroke}/>`,
    ...title.map((words, index) => text(words, x, start + 13 + index * 17, `font-size="13" fill="#0f172a"${weight}`)),
    ...small.map(({ words, look }, index) =>
      text(words, x, start + 12 + title.length * 17 + index * 15, `font-size="11" fill="${SMALL_COLORS[look]}"`),
    ),
    "</g>",
  ].join("");
}

const RULES_NAMED = 50;

function rulesLine(rules: readonly string[]): string {
  const more = rules.length > RULES_NAMED ? ` +${rules.length - RULES_NAMED}` : "";
  return `rules: ${rules.slice(0, RULES_NAMED).join(", ")}${more}`;
}

const BOLD: ReadonlySet<PlacedBox["box"]["kind"]> = new Set([
  "type",
  "rule",
  "gate",
  "guardian",
  "pipeline",
  "state",
] as const);

/** Returns the colours of a box; the ends of a pipeline have those of the moves that lead there. */
function styleOf({ kind, name }: PlacedBox["box"]): { readonly fill: string; readonly line: string } {
  const { fill, line } = KIND_STYLES[kind];
  return kind === "state" && isEnd(name) ? { fill: "#ffffff", line: END_COLORS[name] } : { fill, line };
}

const SMALL_COLORS = { facts: "#1d4ed8", kind: "#475569", sharing: SHARED_LINE } as const;

function text(words: string, x: number, y: number, look: string): string {
  return `<text x="${n(x)}" y="${n(y)}" text-anchor="middle" ${look}>${escapeXml(words)}</text>`;
}

const LINE = "#64748b";

/** Returns the marker for the tip of arrows of a colour. */
function tip(color: string): string {
  const shape = 'viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"';
  return `<marker id="${tipId(color)}" ${shape}><path d="M0 0.5 8 4 0 7.5z" fill="${color}"/></marker>`;
}

function tipId(color: string): string {
  return color === LINE ? "tip" : `tip${color.slice(1)}`;
}

function arrow({ carries, points, label, labelAt, color, how }: PlacedArrow): string {
  if (how === "never") return `<path d="${curve(points)}" fill="none" stroke="#e2e8f0" stroke-width="1"/>`;
  const dashes =
    carries === "inner" || how === "error"
      ? ' stroke-dasharray="5 4"'
      : carries === "results"
        ? ' stroke-dasharray="1.5 4"'
        : "";
  const thin = carries === "facts" || how === "error";
  const look = `stroke="${color ?? (carries === "facts" ? "#94a3b8" : LINE)}" stroke-width="${thin ? 1.2 : 1.6}"`;
  const path = `<path d="${curve(points)}" fill="none" ${look}${dashes} marker-end="url(#${tipId(color ?? LINE)})"/>`;
  if (label === undefined || labelAt === undefined) return path;
  const back = 'stroke="#ffffff" stroke-width="5" paint-order="stroke" stroke-linejoin="round"';
  return path + text(visible(label), labelAt.x, labelAt.y + 4, `font-size="11" fill="#0f172a" ${back}`);
}

/** Returns a path through the points of the layout, level at each of them. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let at = first;
  const parts = [`M${n(at.x)} ${n(at.y)}`];
  for (const next of rest) {
    const middle = (at.x + next.x) / 2;
    parts.push(`C${n(middle)} ${n(at.y)} ${n(middle)} ${n(next.y)} ${n(next.x)} ${n(next.y)}`);
    at = next;
  }
  return parts.join("");
}

/** Returns a number with one decimal: short, and the same on every machine. */
function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
