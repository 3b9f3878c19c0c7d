/** Explains whatever a name stands for: a rule that fired or did not, a query, or a fact. */
import {
  type Explanation,
  factLabel,
  type Fired,
  nearestName,
  type RuleSession,
  SessionError,
  together,
  type WhyNot,
} from "../../index.ts";
import { quotedList } from "../arguments.ts";
import { findFact, findWithdrawn, noSuchFact } from "../fact-names.ts";
import { subjectNamed } from "../subject.ts";
import { queryValues } from "./query-values.ts";

export interface Question {
  /** The name of a rule or query, or the id or label of a fact. */
  readonly name: string;
  /** The facts that variables stand for, by key, id or label; for a query also values of parameters. */
  readonly bindings: Readonly<Record<string, string>>;
  /** The subject of a gate, guardian, pipeline or flow. */
  readonly subject: string | undefined;
}

/** The most firings of a rule that are explained one by one. */
const MAX_FIRINGS = 5;

export function answer(session: RuleSession, { name, bindings }: Question): Explanation {
  const isRule = session.program.checked.symbols.rules.get(name) !== undefined;
  const fact = isRule ? undefined : (findFact(session, name) ?? findWithdrawn(session, name));
  if (fact !== undefined) return session.why(fact);
  const firings = isRule
    ? session
        .firings(name)
        .filter((fired) => agrees(session, fired, bindings))
        .toReversed()
    : [];
  const [first] = firings;
  if (first === undefined) return whyNot(session, name, bindings);
  if (firings.length === 1) return session.why(first);
  const more = firings.length > MAX_FIRINGS ? `; the first ${MAX_FIRINGS} are shown` : "";
  const explanations = firings.slice(0, MAX_FIRINGS).map((fired) => session.why(fired));
  return together(`"${name}" fired ${firings.length} times${more}.`, name, explanations);
}

/** The most names that an error about an unknown name lists. */
const MAX_NAMES = 20;

/** Explains why a rule does not fire, or a query finds nothing. */
export function whyNot(session: RuleSession, name: string, bindings: Question["bindings"]): WhyNot {
  const { rules, queries } = session.program.checked.symbols;
  const isRule = rules.get(name) !== undefined;
  if (!isRule && queries.get(name) === undefined) throw noSuchFact(session, name) ?? nothingCalled(session, name);
  return session.whyNot(name, isRule ? bindings : queryValues(session, name, bindings));
}

/** Returns the error for a name that nothing in the program has, with the nearest name, or the names that there are. */
function nothingCalled({ program }: RuleSession, name: string): SessionError {
  const { rules, queries, gates, guardians, pipelines, flows } = program.checked.symbols;
  const kinds = { rule: rules, query: queries, gate: gates, guardian: guardians, pipeline: pipelines, flow: flows };
  const known = Object.entries(kinds).flatMap(([kind, names]) => [...names.names()].map((one) => [one, kind] as const));
  const names = known.map(([one]) => one);
  const meant = nearestName(name, names);
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  const defined = names.length === 0 ? "no rules" : `${quotedList(names.slice(0, MAX_NAMES))}${more}`;
  const kind = new Map(known.toReversed()).get(meant ?? "") ?? "";
  const hint = meant === undefined ? `this program defines ${defined}` : `did you mean the ${kind} "${meant}"?`;
  return new SessionError("E207", `no rule, query, gate, guardian, pipeline, flow or fact "${name}"`, hint);
}

function agrees(session: RuleSession, fired: Fired, bindings: Question["bindings"]): boolean {
  return Object.entries(bindings).every(([name, fact]) => {
    const bound = fired.bindings[name];
    if (bound === fact) return true;
    return typeof bound === "string" && (factLabel(bound) === fact || hasKey(session, bound, fact));
  });
}

/** Returns whether a text is the key of a fact. */
function hasKey(session: RuleSession, id: string, text: string): boolean {
  const type = session.fact(id)?.type;
  return type !== undefined && subjectNamed(session, type, text) === id;
}
