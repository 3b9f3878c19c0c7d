/** Random histories of whole programs, compared with the brute-force matcher and with new sessions. */
import { expect } from "vitest";
import { compile, type Program, RunLimitError, type RunResult, type Session } from "../../src/index.ts";
import { evaluate } from "../../src/prove/evaluate.ts";
import { Bindings } from "../../src/prove/place.ts";
import { World } from "../../src/prove/world.ts";
import type { OracleFact } from "../oracle/naive.ts";
import { below, pick, type Random } from "./gate-model.ts";
import { engineTexts, expectSame, naiveTexts } from "./rig.ts";
import { throughJson } from "./snapshots.ts";
import { WHOLE_FUNCTIONS, WHOLE_OPTIONS, wholeFields, wholeProgram, wholeRule } from "./whole-programs.ts";

export const STEPS = 12;
/** Histories of one program: reading it takes longer than a history. */
const HISTORIES = 10;

const FUNCTIONS = WHOLE_FUNCTIONS as never;
const NAIVE_FUNCTIONS = new Map(Object.entries(WHOLE_FUNCTIONS)) as never;
const DAYS = ["2026-02-27T23:00:00Z", "2026-02-28T12:00:00Z", "2026-03-01T00:00:00Z", "2026-03-30T00:00:00Z"];

/** The actions whose arguments are compared. */
const EFFECTS = new Set(["log", "tell"]);
const ENGINE_TYPES = new Set(["GateResult", "Verdict", "FlowStage"]);

/** What was compared: how often there were matches, how often judges, and how many effects. */
export const seen = { matches: 0, judged: 0, effects: 0 };

class Player {
  readonly #random: Random;
  readonly #open: object;
  readonly #told: string[];
  #program: Program;
  #session: Session;
  #wasStopped = false;

  constructor(random: Random, program: Program, text: string) {
    this.#random = random;
    this.#open = { functions: FUNCTIONS, sharing: random() < 0.8, indexing: random() < 0.8, shortcuts: random() < 0.8 };
    this.#program = program;
    this.#session = program.session(this.#open);
    this.#told = [text, JSON.stringify(this.#open)];
  }

  play(): void {
    if (this.#random() < 0.5) this.#told.push(this.#advance());
    this.#compare();
    for (let step = 0; step < STEPS; step++) {
      this.#told.push(this.#step(step));
      this.#compare();
    }
    // After a run that was stopped, and while there are problems, judges are unsure of what rules may still do.
    if (!this.#wasStopped && this.#session.problems.length === 0) this.#compareJudges();
    this.#empty();
  }

  #step(step: number): string {
    switch (below(this.#random, 12)) {
      case 0:
        return this.#run();
      case 1:
      case 4:
        return this.#random() < 0.6 ? this.#fireOne() : this.#run(1 + below(this.#random, 4));
      case 2:
        return this.#advance();
      case 3:
        return this.#random() < 0.5 ? this.#restore() : this.#extend(step);
      default:
        return this.#change(step);
    }
  }

  #run(limit = 40): string {
    this.#ran(limit);
    return `run ${limit}`;
  }

  /** Fires rules; a run that would go on for ever is stopped. */
  #ran(limit: number): RunResult {
    try {
      return this.#session.run({ limit });
    } catch (error) {
      if (!(error instanceof RunLimitError)) throw error;
      this.#wasStopped = true;
      return error.result;
    }
  }

