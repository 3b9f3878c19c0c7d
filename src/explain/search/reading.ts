/** The types, fields and constants that a question reads. A field that it does not read can have any value. */
import { isInRange, MINUTE, SECOND, type TimeKind, timeText } from "../../base/time.ts";
import { AGGREGATES, countsFacts } from "../../functions/aggregates.ts";
import type * as ast from "../../language/ast.ts";
import { conditionsIn } from "../../language/check/condition-uses.ts";
import { timePath, windowTime } from "../../language/check/within.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import { forEachNode } from "../../language/walk.ts";
import { solvedFor } from "./arithmetic.ts";
import { Owners } from "./owners.ts";
import { rowsOf } from "./table-rows.ts";
import { writtenOut } from "./written-out.ts";

export interface Reading {
  /** The types of its patterns, and those that their fields refer to. */
  readonly types: ReadonlySet<string>;
  /** The names of the fields that its tests read. */
  readonly fields: ReadonlySet<string>;
  /** The strings that stand in calls: arguments of conditions and functions. */
  readonly arguments: readonly string[];
  readonly numbers: readonly number[];
  /** The dates, instants and durations that it names, and those one day, second or minute beside them. */
  readonly times: Readonly<Record<TimeKind, readonly string[]>>;
  /** The numbers that each field is compared with, by `Type.field`. */
  readonly bounds: ReadonlyMap<string, readonly number[]>;
  /** The numbers that solve arithmetic with a field: 7 for `age * 3 == 21`. By `Type.field`. */
  readonly solutions: ReadonlyMap<string, readonly number[]>;
  /** The tests that read each field, by `Type.field`. */
  readonly tests: ReadonlyMap<string, readonly ast.Expr[]>;
  /** The types of the facts whose fields are read. */
  readonly owners: Owners;
}

/** Returns the tests that read a field of a type. */
export function testsOf(type: string, field: string, { tests }: Reading): readonly ast.Expr[] {
  return ofField(tests, type, field);
}

/** Returns what is known of a field of a type, and of fields of that name whose type is not known. */
export function ofField<Item>(all: ReadonlyMap<string, readonly Item[]>, type: string, field: string): readonly Item[] {
  return [...(all.get(`${type}.${field}`) ?? []), ...(all.get(`?.${field}`) ?? [])];
}

/** Returns what nodes read; constants and conditions count as if they were written there. */
export function readingOf(part: unknown, program: CheckedProgram): Reading {
  const nodes = [part, ...conditionsIn(part, program.conditionUses)].map((node) =>
    typeof node === "object" && node !== null ? writtenOut(node, program) : node,
  );
  const types = new Set<string>();
  const fields = new Set<string>();
  const texts = new Set<string>();
  const numbers = new Set<number>();
  const times = { date: new Set<string>(), instant: new Set<string>(), duration: new Set<string>() };
  const compared: ast.CompareExpr[] = [];
  const tests = new Map<string, ast.Expr[]>();
  const owners = new Owners(nodes, program);
  const visit = (found: Record<string, unknown>): void => {
    const node = found as unknown as ast.Expr | ast.Pattern | ast.SourceVar;
    if (node.kind === "pattern" || node.kind === "source") types.add(node.type.name);
    else if (node.kind === "within") fields.add(windowTime(program.symbols, node)?.field ?? "");
    else if (node.kind === "path") {
      if (program.resolutions.get(node) === "constant")
        forEachNode(program.symbols.constants.get(node.root.name)?.decl.value, visit);
      for (const name of fieldsOf(node, program)) fields.add(name);
    } else if (node.kind === "number" || node.kind === "negate") {
      const number = numberOf(node);
      if (number !== undefined) numbers.add(number);
    } else if (node.kind === "time" || node.kind === "amount") {
      if (node.of !== "months") for (const text of timesBeside(node.of, node.value)) times[node.of].add(text);
    } else if (node.kind === "compare") compared.push(node);
    else if (node.kind === "in" && node.right.kind === "range") compared.push(...endsOf(node.left, node.right));
    else if (node.kind === "call") {
      for (const arg of node.args) if (arg.kind === "text") texts.add(arg.value);
      const table = program.tables.uses.get(node);
      if (table !== undefined) forEachNode(rowsOf(table), visit);
    }
    const test = TESTS.has(node.kind) ? (node as ast.Expr) : aggregatedValue(found as unknown as ast.Element);
    if (test !== null) for (const name of fieldsRead(test, owners)) add(tests, name, test);
  };
  forEachNode(nodes, visit);
  addReferred(types, fields, program);
  const listed = { date: [...times.date], instant: [...times.instant], duration: [...times.duration] };
  return {
    types,
    fields,
    arguments: [...texts],
    numbers: [...numbers],
    times: listed,
    ...boundsOf(compared, owners),
    tests,
    owners,
  };
}

/** The nearest other value that people would write. */
const BESIDE: Readonly<Record<TimeKind, number>> = { date: 1, instant: SECOND, duration: MINUTE };

