/** What a session is composed of, and how it continues with another program or begins again. */
import type { Migration } from "../../session/migration-report.ts";
import type { SessionCore } from "../../session/core.ts";
import type { SessionOutcomes } from "../at-rest.ts";
import type { ExplainPort } from "../explain-port.ts";
import { refuseMissing } from "../missing-functions.ts";
import type { Judgements } from "../judgements.ts";
import type { OpenOptions, Program } from "../program.ts";
import type { QueryPort } from "../query-rows.ts";
import type { RunnableProgram } from "../runnable.ts";
import type { RunningProgram } from "../running-program.ts";
import type { Session } from "../session.ts";
import type { SubscriptionPort } from "../subscription-port.ts";
import type { ReloadOptions } from "./life.ts";

export interface SessionComposition<Runs extends RunnableProgram = Program> {
  readonly options: OpenOptions;
  readonly core: SessionCore;
  readonly running: RunningProgram<Runs>;
  readonly outcomes: SessionOutcomes;
  readonly judgements: Judgements;
  readonly queries: QueryPort;
  readonly subscriptions: SubscriptionPort;
  /** Makes what explains the session. */
  readonly explain: (session: Session<Runs>) => ExplainPort;
  /** Opens the session again with a program, without anything of before. */
  readonly reopen: (program: Runs) => SessionComposition<Runs>;
}

/** Continues with another program and the same facts. */
export function reloaded<Runs extends RunnableProgram>(
  { options, core, running, outcomes, subscriptions }: SessionComposition<Runs>,
  program: Runs,
  { migrate = {} }: ReloadOptions,
): Migration {
  refuseMissing(program, options);
  const { sharing = true, shortcuts = true } = options;
  const plan = program.plan(sharing, shortcuts);
  return core.replaceProgram({
    spec: program.data(),
    keepsProductions: () => running.keepsProductions(plan),
    keepsJoins: () => running.keepsJoins(plan),
    apply: () => {
      running.replace(program, plan);
      outcomes.programReplaced();
      subscriptions.programReplaced();
    },
    clear: () => running.clear(),
    migrate,
  });
}

/** Empties a session if its network can be used again; false when it must not be used any more. */
export function cleared<Runs extends RunnableProgram>({ core, running, outcomes }: SessionComposition<Runs>): boolean {
  return core.reset(running.program.data(), () => outcomes.reset());
}

/** Empties a session and ends its subscriptions. Returns the parts of the emptied session, new ones where it must be opened again. */
export function begunAgain<Runs extends RunnableProgram>(parts: SessionComposition<Runs>): SessionComposition<Runs> {
  const { program } = parts.running;
  const next = cleared(parts) ? parts : parts.reopen(program);
  parts.subscriptions.close();
  if (next !== parts) next.core.keys.follow(parts.core.keys);
  return next;
}
