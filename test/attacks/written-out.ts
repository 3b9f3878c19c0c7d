/** Programs in which every part uses the one before twice, so that the last one written out has two to the power of their number. */
import { type Attack, times } from "./case.ts";

const TYPES = `type R(#id: string, n: number, ok: bool)
type E(#id: string, r: string, ok: bool)
`;
const FACTS = `R("a", 1, true)
E("e", "a", true)
`;

/** Conditions with evidence; each asks the one before about the evidence and in its pattern. */
function conditionsWithEvidence(count: number): string {
  const condition = (index: number): string =>
    `condition c${index + 1}(r: R) : e.ok and c${index}(r) from e: E(e.r == r.id and c${index}(r))`;
  return `${TYPES}condition c0(r: R) : e.ok from e: E(e.r == r.id)
${times(count, condition)}
gate g for r: R { require c${count}(r) }
${FACTS}`;
}

export const WRITTEN_OUT_ATTACKS: readonly Attack[] = [
  {
    name: "7 conditions with evidence, each used twice by the next",
    args: ["decide", "a.tsd"],
    files: () => ({ "a.tsd": conditionsWithEvidence(7) }),
    exit: 0,
    says: "pass",
  },
];
