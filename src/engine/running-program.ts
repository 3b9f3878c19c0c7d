/**
 * The program that a session runs now, assembled into the network of that session.
 *
 * There is one for each session. It stays when the session continues with another program: `apply` changes the network, and
 * nodes that both programs have keep their memories.
 */
import { Assembly } from "../assemble/assembly.ts";
import { Blueprint } from "../assemble/blueprint.ts";
import type { RuleInDoubt } from "../assemble/uncertain-facts.ts";
import type { FunctionProblem, Problem } from "../base/answers.ts";
import { must } from "../base/invariant.ts";
import { finish } from "../base/slices.ts";
import { Stopwatch } from "../base/stopwatch.ts";
import type { PureFunction } from "../functions/built-in.ts";
import type { Deadline } from "../guardian/guardian.ts";
import type { Plan } from "../plan/plan.ts";
import { keepsJoins } from "../plan/read/kept-joins.ts";
import { ruleHashes } from "../plan/read/rule-hash.ts";
import type { Production } from "../rete/production.ts";
import { Layouts } from "../session/admission/shapes.ts";
import type { ProgramPort } from "../session/ports.ts";
import type { FailedRules } from "../session/snapshot.ts";
import { doubtsIn } from "../session/snapshot-format.ts";
import type { SessionState } from "../session/state.ts";
import { blueprintsOf } from "./blueprints.ts";
import { carriedDoubts, carriedProblems, lastingFailures, otherDoubts } from "./doubts.ts";
import type { OpenOptions, Program } from "./program.ts";
import { missingProblems } from "./missing-functions.ts";
import type { RunnableProgram } from "./runnable.ts";
import { Warnings } from "./warnings.ts";

export class RunningProgram<Runs extends RunnableProgram = Program> implements ProgramPort {
  readonly assembly: Assembly;
  readonly network: Assembly["network"];
  readonly #state: SessionState;
  #warnings = new Warnings();
  readonly #options: OpenOptions;
  readonly #functions: ReadonlyMap<string, PureFunction>;
  #program: Runs;
  #plan: Plan | undefined = undefined;
  /** Rules that were in doubt in the session that this one was restored from. */
  #carried: readonly RuleInDoubt[];
  /** The problems that it reported of these rules. */
  #carriedProblems: readonly FunctionProblem[];

