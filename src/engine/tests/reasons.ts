/** The lines below a failed expectation that give the reason: headlines of explanations, and the change that would help. */
import { factLabel } from "../../base/fact-label.ts";
import { typeOfId } from "../../base/identity.ts";
import { fitted } from "../../explain/tell/headline.ts";
import { headline } from "../../explain/tell/step.ts";
import type { WhySubject } from "../../explain/tell/why.ts";
import type { WhyNot } from "../../explain/tell/why-not.ts";
import type * as ast from "../../language/ast.ts";
import { SessionError } from "../../session/errors.ts";
import type { FactView, Fired } from "../../session/results.ts";
import type { Session } from "../session.ts";
import type { TestContext } from "./expectation.ts";
import { BY_AUTHOR } from "./given.ts";
import { factVariables } from "./meant.ts";
import { fieldWords, firstFew, valueWords } from "./words.ts";

/** Returns why a rule did not fire, and the smallest change that would help. */
export function notFiredLines(answer: WhyNot): string[] {
  const help = answer.hindrance === "no match" ? answer.remedies.slice(0, 1) : [];
  return [headline(answer), ...help.map(({ words }) => `to make it fire: ${words}`)];
}

/** Returns for which facts a rule fired, and why. */
export function firedLines(context: TestContext, fired: readonly Fired[]): string[] {
  return firstFew(fired, (one) => [whyLine(context.session, one) ?? firedWords(context, one)]);
}

/** Returns the reason of something that happened; undefined when it is no longer remembered. */
export function whyLine(session: Session, asked: WhySubject): string | undefined {
  try {
    return headline(session.why(asked));
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

function firedWords(context: TestContext, { n, rule, bindings }: Fired): string {
  const variables = factVariables(context, rule);
  const words = Object.entries(bindings).map(([name, value]) => {
    const isFact = typeof value === "string" && variables.has(name);
    return `${name} = ${isFact ? factLabel(value) : valueWords(value)}`;
  });
  return fitted(`"${rule}" fired${words.length === 0 ? "" : ` for ${words.join(", ")}`} (firing ${n}).`);
}

// ---------------------------------------------------------------- facts

/** `Alert #1  who: "p1", level: 1`. */
export function factLine({ id, fields }: FactView): string {
  return `${factLabel(id)}  ${fieldWords(fields)}`;
}

/** Returns facts that are there, each with who made it. */
export function madeLines({ session }: TestContext, facts: readonly FactView[]): string[] {
  return firstFew(facts, (fact) => [factLine(fact), whyLine(session, fact.id) ?? []].flat());
}

/** Returns the facts that a pattern finds. */
export function foundBy(context: TestContext, session: Session, pattern: ast.Pattern): FactView[] {
  const variable = pattern.variable ?? { name: UNNAMED, span: pattern.span };
  const question = { name: "facts", names: context.given.names, elements: [{ ...pattern, variable }] };
  return session.ask(question).flatMap((row) => {
    const found = row[variable.name];
    return isView(found) ? [found] : [];
  });
}

/** The variable of a pattern without one: no program can have it. */
const UNNAMED = "the fact";

function isView(value: unknown): value is FactView {
  return typeof value === "object" && value !== null && "id" in value && "fields" in value;
}

/** Returns the facts of the type of a pattern, those that pass most of its tests first. */
export function nearestFacts(context: TestContext, pattern: ast.Pattern): FactView[] {
  const { session } = context;
  const passed = new Map<string, number>();
  for (const test of pattern.tests) {
    for (const { id } of foundBy(context, session, { ...pattern, tests: [test] }))
      passed.set(id, (passed.get(id) ?? 0) + 1);
  }
  const rank = ({ id }: FactView): number => passed.get(id) ?? 0;
  return session.facts(pattern.type.name).sort((a, b) => rank(b) - rank(a));
}

/** The most withdrawn facts that are compared with an expected one. */
const MAX_WITHDRAWN = 20;

/** Returns who withdrew the last fact that would have met a pattern; nothing when there was none. */
export function withdrawnLines(context: TestContext, pattern: ast.Pattern): string[] {
  const { session } = context;
  const gone = session.withdrawn(pattern.type.name).filter(({ id }) => session.fact(id) === undefined);
  const met = gone.slice(0, MAX_WITHDRAWN).find((fact) => wouldMeet(context, pattern, fact));
  return met === undefined ? [] : [whyLine(session, met.id) ?? []].flat();
}

/** Returns whether a fact would meet a pattern, if it were there: tried in a copy of the session. */
function wouldMeet(context: TestContext, pattern: ast.Pattern, { type, fields }: FactView): boolean {
  const copy = context.copy();
  try {
    const { id } = copy.assert(type, fields, BY_AUTHOR);
    return foundBy(context, copy, pattern).some((found) => found.id === id);
  } catch (error) {
    // A fact it refers to may be gone, too.
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** Returns who withdrew given facts of the types that a rule matches. */
export function withdrawnGiven(context: TestContext, rule: string): string[] {
  const { session, given } = context;
  const types = new Set(factVariables(context, rule).values());
  const gone = given.ids.filter((id) => session.fact(id) === undefined && types.has(typeOfId(id)));
  return firstFew(gone, (id) => [whyLine(session, id) ?? []].flat());
}
