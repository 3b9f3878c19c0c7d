/** State machines as a picture shows them: what there is besides the network. */
import type { PlanNode } from "../../index.ts";

export interface Machine {
  /** The first is where it begins. */
  readonly states: readonly { readonly name: string; readonly text: string }[];
  /** At most one from a state to another; the label has all that leads there. */
  readonly moves: readonly { readonly from: string; readonly to: string; readonly label: string }[];
}

export function machineOf({ stages }: Extract<PlanNode, { kind: "flow" }>): Machine {
  return {
    states: stages.map(({ name, final, decide }) => ({
      name,
      text: final ? "final" : decide === undefined ? "" : `decide ${decide.gate}`,
    })),
    moves: stages.flatMap(({ name: from, branches }) => {
      const labels = new Map<string, string[]>();
      for (const { on, goto } of branches) labels.set(goto, [...(labels.get(goto) ?? []), on]);
      return [...labels].map(([to, all]) => ({ from, to, label: all.join(", ") }));
    }),
  };
}
