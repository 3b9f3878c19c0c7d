/** D14: after every operation and run, the logical facts are the least fixpoint, computed naively. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckedProgram, RuleSession } from "../../src/index.ts";
import type { OracleFact } from "../oracle/naive.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { Difference } from "../support/difference.ts";
import {
  checkLogical,
  leastFixpoint,
  logicalCase,
  type LogicalCase,
  type LogicalOperation,
  logicalSource,
  STRATA,
} from "../support/logical.ts";
import { nestedCase } from "../support/logical-nested.ts";
import { programOf, sameTexts } from "../support/rig.ts";
import { open } from "../support/session.ts";

class LogicalRig {
  readonly rules = new Map<string, string>();
  readonly #given = new Map<string, OracleFact>();
  #session: RuleSession;
  readonly #told: string[] = [];
  #checked: CheckedProgram;
  #count = 0;

  constructor(rules: readonly string[]) {
    for (const rule of rules) this.#addRule(rule);
    this.#checked = checkLogical(this.rules);
    this.#session = programOf(this.#checked).session({ facts: "none" });
  }

  follow(operation: LogicalOperation): void {
    this.#told.push(JSON.stringify(operation));
    this.#make(operation);
  }

  #make(operation: LogicalOperation): void {
    switch (operation.is) {
      case "assert": {
        const { a, b, c } = operation;
        return this.#assert("P", { a, b, c });
      }
      case "give": {
        const { type, a, b } = operation;
        return this.#assert(type, type === "E" ? { a } : { a, b });
      }
      case "retract":
        return this.#retract(operation.which);
      case "update":
        return this.#update(operation);
      case "add":
        this.#addRule(operation.rule);
        return this.#reload();
      case "remove": {
        const names = [...this.rules.keys()];
        this.rules.delete(names[operation.which % names.length] ?? "");
        return this.#reload();
      }
      case "restore": {
        const from = JSON.parse(JSON.stringify(this.#session.snapshot())) as ReturnType<RuleSession["snapshot"]>;
        this.#session = programOf(this.#checked).session({ from });
        return;
      }
      case "together": {
        const all = (): void => {
          for (const one of operation.operations) this.#make(one);
        };
        return operation.batch ? this.#session.batch(all) : all();
      }
    }
  }

  compare(): void {
    this.#session.run();
    const expected = leastFixpoint(this.#checked, [...this.#given.values()]);
    const found = STRATA.flat().flatMap((type) => this.#session.facts(type).map(({ id }) => id));
    if (sameTexts(expected, found.sort())) return;
    const story = [...logicalSource(this.rules), ...this.#told].join("\n");
    throw new Difference(`expected ${expected.join(" ")}\nfound    ${found.join(" ")}\n${story}`);
  }

  #reload(): void {
    this.#checked = checkLogical(this.rules);
    this.#session.reload(programOf(this.#checked));
  }

  #addRule(rule: string): void {
    this.#count += 1;
    this.rules.set(`r${this.#count}`, rule);
  }

  #assert(type: string, fields: Readonly<Record<string, number>>): void {
    const { a, b } = fields;
    const id = b === undefined ? `${type}~${a}` : `${type}~${a}_${b}`;
    if (this.#given.has(id)) return;
    this.#session.assert(type, fields);
    this.#given.set(id, { id, type, fields, order: this.#given.size });
  }

  #retract(which: number): void {
    const ids = [...this.#given.keys()];
    const id = ids[which % ids.length];
    if (id === undefined) return;
    this.#session.retract(id);
    this.#given.delete(id);
  }

  #update({ which, c }: Extract<LogicalOperation, { is: "update" }>): void {
    const facts = [...this.#given.values()].filter(({ type }) => type === "P");
    const fact = facts[which % facts.length];
    if (fact === undefined) return;
    this.#session.update(fact.id, { c });
    this.#given.set(fact.id, { ...fact, fields: { ...fact.fields, c } });
  }
}

function isLeastFixpoint({ rules, operations }: LogicalCase): void {
  const rig = new LogicalRig(rules);
  for (const operation of operations) {
    rig.follow(operation);
    rig.compare();
  }
}

test(
  "logical facts are the least fixpoint of the rules",
  () => {
    // the next property has such rules as well, in 20,000 cases: these say whether `exists` is to blame
    fc.assert(fc.property(logicalCase(false), isLeastFixpoint), { numRuns: runs(1_000) });
  },
  PATIENT,
);

test(
  "also of rules that ask whether a fact exists",
  () => {
    fc.assert(fc.property(logicalCase(true), isLeastFixpoint), { numRuns: runs() });
  },
  PATIENT,
);

test(
  "also of rules that look at facts inside nested groups, through long histories",
  () => {
    fc.assert(fc.property(nestedCase, isLeastFixpoint), { numRuns: runs(10_000) });
  },
  PATIENT,
);

describe("in words", () => {
  test("facts that only support each other do not stay", () => {
    const session = open(`
      type P(#a: number)
      type D(#a: number)
      type E(#a: number)
      rule start { when p: P then insert logical D(a: p.a) }
      rule there { when d: D then insert logical E(a: d.a) }
      rule back { when e: E then insert logical D(a: e.a) }`);
    const p = session.assert("P", { a: 1 });
    session.run();
    expect(session.facts().map(({ id }) => id)).toEqual(["P~1", "D~1", "E~1"]);
    session.retract(p);
    session.run();
    expect(session.facts()).toEqual([]);
  });

  test("a fact with two supports stays until both are gone", () => {
    const session = open(`
      type P(#a: number, n: number)
      type D(#n: number)
      rule r { when p: P then insert logical D(n: p.n) }`);
    const [one, two] = [1, 2].map((a) => session.assert("P", { a, n: 7 }));
    session.run();
    expect(session.facts("D")).toHaveLength(1);
    if (one !== undefined) session.retract(one);
    expect(session.facts("D")).toHaveLength(1);
    if (two !== undefined) session.retract(two);
    expect(session.facts("D")).toHaveLength(0);
  });
});
