/** Finds the subject that a user names. A text that names two facts is refused: an outcome about the wrong one could pass. */
import { type FactView, factLabel, type RuleSession, SessionError } from "../index.ts";
import { quotedList } from "./arguments.ts";

/**
 * Returns the id of the fact of a type with this key, id or label; undefined when there is none.
 *
 * @throws SessionError E541 when the text names several facts, such as the key of one and the label of another.
 */
export function subjectNamed(session: RuleSession, type: string, text: string): string | undefined {
  const facts = session.facts(type);
  const key = onlyKey(session, type);
  const named = (name: string): string[] =>
    facts.filter((fact) => namesOf(fact, key).includes(name)).map(({ id }) => id);
  const found = named(text);
  if (found.length < 2) return found[0];
  const clear = facts
    .filter(({ id }) => found.includes(id))
    .flatMap((fact) => namesOf(fact, key).find((name) => named(name).length === 1) ?? []);
  const message = `"${text}" names ${found.length} facts: ${found.join(", ")}`;
  throw new SessionError("E541", message, `use a name that only one fact has: ${quotedList(clear)}`);
}

/** Returns the name of the key field of a type; undefined when it has none or several. */
function onlyKey({ program }: RuleSession, type: string): string | undefined {
  const fields = program.checked.symbols.type(type)?.fields.values() ?? [];
  const [only, ...others] = [...fields].filter(({ key }) => key);
  return others.length === 0 ? only?.name : undefined;
}

/** Returns the id, the label, the keys as the id has them (`a_b`), and a key that is text as the author wrote it. */
function namesOf({ id, fields }: FactView, key: string | undefined): string[] {
  const names = [id, factLabel(id), id.slice(id.indexOf("~") + 1)];
  const written = key === undefined ? undefined : fields[key];
  return typeof written === "string" ? [...names, written] : names;
}
