/** The network as a picture. Shared nodes have a heavy amber border, and say which rules share them. */
import { escapeXml } from "../xml.ts";
import { visible } from "../run/words.ts";
import type { PlacedArrow, PlacedBox, Picture, Point } from "./layout.ts";
import { KIND_STYLES, SHARED_LINE } from "./look.ts";

const HEAD = 44;
const FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

export interface Caption {
  readonly title: string;
  readonly line: string;
}

export function svg(picture: Picture, caption: Caption): string {
  const longest = Math.max(caption.title.length * 9.2, caption.line.length * 7) + 32;
  const width = Math.max(picture.width, Math.ceil(longest));
  const height = picture.height + HEAD;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}">`,
    `<title>${escapeXml(caption.title)}</title>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0.5 8 4 0 7.5z" fill="#64748b"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="22" font-size="15" font-weight="bold" fill="#0f172a">${escapeXml(caption.title)}</text>`,
    `<text x="16" y="39" font-size="11" fill="#64748b">${escapeXml(caption.line)}</text>`,
    `<g transform="translate(0 ${HEAD})">`,
    ...picture.arrows.map(arrow),
    ...picture.boxes.map(box),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function box({ box: of, x, y, width, height, title, small }: PlacedBox): string {
  const { fill, line } = KIND_STYLES[of.kind];
  const left = x - width / 2;
  const top = y - height / 2;
  const stroke = of.shared ? `stroke="${SHARED_LINE}" stroke-width="3"` : `stroke="${line}" stroke-width="1.2"`;
  const radius = of.kind === "type" ? 2 : of.kind === "rule" ? height / 2.6 : 7;
  const hover = [of.name, of.text, `rules: ${of.rules.join(", ")}`].filter((words) => words !== "").join("\n");
  const weight = of.kind === "type" || of.kind === "rule" || of.kind === "gate" ? ' font-weight="bold"' : "";
  return [
    `<g><title>${escapeXml(hover)}</title>`,
    `<rect x="${n(left)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" rx="${n(radius)}" fill="${fill}" ${stroke}/>`,
    ...title.map((words, index) => text(words, x, top + 21 + index * 17, `font-size="13" fill="#0f172a"${weight}`)),
    ...small.map(({ words, look }, index) =>
      text(words, x, top + 20 + title.length * 17 + index * 15, `font-size="11" fill="${SMALL_COLORS[look]}"`),
    ),
    "</g>",
  ].join("");
}

const SMALL_COLORS = { facts: "#1d4ed8", kind: "#475569", sharing: SHARED_LINE } as const;

function text(words: string, x: number, y: number, look: string): string {
  return `<text x="${n(x)}" y="${n(y)}" text-anchor="middle" ${look}>${escapeXml(words)}</text>`;
}

function arrow({ carries, points, label, labelAt }: PlacedArrow): string {
  const dashes =
    carries === "inner" ? ' stroke-dasharray="5 4"' : carries === "results" ? ' stroke-dasharray="1.5 4"' : "";
  const look = carries === "facts" ? 'stroke="#94a3b8" stroke-width="1.2"' : 'stroke="#64748b" stroke-width="1.6"';
  const path = `<path d="${curve(points)}" fill="none" ${look}${dashes} marker-end="url(#tip)"/>`;
  if (label === undefined || labelAt === undefined) return path;
  const back = 'stroke="#ffffff" stroke-width="5" paint-order="stroke" stroke-linejoin="round"';
  return path + text(visible(label), labelAt.x, labelAt.y + 4, `font-size="11" fill="#0f172a" ${back}`);
}

/** Through the points of the layout, level at each of them. */
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

/** Short and the same on every machine. */
function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
