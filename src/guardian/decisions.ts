/** Lets pipelines decide, and writes every decision to its audit before it is returned. */
import { abandon, isPromise, thrownWords } from "../base/host-result.ts";
import type { PipelineDecision } from "../base/answers.ts";
import { type PipelineNode } from "./pipeline.ts";
import { withheld } from "./withheld.ts";

/** Writes one line to an audit file. It must return only when the line is stored, and throw when it cannot be. */
export type Audit = (file: string, line: string) => void;

export interface DecisionContext {
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  readonly audit: Audit | undefined;
  /** Returns the time of an audit line, in milliseconds since 1970. */
  readonly auditClock: () => number;
}

/** Returns the decisions on all requests that have none yet; each request is decided once. */
export function decideAll(pipelines: Iterable<PipelineNode>, context: DecisionContext): PipelineDecision[] {
  return [...pipelines].flatMap((pipeline) =>
    pipeline.takeWaiting().flatMap((subject) => decideOne(pipeline, subject, context) ?? []),
  );
}

/** Returns the decision on one request, audited first; undefined when it is not a subject of the pipeline. */
export function decideOne(
  pipeline: PipelineNode,
  subject: string,
  context: DecisionContext,
): PipelineDecision | undefined {
  const decision = pipeline.decide(subject, context.now);
  const { audit: file } = pipeline.spec;
  if (decision === undefined || file === undefined) return decision;
  try {
    writeAudit(context, file, decision);
    return decision;
  } catch (error) {
    return notAudited(decision, file, error);
  }
}

function writeAudit({ audit, auditClock }: DecisionContext, file: string, decision: PipelineDecision): void {
  if (audit === undefined) throw new Error("the session has no audit writer");
  const done: unknown = audit(file, `${JSON.stringify({ time: timeOf(auditClock), ...decision })}\n`);
  if (isPromise(done)) {
    abandon(done);
    throw new Error("the audit writer returned a promise, but it must write synchronously");
  }
}

/** Returns the time in ISO 8601; throws when the clock gives none, as an audit line without its time is incomplete. */
function timeOf(clock: () => number): string {
  const milliseconds: unknown = clock();
  if (typeof milliseconds !== "number" || Number.isNaN(new Date(milliseconds).getTime())) {
    throw new Error("the audit clock returned no time");
  }
  return new Date(milliseconds).toISOString();
}

/**
 * Returns the ERROR that replaces a decision whose audit line could not be written; it reveals nothing of the decision,
 * also when the message of the writer repeats the line.
 */
function notAudited(decision: PipelineDecision, file: string, error: unknown): PipelineDecision {
  const rules_executed = withheld(decision.trace.rules_executed);
  return {
    ...decision,
    decision: "ERROR",
    code: "E544",
    value: `cannot write the audit file "${file}": ${writerWords(error, decision.value)}`,
    trace: { ...decision.trace, rules_executed, final_decision: "ERROR" },
  };
}

/** The characters of a value that are looked for in a message: messages are cut, so a long value is never in one whole. */
const REVEALING_LENGTH = 40;

/** Returns the message of a writer; without it when it contains the value of the decision, as written or as in the line. */
function writerWords(error: unknown, value: string): string {
  const words = thrownWords(error);
  const forms = [value, JSON.stringify(value).slice(1, -1)].map((form) => form.slice(0, REVEALING_LENGTH));
  const reveals = forms.some((form) => form !== "" && words.includes(form));
  return reveals ? "the writer failed, and its message is withheld" : words;
}
