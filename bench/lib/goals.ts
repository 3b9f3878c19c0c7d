/**
 * What the engine aims for, and how far it is, worked out from what was measured last. Each line has what must hold and, where
 * it is not the same, what we would like; a goal that is missed says why.
 */
import type { Row } from "./benchmark.ts";
import { divided, type Find, type Goal, NEWER } from "./goal.ts";
import type { Measured } from "./results.ts";
import { SESSION_GOALS } from "./session-goals.ts";
import { figureText, type Table } from "./table.ts";
import { WORK_GOALS } from "./work-goals.ts";

/** Less cannot be told from noise. */
const NOTICED = 1.05;
const OBJECTS = "matches and places in tables are objects, and collecting them takes its part";
const DOOR = "facts are copied, checked and kept under an id, which the program by hand does not do";

const GOALS: readonly Goal[] = [
  byHand("W1", 5000, "what waits to fire is kept on an agenda"),
  byHand("W4", 1000),
  byHand("W2", 11_000, DOOR),
  byHand("W5", 10_000, DOOR),
  fasterThanClips("W1", 5000, 5),
  fasterThanClips("W4", 1000, 5),
  fasterThanClips("W2", 11_000, 1),
  fasterThanClips("W5", 10_000, 1),
  onClips("manners", 128, 1 / 10, OBJECTS),
  onClips("waltz", 50, 1 / 3, OBJECTS),
  onClips("waltzdb", 16, 1 / 3, OBJECTS),
  firstRun("manners", 128, 1),
  firstRun("waltz", 50),
  firstRun("waltz", 200, 1),
  firstRun("waltzdb", 16),
  {
    what: "a fact with 100,000 rules, against 100",
    must: 4,
    goal: 2,
    unit: "x",
    of: (find) =>
      divided(find("scale", "rules", 100_000, "sluice", "warm"), find("scale", "rules", 100, "sluice", "warm")),
    why: "nodes of 100,000 rules do not fit into the caches; the program by hand slows down as much",
  },
  {
    what: "100,000 rules, from text to ready",
    must: 60,
    goal: 15,
    unit: "s",
    of: (find) => divided(find("scale", "rules", 100_000, "sluice", "build"), 1000),
    why: "reading takes 10 s, and every node is looked up by its text so that a reload finds it again",
  },
  {
    what: "memory of a rule, of 100,000",
    must: undefined,
    goal: 6 * 1024,
    unit: "B",
    of: (find) => find("scale", "rules", 100_000, "sluice", "ruleBytes"),
    why: "the trees that explanations are written from are kept, and each node its texts",
  },
  {
    what: "1,000,000 facts, loaded and fired",
    must: 8,
    goal: 3,
    unit: "s",
    of: (find) =>
      divided(
        (find("scale", "facts", 1_000_000, "sluice", "load") ?? Number.NaN) +
          (find("scale", "facts", 1_000_000, "sluice", "run") ?? Number.NaN),
        1000,
      ),
    why: DOOR,
  },
  {
    what: "memory of a fact, of 1,000,000",
    must: 700,
    goal: 400,
    unit: "B",
    of: (find) => find("scale", "facts", 1_000_000, "sluice", "factBytes"),
    why: "matches and places in tables are objects, not records in typed arrays",
  },
  sharing("alpha nodes", "alpha", 0.1),
  sharing(
    "time",
    "fact",
    0.2,
    "nodes that are not shared are found through the values of a fact all the same; 10,000 rules show the difference",
  ),
  {
    what: "one change to rest, 99 of 100",
    must: 1,
    goal: 0.1,
    unit: "ms",
    of: (find) => divided(find("latency", "retract, assert", 100_000, "sluice", "p99"), 1000),
  },
  {
    what: "a run with the trace switched off, against one that never had any",
    must: NOTICED,
    goal: undefined,
    unit: "x",
    of: (find) =>
      divided(find("trace", "orders", 300, "sluice", "off"), find("trace", "orders", 300, "sluice", "default")),
    why: "who listens is asked for with every firing",
  },
  ...WORK_GOALS,
  ...SESSION_GOALS,
];

