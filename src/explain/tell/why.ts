/**
 * Explains why a rule fired, why a gate, guardian or pipeline gave its answer, and why a fact exists: back to the facts
 * that the host or the program asserted.
 */
import { factLabel } from "../../base/fact-label.ts";
import type { FlowAnswer, GateAnswer, Outcome, PipelineDecision, VerdictAnswer } from "../../base/answers.ts";
import { SessionError } from "../../session/errors.ts";
import type { Effect, FactView, Fired } from "../../session/results.ts";
import type { FactRef, FactSupport, Past } from "../../session/options.ts";
import { unlessStopped } from "../read/budget.ts";
import { conditionDrafts, type DraftContext } from "./condition.ts";
import { explainDecision, type WhyDecision } from "./decision.ts";
import { explainGate, gateDraft, gateWords, withOutcome } from "./gate.ts";
import { reach } from "../read/reach.ts";
import { ruleNamed, type ExplainContext, fixedBy } from "../read/context.ts";
import { firstSolution } from "../read/solve.ts";
import { Chosen } from "../read/chosen.ts";
import type { Draft, Reason } from "../read/draft.ts";
import { failingPart } from "./failing-part.ts";
import { forVariables, headlineOf, reasonsOf } from "./headline.ts";
import { shown } from "./shown.ts";
import { explainStage, stageDraft, stageOfFact } from "./stage.ts";
import { type Explanation, numbered } from "./step.ts";
import { unknownNow, withdrawnDraft, withdrawnFact } from "./withdrawn.ts";
import { explainVerdict, verdictDraft, type WhyVerdict } from "./verdict.ts";
import { allParts, fieldWords, seenValue } from "../read/words.ts";
import { type FactBase, type OutcomeAnswer, World } from "../read/world.ts";

/** The most steps that the origin of a fact is followed back. */
const MAX_ORIGIN_DEPTH = 12;

/**
 * The subject of `why`: a firing, an effect, the answer of a gate, flow, guardian or pipeline, or a fact. For a gate result
 * the gate is explained, for a stage the flow, for a verdict the guardian.
 */
export type WhySubject = Fired | Effect | GateAnswer | FlowAnswer | VerdictAnswer | PipelineDecision | FactRef;

export function explain(context: ExplainContext, target: WhySubject): Explanation {
  if (typeof target === "string") return whyFact(context, target);
  if ("flow" in target) return explainStage(context, target);
  if ("gate" in target) return explainGate(context, target);
  if ("guardian" in target) return whyVerdict(context, target);
  if ("pipeline" in target) return whyDecision(context, target);
  return "rule" in target ? whyFired(context, target) : whyFact(context, target.id);
}

function whyVerdict(context: ExplainContext, target: VerdictAnswer): WhyVerdict {
  return explainVerdict(judging(context), target, context.verdict(target.guardian, target.subject));
}

function whyDecision(context: ExplainContext, target: PipelineDecision): WhyDecision {
  return explainDecision(judging(context), target, context.decision(target.pipeline, target.subject));
}

/** Returns a world of the current facts, in which tests can read the answers of gates and guardians. */
function judging(context: ExplainContext): World {
  const outcomeAnswer = (of: "gate" | "guardian", name: string, subject: string): OutcomeAnswer | undefined =>
    answerFrom(context, of, name, subject);
  return World.of({ ...context, judging: true, failures: { count: 0, inside: 0 }, outcomeAnswer }, context.session);
}

function answerFrom(
  context: ExplainContext,
  of: "gate" | "guardian",
  name: string,
  subject: string,
): OutcomeAnswer | undefined {
  if (of === "gate") {
    const answer = context.gate(name, subject === "" ? null : subject);
    if (answer === undefined) return undefined;
    const { outcome } = answer;
    return { outcome, words: gateWords(answer), draft: () => gateDraft(context, answer) };
  }
  const account = context.verdict(name, subject);
  if (account === undefined) return undefined;
  const { answer } = account;
  const words = `guardian "${name}" says ${answer.verdict} for ${factLabel(subject)}`;
  return { outcome: OUTCOME_OF[answer.verdict], words, draft: () => verdictDraft(judging(context), answer, account) };
}

