/** The requirement of a gate as a search reads it: its parts, and the test, evidence and bindings of each leaf. */
import type { GateAnswer } from "../../base/answers.ts";
import type * as ast from "../../language/ast.ts";
import { writtenOut } from "./written-out.ts";
import { type ConditionUse, conditionsIn } from "../../language/check/condition-uses.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import type { FactView } from "../../session/results.ts";
import { type Bound, Chosen } from "../read/chosen.ts";
import { evaluate } from "../read/evaluate.ts";
import { type Part, type PatternPart, patternPart } from "../read/parts.ts";
import type { World } from "../read/world.ts";

/** A leaf of the requirement: its test, the evidence that is tested, and the bindings of its names. */
export interface LeafTest {
  readonly test: ast.Expr;
  readonly evidence: PatternPart | undefined;
  readonly start: Chosen;
}

/** A part of the requirement as it is written, and what its variables stand for. */
export interface Written {
  readonly expr: ast.Expr;
  readonly within: Chosen;
}

export class Requirement {
  readonly #program: CheckedProgram;
  readonly #required: ast.Expr;
  /** The binding of the variable after `for`. */
  readonly subject: Chosen;

  constructor(program: CheckedProgram, required: ast.Expr, subject: Chosen) {
    this.#program = program;
    this.#required = required;
    this.subject = subject;
  }

  get whole(): Written {
    return this.written(this.#required);
  }

  /** Returns a part of the requirement as it is written, about the subject. */
  written(expr: ast.Expr): Written {
    return { expr, within: this.subject };
  }

  /** Returns the condition of a population about one of its facts. */
  askedOf({ pattern, test }: ast.FactQuorumExpr, fact: FactView): Written {
    return { expr: test, within: this.subject.with(undefined, pattern.variable?.name ?? null, { fact }) };
  }

  /** Returns the quorum whose test is a condition about each fact of a population; undefined for other parts. */
  populationOf(expr: ast.Expr): ast.FactQuorumExpr | undefined {
    return expr.kind === "fact-quorum" && this.#conditionOf(expr.test) !== undefined ? expr : undefined;
  }

  /** Yields the leaves of the requirement, and for a population also the condition about each fact that could be in it. */
  *leaves(world: World): Iterable<Written> {
    for (const expr of leavesOf(this.#required)) {
      yield this.written(expr);
      const population = this.populationOf(expr);
      if (population === undefined) continue;
      for (const fact of world.ofType(population.pattern.type.name)) yield this.askedOf(population, fact);
    }
  }

  testOf({ expr, within }: Written, world: World): LeafTest {
    const start = within.in(world);
    if (expr.kind === "fact-quorum") return { test: expr.test, evidence: patternPart(expr.pattern), start };
    const condition = this.#conditionOf(expr);
    if (condition === undefined) return { test: expr, evidence: undefined, start };
    const args = expr.kind === "call" ? expr.args : [];
    let params = Chosen.nothing;
    for (const [index, param] of condition.params.entries()) {
      const bound = boundOf(args[index] ?? param.default, start, world);
      if (bound !== undefined) params = params.with(undefined, param.name.name, bound);
    }
    const { test, evidence } = condition;
    return { test, evidence: evidence === null ? undefined : patternPart(evidence.pattern), start: params };
  }

  /** Returns the condition that an expression asks; undefined for a test. */
  #conditionOf(expr: ast.Expr): ast.ConditionDecl | undefined {
    return this.#program.conditionUses.get(expr as ConditionUse)?.decl;
  }
}

export function subjectOf(decl: ast.GateDecl, { subject }: GateAnswer, world: World): Chosen {
  const fact = subject === null ? undefined : world.get(subject);
  const name = decl.subject?.variable?.name;
  return fact === undefined || name === undefined ? Chosen.nothing : Chosen.nothing.with(undefined, name, { fact });
}

/** Returns the requirement and the conditions that it uses. */
export function nodesOf(required: ast.Expr, program: CheckedProgram): readonly unknown[] {
  return [required, ...conditionsIn(required, program.conditionUses)].map((node) => writtenOut(node, program));
}

/** Returns the fact or value of an argument. */
function boundOf(arg: ast.Value | null | undefined, chosen: Chosen, world: World): Bound | undefined {
  if (arg === null || arg === undefined) return undefined;
  const value = evaluate(arg, { world, chosen, ownFact: undefined });
  const fact: FactView | undefined = typeof value === "string" && arg.kind === "path" ? world.get(value) : undefined;
  if (fact !== undefined) return { fact };
  return value === undefined ? undefined : { value };
}

export function itemsOf(expr: ast.Expr): readonly ast.Expr[] {
  if (expr.kind === "not") return [expr.operand];
  return expr.kind === "logic" || expr.kind === "quorum" ? expr.items : [];
}

function leavesOf(expr: ast.Expr): ast.Expr[] {
  const items = itemsOf(expr);
  return items.length === 0 ? [expr] : items.flatMap(leavesOf);
}

/** Returns everything that a leaf reads, as one part. */
export function partRead({ test, evidence }: LeafTest): Part {
  return evidence === undefined ? { kind: "where", test, slash: false } : anyOf(evidence, test);
}

/** Returns a part that covers all possible evidence, with everything that the test reads. */
function anyOf(evidence: PatternPart, test: ast.Expr): Part {
  const elements = evidence.element === undefined ? [] : [evidence.element];
  const element = { kind: "absence", quantifier: "exists", elements, span: test.span } as const;
  return { kind: "absence", quantifier: "exists", parts: [{ ...evidence, tests: [...evidence.tests, test] }], element };
}

export function opposite(test: ast.Expr): ast.Expr {
  return test.kind === "not" ? test.operand : { kind: "not", operand: test, span: test.span };
}
