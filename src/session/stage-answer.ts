/** Reads the facts in which the engine keeps the stages of flows. */
import type { FlowAnswer } from "../base/answers.ts";
import type { FactView } from "./results.ts";

/** The fields of a `FlowStage` fact. */
type Recording = Omit<FlowAnswer, "fact" | "subject"> & { readonly subject?: string };

/** Returns what a `FlowStage` fact records. */
export function stageAnswer({ id, fields }: FactView): FlowAnswer {
  const { flow, subject = null, stage, ...move } = fields as unknown as Recording;
  return { flow, subject, stage, ...move, fact: id };
}
