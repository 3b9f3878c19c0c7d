/** Explains a decision of a pipeline: every line of it is a step, in written order, with its outcome. */
import { factLabel } from "../../base/fact-label.ts";
import type { DecisionAccount } from "../../guardian/pipeline.ts";
import type * as ast from "../../language/ast.ts";
import type { ExecutedStep, PipelineDecision } from "../../base/answers.ts";
import { unlessStopped } from "../read/budget.ts";
import { authorText, type Decisive, ends, StepExplainer } from "./pipeline-steps.ts";
import type { Draft } from "../read/draft.ts";
import { headlineOf } from "./headline.ts";
import { type Explanation, numbered } from "./step.ts";
import { plural, valueWords } from "../read/words.ts";
import type { World } from "../read/world.ts";

/** The explanation of a pipeline's decision. */
export interface WhyDecision extends Explanation {
  /** The name of the pipeline. */
  readonly pipeline: string;
  /** The id of the request. */
  readonly subject: string;
  /** The decision. */
  readonly says: PipelineDecision["decision"];
  /** The reason, answer or receiver of the decision. */
  readonly value: string;
  /** The texts that NOTE steps added. */
  readonly flags: readonly string[];
  /** The name of the step that decided; `before`, `after` or `otherwise` when none of the steps did. */
  readonly decided: string;
}

/**
 * Returns the explanation of a decision. `now` is the decision that the pipeline would make now, with what its `after`
 * lines see; undefined when the request is no longer a subject.
 */
export function explainDecision(
  world: World,
  recorded: PipelineDecision,
  now: DecisionAccount | undefined,
): WhyDecision {
  const { pipeline, subject, decision: says, value, flags } = recorded;
  const root = numbered(decisionDraft(world, recorded, now), `${pipeline}/${subject}`);
  return { ...root, pipeline, subject, says, value, flags, decided: decidedBy(world, recorded) };
}

function decidedBy({ context }: World, { pipeline, decision, trace }: PipelineDecision): string {
  const last = trace.rules_executed.at(-1);
  if (last !== undefined && ends(last)) return last.rule;
  const items = context.program.symbols.pipelines.get(pipeline)?.decl.items ?? [];
  const refused = decision === "BLOCK" && last === undefined && items.some(({ kind }) => kind === "before");
  return refused && !isOtherwise(items, decision) ? "before" : "otherwise";
}

/** Returns whether the `otherwise` of a pipeline without steps could have made the decision. */
function isOtherwise(items: readonly ast.PipelineItem[], decision: PipelineDecision["decision"]): boolean {
  const hasSteps = items.some(({ kind }) => kind === "step");
  return !hasSteps && items.some((item) => item.kind === "otherwise" && item.action === decision);
}

function decisionDraft(world: World, recorded: PipelineDecision, account: DecisionAccount | undefined): Draft {
  const { pipeline, subject } = recorded;
  const found = world.context.program.symbols.pipelines.get(pipeline);
  const decided = (one: PipelineDecision): string => `${one.decision}${authorText(one.value, one)}`;
  const head = `Pipeline "${pipeline}" decides ${decided(recorded)} for ${factLabel(subject)}`;
  const down = `Pipeline "${pipeline}" was asked about ${factLabel(subject)}. It goes through its lines in order, and the first that ends the request decides.`;
  const base = { text: `pipeline "${pipeline}"`, down, outcome: true, method: "pipeline" };
  if (recorded.code !== undefined || found === undefined || account === undefined) {
    const children = recorded.trace.rules_executed.map(traced);
    const up =
      recorded.code === undefined
        ? headlineOf(head, [`${factLabel(subject)} is no longer one of its subjects, so its trace is shown instead`])
        : headlineOf(`Pipeline "${pipeline}" gives ERROR for ${factLabel(subject)}`, [recorded.value]);
    return { ...base, seen: [plural(children.length, "step was", "steps were") + " executed"], up, children };
  }
  const { decision: now } = account;
  const drafted = unlessStopped<Drafted | string>(
    () => {
      const explainer = new StepExplainer(world, found.decl, found.source, account);
      const children = explainer.items();
      return { children, decisive: explainer.decisive };
    },
    (words) => words,
  );
  if (typeof drafted === "string") {
    const steps = recorded.trace.rules_executed.map(traced);
    const up = headlineOf(head, [`why its steps gave this is not shown, ${drafted}`, "its trace is shown instead"]);
    return { ...base, seen: [plural(steps.length, "step was", "steps were") + " executed"], up, children: steps };
  }
  const { children, decisive } = drafted;
  const changed = same(recorded, now) ? [] : [`${CHANGED_SINCE} it decides ${decided(now)}`];
  const noted = now.flags.length === 0 ? [] : [`noted: ${now.flags.join(", ")}`];
  return {
    ...base,
    seen: decisive?.seen ?? [],
    up: headlineOf(head, [...changed, ...(decisive?.reasons ?? [])], { notes: noted }),
    children,
  };
}

interface Drafted {
  readonly children: readonly Draft[];
  readonly decisive: Decisive | undefined;
}

const CHANGED_SINCE = "the facts have changed since then, and now";

function same(a: PipelineDecision, b: PipelineDecision): boolean {
  const plain = ({ decision, value, trace }: PipelineDecision): string =>
    JSON.stringify([decision, value, trace.rules_executed.map(({ rule, action, reason }) => [rule, action, reason])]);
  return plain(a) === plain(b);
}

/** Returns the draft of a step of which only the trace is known. */
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
