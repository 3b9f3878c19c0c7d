/** Counts the situations that a generated case brings about, by the naive matcher alone. */
import { evaluate, withFact } from "../../src/prove/evaluate.ts";
import { Bindings } from "../../src/prove/place.ts";
import { World } from "../../src/prove/world.ts";
import type { CheckedProgram } from "../../src/language/check/program.ts";
import { identityOf, naiveMatches, type NaiveMatch, type OracleFact } from "../oracle/naive.ts";
import type { Case, Domain, Operation } from "./engine-arbitrary.ts";
import { checkRules, type Element, type Rule } from "./engine-program.ts";
import { History, type Step } from "./history.ts";

/** How many cases had each situation; for match sets, how many there were. */
export class Coverage {
  readonly #counts = new Map<string, number>();

  constructor(situations: readonly string[]) {
    for (const situation of situations) this.#counts.set(situation, 0);
  }

  add(situations: Iterable<string>): void {
    for (const situation of situations) this.#counts.set(situation, this.of(situation) + 1);
  }

  of(situation: string): number {
    return this.#counts.get(situation) ?? 0;
  }

  get entries(): readonly (readonly [string, number])[] {
    return [...this.#counts];
  }

  toString(): string {
    return this.entries.map(([situation, count]) => `${String(count).padStart(7)}  ${situation}`).join("\n");
  }
}

export const SITUATIONS = [
  "match sets",
  "match sets that are not empty",
  "two rules begin alike",
  "a rule is a near-copy",
  "a not blocks a match and later lets it go",
  "an exists holds for two facts at once",
  "an exists ends",
  "a retract inside a join",
  "an update changes the matches",
  "an update changes nothing",
  "an equal fact is asserted",
  "a key is taken",
  "a test is unknown",
  "a reference leads to a live fact",
  "a reference leads nowhere",
  "a rule is added to facts",
  "a rule is removed",
  "an or finds a match twice",
  "an aggregate is in a match",
  "two matches differ in an item alone",
  "a match has one of two equal items",
  "a slash form matches",
  "an aggregate of the braces matches",
] as const;

type Situation = (typeof SITUATIONS)[number];

/** Match sets are counted one by one, when the first facts are there; every other situation once for a case. */
export function situationsOf(given: Case, domain: Domain): readonly string[] {
  const observer = new Observer(new History(domain, given.rules));
  for (const [index, operation] of History.operations(given).entries()) {
    observer.apply(operation, index >= given.facts.length - 1);
  }
  return observer.report();
}

class Observer {
  readonly #history: History;
  readonly #sets: Situation[] = [];
  readonly #seen = new Set<Situation>();
  #before: ReadonlyMap<string, readonly NaiveMatch[]> = new Map();
  /** For each rule the matches that a `not` was seen to block. */
  readonly #blocked = new Map<string, Set<string>>();
  readonly #held = new Set<string>();

  constructor(history: History) {
    this.#history = history;
    this.#lookAtRules();
  }

  report(): readonly Situation[] {
    return [...this.#sets, ...this.#seen];
  }

  apply(operation: Operation, counted: boolean): void {
    const step = this.#history.plan(operation);
    if (step === undefined) return;
    const factsBefore = this.#history.facts;
    this.#history.note(step);
    const program = checkRules(this.#history.rules);
    const matches = naiveMatches(program, this.#history.facts);
    if (counted) this.#countSets(matches);
    this.#lookAtStep(step, factsBefore, matches);
    this.#lookAtFacts(program);
    for (const [name, rule] of this.#history.rules) this.#lookAtRule(name, rule, matches.get(name) ?? []);
    this.#before = matches;
  }

  #see(situation: Situation, when: boolean): void {
    if (when) this.#seen.add(situation);
  }

  #countSets(matches: ReadonlyMap<string, readonly NaiveMatch[]>): void {
    for (const found of matches.values()) {
      this.#sets.push("match sets");
      if (found.length > 0) this.#sets.push("match sets that are not empty");
    }
  }

  #lookAtRules(): void {
    const beginnings = [...this.#history.rules.values()].map(beginning);
    this.#see("two rules begin alike", new Set(beginnings).size < beginnings.length);
  }

  #lookAtStep(
    step: Step,
    factsBefore: readonly OracleFact[],
    matches: ReadonlyMap<string, readonly NaiveMatch[]>,
  ): void {
    const facts = this.#history.facts;
    const changed = [...matches].some(([name, found]) => textOf(found) !== textOf(this.#before.get(name) ?? []));
    switch (step.is) {
      case "assert":
        this.#see(
          "an equal fact is asserted",
          factsBefore.some((fact) => equalFields(fact, step)),
        );
        return;
      case "refuse":
        return this.#see("a key is taken", true);
      case "retract":
        return this.#see(
          "a retract inside a join",
          [...matches].some(([name, found]) => this.#shrank(name, found)),
        );
      case "update":
        this.#see("an update changes the matches", changed);
        this.#see(
          "an update changes nothing",
          facts.every((fact) => factsBefore.some((other) => other.id === fact.id && equalFields(other, fact))),
        );
        return;
      case "add":
        return this.#see("a rule is added to facts", facts.length > 0);
      case "remove":
        return this.#see("a rule is removed", facts.length > 0);
      case "run":
        return;
    }
  }

  /** Some, not all, of the matches of two or more facts went away. */
  #shrank(name: string, found: readonly NaiveMatch[]): boolean {
    const before = this.#before.get(name) ?? [];
    return found.length > 0 && found.length < before.length && (found[0]?.facts.length ?? 0) > 1;
  }

