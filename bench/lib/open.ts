/** Programs and sessions for benchmarks, through the front door only. */
import { type ActionHandler, compile, type OpenOptions, type Program, type RuleSession } from "../../src/index.ts";
import { SIGNATURES } from "../data/junctions.ts";
import { readText } from "./files.ts";

/** Compiled from a file in bench/programs/. */
export function programNamed(name: string): Program {
  return compile(readText(`bench/programs/${name}.tsd`), {
    file: `${name}.tsd`,
    read: (file) => readText(`bench/programs/${file}`),
    functions: SIGNATURES,
  });
}

/** Of source text that may be large. */
export function programOf(source: string): Program {
  return compile(source, { limits: { sourceBytes: 256 * 1024 * 1024 } });
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export type Handlers = Readonly<Record<string, ActionHandler>>;

export function open(program: Program, actions: Handlers, options: OpenOptions = {}): RuleSession {
  return program.session({ limit: NO_LIMIT, actions, ...options });
}

/** Fires until nothing is left, and says how often. Handlers do the work, so what fired is not collected. */
export function runToRest(session: RuleSession): number {
  return session.run({ collect: false }).count;
}
