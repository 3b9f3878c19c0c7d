/**
 * Windows and waiting a second time, by definition: loops over all facts, nothing remembered, nothing shared with the engine.
 *
 * A window from T to U is open while now <= U, or while one of them is unknown. A fact is in it when T <= at <= U, and counts when its
 * time has come. An open window is one more piece of evidence of which it is not known whether it fits. The length of a window is unknown when
 * it is below zero. A fact is among the last n when fewer than n come after it, of those that count for certain and those that may, for a
 * whole n above zero; it is unknown when too many of them only may, and for any other n. A fact is in the last d when now - d < at <= now, for a d above zero; for any other d it is unknown, unless at > now.
 */
export type Tri = "T" | "F" | "U";

/** A fact E about a subject. Times are milliseconds. */
export interface Evidence {
  readonly ok: boolean | undefined;
  readonly at: number | undefined;
}

/** A subject, and the clock. */
export interface Moment {
  /** The anchor of windows. */
  readonly t: number | undefined;
  /** The length of windows. */
  readonly d: number | undefined;
  /** How many facts count. */
  readonly n: number | undefined;
  readonly now: number | undefined;
}

export type Leaf =
  | { readonly kind: "wait"; readonly plus: number }
  | { readonly kind: Kind; readonly side: "after" | "before" }
  | { readonly kind: LastKind }
  | { readonly kind: LastKind; readonly of: "facts" }
  | { readonly kind: "quorum"; readonly side: "after" | "before"; readonly min: number; readonly closed: boolean };

export const KINDS = ["exists", "none", "agree", "any", "every", "latest", "count", "later"] as const;
type Kind = (typeof KINDS)[number];

/** Questions about the facts of the last d. */
export const LAST_KINDS = ["recent", "silent", "count last", "any last"] as const;
type LastKind = (typeof LAST_KINDS)[number];

export type Tree =
  | { readonly op: "leaf"; readonly leaf: Leaf }
  | { readonly op: "all" | "any" | "not"; readonly items: readonly Tree[] };

export function treeValue(tree: Tree, bochvar: boolean, leaf: (leaf: Leaf) => Tri): Tri {
  if (tree.op === "leaf") return leaf(tree.leaf);
  const values = tree.items.map((item) => treeValue(item, bochvar, leaf));
  if (bochvar && values.includes("U")) return "U";
  if (tree.op === "not") return turned(values[0] ?? "U");
  const decisive = tree.op === "all" ? "F" : "T";
  return values.includes(decisive) ? decisive : values.includes("U") ? "U" : turned(decisive);
}

