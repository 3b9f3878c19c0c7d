/**
 * Random histories of facts that are compared with bounds: enough of them with one key for the ordered form of the index, values that are
 * equal, huge, negative zero, strings or missing, and intervals that are empty.
 */
import * as fc from "fast-check";
import type { Value } from "../../src/base/value.ts";
import { compile, type OpenOptions, type Program, type RuleSession } from "../../src/index.ts";
import { Difference } from "./difference.ts";
import { engineTexts, expectSame, naiveTexts } from "./rig.ts";

const TYPES = `type L(#id: string, k: number, lo: any?, hi: any?, n: number)
type X(#id: string, k: number, v: any?, w: any?, n: number)
`;

/** Each body is a rule. Several have the same key and field, so that their matches wait in one table. */
const BODIES: readonly string[] = [
  "l: L x: X(k == l.k, v >= l.lo, v < l.hi)",
  "l: L x: X(k == l.k, v > l.lo, v <= l.hi)",
  "l: L x: X(k == l.k, v > l.lo)",
  "l: L x: X(k == l.k, v <= l.hi)",
  "l: L x: X(v in [l.lo..l.hi))",
  "l: L x: X(l.hi > v)",
  "l: L x: X(w >= l.lo, v < l.hi, v > l.lo)",
  "l: L x: X(v > l.lo, v >= l.hi)",
  "l: L x: X(n > l.n, n < l.n + 2)",
  "l: L x: X(n > l.n, n < l.n + 2, k == l.k) y: X(k == x.k, v > x.v)",
  "x: X not X(k == x.k, v > x.v)",
  "x: X not X(v < x.v)",
  "x: X not X(k == x.k, n > x.n, v != x.v)",
  "l: L not X(k == l.k, v >= l.lo, v < l.hi)",
  "l: L exists X(k == l.k, v >= l.lo, v <= l.hi)",
  "l: L exists X(v > l.lo)",
  "l: L c: count(x.n) from x: X(k == l.k, v >= l.lo, v < l.hi) where c > 2",
  "l: L where COUNT(x: X / x.k == l.k and x.n >= l.n) > 3",
  "l: L x: X(k == l.k, v > l.lo) not X(k == l.k, v > x.v)",
];

const value: fc.Arbitrary<Value | null> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 12 }) },
  { weight: 3, arbitrary: fc.constantFrom<Value[]>(0, -0, 1.5, -1, 1e308, -1e308, 5e-324) },
  { weight: 2, arbitrary: fc.constantFrom<Value[]>("", "1", "a", "ab", "b", "\uffff", "\u{10000}") },
  { weight: 1, arbitrary: fc.constantFrom<(Value | null)[]>(null, true, ["a"]) },
);

interface FactOf {
  readonly type: "L" | "X";
  readonly k: number;
  readonly one: Value | null;
  readonly other: Value | null;
  readonly n: number;
}

const fact: fc.Arbitrary<FactOf> = fc.record({
  type: fc.constantFrom<("L" | "X")[]>("L", "X", "X"),
  k: fc.constantFrom(0, 0, 0, 0, 1),
  one: value,
  other: value,
  n: fc.integer({ min: 0, max: 9 }),
});

