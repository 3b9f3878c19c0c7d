/**
 * Makes a model fit a budget of boxes and arrows, so that laying it out ends and the picture can be read.
 *
 * Each step draws several boxes as one and leaves the arrows between the others. The steps go from what loses least to what
 * loses most, and stop as soon as the model fits. Every step that was taken is reported.
 */
import type { Box, BoxKind, GraphModel } from "./model.ts";

export interface Collapsed {
  readonly model: GraphModel;
  /** What was collapsed, one sentence per step; empty when the model fits as it is. */
  readonly notes: readonly string[];
}

/** Collapses a model until it has at most `most` boxes and arrows together. */
export function collapsed(whole: GraphModel, most: number): Collapsed {
  const notes: string[] = [];
  let model = whole;
  for (const { group, name, note } of STEPS) {
    if (sizeOf(model) <= most) break;
    const next = quotient(model, group(model), name);
    const merged = model.boxes.length - next.boxes.length;
    if (merged === 0 && next.arrows.length === model.arrows.length) continue;
    notes.push(note(merged));
    model = next;
  }
  return { model, notes };
}

export function sizeOf({ boxes, arrows }: GraphModel): number {
  return boxes.length + arrows.length;
}

/** For each box the key of its group; a box without one stays as it is. */
type Grouping = ReadonlyMap<string, string>;

interface Step {
  readonly group: (model: GraphModel) => Grouping;
  /** Returns the text of the box that is drawn for several. */
  readonly name: (parts: readonly Box[]) => Partial<Box>;
  readonly note: (merged: number) => string;
}

const JUDGES: ReadonlySet<BoxKind> = new Set(["gate", "flow", "guardian", "pipeline"]);
const ENDS: ReadonlySet<BoxKind> = new Set(["rule", ...JUDGES]);

const STEPS: readonly Step[] = [
  {
    group: (model) => alike(model),
    name: (parts) => ({ alike: parts.reduce((sum, { alike: before }) => sum + (before ?? 1), 0) }),
    note: (merged) => `${counted(merged)} boxes are merged into boxes with the same text, such as alternatives of "or"`,
  },
  {
    group: (model) => intoOwners(model),
    name: (parts) => inside(parts),
    note: (merged) => `${counted(merged)} nodes of a single rule, gate, flow, guardian or pipeline are drawn inside it`,
  },
  {
    group: (model) => sharedIntoTypes(model),
    name: (parts) => inside(parts),
    note: (merged) => `${counted(merged)} shared nodes are drawn inside the types they start from`,
  },
  {
    group: (model) => endsBySources(model),
    name: (parts) => together(parts),
    note: (merged) =>
      `${counted(merged)} rules, gates, flows, guardians and pipelines are drawn together with others that read the same types`,
  },
  {
    group: ({ boxes }) => new Map(boxes.map(({ id, kind }) => [id, kind === "type" ? "type" : kind])),
    name: (parts) => together(parts),
    note: (merged) => `${counted(merged)} more boxes are drawn as one box for each kind`,
  },
];

// ---------------------------------------------------------------- which boxes go together

/** Groups boxes with the same text, rules and depth: chains that differ only above them. */
function alike(model: GraphModel): Grouping {
  const depths = depthsOf(model);
  const keys = new Map<string, string>();
  for (const { id, kind, text, rules } of model.boxes) {
    const depth = depths.get(id);
    if (depth === undefined || kind === "type" || kind === "stage" || kind === "state" || ENDS.has(kind)) continue;
    keys.set(id, JSON.stringify([kind, text, rules, depth]));
  }
  return keys;
}

