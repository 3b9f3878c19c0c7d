/**
 * Bugs that rule engines have had, or could have, as edits of the source. The plugin makes the edits while vitest loads the engine
 * (vitest.planted.config.ts); an edit does nothing until `plant` names its bug, so one process can try them all.
 *
 * Every `find` must occur exactly once in its file: an edit that no longer fits is an error, never a bug that is not there.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "vitest/config";
import type { PlanExpr, PlanNode } from "../../src/plan/plan.ts";

/** An expression of one kind is always unknown. */
type ExpressionBug = `value-of-${PlanExpr["op"]}`;

export type PlantedBug =
  | ExpressionBug
  | "duplicate-ancestor"
  | "not-never-unblocks"
  | "join-key-without-operator"
  | "alpha-by-hash-only"
  | "join-compares-as-text"
  | "delete-only-first"
  | "exists-ends-at-one"
  | "alpha-without-type"
  | "mark-in-shared-node"
  | "joined-order-is-written"
  | "moved-test-reads-own-fact"
  | "moved-test-lost"
  | "hash-of-the-joined-order"
  | "fill-before-entered"
  | "timer-one-late"
  | "timer-not-cancelled"
  | "timer-only-first"
  | "timer-without-revalue"
  | "bound-rounded-down"
  | "solved-without-turning"
  | "wait-fails"
  | "window-closes-early"
  | "window-open-on-the-right"
  | "future-fact-enters"
  | "not-within-does-not-wait"
  | "open-window-forgotten"
  | "open-window-is-nothing"
  | "quorum-stays-open"
  | "unset-clock-is-zero"
  | "today-without-zone"
  | "heap-loses-ties"
  | "clock-not-in-snapshot"
  | "window-closed-left"
  | "window-open-right"
  | "window-from-the-future"
  | "windows-shared-by-field"
  | "window-not-moved"
  | "window-of-no-length"
  | "window-of-negative-length"
  | "last-of-ties-first"
  | "last-one-too-many"
  | "last-fell-out-for-good"
  | "last-are-first"
  | "last-not-moved"
  | "last-of-all"
  | "last-from-the-future"
  | "last-in-doubt-are-sure"
  | "last-unknown-number"
  | "last-without-key"
  | "expiry-one-late"
  | "expiry-not-moved"
  | "expired-fact-enters"
  | "expiry-forgotten-in-snapshot"
  | "items-equal-are-one"
  | "items-not-retracted"
  | "items-not-heard"
  | "items-all-restart"
  | "items-left-in-place"
  | "items-not-put-in-order"
  | "items-of-a-way-that-is-gone"
  | "items-with-one-key"
  | "table-without-any"
  | "table-bound-included"
  | "table-first-of-a-branch"
  | "table-closed-too-early"
  | "table-last-of-a-slot"
  | "table-gap-in-the-rest"
  | "table-end-covered"
  | "table-pair-of-one-column"
  | "table-live-by-range"
  | "table-column-of-one-part"
  | "reference-not-heard"
  | "filter-stays"
  | "let-stays"
  | "aggregate-keeps-lost"
  | "running-not-filled"
  | "running-value-kept"
  | "running-bound-not-reached"
  | "running-not-asked-again"
  | "evidence-stays"
  | "leaf-not-unknown"
  | "flow-looks-at-fewer"
  | "watch-keeps-lost"
  | "finding-stays"
  | "after-not-asked-of-forward"
  | SortedBug
  | typeof SORTED_AT_ONCE;

/** Bugs in what finds facts between bounds. With each of them buckets are sorted at once, so that small cases show it. */
type SortedBug = (typeof SORTED_BUGS)[number];

export const SORTED_BUGS = [
  "range-without-its-ends",
  "range-not-moved",
  "range-as-text",
  "range-of-one-end",
  "span-ends-forgotten",
  "sorted-only-first",
] as const;

/** Not a bug: buckets are sorted from two items on. */
const SORTED_AT_ONCE = "sorted-at-once";

