/**
 * Finds the results that a test can have, from the bounds of its values.
 *
 * A value is only ever compared with constants, so all values between two neighbouring constants give the same results: a test is
 * evaluated for one value of each region, for every combination of its values, and for values that are missing or unknown. What is
 * not understood here can be true, false and unknown. Values are taken for independent of each other, so a result may be listed that
 * never occurs, but none that occurs is left out.
 */
import { compareBy, type Comparator, holdsFor } from "../../../base/comparator.ts";
import { not, type Truth } from "../../../base/truth.ts";
import type { Maybe, Value } from "../../../base/value.ts";
import type { BuiltInFunction } from "../../../functions/built-in.ts";
import { FUNCTIONS } from "../../../functions/functions.ts";
import type * as ast from "../../ast.ts";
import type { Context } from "../context.ts";
import { checkedPath } from "../paths.ts";
import { MISSING, type Sample, samplesOf } from "./samples.ts";

/** The most combinations of values for which one test is evaluated; a test with more of them is not judged. */
const MOST_COMBINATIONS = 4096;

/** The results that a test can have. */
export interface Results {
  readonly canBeTrue: boolean;
  readonly canBeFalse: boolean;
}

const ANYTHING: Results = { canBeTrue: true, canBeFalse: true };

type Read<Result> = (samples: readonly Sample[]) => Result;

/** Something that a test depends on: its key, and the constants that it is compared with. */
interface Unknown {
  readonly at: number;
  readonly samples: (constants: readonly Value[]) => readonly Sample[];
  readonly constants: Value[];
}

/** A value of a test: a constant, or something unknown. */
type Operand =
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "unknown"; readonly key: string; readonly unknown: Unknown };

/** Tests that are judged together: what they read has one value. `own` names the fact whose fields bare names are. */
export class Judgement {
  readonly #cx: Context;
  readonly #unknowns = new Map<string, Unknown>();
  #fresh = 0;

  constructor(cx: Context) {
    this.#cx = cx;
  }

  /** Returns what a test depends on. */
  keys(): ReadonlySet<string> {
    return new Set(this.#unknowns.keys());
  }

  /** Returns a test as a function of samples. */
  read(test: ast.Expr, own: string): Read<Truth> {
    switch (test.kind) {
      case "bool":
        return () => test.value;
      case "not": {
        const operand = this.read(test.operand, own);
        return (samples) => not(operand(samples));
      }
      case "logic":
        return combined(
          test.items.map((item) => this.read(item, own)),
          test.op === "or",
        );
      case "compare":
        return this.#comparison(test.op, test.left, test.right, own);
      case "in":
        return this.#membership(test, own);
      case "contains":
        if (!isEmptyList(this.#cx, test.right) || (!test.any && test.all !== true)) return this.#anything();
        return this.#oneOf([!test.any, undefined]);
      case "presence":
        return this.#presence(test, own);
      case "path":
        return this.#bare(test, own);
      default:
        return this.#anything();
    }
  }

  /** Returns the results of a test, which was read here. */
  results(test: Read<Truth>): Results {
    const columns = [...this.#unknowns.values()].map(({ samples, constants }) => samples(constants));
    if (columns.reduce((product, { length }) => product * length, 1) > MOST_COMBINATIONS) return ANYTHING;
    let canBeTrue = false;
    let canBeFalse = false;
    for (const row of combinations(columns)) {
      const truth = test(row);
      if (truth === true) canBeTrue = true;
      else if (truth === false) canBeFalse = true;
      if (canBeTrue && canBeFalse) break;
    }
    return { canBeTrue, canBeFalse };
  }

  #comparison(op: Comparator, left: ast.Expr, right: ast.Expr, own: string): Read<Truth> {
    if (left.kind === "list" && right.kind === "list" && left.items.length !== right.items.length) {
      return this.#oneOf(op === "==" || op === "!=" ? [op === "!=", undefined] : [undefined]);
    }
    const a = this.#operand(left, own);
    const b = this.#operand(right, own);
    if (a === undefined || b === undefined) return this.#anything();
    // A comparison of constants can be a switch: somebody changes it there.
    if (a.kind === "constant" && b.kind === "constant" && [left, right].some((one) => one.kind === "path")) {
      return this.#anything();
    }
    if (a.kind === "constant" || b.kind === "constant" || a.key === b.key) {
      const first = reading(a);
      const second = reading(b);
      if (a.kind === "constant" && b.kind === "unknown") b.unknown.constants.push(a.value);
      if (b.kind === "constant" && a.kind === "unknown") a.unknown.constants.push(b.value);
      return (samples) => compared(op, first(samples), second(samples));
    }
    return this.#relation(op, a.key, b.key);
  }

  /** Returns a comparison of two values of which only their order matters. */
  #relation(op: Comparator, left: string, right: string): Read<Truth> {
    const swapped = left > right;
    const [first, second] = swapped ? [right, left] : [left, right];
    const { at } = this.#unknown(`${first} with ${second}`, () => RELATIONS);
    return (samples) => {
      const relation = samples[at];
      if (relation === undefined) return undefined;
      if (relation === "apart") return op === "==" ? false : op === "!=" ? true : undefined;
      return holdsFor(op, swapped ? -Number(relation) : Number(relation));
    };
  }

  #membership({ left, right, negated }: ast.InExpr, own: string): Read<Truth> {
    const inside = this.#inside(left, right, own);
    return negated ? (samples) => not(inside(samples)) : inside;
  }

  #inside(left: ast.Expr, right: ast.InExpr["right"], own: string): Read<Truth> {
    if (right.kind === "range") {
      const ends = [
        this.#comparison(">=", left, right.from, own),
        this.#comparison(right.open ? "<" : "<=", left, right.to, own),
      ];
      return combined(ends, false);
    }
    const items = itemsOf(this.#cx, right);
    const value = this.#operand(left, own);
    if (items === undefined || value === undefined) return this.#anything();
    if (value.kind === "constant" && [left, right].some((one) => one.kind === "path")) return this.#anything();
    if (value.kind === "unknown") value.unknown.constants.push(...items);
    const read = reading(value);
    return (samples) => {
      const found = read(samples);
      const results = items.map((item) => compared("==", found, item));
      return results.includes(true) ? true : results.includes(undefined) ? undefined : false;
    };
  }

  #presence({ operand, missing }: ast.PresenceExpr, own: string): Read<Truth> {
    const value = operand.kind === "path" ? this.#operand(operand, own) : undefined;
    if (value?.kind !== "unknown") return this.#anything();
    const { at } = value.unknown;
    return (samples) => {
      const sample = samples[at];
      return sample === undefined ? undefined : (sample === MISSING) === missing;
    };
  }

