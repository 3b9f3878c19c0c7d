/** Repeats what a pack says on its facts, and compares. */
import { must } from "../base/invariant.ts";
import { type Pack, type PackAnswer, packedAnswer, packedResults } from "../explain/show/pack.ts";
import type { PackQuestion, PackResults } from "../explain/show/pack.ts";
import { firstDifference, type PackFault, packFault } from "../explain/show/read-pack.ts";
import type { Explanation } from "../explain/tell/step.ts";
import { RunLimitError, SessionError } from "../session/errors.ts";
import type { RunResult } from "../session/results.ts";
import { explanationsOf, openFrom, requestKey } from "./pack-state.ts";
import type { OpenOptions, Program } from "./program.ts";
import type { Session } from "./session.ts";
import type { VerifyOptions } from "./verify-pack.ts";

type ReplayOptions = Pick<VerifyOptions, "firings" | "milliseconds" | "now">;

/**
 * Returns the first difference between a pack and what repeating it gives; undefined when there is none. `programOf` is called
 * when the pack is worth repeating; it calls these host functions.
 */
export function replayFault(
  pack: Pack,
  programOf: () => Program,
  functions: OpenOptions["functions"],
  options: ReplayOptions,
): PackFault | undefined {
  try {
    return new Replay(pack, programOf, functions, options).fault();
  } catch (error) {
    if (error instanceof Stopped) return packFault("results", error.message);
    if (error instanceof SessionError) return packFault("facts", error.message);
    throw error;
  }
}

/** The firings between two looks at the clock. */
const STRETCH = 100;

/** Ends a replay: the budget is used up, or the run goes on where the packed one ended. */
class Stopped extends Error {}

/** Repeats what was packed, and stops as soon as the pack cannot be valid or costs too much. */
class Replay {
  readonly #pack: Pack;
  readonly #programOf: () => Program;
  readonly #functions: OpenOptions["functions"];
  readonly #options: ReplayOptions;
  readonly #now: () => number;
  readonly #begin: number;

  constructor(pack: Pack, programOf: () => Program, functions: OpenOptions["functions"], options: ReplayOptions) {
    this.#pack = pack;
    this.#programOf = programOf;
    this.#functions = functions;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#begin = this.#now();
  }

  fault(): PackFault | undefined {
    const { program, facts, results } = this.#pack;
    const { firings = 100_000 } = this.#options;
    const claimed = results.fired.length;
    if (claimed > firings)
      throw new Stopped(`the pack has ${claimed} firing${claimed === 1 ? "" : "s"}; the limit is ${firings}`);
    if (claimed > program.limit) return packFault("results", "the pack has more firings than program.limit allows");
    const session = openFrom(this.#programOf(), facts, this.#functions, program);
    return results.asked === null ? this.#runFault(session) : this.#answerFault(session, results.asked);
  }

  #answerFault(session: Session, asked: PackQuestion): PackFault | undefined {
    const answer = askAgain(session, asked);
    return this.#resultsFault(packedAnswer(answer, session.clock)) ?? this.#reasoningFault([session.why(answer)]);
  }

  #runFault(session: Session): PackFault | undefined {
    const before = new Set(this.#pack.facts.decided.map(requestKey));
    const ran = this.#run(session);
    refuseSwitchedOff(ran);
    const decisions = ran.decisions.filter((one) => !("pipeline" in one) || !before.has(requestKey(one)));
    const result = { ...ran, decisions };
    return (
      this.#resultsFault(packedResults(result, session.clock)) ?? this.#reasoningFault(explanationsOf(session, result))
    );
  }

  /** Runs in stretches of 100 firings. The error that ends a stretch has what fired in it. */
  #run(session: Session): RunResult {
    const { clock: end } = this.#pack.results;
    const parts: RunResult[] = [];
    let left = this.#pack.results.fired.length;
    for (;;) {
      this.#refuseLate();
      const limit = Math.min(STRETCH, left);
      try {
        const ran = end === undefined ? session.run({ limit }) : session.runUntil(end, { limit });
        return joined([...parts, ran]);
      } catch (error) {
        if (!(error instanceof RunLimitError)) throw error;
        left -= limit;
        if (left === 0) throw new Stopped("re-running gives more firings than the pack records");
        parts.push(error.result);
      }
    }
  }

  #resultsFault(again: PackResults): PackFault | undefined {
    const found = firstDifference(this.#pack.results, again);
    return found === undefined ? undefined : packFault("results", `re-running gives different results: ${found}`);
  }

  #reasoningFault(explanations: Iterable<Explanation>): PackFault | undefined {
    const again: Explanation[] = [];
    for (const explanation of explanations) {
      this.#refuseLate();
      again.push(explanation);
    }
    const found = firstDifference(this.#pack.reasoning, again);
    return found === undefined ? undefined : packFault("reasoning", `re-running gives different reasons: ${found}`);
  }

  #refuseLate(): void {
    const { milliseconds = 60_000 } = this.#options;
    if (this.#now() - this.#begin <= milliseconds) return;
    throw new Stopped(`verification stopped after ${milliseconds} ms, so the results are not verified`);
  }
}

/** A rule that was switched off at its limit might have changed the results. */
function refuseSwitchedOff({ problems = [] }: RunResult): void {
  const limit = problems.find(({ code }) => (code as string) === "E511");
  if (limit !== undefined) throw new Stopped(limit.message);
}

/** Returns the result of one run that was made in several stretches. */
function joined(parts: readonly RunResult[]): RunResult {
  const [last] = parts.slice(-1);
  if (last === undefined || parts.length === 1) return must(last, "a run has a result");
  return {
    ...last,
    fired: parts.flatMap(({ fired }) => fired),
    effects: parts.flatMap(({ effects }) => effects),
    decisions: parts.flatMap(({ decisions }) => decisions),
    count: parts.reduce((sum, { count }) => sum + count, 0),
  };
}

function askAgain(session: Session, { of, name, subject }: PackQuestion): PackAnswer {
  if (of === "gate") return session.gate(name, subject ?? undefined);
  return of === "verdict" ? session.verdict(name, subject ?? "") : session.decide(name, subject ?? "");
}