/** For each kind of node of a plan, bugs in what is made of it. A kind without a bug is no program. */
export const BUGS_OF_NODES: Readonly<Record<PlanNode["kind"], readonly [PlantedBug, ...PlantedBug[]]>> = {
  alpha: ["alpha-without-type"],
  join: ["join-key-without-operator"],
  lookup: ["reference-not-heard"],
  filter: ["filter-stays"],
  let: ["let-stays"],
  items: ["items-equal-are-one", "items-not-retracted", "items-not-heard"],
  timer: ["timer-one-late", "timer-only-first", "timer-without-revalue", "window-not-moved"],
  last: ["last-one-too-many", "last-not-moved"],
  aggregate: ["aggregate-keeps-lost", "not-never-unblocks", "exists-ends-at-one"],
  terminal: ["items-of-a-way-that-is-gone", "delete-only-first"],
  condition: ["evidence-stays", "open-window-is-nothing"],
  gate: ["leaf-not-unknown"],
  flow: ["flow-looks-at-fewer"],
  watch: ["watch-keeps-lost"],
  guardian: ["finding-stays"],
  pipeline: ["after-not-asked-of-forward"],
};

/** In `replace`, `PLANTED` stands for the question whether this bug is planted, and `$&` for the text that was found. */
interface Edit {
  readonly bug: PlantedBug;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const AS_TEXT = `$&.map((evaluate) =>
  PLANTED ? (match, fact) => JSON.stringify(evaluate(match, fact))?.replaceAll('"', "") : evaluate)`;

/** Edits that sort buckets from two items on. */
const SORTED_EDITS: readonly Edit[] = [SORTED_AT_ONCE, ...SORTED_BUGS].flatMap((bug) =>
  [
    ["bucket.size >= SORT_FROM", "bucket.size >= (PLANTED ? 2 : SORT_FROM)"],
    ["bucket.size <= CHAIN_AT", "bucket.size <= (PLANTED ? 1 : CHAIN_AT)"],
  ].map(([find, replace]) => ({ bug, file: "src/rete/ordered-table.ts", find, replace }) as Edit),
);

const EDITS: readonly Edit[] = [
  ...SORTED_EDITS,
  // What is equal to a bound is not in the range, although the test includes it.
  {
    bug: "range-without-its-ends",
    file: "src/rete/range.ts",
    find: "from?.excluded === true",
    replace: "(PLANTED || $&)",
  },
  // A fact whose field is updated stays where it was.
  {
    bug: "range-not-moved",
    file: "src/assemble/pair-maker.ts",
    find: "expressions.reads(...fields, ...ordered)",
    replace: "expressions.reads(...fields, ...(PLANTED ? [] : ordered))",
  },
  // Numbers and strings are in one order, that of their texts.
  {
    bug: "range-as-text",
    file: "src/rete/range.ts",
    find: 'if (typeof a === "number") return',
    replace: "if (PLANTED) return compareText(String(a), String(b)); $&",
  },
  // A match finds only the facts that are equal to its lower bound.
  {
    bug: "range-of-one-end",
    file: "src/rete/ordered-table.ts",
    find: "to: high ?? greatestLike(low)",
    replace: "to: PLANTED ? low : high ?? greatestLike(low)",
  },
  // A span that ends later than those before it in its block is not heard of.
  {
    bug: "span-ends-forgotten",
    file: "src/rete/sorted-blocks.ts",
    find: "endsLater(end, highest)) highest",
    replace: "endsLater(end, highest) && !PLANTED) highest",
  },
  // Of the items of a bucket only the first are put in order when it is sorted.
  {
    bug: "sorted-only-first",
    file: "src/rete/ordered-table.ts",
    find: "item !== undefined; item = item.next) this.#place(",
    replace: "item !== undefined; item = PLANTED ? undefined : item.next) this.#place(",
  },
  // Patterns that are joined in another order are taken to be written in that order.
  {
    bug: "joined-order-is-written",
    file: "src/plan/join-run.ts",
    find: "builder.arrange(",
    replace: "if (!PLANTED) $&",
  },
  // In a test that is planned with another pattern, bare names are fields of that one.
  {
    bug: "moved-test-reads-own-fact",
    file: "src/plan/patterns.ts",
    find: "lowered.push(builder.within(fact, ",
    replace: "lowered.push(builder.within(PLANTED ? place : fact, ",
  },
  // A test that must wait for another pattern is forgotten.
  {
    bug: "moved-test-lost",
    file: "src/plan/join-run.ts",
    find: "home !== pattern",
    replace: "!PLANTED && $&",
  },
  // Joined in another order, a rule is another rule.
  {
    bug: "hash-of-the-joined-order",
    file: "src/plan/read/rule-hash.ts",
    find: "if (joined !== undefined)",
    replace: "if (!PLANTED && joined !== undefined)",
  },
  // A new fact reaches an ancestor before its descendants, and a pair is made twice.
  {
    bug: "duplicate-ancestor",
    file: "src/rete/alpha-memory.ts",
    find: "rank < one.rank",
    replace: "(PLANTED ? rank > one.rank : $&)",
  },
  // Facts with the same key are in no order of their own.
  {
    bug: "last-of-ties-first",
    file: "src/base/ordered-list.ts",
    find: "compareRanks(a.rank, b.rank) || compareMembers(a.member, b.member)",
    replace:
      "compareRanks(a.rank, b.rank) || (PLANTED && a.rank !== undefined ? -1 : 1) * compareMembers(a.member, b.member)",
  },
  // A match that a fact blocked stays blocked when the fact is gone.
  {
    bug: "not-never-unblocks",
    file: "src/rete/absence.ts",
    find: "lost(entry: BlockEntry): void {",
    replace: "$& if (PLANTED && this.negated) return release(entry);",
  },
  {
    bug: "not-never-unblocks",
    file: "src/rete/quantifier.ts",
    find: "this.#count -= 1;",
    replace: "if (!PLANTED) $&",
  },
  // Joins that compare the same fields are shared, however they compare them.
  {
    bug: "join-key-without-operator",
    file: "src/plan/patterns.ts",
    find: "parts.join(",
    replace: 'parts.map((part) => (PLANTED ? part.replace(/ [<>=!]+ /gu, " ") : part)).join(',
  },
  // Tests are shared when their hashes are equal, whatever their text is.
  {
    bug: "alpha-by-hash-only",
    file: "src/plan/node-table.ts",
    find: "const key = keyOf(node, ",
    replace:
      'const key = keyOf(PLANTED && node.kind === "alpha" ? { ...node, text: `${this.#hash(node.text)}` } : node, ',
  },
  // The number 1 equals the string "1" in a join.
  {
    bug: "join-compares-as-text",
    file: "src/assemble/expression-compiler.ts",
    find: "fields.map((field) => this.evaluated(field, -1, level))",
    replace: AS_TEXT,
  },
  {
    bug: "join-compares-as-text",
    file: "src/assemble/expression-compiler.ts",
    find: "values.map((value) => this.evaluated(value, level))",
    replace: AS_TEXT,
  },
  // Of the matches of a fact that is retracted only the first is removed.
  {
    bug: "delete-only-first",
    file: "src/rete/network.ts",
    find: "while (fact.matches !== undefined)",
    replace: "for (let first = true; fact.matches !== undefined && (first || !PLANTED); first = false)",
  },
  // An exists is false as soon as only one fact is left.
  {
    bug: "exists-ends-at-one",
    file: "src/rete/absence.ts",
    find: "lost(entry: BlockEntry): void {",
    replace: `$&
      if (PLANTED && !this.negated) {
        let left = 0;
        let found = this.spec.index?.table.find(this.spec.key, entry.match, undefined);
        for (; found !== undefined; found = found.next) {
          if (this.#test === undefined || this.#test(entry.match, found.fact) === true) left += 1;
        }
        release(entry);
        if (left === 1) this.#wait(entry);
        else this.redoEntry(entry);
        this.#schedule(entry);
        return;
      }`,
  },
  {
    bug: "exists-ends-at-one",
    file: "src/rete/quantifier.ts",
    find: "this.#count -= 1;",
    replace: "$& if (PLANTED && this.#count === 1) this.#count = 0;",
  },
  // Equal tests are shared even when they are about facts of different types.
  {
    bug: "alpha-without-type",
    file: "src/plan/node-table.ts",
    find: 'node.kind === "alpha" ? node.type : ""',
    replace: '(PLANTED ? "" : $&)',
  },
  // A dispatch that is asked in the middle of another one overwrites the marks of the first, which then finds nodes twice.
  {
    bug: "mark-in-shared-node",
    file: "src/rete/dispatch.ts",
    find: "marks.busy ? new Set<Node>()",
    replace: "marks.busy && !PLANTED ? new Set<Node>()",
  },
  // A memory that a fact makes is filled with that fact, which then enters.
  {
    bug: "fill-before-entered",
    file: "src/rete/alpha-memory.ts",
    find: "return this.isNew ?",
    replace: "return this.isNew && !PLANTED ?",
  },
  // A value turns one millisecond after its time.
  {
    bug: "timer-one-late",
    file: "src/rete/timer.ts",
    find: "timer.due = next;",
    replace: "timer.due = PLANTED ? next + 1 : next;",
  },
  // The timer of a match that is gone still waits.
  {
    bug: "timer-not-cancelled",
    file: "src/rete/clock.ts",
    find: "if (timer.place >= 0) this.#queue.remove(timer);",
    replace: "if (PLANTED) return; $&",
  },
  // A span is entered and never left.
  {
    bug: "timer-only-first",
    file: "src/rete/timer.ts",
    find: "const next = Math.min(comingAfter(now, from), comingAfter(now, until));",
    replace:
      "const next = PLANTED ? comingAfter(now, from) : Math.min(comingAfter(now, from), comingAfter(now, until));",
  },
  // A value turns, and nobody below hears of it.
  {
    bug: "timer-without-revalue",
    file: "src/rete/timer.ts",
    find: "revalue(match, this.level);",
    replace: "if (!PLANTED) $&",
  },
  // A bound between two milliseconds is reached too early.
  {
    bug: "bound-rounded-down",
    file: "src/assemble/timer-maker.ts",
    find: "Math.ceil(end)",
    replace: "(PLANTED ? Math.floor(end) : $&)",
  },
  // x - now > d is solved as now > x - d.
  {
    bug: "solved-without-turning",
    file: "src/language/check/clock.ts",
    find: "op: flips ? FLIPPED[op] : op, other",
    replace: "op: flips && !PLANTED ? FLIPPED[op] : op, other",
  },
  // Before its time "wait until" is false, not unknown.
  {
    bug: "wait-fails",
    file: "src/plan/time-tests.ts",
    find: "inside: true, outside: null",
    replace: "inside: true, outside: PLANTED ? false : null",
  },
  // A window closes one millisecond too early.
  {
    bug: "window-closes-early",
    file: "src/plan/time-tests.ts",
    find: "zone, after: true }, until: undefined, inside: false",
    replace: "zone, after: !PLANTED }, until: undefined, inside: false",
  },
  // The upper end of a window does not belong to it.
  {
    bug: "window-open-on-the-right",
    file: "src/plan/within.ts",
    find: 'by: "<=", left: apart',
    replace: 'by: PLANTED ? "<" : "<=", left: apart',
  },
  // A fact is in a window before its time has come.
  {
    bug: "future-fact-enters",
    file: "src/plan/within.ts",
    find: "outside: false }",
    replace: "outside: PLANTED }",
  },
  // A rule does not wait until the window of its "not" has closed.
  {
    bug: "not-within-does-not-wait",
    file: "src/plan/elements.ts",
    find: "waitForWindows(builder, windowsOf(elements))",
    replace: "waitForWindows(builder, PLANTED ? [] : windowsOf(elements))",
  },
  // What is judged takes no account of a fact that may still come.
  {
    bug: "open-window-forgotten",
    file: "src/plan/open-windows.ts",
    find: "for (const window of windowsIn(tests)) {",
    replace: "for (const window of PLANTED ? [] : windowsIn(tests)) {",
  },
  // The value of what was found stands although more may come.
  {
    bug: "open-window-is-nothing",
    file: "src/gates/evidence.ts",
    find: 'return coming !== "in time" ||',
    replace: 'return PLANTED || coming !== "in time" ||',
  },
  // Time does not close the population of a quorum.
  {
    bug: "quorum-stays-open",
    file: "src/gates/evidence.ts",
    find: 'if (coming === "never" && !closed) return code;',
    replace: 'if (!PLANTED && coming === "never" && !closed) return code;',
  },
  // A clock that nobody has set is at the beginning of 1970.
  {
    bug: "unset-clock-is-zero",
    file: "src/rete/timer.ts",
    find: "const { now } = this.#clock;",
    replace: "const now = PLANTED ? (this.#clock.now ?? 0) : this.#clock.now;",
  },
  // A day begins at midnight UTC, whatever the zone.
  {
    bug: "today-without-zone",
    file: "src/assemble/timer-maker.ts",
    find: "zoneNamed(zone)?.startOf(day)",
    replace: 'zoneNamed(PLANTED ? "UTC" : zone)?.startOf(day)',
  },
  // Of two timers of one instant, the second is left behind.
  {
    bug: "heap-loses-ties",
    file: "src/rete/clock.ts",
    find: "first.due <= to; first = this.#queue.first",
    replace: "first.due <= to; first = PLANTED ? undefined : this.#queue.first",
  },
  // A session that continues from a snapshot does not know what time it was.
  {
    bug: "clock-not-in-snapshot",
    file: "src/session/snapshots.ts",
    find: "return clock === undefined ? {} : { clock };",
    replace: "return clock === undefined || PLANTED ? {} : { clock };",
  },
  // A fact leaves its window a millisecond late.
  {
    bug: "window-closed-left",
    file: "src/language/check/windows.ts",
    find: "open: true, span: last.span",
    replace: "open: !PLANTED, span: last.span",
  },
  // A fact enters its window a millisecond late.
  {
    bug: "window-open-right",
    file: "src/language/check/windows.ts",
    find: "value: 0, span };",
    replace: "value: PLANTED ? 1 : 0, span };",
  },
  // A fact of the future is in its window as soon as it is asserted.
  {
    bug: "window-from-the-future",
    file: "src/language/check/windows.ts",
    find: 'return { kind: "in", left: age, right',
    replace: "if (PLANTED) right.from = { ...zero, value: -1e9 }; $&",
  },
  // Windows of one field are shared, whatever their length.
  {
    bug: "windows-shared-by-field",
    file: "src/plan/time-tests.ts",
    find: "(until === undefined ? [] :",
    replace: "(until === undefined || PLANTED ? [] :",
  },
  // A fact whose time is updated stays in the window where it was.
  {
    bug: "window-not-moved",
    file: "src/rete/revalued-node.ts",
    find: "return readsAny(",
    replace: 'return !(PLANTED && "outside" in this.spec) && readsAny(',
  },
  // One fact more than asked for is among the last ones.
  {
    bug: "last-one-too-many",
    file: "src/rete/last.ts",
    find: "place >= 0 && newer < count; place--",
    replace: "place >= 0 && newer < (PLANTED ? count + 1 : count); place--",
  },
  // What fell out does not come back when a newer fact goes.
  {
    bug: "last-fell-out-for-good",
    file: "src/rete/last.ts",
    find: "if (above.alive) this.#schedule(match);",
    replace: "if (above.alive && !PLANTED) this.#schedule(match);",
  },
  // The facts with the lowest keys are the last ones.
  {
    bug: "last-are-first",
    file: "src/rete/last.ts",
    find: "direction: 1 } as const",
    replace: "direction: PLANTED ? -1 : 1 } as const",
  },
  // A fact whose key is updated stays where it was.
  {
    bug: "last-not-moved",
    file: "src/rete/last.ts",
    find: "return readsAny(this.#spec.reads, level, slots);",
    replace: "return !PLANTED && readsAny(this.#spec.reads, level, slots);",
  },
  // The last facts are those of all matches together.
  {
    bug: "last-of-all",
    file: "src/plan/last.ts",
    find: "const { level: from } = builder;",
    replace: "const from = PLANTED ? 0 : builder.level;",
  },
  // A fact takes a place before its time has come.
  {
    bug: "last-from-the-future",
    file: "src/plan/last.ts",
    find: "if (expr.come !== null)",
    replace: "if (expr.come !== null && !PLANTED)",
  },
  // A fact is among the last ones although others may be newer.
  {
    bug: "last-in-doubt-are-sure",
    file: "src/rete/last.ts",
    find: "isSure && newer + doubtful < count",
    replace: "isSure && newer + (PLANTED ? 0 : doubtful) < count",
  },
  // Where it is unknown how many facts count, none does.
  {
    bug: "last-unknown-number",
    file: "src/rete/last.ts",
    find: "if (this.#spec.passUnknown) for",
    replace: "if (this.#spec.passUnknown && !PLANTED) for",
  },
  // Where something is judged, a fact without its key is left out.
  {
    bug: "last-without-key",
    file: "src/rete/last.ts",
    find: "if (!isKeyed && !this.#spec.passUnknown) return;",
    replace: "if (!isKeyed && (PLANTED || !this.#spec.passUnknown)) return;",
  },
  // Nothing is in a window whose length is zero or below: it is false, not unknown.
  {
    bug: "window-of-no-length",
    file: "src/functions/window-length.ts",
    find: "(length) => length > 0",
    replace: "(length) => length > 0 || PLANTED",
  },
  // A window that ends before it begins is empty, not unknown.
  {
    bug: "window-of-negative-length",
    file: "src/functions/window-length.ts",
    find: "(length) => length >= 0",
    replace: "(length) => length >= 0 || PLANTED",
  },
  // A fact stays a millisecond too long.
  {
    bug: "expiry-one-late",
    file: "src/session/expiry.ts",
    find: "return Math.ceil(time + expiry.after);",
    replace: "return Math.ceil(time + expiry.after) + (PLANTED ? 1 : 0);",
  },
  // A fact whose time is updated expires as it did before.
  {
    bug: "expiry-not-moved",
    file: "src/session/expiry.ts",
    find: "!this.#types.has(fact.shape.type)) return;",
    replace: "!this.#types.has(fact.shape.type) || PLANTED) return;",
  },
  // A fact that has expired enters, and stays.
  {
    bug: "expired-fact-enters",
    file: "src/session/expiry.ts",
    find: "return end !== undefined && end <= now;",
    replace: "return end !== undefined && end <= now && !PLANTED;",
  },
  {
    bug: "expired-fact-enters",
    file: "src/session/expiry.ts",
    find: "      this.#due.add(fact);",
    replace: "      if (!PLANTED) this.#due.add(fact);",
  },
  // The facts of a snapshot never expire.
  {
    bug: "expiry-forgotten-in-snapshot",
    file: "src/session/snapshots.ts",
    find: "for (const fact of expiry.concerned(facts)) {",
    replace: "if (!PLANTED) $&",
  },
  // Of equal items only the first has a match.
  {
    bug: "items-equal-are-one",
    file: "src/rete/items.ts",
    find: "if (stays === undefined)",
    replace: "if (stays === undefined && !(PLANTED && nth > 0))",
  },
  // An item that an update takes out of the list keeps its match.
  {
    bug: "items-not-retracted",
    file: "src/rete/items.ts",
    find: "if (!stay.has(one)) removeMatch(one);",
    replace: "if (!PLANTED) { $& }",
  },
  // An update of the list is not heard.
  {
    bug: "items-not-heard",
    file: "src/rete/revalued-node.ts",
    find: "this.spec.reads, level, slots",
    replace: 'PLANTED && "passUnknown" in this.spec ? new Map() : this.spec.reads, level, slots',
  },
  // Every update of a list restarts all of its items.
  {
    bug: "items-all-restart",
    file: "src/rete/items.ts",
    find: "placesOf(items, byItem(before))",
    replace: "placesOf(items, PLANTED ? NONE : byItem(before))",
  },
  // An item that moves fires where it was.
  {
    bug: "items-left-in-place",
    file: "src/rete/items.ts",
    find: "held.position = position;",
    replace: "if (!PLANTED) $&",
  },
  // What waits stays in the order that items had when it was put in order.
  {
    bug: "items-not-put-in-order",
    file: "src/session/agenda/activation-queue.ts",
    find: "this.#moves.count += 1;",
    replace: "if (!PLANTED) $&",
  },
  // A match that two alternatives found stays where the one had it that no longer finds it.
  {
    bug: "items-of-a-way-that-is-gone",
    file: "src/rete/rule-matches.ts",
    find: "if (this.#goesOn(found)) this.#tellPlace(found);",
    replace: "if (this.#goesOn(found)) { if (!PLANTED) this.#tellPlace(found); }",
  },
  // The effects of equal items have the same key.
  {
    bug: "items-with-one-key",
    file: "src/session/effect-keys.ts",
    find: "items: production.items?.(match)",
    replace: "items: PLANTED ? undefined : production.items?.(match)",
  },
  // The rows of a table with "-" in a column are not looked at beside those with a test there.
  {
    bug: "table-without-any",
    file: "src/tables/row-index.ts",
    find: "if (node.any !== undefined)",
    replace: "if (node.any !== undefined && !(PLANTED && below !== undefined))",
  },
  // A cell "< 5" passes 5.
  {
    bug: "table-bound-included",
    file: "src/tables/pieces.ts",
    find: "return some(0, this.#only(test.value).from - 1);",
    replace: "return some(0, this.#only(test.value).from - (PLANTED ? 0 : 1));",
  },
  // The first row that is found counts, in the order of the index.
  {
    bug: "table-first-of-a-branch",
    file: "src/tables/row-index.ts",
    find: "return found.sort((a, b) => a - b);",
    replace: "if (PLANTED) return found; $&",
  },
  // A row with a test in another column ends the search, too.
  {
    bug: "table-closed-too-early",
    file: "src/tables/row-index.ts",
    find: "const closes = this.#firstOnly &&",
    replace: "const closes = this.#firstOnly && PLANTED || this.#firstOnly &&",
  },
  // The last bound of a slot is not looked at.
  {
    bug: "table-last-of-a-slot",
    file: "src/tables/bounds.ts",
    find: "let high = this.#lower[slot + 1] as number;",
    replace: "let high = Math.max(low, (this.#lower[slot + 1] as number) - (PLANTED ? 1 : 0));",
  },
  // What the rows with "-" cover counts as covered everywhere, also where it is not.
  {
    bug: "table-gap-in-the-rest",
    file: "src/tables/check/questions.ts",
    find: "if (always.length > 0 && this.#gapIn(always, rest, places, covered) === null) return null;",
    replace: "if (PLANTED && always.length > 0) return null; $&",
  },
  // A range covers one place more than it does.
  {
    bug: "table-end-covered",
    file: "src/tables/check/grid.ts",
    find: "add(ends, to + 1, row);",
    replace: "add(ends, to + (PLANTED ? 2 : 1), row);",
  },
  // Two rows overlap when they do in the last column.
  {
    bug: "table-pair-of-one-column",
    file: "src/tables/check/questions.ts",
    find: "if (place === undefined) return undefined;",
    replace: "if (place === undefined) { if (PLANTED) continue; return undefined; }",
  },
  // A row is taken to apply when the first row of a part has a test left.
  {
    bug: "table-live-by-range",
    file: "src/tables/check/questions.ts",
    find: "if (chosen === undefined || this.#isWhole(first, open)) {",
    replace: "if (PLANTED || chosen === undefined || this.#isWhole(first, open)) {",
  },
  // A column is taken not to matter when its first parts give the same.
  {
    bug: "table-column-of-one-part",
    file: "src/tables/check/questions.ts",
    find: "if (!this.#isSame(first, rows, rest, seen)) return false;",
    replace: "if (!this.#isSame(first, rows, rest, seen)) return PLANTED && seen.size > 0;",
  },
  // An expression of one kind is always unknown, whatever it is.
  {
    bug: "value-of-const",
    file: "src/assemble/expression.ts",
    find: "export function compileExpr(expr: PlanExpr, scope: Scope): Evaluate {",
    replace: `export function compileExpr(expr: PlanExpr, scope: Scope): Evaluate {
      const made = compileWhole(expr, scope);
      return (match, fact) => (globalThis.__plantedBug === "value-of-" + expr.op ? undefined : made(match, fact));
    }
    function compileWhole(expr: PlanExpr, scope: Scope): Evaluate {`,
  },
  // What a reference leads to is not heard of when it comes after the reference.
  {
    bug: "reference-not-heard",
    file: "src/rete/lookup.ts",
    find: "for (const match of this.#referring.get(fact.id) ?? []) {",
    replace: "$& if (PLANTED) break;",
  },
  // A match for which a test is no longer true stays.
  {
    bug: "filter-stays",
    file: "src/rete/filter.ts",
    find: "if (!passes) for",
    replace: "if (!passes && !PLANTED) for",
  },
  // A name keeps the value that it had first.
  {
    bug: "let-stays",
    file: "src/rete/let.ts",
    find: "same(below.value, value)",
    replace: "(PLANTED || $&)",
  },
  // What an aggregate took of a fact stays when the fact goes.
  {
    bug: "aggregate-keeps-lost",
    file: "src/rete/aggregate.ts",
    find: "group.accumulator.remove(inner);",
    replace: "if (!PLANTED) $&",
  },
  {
    bug: "aggregate-keeps-lost",
    file: "src/rete/running-group.ts",
    find: "this.#accumulator.remove(entry, entry.value);",
    replace: "if (!PLANTED) $&",
  },
  // The first match of a key finds none of the facts that were there before it.
  {
    bug: "running-not-filled",
    file: "src/rete/running-group.ts",
    find: "if (this.#alpha.admits(found.fact))",
    replace: "if (!PLANTED && this.#alpha.admits(found.fact))",
  },
  // An update of the value that a fact contributes is not heard of.
  {
    bug: "running-value-kept",
    file: "src/assemble/running-maker.ts",
    find: "value === undefined ? fields : [...fields, value]",
    replace: "value === undefined || PLANTED ? fields : [...fields, value]",
  },
  // A value that is exactly the bound of a test makes no match.
  {
    bug: "running-bound-not-reached",
    file: "src/rete/running.ts",
    find: "value < this.#least",
    replace: "(PLANTED ? value <= this.#least : $&)",
  },
  // A test that a new rule brings is not asked about the values that no other test let pass.
  {
    bug: "running-not-asked-again",
    file: "src/rete/running.ts",
    find: "if (entry !== undefined) this.schedule(entry);",
    replace: "if (entry !== undefined && !PLANTED) this.schedule(entry);",
  },
  // Evidence that is gone still counts.
  {
    bug: "evidence-stays",
    file: "src/gates/condition.ts",
    find: "evidence.remove(match);",
    replace: "if (!PLANTED) $&",
  },
  // A gate is not told that a condition has become unknown.
  {
    bug: "leaf-not-unknown",
    file: "src/gates/gate.ts",
    find: "!this.#circuit.set(cells, place, code)",
    replace: "(PLANTED && code === UNKNOWN) || $&",
  },
  // Of the subjects that changed, the first is not looked at.
  {
    bug: "flow-looks-at-fewer",
    file: "src/gates/flow.ts",
    find: ": touched;",
    replace: ": PLANTED ? [...touched].slice(1) : touched;",
  },
  // One of several facts that a line tests stays when it is gone.
  {
    bug: "watch-keeps-lost",
    file: "src/guardian/watch.ts",
    find: "found.delete(match)",
    replace: "(PLANTED || $&)",
  },
  // What a line found stays when the facts change.
  {
    bug: "finding-stays",
    file: "src/guardian/guardian.ts",
    find: "if (findings !== undefined) for",
    replace: "if (findings !== undefined && !PLANTED) for",
  },
  // What is forwarded is not shown to the lines that may block it.
  {
    bug: "after-not-asked-of-forward",
    file: "src/guardian/pipeline.ts",
    find: 'final.decision !== "ANSWER" && final.decision !== "FORWARD"',
    replace: '(PLANTED ? final.decision !== "ANSWER" : $&)',
  },
];

const world = globalThis as { __plantedBug?: PlantedBug | undefined };

/** Plants a bug and removes the one before; undefined leaves the engine right. */
export function plant(bug: PlantedBug | undefined): void {
  world.__plantedBug = bug;
}

/** Returns the source of a file with its edits; throws when one of them does not fit. */
function withPlantedBugs(file: string, source: string): string {
  const found = EDITS.filter((edit) => edit.file === file);
  for (const { bug, find } of found) {
    const times = source.split(find).length - 1;
    if (times === 1) continue;
    throw new Error(
      `The planted bug "${bug}" does not fit ${file}: its text occurs ${times} times, not once. ` +
        `Change the edit in test/support/planted-bugs.ts so that it makes the same mistake in the new source:\n  ${find}`,
    );
  }
  // Edits of one place go inside each other: each puts its own text after or around what was there.
  return found.reduce(
    (text, { bug, find, replace }) =>
      text.replace(find, (all) =>
        replace.replaceAll("$&", () => all).replaceAll("PLANTED", () => `(globalThis.__plantedBug === "${bug}")`),
      ),
    source,
  );
}

/** Throws unless every edit fits the source as it is now, also in files that a test does not load. */
export function checkPlantedBugs(): void {
  for (const file of new Set(EDITS.map((edit) => edit.file))) withPlantedBugs(file, readFileSync(file, "utf8"));
}

export function plantedBugs(): Plugin {
  return {
    name: "planted-bugs",
    enforce: "pre",
    configResolved: checkPlantedBugs,
    transform: (source, id) => {
      const file = EDITS.find((edit) => id.endsWith(`/${edit.file}`))?.file;
      return file === undefined ? undefined : withPlantedBugs(file, source);
    },
  };
}
