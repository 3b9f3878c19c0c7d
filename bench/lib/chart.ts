/** A picture of rows with a logarithmic axis for the figure, drawn by Vega-Lite; no code is made from texts. */
import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Benchmark, FigureKind, Row } from "./benchmark.ts";

export async function pictureOf(name: string, benchmark: Benchmark, rows: readonly Row[]): Promise<string> {
  const { spec } = compile(specOf(name, benchmark, rows));
  const view = new View(parse(spec, undefined, { ast: true }), { renderer: "none", expr: expressionInterpreter });
  return view.toSVG();
}

function specOf(name: string, benchmark: Benchmark, rows: readonly Row[]): TopLevelSpec {
  const figures = figuresOf(benchmark);
  const points = figures.length === 1 ? pointsOf(rows, figures[0]) : figurePoints(rows, figures);
  const label = labelOf(figures);
  const common = {
    background: "white",
    padding: 12,
    title: { text: name, subtitle: benchmark.about, anchor: "start" as const, offset: 14 },
    data: { values: points },
    config: { font: "Helvetica, Arial, sans-serif", title: { fontSize: 16, subtitleColor: "#555555" } },
  };
  return benchmark.picture === "works"
    ? { ...common, ...worksSpec(points, label) }
    : { ...common, ...curvesSpec(points, label) };
}

type Figures = readonly [FigureKind, ...FigureKind[]];

function figuresOf({ figures, shows, versus }: Benchmark): Figures {
  const keys = [shows ?? versus].flat();
  const [first = figures[0], ...others] = figures.filter(({ key }) => keys.includes(key));
  if (first === undefined) throw new Error("a benchmark has figures");
  return [first, ...others];
}

/** What the axis is about. Figures beside each other have their titles below them. */
function labelOf([{ title, unit }, ...others]: Figures): string {
  return others.length === 0 ? `${title} (${unit})` : unit;
}

interface Point {
  readonly work: string;
  readonly where: string;
  readonly size: number;
  readonly engine: string;
  readonly value: number;
}

/** A logarithmic axis has no place for nothing. */
function pointsOf(rows: readonly Row[], { key }: FigureKind): Point[] {
  const several =
    new Set(rows.map(({ work, size }) => `${work} ${size}`)).size > new Set(rows.map(({ work }) => work)).size;
  return rows.flatMap(({ work, size, engine, status, figures }) => {
    const value = figures[key] ?? 0;
    const where = several ? `${work} ${size.toLocaleString("en")}` : work;
    return status === "ok" && value > 0 ? [{ work, where, size, engine, value }] : [];
  });
}

/** One place for each figure, where there is one work. */
function figurePoints(rows: readonly Row[], figures: Figures): Point[] {
  return figures.flatMap((figure) => pointsOf(rows, figure).map((point) => ({ ...point, where: figure.title })));
}

function worksSpec(points: readonly Point[], label: string) {
  const places = unique(points.map(({ where }) => where));
  return {
    width: Math.max(360, places.length * 84),
    height: 380,
    mark: { type: "point" as const, filled: true, size: 130, opacity: 0.9 },
    encoding: {
      x: { field: "where", type: "nominal" as const, sort: places, axis: { title: null, labelAngle: 0, grid: true } },
      ...figureEncoding(points, label),
    },
  };
}

function curvesSpec(points: readonly Point[], label: string) {
  const works = unique(points.map(({ work }) => work));
  const values = [...new Set(points.map(({ size }) => size))];
  const axis = { title: "size", format: "~s", values, labelOverlap: true };
  return {
    facet: { field: "work", type: "nominal" as const, sort: works, header: { title: null, labelFontSize: 13 } },
    columns: 3,
    spec: {
      width: 300,
      height: 250,
      mark: { type: "line" as const, point: { filled: true, size: 60 }, strokeWidth: 2 },
      encoding: {
        x: { field: "size", type: "quantitative" as const, scale: { type: "log" as const, nice: false }, axis },
        ...figureEncoding(points, label),
      },
    },
  };
}

function figureEncoding(points: readonly Point[], label: string) {
  const engines = unique(points.map(({ engine }) => engine));
  return {
    y: {
      field: "value",
      type: "quantitative" as const,
      scale: { type: "log" as const, nice: true },
      axis: { title: label, labelExpr: NUMBER, values: powersOfTen(points.map(({ value }) => value)) },
    },
    color: {
      field: "engine",
      type: "nominal" as const,
      scale: { domain: engines, range: colorsOf(engines) },
      legend: { title: null, symbolSize: 110, labelFontSize: 12, labelLimit: 300 },
    },
    shape: {
      field: "engine",
      type: "nominal" as const,
      scale: { domain: engines, range: engines.map((engine) => (engine === "hand" ? "diamond" : "circle")) },
    },
  };
}

/** 0.1, 10, 10k: the short form of numbers below 1 would read as another unit. */
const NUMBER = "datum.value < 1 ? format(datum.value, '~g') : format(datum.value, '~s')";

/** Sluice stands out, and the hand-written limit is black. */
const COLORS: Readonly<Record<string, string>> = {
  sluice: "#d62728",
  hand: "#111111",
  clips: "#1f77b4",
  "sluice, sharing off": "#f4a3a0",
};
const OTHERS = ["#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#bcbd22", "#17becf", "#7f7f7f"];

function colorsOf(engines: readonly string[]): string[] {
  let next = 0;
  return engines.map((engine) => COLORS[engine] ?? OTHERS[next++ % OTHERS.length] ?? "#999999");
}

/** From the one below the smallest value to the one above the largest. */
function powersOfTen(values: readonly number[]): number[] {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)];
}
