/** A session for facts alone: they are let in, kept and given out as in any session, and no rule looks at them. */
import type { NetworkPort } from "../rete/port.ts";
import { Session } from "../session/session.ts";
import type { Program } from "./program.ts";

/**
 * Opens a session that admits and keeps facts like any other, without a network: no rule sees them. It costs less when
 * facts are only checked or converted.
 */
export function factSession(program: Program): Session {
  const parts = { ...program.data(), productions: new Map(), buildNetwork: () => NO_NETWORK };
  return new Session(parts, { facts: "none" });
}

const NO_NETWORK: NetworkPort = {
  add: () => {},
  remove: () => {},
  update: (fact, changes) => fact.change(changes),
  matches: () => [],
  directTerminal: () => undefined,
  counters: () => ({ facts: 0, matches: 0, indexEntries: 0 }),
};
