/**
 * Plans the condition of a rule: its runs of patterns in the order in which they are best joined, everything else as it is written.
 * Facts, items and variables are in written order afterwards.
 */
import type * as ast from "../language/ast.ts";
import { controlsLast } from "./controls.ts";
import { planElements, planSources } from "./elements.ts";
import type { ChosenOrder, Reason } from "./join-order.ts";
import { bestOrder, planRun } from "./join-run.ts";
import { type PatternRun, runOf, runOfSources, sectionsOf } from "./pattern-run.ts";
import type { PatternPart } from "./patterns.ts";
import type { JoinOrderPlan } from "./plan.ts";
import type { RuleBuilder } from "./rule-builder.ts";

/**
 * The order in which the patterns of a rule are joined: `chosen`, or `written`, or as given: for each pattern, which of those of the
 * rule it is in written order.
 */
export type JoinChoice = "chosen" | "written" | readonly number[];

/** A condition that is planned. */
export interface PlannedBody {
  /** The builders that it ends with, one for each alternative. */
  readonly ends: readonly RuleBuilder[];
  /** The order of its patterns; undefined where it is the written one. */
  readonly joined: Omit<JoinOrderPlan, "hash"> | undefined;
}

/** Plans a condition with its control facts last. */
export function planBlockBody(builder: RuleBuilder, body: ast.BlockBody, choice: JoinChoice): PlannedBody {
  const { elements, places, names } = controlsLast(builder.program, body);
  const written = body.elements.filter(isPattern);
  const { ends, joined } = planSections(builder, elements, written, choice);
  if (elements !== body.elements) for (const end of ends) end.arrange(places, names);
  return { ends, joined };
}

function planSections(
  builder: RuleBuilder,
  elements: readonly ast.Element[],
  written: readonly ast.Pattern[],
  choice: JoinChoice,
): PlannedBody {
  if (choice === "written" || written.length < 2) return { ends: planElements(builder, elements), joined: undefined };
  const joins = new Joins();
  let ends: readonly RuleBuilder[] = [builder];
  for (const [index, section] of sectionsOf(builder.program, elements).entries()) {
    const patterns = section.filter(isPattern);
    const [only, other] = ends;
    const least = choice === "chosen" && index === 0 ? LEAST_AT_FIRST : 2;
    const run = patterns.length >= least && other === undefined ? runOf(builder.program, section) : undefined;
    const places = patterns.map((pattern) => written.indexOf(pattern));
    if (only === undefined || run === undefined || !planOrdered(only, { run, places }, choice, joins)) {
      ends = ends.flatMap((end) => planElements(end, section));
      joins.add(places, patterns.map(nameOf));
    }
  }
  return { ends, joined: joins.told() };
}

/** Of two patterns with nothing before them, the order makes no difference. */
const LEAST_AT_FIRST = 3;

/** Plans the variables of a slash form that are patterns. */
export function planSourcesBody(
  builder: RuleBuilder,
  sources: readonly ast.SourceVar[],
  tests: readonly ast.Expr[],
  choice: JoinChoice,
): PlannedBody["joined"] {
  const joins = new Joins();
  const run = choice === "written" ? undefined : runOfSources(builder.program, sources, tests);
  const places = [...sources.keys()];
  if (run === undefined || !planOrdered(builder, { run, places }, choice, joins)) planSources(builder, sources, tests);
  return joins.told();
}

/** A run, and which of the patterns of the rule each of its patterns is. */
interface PlacedRun {
  readonly run: PatternRun;
  readonly places: readonly number[];
}

/** Plans a run, unless its order is the written one. */
function planOrdered(builder: RuleBuilder, { run, places }: PlacedRun, choice: JoinChoice, joins: Joins): boolean {
  const chosen = typeof choice === "string" ? bestOrder(builder, run) : givenOrder(places, choice);
  const { order } = chosen;
  if (order.every((pattern, at) => pattern === at)) return false;
  planRun(builder, run, order);
  joins.add(
    order.map((pattern) => places[pattern] ?? 0),
    order.map((pattern) => wordsOf(run.patterns[pattern])),
  );
  joins.note(reasonsOf(run, chosen));
  return true;
}

/** Returns the order of a run as given for all patterns of the rule. Patterns that are not given come last. */
function givenOrder(places: readonly number[], given: readonly number[]): ChosenOrder {
  const rankOf = (pattern: number): number => {
    const at = given.indexOf(places[pattern] ?? -1);
    return at < 0 ? given.length : at;
  };
  return { order: [...places.keys()].sort((a, b) => rankOf(a) - rankOf(b) || a - b), reasons: [] };
}

/** The order of the patterns of a rule, section by section. */
class Joins {
  readonly #places: number[] = [];
  readonly #patterns: string[] = [];
  /** Why runs are in another order than the written one; undefined while none is. */
  #reasons: Set<string> | undefined = undefined;

  /** Adds patterns in the order in which they were planned. */
  add(places: readonly number[], patterns: readonly string[]): void {
    this.#places.push(...places);
    this.#patterns.push(...patterns);
  }

  /** Notes why a run is in another order. */
  note(reasons: readonly string[]): void {
    this.#reasons ??= new Set();
    for (const reason of reasons) this.#reasons.add(reason);
  }

  told(): PlannedBody["joined"] {
    if (this.#reasons === undefined) return undefined;
    const reasons = this.#reasons.size === 0 ? [LINKED] : [...this.#reasons];
    return { places: this.#places, patterns: this.#patterns, because: reasons.join(" and ") };
  }
}

const LINKED = "patterns that share a test follow each other";

function reasonsOf({ patterns }: PatternRun, { reasons }: ChosenOrder): string[] {
  return reasons.map(({ first, reason }) => REASONS[reason](wordsOf(patterns[first])));
}

const REASONS: Readonly<Record<Reason, (first: string) => string>> = {
  constant: (first) => `${first} is compared with a constant`,
  known: (first) => `${first} shares a test with what is before it`,
  linked: () => LINKED,
};

function wordsOf(pattern: PatternPart | undefined): string {
  return pattern?.variable ?? pattern?.type ?? "";
}

function nameOf({ variable, type }: ast.Pattern): string {
  return variable?.name ?? type.name;
}

function isPattern(element: ast.Element): element is ast.Pattern {
  return element.kind === "pattern";
}