  #facts(): OracleFact[] {
    return this.#session.facts().map((fact, order) => ({ ...fact, order }));
  }

  /** Fires one match, and expects that its effects have the values that the brute-force matcher computes. */
  #fireOne(): string {
    const { checked } = this.#program;
    const world = new World(checked, this.#facts(), { clock: this.#session.clock, functions: NAIVE_FUNCTIONS });
    const { fired, effects } = this.#ran(1);
    const [firing] = fired;
    const decl = firing === undefined ? undefined : checked.symbols.rules.get(firing.rule)?.decl;
    if (firing === undefined || decl === undefined) return "nothing fires";
    let bindings = Bindings.none;
    for (const [name, bound] of Object.entries(firing.bindings)) {
      const isLive = typeof bound === "string" && world.get(bound) !== undefined;
      bindings = bindings.with(name, isLive ? { fact: bound } : { value: bound });
    }
    const calls = decl.body.actions.filter((action) => action.kind === "call" && EFFECTS.has(action.name.name));
    const told = `fires ${firing.rule} with ${JSON.stringify(firing.bindings)}`;
    for (const [at, call] of calls.entries()) {
      const args = call.kind === "call" ? call.args : [];
      const expected = args.map((arg) => evaluate(arg, { world, bindings }));
      expect(effects[at]?.args.slice(0, args.length), [...this.#told, told].join("\n")).toEqual(expected);
      seen.effects += 1;
    }
    return told;
  }

  #advance(): string {
    const day = DAYS.find((one) => this.#session.clock === undefined || one > this.#session.clock);
    if (day === undefined) return "no day is left";
    this.#session.advance(day);
    return `advance ${day}`;
  }

  #restore(): string {
    const from = throughJson(this.#session.snapshot());
    this.#session = this.#program.session({ ...this.#open, from });
    return "restore";
  }

  #extend(step: number): string {
    const rule = wholeRule(this.#random, `more${step}`);
    this.#program = this.#program.extend(rule);
    this.#session.reload(this.#program);
    return rule;
  }

  #change(step: number): string {
    const known = this.#session.facts().filter(({ type }) => type === "A" || type === "B");
    const fact = known.length === 0 ? undefined : pick(this.#random, known);
    const type = fact !== undefined && (fact.type === "A" || fact.type === "B") ? fact.type : "A";
    const roll = below(this.#random, 6);
    if (fact !== undefined && roll === 0) {
      this.#session.retract(fact.id);
      return `retract ${fact.id}`;
    }
    if (fact !== undefined && roll < 4) {
      const fields = wholeFields(this.#random, type);
      this.#session.update(fact.id, fields);
      return `update ${fact.id} ${JSON.stringify(fields)}`;
    }
    const made = pick(this.#random, ["A", "B", "B"] as const);
    const fields = Object.fromEntries(
      Object.entries(wholeFields(this.#random, made)).filter(([, value]) => value !== null),
    );
    this.#session.assert(made, { id: 10 + step, ...fields });
    return `assert ${made} ${JSON.stringify(fields)}`;
  }

  #compare(): void {
    const { checked } = this.#program;
    const expected = naiveTexts(checked, { facts: this.#facts() }, this.#session.clock, NAIVE_FUNCTIONS);
    const active = new Map([...expected].filter(([rule]) => !isDisabled(this.#program, rule)));
    if ([...active.values()].some((texts) => texts.length > 0)) seen.matches += 1;
    expectSame(active, engineTexts(this.#session, active.keys()), () => this.#told.join("\n"));
  }

  /** What judges say depends on the facts and the clock alone. */
  #compareJudges(): void {
    seen.judged += 1;
    const fresh = this.#program.session({ functions: FUNCTIONS, facts: "none" });
    if (this.#session.clock !== undefined) fresh.advance(this.#session.clock);
    fresh.batch(() => {
      for (const { type, fields } of this.#session.facts()) {
        if (["A", "Rate"].includes(type)) fresh.assert(type, fields, { role: "policy" });
      }
      for (const { type, fields } of this.#session.facts("B")) fresh.assert(type, fields);
    });
    const where = this.#told.join("\n");
    expect(judged(this.#session), where).toEqual(judged(fresh));
  }

  /** What the engine writes stays; the rest goes, and what depended on it. */
  #empty(): void {
    for (const { id, type } of this.#session.facts()) {
      const isThere = this.#session.fact(id) !== undefined;
      if (isThere && !ENGINE_TYPES.has(type)) this.#session.retract(id, { role: "policy" });
    }
    this.#told.push("retract all");
    this.#compare();
    expect(this.#session.counters().logicalFacts, this.#told.join("\n")).toBe(0);
  }
}

function isDisabled(program: Program, rule: string): boolean {
  const attributes = program.checked.symbols.rules.get(rule)?.decl.attributes ?? [];
  return attributes.some(({ kind }) => kind === "disabled");
}

function judged(session: Session): readonly unknown[] {
  const about = session
    .facts("A")
    .map(({ id }) => id)
    .sort();
  return [
    session.gate("all_clear").outcome,
    ...about.map((id) => {
      const { verdict, reasons } = session.verdict("v", id);
      return [id, session.gate("g", id).outcome, verdict, reasons];
    }),
  ];
}

/** Tries so many histories; throws at the first difference. */
export function tryWhole(random: Random, cases: number): void {
  for (let at = 0; at < cases; at += HISTORIES) {
    const text = wholeProgram(random);
    const program = compile(text, WHOLE_OPTIONS);
    for (let history = 0; history < HISTORIES; history++) new Player(random, program, text).play();
  }
}
