/** The state machine of a pipeline. */

export interface StateMachine {
  /** The name of the pipeline. */
  readonly pipeline: string;
  /** Its states: `InputReceived`, its steps, and the final states. */
  readonly states: readonly string[];
  /** The transitions between states. */
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

const FIRST = "InputReceived";
const FINAL = ["Rejected", "DirectAnswer", "Forwarded"] as const;

/** Returns the state machine. Every step leads to the next one and to each final state; the entry can be rejected. */
export function stateMachine(pipeline: string, steps: readonly string[]): StateMachine {
  const path = [FIRST, ...steps];
  const edges = path.flatMap((from, index) => {
    const next = path[index + 1];
    const goesOn = next === undefined ? [] : [next];
    const ends = index === 0 && next !== undefined ? FINAL.slice(0, 1) : FINAL;
    return [...goesOn, ...ends].map((to) => ({ from, to }));
  });
  return { pipeline, states: [...path, ...FINAL], edges };
}
