/** What explains a session. It needs the checked tree, which a session of a saved plan does not have. */
import type { GateAnswer, PipelineDecision, VerdictAnswer } from "../base/answers.ts";
import type { QuestionArguments } from "../explain/read/context.ts";
import type { Found, Remedy } from "../explain/search/edit.ts";
import type { VerdictRemedy } from "../explain/search/pass.ts";
import type { Explanation } from "../explain/tell/step.ts";
import type { TraceEvent, TraceLevel } from "../explain/tell/trace.ts";
import type { WhySubject } from "../explain/tell/why.ts";
import type { WhyNot } from "../explain/tell/why-not.ts";
import type { FactRef } from "../session/options.ts";
import type { RunResult } from "../session/results.ts";

export interface ExplainPort {
  why(asked: WhySubject): Explanation;
  whyNot(ruleOrQuery: string, given: QuestionArguments): WhyNot;
  searchOpen(gate: string, subject?: FactRef): Found<Remedy>;
  searchPass(guardian: string, subject?: FactRef): Found<VerdictRemedy>;
  trace(level: TraceLevel, tell: (event: TraceEvent) => void): () => void;
  pack(result: RunResult | GateAnswer | VerdictAnswer | PipelineDecision): string;
}