  /** Returns a field that is a test by itself. What is not known to be a truth value is compared with nothing. */
  #bare(path: ast.PathExpr, own: string): Read<Truth> {
    if (checkedPath(path)?.type.kind !== "bool") return this.#anything(keyOf(this.#cx, path, own));
    const value = this.#operand(path, own);
    if (value?.kind !== "unknown") return this.#anything();
    const { at } = value.unknown;
    return (samples) => (typeof samples[at] === "boolean" ? samples[at] : undefined);
  }

  #operand(expr: ast.Expr, own: string): Operand | undefined {
    const constant = constantOf(this.#cx, expr) ?? itemsOf(this.#cx, expr);
    if (constant !== undefined) return { kind: "constant", value: constant };
    const key = keyOf(this.#cx, expr, own);
    if (key === undefined) return undefined;
    const { type, required = false } = (expr.kind === "path" ? checkedPath(expr) : undefined) ?? {};
    const of = { type, required, result: expr.kind === "call" ? builtInOf(this.#cx, expr) : undefined };
    const unknown = this.#unknown(`value ${key}`, (constants) => samplesOf(of, constants));
    return { kind: "unknown", key, unknown };
  }

  /** Returns a test that can be true, false and unknown. With a key, it has the same result wherever it is written. */
  #anything(key?: string): Read<Truth> {
    return this.#oneOf([true, false, undefined], key);
  }

  #oneOf(results: readonly Truth[], key?: string): Read<Truth> {
    this.#fresh += 1;
    const { at } = this.#unknown(key === undefined ? `test ${this.#fresh}` : `test of ${key}`, () => results);
    return (samples) => samples[at] as Truth;
  }

  #unknown(key: string, samples: Unknown["samples"]): Unknown {
    const known = this.#unknowns.get(key);
    if (known !== undefined) return known;
    const made = { at: this.#unknowns.size, samples, constants: [] };
    this.#unknowns.set(key, made);
    return made;
  }
}

/** The ways in which two values can relate: below, equal, above, different without an order, and unknown. */
const RELATIONS: readonly Sample[] = [-1, 0, 1, "apart", undefined];

function reading(operand: Operand): Read<Maybe> {
  if (operand.kind === "constant") return () => operand.value;
  const { at } = operand.unknown;
  return (samples) => {
    const sample = samples[at];
    return sample === MISSING ? undefined : sample;
  };
}

/** Returns `and` or `or` in Kleene's logic; `decisive` is the result that decides alone. */
function combined(items: readonly Read<Truth>[], decisive: boolean): Read<Truth> {
  return (samples) => {
    let result: Truth = !decisive;
    for (const item of items) {
      const truth = item(samples);
      if (truth === decisive) return decisive;
      if (truth === undefined) result = undefined;
    }
    return result;
  };
}

