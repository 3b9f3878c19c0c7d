/** Lets pipelines decide, and writes every decision down before anybody gets it. */
import { abandon, isPromise, thrownWords } from "../base/host-result.ts";
import type { PipelineDecision } from "../base/answers.ts";
import { type PipelineNode, withheld } from "./pipeline.ts";

/** Writes one line to an audit file. It must return only when the line is stored, and throw when it cannot be. */
export type Audit = (file: string, line: string) => void;

export interface DecisionContext {
  /** A clock in milliseconds. */
  readonly now: () => number;
  readonly audit: Audit | undefined;
}

/** Each request is decided once, when it comes. */
export function decideAll(pipelines: Iterable<PipelineNode>, site: DecisionContext): PipelineDecision[] {
  return [...pipelines].flatMap((pipeline) =>
    pipeline.takeWaiting().flatMap((subject) => decideOne(pipeline, subject, site) ?? []),
  );
}

/** Undefined when it is not a subject of the pipeline. */
export function decideOne(
  pipeline: PipelineNode,
  subject: string,
  site: DecisionContext,
): PipelineDecision | undefined {
  const decision = pipeline.decide(subject, site.now);
  const { audit: file } = pipeline.parts;
  if (decision === undefined || file === undefined) return decision;
  try {
    writeDown(site.audit, file, decision);
    return decision;
  } catch (error) {
    return unwritten(decision, file, error);
  }
}

function writeDown(audit: Audit | undefined, file: string, decision: PipelineDecision): void {
  if (audit === undefined) throw new Error("the session has no audit writer");
  const done: unknown = audit(file, `${JSON.stringify(decision)}\n`);
  if (isPromise(done)) {
    abandon(done);
    throw new Error("the audit writer returned a promise, but it must write synchronously");
  }
}

/** Nothing of what was decided is given away. */
function unwritten(decision: PipelineDecision, file: string, error: unknown): PipelineDecision {
  const rules_executed = withheld(decision.trace.rules_executed);
  return {
    ...decision,
    decision: "ERROR",
    code: "E544",
    value: `cannot write the audit file "${file}": ${thrownWords(error)}`,
    trace: { ...decision.trace, rules_executed, final_decision: "ERROR" },
  };
}
