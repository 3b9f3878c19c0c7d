/** Whether an expectation of a test holds; when it does not, what was expected and what was there instead. */
import { unreachable } from "../../base/invariant.ts";
import type { Source } from "../../base/source.ts";
import { type Maybe, same } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { Effect } from "../../session/results.ts";
import type { Program } from "../program.ts";
import type { RuleSession } from "../session.ts";
import type { Given } from "./given.ts";
import type { TestFailure } from "./report.ts";
import type { Course } from "./run-tests.ts";
import { counted, fieldWords, firstFew, placeOf, valueWords, wordsOf } from "./words.ts";

export interface TestSite {
  readonly program: Program;
  readonly session: RuleSession;
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
  const difference = differenceOf(site, item);
  if (difference === undefined) return undefined;
  const at = { ...placeOf(site, item.span), expectation: wordsOf(site, item.span) };
  return { ...at, details: [], ...difference };
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
    case "expect-verdict":
    case "expect-decision":
      return notRun(item);
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

/** Says of a rule that did not fire what can be said at once. */
function whyNot({ program, session, course }: TestSite, rule: string): string[] {
  const planned = program.network().rules.find(({ name }) => name === rule);
  if (planned === undefined) return ["the rule is disabled or was removed"];
  const { length } = session.matches(rule);
  if (length === 0) {
    const others = [...new Set(course.fired.map((fired) => fired.rule))];
    return ["it has no match", ...(others.length === 0 ? ["no rule fired"] : [`what fired: ${others.join(", ")}`])];
  }
  const reason = planned.group === undefined ? "none of them fired here" : `they wait for focus("${planned.group}")`;
  return [`it has ${length} match${length === 1 ? "" : "es"}; ${reason}`];
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
    got: effects.length === 0 ? "no effect at all" : alike.length === 0 ? `no ${name}` : `another ${name}`,
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
    details: present.length === 0 ? [`there is no ${pattern.type.name}`] : firstFew(shown),
  };
}

// ---------------------------------------------------------------- what is judged

/** An expectation that nothing looks at must not pass. */
function notRun(item: ast.ExpectGate | ast.ExpectVerdict | ast.ExpectDecision): Difference {
  const [what, wanted] =
    item.kind === "expect-gate"
      ? ["gates", item.outcome]
      : item.kind === "expect-verdict"
        ? ["guardians", item.verdict]
        : ["pipelines", item.decision];
  return { expected: wanted, got: `${what} are checked, but not yet run by this version` };
}
