/** Checks the expectations of a test, and says what was expected and what happened instead. */
import { factLabel } from "../../base/fact-label.ts";
import { unreachable } from "../../base/invariant.ts";
import type { Source } from "../../base/source.ts";
import { headline } from "../../explain/tell/step.ts";
import type * as ast from "../../language/ast.ts";
import type { GateAnswer } from "../../base/answers.ts";
import type { Program } from "../program.ts";
import type { Session } from "../session.ts";
import { factCauses } from "./causes.ts";
import { effect, effectUncertainty } from "./effects.ts";
import type { GivenFacts } from "./given.ts";
import { whyNotMeant } from "./meant.ts";
import {
  factLine,
  firedLines,
  foundBy,
  madeLines,
  nearestFacts,
  notFiredLines,
  whyLine,
  withdrawnGiven,
  withdrawnLines,
} from "./reasons.ts";
import { valuesOf } from "./values.ts";
import type { TestFailure } from "./report.ts";
import type { Course } from "./run-tests.ts";
import { counted, firstFew, placeOf, valueWords, wordsOf } from "./words.ts";

export interface TestContext {
  readonly program: Program;
  readonly session: Session;
  /** Returns another session with the same facts, to try changes in. */
  readonly copy: () => Session;
  readonly course: Course;
  readonly given: GivenFacts;
  readonly source: Source;
}

export type Expectation = Exclude<ast.TestItem, ast.GivenItem | ast.GivenCall | ast.ClockItem | ast.AdvanceItem>;

export interface Difference {
  readonly expected: string;
  readonly got: string;
  readonly details?: readonly string[];
}

/** Returns the failure of an expectation; undefined when it is met. */
export function judge(context: TestContext, item: Expectation): TestFailure | undefined {
  const difference = doubtAbout(context, item) ?? differenceOf(context, item);
  if (difference === undefined) return undefined;
  const at = { ...placeOf(context, item.span), expectation: wordsOf(context, item.span) };
  return { ...at, details: [], ...difference };
}

/** Returns a difference when the answer may depend on a rule in doubt: then no answer meets the expectation. */
function doubtAbout(context: TestContext, item: Expectation): Difference | undefined {
  const got = uncertaintyOf(context, item);
  return got === undefined ? undefined : { expected: "an answer that depends on no rule in doubt", got };
}

function uncertaintyOf(context: TestContext, item: Expectation): string | undefined {
  const { session } = context;
  switch (item.kind) {
    case "expect-rule":
      return session.uncertainty({ rule: item.rule.name });
    case "expect-facts":
      return session.uncertainty({ type: item.pattern.type.name });
    case "expect-gate":
      return session.uncertainty({ rule: `gate "${item.gate.name}"` });
    case "expect-verdict":
      return session.uncertainty({ rule: `guardian "${item.guardian.name}"` });
    case "expect-decision":
      return session.uncertainty({ rule: `pipeline "${item.pipeline.name}"` });
    case "expect-effect":
      return effectUncertainty(context, item);
    default:
      return unreachable(item);
  }
}

function differenceOf(context: TestContext, item: Expectation): Difference | undefined {
  switch (item.kind) {
    case "expect-rule":
      return firings(context, item);
    case "expect-effect":
      return effect(context, item);
    case "expect-facts":
      return facts(context, item);
    case "expect-gate":
      return gate(context, item);
    case "expect-verdict":
      return verdict(context, item);
    case "expect-decision":
      return decision(context, item);
    default:
      return unreachable(item);
  }
}

// ---------------------------------------------------------------- rules

function firings(context: TestContext, { rule, times }: ast.ExpectRule): Difference | undefined {
  const fired = context.course.fired.filter((one) => one.rule === rule.name);
  const count = fired.length;
  if (times === null ? count > 0 : count === times) return undefined;
  const expected = times === null ? "at least 1 firing" : counted(times, "firing");
  if (count === 0) {
    const details = [...firedEarlier(context, rule.name), ...notFired(context, rule.name)];
    return { expected, got: "it did not fire", details };
  }
  const tooFew = times !== null && count < times ? whyNotMeant(context, rule.name) : undefined;
  const details = [...firedLines(context, fired), ...(tooFew === undefined ? [] : notFiredLines(tooFew))];
  return { expected, got: counted(count, "firing"), details };
}

/** Returns why a rule did not fire, the smallest change that would help, and what fired instead. */
function notFired(context: TestContext, rule: string): string[] {
  const { program, course } = context;
  if (program.checked.symbols.rules.get(rule) === undefined) return ["the rule was removed"];
  const answer = whyNotMeant(context, rule);
  const reasons = answer === undefined ? [] : notFiredLines(answer);
  if (answer !== undefined && answer.hindrance !== "no match") return reasons;
  const others = [...new Set(course.fired.map((fired) => fired.rule))];
  const instead = others.length === 0 ? "no rule fired" : `rules that fired: ${others.join(", ")}`;
  return [...withdrawnGiven(context, rule), ...reasons, instead];
}

