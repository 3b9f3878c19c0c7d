/** The state machines of flows and pipelines as a picture shows them. */
import type { PlanNode } from "../../index.ts";

interface State {
  /** Unique in the machine, where names may repeat. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  /** `error` for a move that only a failure makes, `never` for one that this program never makes. */
  readonly how?: "error" | "never";
}

export interface Machine {
  /** The first is the initial state. */
  readonly states: readonly State[];
  /** At most one from a state to another; the label has all its conditions. */
  readonly moves: readonly Move[];
}

export function machineOf({ stages }: Extract<PlanNode, { kind: "flow" }>): Machine {
  return {
    states: stages.map(({ name, final, decide }) => ({
      id: name,
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

// ---------------------------------------------------------------- pipelines

type Pipeline = Extract<PlanNode, { kind: "pipeline" }>;
type Step = Pipeline["steps"][number];

export const ENDS = ["Rejected", "DirectAnswer", "Forwarded"] as const;
type End = (typeof ENDS)[number];

export function isEnd(name: string): name is End {
  return (ENDS as readonly string[]).includes(name);
}

const END_OF: Readonly<Record<Step["action"], End | undefined>> = {
  ALLOW: undefined,
  NOTE: undefined,
  BLOCK: "Rejected",
  ANSWER: "DirectAnswer",
  FORWARD: "Forwarded",
  ERROR: "Rejected",
};

/** Returns the machine of a pipeline: InputReceived, the steps in order, and three ends; every step leads to the next and to each end. */
export function pipelineMachine(pipeline: Pipeline, words: (step: Step, isBorder: boolean) => string): Machine {
  const { before, steps, after, otherwise } = pipeline;
  const way = [
    { id: "0", name: "InputReceived", text: before.map((border) => `before ${words(border, true)}`).join("; ") },
    ...steps.map((step, index) => ({ id: String(index + 1), name: step.name, text: words(step, false) })),
  ];
  const late = after.map((border) => ` after ${words(border, true)}`).join("; ");
  const ends = ENDS.map((end) => ({ id: end, name: end, text: `final${end === "Rejected" ? "" : late}` }));
  const moves = way.flatMap(({ id: from }, index): Move[] => {
    const step = steps[index - 1];
    const next = way[index + 1]?.id;
    const goesOn = next === undefined ? [] : [{ from, to: next, label: "goes on" }];
    const reasons = new Map<End, string[]>();
    const note = (end: End | undefined, why: string): void => {
      if (end !== undefined) reasons.set(end, [...(reasons.get(end) ?? []), why]);
    };
    if (index === 0 && before.length > 0) note("Rejected", "before");
    if (step !== undefined) note(END_OF[step.action], step.action);
    if (next === undefined) note(END_OF[otherwise.action], `otherwise ${otherwise.action}`);
    const possible = index === 0 && next !== undefined ? ENDS.slice(0, 1) : ENDS;
    return [...goesOn, ...possible.map((to) => ({ from, to, ...toEnd(to, reasons.get(to), step !== undefined) }))];
  });
  return { states: [...way, ...ends], moves };
}

/** Returns the label of a move to an end. A step that fails blocks, whatever it does otherwise. */
function toEnd(end: End, reasons: readonly string[] | undefined, isStep: boolean): Pick<Move, "label" | "how"> {
  if (reasons !== undefined) return { label: reasons.join(", ") };
  return end === "Rejected" && isStep ? { label: "error", how: "error" } : { how: "never" };
}
