/** Calls of functions: those that are computed in the language, those of the host, and the built-in ones. */
import { callHost, missingFunctionWords } from "../../base/host-call.ts";
import type { Maybe } from "../../base/value.ts";
import { calledFunction } from "../../functions/functions.ts";
import type * as ast from "../../language/ast.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import type { ComputedFunction } from "../../language/check/symbols.ts";
import { passedTo } from "../../language/passed.ts";
import { Chosen } from "./chosen.ts";
import { failureWords, recordFailure, withFailure } from "./failure.ts";
import type { Evaluate, EvaluationScope } from "./scope.ts";
import { argumentsInside, resultOutside } from "./times.ts";

/** Returns the function of a call; undefined for a built-in one, one of the host, and for what is no call. */
export function computedCall({ symbols }: CheckedProgram, expr: ast.Value): ComputedFunction | undefined {
  return expr.kind === "call" ? symbols.computedFunction(expr.name.name) : undefined;
}

/**
 * Calls a function. A host function that fails is unknown; it is not called with an argument that is missing, failed or
 * of another type.
 */
export function callValue(expr: ast.CallExpr, scope: EvaluationScope, evaluate: Evaluate): Maybe {
  const { name } = expr.name;
  const { functions, program } = scope.world.context;
  const computed = computedCall(program, expr);
  if (computed !== undefined) return evaluate(computed.body, insideFunction(expr, computed, scope));
  const known = program.symbols.functionName(name);
  const host = functions.get(known);
  if (host === undefined && known === "coalesce") return coalesce(expr.args, scope, evaluate);
  const { calls } = scope.world;
  const before = calls.failed;
  const args = valuesPassed(expr, scope, evaluate);
  if (host === undefined) return builtIn(known, args, scope);
  const signature = program.symbols.function(name);
  if (calls.failed !== before || signature === undefined) return undefined;
  if (typeof (host as unknown) !== "function")
    return recordFailure(failureWords(name, args, missingFunctionWords(host)), scope);
  return callHost(host, signature, args, (how) => recordFailure(failureWords(name, args, how), scope));
}

/** Returns the bindings that the expression of a function is evaluated with. */
export function insideFunction(
  { args }: ast.CallExpr,
  { params }: ComputedFunction,
  scope: EvaluationScope,
): EvaluationScope {
  const passed = params.flatMap(({ name, default: otherwise }, index) => {
    const value = args[index] ?? otherwise;
    return value === null ? [] : [[name.name, { value, scope }] as const];
  });
  return { world: scope.world, chosen: Chosen.nothing, ownFact: undefined, passed: new Map(passed) };
}

/** Returns the arguments of a call, with the defaults of parameters that it leaves out. */
function valuesPassed({ name, args }: ast.CallExpr, scope: EvaluationScope, evaluate: Evaluate): Maybe[] {
  const declared = scope.world.context.program.symbols.declaredFunction(name.name);
  const passed = declared === undefined ? args : passedTo(declared.params, args);
  return passed.map((arg) => (arg === null ? undefined : evaluate(arg, scope)));
}

/** Computes a built-in function; a function of the program that the host did not pass in has failed. */
function builtIn(name: string, args: readonly Maybe[], scope: EvaluationScope): Maybe {
  const entry = calledFunction(name);
  if (entry === undefined) return recordFailure(failureWords(name, args, missingFunctionWords(undefined)), scope);
  const inside = argumentsInside(name, args);
  const value = entry.compute(...inside);
  const refusal = value === undefined ? entry.refuses?.(inside) : undefined;
  return refusal === undefined
    ? resultOutside(name, value)
    : recordFailure(failureWords(name, args, refusal.how), scope);
}

function coalesce(args: readonly ast.Value[], scope: EvaluationScope, evaluate: Evaluate): Maybe {
  for (const arg of args) {
    const { value, failure } = withFailure(scope, () => evaluate(arg, scope));
    if (value !== undefined || failure !== undefined) return value;
  }
  return undefined;
}
