/** Facts that rules make: a proof without them would never try the rules that look at them. */
import { type FactView, type GivenFact, type Program, SessionError } from "../../index.ts";

const FIRINGS = 1000;
const MOST = 200;

/** Runs the program on the facts and collects what comes. */
export function derivedFacts(program: Program, facts: readonly FactView[]): GivenFact[] {
  const derived: GivenFact[] = [];
  const session = program.session({ facts: "none" });
  const attempt = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      // An endless run, or an action that fails, is no matter here; what was made until then is of use.
      if (!(error instanceof SessionError)) throw error;
    }
  };
  for (const { type, fields } of facts) attempt(() => session.assert(type, fields, { role: "policy" }));
  session.on("fact", ({ op, type, fields }) => {
    if (op !== "retract" && derived.length < MOST) derived.push({ type, fields });
  });
  attempt(() => session.run({ limit: FIRINGS }));
  return derived;
}
