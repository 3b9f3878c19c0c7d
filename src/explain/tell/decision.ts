/** Why a pipeline decided as it did: every line of it is a step, in written order, with its outcome. */
import { factLabel } from "../../base/fact-label.ts";
import type * as ast from "../../language/ast.ts";
import type { ExecutedStep, PipelineDecision } from "../../base/answers.ts";
import { unlessStopped } from "../read/budget.ts";
import { ends, said, StepTeller } from "./pipeline-steps.ts";
import { type Draft, type Explanation, numbered } from "./step.ts";
import { plural, valueWords } from "./words.ts";
import type { World } from "../read/world.ts";

/** Why a pipeline decided as it did. */
export interface WhyDecision extends Explanation {
  /** The name of the pipeline. */
  readonly pipeline: string;
  /** The id of the request. */
  readonly subject: string;
  /** The decision. */
  readonly says: PipelineDecision["decision"];
  /** The reason, answer or receiver of the decision. */
  readonly value: string;
  /** What NOTE steps added. */
  readonly flags: readonly string[];
  /** The name of the step that decided; `before`, `after` or `otherwise` when none of the steps did. */
  readonly decided: string;
}

/** `now` is what the pipeline would decide now; undefined when it no longer looks at the subject. */
export function explainDecision(world: World, asked: PipelineDecision, now: PipelineDecision | undefined): WhyDecision {
  const { pipeline, subject, decision: says, value, flags } = asked;
  const root = numbered(decisionDraft(world, asked, now), `${pipeline}/${subject}`);
  return { ...root, pipeline, subject, says, value, flags, decided: decidedBy(world, asked) };
}

function decidedBy({ context }: World, { pipeline, decision, trace }: PipelineDecision): string {
  const last = trace.rules_executed.at(-1);
  if (last !== undefined && ends(last)) return last.rule;
  const items = context.program.symbols.pipelines.get(pipeline)?.decl.items ?? [];
  const refused = decision === "BLOCK" && last === undefined && items.some(({ kind }) => kind === "before");
  return refused && !isOtherwise(items, decision) ? "before" : "otherwise";
}

/** Whether the `otherwise` of a pipeline without steps could have decided so. */
function isOtherwise(items: readonly ast.PipelineItem[], decision: PipelineDecision["decision"]): boolean {
  const hasSteps = items.some(({ kind }) => kind === "step");
  return !hasSteps && items.some((item) => item.kind === "otherwise" && item.action === decision);
}

function decisionDraft(world: World, asked: PipelineDecision, now: PipelineDecision | undefined): Draft {
  const { pipeline, subject, decision } = asked;
  const found = world.context.program.symbols.pipelines.get(pipeline);
  const head = `Pipeline "${pipeline}" decides ${decision}${said(asked)} for ${factLabel(subject)}`;
  const down = `Pipeline "${pipeline}" was asked about ${factLabel(subject)}. It goes through its lines in order, and the first that ends the request decides.`;
  const base = { text: `pipeline "${pipeline}"`, down, outcome: true, method: "pipeline" };
  if (asked.code !== undefined || found === undefined || now === undefined) {
    const children = asked.trace.rules_executed.map(traced);
    const gone =
      asked.code === undefined
        ? ` ${factLabel(subject)} is no longer one of its subjects: its trace is shown instead.`
        : "";
    const up = `${asked.code === undefined ? head : `Pipeline "${pipeline}" gives ERROR for ${factLabel(subject)}: ${asked.value}`}.${gone}`;
    return { ...base, seen: [plural(children.length, "step was", "steps were") + " executed"], up, children };
  }
  const told = unlessStopped<{ readonly children: readonly Draft[]; readonly decisive: Draft | undefined } | string>(
    () => {
      const teller = new StepTeller(world, found.decl, found.source, now);
      return { children: teller.items(), decisive: teller.decisive };
    },
    (words) => words,
  );
  if (typeof told === "string") {
    const steps = asked.trace.rules_executed.map(traced);
    const up = `${head}. Why its steps gave this is not shown: ${told}. Its trace is shown instead.`;
    return { ...base, seen: [plural(steps.length, "step was", "steps were") + " executed"], up, children: steps };
  }
  const { children, decisive } = told;
  const changed = same(asked, now) ? "" : `. ${CHANGED_SINCE} Now it decides ${now.decision}${said(now)}`;
  const noted = now.flags.length === 0 ? "" : ` Noted: ${now.flags.join(", ")}.`;
  return {
    ...base,
    seen: decisive?.seen ?? [],
    up: `${head}${changed}: ${decisive?.up ?? ""}${noted}`,
    children,
  };
}

const CHANGED_SINCE = "The facts have changed since then, so the current ones are shown.";

function same(a: PipelineDecision, b: PipelineDecision): boolean {
  const plain = ({ decision, value, trace }: PipelineDecision): string =>
    JSON.stringify([decision, value, trace.rules_executed.map(({ rule, action, reason }) => [rule, action, reason])]);
  return plain(a) === plain(b);
}

/** A step of which only the trace is known. */
function traced({ rule, action, reason }: ExecutedStep): Draft {
  const what = `step ${rule}: ${action}${reason === "" ? "" : ` ${valueWords(reason)}`}`;
  return {
    text: `step ${rule}`,
    seen: [what],
    down: `step ${rule} was executed.`,
    up: `${what}.`,
    outcome: action !== "ALLOW",
    method: "trace",
    children: [],
  };
}
