/**
 * Conditions inside tests, read from the tree: their parameters stand for what is passed, and their evidence is judged, wherever
 * they are used.
 */
import type { Truth } from "../../base/truth.ts";
import { type Maybe, order } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { ConditionUse, DeclaredCondition } from "../../language/check/condition-uses.ts";
import { forEachNode } from "../../language/walk.ts";
import { type Bound, Chosen, chosenFor } from "./chosen.ts";
import { evaluate, truth } from "./evaluate.ts";
import type { EvaluationScope } from "./scope.ts";
import { type Finding, findings, isConstant } from "./judge.ts";
import { compared, timeKind } from "./times.ts";
import { patternPart, type PatternPart } from "./parts.ts";

/** A condition as one test uses it. */
export interface AskedCondition {
  readonly condition: DeclaredCondition;
  /** The bindings of its parameters, in a world that judges. */
  readonly scope: EvaluationScope;
}

/** Returns the condition that an expression uses; undefined when it is none. */
export function askedCondition(expr: ast.Value, scope: EvaluationScope): AskedCondition | undefined {
  if (expr.kind !== "call" && expr.kind !== "path") return undefined;
  const condition = scope.world.context.program.conditionUses.get(expr);
  return condition === undefined ? undefined : { condition, scope: insideOf(expr, condition, scope) };
}

function insideOf(use: ConditionUse, { decl }: DeclaredCondition, scope: EvaluationScope): EvaluationScope {
  const args = use.kind === "call" ? use.args : [];
  let chosen = Chosen.nothing;
  for (const [index, param] of decl.params.entries()) {
    const arg = args[index] ?? param.default;
    const bound = arg === null ? undefined : boundTo(arg, param, scope);
    if (bound !== undefined) chosen = chosen.with(undefined, param.name.name, bound);
  }
  return { world: scope.world.judging(true), chosen, ownFact: undefined };
}

function boundTo(arg: ast.Value, param: ast.FieldDecl, scope: EvaluationScope): Bound | undefined {
  const value = evaluate(arg, scope);
  if (value === undefined) return undefined;
  if (!dependsOnFacts(arg, scope)) return { value, constant: true };
  const isFact = param.type.kind === "named" && !PLAIN.has(param.type.name);
  const fact = isFact && typeof value === "string" ? scope.world.get(value) : undefined;
  return fact === undefined ? { value } : { fact };
}

const PLAIN: ReadonlySet<string> = new Set([
  "string",
  "number",
  "bool",
  "boolean",
  "any",
  "date",
  "instant",
  "duration",
]);

/** Returns whether a value depends on a fact; an equality with another value is no key by which facts are looked up. */
function dependsOnFacts(value: ast.Value, { world, chosen }: EvaluationScope): boolean {
  let depends = false;
  forEachNode(value, (node) => {
    if (node["kind"] !== "path") return;
    const path = node as unknown as ast.PathExpr;
    const resolution = world.context.program.resolutions.get(path);
    if (resolution === "variable") depends ||= !isConstant(chosen.get(path.root.name));
    else depends ||= resolution === "own-field" || (resolution === "fact" && path.fields.length > 0);
  });
  return depends;
}

/** Returns the truth of a condition. */
export function conditionTruth({ condition: { decl }, scope }: AskedCondition): Truth {
  const { evidence, test } = decl;
  return evidence === null ? truth(test, scope) : truthOfPieces(evidence, piecesOf(decl, evidence, scope));
}

// ---------------------------------------------------------------- evidence

/** A fact that is or may be evidence, or a gap, where it cannot be told which facts to look for. */
export interface Piece {
  readonly finding: Finding;
  readonly part: PatternPart;
  readonly code: Truth;
  readonly by: Maybe;
  readonly per: Maybe;
}

const evidenceParts = new WeakMap<ast.Evidence, PatternPart>();

/** Returns the pattern of the evidence. */
export function evidencePart(evidence: ast.Evidence): PatternPart {
  let part = evidenceParts.get(evidence);
  if (part === undefined) evidenceParts.set(evidence, (part = patternPart(evidence.pattern)));
  return part;
}

/** Returns what is found for a condition. */
export function piecesOf({ test }: ast.ConditionDecl, evidence: ast.Evidence, scope: EvaluationScope): Piece[] {
  const part = evidencePart(evidence);
  const { world } = scope;
  return [...findings([part], world, scope.chosen)].map((finding) => {
    if (finding.gap !== undefined) return { finding, part, code: undefined, by: undefined, per: undefined };
    const inside = { world, chosen: finding.chosen, ownFact: chosenFor(finding.chosen, part) };
    const of = (path: ast.PathExpr | null): Maybe => (path === null ? undefined : evaluate(path, inside));
    const code = finding.sure ? truth(test, inside) : undefined;
    const [by] = compared(timeKind(world.context.program, evidence.by), of(evidence.by), undefined);
    return { finding, part, code, by, per: of(evidence.per) };
  });
}

function truthOfPieces({ mode, per }: ast.Evidence, pieces: readonly Piece[]): Truth {
  if (pieces.length === 0 || pieces.some(({ finding }) => finding.gap !== undefined && finding.open === undefined))
    return undefined;
  const codes = pieces.map(({ code }) => code);
  switch (mode) {
    case "agree":
      return unanimous(codes);
    case "any":
      return some(codes);
    case "every":
      return every(codes);
    case "latest":
      return per === null ? newest(pieces) : ofGroups(pieces, unanimous);
    case "any latest":
      return ofGroups(pieces, some);
    case "every latest":
      return ofGroups(pieces, every);
  }
}

function some(codes: readonly Truth[]): Truth {
  return codes.includes(true) ? true : codes.includes(undefined) ? undefined : false;
}

function every(codes: readonly Truth[]): Truth {
  return codes.includes(false) ? false : codes.includes(undefined) ? undefined : true;
}

function unanimous(codes: readonly Truth[]): Truth {
  return codes.every((code) => code === codes[0]) ? codes[0] : undefined;
}

/** Returns the value of the newest pieces; unknown when one of them cannot be ordered among the others. */
function newest(pieces: readonly Piece[]): Truth {
  const isOrdered = pieces.every(({ by }) => order(by, pieces[0]?.by) !== undefined);
  if (!isOrdered) return undefined;
  const last = pieces.reduce((best, piece) => ((order(piece.by, best.by) ?? 0) > 0 ? piece : best));
  return unanimous(pieces.filter(({ by }) => order(by, last.by) === 0).map(({ code }) => code));
}

function ofGroups(pieces: readonly Piece[], combine: (codes: readonly Truth[]) => Truth): Truth {
  if (pieces.some(({ per }) => per === undefined)) return undefined;
  const groups = Map.groupBy(pieces, ({ per }) => JSON.stringify(per));
  return combine([...groups.values()].map(newest));
}
