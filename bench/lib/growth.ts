/** How a figure grows with the size of the work: as the size to the power 1 is linear, to the power 2 square. */
import type { Row } from "./benchmark.ts";

/** Two sizes say too little. */
const LEAST = 3;

/** Returns a row with the growth of a figure up to its size as the figure `grows`, once there are enough smaller sizes. */
export function withGrowth(figure: string | undefined, row: Row, before: readonly Row[]): Row {
  if (figure === undefined || row.status !== "ok") return row;
  const same = before.filter(
    ({ work, engine, status, size }) =>
      work === row.work && engine === row.engine && status === "ok" && size < row.size,
  );
  const all = [...same, row];
  if (all.length < LEAST) return row;
  const grown = (key: "figures" | "median"): Row["figures"] => {
    const grows = exponentOf(all.map((one) => [one.size, one[key][figure] ?? 0]));
    return grows === undefined ? row[key] : { ...row[key], grows };
  };
  return { ...row, figures: grown("figures"), median: grown("median") };
}

/** Returns the slope of the line through the logarithms of sizes and values, by least squares; undefined when a value is not above 0. */
export function exponentOf(points: readonly (readonly [size: number, value: number])[]): number | undefined {
  const logs = points.map(([size, value]) => [Math.log(size), Math.log(value)] as const);
  if (!logs.flat().every(Number.isFinite)) return undefined;
  const mean = (of: (point: readonly [number, number]) => number): number =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const x = mean((point) => point[0]);
  const y = mean((point) => point[1]);
  const spread = logs.reduce((sum, [size]) => sum + (size - x) ** 2, 0);
  return logs.reduce((sum, [size, value]) => sum + (size - x) * (value - y), 0) / spread;
}
