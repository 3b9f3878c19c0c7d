/** `--clock`: what `now` and `today` mean in a command that runs rules. */
import { type Program, type RuleSession, type Session, SessionError } from "../index.ts";
import { UsageError } from "./arguments.ts";
import type { Io } from "./io.ts";

/** The value of `--clock` with which the clock follows the facts. */
const FROM_FACTS = "facts";

/** Returns the clock of a command: the instant of `--clock`, or the time of day. Undefined when the rules do not read it, or facts set it. */
function clockOf(io: Io, program: Program): string | undefined {
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

/** Moves a clock that shows the time of day: between the lines of a conversation time goes on. */
export function keepTime(io: Io, session: RuleSession): void {
  const isReal = io.clock === "real" || (io.clock === undefined && session.program.readsClock);
  if (isReal) moveOn(session, io.wallTime());
}

/**
 * With `--clock facts`, moves the clock to the time of a fact: to that of its `@` field, which for a date is the first instant of
 * the day in the zone of the program, and never back.
 */
export function followFact(
  io: Io,
  session: RuleSession,
  type: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  if (io.clock !== FROM_FACTS) return;
  const instant = session.program.instantOf(type, fields);
  if (instant !== undefined) moveOn(session, Date.parse(instant));
}

function moveOn(session: RuleSession, instant: number): void {
  if (session.clock === undefined || instant > Date.parse(session.clock)) session.advance(new Date(instant));
}
