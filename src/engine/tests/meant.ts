/**
 * Why a rule did not fire for the facts that a test is about.
 *
 * A program can have a fact that is nearer to a match than the given ones, and that nobody asked about. So the variables of the rule
 * are bound to given facts; where no given fact has the type, to facts that the given facts caused. Several combinations are asked about, and
 * the one that the smallest change would help is explained.
 *
 * Invariant: no combination is explained for which the rule fired.
 */
import type { Fired } from "../../session/results.ts";
import { type Part, partsOfRule } from "../../explain/read/parts.ts";
import type { WhyNot } from "../../explain/tell/why-not.ts";
import type { TestContext } from "./expectation.ts";

/** The most combinations of facts that are asked about: each is a search of its own. */
const MAX_COMBINATIONS = 8;

/** The most combinations that are looked at, with those for which the rule fired. */
const MAX_LOOKED_AT = 1_000;

/** The ids of facts for variables. */
export type Bindings = Readonly<Record<string, string>>;

/** Returns the variables of a rule that stand for a fact in every match, with the types of the facts. */
export function factVariables({ program }: TestContext, rule: string): ReadonlyMap<string, string> {
  const found = program.checked.symbols.rules.get(rule);
  return new Map(found === undefined ? [] : variablesOf(partsOfRule(found.decl)));
}

function variablesOf(parts: readonly Part[]): [name: string, type: string][] {
  return parts.flatMap((part): [string, string][] => {
    if (part.kind === "pattern") return part.variable === null ? [] : [[part.variable, part.type]];
    if (part.kind !== "or") return [];
    const [first = [], ...others] = part.alternatives.map(variablesOf);
    return first.filter(([name, type]) =>
      others.every((other) => other.some(([its, itsType]) => its === name && itsType === type)),
    );
  });
}

/**
 * Returns why a rule did not fire for the facts of the test, or for those of them that are meant; undefined when it fired for
 * all of them, or when the given facts it needs were withdrawn.
 */
export function whyNotMeant(
  context: TestContext,
  rule: string,
  isMeant: (bindings: Bindings) => boolean = () => true,
): WhyNot | undefined {
  const { session, course } = context;
  const fired = course.fired.filter((one) => one.rule === rule);
  let best: WhyNot | undefined;
  let asked = 0;
  let looked = 0;
  for (const bindings of combinations(context, rule)) {
    looked += 1;
    if (looked > MAX_LOOKED_AT) break;
    if (!isMeant(bindings) || fired.some((one) => agrees(one, bindings))) continue;
    const answer = session.whyNot(rule, bindings);
    if (best === undefined || distance(answer) < distance(best)) best = answer;
    asked += 1;
    if (asked === MAX_COMBINATIONS || answer.stopped !== undefined) break;
  }
  return best;
}

function agrees({ bindings }: Fired, wanted: Bindings): boolean {
  return Object.entries(wanted).every(([name, id]) => bindings[name] === id);
}

/** Returns how far a rule is from firing: the number of changes, and among equals the parts of the condition without a match. */
export function distance({ hindrance, remedies, prefixes }: WhyNot): number {
  if (hindrance !== "no match" && hindrance !== "disabled") return 0;
  const changes = remedies[0]?.edits.length ?? FAR;
  const reached = prefixes.filter(({ matches }) => matches > 0).length;
  return changes + 1 / (reached + 2);
}

/** The distance of a rule that no change was found for. */
const FAR = 1_000;

/** Yields the ways to bind the variables of a rule to the facts of the test: as many as possible, each fact once. */
function* combinations(context: TestContext, rule: string): Iterable<Bindings> {
  const variables = [...factVariables(context, rule)];
  const meant = new Map(variables.map(([, type]) => [type, meantFacts(context, type)]));
  const isLost = ([type, ids]: [string, readonly string[]]): boolean =>
    ids.length === 0 && context.given.ids.some((id) => id.startsWith(`${type}~`));
  if ([...meant].some(isLost)) return;
  yield* bound(0, {});

  function* bound(index: number, chosen: Bindings): Iterable<Bindings> {
    const variable = variables[index];
    if (variable === undefined) return yield chosen;
    const [name, type] = variable;
    const used = new Set(Object.values(chosen));
    const left = (meant.get(type) ?? []).filter((id) => !used.has(id));
    for (const id of left) yield* bound(index + 1, { ...chosen, [name]: id });
    const later = variables.slice(index + 1).filter(([, other]) => other === type).length;
    if (later >= left.length) yield* bound(index + 1, chosen);
  }
}

/** Returns the facts of a type that a test is about and that are still there, the named ones first. */
function meantFacts({ session, given, course }: TestContext, type: string): readonly string[] {
  if (given.size === 0) return [];
  const present = (ids: readonly string[]): string[] => [
    ...new Set(ids.filter((id) => session.fact(id)?.type === type)),
  ];
  const stated = present(given.ids);
  return stated.length > 0 ? stated : present(course.made);
}
