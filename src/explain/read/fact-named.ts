/** The facts that a question names: by id, by key or by label (`Person~p1`, `p1`, `Person p1`). */
import { factLabel } from "../../base/fact-label.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import { SessionError } from "../../session/errors.ts";
import type { FactView } from "../../session/results.ts";
import type { World } from "./world.ts";

/** Returns the fact of a variable, by its id, its label or, as the type is known, its key. */
export function factNamed(text: string, variable: string, type: string, world: World): FactView {
  const fact = world.get(text) ?? factOfType(text, type, world) ?? factLabelled(text, world);
  if (fact === undefined) throw noFactOfType(text, type, world);
  if (fact.type === type) return fact;
  throw new SessionError("E203", `"${text}" is a ${fact.type}, and "${variable}" stands for a ${type}`);
}

/** Throws E541 when the text names several facts, such as the key of one and the end of the id of another. */
function factOfType(text: string, type: string, world: World): FactView | undefined {
  const fields = [...(world.context.program.symbols.type(type)?.fields.values() ?? [])].filter(({ key }) => key);
  const [only] = fields.length === 1 ? fields : [];
  const found = world
    .ofType(type)
    .filter(
      ({ id, fields: values }) =>
        id === `${type}~${text}` || factLabel(id) === text || (only !== undefined && values[only.name] === text),
    );
  if (found.length < 2) return found[0];
  const ids = found.map(({ id }) => id);
  throw new SessionError("E541", `"${text}" names ${ids.length} facts: ${ids.join(", ")}`, "use the id of one of them");
}

/** Returns the fact with a label, whatever its type. */
function factLabelled(label: string, world: World): FactView | undefined {
  const [type = ""] = label.split(" ");
  return world.ofType(type).find(({ id }) => factLabel(id) === label);
}

function noFactOfType(text: string, type: string, world: World): SessionError {
  const ids = world.ofType(type).map(({ id }) => id);
  const otherwise =
    ids.length === 0 ? `there are no ${type} facts` : `use the id, label or key of a ${type}, such as "${ids[0]}"`;
  return unknownFact(text, ids, otherwise, type);
}

/** The most ids that are compared with a mistyped one. */
const MAX_COMPARED = 1_000;

/**
 * Returns the error for a name that no fact has. Its hint is the nearest of the ids, or of the labels when the name is
 * written as one; else `otherwise`. With `type`, the name may be a key.
 */
export function unknownFact(name: string, ids: readonly string[], otherwise: string, type?: string): SessionError {
  const known = ids.slice(0, MAX_COMPARED);
  const isLabel = name.includes(" ") && !name.includes("~");
  const byKey = type === undefined ? undefined : nearest(`${type}~${name}`, known);
  const meant = nearest(name, isLabel ? known.map(factLabel) : known) ?? byKey;
  return new SessionError("E532", `no fact ${isLabel ? "" : "with id "}"${name}"`, didYouMean(meant) ?? otherwise);
}
