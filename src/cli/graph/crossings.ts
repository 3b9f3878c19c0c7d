/** Counts how often arrows cross each other, which makes a picture hard to read. */
import type { PlacedArrow, Point } from "./picture.ts";

export function crossings(arrows: readonly PlacedArrow[]): number {
  let count = 0;
  for (const [index, one] of arrows.entries()) {
    for (const other of arrows.slice(index + 1)) {
      const meet = one.from === other.from || one.to === other.to;
      if (!meet) count += pathCrossings(one.points, other.points);
    }
  }
  return count;
}

function pathCrossings(a: readonly Point[], b: readonly Point[]): number {
  let count = 0;
  for (let i = 1; i < a.length; i++) {
    for (let j = 1; j < b.length; j++) if (cross(a[i - 1], a[i], b[j - 1], b[j])) count += 1;
  }
  return count;
}

function cross(a: Point | undefined, b: Point | undefined, c: Point | undefined, d: Point | undefined): boolean {
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
  return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
}

/** Returns on which side of the line through a and b a point lies. */
function side(a: Point, b: Point, point: Point): boolean {
  return (b.x - a.x) * (point.y - a.y) > (b.y - a.y) * (point.x - a.x);
}
