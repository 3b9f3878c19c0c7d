/** What a host does to a session whose program evolves. */
import { type Migration, type RuleSession, SessionError } from "../../src/index.ts";
import { type Deed, migrationsTo, programOf, type Version } from "./evolving-programs.ts";

/** Returns what a call returned, or the code of what it threw. */
export function outcome(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof SessionError) return { code: error.code, message: error.message };
    throw error;
  }
}

function reload(session: RuleSession, version: Version, converts: boolean): Migration | "no program" {
  const program = programOf(version);
  if (program === undefined) return "no program";
  return session.reload(program, converts ? { migrate: migrationsTo(version) } : {});
}

/** Does it, and returns what the call returned or threw. */
export function perform(session: RuleSession, deed: Deed): unknown {
  switch (deed.is) {
    case "assert": {
      const { type, n, x } = deed;
      const fields = type === "B" ? { n } : { id: n, ...(x === undefined ? {} : { x }) };
      const asText = type === "B" ? fields : { ...fields, id: `a${n}` };
      const first = outcome(() => session.assert(type, fields));
      return isError(first, "E407") ? outcome(() => session.assert(type, asText)) : first;
    }
    case "update": {
      const facts = session.facts();
      const fact = facts[deed.n % Math.max(1, facts.length)];
      return fact === undefined
        ? undefined
        : outcome(() => session.update(fact, fact.type === "A" ? { x: deed.n } : { n: deed.n }));
    }
    case "retract": {
      const facts = session.facts();
      const fact = facts[deed.n % Math.max(1, facts.length)];
      return fact === undefined ? undefined : outcome(() => session.retract(fact));
    }
    case "run":
      return outcome(() => session.run({ limit: 60 }));
    case "step":
      return outcome(() => session.run({ limit: 1 }));
    case "take":
      return outcome(() => session.takeXuple("jobs"));
    case "advance":
      return outcome(() => session.advance(`2026-11-${deed.day}T12:00:00Z`));
    case "reload":
      return outcome(() => reload(session, deed.version, deed.converts));
  }
}

/** Returns whether a call threw an error with this code, or with any. */
export function isError(result: unknown, code?: string): boolean {
  return (
    typeof result === "object" && result !== null && "code" in result && (code === undefined || result.code === code)
  );
}
