/** Explains whatever a name stands for: a rule that fired or did not, a query, or a fact. */
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

/** The most firings of a rule that are explained one by one. */
const MAX_FIRINGS = 5;

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
  const more = firings.length > MAX_FIRINGS ? `; the first ${MAX_FIRINGS} are shown` : "";
  const explanations = firings.slice(0, MAX_FIRINGS).map((fired) => session.why(fired));
  return together(`"${name}" fired ${firings.length} times${more}.`, name, explanations);
}

/** The most names that an error about an unknown name lists. */
const MAX_NAMES = 20;

/** Explains why a rule does not fire, or a query finds nothing. An unknown name that resembles no other gets a list of names. */
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
  const more = known.length > MAX_NAMES ? ` and ${known.length - MAX_NAMES} more` : "";
  return known.length === 0 ? "no rules" : `${quotedList(known.slice(0, MAX_NAMES))}${more}`;
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
