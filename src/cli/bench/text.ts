/** The measurement in a terminal: for each figure a table with bars, then the conclusion. */
import { painter, type Paint } from "../paint.ts";
import type { Io } from "../io.ts";
import { wrapped } from "../graph/wrap.ts";
import { conclusionOf, count } from "./conclusion.ts";
import { type Figure, figuresOf } from "./figures.ts";
import type { Size } from "./measure.ts";

const COLUMNS = 80;
/** Bars do not grow further than this in wide terminals. */
const WIDEST_BAR = 60;

/** Returns the charts and the conclusion; `always` names what is in every row whatever the number of rules: `gates`. */
export function sharingText(io: Io, sizes: readonly Size[], always: readonly string[]): string {
  const paint = painter(io.outColor);
  const columns = Math.max(60, io.columns ?? COLUMNS);
  const charts = figuresOf(sizes).flatMap((figure) => [...chart(figure, sizes, columns, paint), ""]);
  const notes = [...RATIO, ...alwaysWords(always)].flatMap((sentence) => wrapped(sentence, columns));
  const said = conclusionOf(sizes).flatMap((sentence) => wrapped(sentence, columns).map((line) => paint("bold", line)));
  return `${[...charts, ...notes.map((line) => paint("faint", line)), "", ...said].join("\n")}\n`;
}

const RATIO = ["× is the figure with sharing divided by the figure without."];

/** Returns `Gates and guardians are in every row.` */
function alwaysWords(always: readonly string[]): string[] {
  const [first, ...others] = always;
  if (first === undefined) return [];
  const last = others.length === 0 ? "" : ` and ${others.at(-1)}`;
  const list = [first, ...others.slice(0, -1)].join(", ");
  return [`${list.charAt(0).toUpperCase()}${list.slice(1)}${last} are in every row, whatever the number of rules.`];
}

/** Returns two bars for each part of the rules: with sharing, and without. */
function chart(figure: Figure, sizes: readonly Size[], columns: number, paint: Paint): string[] {
  const value = (size: Size, way: "shared" | "apart"): number => figure.of(size[way]) ?? 0;
  const rules = Math.max(...sizes.map(({ rules: many }) => count(many).length));
  const values = sizes.flatMap((size) => [value(size, "shared"), value(size, "apart")]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const text = (size: Size, way: "shared" | "apart"): string => figure.text(value(size, way), least);
  const width = Math.max(...values.map((one) => figure.text(one, least).length));
  const head = 2 + rules + " rules  without  ".length;
  const room = Math.min(WIDEST_BAR, columns - head - width - 2 - NOTE);
  const line = (title: string, size: Size, way: "shared" | "apart", note: string): string => {
    const length = most === 0 ? 0 : Math.round((room * value(size, way)) / most);
    const bar = paint(way === "shared" ? "green" : "faint", (way === "shared" ? "█" : "░").repeat(length));
    const said = text(size, way).padStart(width);
    return `  ${title.padEnd(rules + " rules".length)}  ${way === "shared" ? "sharing" : "without"}  ${said}  ${bar}${note}`.trimEnd();
  };
  return [
    paint("bold", figure.title),
    ...sizes.flatMap((size) => [
      line(
        `${count(size.rules).padStart(rules)} ${size.rules === 1 ? "rule" : "rules"}`,
        size,
        "shared",
        note(figure, size),
      ),
      line("", size, "apart", ""),
    ]),
  ];
}

/** Room for ` within noise`. */
const NOTE = 14;

/** Returns the quotient of the two values. */
function note(figure: Figure, size: Size): string {
  const [shared, apart] = [figure.of(size.shared) ?? 0, figure.of(size.apart) ?? 0];
  const ratio = apart === 0 ? 1 : shared / apart;
  return figure.isClear(size) ? ` × ${ratio.toFixed(2)}` : " within noise";
}