export function leafValue(leaf: Leaf, moment: Moment, evidence: readonly Evidence[], bochvar: boolean): Tri {
  const { t, d, now } = moment;
  if (leaf.kind === "wait") {
    return t !== undefined && now !== undefined && now >= t + leaf.plus ? "T" : "U";
  }
  if (!("side" in leaf)) {
    return sumUp(leaf.kind, "of" in leaf ? lastFacts(moment, evidence) : lastTimes(moment, evidence));
  }
  const length = d !== undefined && d >= 0 ? d : NaN;
  const [from, to] = (t === undefined ? [] : leaf.side === "after" ? [t, t + length] : [t - length, t]).map(known);
  const isOpen = to === undefined || now === undefined || now <= to;
  const pieces = evidence.flatMap(({ ok, at }) => {
    const fits = both(both(notAfter(from, at), notAfter(at, to)), notAfter(at, now));
    return fits === "F" ? [] : [{ fits, at, value: fits === "T" ? truth(ok) : ("U" as const) }];
  });
  const isThere: Tri = pieces.some(({ fits }) => fits === "T") ? "T" : pieces.length > 0 || isOpen ? "U" : "F";
  const values = [...pieces.map(({ value }) => value), ...(isOpen ? ["U" as const] : [])];
  switch (leaf.kind) {
    case "exists":
      return isThere;
    case "none":
      return turned(isThere);
    case "agree":
      return unanimous(values);
    case "any":
    case "later":
      return values.includes("T") ? "T" : values.length === 0 || values.includes("U") ? "U" : "F";
    case "every":
      return values.includes("F") ? "F" : values.length === 0 || values.includes("U") ? "U" : "T";
    case "latest": {
      if (isOpen || pieces.some(({ at }) => at === undefined)) return "U";
      const last = Math.max(...pieces.map(({ at }) => at ?? 0));
      return unanimous(pieces.filter(({ at }) => at === last).map(({ value }) => value));
    }
    case "count":
      return isOpen || pieces.some(({ fits }) => fits === "U") ? "U" : pieces.length === 1 ? "T" : "F";
    case "quorum": {
      if (bochvar && values.includes("U")) return "U";
      if (values.filter((value) => value === "T").length >= leaf.min) return "T";
      if (isOpen || values.filter((value) => value !== "F").length >= leaf.min) return "U";
      return leaf.closed && isThere !== "T" ? "U" : "F";
    }
  }
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

interface Piece {
  readonly fits: Tri;
  readonly value: Tri;
}

/** Returns the pieces that are or may be among the last n; the evidence is in the order in which it was asserted. */
function lastFacts({ n, now }: Moment, evidence: readonly Evidence[]): Piece[] {
  const come = evidence.map(({ at }) => notAfter(at, now));
  return evidence.flatMap(({ ok, at }, place): Piece[] => {
    if (come[place] === "F") return [];
    let certain = 0;
    let possible = 0;
    for (const [other, { at: when }] of evidence.entries()) {
      if (other === place || come[other] === "F") continue;
      const isAfter = when === undefined || at === undefined || when > at || (when === at && other > place);
      if (isAfter) possible += 1;
      if (isAfter && come[other] === "T") certain += 1;
    }
    if (n === undefined || n <= 0 || !Number.isInteger(n) || at === undefined) return [{ fits: "U", value: "U" }];
    if (certain >= n) return [];
    return possible < n && come[place] === "T" ? [{ fits: "T", value: truth(ok) }] : [{ fits: "U", value: "U" }];
  });
}

function lastTimes({ d, now }: Moment, evidence: readonly Evidence[]): Piece[] {
  return evidence.flatMap(({ ok, at }) => {
    const isPast = notAfter(at, now);
    const isNew: Tri =
      at === undefined || now === undefined || d === undefined || d <= 0 ? "U" : at > now - d ? "T" : "F";
    const fits = both(isPast, isNew);
    return fits === "F" ? [] : [{ fits, value: fits === "T" ? truth(ok) : ("U" as const) }];
  });
}

function sumUp(kind: LastKind, pieces: readonly Piece[]): Tri {
  const isThere: Tri = pieces.some(({ fits }) => fits === "T") ? "T" : pieces.length > 0 ? "U" : "F";
  switch (kind) {
    case "recent":
      return isThere;
    case "silent":
      return turned(isThere);
    case "count last":
      return pieces.some(({ fits }) => fits === "U") ? "U" : pieces.length < 2 ? "T" : "F";
    case "any last": {
      const values = pieces.map(({ value }) => value);
      return values.includes("T") ? "T" : values.length === 0 || values.includes("U") ? "U" : "F";
    }
  }
}

function unanimous(values: readonly Tri[]): Tri {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : "U";
}

function truth(value: boolean | undefined): Tri {
  return value === undefined ? "U" : value ? "T" : "F";
}

function notAfter(a: number | undefined, b: number | undefined): Tri {
  return a === undefined || b === undefined ? "U" : a <= b ? "T" : "F";
}

function both(a: Tri, b: Tri): Tri {
  return a === "F" || b === "F" ? "F" : a === "U" || b === "U" ? "U" : "T";
}

function turned(value: Tri): Tri {
  return value === "U" ? "U" : value === "T" ? "F" : "T";
}
