/**
 * Cedar (WebAssembly): every rule is a `permit` policy with the tests as its condition; the policies that an answer gives as its
 * reason are the rules that hold. Policies are parsed once and kept by the package (`preparsePolicySet`), each fact is the
 * context of one request.
 */
import { type AlphaWork, type Test, type Thing, valueIn } from "../../data/alpha-work.ts";
import { type Joined, load, type Peer } from "../peer.ts";

interface Package {
  readonly preparsePolicySet: (id: string, policies: object) => { readonly type: "success" | "failure" };
  readonly statefulIsAuthorized: (call: object) => Answer;
}

type Answer =
  | { readonly type: "success"; readonly response: { readonly diagnostics: { readonly reason: readonly string[] } } }
  | { readonly type: "failure"; readonly errors: readonly { readonly message: string }[] };

const POLICIES = "rules";
const SOMEBODY = { type: "User", id: "somebody" };
const DECIDE = { type: "Action", id: "decide" };
const SOMETHING = { type: "Request", id: "something" };

function policiesOf({ tests, rules }: AlphaWork, joined: Joined): object {
  const between = joined === "and" ? " && " : " || ";
  const policy = (positions: readonly number[]): string => {
    const terms = positions.flatMap((position) => tests[position] ?? []).map(termOf);
    return `permit(principal, action, resource) when { ${terms.join(between)} };`;
  };
  return Object.fromEntries(rules.map((positions, rule) => [`r${rule}`, policy(positions)]));
}

function termOf({ field, op, value }: Test): string {
  return `context.${field} ${op} ${JSON.stringify(value)}`;
}

/** Returns the fields of a fact without its id, which no policy reads. */
function contextOf(fact: Thing): object {
  const fields: Record<string, number | string> = {};
  for (const field in fact) if (field !== "id") fields[field] = valueIn(fact, field);
  return fields;
}

export const cedar: Peer = {
  name: "cedar",
  alpha: async (work, joined, fire) => {
    const { preparsePolicySet, statefulIsAuthorized } = await load<Package>("@cedar-policy/cedar-wasm/nodejs");
    const parsed = preparsePolicySet(POLICIES, { staticPolicies: policiesOf(work, joined) });
    if (parsed.type === "failure") throw new Error("Cedar does not accept the policies");
    return async (facts) => {
      for (const fact of facts) {
        const answer = statefulIsAuthorized({
          principal: SOMEBODY,
          action: DECIDE,
          resource: SOMETHING,
          context: contextOf(fact),
          preparsedPolicySetId: POLICIES,
          entities: [],
        });
        if (answer.type === "failure") throw new Error(answer.errors[0]?.message ?? "Cedar failed");
        for (const policy of answer.response.diagnostics.reason) fire(Number(policy.slice(1)), fact.id);
      }
    };
  },
};