function sharing(what: string, figure: string, goal: number, why?: string): Goal {
  const of = (find: Find, engine: string): number | undefined => find("sharing", "and", 1000, engine, figure);
  return {
    what: `${what} that sharing leaves, of 1,000 rules`,
    must: undefined,
    goal,
    unit: "share",
    of: (find) => divided(of(find, "sluice"), of(find, "sluice, sharing off")),
    ...(why === undefined ? {} : { why }),
  };
}

function byHand(work: string, size: number, why?: string): Goal {
  return {
    what: `${work} with ${size.toLocaleString("en")}, against a program by hand`,
    must: 6,
    goal: 3,
    unit: "x",
    of: (find) =>
      divided(find("workloads", work, size, "sluice", "warm"), find("workloads", work, size, "hand", "warm")),
    ...(why === undefined ? {} : { why }),
  };
}

function onClips(work: string, size: number, share: number, why: string): Goal {
  return {
    what: `${work} ${size}, warm, against CLIPS 6.30`,
    must: 1,
    goal: share / NEWER,
    unit: "x",
    of: (find) => divided(find("peers", work, size, "sluice", "warm"), find("peers", work, size, "clips", "warm")),
    why,
  };
}

function fasterThanClips(work: string, size: number, times: number): Goal {
  return {
    what: `${work} with ${size.toLocaleString("en")}, against CLIPS 6.30`,
    must: undefined,
    goal: 1 / times / NEWER,
    unit: "x",
    of: (find) => divided(find("peers", work, size, "sluice", "warm"), find("peers", work, size, "clips", "warm")),
    why: DOOR,
  };
}

function firstRun(work: string, size: number, goal?: number): Goal {
  return {
    what: `${work} ${size}, first run, against CLIPS 6.30`,
    must: 4 / NEWER,
    goal: goal === undefined ? undefined : goal / NEWER,
    unit: "x",
    // The best of several processes; beside CLIPS there is one. A first run is held against a first run.
    of: (find) => divided(find(work, work, size, "sluice", "first"), find("peers", work, size, "clips", "first")),
    why: "the machine code is not made yet",
  };
}

/** What has not been measured is left out. */
export function goalTable(measured: readonly Measured[]): Table {
  const rows = measured.flatMap(({ rows: all }) => all);
  const find: Find = (bench, work, size, engine, figure) =>
    rows.find(isRow(bench, work, size, engine))?.figures[figure];
  const lines = GOALS.flatMap((goal) => {
    const figure = goal.of(find);
    return figure === undefined ? [] : [lineOf(goal, figure)];
  });
  return { head: ["what", "measured", "must", "goal", ""], lines };
}

function isRow(bench: string, work: string, size: number, engine: string): (row: Row) => boolean {
  return (row) => row.bench === bench && row.work === work && row.size === size && row.engine === engine;
}

function lineOf({ what, must, goal, unit, why = "" }: Goal, figure: number): string[] {
  const text = (value: number | undefined): string => (value === undefined ? "" : wordsOf(value, unit));
  return [what, text(figure), text(must), text(goal), verdictOf(figure, must, goal, why)];
}

function verdictOf(figure: number, must: number | undefined, goal: number | undefined, why: string): string {
  if (must !== undefined && figure > must) return `**not reached**: ${why}`;
  if (goal !== undefined && figure > goal) return `goal missed: ${why}`;
  return must === undefined && goal === undefined ? "" : "reached";
}

function wordsOf(value: number, unit: Goal["unit"]): string {
  switch (unit) {
    case "x":
      return `${figureText(value, "x")} ×`;
    case "share":
      return `${figureText(100 * value, "x")} %`;
    case "s":
      return `${figureText(value, "x")} s`;
    case "power":
      return `n^${figureText(value, "x")}`;
    default:
      return `${figureText(value, unit)} ${unit}`;
  }
}
