/** Loads the facts of the program and of files into a session. When there are errors they are shown, and the session must not be used. */
import type { Program, Session } from "../index.ts";
import { followFact, setClock } from "./clock.ts";
import { loadFacts } from "./facts/load.ts";
import type { Inputs } from "./inputs.ts";
import type { Io } from "./io.ts";
import type { Progress } from "./progress.ts";
import { plural, showDiagnostics, type Texts } from "./report.ts";
import { exitOf } from "./sources.ts";

export interface OpenContext {
  readonly io: Io;
  readonly program: Program;
  readonly texts: Texts;
  readonly progress: Progress;
  readonly json: boolean;
}

export interface OpenRequest<Kind extends Session> {
  /** A session without facts. */
  readonly session: Kind;
  /** Whether to load the facts in the rules first. */
  readonly programFacts: boolean;
  readonly files: Pick<Inputs, "facts" | "policy">;
}

/** The session, or the exit code when the facts have errors. */
export type Opened<Kind extends Session> =
  | {
      readonly session: Kind;
      readonly exit?: undefined;
      /** How many of the facts are in the rules; these come first. */
      readonly own: number;
    }
  | { readonly exit: number };

export function openWithFacts<Kind extends Session>(context: OpenContext, options: OpenRequest<Kind>): Opened<Kind> {
  const { session, programFacts, files } = options;
  setClock(context.io, context.program, session);
  if (programFacts) assertProgramFacts(context, session);
  const own = session.facts().length;
  const { mistakes, unreadable } = loadFacts({ ...context, session }, files);
  context.progress.clear();
  const refused = unreadable.length + mistakes.count;
  if (refused === 0) return { session, own };
  showDiagnostics(context.io, [...unreadable, ...mistakes.shown], context.texts, context.json, mistakes.omitted);
  if (!context.json) context.io.err(`${plural(refused, "error")} in the facts; nothing was run\n`);
  return { exit: exitOf(unreadable) };
}

const BY_PROGRAM = { role: "policy" } as const;

/** Asserts the facts in one batch, so that a rule with too many matches is found before they are made. */
function assertProgramFacts({ io, program }: OpenContext, session: Session): void {
  if (io.clock === "facts") {
    for (const { type, fields } of program.data().initialFacts) {
      followFact(io, session, type, fields);
      session.assert(type, fields, BY_PROGRAM);
    }
    return;
  }
  session.batch(() => {
    for (const { type, fields } of program.data().initialFacts) session.assert(type, fields, BY_PROGRAM);
  });
}
