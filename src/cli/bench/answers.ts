/** What a session finds: the matches of every rule, then what fires and in which order, as a digest that can be compared. */
import { createHash, type Hash } from "node:crypto";
import { type MatchView, type Program, type RuleSession, SessionError } from "../../index.ts";

export interface Answers {
  readonly digest: string;
  readonly matches: number;
  readonly firings: number;
  /** The code of the error that ended the run; undefined when nothing was left to fire. */
  readonly stopped: string | undefined;
  /** The same for people: `120 matches, 40 firings`. */
  readonly words: string;
}

/** The most firings that are compared: rules may go on for ever. */
const MOST_FIRINGS = 10_000;

/** Runs a session that has its facts, and returns what it finds. */
export function answersOf(session: RuleSession, program: Program): Answers {
  const hash = createHash("sha256");
  let matches = 0;
  for (const { name } of program.network().rules) {
    const found = session.matches(name);
    matches += found.length;
    hash.update(`${name} ${found.length}\n`);
    for (const text of found.map(matchText).sort()) hash.update(`${text}\n`);
  }
  const { firings, stopped } = fire(session, hash);
  const digest = hash.digest("hex");
  return { digest, matches, firings, stopped, words: `${matches} matches, ${firings} firings (${digest.slice(0, 8)})` };
}

function fire(session: RuleSession, hash: Hash): Pick<Answers, "firings" | "stopped"> {
  let firings = 0;
  let stopped: string | undefined;
  session.on("fire", ({ rule, bindings }) => {
    firings += 1;
    hash.update(`${rule} ${JSON.stringify(bindings)}\n`);
  });
  try {
    session.run({ limit: MOST_FIRINGS });
  } catch (error) {
    // A limit or a failed action ends both runs in the same place; if not, the answers differ.
    if (!(error instanceof SessionError)) throw error;
    hash.update(`${error.code} ${error.message}\n`);
    stopped = error.code;
  }
  return { firings, stopped };
}

function matchText({ bindings }: MatchView): string {
  const parts = Object.entries(bindings).map(([name, bound]) => {
    const isFact = typeof bound === "object" && bound !== null && "id" in bound && "fields" in bound;
    return `${name}=${JSON.stringify(isFact ? bound.id : bound)}`;
  });
  return parts.join(" ");
}