  /** Makes a network without nodes; `apply` follows. */
  constructor(program: Runs, state: SessionState, options: OpenOptions) {
    this.#program = program;
    this.#state = state;
    this.#options = options;
    this.#carried = carriedDoubts(options.from);
    this.#carriedProblems = carriedProblems(options.from);
    this.#functions = options.functions === undefined ? NO_FUNCTIONS : new Map(Object.entries(options.functions));
    this.assembly = new Assembly({
      shapes: state.shapes,
      facts: state.memory,
      listener: state.activationListener,
      functions: this.#functions,
      matchLimit: program.limits.liveMatches,
      overflow: (rules, pattern) => state.noteOverflow({ rules, pattern, limit: this.#program.limits.liveMatches }),
      dividedByZero: (rules, fact) => this.#warnings.noteDivision(this.#program, rules, fact),
      functionFailed: (rules, call) => this.#warnings.noteFailure(this.#program, rules, call),
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
    return this.assembly.productions;
  }

  /** Changes the network to that of the program. */
  apply(program: Runs, blueprint: Blueprint): void {
    this.#program = program;
    this.#plan = blueprint.plan;
    this.network.limitMatches(program.limits.liveMatches);
    this.assembly.apply(blueprint);
  }

  /** Takes down all nodes of the network; `replace` follows. */
  clear(): void {
    this.assembly.apply(NO_RULES);
  }

  get hash(): string {
    return this.#program.hash;
  }

  /** Returns whether the rules of another program that this one has keep their productions. */
  keepsProductions(plan: Plan): boolean {
    const { blueprint } = this.assembly.nodes;
    const next = blueprint?.changed(plan);
    return next !== undefined && blueprint?.keepsProductions(next) === true;
  }

  /** Returns whether the rules of another program that this one has are joined in the same order. */
  keepsJoins(plan: Plan): boolean {
    return this.#plan === undefined || keepsJoins(this.#plan, plan);
  }

  /** Continues with another program. Its rules are tried on all facts, so nothing that was in doubt before stays so. */
  replace(program: Runs, plan: Plan): void {
    this.#carried = [];
    this.#carriedProblems = [];
    const { shapes } = this.#state;
    this.assembly.questions.dropStanding(); // their types are not those of a program
    const changed = this.assembly.nodes.blueprint?.changed(plan);
    if (changed !== undefined) {
      this.apply(program, changed);
      return;
    }
    const blueprints = blueprintsOf(program, plan, this.#options);
    const shared = blueprints.shared();
    const fitting = shapes.fit(shared.layouts) ? shared : blueprints.continuing(shapes);
    shapes.continueWith(fitting.layouts);
    this.apply(program, fitting.blueprint);
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
    const here = failures.any ? failures.problems() : [];
    const failed = this.#carriedProblems.length === 0 ? here : [...this.#carriedProblems, ...here];
    const lacking =
      this.#program.hostFunctions().length === 0
        ? []
        : missingProblems(this.#program, this.#functions, this.assembly.hostCalls, failed);
    const unset = this.network.clock.now === undefined && this.#plan !== undefined ? timedRules(this.#plan) : [];
    if (lacking.length + unset.length === 0) return failed;
    return [...failed, ...lacking, ...(unset.length === 0 ? [] : [{ ...CLOCK_NOT_SET, rules: unset }])];
  }

  failedRules(): FailedRules {
    return lastingFailures(this.assembly, { doubts: this.#carried, problems: this.#carriedProblems });
  }

  ruleHashes(): (rule: string) => string {
    return ruleHashes(must(this.#plan, "a program is applied before its rules fire"));
  }

  reset(restores: boolean): boolean {
    this.#warnings = new Warnings();
    // The actions that handlers of the snapshot's session had are no longer those of the session.
    const handlesOthers = !restores && doubtsIn(this.#options.from).actions.length > 0;
    return !handlesOthers && !this.assembly.failures.any && this.#carried.length === 0;
  }

  runBegan(): void {
    this.assembly.failures.runBegan();
  }

  runEnded(): void {
    this.assembly.failures.runEnded();
  }

  restored(): void {
    this.assembly.failures.runBegan();
    this.assembly.failures.runEnded();
  }

  clockMoves(): void {
    this.assembly.failures.clockMoves();
  }

  clockMoved(): void {
    this.assembly.failures.clockMoved();
  }
}

const CLOCK_NOT_SET = {
  code: "E536",
  message: "the clock is not set, so tests of now and today are unknown",
  hint: "open the session with { clock: … }, or call session.advance(…)",
} as const;

const TIMED = new WeakMap<Plan, readonly string[]>();

/** Returns the rules whose conditions read the clock. */
function timedRules(plan: Plan): readonly string[] {
  let rules = TIMED.get(plan);
  if (rules === undefined) {
    rules = [...new Set(plan.nodes.flatMap((node) => (node.kind === "timer" ? node.rules : [])))];
    TIMED.set(plan, rules);
  }
  return rules;
}

/** The functions of sessions whose host gives none. */
const NO_FUNCTIONS: ReadonlyMap<string, PureFunction> = new Map();

const NO_RULES = finish(
  Blueprint.making(
    { nodes: [], rules: [] },
    {
      shapes: new Layouts(),
      functions: new Set(),
      regex: undefined,
      indexing: true,
      sharing: false, // no program continues it
      shortcuts: { direct: false, absence: false, control: false, ordered: false, running: false },
    },
  ),
);

/** Returns how long checks of guardians may take, by the host's clock and the machine's: the longer time counts. */
function deadlineOf({ checkDeadline: ms, now, realTime }: OpenOptions): Deadline | undefined {
  if (ms === undefined) return undefined;
  const real = realTime ?? ((): number => performance.now());
  return { ms, stopwatch: new Stopwatch(now === undefined ? [real] : [now, real]) };
}
