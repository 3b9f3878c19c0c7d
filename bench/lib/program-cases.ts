/** How Manners, Waltz and WaltzDB are measured: all facts in file order, then everything fires. */
import type { Program, RuleSession } from "../../src/index.ts";
import { expectedFirings, type ProgramName } from "../data/expected.ts";
import { FUNCTIONS } from "../data/junctions.ts";
import { type Facts, factsOf } from "../data/programs.ts";
import type { Benchmark, Figures } from "./benchmark.ts";
import { open, programNamed, runToRest } from "./open.ts";
import { repeat } from "./repeat.ts";

type WholeProgram = Exclude<ProgramName, "waltzdb lex">;

export function wholeProgram(name: WholeProgram, about: string, sizes: readonly number[]): Benchmark {
  return {
    about,
    shows: "warm",
    processes: 5,
    picture: "curves",
    figures: [
      { key: "build", title: "build", unit: "ms" },
      { key: "first", title: "first run", unit: "ms" },
      { key: "warm", title: "warm", unit: "ms" },
      { key: "firings", title: "firings", unit: "count" },
    ],
    cases: sizes.map((size) => ({ work: name, size, engine: "sluice", measure: () => measureProgram(name, size) })),
  };
}

export function measureProgram(name: WholeProgram, size: number): Figures {
  const facts = factsOf(name, size);
  const firings = expectedFirings(name, size);
  const begin = performance.now();
  const program = programNamed(name);
  openProgram(program);
  const build = performance.now() - begin;
  const times = repeat({
    make: () => openProgram(program),
    work: (session) => ({ firings: fireAll(session, facts) }),
    expected: { firings },
  });
  return { build, ...times, firings };
}

export function openProgram(program: Program): RuleSession {
  return open(program, {}, { functions: FUNCTIONS });
}

/** How often rules fired. */
export function fireAll(session: RuleSession, facts: Facts): number {
  for (const [type, all] of Object.entries(facts)) for (const fields of all) session.assert(type, fields);
  return runToRest(session);
}
