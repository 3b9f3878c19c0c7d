/**
 * The inputs of a column as finitely many samples: two inputs that pass the same cells have one sample.
 *
 * The type of the column bounds them: a union has its options, between two dates that follow each other there is nothing. What is
 * between two constants, below the first or above the last is one sample, if there is a value of the type at all.
 */
import { DAY, HOUR, isInRange, MINUTE, SECOND, type TimeKind } from "../../base/time.ts";
import { compareText, type Value } from "../../base/value.ts";
import { Pieces } from "../pieces.ts";
import type { Cell, CellTest, Plain } from "../table.ts";

/** The values that a column can have. */
export type Domain =
  | { readonly kind: "number" | "string" | "bool" | "any" }
  | { readonly kind: TimeKind }
  | { readonly kind: "options"; readonly options: readonly Plain[] };

/** A value of the column, and the piece of the column that it is in; undefined in a column of values of any kind. */
export interface Sample {
  readonly value: Value;
  readonly piece: number | undefined;
}

/** Returns the samples of a column in the order of its pieces. */
export function samplesOf(domain: Domain, cells: readonly Cell[], pieces: Pieces): readonly Sample[] {
  if (domain.kind === "any") return samplesOfAny(cells);
  if (domain.kind === "options") return samplesOfOptions(domain.options, pieces);
  if (domain.kind === "bool") {
    return pieces.count === 2 ? [false, true].map((value, piece) => ({ value, piece })) : [{ value: true, piece: 0 }];
  }
  const line = LINES[domain.kind];
  if (pieces.points.length === 0) return [{ value: line.usual, piece: 0 }];
  if (!isOrdered(cells)) {
    const other = line.other(new Set(pieces.points), pieces.points);
    const points = pieces.points.map((value, place) => ({ value, piece: 2 * place + 1 }));
    return other === undefined ? points : [{ value: other, piece: 0 }, ...points];
  }
  return alongLine(line, pieces.points);
}

/** Returns every point, and a value between each two of them, where there is one. */
function alongLine(line: Line, points: readonly Plain[]): readonly Sample[] {
  const found: Sample[] = [];
  for (let place = 0; place <= points.length; place++) {
    const [below, above] = [points[place - 1], points[place]];
    const value = line.between(below, above);
    if (value !== undefined) found.push({ value, piece: 2 * place });
    if (above !== undefined) found.push({ value: above, piece: 2 * place + 1 });
  }
  return found;
}

function samplesOfOptions(options: readonly Plain[], pieces: Pieces): readonly Sample[] {
  const byPiece = new Map<number, Plain>();
  for (const option of options) {
    const piece = pieces.points.length === 0 ? 0 : pieces.pieceOf(option);
    if (piece !== undefined && !byPiece.has(piece)) byPiece.set(piece, option);
  }
  return Array.from(byPiece, ([piece, value]) => ({ value, piece })).sort((a, b) => a.piece - b.piece);
}

/** Returns samples of every kind of value that constants have. */
function samplesOfAny(cells: readonly Cell[]): readonly Sample[] {
  const constants = cells.flatMap((cell) => (cell ?? []).flatMap(constantsIn));
  const ofKind = (kind: "number" | "string"): readonly Value[] => {
    const points = constants.filter((one) => typeof one === kind);
    if (points.length === 0) return [LINES[kind].usual];
    const pieces = new Pieces([[{ op: "among", values: points }]]);
    return alongLine(LINES[kind], pieces.points).map(({ value }) => value);
  };
  const values: readonly Value[] = [...ofKind("number"), ...ofKind("string"), false, true];
  return values.map((value) => ({ value, piece: undefined }));
}

function constantsIn(test: CellTest): readonly Plain[] {
  if ("values" in test) return test.values;
  return "from" in test ? [test.from, test.to] : [test.value];
}

/** Returns whether a cell compares with more than equality: then it matters between which constants an input is. */
function isOrdered(cells: readonly Cell[]): boolean {
  return cells.some((cell) => cell?.some(({ op }) => !EQUALITIES.has(op)) === true);
}

const EQUALITIES: ReadonlySet<CellTest["op"]> = new Set<CellTest["op"]>(["==", "!=", "among", "not among"]);

// ---------------------------------------------------------------- values of a type in order

/** The values of a type in their order. */
interface Line {
  /** A value as good as any. */
  readonly usual: Plain;
  /** Returns a value that is none of the points; undefined when there is none. */
  other(taken: ReadonlySet<Plain>, points: readonly Plain[]): Plain | undefined;
  /** Returns a value between two others, or at an end; undefined when there is none. */
  between(below: Plain | undefined, above: Plain | undefined): Plain | undefined;
}

const NUMBERS: Line = {
  usual: 0,
  other: (taken) => {
    let value = 0;
    while (taken.has(value)) value += 1;
    return value;
  },
  between: (below, above) => {
    const [low, high] = [below as number | undefined, above as number | undefined];
    if (low === undefined) return within(belowNumber(high ?? 0), undefined, high);
    if (high === undefined) return within(-belowNumber(-low), low, undefined);
    return within(low + 1, low, high) ?? within(low / 2 + high / 2, low, high) ?? within((low + high) / 2, low, high);
  },
};

function belowNumber(value: number): number {
  return Math.max(-Number.MAX_VALUE, value - Math.max(1, Math.abs(value) / 2));
}

function within<Point extends Plain>(
  value: Point,
  below: Point | undefined,
  above: Point | undefined,
): Point | undefined {
  return (below === undefined || value > below) && (above === undefined || value < above) ? value : undefined;
}

const TEXTS: Line = {
  usual: "other",
  other: (taken) => {
    let value = "other";
    for (let count = 2; taken.has(value); count++) value = `other ${count}`;
    return value;
  },
  between: (below, above) => {
    const start = below as string | undefined;
    const candidates = start === undefined ? ["A", "0", " ", ""] : ENDINGS.map((ending) => start + ending);
    return candidates.find(
      (one) =>
        (start === undefined || compareText(one, start) > 0) &&
        (above === undefined || compareText(one, above as string) < 0),
    );
  },
};

/** Nothing is between a string and the same with a NUL character at its end, so the last ending always fits if there is any string. */
const ENDINGS = ["a", "0", "-", " ", "\u0001", "\0"];

function times(kind: TimeKind, steps: readonly number[]): Line {
  const between: Line["between"] = (below, above) => {
    const [low, high] = [below as number | undefined, above as number | undefined];
    const start = low ?? high ?? 0;
    const signed = low === undefined ? steps.map((step) => start - step) : steps.map((step) => start + step);
    const middle = low === undefined || high === undefined ? [] : [low / 2 + high / 2];
    return [...signed, ...middle].find((one) => within(one, low, high) !== undefined && isInRange(kind, one));
  };
  return {
    usual: 0,
    between,
    other: (taken, points) => {
      const [first] = points;
      const gaps = points.map((point, place) => between(point, points[place + 1]));
      return [...gaps.toReversed(), between(undefined, first)].find((one) => one !== undefined && !taken.has(one));
    },
  };
}

const LINES: Readonly<Record<"number" | "string" | TimeKind, Line>> = {
  number: NUMBERS,
  string: TEXTS,
  date: times("date", [1]),
  instant: times("instant", [DAY, HOUR, MINUTE, SECOND, 1]),
  duration: times("duration", [HOUR, MINUTE, SECOND, 1]),
};
