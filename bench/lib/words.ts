/** The words of a command line of the benchmarks. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { printableLine } from "../../src/index.ts";
import { BENCHMARKS } from "./registry.ts";

export interface Words {
  /** Benchmarks, in the order given. */
  readonly names: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly plot: string | undefined;
  readonly processes: number | undefined;
}

/** What a command understands. `--processes N` is understood by all of them. */
interface Understood {
  readonly flags?: readonly string[];
  readonly plot?: boolean;
  /** Words that may stand where names of benchmarks stand; without it no names are taken. */
  readonly names?: readonly string[];
}

/** Throws when a word is not understood. */
export function readWords(understood: Understood, args: readonly string[] = process.argv.slice(2)): Words {
  const { flags = [], plot = false, names } = understood;
  const options = {
    ...Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" as const }])),
    ...(plot ? { plot: { type: "string" as const } } : {}),
    processes: { type: "string" as const },
  };
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: names !== undefined, options });
  for (const name of positionals) {
    if (!Object.hasOwn(BENCHMARKS, name) && names?.includes(name) !== true) {
      throw new Error(`no benchmark "${printableLine(name)}"`);
    }
  }
  const given = values as Readonly<Record<string, string | boolean | undefined>>;
  return {
    names: positionals,
    flags: new Set(flags.filter((flag) => given[flag] === true)),
    plot: given["plot"] === undefined ? undefined : pathOf(String(given["plot"])),
    processes: given["processes"] === undefined ? undefined : countOf(String(given["processes"])),
  };
}

/** Said before minutes of measuring, not behind them. */
function pathOf(file: string): string {
  if (existsSync(dirname(file))) return file;
  throw new Error(`there is no folder "${dirname(file)}" for the picture`);
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`--processes takes a positive integer, not "${text}"`);
}

/** Runs a command, and says what is wrong with its words instead of where in the code that was found out. */
export async function command(usage: string, work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 2;
  }
}
