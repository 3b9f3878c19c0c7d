/**
 * How long one decision by a table takes, by the number of its rows, and how long its row takes to find; both also against a table of
 * ten rows. `constants` are rows for single values, `ranges` are bounds one above the other, `grid` is a row for each pair of a constant
 * and a range, `overrides` are rows for single customers and others for single products, each with `-` in the other column.
 *
 *   npm run bench -- tables
 */
import { compile, type Session } from "../src/index.ts";
import { DecisionTable } from "../src/tables/decide.ts";
import type { TableData } from "../src/tables/table.ts";
import { checkFiles } from "../src/tools.ts";
import { below, SEED, seeded } from "./data/random.ts";
import { type Benchmark, type Case, type Figures, verify } from "./lib/benchmark.ts";
import { collectGarbage } from "./lib/repeat.ts";

const SIZES = [10, 100, 1000, 10_000];
/** Decisions in one round. */
const DECISIONS = 20_000;
const ROUNDS = 5;
const LIMITS = { statementLexemes: 1_000_000, sourceBytes: 64 * 1024 * 1024 };

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

/** A table, ready to be asked. */
class Asked {
  /** Microseconds of one decision: its fact comes, the rule fires with the value of the table, the fact goes. The best of all rounds. */
  decision = Infinity;
  /** Microseconds of one lookup: the inputs are there, and only the row is found and its value taken. The best of all rounds. */
  lookup = Infinity;
  readonly #session: Session;
  readonly #table: DecisionTable;
  readonly #inputs: readonly { readonly a: string; readonly b: number }[];
  readonly #expected: number;
  #next = 0;

  constructor(work: Work, rows: number) {
    const { row, gives } = TABLES[work];
    const lines = Array.from({ length: rows }, (_, at) => `| ${row(at, rows)} || ${at} |`).join("\n");
    const source = `type Ask(#id: number, a: string, b: number)
table t(q: Ask) first {\n| q.a | q.b || number |\n${lines}\n}
rule "answer" { when q: Ask let v = t(q) then retract(q) }`;
    this.#session = compile(source, { limits: LIMITS }).session({ history: 0 });
    this.#table = new DecisionTable(tableIn(source));
    const random = seeded(SEED);
    this.#inputs = Array.from({ length: DECISIONS }, () => inputOf(work, rows, random));
    this.#expected = this.#inputs.reduce((sum, { a, b }) => sum + gives(a, b, rows), 0);
  }

  /** Asks for every input once, in both ways. */
  round(): void {
    this.decision = Math.min(
      this.decision,
      this.#timed((input) => this.#decided(input)),
    );
    this.lookup = Math.min(
      this.lookup,
      this.#timed(({ a, b }) => Number(this.#table.decide([a, b], NONE).value)),
    );
  }

  #decided(input: { readonly a: string; readonly b: number }): number {
    this.#next += 1;
    this.#session.assert("Ask", { id: this.#next, ...input });
    return Number(this.#session.run().fired[0]?.bindings["v"]);
  }

  /** Returns the microseconds that one input takes. */
  #timed(ask: (input: { readonly a: string; readonly b: number }) => number): number {
    collectGarbage();
    let sum = 0;
    const start = performance.now();
    for (const input of this.#inputs) sum += ask(input);
    const time = performance.now() - start;
    verify({ sum }, { sum: this.#expected });
    return (1000 * time) / DECISIONS;
  }
}

const NONE = (): undefined => undefined;

function tableIn(source: string): TableData {
  const [table] = checkFiles([{ file: "tables.tsd", source }], { limits: LIMITS }).tables.declared.values();
  if (table === undefined) throw new Error("the program has no table");
  return table.data;
}

/** Measures a table and one of ten rows in turns, so that what else the machine does slows down both. */
function measure(work: Work, rows: number): Figures {
  const ten = new Asked(work, 10);
  const many = new Asked(work, rows);
  for (let round = 0; round < ROUNDS; round++) {
    ten.round();
    many.round();
  }
  return {
    decision: many.decision,
    decisionRatio: many.decision / ten.decision,
    lookup: many.lookup,
    lookupRatio: many.lookup / ten.lookup,
  };
}

const CASES: readonly Case[] = (["constants", "ranges", "grid", "overrides"] as const).flatMap((work) =>
  SIZES.map((size) => ({ work, size, engine: "sluice", measure: () => measure(work, size) })),
);

export const benchmark: Benchmark = {
  about: "one decision by a table, with the fact that asks for it, and the lookup of its row alone (size: rows)",
  shows: ["decision", "lookup"],
  picture: "curves",
  figures: [
    { key: "decision", title: "decision", unit: "µs" },
    { key: "decisionRatio", title: "against ten rows", unit: "x" },
    { key: "lookup", title: "lookup", unit: "µs" },
    { key: "lookupRatio", title: "lookup against ten rows", unit: "x" },
  ],
  cases: CASES,
};
