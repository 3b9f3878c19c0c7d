/**
 * The corridor: every stage from source text to a session, in order.
 *
 * Once per program, `compile` calls the stages load, check and plan; `Program` keeps the plan. Once per session,
 * `program.session()` calls the stages state, assemble, outcomes and session of src/engine/open-session.ts.
 */
import { DEFAULT_LIMITS } from "./base/limits.ts";
import { finish, type Steps } from "./base/slices.ts";
import { Explanations, type Fork } from "./engine/explanations.ts";
import { checkCompileOptions, checkSource } from "./engine/known-names.ts";
import { compose, openWith, openWithAsync, type ProgramKind } from "./engine/open-session.ts";
import type { OpenAsyncOptions, OpenOptions, Program } from "./engine/program.ts";
import { Queries } from "./engine/queries.ts";
import type { QuestionPlans } from "./engine/question-plans.ts";
import { Session } from "./engine/session.ts";
import type { CheckOptions } from "./engine/source.ts";
import { Subscriptions } from "./engine/subscriptions.ts";
import { GUARDIANS } from "./guardian/standard.ts";
import { type CheckedProgram, checkingProgram } from "./language/check/program.ts";
import { checkingExtension } from "./language/check/extension.ts";
import { loadFiles, loadingFiles, type SourceFile } from "./language/load.ts";
import type { Plan } from "./plan/plan.ts";
import { type PlannedProgram, type PlanOptions, planningProgram } from "./plan/planner.ts";

// ---------------------------------------------------------------- once per program

/** Checks several files that make up one program. Never throws because of errors in the rules. */
export function checkFiles(files: readonly SourceFile[], options: CheckOptions = {}): CheckedProgram {
  return finish(checkingFiles(files, options));
}

/** Does the same in steps, one for each statement. */
export function* checkingFiles(files: readonly SourceFile[], options: CheckOptions = {}): Steps<CheckedProgram> {
  checkCompileOptions(options);
  for (const { source } of files) checkSource(source);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const loaded = yield* loadingFiles(files, options.read, limits, GUARDIANS);
  const functions = options.functions === undefined ? {} : { functions: options.functions };
  const parameters = { values: options.params ?? {}, texts: options.paramTexts ?? {} };
  return yield* checkingProgram(loaded, { limits, parameters, ...functions });
}

/**
 * Checks one file more for a program without errors; returns undefined when all files must be checked, because the new statements can
 * change what others mean, or have errors.
 */
export function checkExtension(
  base: CheckedProgram,
  added: SourceFile,
  options: CheckOptions,
): CheckedProgram | undefined {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  // A file that imports others is checked with the whole program, which reads them.
  const [loaded] = loadFiles([added], undefined, limits);
  const functions = options.functions === undefined ? {} : { functions: options.functions };
  return loaded === undefined ? undefined : finish(checkingExtension(base, loaded, { limits, ...functions }));
}

/** Plans the network of a program without errors: plain data, shared by all its sessions. One step for each rule. */
export function planningNetwork(checked: CheckedProgram, options: PlanOptions): Steps<PlannedProgram> {
  return planningProgram(checked, options);
}

// ---------------------------------------------------------------- once per session

/** Opens a session of a program, from its plan or a given one. */
export function openSession(program: Program, options: OpenOptions, plan?: Plan): Session {
  return openWith(COMPILED, program, options, plan);
}

/** Opens a session in slices. */
export async function openSessionAsync(program: Program, options: OpenAsyncOptions): Promise<Session> {
  return openWithAsync(COMPILED, program, options);
}

/** Sessions of programs with source text: every question is planned from it, and explained with its words. */
const COMPILED: ProgramKind<Program> = {
  *planning(program, { sharing = true, shortcuts = true }) {
    yield* program.preparing();
    return yield* program.planning(sharing, shortcuts);
  },
  answering: ({ options, core: { state }, running }) => {
    const { sharing = true, indexing = true } = options;
    const plans = (): QuestionPlans => running.program.questionPlans(sharing);
    return {
      queries: new Queries(running, state, plans, { sharing, indexing }),
      subscriptions: new Subscriptions(running, state, plans),
    };
  },
  explaining: (session, parts) => {
    const { functions = {} } = parts.options;
    const fork: Fork = (program, from) => {
      const copy = compose(COMPILED, program, { ...program.sessionOptions(), functions, history: 0, from });
      return { session: new Session(copy), judgements: copy.judgements, queries: copy.queries };
    };
    return new Explanations(session, { ...parts, fork });
  },
};
