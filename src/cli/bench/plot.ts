/** The measurement as SVG: one small chart for each figure, with sharing and without, in light and dark. */
import { wrapped } from "../graph/wrap.ts";
import { visible } from "../visible.ts";
import { escapeXml } from "../xml.ts";
import { conclusionOf, count } from "./conclusion.ts";
import { type Figure, figuresOf } from "./figures.ts";
import type { Size } from "./measure.ts";

export interface Caption {
  readonly title: string;
  readonly source: string;
}

const MARGIN = 24;
const PANEL = { width: 288, height: 232, gap: 28 } as const;
/** The room around the lines of a chart: numbers on the left, labels of the last points on the right. */
const ROOM = { left: 54, right: 62, top: 40, bottom: 42 } as const;
const HEAD = 86;
const LINE = 19;
/** Characters of the conclusion on a line. */
const TEXT_WIDTH = 126;
const TICKS = 4;

export function sharingPlot(sizes: readonly Size[], { title, source }: Caption): string {
  const figures = figuresOf(sizes);
  const width = 2 * MARGIN + 3 * PANEL.width + 2 * PANEL.gap;
  const words = conclusionOf(sizes).flatMap((sentence) => wrapped(sentence, TEXT_WIDTH));
  const height = HEAD + PANEL.height + 18 + words.length * LINE + MARGIN;
  const below = HEAD + PANEL.height + 32;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, 'DejaVu Sans', sans-serif" role="img">`,
    `<title>${escapeXml(`Node sharing: ${title}`)}</title>`,
    `<desc>${escapeXml(words.join(" "))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="back" width="${width}" height="${height}"/>`,
    text(MARGIN, 34, "title", `Node sharing: ${clipped(title, 80)}`),
    text(MARGIN, 56, "small", source),
    ...legend(width - MARGIN),
    ...figures.map((figure, at) => panel(figure, sizes, MARGIN + at * (PANEL.width + PANEL.gap), HEAD)),
    ...words.map((line, at) => text(MARGIN, below + at * LINE, "words", line)),
    "</svg>",
    "",
  ].join("\n");
}

const STYLE = [
  ".back{fill:#ffffff}.title{font-size:17px;font-weight:600;fill:#0f172a}.small{font-size:12px;fill:#64748b}",
  ".name{font-size:13px;font-weight:600;fill:#0f172a}.tick{font-size:11px;fill:#64748b}.words{font-size:13px;fill:#0f172a}",
  ".grid{stroke:#e2e8f0}.shared{stroke:#15803d}.apart{stroke:#b45309}.dot-shared{fill:#15803d}.dot-apart{fill:#b45309}",
  ".label{font-size:11px;font-weight:600}.label-shared{fill:#15803d}.label-apart{fill:#b45309}",
  "@media (prefers-color-scheme:dark){.back{fill:#0f172a}.title,.name,.words{fill:#f1f5f9}.small,.tick{fill:#94a3b8}",
  ".grid{stroke:#334155}.shared{stroke:#4ade80}.apart{stroke:#fbbf24}.dot-shared,.label-shared{fill:#4ade80}",
  ".dot-apart,.label-apart{fill:#fbbf24}}",
].join("");

/** The lines: with sharing solid, without dashed, so that they differ without colours too. */
const WAYS = [
  { way: "apart", words: "without sharing", dashes: ' stroke-dasharray="5 4"' },
  { way: "shared", words: "with sharing", dashes: "" },
] as const;

function legend(right: number): string[] {
  const places = [right - 128, right - 262];
  return WAYS.flatMap(({ way, words, dashes }, at) => {
    const x = places[at] ?? 0;
    return [
      `<path class="${way}" d="M${x} 52h24" stroke-width="2.2" fill="none"${dashes}/>`,
      text(x + 31, 56, "small", words),
    ];
  });
}

function panel(figure: Figure, sizes: readonly Size[], left: number, top: number): string {
  const most = Math.max(...sizes.flatMap(({ shared, apart }) => [figure.of(shared) ?? 0, figure.of(apart) ?? 0]));
  const unit = figure.unit(most);
  const end = niceEnd(most / unit.size) * unit.size;
  const area = { width: PANEL.width - ROOM.left - ROOM.right, height: PANEL.height - ROOM.top - ROOM.bottom };
  const x = (at: number): number =>
    ROOM.left + (sizes.length === 1 ? area.width / 2 : (area.width * at) / (sizes.length - 1));
  const y = (value: number): number => ROOM.top + area.height * (1 - value / end);
  const ticks = Array.from({ length: TICKS + 1 }, (_, at) => (end * at) / TICKS);
  return [
    `<g transform="translate(${left} ${top})">`,
    text(0, 14, "name", figure.title),
    ...ticks.flatMap((tick) => [
      `<path class="grid" d="M${ROOM.left} ${n(y(tick))}H${PANEL.width - ROOM.right}"/>`,
      text(ROOM.left - 8, y(tick) + 4, "tick", tickText(tick / unit.size, unit.name), "end"),
    ]),
    ...sizes.map((size, at) => text(x(at), PANEL.height - ROOM.bottom + 18, "tick", count(size.rules), "middle")),
    text(ROOM.left + area.width / 2, PANEL.height - 6, "tick", "rules", "middle"),
    ...WAYS.map(({ way, dashes }) => {
      const points = sizes.map((size, at) => [x(at), y(figure.of(size[way]) ?? 0)] as const);
      const path = points.map(([px, py], at) => `${at === 0 ? "M" : "L"}${n(px)} ${n(py)}`).join("");
      const dots = points.map(([px, py]) => `<circle class="dot-${way}" cx="${n(px)}" cy="${n(py)}" r="3.2"/>`);
      return `<path class="${way}" d="${path}" stroke-width="2.2" fill="none"${dashes}/>${dots.join("")}`;
    }),
    ...lastLabels(figure, sizes, x(sizes.length - 1), y),
    "</g>",
  ].join("\n");
}

/** The least distance of two labels. */
const APART = 14;

/** Labels the last points on their right, apart from each other. */
function lastLabels(figure: Figure, sizes: readonly Size[], x: number, y: (value: number) => number): string[] {
  const last = sizes.at(-1);
  if (last === undefined) return [];
  const values = WAYS.map(({ way }) => ({ way, value: figure.of(last[way]) ?? 0 }));
  const [upper, lower] = values.toSorted((a, b) => b.value - a.value);
  if (upper === undefined || lower === undefined) return [];
  const missing = Math.max(0, APART - (y(lower.value) - y(upper.value))) / 2;
  const label = ({ way, value }: typeof upper, shift: number): string =>
    text(x + 8, y(value) + 4 + shift, `label label-${way}`, figure.text(value, lower.value));
  return [label(upper, -missing), label(lower, missing)];
}

/** Returns `0`, `2 MB` or `0.5 ms`. */
function tickText(value: number, unit: string): string {
  return value === 0 ? "0" : `${Number(value.toPrecision(3)).toLocaleString("en-US")}${unit}`;
}

/** Returns a round number of at least `most` that has round quarters. */
function niceEnd(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10];
  return power * (steps.find((step) => step * power >= most) ?? 10);
}

function text(x: number, y: number, look: string, words: string, anchor?: "middle" | "end"): string {
  const place = anchor === undefined ? "" : ` text-anchor="${anchor}"`;
  return `<text class="${look}" x="${n(x)}" y="${n(y)}"${place}>${escapeXml(visible(words))}</text>`;
}

function clipped(words: string, most: number): string {
  const characters = [...words];
  return characters.length <= most ? words : `${characters.slice(0, most - 1).join("")}…`;
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