/** Returns the length of the longest path to each box; boxes on a cycle have none. */
function depthsOf({ boxes, arrows }: GraphModel): Map<string, number> {
  const waiting = new Map(boxes.map(({ id }) => [id, 0]));
  const after = new Map<string, string[]>();
  for (const { from, to } of arrows) {
    waiting.set(to, (waiting.get(to) ?? 0) + 1);
    const known = after.get(from);
    if (known === undefined) after.set(from, [to]);
    else known.push(to);
  }
  const depths = new Map<string, number>();
  const least = new Map<string, number>();
  const ready = boxes.map(({ id }) => id).filter((id) => waiting.get(id) === 0);
  for (const id of ready) {
    const depth = least.get(id) ?? 0;
    depths.set(id, depth);
    for (const to of after.get(id) ?? []) {
      least.set(to, Math.max(least.get(to) ?? 0, depth + 1));
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  return depths;
}

/** Groups nodes that only one rule or judge depends on with it. */
function intoOwners({ boxes }: GraphModel): Grouping {
  const owners = new Map<string, string>();
  for (const { id, kind, rules } of boxes) if (ENDS.has(kind)) for (const rule of rules) owners.set(rule, id);
  const keys = new Map<string, string>();
  for (const { id, kind, rules, of } of boxes) {
    const [only, ...more] = rules;
    const owner = of ?? (only === undefined || more.length > 0 || kind === "type" ? undefined : owners.get(only));
    keys.set(id, owner ?? id);
  }
  return keys;
}

/** Groups shared nodes with the type that the first of their facts come from. */
function sharedIntoTypes({ boxes, arrows }: GraphModel): Grouping {
  const kinds = new Map(boxes.map(({ id, kind }) => [id, kind]));
  const before = new Map<string, string>();
  for (const { from, to } of arrows) if (!before.has(to) && kinds.get(to) !== "type") before.set(to, from);
  const keys = new Map<string, string>();
  for (const { id, kind } of boxes) {
    if (kind === "type" || ENDS.has(kind)) continue;
    let at: string | undefined = id;
    for (let step = 0; at !== undefined && kinds.get(at) !== "type" && step < boxes.length; step++) at = before.get(at);
    if (at !== undefined) keys.set(id, at);
  }
  for (const key of new Set(keys.values())) keys.set(key, key);
  return keys;
}

/** Groups rules and judges that the same boxes lead to. */
function endsBySources({ boxes, arrows }: GraphModel): Grouping {
  const sources = new Map<string, Set<string>>();
  for (const { from, to } of arrows) sources.set(to, (sources.get(to) ?? new Set()).add(from));
  const ends = boxes.filter(({ kind }) => ENDS.has(kind));
  return new Map(ends.map(({ id, kind }) => [id, JSON.stringify([kind, [...(sources.get(id) ?? [])].sort()])]));
}

// ---------------------------------------------------------------- what is drawn for them

function inside(parts: readonly Box[]): Partial<Box> {
  return { inside: parts.reduce((sum, one) => sum + (one.inside ?? 0) + (one.alike ?? 1), -1) };
}

const NAMES_SHOWN = 3;

function together(parts: readonly Box[]): Partial<Box> {
  const [first] = parts;
  const names = parts
    .slice(0, NAMES_SHOWN)
    .map(({ kind, name, text }) => (kind === "rule" || kind === "type" ? name : text));
  const more = parts.length > NAMES_SHOWN ? ", …" : "";
  const title = `${counted(parts.length)} ${first?.kind ?? ""}s: ${names.join(", ")}${more}`;
  return { name: title, text: first?.kind === "rule" || first?.kind === "type" ? "" : title, ...inside(parts) };
}

/** Draws one box per group: the rule, judge or type among its parts, or else the first. */
function quotient(model: GraphModel, groups: Grouping, name: Step["name"]): GraphModel {
  const parts = new Map<string, Box[]>();
  const keyOf = (id: string): string => (groups.has(id) ? `group ${groups.get(id)}` : id);
  for (const box of model.boxes) {
    const key = keyOf(box.id);
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [box]);
    else known.push(box);
  }
  const ids = new Map<string, string>();
  const boxes = [...parts].map(([key, all]) => {
    const box = drawnFor(all, name);
    ids.set(key, box.id);
    return box;
  });
  const arrows = new Map<string, GraphModel["arrows"][number]>();
  for (const arrow of model.arrows) {
    const from = ids.get(keyOf(arrow.from)) ?? arrow.from;
    const to = ids.get(keyOf(arrow.to)) ?? arrow.to;
    const key = JSON.stringify([from, to, arrow.carries]);
    if ((from !== to || arrow.from === arrow.to) && !arrows.has(key)) arrows.set(key, { ...arrow, from, to });
  }
  return { boxes, arrows: [...arrows.values()] };
}

function drawnFor(parts: readonly Box[], name: Step["name"]): Box {
  const [first] = parts;
  if (first === undefined) throw new Error("a group has a box");
  if (parts.length === 1) return first;
  const shown = parts.find(({ kind }) => ENDS.has(kind) || kind === "type") ?? first;
  const rules = [...new Set(parts.flatMap((one) => one.rules))];
  const counts = parts.flatMap(({ kind, count }) => (kind === shown.kind && count !== undefined ? [count] : []));
  const count = counts.length === 0 ? {} : { count: counts.reduce((sum, one) => sum + one, 0) };
  return { ...shown, rules, ...count, ...name(parts) };
}

export function counted(count: number): string {
  return count.toLocaleString("en-US");
}