type Operation =
  | { readonly is: "assert"; readonly fact: FactOf }
  | { readonly is: "retract"; readonly which: number }
  | { readonly is: "clear"; readonly from: number; readonly count: number }
  | {
      readonly is: "update";
      readonly which: number;
      readonly field: number;
      readonly value: Value | null;
      readonly n: number;
    }
  | { readonly is: "run" }
  | { readonly is: "without"; readonly which: number }
  | { readonly is: "extend"; readonly which: number }
  | { readonly is: "restore" };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant("assert" as const), fact }) },
  { weight: 5, arbitrary: fc.record({ is: fc.constant("retract" as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant("clear" as const), from: fc.nat(), count: fc.integer({ min: 5, max: 60 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constant("update" as const),
      which: fc.nat(),
      field: fc.nat(3),
      value,
      n: fc.integer({ min: 0, max: 9 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ is: "run" as const }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("without" as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("extend" as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ is: "restore" as const }) },
);

export interface RangeCase {
  readonly bodies: readonly number[];
  readonly facts: readonly FactOf[];
  readonly operations: readonly Operation[];
  readonly strategy: "breadth" | "depth";
  /** Whether all nodes have the same name. */
  readonly collides: boolean;
}

export const rangeCase: fc.Arbitrary<RangeCase> = fc.record({
  bodies: fc.uniqueArray(fc.nat(BODIES.length - 1), { minLength: 1, maxLength: 5 }),
  facts: fc.array(fact, { minLength: 40, maxLength: 90, size: "max" }),
  operations: fc.array(operation, { minLength: 5, maxLength: 30, size: "max" }),
  strategy: fc.constantFrom("breadth" as const, "depth" as const),
  collides: fc.boolean(),
});

const ruleOf = (body: number): string => {
  const first = /^\w+/u.exec(BODIES[body] ?? "")?.[0];
  return `rule r${body} { when ${BODIES[body]} then log(${first}.id) }`;
};

/** Sessions that follow one history, each opened in its own way. */
class Followed {
  readonly #one: RangeCase;
  readonly #options: readonly OpenOptions[];
  readonly #rules: Set<number>;
  #program: Program;
  #sessions: RuleSession[];
  readonly #ids: string[] = [];
  #made = 0;

  constructor(one: RangeCase, options: readonly OpenOptions[]) {
    this.#one = one;
    this.#options = options;
    this.#rules = new Set(one.bodies);
    this.#program = compile(TYPES + one.bodies.map(ruleOf).join("\n"), one.collides ? { hash: () => 0n } : {});
    this.#sessions = options.map((open) => this.#program.session({ strategy: one.strategy, ...open }));
    for (const given of one.facts) this.#assert(given);
  }

  follow(step: Operation): void {
    switch (step.is) {
      case "assert":
        return this.#assert(step.fact);
      case "retract":
        return this.#retract(step.which, 1);
      case "clear":
        return this.#retract(step.from, step.count);
      case "update":
        return this.#update(step);
      case "run":
        return this.#run();
      case "without":
        return this.#without([...this.#rules][step.which % Math.max(this.#rules.size, 1)]);
      case "extend":
        return this.#extend(step.which % BODIES.length);
      case "restore":
        return this.#restore();
    }
  }

  #assert({ type, k, one, other, n }: FactOf): void {
    const [low, high] = type === "L" ? (["lo", "hi"] as const) : (["v", "w"] as const);
    const fields = {
      id: `f${this.#made++}`,
      k,
      n,
      [low]: one ?? undefined,
      [high]: other ?? undefined,
    };
    this.#ids.push(`${type}~${fields.id}`);
    for (const session of this.#sessions) session.assert(type, fields);
  }

  #retract(from: number, count: number): void {
    if (this.#ids.length === 0) return;
    for (const id of this.#ids.splice(from % this.#ids.length, count))
      for (const session of this.#sessions) session.retract(id);
  }

  #update({ which, field, value: given, n }: Extract<Operation, { is: "update" }>): void {
    const id = this.#ids[which % Math.max(this.#ids.length, 1)];
    if (id === undefined) return;
    const name = (id.startsWith("L") ? ["lo", "hi", "k", "n"] : ["v", "w", "k", "n"])[field] ?? "n";
    const changes = { [name]: name === "n" ? n : name === "k" ? n % 2 : given };
    for (const session of this.#sessions) session.update(id, changes);
  }

  #run(): void {
    const [first, ...others] = this.#sessions.map((session) =>
      session.run().fired.map(({ rule, bindings }) => `${rule} ${JSON.stringify(bindings)}`),
    );
    for (const other of others) {
      if (first?.join("\n") !== other.join("\n"))
        throw new Difference(`fired\n${first?.join("\n")}\nand\n${other.join("\n")}`);
    }
  }

  #without(body: number | undefined): void {
    if (body === undefined || this.#rules.size === 1) return;
    this.#rules.delete(body);
    this.#reload(this.#program.without(`r${body}`));
  }

  #extend(body: number): void {
    if (this.#rules.has(body)) return;
    this.#rules.add(body);
    this.#reload(this.#program.extend(ruleOf(body)));
  }

  #reload(program: Program): void {
    this.#program = program;
    for (const session of this.#sessions) session.reload(program);
  }

  #restore(): void {
    this.#sessions = this.#sessions.map((session, at) =>
      this.#program.session({ strategy: this.#one.strategy, ...this.#options[at], from: session.snapshot() }),
    );
  }

  /** Throws when the matches of a session are not those of the naive matcher. */
  compare(): void {
    const [first] = this.#sessions;
    const expected = naiveTexts(this.#program.checked, {
      facts: (first?.facts() ?? []).map((fact, order) => ({ ...fact, order })),
    });
    const names = [...this.#rules].map((body) => `r${body}`);
    for (const session of this.#sessions) {
      expectSame(expected, engineTexts(session, names), () => JSON.stringify(this.#one));
    }
  }

  /** Throws when something is remembered although all facts are gone. */
  empty(): void {
    this.#retract(0, this.#ids.length);
    for (const session of this.#sessions) {
      const { matches, indexEntries } = session.counters();
      if (matches + indexEntries > 0) throw new Difference(`${matches} matches and ${indexEntries} entries are left`);
    }
  }
}

/** Throws when one of the ways to open a session finds other matches, or fires in another order. */
export function followRanges(one: RangeCase, options: readonly OpenOptions[]): void {
  const followed = new Followed(one, options);
  followed.compare();
  for (const [at, step] of one.operations.entries()) {
    followed.follow(step);
    if (at % 4 === 3) followed.compare();
  }
  followed.follow({ is: "run" });
  followed.compare();
  followed.empty();
}
