/**
 * Places the states of a pipeline: the path of a request in a column from top to bottom, the ends beside it, each at the height
 * of the steps that lead there.
 */
import type { MeasuredBox, Picture, PlacedArrow, PlacedBox } from "./picture.ts";
import { END_COLORS } from "./look.ts";
import { isEnd } from "./machine.ts";
import type { GraphModel } from "./model.ts";

type Moves = GraphModel["arrows"];

const MARGIN = 16;
const BETWEEN = 26;
/** The space for moves between the column and the ends. */
const ASIDE = 240;
/** The distance between two moves that arrive at an end. */
const APART = 9;

export function layOutMachine(states: readonly MeasuredBox[], moves: Moves): Picture {
  const column = inColumn(states.filter(({ box }) => !isLast(box.id, moves)));
  const ends = besides(
    states.filter(({ box }) => isLast(box.id, moves)),
    column,
    moves,
  );
  const boxes = [...column, ...ends];
  const right = Math.max(...boxes.map(({ x, width }) => x + width / 2));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height / 2));
  const height = Math.ceil(bottom + MARGIN);
  return { width: Math.ceil(right + MARGIN), height, headings: [], boxes, arrows: routed(boxes, moves) };
}

function isLast(id: string, moves: Moves): boolean {
  return moves.every(({ from }) => from !== id);
}

/** Places states one below the other, all as wide as the widest. */
function inColumn(states: readonly MeasuredBox[]): PlacedBox[] {
  const width = Math.max(...states.map((state) => state.width));
  let top = MARGIN;
  return states.map((state) => {
    const y = top + state.height / 2;
    top += state.height + BETWEEN;
    return { ...state, width, x: MARGIN + width / 2, y };
  });
}

/** Places each end where most of its moves come from, with space for all that arrive. */
function besides(ends: readonly MeasuredBox[], column: readonly PlacedBox[], moves: Moves): PlacedBox[] {
  const heights = new Map(column.map(({ box, y }) => [box.id, y]));
  const middle = ({ box }: MeasuredBox): number => {
    const from = moves.filter(({ to, how }) => to === box.id && how === undefined);
    const ys = from.flatMap((move) => heights.get(move.from) ?? []);
    return ys.length === 0 ? Infinity : ys.reduce((sum, y) => sum + y, 0) / ys.length;
  };
  const width = Math.max(...ends.map((end) => end.width));
  const x = Math.max(...column.map((state) => state.x + state.width / 2)) + ASIDE + width / 2;
  const sized = ends.map((end) => {
    const arriving = moves.filter(({ to }) => to === end.box.id).length;
    return { ...end, width, height: Math.max(end.height, arriving * APART + 2 * APART) };
  });
  const last = column.at(-1);
  const bottom = last === undefined ? 0 : last.y + last.height / 2;
  const total = sized.reduce((sum, end) => sum + end.height + BETWEEN, -BETWEEN);
  let top = MARGIN;
  let left = total;
  return sized
    .toSorted((a, b) => middle(a) - middle(b))
    .map((end) => {
      const preferred = Math.min(middle(end) - end.height / 2, Math.max(bottom - left, top));
      const y = Math.max(top, preferred) + end.height / 2;
      top = y + end.height / 2 + BETWEEN;
      left -= end.height + BETWEEN;
      return { ...end, x, y };
    });
}

function routed(boxes: readonly PlacedBox[], moves: Moves): PlacedArrow[] {
  const at = new Map(boxes.map((box) => [box.box.id, box]));
  const drawn = moves.flatMap((move) => {
    const from = at.get(move.from);
    const to = at.get(move.to);
    return from === undefined || to === undefined ? [] : [{ move, from, to }];
  });
  const arrows = drawn.map(({ move, from, to }): PlacedArrow => {
    if (from.x === to.x) {
      const points = [
        { x: from.x, y: from.y + from.height / 2 },
        { x: to.x, y: to.y - to.height / 2 },
      ];
      return { ...move, points };
    }
    const leaving = drawn.filter((one) => one.from === from && one.to.x !== from.x).map((one) => one.to);
    const arriving = drawn.filter((one) => one.to === to).map((one) => one.from);
    const points = [
      { x: from.x + from.width / 2, y: from.y + offset(leaving, to, from.height) },
      { x: to.x - to.width / 2, y: to.y + offset(arriving, from, to.height) },
    ];
    return { ...move, ...(isEnd(to.box.name) ? { color: END_COLORS[to.box.name] } : {}), points };
  });
  // What is never taken lies behind what is.
  return arrows.toSorted((a, b) => Number(b.how === "never") - Number(a.how === "never"));
}

/** Returns where an arrow meets a side, among the others in the order of where they come from. */
function offset(others: readonly PlacedBox[], of: PlacedBox, height: number): number {
  const sorted = others.toSorted((a, b) => a.y - b.y);
  const step = Math.min(APART, (height - 12) / Math.max(1, sorted.length - 1));
  return (sorted.indexOf(of) - (sorted.length - 1) / 2) * step;
}
