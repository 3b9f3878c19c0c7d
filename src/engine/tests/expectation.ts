/** Whether an expectation of a test holds; when it does not, what was expected and what was there instead. */
import { factLabel } from "../../base/fact-label.ts";
import { unreachable } from "../../base/invariant.ts";
import type { Source } from "../../base/source.ts";
import { type Maybe, same } from "../../base/value.ts";
import { headline } from "../../explain/tell/step.ts";
import type * as ast from "../../language/ast.ts";
import type { GateAnswer } from "../../base/answers.ts";
import type { Effect } from "../../session/results.ts";
import type { Program } from "../program.ts";
import type { Session } from "../session.ts";
import type { Given } from "./given.ts";
import type { TestFailure } from "./report.ts";
import type { Course } from "./run-tests.ts";
import { counted, fieldWords, firstFew, placeOf, valueWords, wordsOf } from "./words.ts";

export interface TestSite {
  readonly program: Program;
  readonly session: Session;
  readonly course: Course;
  readonly given: Given;
  readonly source: Source;
}

type Expectation = Exclude<ast.TestItem, ast.GivenItem>;

interface Difference {
  readonly expected: string;
  readonly got: string;
  readonly details?: readonly string[];
}

/** Undefined when it holds. */
export function judge(site: TestSite, item: Expectation): TestFailure | undefined {
  const difference = doubtAbout(site, item) ?? differenceOf(site, item);
  if (difference === undefined) return undefined;
  const at = { ...placeOf(site, item.span), expectation: wordsOf(site, item.span) };
  return { ...at, details: [], ...difference };
}

/** What may depend on a rule that was switched off is not what was expected, whatever it is. */
function doubtAbout({ session }: TestSite, item: Expectation): Difference | undefined {
  const got = uncertaintyOf(session, item);
  return got === undefined ? undefined : { expected: "an answer that does not depend on a rule at its limit", got };
}

function uncertaintyOf(session: Session, item: Expectation): string | undefined {
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
      return session.problems.find(({ code }) => code === "E511")?.message;
    default:
      return unreachable(item);
  }
}

function differenceOf(site: TestSite, item: Expectation): Difference | undefined {
  switch (item.kind) {
    case "expect-rule":
      return firings(site, item);
    case "expect-effect":
      return effect(site, item);
    case "expect-facts":
      return facts(site, item);
    case "expect-gate":
      return gate(site, item);
    case "expect-verdict":
      return verdict(site, item);
    case "expect-decision":
      return decision(site, item);
    default:
      return unreachable(item);
  }
}

// ---------------------------------------------------------------- rules

function firings(site: TestSite, { rule, times }: ast.ExpectRule): Difference | undefined {
  const count = site.course.fired.filter((fired) => fired.rule === rule.name).length;
  if (times === null ? count > 0 : count === times) return undefined;
  const expected = times === null ? "at least 1 firing" : counted(times, "firing");
  const got = count === 0 ? "it did not fire" : counted(count, "firing");
  return { expected, got, details: count === 0 ? whyNot(site, rule.name) : firedWith(site, rule.name) };
}

/** Why a rule did not fire, the smallest change that would help, and what fired instead. */
function whyNot({ program, session, course }: TestSite, rule: string): string[] {
  if (program.checked.symbols.rules.get(rule) === undefined) return ["the rule was removed"];
  const answer = session.whyNot(rule);
  const help = answer.remedies.slice(0, 1).map(({ words }) => `to make it fire: ${words}`);
  if (answer.hindrance !== "no match") return [headline(answer)];
  const others = [...new Set(course.fired.map((fired) => fired.rule))];
  return [headline(answer), ...help, others.length === 0 ? "no rule fired" : `rules that fired: ${others.join(", ")}`];
}

function firedWith({ course }: TestSite, rule: string): string[] {
  const fired = course.fired.filter((one) => one.rule === rule);
  return firstFew(fired.map(({ n, bindings }) => `firing ${n}: ${bindingWords(bindings)}`));
}

function bindingWords(bindings: Readonly<Record<string, Maybe>>): string {
  return Object.entries(bindings)
    .map(([name, value]) => `${name} = ${typeof value === "string" ? value : valueWords(value)}`)
    .join(", ");
}

// ---------------------------------------------------------------- effects

function effect(site: TestSite, { effect: call }: ast.ExpectEffect): Difference | undefined {
  const names = site.given.names;
  const [args = []] = site.session.argumentsOf({ name: "effect", names, elements: [], actions: [call] });
  const name = actionName(call.name.name);
  const { effects } = site.course;
  if (effects.some((one) => one.action === name && sameArguments(one.args, args))) return undefined;
  const alike = effects.filter((one) => one.action === name);
  const shown = alike.length > 0 ? alike : effects;
  return {
    expected: callWords(name, args),
    got: effects.length === 0 ? "no effect" : alike.length === 0 ? `no ${name}` : `another ${name}`,
    details: firstFew(shown.map((one) => `${callWords(one.action, one.args)}   rule ${one.rule}`)),
  };
}

