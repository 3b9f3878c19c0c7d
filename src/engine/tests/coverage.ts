/**
 * What tests never tried: rules that never fired, terms of alpha nodes that were not both true and false, and outcomes that
 * gates never had.
 *
 * A term is one comparison of a test; AND, OR and NOT are taken apart. It is looked at with every fact of its type that
 * the tests meet, whether or not the fact came as far as the node.
 */
import { Clock } from "../../rete/clock.ts";
import { timeNumbers } from "../../base/time.ts";
import { canonicalText } from "../../plan/read/canonical.ts";
import { compileExpr } from "../../assemble/expression.ts";
import type { Evaluate, Scope } from "../../assemble/scope.ts";
import { decisionTables } from "../../assemble/tables.ts";
import { JudgeQueries } from "../../assemble/gate-queries.ts";
import { NO_JUDGES } from "../../assemble/judges.ts";
import type { PureFunction } from "../../functions/built-in.ts";
import type { PlanExpr } from "../../plan/plan.ts";
import { Fact } from "../../rete/fact.ts";
import type { GateAnswer } from "../../base/answers.ts";
import type { FactEvent, Fired } from "../../session/results.ts";
import { declaredLayouts, Shapes } from "../../session/admission/shapes.ts";
import type { Program } from "../program.ts";
import type { Session } from "../session.ts";
import type { Coverage } from "./report.ts";

interface Term {
  readonly type: string;
  readonly text: string;
  readonly rules: Set<string>;
  readonly evaluate: Evaluate;
  seenTrue: boolean;
  seenFalse: boolean;
}

const OUTCOMES = ["pass", "hold", "fail"] as const;

export class CoverageWatch {
  readonly #program: Program;
  readonly #shapes: Shapes;
  readonly #functions: Map<string, PureFunction>;
  readonly #terms = new Map<string, Term>();
  readonly #fired = new Set<string>();
  readonly #reached = new Set<string>();

  constructor(program: Program, functions: Readonly<Record<string, PureFunction>>) {
    this.#program = program;
    this.#shapes = new Shapes(declaredLayouts(program.data().schema));
    const own = (this.#functions = new Map(Object.entries(functions)));
    const site = {
      functions: own,
      clock: new Clock(),
      facts: { get: () => undefined, facts: () => [], count: () => 0 },
      gates: new JudgeQueries({ refreshed: () => NO_JUDGES }),
    };
    const scope: Scope = {
      matchLevel: -1,
      factLevel: 0,
      shapes: this.#shapes,
      functions: own,
      regex: program.regex,
      table: decisionTables(program.network()),
      site: () => site,
      failed: () => undefined,
      failures: () => 0,
      dividedByZero: () => {},
      tooLong: () => {},
    };
    const { nodes, rules } = program.network();
    // Which gate a reaction belongs to is no test of the author: one of the only gate could never be false.
    const reactions = new Set(rules.flatMap(({ name, reaction }) => (reaction === true ? [name] : [])));
    for (const node of nodes) {
      const asking = node.kind === "alpha" ? node.rules.filter((rule) => !reactions.has(rule)) : [];
      if (node.kind !== "alpha" || asking.length === 0) continue;
      for (const leaf of leavesOf(node.test)) this.#add(node.type, leaf, asking, scope);
    }
  }

  /** Takes the functions of the host of the next test. */
  calls(functions: Readonly<Record<string, PureFunction>>): void {
    this.#functions.clear();
    for (const [name, one] of Object.entries(functions)) this.#functions.set(name, one);
  }

  /** Looks at every fact that comes or changes in a session. */
  follow(session: Session): void {
    session.on("fact", (event) => {
      if (event.op !== "retract") this.#look(event);
    });
  }

  fired(fired: readonly Fired[]): void {
    for (const { rule } of fired) this.#fired.add(rule);
  }

  reached(answers: readonly GateAnswer[]): void {
    for (const { gate, outcome } of answers) this.#reached.add(JSON.stringify([gate, outcome]));
  }

  coverage(): Coverage {
    const outcomes = [...this.#program.checked.symbols.gates.values()].flatMap(({ decl }) =>
      OUTCOMES.map((outcome) => ({ gate: decl.name.name, outcome })),
    );
    const rules = this.#program.network().rules.map(({ name }) => name);
    const terms = [...this.#terms.values()];
    return {
      rules: rules.length,
      neverFired: rules.filter((name) => !this.#fired.has(name)),
      terms: terms.length,
      halfTested: terms
        .filter((term) => !term.seenTrue || !term.seenFalse)
        .map(({ type, text, rules, seenTrue, seenFalse }) => ({
          type,
          term: text,
          rules: [...rules],
          seenTrue,
          seenFalse,
        })),
      outcomes: outcomes.length,
      neverReached: outcomes.filter(({ gate, outcome }) => !this.#reached.has(JSON.stringify([gate, outcome]))),
    };
  }

  #add(type: string, leaf: PlanExpr, rules: readonly string[], scope: Scope): void {
    const text = canonicalText(leaf);
    const key = JSON.stringify([type, text]);
    const term = this.#terms.get(key) ?? {
      type,
      text,
      rules: new Set<string>(),
      evaluate: compileExpr(leaf, scope),
      seenTrue: false,
      seenFalse: false,
    };
    for (const rule of rules) term.rules.add(rule);
    this.#terms.set(key, term);
  }

  #look({ id, type, fields }: FactEvent): void {
    const shape = this.#shapes.of(type);
    const values: Fact["values"] = [];
    for (const [name, value] of Object.entries(fields)) {
      const slot = shape.slot(name);
      const kind = shape.times?.[slot];
      values[slot] = kind === undefined ? value : timeNumbers(kind, value);
    }
    const fact = new Fact(id, shape, values, 0, 0);
    for (const term of this.#terms.values()) {
      if (term.type !== type) continue;
      const value = term.evaluate(undefined, fact);
      if (value === true) term.seenTrue = true;
      else if (value === false) term.seenFalse = true;
    }
  }
}

function leavesOf(test: PlanExpr): PlanExpr[] {
  if (test.op === "and" || test.op === "or") return test.items.flatMap(leavesOf);
  return test.op === "not" ? leavesOf(test.of) : [test];
}
