/**
 * The guard: compares our time / hand-written time with what was kept last, and says what got worse by more than 20 %.
 *
 *   npm run bench:check               measures and compares
 *   npm run bench:check -- --save     measures and keeps
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./benchmark.ts";
import { readJson, ROOT } from "./files.ts";
import { measureAll } from "./measure.ts";
import { BENCHMARKS } from "./registry.ts";
import { RESULTS, thisCommit, thisMachine, writeResult } from "./results.ts";
import { figureText, plainText, ratioOf } from "./table.ts";
import { watcherFor } from "./watch.ts";
import { command, readWords } from "./words.ts";

const FILE = "ratios.json";
const WORSE = 1.2;

type Ratios = Readonly<Record<string, number>>;

interface Kept {
  readonly commit: string;
  readonly machine: object;
  readonly ratios: Ratios;
}

async function measure(processes: number | undefined): Promise<Ratios> {
  const loaded = await BENCHMARKS["workloads"]?.();
  if (loaded === undefined) throw new Error("the benchmark workloads is gone");
  const { benchmark } = loaded;
  const rows = await measureAll("workloads", benchmark, watcherFor(benchmark.cases.length), processes);
  for (const row of rows)
    if (row.status !== "ok") throw new Error(`${row.work} ${row.size}: ${row.status} ${row.note ?? ""}`);
  return ratiosOf(rows, benchmark.versus ?? "warm");
}

function ratiosOf(rows: readonly Row[], key: string): Ratios {
  return Object.fromEntries(
    rows.flatMap((row) => {
      const ratio = ratioOf(row, rows, key);
      return ratio === undefined ? [] : [[`${row.work} ${row.size}`, Number(ratio.toPrecision(3))]];
    }),
  );
}

function compare(before: Ratios, now: Ratios): number {
  const lines = Object.entries(now).map(([work, ratio]) => {
    const old = before[work];
    const verdict = old === undefined ? "new" : ratio > old * WORSE ? "WORSE" : ratio * WORSE < old ? "better" : "";
    return [work, old === undefined ? "" : figureText(old, "x"), figureText(ratio, "x"), verdict];
  });
  process.stdout.write(plainText({ head: ["work", "× hand before", "now", ""], lines }));
  const worse = lines.filter(([, , , verdict]) => verdict === "WORSE").map(([work]) => work);
  const what = worse.length === 0 ? "nothing" : worse.join(", ");
  process.stdout.write(`\n${what} got worse by more than 20 %\n`);
  return worse.length === 0 ? 0 : 1;
}

const USAGE = `npm run bench:check -- [--save] [--processes N]

  --save         keeps what is measured, instead of comparing with what was kept
  --processes N  fresh processes for each case; the best counts
`;

async function main(): Promise<number> {
  const { flags, processes } = readWords({ flags: ["save"] });
  const save = flags.has("save");
  if (!save && !existsSync(join(ROOT, RESULTS, FILE))) {
    throw new Error(`there is no ${RESULTS}/${FILE} to compare with: npm run bench:check -- --save`);
  }
  const now = await measure(processes);
  if (!save) return compare((readJson(`${RESULTS}/${FILE}`) as Kept).ratios, now);
  const kept: Kept = { commit: thisCommit(), machine: thisMachine(), ratios: now };
  writeResult(FILE, `${JSON.stringify(kept, null, 2)}\n`);
  process.stdout.write(`kept in ${RESULTS}/${FILE}\n`);
  return 0;
}

await command(USAGE, main);
