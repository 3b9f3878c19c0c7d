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
import { readWords } from "./words.ts";

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
  const worse = lines.filter(([, , , verdict]) => verdict === "WORSE");
  process.stdout.write(
    worse.length === 0 ? "\nnothing got worse by more than 20 %\n" : `\n${worse.length} got worse by more than 20 %\n`,
  );
  return worse.length === 0 ? 0 : 1;
}

const { flags, processes } = readWords(["save"]);
const now = await measure(processes);
if (flags.has("save")) {
  const kept: Kept = { commit: thisCommit(), machine: thisMachine(), ratios: now };
  writeResult(FILE, `${JSON.stringify(kept, null, 2)}\n`);
  process.stdout.write(`kept in ${RESULTS}/${FILE}\n`);
} else if (existsSync(join(ROOT, RESULTS, FILE))) {
  process.exitCode = compare((readJson(`${RESULTS}/${FILE}`) as Kept).ratios, now);
} else {
  process.stderr.write(`there is no ${RESULTS}/${FILE} yet: npm run bench:check -- --save\n`);
  process.exitCode = 2;
}
