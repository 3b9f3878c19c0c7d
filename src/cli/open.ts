/** Gives a session the program's own facts and those of files; mistakes are shown, and the session is then of no use. */
import type { Program, Session } from "../index.ts";
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
  /** Without facts. */
  readonly session: Kind;
  /** Whether to begin with the facts that stand in the rules. */
  readonly programFacts: boolean;
  readonly files: Pick<Inputs, "facts" | "policy">;
}

/** The session, or the exit code when there is none. */
export type Opened<Kind extends Session> =
  | {
      readonly session: Kind;
      readonly exit?: undefined;
      /** How many of the facts are the program's own; these are the first. */
      readonly own: number;
    }
  | { readonly exit: number };

export function openWithFacts<Kind extends Session>(context: OpenContext, options: OpenRequest<Kind>): Opened<Kind> {
  const { session, programFacts, files } = options;
  if (programFacts) assertProgramFacts(context.program, session);
  const own = session.facts().length;
  const { mistakes, unreadable } = loadFacts({ ...context, session }, files);
  context.progress.clear();
  const refused = unreadable.length + mistakes.count;
  if (refused === 0) return { session, own };
  showDiagnostics(context.io, [...unreadable, ...mistakes.shown], context.texts, context.json, mistakes.omitted);
  if (!context.json) context.io.err(`${plural(refused, "mistake")} in the facts: nothing was run\n`);
  return { exit: exitOf(unreadable) };
}

const BY_PROGRAM = { role: "policy" } as const;

/** All at once, so that a rule which would make too many matches of them is found before they are made. */
function assertProgramFacts(program: Program, session: Session): void {
  session.batch(() => {
    for (const { type, fields } of program.data().initialFacts) session.assert(type, fields, BY_PROGRAM);
  });
}
