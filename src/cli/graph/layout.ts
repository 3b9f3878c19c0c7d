/**
 * Places boxes and routes arrows: laid out in layers from left to right by dagre. The state machines of pipelines stand below,
 * each with a heading.
 */
import { widthOf } from "../columns.ts";
import { crossings } from "./crossings.ts";
import { layOutMachine } from "./machine-layout.ts";
import { measure, SMALL_CHARACTER, SMALL_LINE } from "./measure.ts";
import type { GraphModel } from "./model.ts";
import type { MeasuredBox, Picture, PlacedArrow, PlacedBox, Point } from "./picture.ts";

const MARGIN = 16;

/** The weights of arrows for dagre: a larger one keeps its boxes closer. */
const WEIGHTS = { facts: 1, inner: 1, results: 1, matches: 3, values: 3, moves: 3 } as const;

/** The most crossings of arrows per box; beyond that, arrows that bring facts to joins become text on the joins. */
const CROSSINGS_PER_BOX = 0.12;
const CROSSINGS_ALWAYS = 3;

/**
 * Chains of alpha nodes and chains of matches are trees: they can be drawn without a crossing. What crosses are the arrows
 * that bring facts to joins from elsewhere. A small picture shows them; in a large one each join names where its facts
 * come from instead.
 */
export async function layOut(model: GraphModel): Promise<Picture> {
  const isState = new Set(model.boxes.flatMap(({ id, of }) => (of === undefined ? [] : [id])));
  const network = {
    boxes: model.boxes.filter(({ id }) => !isState.has(id)),
    arrows: model.arrows.filter(({ from, to }) => !isState.has(from) && !isState.has(to)),
  };
  return below(await layOutNetwork(network), machinesOf(model));
}

/** Returns the state machines of a model, each with its heading. */
function machinesOf({ boxes, arrows }: GraphModel): { readonly words: string; readonly picture: Picture }[] {
  return boxes.flatMap(({ id: beginning, text }) => {
    const states = boxes.filter(({ of }) => of === beginning);
    if (states.length === 0) return [];
    const ids = new Set(states.map(({ id }) => id));
    const moves = arrows.filter(({ from }) => ids.has(from));
    const measured = states.map((state) => measure(state, []));
    return [{ words: text, picture: layOutMachine(measured, moves) }];
  });
}

const HEADING = 34;

function below(network: Picture, machines: readonly { readonly words: string; readonly picture: Picture }[]): Picture {
  return machines.reduce((above, { words, picture }) => {
    const top = above.height + HEADING;
    const heading = { words, x: MARGIN, y: top - 4 };
    const lower = (point: Point): Point => ({ x: point.x, y: point.y + top });
    return {
      width: Math.max(above.width, picture.width),
      height: top + picture.height,
      headings: [...above.headings, heading],
      boxes: [...above.boxes, ...picture.boxes.map((box) => ({ ...box, ...lower(box) }))],
      arrows: [...above.arrows, ...picture.arrows.map((arrow) => ({ ...arrow, points: arrow.points.map(lower) }))],
    };
  }, network);
}

/** Returns the lane of an arrow: arrows between the same boxes run side by side when their lanes differ, and otherwise share a path. */
type Lane = (carries: PlacedArrow["carries"]) => string;

/** The picture of a program without rules and types. */
const NOTHING: Picture = { width: 0, height: 0, headings: [], boxes: [], arrows: [] };

async function layOutNetwork(model: GraphModel): Promise<Picture> {
  if (model.boxes.length === 0) return NOTHING;
  const { Graph, layout } = await import("@dagrejs/dagre");
  const draw = (boxes: readonly MeasuredBox[], arrows: GraphModel["arrows"], lane: Lane): Picture => {
    const graph = new Graph({ multigraph: true });
    graph.setGraph({ rankdir: "LR", nodesep: 16, ranksep: 70, edgesep: 10, marginx: MARGIN, marginy: MARGIN });
    for (const { box, width, height } of boxes) graph.setNode(box.id, { width, height });
    for (const { from, to, carries, label } of arrows) {
      const room =
        label === undefined ? {} : { width: widthOf(label) * SMALL_CHARACTER + 8, height: SMALL_LINE, labelpos: "c" };
      graph.setEdge(from, to, { weight: WEIGHTS[carries], ...room }, lane(carries));
    }
    layout(graph);
    const size = graph.graph() as { width?: number; height?: number };
    const placed = boxes.map((box) => ({ ...box, ...(graph.node(box.box.id) as Point) }));
    const routed = arrows.map((arrow) => {
      const { points, x, y } = graph.edge(arrow.from, arrow.to, lane(arrow.carries)) as Partial<Point> & {
        points: readonly Point[];
      };
      return { ...arrow, points, ...(arrow.label === undefined ? {} : { labelAt: { x: x ?? 0, y: y ?? 0 } }) };
    });
    return atSides({
      width: Math.ceil(size.width ?? 0),
      height: Math.ceil(size.height ?? 0),
      headings: [],
      boxes: placed,
      arrows: routed,
    });
  };
  // dagre fails on some graphs in which several arrows lead from one box to another and one leads back.
  const place = (boxes: readonly MeasuredBox[], arrows: GraphModel["arrows"]): Picture => {
    try {
      return draw(boxes, arrows, (carries) => carries);
    } catch {
      return draw(boxes, arrows, () => "all");
    }
  };
  const boxes = model.boxes.map((box) => measure(box, []));
  const picture = place(boxes, model.arrows);
  if (crossings(picture.arrows) <= CROSSINGS_ALWAYS + boxes.length * CROSSINGS_PER_BOX) return picture;
  const { kept, named } = withWords(model);
  return place(
    model.boxes.map((box) => measure(box, named.get(box.id) ?? [])),
    kept,
  );
}

