/** Names of facts: printed as labels (`Person p1`), and read as ids (`Person~p1`) or as the same labels. */
import { factLabel, nearestName, type RuleSession, SessionError } from "../index.ts";
import { oneLine } from "./visible.ts";

/** Turns the id of a fact into the name that is printed for it. */
export type FactNaming = (id: string) => string;

/** Returns the label of a fact, safe to print on one line. */
export function factName(id: string): string {
  return oneLine(factLabel(id));
}

/** Returns the id of the fact with this id or label; undefined when no fact, or more than one, has it. */
export function findFact(session: RuleSession, name: string): string | undefined {
  if (session.fact(name) !== undefined) return name;
  const labelled = session.facts().filter(({ id }) => factLabel(id) === name);
  return labelled.length === 1 ? labelled[0]?.id : undefined;
}

/** Returns the id of the fact with this id or label that was withdrawn; undefined when none, or more than one, had it. */
export function findWithdrawn(session: RuleSession, name: string): string | undefined {
  const gone = session.withdrawn().map(({ id }) => id);
  if (gone.includes(name)) return name;
  const labelled = gone.filter((id) => factLabel(id) === name);
  return labelled.length === 1 ? labelled[0] : undefined;
}

/**
 * Returns the error for a name that can only be that of a fact, because it begins with a type; undefined for other names. The
 * nearest name of a fact is its hint.
 */
export function noSuchFact(session: RuleSession, name: string): SessionError | undefined {
  const [, type = "", mark = ""] = /^([^~\s]+)([~\s])/u.exec(name) ?? [];
  if (session.program.checked.symbols.type(type) === undefined) return undefined;
  const ids = [...session.facts(type), ...session.withdrawn(type)].slice(0, MAX_COMPARED).map(({ id }) => id);
  const meant = nearestName(name, mark === "~" ? ids : ids.map(factLabel));
  const hint =
    meant === undefined ? `no ${type} had this ${mark === "~" ? "id" : "label"}` : `did you mean "${meant}"?`;
  return new SessionError("E532", mark === "~" ? `no fact with id "${name}"` : `no fact "${name}"`, hint);
}

/** The most facts whose names are compared with a mistyped one. */
const MAX_COMPARED = 1_000;
