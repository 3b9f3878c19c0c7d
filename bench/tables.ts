/**
 * How long one decision by a table takes, by the number of its rows. `constants` are rows for single values, `ranges` are bounds one above
 * the other, `grid` is a row for each pair of a constant and a range, `overrides` are rows for single customers and others for single
 * products, each with `-` in the other column.
 *
 *   npm run bench -- tables
 */
import { compile } from "../src/index.ts";
import { below, SEED, seeded } from "./data/random.ts";
import { type Benchmark, type Case, type Figures, verify } from "./lib/benchmark.ts";
import { collectGarbage } from "./lib/repeat.ts";

const SIZES = [10, 100, 1000, 10_000];
const DECISIONS = 20_000;

type Work = "constants" | "ranges" | "grid" | "overrides";

/** Returns the cells of a row, and what the table gives for inputs. */
const TABLES: Readonly<
  Record<
    Work,
    {
      readonly row: (row: number, rows: number) => string;
      readonly gives: (a: string, b: number, rows: number) => number;
    }
  >
> = {
  constants: { row: (row) => `"k${row}" | -`, gives: (a) => Number(a.slice(1)) },
  ranges: { row: (row) => `- | [${row}..${row + 1})`, gives: (_, b) => Math.floor(b) },
  grid: {
    row: (row, rows) => {
      const side = sideOf(rows);
      return `"k${row % side}" | [${Math.floor(row / side)}..${Math.floor(row / side) + 1})`;
    },
    gives: (a, b, rows) => Math.floor(b) * sideOf(rows) + Number(a.slice(1)),
  },
  overrides: {
    row: (row, rows) => (row < rows / 2 ? `"k${row}" | -` : `- | ${row - rows / 2}`),
    gives: (a, b, rows) => (Number(a.slice(1)) < rows / 2 ? Number(a.slice(1)) : b + rows / 2),
  },
};

function sideOf(rows: number): number {
  return Math.ceil(Math.sqrt(rows));
}

/** Returns inputs for which a row applies. */
function inputOf(work: Work, rows: number, random: () => number): { readonly a: string; readonly b: number } {
  const pick = below(random, rows);
  if (work === "constants") return { a: `k${pick}`, b: 0 };
  if (work === "ranges") return { a: "k0", b: pick + 0.5 };
  if (work === "overrides") return pick < rows / 2 ? { a: `k${pick}`, b: -1 } : { a: "none", b: pick - rows / 2 };
  return { a: `k${pick % sideOf(rows)}`, b: Math.floor(pick / sideOf(rows)) + 0.5 };
}

function measure(work: Work, rows: number): Figures {
  const { row, gives } = TABLES[work];
  const lines = Array.from({ length: rows }, (_, at) => `| ${row(at, rows)} || ${at} |`).join("\n");
  const source = `type Ask(#id: number, a: string, b: number)
table t(q: Ask) first {\n| q.a | q.b || number |\n${lines}\n}
rule "answer" { when q: Ask let v = t(q) then retract(q) }`;
  const program = compile(source, { limits: { statementLexemes: 1_000_000, sourceBytes: 64 * 1024 * 1024 } });
  const session = program.session();
  const random = seeded(SEED);
  const inputs = Array.from({ length: 2 * DECISIONS }, () => inputOf(work, rows, random));
  const ask = (from: number): number => {
    let sum = 0;
    for (let id = from; id < from + DECISIONS; id++) {
      session.assert("Ask", { id, ...inputs[id] });
      sum += Number(session.run().fired[0]?.bindings["v"]);
    }
    return sum;
  };
  ask(0);
  collectGarbage();
  const start = performance.now();
  const sum = ask(DECISIONS);
  const each = (1000 * (performance.now() - start)) / DECISIONS;
  const wanted = inputs.slice(DECISIONS).reduce((total, { a, b }) => total + gives(a, b, rows), 0);
  verify({ sum }, { sum: wanted });
  return { each };
}

const CASES: readonly Case[] = (["constants", "ranges", "grid", "overrides"] as const).flatMap((work) =>
  SIZES.map((size) => ({ work, size, engine: "sluice", measure: () => measure(work, size) })),
);

export const benchmark: Benchmark = {
  about: "one decision by a table, with the fact that asks for it (size: rows)",
  shows: "each",
  picture: "curves",
  figures: [{ key: "each", title: "each", unit: "µs" }],
  cases: CASES,
};