interface Worded {
  readonly kept: GraphModel["arrows"];
  /** For each join, where its facts come from. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

function withWords({ boxes, arrows }: GraphModel): Worded {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const named = new Map<string, string[]>();
  const kept = arrows.filter(({ from, to, carries }) => {
    const source = byId.get(from);
    const bringsFacts = source?.kind === "type" || source?.kind === "alpha";
    if (source === undefined || !bringsFacts || carries === "matches" || byId.get(to)?.kind === "alpha") return true;
    named.set(to, [...(named.get(to) ?? []), `from ${source.passed ?? source.name}`]);
    return false;
  });
  return { kept, named };
}

/** Moves the ends of arrows to the sides of boxes: they leave on the right and arrive on the left, one below the other. */
function atSides(picture: Picture): Picture {
  const boxes = new Map(picture.boxes.map((box) => [box.box.id, box]));
  const offsets = new Map<PlacedArrow, { start: number; end: number }>();
  for (const arrow of picture.arrows) offsets.set(arrow, { start: 0, end: 0 });
  for (const [id, { height }] of boxes) {
    const spread = (
      arrows: readonly PlacedArrow[],
      side: "start" | "end",
      near: (arrow: PlacedArrow) => number,
    ): void => {
      const sorted = arrows.toSorted((a, b) => near(a) - near(b));
      const step = Math.min(12, (height - 16) / Math.max(1, sorted.length - 1));
      for (const [index, arrow] of sorted.entries()) {
        const offset = offsets.get(arrow);
        if (offset !== undefined) offset[side] = (index - (sorted.length - 1) / 2) * step;
      }
    };
    spread(
      picture.arrows.filter(({ from }) => from === id),
      "start",
      ({ points }) => points[1]?.y ?? 0,
    );
    spread(
      picture.arrows.filter(({ to }) => to === id),
      "end",
      ({ points }) => points.at(-2)?.y ?? 0,
    );
  }
  const ranks = ranksOf(picture.boxes);
  const arrows = picture.arrows.map((arrow) => {
    const from = boxes.get(arrow.from);
    const to = boxes.get(arrow.to);
    const offset = offsets.get(arrow);
    if (from === undefined || to === undefined || offset === undefined) return arrow;
    if (from === to) return arrow;
    // A move back to an earlier stage leaves on the left and arrives on the right.
    const side = from.x > to.x ? -1 : 1;
    const start = { x: from.x + (side * from.width) / 2, y: from.y + offset.start };
    const end = { x: to.x - (side * to.width) / 2, y: to.y + offset.end };
    // The one point between neighbours is where a label would be.
    const labelled = arrow.labelAt === undefined ? [] : [arrow.labelAt];
    const between = arrow.points.length > 3 ? arrow.points.slice(1, -1) : labelled;
    const points = side < 0 ? [start, ...between, end] : betweenRanks([start, ...between, end], from, to, ranks);
    return { ...arrow, points };
  });
  return { ...picture, arrows };
}

/** The left and right edges of each rank of boxes, by its middle. */
type Ranks = ReadonlyMap<number, { readonly left: number; readonly right: number }>;

function ranksOf(boxes: readonly PlacedBox[]): Ranks {
  const ranks = new Map<number, { left: number; right: number }>();
  for (const { x, width } of boxes) {
    const rank = ranks.get(Math.round(x));
    const left = Math.min(x - width / 2, rank?.left ?? Infinity);
    ranks.set(Math.round(x), { left, right: Math.max(x + width / 2, rank?.right ?? -Infinity) });
  }
  return ranks;
}

/** Makes arrows rise and fall only between ranks: inside a rank they are level, so that they touch no box there. */
function betweenRanks(points: readonly Point[], from: PlacedBox, to: PlacedBox, ranks: Ranks): Point[] {
  return points.flatMap((point, index) => {
    const rankOf = (x: number): { readonly left: number; readonly right: number } | undefined =>
      ranks.get(Math.round(x));
    if (index === 0) return [point, { x: rankOf(from.x)?.right ?? point.x, y: point.y }];
    if (index === points.length - 1) return [{ x: rankOf(to.x)?.left ?? point.x, y: point.y }, point];
    const rank = rankOf(point.x);
    return rank === undefined
      ? [point]
      : [
          { x: rank.left, y: point.y },
          { x: rank.right, y: point.y },
        ];
  });
}