const OUTCOME_OF = { PASS: "pass", RETRY: "hold", FAIL: "fail" } as const;

function whyFired(context: ExplainContext, target: Fired | Effect): Explanation {
  const { n, rule } = target;
  const past = context.session.past(n);
  const id = `${rule}#${n}`;
  if (past?.fired.rule === rule) return numbered(firingDraft(context, past.fired, basedOn(past)), id);
  if ("bindings" in target) return numbered(firingDraft(context, target, undefined), id);
  const hint = "open the session with a larger `history` to keep more firings";
  throw new SessionError("E550", `firing ${n} of rule "${rule}" is not remembered`, hint);
}

function whyFact(context: ExplainContext, id: string): Explanation {
  const fact = context.session.fact(id);
  const answer = fact === undefined ? undefined : (gateOfResult(context, fact) ?? recordedVerdict(context, fact));
  if (answer !== undefined) return explain(context, answer);
  const stage = fact === undefined ? undefined : stageOfFact(context, fact);
  if (stage !== undefined) return explainStage(context, stage);
  if (fact !== undefined) return numbered(factDraft(context, id, new Set(), 0), id);
  return whyWithdrawn(context, id);
}

/** Explains why a fact is gone, from the history. */
function whyWithdrawn(context: ExplainContext, id: string): Explanation {
  const removed = withdrawnFact(context, id);
  if (removed === undefined) throw unknownNow(context, id);
  const stage = stageOfFact(context, removed.fact);
  if (stage !== undefined) return explainStage(context, stage);
  const draft = withdrawnDraft(context, removed, {
    firing: ({ n }) => {
      const past = context.session.past(n);
      return past === undefined ? [] : [firingDraft(context, past.fired, basedOn(past))];
    },
    match: (match, world) => matchDraft(context, match, world),
  });
  return numbered(draft, id);
}

/** Returns the answer of the gate that wrote a result: the recorded outcome, explained by the current facts. */
function gateOfResult(context: ExplainContext, { type, fields }: FactView): GateAnswer | undefined {
  if (type !== "GateResult" || context.program.symbols.type(type)?.engineKept !== true) return undefined;
  const { gate, subject, outcome } = fields;
  const now = context.gate(typeof gate === "string" ? gate : "", typeof subject === "string" ? subject : null);
  return now === undefined ? undefined : withOutcome(now, outcome as Outcome);
}

/** Returns the verdict that a guardian recorded as a fact. */
function recordedVerdict({ program }: ExplainContext, { type, fields }: FactView): VerdictAnswer | undefined {
  if (type !== "Verdict" || program.symbols.type(type)?.engineKept !== true) return undefined;
  return { warnings: [], ...(fields as unknown as Omit<VerdictAnswer, "warnings">) };
}

// ---------------------------------------------------------------- firings

/** Returns the facts at the time of a firing; undefined when they are no longer known. */
function basedOn(past: Past): FactBase | undefined {
  return past.known ? past : undefined;
}

/** Returns the draft of a firing, explained by the facts of `base` or, without one, the current facts. */
function firingDraft(
  context: ExplainContext,
  fired: Fired,
  base: FactBase | undefined,
  origin?: DraftContext["origin"],
): Draft {
  const reaction = reactionNamed(context, fired.rule);
  if (reaction !== undefined) return reactionDraft(context, fired, reaction);
  const verdict = verdictReaction(context, fired.rule);
  if (verdict !== undefined) return verdictReactionDraft(context, fired, verdict);
  const world = World.of(context, base ?? context.session);
  const match = matchDraft(context, { rule: fired.rule, bindings: fired.bindings }, world, origin);
  const whom = forVariables(fired.bindings, (one) => shown(one, { world }));
  const head = `"${fired.rule}" fired${whom} (firing ${fired.n})`;
  const up = headlineOf(head, match.outcome ? match.reasons : [CHANGED_SINCE]);
  return { ...match.draft, outcome: true, up };
}

