/** `--clock`: what `now` and `today` mean in a command that runs rules. */
import { type Program, type Session, SessionError } from "../index.ts";
import { UsageError } from "./arguments.ts";
import type { Io } from "./io.ts";

/** The value of `--clock` with which the clock follows the facts. */
const FROM_FACTS = "facts";

/** Returns the clock of a command: the instant of `--clock`, or the time of day. Undefined when the rules do not read it, or facts set it. */
export function clockOf(io: Io, program: Program): string | undefined {
  if (io.clock === FROM_FACTS || (io.clock === undefined && !program.readsClock)) return undefined;
  return io.clock === undefined || io.clock === "real" ? new Date(io.wallTime()).toISOString() : io.clock;
}

/** Sets the clock of a session that was just opened. */
export function setClock(io: Io, program: Program, session: Session): void {
  const clock = clockOf(io, program);
  if (clock === undefined) return;
  try {
    session.advance(clock);
  } catch (error) {
    if (error instanceof SessionError && error.code === "E534") throw new UsageError(`--clock: ${error.message}`);
    throw error;
  }
}

/**
 * With `--clock facts`, moves the clock to the time of a fact that is about to be asserted: to that of its `@` field, where it is an
 * instant, and never back.
 */
export function followFact(
  { io, program, session }: { readonly io: Io; readonly program: Program; readonly session: Session },
  type: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  if (io.clock !== FROM_FACTS) return;
  const field = program
    .data()
    .schema.types.get(type)
    ?.fields.find(({ at }) => at === true);
  const time = field?.type.kind === "instant" ? fields[field.name] : undefined;
  const instant = typeof time === "string" ? Date.parse(time) : NaN;
  if (Number.isNaN(instant)) return; // a time that is no instant is reported with its fact
  if (session.clock === undefined || instant > Date.parse(session.clock)) session.advance(new Date(instant));
}
