/**
 * What Waltz and WaltzDB ask about three lines that meet in a point: which is the shaft, which are the barbs, and what kind
 * of junction they make. A point is a number: 100 times x, plus y.
 */
import type { CompileOptions, OpenOptions } from "../../src/index.ts";

interface Junction {
  readonly kind: "tee" | "fork" | "arrow";
  readonly shaft: number;
  readonly barb1: number;
  readonly barb2: number;
}

function junctionOf(base: number, p1: number, p2: number, p3: number): Junction {
  const angle12 = angle(base, p1, p2);
  const angle13 = angle(base, p1, p3);
  const angle23 = angle(base, p2, p3);
  const [sum, shaft, barb1, barb2] = least(
    [angle12 + angle13, p1, p2, p3],
    [angle12 + angle23, p2, p1, p3],
    [angle13 + angle23, p3, p1, p2],
  );
  const kind = Math.abs(sum - Math.PI) < 0.001 ? "tee" : sum > Math.PI ? "fork" : "arrow";
  return { kind, shaft, barb1, barb2 };
}

type Choice = readonly [sum: number, shaft: number, barb1: number, barb2: number];

/** Of equal sums the later one, as in the published program. */
function least(first: Choice, second: Choice, third: Choice): Choice {
  const better = first[0] < second[0] ? first : second;
  return better[0] < third[0] ? better : third;
}

/** Between two lines that begin in one point, from 0 to π. */
function angle(base: number, first: number, second: number): number {
  const turn = Math.abs(direction(base, first) - direction(base, second));
  return turn > Math.PI ? 2 * Math.PI - turn : turn;
}

function direction(from: number, to: number): number {
  return Math.atan2((to % 100) - (from % 100), Math.trunc(to / 100) - Math.trunc(from / 100));
}

const point = (name: string) => ({ name, type: { kind: "number" }, optional: false }) as const;
const PARAMS = [point("base"), point("p1"), point("p2"), point("p3")];

/** For `compile`. */
export const SIGNATURES: NonNullable<CompileOptions["functions"]> = {
  junction_kind: { params: PARAMS, result: { kind: "string" } },
  junction_shaft: { params: PARAMS, result: { kind: "number" } },
  junction_barb1: { params: PARAMS, result: { kind: "number" } },
  junction_barb2: { params: PARAMS, result: { kind: "number" } },
};

/** For `session`. */
export const FUNCTIONS: NonNullable<OpenOptions["functions"]> = {
  junction_kind: (...points) => at(points).kind,
  junction_shaft: (...points) => at(points).shaft,
  junction_barb1: (...points) => at(points).barb1,
  junction_barb2: (...points) => at(points).barb2,
};

function at(points: readonly unknown[]): Junction {
  const [base = 0, p1 = 0, p2 = 0, p3 = 0] = points.map(Number);
  return junctionOf(base, p1, p2, p3);
}
