/** W15 by hand: the points are sorted, and the first one in a span is found by a binary search. */
import type { Point, Span } from "../data/join-work.ts";

type Fire = (rule: number, id: number) => void;

export class Ranges {
  readonly #spans: Span["fields"][] = [];
  readonly #points: Point["fields"][] = [];

  add(fact: Span | Point): void {
    if (fact.type === "Span") this.#spans.push(fact.fields);
    else this.#points.push(fact.fields);
  }

  /** Calls for every point in every span. */
  fireAll(fire: Fire): void {
    const points = this.#points.sort((a, b) => a.at - b.at);
    for (const { id, from, to } of this.#spans) {
      for (let index = firstFrom(points, from); index < points.length; index++) {
        const point = points[index];
        if (point === undefined || point.at >= to) break;
        fire(id, point.id);
      }
    }
  }
}

/** Returns how many points are before a place. */
function firstFrom(points: readonly Point["fields"][], from: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.at ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
