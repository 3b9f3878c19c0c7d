/** Facts that rules derive: without them, rules over derived facts would never be compared. */
import type { HostFunctions } from "../host-functions.ts";
import { type FactView, type GivenFact, type OpenOptions, type Program, SessionError } from "../../index.ts";

const FIRINGS = 1000;
const MOST = 200;

/** Runs the program on the facts and returns up to 200 derived facts. */
export function derivedFacts(
  program: Program,
  facts: readonly FactView[],
  functions: HostFunctions,
  clock: Pick<OpenOptions, "clock">,
): GivenFact[] {
  const derived: GivenFact[] = [];
  const session = program.session({ facts: "none", functions, missingFunctions: "unknown", ...clock });
  const attempt = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      // An endless run or a failed action does not matter here; the facts derived by then are useful.
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