/** Says that a rule fired before the step that an expectation is about: those firings do not count. */
function firedEarlier({ session, program }: TestContext, rule: string): string[] {
  if (program.checked.symbols.rules.get(rule) === undefined) return []; // it was removed
  const earlier = session.firings(rule).length;
  return earlier === 0 ? [] : [`it fired before this step, which does not count: ${counted(earlier, "firing")}`];
}

// ---------------------------------------------------------------- facts

function facts(context: TestContext, { count, pattern }: ast.ExpectFacts): Difference | undefined {
  const found = foundBy(context, context.session, pattern);
  if (count === null ? found.length > 0 : found.length === count) return undefined;
  const what = wordsOf(context, pattern.span);
  const tooMany = count !== null && found.length > count;
  return {
    expected: `${count === null ? "at least 1" : count === 0 ? "no" : count} ${what}`,
    got: found.length === 0 ? "none" : String(found.length),
    details: tooMany ? madeLines(context, found) : missingFact(context, pattern),
  };
}

/** Returns the facts that come nearest, who withdrew one that was there, and why no rule made one. */
function missingFact(context: TestContext, pattern: ast.Pattern): string[] {
  const near = nearestFacts(context, pattern);
  const present = near.length === 0 ? [`no ${pattern.type.name} exists`] : firstFew(near, (fact) => [factLine(fact)]);
  const withdrawn = withdrawnLines(context, pattern);
  const causes = withdrawn.length > 0 ? [] : factCauses(context, pattern).flatMap(notFiredLines);
  return [...present, ...withdrawn, ...causes];
}

// ---------------------------------------------------------------- what is judged

function gate(context: TestContext, { gate: { name }, args, outcome }: ast.ExpectGate): Difference | undefined {
  const answer = answerOf(context, name, args);
  if (typeof answer === "string") return { expected: outcome, got: answer };
  if (answer.outcome === outcome) return undefined;
  const missing = firstFew(answer.missing, ({ text, needs }) => [`missing: ${text}: ${needs}`]);
  return {
    expected: outcome,
    got: answer.outcome,
    details: [headline(context.session.why(answer)), ...missing],
  };
}

/** Returns what a gate says after the run, or words when it has no such subject. */
function answerOf(context: TestContext, name: string, args: readonly ast.Expr[]): GateAnswer | string {
  const { program, session } = context;
  const { subject } = program.checked.symbols.gates.get(name)?.decl ?? {};
  const answers = session.gates(name);
  if (subject === null || subject === undefined) return answers[0] ?? `gate "${name}" has no result`;
  const type = subject.type.name;
  const [id] = subjectIds(context, args);
  const found = answers.find((answer) => answer.subject === id || answer.subject === `${type}~${id ?? ""}`);
  return (
    found ??
    `${id === undefined ? "nothing" : factLabel(id)} is not a subject: the gate takes ${wordsOfSubject(program, name)}`
  );
}

/** Returns the subject: the id of a fact, or a string as it is. */
function subjectIds(context: TestContext, args: readonly ast.Expr[]): string[] {
  return valuesOf(context, args).map((value) => (typeof value === "string" ? value : valueWords(value)));
}

function wordsOfSubject({ checked }: Program, name: string): string {
  const found = checked.symbols.gates.get(name);
  const span = found?.decl.subject?.span;
  return found === undefined || span === undefined ? "nothing" : wordsOf(found, span);
}

function verdict(
  context: TestContext,
  { guardian: { name }, args, verdict: wanted }: ast.ExpectVerdict,
): Difference | undefined {
  const found = among(context, context.session.verdicts(name), name, args);
  if (typeof found === "string") return { expected: wanted, got: found };
  if (found.verdict === wanted) return undefined;
  const reason = headline(context.session.why(found));
  const actions = found.required_actions.filter((action) => !reason.includes(action));
  const others = [
    ...found.reasons.filter((one) => !reason.includes(one)),
    ...actions.map((action) => `asks for ${action}`),
  ];
  return { expected: wanted, got: found.verdict, details: [reason, ...firstFew(others, (one) => [one])] };
}

function decision(
  context: TestContext,
  { pipeline: { name }, args, decision: wanted }: ast.ExpectDecision,
): Difference | undefined {
  const decided = context.course.decisions.filter((one) => one.pipeline === name);
  const found = among(context, decided, name, args);
  if (typeof found === "string") return { expected: wanted, got: found };
  if (found.decision === wanted) return undefined;
  const steps = firstFew(found.trace.rules_executed, ({ rule, action, reason }) => [
    `${rule}: ${action} ${reason}`.trimEnd(),
  ]);
  const details = [whyLine(context.session, found) ?? [], steps].flat();
  return { expected: wanted, got: `${found.decision} ${valueWords(found.value)}`, details };
}

/** Returns the answer about the expected subject, or words when there is none. */
function among<Answer extends { readonly subject: string }>(
  context: TestContext,
  answers: readonly Answer[],
  name: string,
  args: readonly ast.Expr[],
): Answer | string {
  const [id = ""] = subjectIds(context, args);
  const found = answers.findLast(({ subject }) => subject === id || subject.endsWith(`~${id}`));
  return found ?? `"${name}" has no result${id === "" ? "" : ` for ${factLabel(id)}`}`;
}
