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
const LAST = ["Rejected", "DirectAnswer", "Forwarded"] as const;

/** Every step can go on to the next one or end in each of the final states; the entry can be rejected. */
export function stateMachine(pipeline: string, steps: readonly string[]): StateMachine {
  const way = [FIRST, ...steps];
  const edges = way.flatMap((from, index) => {
    const next = way[index + 1];
    const goesOn = next === undefined ? [] : [next];
    const ends = index === 0 && next !== undefined ? LAST.slice(0, 1) : LAST;
    return [...goesOn, ...ends].map((to) => ({ from, to }));
  });
  return { pipeline, states: [...way, ...LAST], edges };
}
