/** A session whose host function works on another session of the program in the middle of a test on a fact. */
import { compile, type RuleSession } from "../../src/index.ts";

const RULES = `
type T(#id: string, a: number, b: number)
${Array.from({ length: 12 }, (_, n) => `rule two${n} { when t: T((a == ${n} or b == ${n}) and visit(id) > 0) then log(t.id) }`).join("\n")}
`;
const SIGNATURES = {
  functions: {
    visit: { params: [{ name: "id", type: { kind: "string" }, optional: false }], result: { kind: "number" } },
  },
} as const;

/** Returns the rules that fire for a fact that passes every test in two ways, each as often as it fires. */
function fired(visit: (id: unknown) => number, begin: (session: RuleSession) => void): string[] {
  const program = compile(RULES, SIGNATURES);
  const session = program.session({ functions: { visit } });
  begin(program.session({ functions: { visit: () => 1 } }));
  for (let n = 0; n < 12; n++) session.assert("T", { id: `t${n}`, a: n, b: n });
  return session.run().fired.map(({ rule }) => rule);
}

/** Returns what fires when the function asserts the same fact in another session, and when it does nothing. */
export function nestedFirings(): { readonly nested: readonly string[]; readonly alone: readonly string[] } {
  let other: RuleSession | undefined;
  let count = 0;
  const asserting = (id: unknown): number => {
    const value = Number(String(id).slice(1)); // so that the other fact reaches the node whose test is being called
    other?.assert("T", { id: `n${count++}`, a: value, b: value });
    return 1;
  };
  const nested = fired(asserting, (session) => {
    other = session;
  });
  return {
    nested,
    alone: fired(
      () => 1,
      () => undefined,
    ),
  };
}
