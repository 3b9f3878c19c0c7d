/** Why a rule fired or did not, or where a fact comes from: whatever a name stands for. */
import { type Explanation, type Fired, type RuleSession, together } from "../../index.ts";

export interface Asked {
  /** A rule, a query, or the id of a fact. */
  readonly name: string;
  readonly bindings: Readonly<Record<string, string>>;
  /** Of a gate. */
  readonly subject: string | undefined;
}

/** So many firings are told one by one. */
const TOLD = 5;

export function answer(session: RuleSession, { name, bindings }: Asked): Explanation {
  const isRule = session.program.checked.symbols.rules.get(name) !== undefined;
  if (!isRule && session.fact(name) !== undefined) return session.why(name);
  const firings = isRule
    ? session
        .firings(name)
        .filter((fired) => agrees(fired, bindings))
        .toReversed()
    : [];
  const [first] = firings;
  if (first === undefined) return session.whyNot(name, bindings);
  if (firings.length === 1) return session.why(first);
  const more = firings.length > TOLD ? `; the first ${TOLD} are told` : "";
  const told = firings.slice(0, TOLD).map((fired) => session.why(fired));
  return together(`"${name}" fired ${firings.length} times${more}.`, name, told);
}

function agrees(fired: Fired, bindings: Asked["bindings"]): boolean {
  return Object.entries(bindings).every(([name, id]) => fired.bindings[name] === id);
}
