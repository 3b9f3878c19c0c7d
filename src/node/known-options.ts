/** Refuses options of the Node adapters that do not exist. */
import { nearestName, SessionError } from "../index.ts";

/** Throws E213 for an option that does not exist, with the nearest one that does. */
export function refuseUnknownOptions<Of extends object>(given: Of, known: Readonly<Record<keyof Of, true>>): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const near = nearestName(unknown, names);
  const hint = near === undefined ? `known options: ${names.join(", ")}` : `did you mean "${near}"?`;
  throw new SessionError("E213", `unknown option "${unknown}"`, hint);
}