interface Reaction {
  readonly gate: string;
  readonly subject: string | undefined;
  readonly outcome: Outcome;
}

/** Returns the gate reaction of this name, `gate "deploy" on hold`; undefined when the name is that of a rule. */
function reactionNamed({ program }: ExplainContext, rule: string): Reaction | undefined {
  const { rules, gates } = program.symbols;
  if (rules.get(rule) !== undefined) return undefined;
  for (const { decl } of gates.values()) {
    const gate = decl.name.name;
    const found = decl.reactions.find(({ outcome }) => rule.replace(/'+$/u, "") === `gate "${gate}" on ${outcome}`);
    if (found !== undefined) return { gate, subject: decl.subject?.variable?.name, outcome: found.outcome };
  }
  return undefined;
}

/**
 * Returns the draft of a gate reaction, with the current explanation of the gate; it notes when the outcome has
 * changed.
 */
function reactionDraft(context: ExplainContext, fired: Fired, { gate, subject, outcome }: Reaction): Draft {
  const about = subject === undefined ? undefined : fired.bindings[subject];
  const id = typeof about === "string" ? about : null;
  const now = context.gate(gate, id);
  const whom = id === null ? "" : ` for ${factLabel(id)}`;
  const seen = `gate "${gate}" said ${outcome}${whom}`;
  return {
    text: fired.rule,
    seen: [seen],
    down: `"on ${outcome}" of gate "${gate}" happens each time the gate turns to ${outcome}.`,
    up: `${seen.replace("gate", "Gate")}, so its "on ${outcome}" happened (firing ${fired.n}).`,
    method: "gate",
    outcome: true,
    children: now === undefined ? [] : [gateDraft(context, withOutcome(now, outcome))],
  };
}

interface VerdictReaction {
  readonly guardian: string;
  readonly subject: string | undefined;
  readonly verdict: VerdictAnswer["verdict"];
}

/**
 * Returns the guardian reaction of this name, `guardian "answer" on RETRY`; undefined when the name is that of a rule.
 */
function verdictReaction({ program }: ExplainContext, rule: string): VerdictReaction | undefined {
  const { rules, guardians } = program.symbols;
  if (rules.get(rule) !== undefined) return undefined;
  for (const { decl } of guardians.values()) {
    const guardian = decl.name.name;
    const found = decl.reactions.find(
      ({ verdict }) => rule.replace(/'+$/u, "") === `guardian "${guardian}" on ${verdict}`,
    );
    if (found !== undefined) return { guardian, subject: decl.subject.variable?.name, verdict: found.verdict };
  }
  return undefined;
}

/**
 * Returns the draft of a guardian reaction, with the current explanation of the guardian; it notes when the verdict has
 * changed.
 */
function verdictReactionDraft(
  context: ExplainContext,
  fired: Fired,
  { guardian, subject, verdict }: VerdictReaction,
): Draft {
  const about = subject === undefined ? undefined : fired.bindings[subject];
  const id = typeof about === "string" ? about : "";
  const account = context.verdict(guardian, id);
  const seen = `guardian "${guardian}" said ${verdict}${id === "" ? "" : ` for ${factLabel(id)}`}`;
  const then = account === undefined ? undefined : { ...account.answer, ...verdictOf(account.answer, verdict) };
  return {
    text: fired.rule,
    seen: [seen],
    down: `"on ${verdict}" of guardian "${guardian}" happens each time its verdict turns to ${verdict}.`,
    up: `${seen.replace("guardian", "Guardian")}, so its "on ${verdict}" happened (firing ${fired.n}).`,
    method: "guardian",
    outcome: true,
    children: then === undefined ? [] : [verdictDraft(judging(context), then, account)],
  };
}

/** Returns the fields that differ under an earlier verdict: its reasons and actions are no longer known. */
function verdictOf(now: VerdictAnswer, verdict: VerdictAnswer["verdict"]): Partial<VerdictAnswer> {
  return now.verdict === verdict ? {} : { verdict, reasons: [], sentences: [], required_actions: [], would_fix: [] };
}

const CHANGED_SINCE =
  "the facts have changed since then and the earlier ones are no longer known, so the current facts are shown";

interface MatchExplanation {
  readonly draft: Draft;
  readonly outcome: boolean;
  /** Why the condition holds, or why it does not: only the part that fails. For a headline. */
  readonly reasons: readonly Reason[];
}

/** Returns the draft of a rule's condition for given bindings; without its parts when that takes too many steps. */
function matchDraft(
  context: ExplainContext,
  match: FactSupport,
  world: World,
  origin?: DraftContext["origin"],
): MatchExplanation {
  return unlessStopped(
    () => wholeMatchDraft(context, match, world, origin),
    (stopped) => {
      const { rule } = match;
      const down = `"${rule}" fires when its condition holds.`;
      const draft = { text: `rule "${rule}"`, seen: [], down, up: "", outcome: true, children: [], bound: true };
      return { draft, outcome: true, reasons: [{ words: `why its condition held is not shown, ${stopped}` }] };
    },
  );
}

function wholeMatchDraft(
  context: ExplainContext,
  { rule, bindings }: FactSupport,
  world: World,
  origin?: DraftContext["origin"],
): MatchExplanation {
  const { parts, words } = ruleNamed(context, rule);
  const fixed = fixedBy(bindings, parts, world);
  const found = firstSolution(parts, world, Chosen.nothing, fixed);
  const progress = found === undefined ? reach(parts, world, Chosen.nothing, fixed) : undefined;
  const draftContext = { world, words, fixed, ...(origin === undefined ? {} : { origin }) };
  const end = found ?? progress?.deepest ?? Chosen.nothing;
  const reached = progress?.depth ?? parts.length;
  const children = conditionDrafts(parts, reached, Chosen.nothing, end, draftContext);
  const named = new Set(
    [...fixed].map(
      ([name, bound]) => `${name} is ${"fact" in bound ? factLabel(bound.fact.id) : seenValue(bound.value)}`,
    ),
  );
  const failing = found === undefined ? failingPart(children, reached) : undefined;
  const reasons = (failing === undefined ? children : [failing])
    .flatMap((child) => reasonsOf(child))
    .filter(({ words: reason }) => !named.has(reason));
  const count = parts.length;
  const draft = {
    text: `rule "${rule}"`,
    seen: children.flatMap((child) => child.seen),
    down: `"${rule}" fires when ${count === 1 ? "its condition holds" : `${allParts(count)} of its condition hold`}.`,
    up: "",
    method: "rule",
    outcome: found !== undefined,
    children,
  };
  return { draft, outcome: found !== undefined, reasons: reasons.length === 0 ? [NO_TESTS] : reasons };
}

/** The reason of a match for a condition that any facts of its types fulfil. */
const NO_TESTS: Reason = { words: "its condition has no tests" };

// ---------------------------------------------------------------- facts

/**
 * Returns the draft of a fact's origin. `explained` are the ids of facts that the explanation contains already: each is
 * explained once.
 */
function factDraft(context: ExplainContext, id: string, explained: Set<string>, depth: number): Draft {
  const { session } = context;
  const fact = session.fact(id);
  const { made, changed, supports } = session.origin(id);
  const seen = [
    fact === undefined ? `${factLabel(id)} is gone` : `${factLabel(id)} has ${fieldWords(fact.fields) || "no fields"}`,
  ];
  const base = { text: id, seen, down: `Looks for the origin of ${factLabel(id)}.` };
  if (explained.has(id)) return explainedAbove(id);
  if (depth >= MAX_ORIGIN_DEPTH) {
    const up = `${factLabel(id)} has a longer history, which is not shown.`;
    return { ...base, up, outcome: true, children: [], bound: true };
  }
  explained.add(id);
  const children = [
    ...(made === undefined || supports.length > 0 ? [] : firingChildren(context, made, explained, depth)),
    ...supports.map((support) => supportDraft(context, support, explained, depth)),
    ...(changed === undefined || changed === "host" || changed.n === made?.n
      ? []
      : firingChildren(context, changed, explained, depth)),
  ];
  const up = originWords(context, id);
  return { ...base, up, method: "asserted", outcome: true, children };
}

function explainedAbove(id: string): Draft {
  const down = `Looks for the origin of ${factLabel(id)}.`;
  const up = `${factLabel(id)} is explained above.`;
  return {
    text: id,
    seen: [`${factLabel(id)} is explained above`],
    down,
    up,
    outcome: true,
    children: [],
    bound: true,
  };
}

function originWords(context: ExplainContext, id: string): string {
  const { made, changed, supports } = context.session.origin(id);
  const place = context.place(id);
  const label = factLabel(id);
  const head =
    supports.length > 0
      ? `${label} exists as long as ${supportWords(supports)}`
      : made !== undefined
        ? `${label} exists because "${made.rule}" inserted it (firing ${made.n})`
        : place === undefined
          ? `${label} was asserted by the host; no rule inserted it`
          : `${label} is stated in ${place}`;
  const then =
    changed === undefined
      ? ""
      : changed === "host"
        ? "; the host changed it later"
        : `; "${changed.rule}" changed it (firing ${changed.n})`;
  return `${head}${then}.`;
}

/** Returns the rules that a logical fact rests on, each once: `"hot" matches (2 matches)`. */
function supportWords(supports: readonly FactSupport[]): string {
  const rules = [...new Set(supports.map(({ rule }) => `"${rule}"`))];
  const ways = supports.length > rules.length ? ` (${supports.length} matches)` : "";
  return `${rules.join(" or ")} matches${ways}`;
}

/** Returns the draft of a firing; nothing when it is no longer in the history. */
function firingChildren(context: ExplainContext, fired: Fired, explained: Set<string>, depth: number): Draft[] {
  const past = context.session.past(fired.n);
  if (past === undefined) return [];
  return [firingDraft(context, past.fired, basedOn(past), (id) => originDraft(context, id, explained, depth))];
}

function supportDraft(context: ExplainContext, support: FactSupport, explained: Set<string>, depth: number): Draft {
  const world = World.of(context, context.session);
  const match = matchDraft(context, support, world, (id) => originDraft(context, id, explained, depth));
  const whom = forVariables(support.bindings, (one) => shown(one, { world }));
  return { ...match.draft, up: headlineOf(`"${support.rule}" matches${whom}`, match.reasons) };
}

/** Returns the draft of a fact's origin when rules inserted or changed it, or a gate or guardian wrote it. */
function originDraft(context: ExplainContext, id: string, explained: Set<string>, depth: number): Draft | undefined {
  const fact = context.session.fact(id);
  if (fact === undefined) return undefined;
  const judged = judgedDraft(context, fact);
  if (judged !== undefined) {
    if (explained.has(id)) return explainedAbove(id);
    explained.add(id);
    return judged();
  }
  const { made, changed, supports } = context.session.origin(id);
  const ruled = made !== undefined || supports.length > 0 || (changed !== undefined && changed !== "host");
  return ruled ? factDraft(context, id, explained, depth + 1) : undefined;
}

/** Returns the explanation of the gate or guardian that wrote a fact. */
function judgedDraft(context: ExplainContext, fact: FactView): (() => Draft) | undefined {
  const answer = gateOfResult(context, fact);
  if (answer !== undefined) return () => gateDraft(context, answer);
  const stage = stageOfFact(context, fact);
  if (stage !== undefined) return () => stageDraft(context, stage);
  const verdict = recordedVerdict(context, fact);
  if (verdict === undefined) return undefined;
  return () => verdictDraft(judging(context), verdict, context.verdict(verdict.guardian, verdict.subject));
}
