/** Why a rule fired or did not, or where a fact comes from: whatever a name stands for. */
import { type Explanation, factLabel, type Fired, type RuleSession, SessionError, together } from "../../index.ts";
import { quotedList } from "../arguments.ts";
import { findFact } from "../fact-names.ts";

export interface Question {
  /** The name of a rule or query, or the id or label of a fact. */
  readonly name: string;
  /** The facts that variables stand for, by id or label; for a query also values of parameters. */
  readonly bindings: Readonly<Record<string, string>>;
  /** The subject of a gate, guardian or pipeline. */
  readonly subject: string | undefined;
}

/** So many firings are told one by one. */
const TOLD = 5;

export function answer(session: RuleSession, { name, bindings }: Question): Explanation {
  const isRule = session.program.checked.symbols.rules.get(name) !== undefined;
  const fact = isRule ? undefined : findFact(session, name);
  if (fact !== undefined) return session.why(fact);
  const firings = isRule
    ? session
        .firings(name)
        .filter((fired) => agrees(fired, bindings))
        .toReversed()
    : [];
  const [first] = firings;
  if (first === undefined) return whyNot(session, name, isRule ? factIds(session, bindings) : bindings);
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
  return Object.entries(bindings).every(([name, fact]) => {
    const bound = fired.bindings[name];
    return bound === fact || (typeof bound === "string" && factLabel(bound) === fact);
  });
}

/** Returns the same bindings with ids in place of labels. */
function factIds(session: RuleSession, bindings: Question["bindings"]): Record<string, string> {
  return Object.fromEntries(Object.entries(bindings).map(([name, fact]) => [name, findFact(session, fact) ?? fact]));
}
