/**
 * Chooses the order in which the patterns of a run are joined.
 *
 * Patterns that share a test are linked, and those that are linked, directly or through others, form a group. A pattern in a group of
 * its own (a stage, a counter) stays at its place: it keeps what is after it empty. Within a group none is joined that shares no test
 * with those before while one is left that does: it would be paired with everything. Of those that do, one is preferred whose facts
 * are looked up by a key, and before all that one whose join other rules have already.
 *
 * A group of two patterns stays as it is written: in both orders the same pairs are made.
 */
import type { RunTest } from "./pattern-run.ts";

/** What the order depends on: nothing of a pattern but its tests. */
export interface Joinable {
  readonly patterns: readonly unknown[];
  readonly tests: readonly Pick<RunTest, "of" | "readsBefore" | "keyOf">[];
}

/** Why a pattern begins its group, or that it was linked. */
export type Reason = "constant" | "known" | "linked";

/** An order, as the indexes of patterns, and why it is not the written one. */
export interface ChosenOrder {
  readonly order: readonly number[];
  /** For the first pattern of each group that is not in written order: which it is, and why it is the first. */
  readonly reasons: readonly { readonly first: number; readonly reason: Reason }[];
}

/** Knows which joins other rules have. */
export interface SharedJoins {
  /** Returns whether a join of a pattern is there after those that were taken. */
  has(pattern: number): boolean;
  take(pattern: number): void;
}

/** Chooses the order of a run. */
export function chosenOrder(run: Joinable, shared: SharedJoins): ChosenOrder {
  const groups = groupsOf(run);
  const single = new Set(groups.flatMap((group) => (group.length === 1 ? group : [])));
  const choices = groups
    .filter((group) => group.length > 1)
    .map((group, index) => new GroupChoice(run, group, index === 0));
  const order: number[] = [];
  const isOpen = choices.some((choice) => !choice.staysWritten);
  for (const at of run.patterns.keys()) {
    const next = single.has(at) ? at : nextOf(choices, shared);
    if (isOpen) shared.take(next);
    order.push(next);
  }
  return { order, reasons: choices.flatMap((choice) => choice.reason()) };
}

function nextOf(choices: readonly GroupChoice[], shared: SharedJoins): number {
  for (const choice of choices) {
    const next = choice.next(shared);
    if (next !== undefined) return next;
  }
  throw new Error("every pattern is in a group");
}

/** Returns the groups of patterns that share tests, each in written order, by their first patterns. */
function groupsOf({ patterns, tests }: Joinable): number[][] {
  const groups: number[][] = [];
  const placed = new Set<number>();
  for (const first of patterns.keys()) {
    if (placed.has(first)) continue;
    const group = new Set([first]);
    for (const one of group) {
      for (const { of } of tests) if (of.has(one)) for (const other of of) group.add(other);
    }
    for (const one of group) placed.add(one);
    groups.push([...group].sort((a, b) => a - b));
  }
  return groups;
}

/** The order of one group, chosen one by one. */
class GroupChoice {
  readonly #tests: Joinable["tests"];
  readonly #group: readonly number[];
  readonly #left: Set<number>;
  readonly #taken: number[] = [];
  readonly staysWritten: boolean;

  /** Takes whether it is the first group of its run. */
  constructor({ tests }: Joinable, group: readonly number[], isFirst: boolean) {
    this.#group = group;
    this.#left = new Set(group);
    this.#tests = tests.filter(({ of }) => group.some((one) => of.has(one)));
    this.staysWritten = isFirst && group.length === 2 && !this.#tests.some(({ readsBefore }) => readsBefore);
  }

  next(shared: SharedJoins): number | undefined {
    const [first] = this.#left;
    if (first === undefined) return undefined;
    const next = this.staysWritten ? first : this.#best(shared, first);
    this.#left.delete(next);
    this.#taken.push(next);
    return next;
  }

  /** Returns why the group is not in written order; nothing where it is. */
  reason(): ChosenOrder["reasons"] {
    const [first] = this.#taken;
    if (first === undefined || this.#taken.every((one, at) => one === this.#group[at])) return [];
    if (this.#linksTo(first, new Set()) > 0) return [{ first, reason: "known" }];
    return [{ first, reason: first === this.#group[0] ? "linked" : "constant" }];
  }

  #best(shared: SharedJoins, first: number): number {
    const known = new Set(this.#taken);
    const linked = [...this.#left].filter((one) => this.#linksTo(one, known) > 0);
    if (linked.length === 0) return known.size === 0 ? this.#mostConstants([...this.#left], first) : first;
    const best = Math.max(...linked.map((one) => this.#linksTo(one, known)));
    const preferred = linked.filter((one) => this.#linksTo(one, known) === best);
    const others = linked.filter((one) => !preferred.includes(one));
    const there = linked.length === 1 ? undefined : [...preferred, ...others].find((one) => shared.has(one));
    if (there !== undefined) return there;
    return known.size === 0 ? this.#mostConstants(preferred, first) : (preferred[0] ?? first);
  }

  /** Returns 2 when a pattern shares an equality of a field with what is known, 1 for other tests, and 0 when it shares none. */
  #linksTo(pattern: number, known: ReadonlySet<number>): number {
    let links = 0;
    for (const { of, readsBefore, keyOf } of this.#tests) {
      if (!of.has(pattern) || (of.size === 1 && !readsBefore)) continue;
      if ([...of].every((one) => one === pattern || known.has(one)))
        links = Math.max(links, keyOf.has(pattern) ? 2 : 1);
    }
    return links;
  }

  /** Returns the pattern with most equalities with constants; of equals the one that is written first. */
  #mostConstants(patterns: readonly number[], first: number): number {
    const counts = patterns.map((pattern) => this.#constants(pattern));
    return patterns[counts.indexOf(Math.max(...counts))] ?? first;
  }

  #constants(pattern: number): number {
    return this.#tests.filter(({ of, readsBefore, keyOf }) => of.size === 1 && !readsBefore && keyOf.has(pattern))
      .length;
  }
}
