/** W7: a chain of six types, each fact linked to one of the type before. W15: spans and points in them. */
import { below, SEED, seeded, shuffle } from "./random.ts";

export const CHAIN = ["A", "B", "C", "D", "E", "F"] as const;

export interface Link {
  readonly type: (typeof CHAIN)[number];
  readonly fields: { readonly id: number; readonly up: number; readonly kind: number };
}

/** Kinds of facts; the rule is about one of them. */
const KINDS = 50;
export const KIND = 7;

/** Returns so many facts of each type, in random order. */
export function chainWork(each: number): Link[] {
  const random = seeded(SEED + 11);
  const all = CHAIN.flatMap((type) =>
    Array.from({ length: each }, (_, id): Link => {
      return { type, fields: { id, up: below(random, each), kind: below(random, KINDS) } };
    }),
  );
  return shuffle(random, all);
}

export interface Span {
  readonly type: "Span";
  readonly fields: { readonly id: number; readonly from: number; readonly to: number };
}

export interface Point {
  readonly type: "Point";
  readonly fields: { readonly id: number; readonly at: number };
}

const WIDTH = 1_000_000;
const POINTS_IN_SPAN = 2;

/** Returns so many spans and points, in random order. A span has two points in it on average. */
export function rangeWork(each: number): (Span | Point)[] {
  const random = seeded(SEED + 12);
  const length = Math.round((POINTS_IN_SPAN * WIDTH) / each);
  const spans = Array.from({ length: each }, (_, id): Span => {
    const from = below(random, WIDTH - length);
    return { type: "Span", fields: { id, from, to: from + length } };
  });
  const points = Array.from({ length: each }, (_, id): Point => ({
    type: "Point",
    fields: { id, at: below(random, WIDTH) },
  }));
  return shuffle(random, [...spans, ...points]);
}
