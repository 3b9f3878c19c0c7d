/** Opens sessions of a saved plan: with its own plan, and without what explains. */
import { openWith, openWithAsync, type ProgramKind } from "../open-session.ts";
import type { OpenAsyncOptions, OpenOptions } from "../program.ts";
import type { QuestionPlans } from "../question-plans.ts";
import type { Session } from "../session.ts";
import { Subscriptions } from "../subscriptions.ts";
import type { SavedProgram } from "./program.ts";
import { SavedQueries } from "./queries.ts";
import { UNEXPLAINED } from "./unexplained.ts";

export function openSaved(program: SavedProgram, options: OpenOptions): Session<SavedProgram> {
  return openWith(SAVED, program, options);
}

/** Opens a session in slices. */
export async function openSavedAsync(program: SavedProgram, options: OpenAsyncOptions): Promise<Session<SavedProgram>> {
  return openWithAsync(SAVED, program, options);
}

const SAVED: ProgramKind<SavedProgram> = {
  // oxlint-disable-next-line require-yield -- the plan is there
  *planning(program) {
    return program.plan();
  },
  answering: ({ core: { state }, running }) => {
    const plans = (): QuestionPlans => running.program.questionPlans();
    return {
      queries: new SavedQueries(running, state, plans),
      subscriptions: new Subscriptions(running, state, plans),
    };
  },
  explaining: () => UNEXPLAINED,
};
