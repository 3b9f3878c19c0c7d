/** Verifies a decision pack: its form, its hashes and signature, and that re-running gives the same. */
import { must } from "../base/invariant.ts";
import { type Pack, type PackAnswer, packedAnswer, packedResults, type PackProgram } from "../explain/show/pack.ts";
import type { PackQuestion, PackResults } from "../explain/show/pack.ts";
import { type PackVerifier, signatureFault } from "../explain/show/pack-signature.ts";
import { firstDifference, type PackFault, packFault, readPack } from "../explain/show/read-pack.ts";
import type { Explanation } from "../explain/tell/step.ts";
import { SHIPPED } from "../language/load.ts";
import { RunLimitError, SessionError } from "../session/errors.ts";
import type { RunResult } from "../session/results.ts";
import { explanationsOf, openFrom, requestKey } from "./pack-state.ts";
import { CompileError, Program } from "./program.ts";
import type { RuleSession } from "./session.ts";

/** The key to verify with, and what verification may cost. A pack can only lower these limits. */
export interface VerifyOptions {
  /** The public key. When given, the pack must carry a valid signature of this key. */
  readonly key?: PackVerifier;
  /** The number of firings in the repeated run. Default: 100,000. */
  readonly firings?: number;
  /** The number of live partial matches. Default: 1,000,000. A rule beyond it is switched off (E511). */
  readonly matches?: number;
  /** The time for the repeated run, in milliseconds of `now`. Default: 60,000. It is checked between firings. */
  readonly milliseconds?: number;
  /** A clock in milliseconds that never steps back. Default: `performance.now`. */
  readonly now?: () => number;
}

/**
 * Verifies a decision pack: its form, its hashes, its signature if a key is given, and that running its program on its
 * facts gives the same result. Returns undefined when the pack is valid, and the first fault otherwise.
 *
 * @param text - The pack, as {@link RuleSession.pack} returned it.
 * @param like - For programs that call host functions: a session of the program. Its program and functions are used for
 *   the repeated run instead of compiling the program of the pack.
 *
 * @example
 * ```ts
 * const session = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }').session();
 * session.assert("Person", { id: "p1" });
 * const pack = session.pack(session.run());
 * verifyPack(pack); // => undefined
 * verifyPack(pack.replace("p1", "p2"))?.code; // => "E552"
 * ```
 */
export function verifyPack(text: string, like?: RuleSession, options: VerifyOptions = {}): PackFault | undefined {
  const read = readPack(text);
  if (read.fault !== undefined) return read.fault;
  const { pack } = read;
  const unsigned = options.key === undefined ? undefined : signatureFault(pack, options.key);
  if (unsigned !== undefined) return unsigned;
  try {
    return new Replay(pack, like, options).fault();
  } catch (error) {
    if (error instanceof Stopped) return packFault("results", error.message);
    if (error instanceof CompileError) return packFault("program", `the program has errors: ${error.message}`);
    if (error instanceof OtherText) return packFault("program", error.message);
    if (error instanceof SessionError) return packFault("facts", error.message);
    throw error;
  }
}

/** So many firings, then a look at the clock. */
const STRETCH = 100;

/** The budget is used up, or the run goes on where the packed one ended. */
class Stopped extends Error {}

/** Decides again, and stops as soon as the pack cannot be right or costs too much. */
class Replay {
  readonly #pack: Pack;
  readonly #like: RuleSession | undefined;
  readonly #options: VerifyOptions;
  readonly #now: () => number;
  readonly #begin: number;

  constructor(pack: Pack, like: RuleSession | undefined, options: VerifyOptions) {
    this.#pack = pack;
    this.#like = like;
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
    const like = this.#like;
    const session = openFrom(like?.program ?? programOf(program, this.#options), facts, like, program);
    return results.asked === null ? this.#runFault(session) : this.#answerFault(session, results.asked);
  }

  #answerFault(session: RuleSession, asked: PackQuestion): PackFault | undefined {
    const answer = askAgain(session, asked);
    return this.#resultsFault(packedAnswer(answer)) ?? this.#reasoningFault([session.why(answer)]);
  }

  #runFault(session: RuleSession): PackFault | undefined {
    const before = new Set(this.#pack.facts.decided.map(requestKey));
    const ran = this.#run(session);
    refuseSwitchedOff(ran);
    const decisions = ran.decisions.filter((one) => !("pipeline" in one) || !before.has(requestKey(one)));
    const result = { ...ran, decisions };
    return this.#resultsFault(packedResults(result)) ?? this.#reasoningFault(explanationsOf(session, result));
  }

  /** In stretches. What fired before the end of one is kept by the error that ends it. */
  #run(session: RuleSession): RunResult {
    const parts: RunResult[] = [];
    let left = this.#pack.results.fired.length;
    for (;;) {
      this.#refuseLate();
      const limit = Math.min(STRETCH, left);
      try {
        return joined([...parts, session.run({ limit })]);
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

/** One run that was made in several. */
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

/** What comes with the package is not read twice; it must be what was packed. */
function programOf({ files }: PackProgram, { matches = 1_000_000 }: VerifyOptions): Program {
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  const own = files.filter(({ file }) => !file.startsWith(SHIPPED)).map(({ file, text }) => ({ file, source: text }));
  const program = Program.compile(own, { read: (file) => texts.get(file), limits: { liveMatches: matches } });
  const read = new Map(program.checked.files.map(({ source }) => [source.file, source.text]));
  const other = files.find(({ file, text }) => read.get(file) !== text);
  if (other === undefined) return program;
  throw new OtherText(`${other.file} differs from the packed text: it belongs to another version of Sluice`);
}

class OtherText extends Error {}

function askAgain(session: RuleSession, { of, name, subject }: PackQuestion): PackAnswer {
  if (of === "gate") return session.gate(name, subject ?? undefined);
  return of === "verdict" ? session.verdict(name, subject ?? "") : session.decide(name, subject ?? "");
}
