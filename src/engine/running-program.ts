/**
 * The program that a session runs now, assembled into the network of that session.
 *
 * There is one for each session. It stays when the session continues with another program: `apply` changes the network, and
 * nodes that both programs have keep their memories.
 */
import { rulesOf } from "../session/agenda/strategies.ts";
import { Assembly } from "../assemble/assembly.ts";
import type { RuleInDoubt } from "../assemble/uncertain-facts.ts";
import type { Problem } from "../base/answers.ts";
import { must } from "../base/invariant.ts";
import { Stopwatch } from "../base/stopwatch.ts";
import type { Deadline } from "../guardian/guardian.ts";
import type { Plan } from "../plan/plan.ts";
import { ruleHashes } from "../plan/read/rule-hash.ts";
import type { Production } from "../rete/production.ts";
import type { ProgramPort } from "../session/ports.ts";
import type { FailedRule } from "../session/snapshot.ts";
import { doubtsIn } from "../session/snapshot-format.ts";
import type { SessionState } from "../session/state.ts";
import { carriedDoubts, lastingFailures, otherDoubts } from "./doubts.ts";
import type { OpenOptions, Program } from "./program.ts";
import type { RunnableProgram } from "./runnable.ts";
import { Warnings } from "./warnings.ts";

export class RunningProgram<Runs extends RunnableProgram = Program> implements ProgramPort {
  readonly assembly: Assembly;
  readonly network: Assembly["network"];
  readonly #state: SessionState;
  #warnings = new Warnings();
  #program: Runs;
  #plan: Plan | undefined = undefined;
  #productions: ReadonlyMap<string, readonly Production[]> = new Map();
  /** Rules that were in doubt in the session that this one was restored from. */
  #carried: readonly RuleInDoubt[];

  /** Makes a network without nodes; `apply` follows. */
  constructor(program: Runs, state: SessionState, options: OpenOptions) {
    const { sharing = true, indexing = true, shortcuts = true, strategy = "breadth" } = options;
    const { needsHeap } = rulesOf(strategy);
    this.#program = program;
    this.#state = state;
    this.#carried = carriedDoubts(options.from);
    this.assembly = new Assembly({
      shapes: state.shapes,
      facts: state.memory,
      listener: state.activationListener,
      functions: new Map(Object.entries(options.functions ?? {})),
      regex: program.regex,
      matchLimit: program.limits.liveMatches,
      overflow: (rules, pattern) => state.noteOverflow({ rules, pattern, limit: this.#program.limits.liveMatches }),
      dividedByZero: (rules, fact) => this.#warnings.noteDivision(this.#program, rules, fact),
      functionFailed: (rules, call) => this.#warnings.noteFailure(this.#program, rules, call),
      indexing,
      sharing,
      shortcuts: {
        direct: shortcuts && !needsHeap,
        absence: shortcuts,
        control: shortcuts && !needsHeap,
      },
      deadline: deadlineOf(options),
      handledActions: new Set([...Object.keys(options.actions ?? {}), ...doubtsIn(options.from).actions]),
      otherDoubts: () => otherDoubts(this.assembly, this.#carried, state.activity.unfinished()),
    });
    this.network = this.assembly.network;
  }

  get program(): Runs {
    return this.#program;
  }

  get productions(): ReadonlyMap<string, readonly Production[]> {
    return this.#productions;
  }

  /** Changes the network to that of a plan of the program. */
  apply(program: Runs, plan: Plan): void {
    this.#program = program;
    this.#plan = plan;
    this.network.limitMatches(program.limits.liveMatches);
    this.#productions = this.assembly.apply(plan);
  }

  /** Takes down all nodes of the network; `replace` follows. */
  clear(): void {
    this.#productions = this.assembly.apply(NO_RULES);
  }

  get hash(): string {
    return this.#program.hash;
  }

  /** Continues with another program. Its rules are tried on all facts, so nothing that was in doubt before stays so. */
  replace(program: Runs, plan: Plan): void {
    this.#carried = [];
    this.apply(program, plan);
  }

  /** Returns the assembly, with everything unknown that depends on a rule in doubt. */
  upToDate(): Assembly {
    if (!this.#state.activity.committing) this.assembly.refresh();
    return this.assembly;
  }

  get warnings(): Warnings["list"] {
    const { failures } = this.assembly;
    if (failures.any) {
      for (const problem of failures.problems()) this.#warnings.noteFailure(this.#program, problem.rules, problem);
    }
    return this.#warnings.list;
  }

  problems(): readonly Problem[] {
    const { failures } = this.assembly;
    return failures.any ? failures.problems() : [];
  }

  failedRules(): readonly FailedRule[] {
    return lastingFailures(this.assembly, this.#carried);
  }

  ruleHashes(): (rule: string) => string {
    return ruleHashes(must(this.#plan, "a program is applied before its rules fire"));
  }

  reset(): boolean {
    this.#warnings = new Warnings();
    return !this.assembly.failures.any && this.#carried.length === 0;
  }

  runBegan(): void {
    this.assembly.failures.runBegan();
  }

  runEnded(): void {
    this.assembly.failures.runEnded();
  }
}

const NO_RULES: Plan = { nodes: [], rules: [] };

/** Returns how long checks of guardians may take, by the host's clock and the machine's: the longer time counts. */
function deadlineOf({ checkDeadline: ms, now, realTime }: OpenOptions): Deadline | undefined {
  if (ms === undefined) return undefined;
  const real = realTime ?? ((): number => performance.now());
  return { ms, stopwatch: new Stopwatch(now === undefined ? [real] : [now, real]) };
}
