/**
 * Sessions of one program share what never changes and nothing else: histories that take turns in sessions of one program find
 * and fire what each of them finds and fires alone, in a session of a program of its own. One of them changes its rules meanwhile.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, type Program, type RuleSession } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { History, type Step } from "../support/history.ts";
import { Difference } from "../support/difference.ts";
import { forAllCases } from "../support/minimise.ts";
import { engineTexts, programOfRules } from "../support/rig.ts";

/** A history in a session of the shared program, and the same one in a session of a program of its own. */
class Turn {
  readonly #history: History;
  readonly #shared: RuleSession;
  readonly #alone: RuleSession;
  readonly #operations: Iterator<ReturnType<typeof History.operations>[number]>;
  readonly #mayReload: boolean;

  constructor(one: Case, program: Program, operations: ReturnType<typeof History.operations>, mayReload: boolean) {
    this.#history = new History(SMALL, one.rules);
    this.#shared = program.session({ facts: "none" });
    this.#alone = programOfRules(this.#history.rules).session({ facts: "none" });
    this.#operations = operations[Symbol.iterator]();
    this.#mayReload = mayReload;
  }

  /** Makes the next step in both sessions and compares them; returns false when no step is left. */
  next(): boolean {
    const { done, value } = this.#operations.next();
    if (done === true) return false;
    const step = this.#history.plan(value);
    if (step === undefined || step.is === "refuse") return true;
    const changesRules = step.is === "add" || step.is === "remove";
    if (changesRules && !this.#mayReload) return true;
    for (const session of [this.#shared, this.#alone]) perform(session, step);
    this.#history.note(step);
    if (changesRules)
      for (const session of [this.#shared, this.#alone]) session.reload(programOfRules(this.#history.rules));
    this.#compare();
    return true;
  }

  #compare(): void {
    const [shared, alone] = [this.#shared, this.#alone].map((session) => this.#textOf(session));
    if (shared !== alone) throw new Difference(`with others ${shared}\nalone ${alone}`);
  }

  #textOf(session: RuleSession): string {
    const texts = [...engineTexts(session, this.#history.rules.keys())];
    const agenda = session.agenda().map(({ rule, bindings }) => [rule, bindings]);
    return JSON.stringify([texts, agenda, session.counters(), session.facts()]);
  }
}

function perform(session: RuleSession, step: Step): void {
  if (step.is === "assert") session.assert(step.type, step.fields);
  else if (step.is === "retract") session.retract(step.id);
  else if (step.is === "update") session.update(step.id, step.changes);
  else if (step.is === "run") session.run();
}

function takesTurns(one: Case): void {
  const program = programOfRules(new History(SMALL, one.rules).rules);
  const operations = History.operations(one);
  const turns = [
    new Turn(one, program, operations, true),
    new Turn(one, program, operations.toReversed(), false),
    new Turn(one, program, operations.slice(one.facts.length >> 1), false),
  ];
  while (turns.map((turn) => turn.next()).includes(true));
}

test(
  "sessions of one program that take turns do not influence each other",
  () => forAllCases(SMALL, runs(2000), takesTurns),
  PATIENT,
);

// ---------------------------------------------------------------- one session inside another

const RULES = `
type T(#id: string, a: number, b: number, s: string)
type U(#id: string, of: string, n: number)
${Array.from(
  { length: 12 },
  (_, n) => `rule either${n} { when t: T(a == ${n % 4} or b == ${n % 3} or visit(id) > 3) then log(t.id) }`,
).join("\n")}
rule pair { when t: T(a > 0) u: U(of == t.id, visit(of) + n > t.a) then log(t.id, u.id) }
rule none { when t: T not U(of == t.id, visit(id) > 1) then log(t.id) }
rule sum { when t: T total: sum(u.n) from u: U(of == t.id) where total + visit(t.id) > 4 then log(t.id, total) }
`;
const SIGNATURES = {
  functions: {
    visit: { params: [{ name: "id", type: { kind: "string" }, optional: false }], result: { kind: "number" } },
  },
} as const;

type Deed =
  | { readonly is: "T"; readonly id: number; readonly a: number; readonly b: number }
  | { readonly is: "U"; readonly id: number; readonly of: number; readonly n: number }
  | { readonly is: "change"; readonly id: number; readonly a: number }
  | { readonly is: "take"; readonly id: number };

const small = fc.integer({ min: 0, max: 4 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ is: fc.constant("T" as const), id: small, a: small, b: small }),
  fc.record({ is: fc.constant("U" as const), id: small, of: small, n: small }),
  fc.record({ is: fc.constant("change" as const), id: small, a: small }),
  fc.record({ is: fc.constant("take" as const), id: small }),
);

function make(session: RuleSession, one: Deed): void {
  const id = one.is === "U" ? `U~u${one.id}` : `T~t${one.id}`;
  const isThere = session.fact(id) !== undefined;
  if (one.is === "T" && !isThere) session.assert("T", { id: `t${one.id}`, a: one.a, b: one.b, s: "x" });
  if (one.is === "U" && !isThere) session.assert("U", { id: `u${one.id}`, of: `t${one.of}`, n: one.n });
  if (one.is === "change" && isThere) session.update(id, { a: one.a });
  if (one.is === "take" && isThere) session.retract(id);
}

function textOf(session: RuleSession): string {
  const rules = ["pair", "none", "sum", ...Array.from({ length: 12 }, (_, n) => `either${n}`)];
  return JSON.stringify([[...engineTexts(session, rules)], session.counters()]);
}

/** The function of a session returns a number of its own; `inside` is what it does before. */
function opened(program: Program, add: number, inside: () => void): RuleSession {
  const visit = (id: unknown): number => {
    inside();
    return String(id).length + add;
  };
  return program.session({ functions: { visit } });
}

/** Cases that use the same programs: compiling takes longer than a case. */
const CASES_EACH = 10;

/** The program of the sessions that work inside each other, and one for each of those that they are compared with. */
function newPrograms(): { readonly shared: Program; readonly forOuter: Program; readonly forInner: Program } {
  const [shared, forOuter, forInner] = [0, 1, 2].map(() => compile(RULES, SIGNATURES)) as [Program, Program, Program];
  return { shared, forOuter, forInner };
}

describe("a session whose host function works on another session of the program", () => {
  test(
    "finds what it finds when the function does nothing else, and so does the other one",
    () => {
      let programs: ReturnType<typeof newPrograms> = newPrograms();
      let cases = 0;
      fc.assert(
        fc.property(fc.array(deed, { maxLength: 12 }), fc.array(deed, { maxLength: 12 }), (outer, inner) => {
          if (cases++ % CASES_EACH === 0) programs = newPrograms();
          const { shared: program, forOuter, forInner } = programs;
          const left = [...inner];
          let inside = false;
          const nested = opened(program, 1, () => undefined);
          const session = opened(program, 0, () => {
            if (inside) return;
            inside = true;
            const next = left.shift();
            if (next !== undefined) make(nested, next);
            inside = false;
          });
          for (const one of outer) make(session, one);
          for (const one of left.splice(0)) make(nested, one);
          const alone = opened(forOuter, 0, () => undefined);
          for (const one of outer) make(alone, one);
          expect(textOf(session)).toBe(textOf(alone));
          const other = opened(forInner, 1, () => undefined);
          for (const one of inner) make(other, one);
          expect(textOf(nested)).toBe(textOf(other));
        }),
        { numRuns: runs(2000) },
      );
    },
    PATIENT,
  );

  test("each hears of its own failures alone", () => {
    const program = compile(RULES, SIGNATURES);
    const fails = program.session({
      functions: {
        visit: () => {
          throw new Error("down");
        },
      },
    });
    const works = opened(program, 0, () => undefined);
    for (const session of [fails, works]) session.assert("T", { id: "t1", a: 9, b: 9, s: "x" });
    expect(fails.problems.map(({ code }) => code)).toContain("E521");
    expect(works.problems).toEqual([]);
    expect(works.warnings).toEqual([]);
  });
});