/** Returns a time and those beside it, as text. */
export function timesBeside(kind: TimeKind, value: number): string[] {
  const near = [value, value + BESIDE[kind], value - BESIDE[kind]].filter((one) => isInRange(kind, one));
  return near.map((one) => timeText(kind, one));
}

const TESTS: ReadonlySet<string> = new Set([
  "compare",
  "in",
  "contains",
  "like",
  "matches",
  "presence",
  "call",
  "within",
  "last",
]);

/** Returns the names of the fields that a path reads. */
function fieldsOf(path: ast.PathExpr, { resolutions }: CheckedProgram): string[] {
  const own = resolutions.get(path) === "own-field" ? [path.root.name] : [];
  return [...own, ...path.fields.map(({ name }) => name)];
}

/** Returns the last field of every path below a node, with its type. */
function fieldsRead(node: unknown, owners: Owners): ReadonlySet<string> {
  const found = new Set<string>();
  forEachNode(node, (one) => {
    const path = pathOf(one);
    for (const name of path === undefined ? [] : owners.lastFields(path)) found.add(name);
  });
  return found;
}

/** Returns a path, or that of the time which a window compares. */
function pathOf(node: Readonly<Record<string, unknown>>): ast.PathExpr | undefined {
  if (node["kind"] === "within") return timePath(node as unknown as ast.WithinExpr);
  return node["kind"] === "path" ? (node as unknown as ast.PathExpr) : undefined;
}

function numberOf(expr: ast.Value): number | undefined {
  if (expr.kind === "number") return expr.value;
  return expr.kind === "negate" && expr.operand.kind === "number" ? -expr.operand.value : undefined;
}

/** Returns the value that an aggregate computes with; null for a count, which reads none. */
function aggregatedValue(node: ast.Element): ast.Expr | null {
  return node.kind === "aggregate" && !countsFacts(node.fn.name) ? node.value : null;
}

function add<Item>(all: Map<string, Item[]>, name: string, item: Item): void {
  all.set(name, [...(all.get(name) ?? []), item]);
}

/** Returns a range as the two comparisons that it stands for. */
function endsOf(left: ast.Expr, { from, to, open, span }: ast.RangeExpr): ast.CompareExpr[] {
  return [
    { kind: "compare", op: ">=", left, right: from, span },
    { kind: "compare", op: open ? "<" : "<=", left, right: to, span },
  ];
}

/** Returns the numbers that fields are compared with, and those that solve arithmetic with them. */
function boundsOf(compared: readonly ast.CompareExpr[], owners: Owners): Pick<Reading, "bounds" | "solutions"> {
  const bounds = new Map<string, number[]>();
  const solutions = new Map<string, number[]>();
  for (const { left, right } of compared) {
    for (const [side, other] of [[left, right] as const, [right, left] as const]) {
      const bound = numberOf(other);
      if (bound === undefined || isTotal(side)) continue;
      if (side.kind !== "chain") for (const name of fieldsRead(side, owners)) add(bounds, name, bound);
      forEachNode(side, (node) => {
        const path = node as unknown as ast.PathExpr;
        const number = path.kind === "path" ? solvedFor(path, side, bound, numberOf) : undefined;
        if (number !== undefined && path !== side)
          for (const name of owners.lastFields(path)) add(solutions, name, number);
      });
    }
  }
  return { bounds, solutions };
}

/** Returns whether an expression is a count or a sum, whose value says nothing of the values that are counted. */
function isTotal(expr: ast.Value): boolean {
  if (expr.kind !== "call" && expr.kind !== "aggregate-in") return false;
  return AGGREGATES.get(expr.name.name.toLowerCase())?.total === true;
}

/** Adds the types that fields refer to. */
function addReferred(types: Set<string>, fields: ReadonlySet<string>, { symbols }: CheckedProgram): void {
  for (const type of types) {
    for (const field of symbols.type(type)?.fields.values() ?? []) {
      if (field.type.kind === "fact" && fields.has(field.name)) types.add(field.type.type);
    }
  }
}

/** Returns the strings that tests of a field name; `joined` when one compares it with another field. */
export function stringsFor(type: string, field: string, reading: Reading, program: CheckedProgram): FieldStrings {
  const strings = new Set<string>();
  let joined = false;
  for (const test of testsOf(type, field, reading)) {
    let paths = 0;
    forEachNode(test, (node) => {
      const expr = node as unknown as ast.Expr;
      if (expr.kind === "path") paths += 1;
      if (expr.kind === "text") strings.add(expr.value);
      if (expr.kind === "path" && program.resolutions.get(expr) === "constant")
        forEachNode(program.symbols.constants.get(expr.root.name)?.decl.value, (item) => {
          if (item["kind"] === "text") strings.add(item["value"] as string);
        });
    });
    joined ||= paths > 1;
  }
  return { strings: [...strings], joined };
}

interface FieldStrings {
  readonly strings: readonly string[];
  readonly joined: boolean;
}