/** The built-in ones are known in any case. */
function actionName(name: string): string {
  const folded = name.toLowerCase();
  return folded === "log" || folded === "print" ? folded : name;
}

function sameArguments(a: Effect["args"], b: readonly Maybe[]): boolean {
  return a.length === b.length && a.every((value, index) => same(value, b[index]));
}

function callWords(name: string, args: readonly Maybe[]): string {
  return `${name}(${args.map(valueWords).join(", ")})`;
}

// ---------------------------------------------------------------- facts

function facts(site: TestSite, { count, pattern }: ast.ExpectFacts): Difference | undefined {
  const found = site.session.ask({ name: "facts", names: site.given.names, elements: [pattern] }).length;
  if (count === null ? found > 0 : found === count) return undefined;
  const what = wordsOf(site, pattern.span);
  const present = site.session.facts(pattern.type.name);
  const shown = present.map(({ id, fields }) => `${id}  ${fieldWords(fields)}`);
  return {
    expected: `${count === null ? "at least 1" : count === 0 ? "no" : count} ${what}`,
    got: found === 0 ? "none" : String(found),
    details: present.length === 0 ? [`no ${pattern.type.name} exists`] : firstFew(shown),
  };
}

// ---------------------------------------------------------------- what is judged

function gate(site: TestSite, { gate: { name }, args, outcome }: ast.ExpectGate): Difference | undefined {
  const answer = answerOf(site, name, args);
  if (typeof answer === "string") return { expected: outcome, got: answer };
  if (answer.outcome === outcome) return undefined;
  const missing = answer.missing.map(({ text, needs }) => `missing: ${text}: ${needs}`);
  return {
    expected: outcome,
    got: answer.outcome,
    details: [headline(site.session.why(answer)), ...firstFew(missing)],
  };
}

/** What a gate says after the run; in words, when it has no such subject. */
function answerOf({ program, session, given }: TestSite, name: string, args: readonly ast.Expr[]): GateAnswer | string {
  const { subject } = program.checked.symbols.gates.get(name)?.decl ?? {};
  const answers = session.gates(name);
  if (subject === null || subject === undefined) return answers[0] ?? `gate "${name}" has no result`;
  const type = subject.type.name;
  const [id] = subjectIds(session, given, args);
  const found = answers.find((answer) => answer.subject === id || answer.subject === `${type}~${id ?? ""}`);
  return found ?? `${id ?? "nothing"} is not a subject: the gate takes ${wordsOfSubject(program, name)}`;
}

/** A fact as its id, a text as it is. */
function subjectIds(session: Session, given: Given, args: readonly ast.Expr[]): string[] {
  return args.flatMap((arg) => {
    const { span } = arg;
    const call: ast.CallAction = { kind: "call", name: { name: "log", span }, args: [arg], span };
    const [values = []] = session.argumentsOf({ name: "subject", names: given.names, elements: [], actions: [call] });
    return values.map((value) => (typeof value === "string" ? value : valueWords(value)));
  });
}

function wordsOfSubject({ checked }: Program, name: string): string {
  const found = checked.symbols.gates.get(name);
  const span = found?.decl.subject?.span;
  return found === undefined || span === undefined ? "nothing" : wordsOf(found, span);
}

function verdict(
  site: TestSite,
  { guardian: { name }, args, verdict: wanted }: ast.ExpectVerdict,
): Difference | undefined {
  const found = among(site, site.session.verdicts(name), name, args);
  if (typeof found === "string") return { expected: wanted, got: found };
  if (found.verdict === wanted) return undefined;
  const actions = found.required_actions.map((action) => `asks for ${action}`);
  return { expected: wanted, got: found.verdict, details: firstFew([...found.reasons, ...actions]) };
}

function decision(
  site: TestSite,
  { pipeline: { name }, args, decision: wanted }: ast.ExpectDecision,
): Difference | undefined {
  const decided = site.course.decisions.filter((one) => one.pipeline === name);
  const found = among(site, decided, name, args);
  if (typeof found === "string") return { expected: wanted, got: found };
  if (found.decision === wanted) return undefined;
  const steps = found.trace.rules_executed.map(({ rule, action, reason }) => `${rule}: ${action} ${reason}`.trimEnd());
  return { expected: wanted, got: `${found.decision} ${valueWords(found.value)}`, details: firstFew(steps) };
}

/** What was said of the subject that is meant; in words, when nothing was. */
function among<Answer extends { readonly subject: string }>(
  { session, given }: TestSite,
  answers: readonly Answer[],
  name: string,
  args: readonly ast.Expr[],
): Answer | string {
  const [id = ""] = subjectIds(session, given, args);
  const found = answers.findLast(({ subject }) => subject === id || subject.endsWith(`~${id}`));
  return found ?? `"${name}" has no result${id === "" ? "" : ` for ${factLabel(id)}`}`;
}
