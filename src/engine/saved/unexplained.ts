/** What a session of a saved plan does not have: whatever reads the source of the rules. */
import { SessionError } from "../../session/errors.ts";
import type { ExplainPort } from "../explain-port.ts";

/** Refuses every explanation, and says where it can be had. */
export const UNEXPLAINED: ExplainPort = {
  why: () => {
    throw notHere("why()");
  },
  whyNot: () => {
    throw notHere("whyNot()");
  },
  searchOpen: () => {
    throw notHere("wouldOpen()");
  },
  searchPass: () => {
    throw notHere("wouldPass()");
  },
  trace: () => {
    throw notHere("trace()");
  },
  pack: () => {
    throw notHere("pack()");
  },
};

/** Whether a program has its source. A session may continue with one that was loaded from a saved plan. */
export function hasSource(program: object): boolean {
  return "checked" in program;
}

/** Returns the error for something that needs the checked tree of the rules. */
export function notHere(what: string): SessionError {
  const message = `${what} needs the source of the rules, and the program of this session was loaded from a saved plan`;
  const hint =
    'compile the rules with "sluice", and continue there: compile(source).session({ from: session.snapshot() })';
  return new SessionError("E561", message, hint);
}