/** Returns the truth of a comparison. Infinity, which stands for all large numbers, has no difference to itself. */
export function compared(op: Comparator, a: Maybe, b: Maybe): Truth {
  return a === b && typeof a === "number" ? holdsFor(op, 0) : compareBy(op, a, b);
}

/** Yields every combination of one sample of each column. */
function* combinations(columns: readonly (readonly Sample[])[]): Generator<readonly Sample[]> {
  const at = columns.map(() => 0);
  const row = columns.map((column) => column[0]);
  if (columns.some((column) => column.length === 0)) return;
  for (;;) {
    yield row;
    let index = columns.length - 1;
    while (index >= 0) {
      const column = columns[index] ?? [];
      const next = (at[index] ?? 0) + 1;
      at[index] = next < column.length ? next : 0;
      row[index] = column[at[index] ?? 0];
      if (next < column.length) break;
      index -= 1;
    }
    if (index < 0) return;
  }
}

// ---------------------------------------------------------------- values of the program

/** Returns the value of a literal, or of a constant; undefined when it is not plain, and for a parameter, whose value can change. */
export function constantOf(cx: Context, expr: ast.Value): Value | undefined {
  switch (expr.kind) {
    case "text":
    case "number":
    case "bool":
    case "time":
      return expr.value;
    case "amount":
      return expr.of === "duration" ? expr.value : undefined;
    case "negate": {
      const value = constantOf(cx, expr.operand);
      return typeof value === "number" ? -value : undefined;
    }
    case "path":
      if (cx.resolutions.get(expr) === "word") return expr.root.name;
      return namedConstant(cx, expr);
    default:
      return undefined;
  }
}

function namedConstant(cx: Context, path: ast.PathExpr): Value | undefined {
  const { value, spelling } = constDecl(cx, path) ?? {};
  if (value === undefined || spelling === "param" || value.kind === "path") return undefined;
  return constantOf(cx, value);
}

function constDecl(cx: Context, path: ast.PathExpr): ast.ConstDecl | undefined {
  if (cx.resolutions.get(path) !== "constant" || path.fields.length > 0) return undefined;
  return cx.symbols.constants.get(path.root.name)?.decl;
}

/** Returns the items of a list of constants. */
function itemsOf(cx: Context, list: ast.Expr): Value[] | undefined {
  const written = list.kind === "path" ? constDecl(cx, list) : undefined;
  const value = written === undefined || written.spelling === "param" ? list : written.value;
  if (value.kind !== "list") return undefined;
  const items = value.items.map((item) => constantOf(cx, item));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function isEmptyList(cx: Context, list: ast.Expr): boolean {
  return itemsOf(cx, list)?.length === 0;
}

/** Returns the built-in function that is called. */
export function builtInOf(cx: Context, call: ast.CallExpr): BuiltInFunction | undefined {
  const name = cx.symbols.functionName(call.name.name);
  const builtIn = FUNCTIONS.get(name);
  return cx.symbols.function(name) === builtIn?.signature && !cx.conditionUses.has(call) ? builtIn : undefined;
}

/** Returns a text that two expressions share only if they have the same value; undefined when nothing is known of it. */
function keyOf(cx: Context, expr: ast.Value, own: string): string | undefined {
  const all = (kind: string, parts: readonly ast.Value[]): string | undefined => {
    const keys = parts.map((part) => keyOf(cx, part, own));
    return keys.includes(undefined) ? undefined : `${kind}(${keys.join(", ")})`;
  };
  const constant = constantOf(cx, expr);
  if (constant !== undefined) return JSON.stringify(constant);
  switch (expr.kind) {
    case "path":
      return pathKey(cx, expr, own);
    case "negate":
      return all("-", [expr.operand]);
    case "cast":
      return all(`as ${expr.to}`, [expr.operand]);
    case "chain":
      return all(expr.ops.join(" "), expr.items);
    case "call": {
      const builtIn = builtInOf(cx, expr);
      return builtIn === undefined ? undefined : all(`call ${builtIn.name}`, expr.args);
    }
    default:
      return undefined;
  }
}

/** Returns the key of a path. A bare field of the fact that a variable names is the same as that field of the variable. */
function pathKey({ resolutions }: Context, path: ast.PathExpr, own: string): string | undefined {
  const names = [path.root.name, ...path.fields.map(({ name }) => name)].join(".");
  const resolution = resolutions.get(path);
  switch (resolution) {
    case "own-field":
      return `${own}.${names}`;
    case "variable":
      return names;
    case "fact":
    case "constant":
    case "decision":
      return `${resolution} ${names}`;
    default:
      return undefined;
  }
}
