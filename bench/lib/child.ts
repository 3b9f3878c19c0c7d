/**
 * The child process: measures one case and says what it found as one line of JSON.
 *
 *   node --expose-gc child.js NAME INDEX
 */
import { BUILT, CannotExpress, type Figures, type Row, TooLong, WrongAnswer } from "./benchmark.ts";
import { BENCHMARKS } from "./registry.ts";

export type Said = { readonly status: Row["status"]; readonly note?: string; readonly figures: Figures };

async function measure(name: string, index: number): Promise<Said> {
  const benchmark = (await BENCHMARKS[name]?.())?.benchmark;
  const found = benchmark?.cases[index];
  if (found === undefined) return { status: "failed", note: `there is no case ${index} of ${name}`, figures: {} };
  try {
    return { status: "ok", figures: await found.measure(() => process.stdout.write(BUILT)) };
  } catch (error) {
    return { ...outcomeOf(error), figures: {} };
  }
}

function outcomeOf(error: unknown): Pick<Said, "status"> & { note: string } {
  if (error instanceof WrongAnswer) return { status: "wrong", note: error.message };
  if (error instanceof TooLong) return { status: "too long", note: error.message };
  if (error instanceof CannotExpress) return { status: "cannot", note: error.message };
  return { status: "failed", note: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
}

const [name = "", index = ""] = process.argv.slice(2);
process.stdout.write(`\n${JSON.stringify(await measure(name, Number(index)))}\n`, () => process.exit(0));
