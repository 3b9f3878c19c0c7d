/** Why a rule fired or did not, or where a fact comes from: whatever a name stands for. */
import { type Explanation, type Fired, type RuleSession, SessionError, together } from "../../index.ts";
import { quotedList } from "../arguments.ts";

export interface Question {
  /** A rule, a query, or the id of a fact. */
  readonly name: string;
  readonly bindings: Readonly<Record<string, string>>;
  /** Of a gate. */
  readonly subject: string | undefined;
}

/** So many firings are told one by one. */
const TOLD = 5;

export function answer(session: RuleSession, { name, bindings }: Question): Explanation {
  const isRule = session.program.checked.symbols.rules.get(name) !== undefined;
  if (!isRule && session.fact(name) !== undefined) return session.why(name);
  const firings = isRule
    ? session
        .firings(name)
        .filter((fired) => agrees(fired, bindings))
        .toReversed()
    : [];
  const [first] = firings;
  if (first === undefined) return whyNot(session, name, bindings);
  if (firings.length === 1) return session.why(first);
  const more = firings.length > TOLD ? `; the first ${TOLD} are told` : "";
  const told = firings.slice(0, TOLD).map((fired) => session.why(fired));
  return together(`"${name}" fired ${firings.length} times${more}.`, name, told);
}

/** So many names are told to somebody who asked for another one. */
const MOST_NAMES = 20;

/** Where no name is near to the one that was asked for, those that there are help. */
function whyNot(session: RuleSession, name: string, bindings: Question["bindings"]): Explanation {
  try {
    return session.whyNot(name, bindings);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "E207" || error.hint !== undefined) throw error;
    throw new SessionError(error.code, error.message, `this program defines ${namesOf(session)}`);
  }
}

function namesOf({ program }: RuleSession): string {
  const { rules, queries, gates, guardians, pipelines } = program.checked.symbols;
  const known = [rules, queries, gates, guardians, pipelines].flatMap((names) => [...names.names()]);
  const more = known.length > MOST_NAMES ? ` and ${known.length - MOST_NAMES} more` : "";
  return known.length === 0 ? "no rules" : `${quotedList(known.slice(0, MOST_NAMES))}${more}`;
}

function agrees(fired: Fired, bindings: Question["bindings"]): boolean {
  return Object.entries(bindings).every(([name, id]) => fired.bindings[name] === id);
}
