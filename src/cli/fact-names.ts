/** Names of facts: printed as labels (`Person p1`), and read as ids (`Person~p1`) or as the same labels. */
import { factLabel, type RuleSession } from "../index.ts";
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