  #lookAtFacts(program: CheckedProgram): void {
    const { facts } = this.#history;
    for (const { fields } of facts) {
      if (fields["r"] === undefined) continue;
      const live = facts.some((fact) => fact.id === fields["r"]);
      this.#see(live ? "a reference leads to a live fact" : "a reference leads nowhere", true);
    }
    this.#see("a test is unknown", hasUnknown(program, facts));
  }

  #lookAtRule(name: string, rule: Rule, found: readonly NaiveMatch[]): void {
    this.#see(
      "a rule is a near-copy",
      [...this.#history.rules.values()].some((other) => other !== rule && alike(other, rule)),
    );
    this.#see(
      "an aggregate is in a match",
      found.some(({ bindings }) => Object.values(bindings).some((one) => "value" in one)),
    );
    this.#see(
      "two matches differ in an item alone",
      hasTwins(found, ({ items }) => items.length > 0),
    );
    this.#see(
      "a match has one of two equal items",
      found.some(({ items }) => items.some((item) => !item.startsWith("0 "))),
    );
    if (rule.is === "slash") this.#see("a slash form matches", found.length > 0);
    if (rule.is === "grouped") this.#see("an aggregate of the braces matches", found.length > 0);
    if (rule.is !== "block") return;
    for (const [index, element] of rule.elements.entries()) this.#lookAtElement(name, rule, index, element, found);
  }

  #lookAtElement(
    name: string,
    rule: Extract<Rule, { is: "block" }>,
    index: number,
    element: Element,
    found: readonly NaiveMatch[],
  ): void {
    const other = (replacement: readonly Element[]): readonly string[] =>
      this.#factsOf({ ...rule, elements: rule.elements.toSpliced(index, 1, ...replacement) });
    if (element.is === "absence" && element.quantifier === "not") {
      this.#lookAtNot(`${name} ${index}`, found.map(factText), other([]));
    }
    if (element.is === "absence" && element.quantifier === "exists") {
      this.#lookAtExists(`${name} ${index}`, found, other(element.elements));
    }
    if (element.is === "choice") {
      const each = element.alternatives.map((one) => other([{ ...element, alternatives: [one, NEVER] }]));
      this.#see("an or finds a match twice", each.flat().length > found.length);
    }
  }

  #lookAtNot(key: string, found: readonly string[], without: readonly string[]): void {
    const blocked = this.#blocked.get(key) ?? new Set();
    this.#see(
      "a not blocks a match and later lets it go",
      found.some((facts) => blocked.has(facts)),
    );
    for (const facts of without) if (!found.includes(facts)) blocked.add(facts);
    this.#blocked.set(key, blocked);
  }

  #lookAtExists(key: string, found: readonly NaiveMatch[], positive: readonly string[]): void {
    this.#see("an exists holds for two facts at once", found.length > 0 && positive.length > found.length);
    this.#see("an exists ends", this.#held.has(key) && found.length === 0);
    if (found.length > 0) this.#held.add(key);
  }

  #factsOf(rule: Rule): readonly string[] {
    const matches = naiveMatches(checkRules(new Map([["variant", rule]])), this.#history.facts);
    return (matches.get("variant") ?? []).map(factText);
  }
}

/** An alternative that no fact passes. */
const NEVER = {
  tests: [
    {
      is: "compare",
      kind: "number",
      op: "==",
      left: { is: "constant", value: 0 },
      right: { is: "constant", value: 1 },
    },
  ],
  elements: [
    {
      is: "where",
      test: {
        is: "compare",
        kind: "number",
        op: "==",
        left: { is: "constant", value: 0 },
        right: { is: "constant", value: 1 },
      },
    },
  ],
} as const;

/** Whether two of some matches have the same facts. */
function hasTwins(found: readonly NaiveMatch[], which: (match: NaiveMatch) => boolean): boolean {
  const texts = found.filter(which).map(factText);
  return new Set(texts).size < texts.length;
}

const factText = (match: NaiveMatch): string => match.facts.join(" ");
const textOf = (matches: readonly NaiveMatch[]): string => matches.map(identityOf).sort().join();

function equalFields(a: Pick<OracleFact, "type" | "fields">, b: Pick<OracleFact, "type" | "fields">): boolean {
  const text = ({ type, fields }: typeof a): string =>
    JSON.stringify([
      type,
      Object.entries(fields)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .sort(),
    ]);
  return text(a) === text(b);
}

function beginning(rule: Rule): string {
  return JSON.stringify(rule.is === "block" ? rule.elements[0] : rule.types[0]);
}

/** Two rules that share all but a little of their text. */
function alike(a: Rule, b: Rule): boolean {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return (
    a.is === b.is &&
    left.length > 120 &&
    Math.abs(left.length - right.length) < 60 &&
    left.slice(0, 60) === right.slice(0, 60)
  );
}

function hasUnknown(program: CheckedProgram, facts: readonly OracleFact[]): boolean {
  const world = new World(program, facts);
  for (const { decl } of program.symbols.rules.values()) {
    const first = decl.body.kind === "block" ? decl.body.elements[0] : undefined;
    if (first?.kind !== "pattern") continue;
    for (const own of world.ofType(first.type.name)) {
      const bindings = withFact(Bindings.none, first.variable, own);
      if (first.tests.some((test) => evaluate(test, { world, bindings, own }) === undefined)) return true;
    }
  }
  return false;
}
