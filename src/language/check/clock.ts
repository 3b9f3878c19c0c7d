/**
 * `now` and `today` in expressions.
 *
 * A test of the clock turns at an exact time, so that time must follow from the facts: the comparison is solved for the clock. `now -
 * x > 5 min` is `now > x + 5 min`. What cannot be solved is refused, except in actions, where the clock is read when the rule fires.
 */
import { type Comparator, FLIPPED } from "../../base/comparator.ts";
import type { Report } from "../../base/diagnostic.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { sourceOf } from "../copied.ts";
import { forEachNode } from "../walk.ts";
import type { CheckedProgram } from "./program.ts";

/** The names of the clock. */
export const CLOCK_NAMES: ReadonlySet<string> = new Set(["now", "today"]);

/** The zone of `today` in programs that name none. */
const DEFAULT_ZONE = "UTC";

/** A comparison without its place. */
type Comparison = Pick<ast.CompareExpr, "op" | "left" | "right">;

/** What is known of names and times. */
type Notes = Pick<CheckedProgram, "resolutions" | "times" | "symbols">;

/** A comparison that was solved for the clock: `clock op other`, after the steps were taken on `other`. */
export interface SolvedTest {
  readonly clock: "now" | "today";
  readonly op: Comparator;
  readonly other: ast.Expr;
  /** Operators, each with what is so far on its left and the operand on its right. */
  readonly steps: readonly { readonly operator: string; readonly operand: ast.Expr }[];
}

/** Why a comparison cannot be solved. */
interface Fault {
  readonly at: ast.Value;
  readonly hint: string;
}

const ZONES = new WeakMap<CheckedProgram, string>();

/** Returns the zone of `today`: that of `option zone`, or UTC. */
export function zoneOf(program: CheckedProgram): string {
  let zone = ZONES.get(program);
  if (zone === undefined) ZONES.set(program, (zone = zoneIn(program.files.flatMap((file) => file.declarations))));
  return zone;
}

function zoneIn(declarations: readonly ast.Declaration[]): string {
  const options = declarations.filter((decl) => decl.kind === "option" && decl.name.name.toLowerCase() === "zone");
  const value = (options.at(-1) as ast.OptionDecl | undefined)?.value;
  return (value === undefined ? undefined : zoneNameOf(value)) ?? DEFAULT_ZONE;
}

/** Returns the name of a zone, which may be a plain word: `option zone UTC`. */
export function zoneNameOf(value: ast.OptionDecl["value"]): string | undefined {
  if ("name" in value) return value.name;
  return value.kind === "text" ? value.value : undefined;
}

/** Returns the clock as if it were written: a test that reads it without naming it notes this path. */
export function clockPath(name: "now" | "today", span: Span): ast.PathExpr {
  return { kind: "path", root: { name, span }, fields: [], span };
}

/** Returns whether a program depends on the clock: it reads it, or has facts that expire. */
export function dependsOnClock(program: Pick<CheckedProgram, "resolutions" | "symbols">): boolean {
  const { symbols } = program;
  return usesClock(program) || symbols.typeNames().some((name) => symbols.type(name)?.expires !== undefined);
}

/** Returns whether a program reads the clock anywhere. */
export function usesClock({ resolutions }: Pick<CheckedProgram, "resolutions">): boolean {
  for (const resolution of resolutions.values()) if (resolution === "clock") return true;
  return false;
}

/** Returns a comparison solved for the clock; undefined when it does not read the clock. */
export function solvedForClock(notes: Notes, comparison: Comparison): SolvedTest | undefined {
  const solved = solve(notes, comparison);
  if (solved !== undefined && "hint" in solved) throw new Error("the checker refuses tests that cannot be solved");
  return solved;
}

function solve(notes: Notes, { op, left, right }: Comparison): SolvedTest | Fault | undefined {
  const inLeft = clockIn(notes, left);
  const inRight = clockIn(notes, right);
  if (inLeft === undefined && inRight === undefined) return undefined;
  if (inLeft !== undefined && inRight !== undefined) return { at: inRight, hint: "use it on one side only" };
  return inLeft !== undefined
    ? unwrap(notes, left, { op, other: right, steps: [] })
    : unwrap(notes, right, { op: FLIPPED[op], other: left, steps: [] });
}

/** Returns the clock in a value, outside the tests inside it: those are solved by themselves. */
export function clockIn({ resolutions }: Pick<Notes, "resolutions">, expr: ast.Value): ast.PathExpr | undefined {
  switch (expr.kind) {
    case "path":
      return resolutions.get(expr) === "clock" ? expr : undefined;
    case "chain":
    case "list":
      return firstIn(resolutions, expr.items);
    case "call":
      return firstIn(resolutions, expr.args);
    case "object":
      return firstIn(
        resolutions,
        expr.entries.map(({ value }) => value),
      );
    case "negate":
    case "cast":
      return clockIn({ resolutions }, expr.operand);
    case "if":
      return firstIn(resolutions, [expr.whenTrue, expr.whenFalse]);
    default:
      return undefined;
  }
}

function firstIn(resolutions: Notes["resolutions"], values: readonly ast.Value[]): ast.PathExpr | undefined {
  for (const value of values) {
    const found = clockIn({ resolutions }, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

// ---------------------------------------------------------------- solving

/** A comparison that is being solved: `expr op other`, where `expr` holds the clock. */
type Unsolved = Omit<SolvedTest, "clock">;

/** Takes what is around the clock to the other side, the outermost first. */
function unwrap(notes: Notes, expr: ast.Expr, so: Unsolved): SolvedTest | Fault {
  switch (expr.kind) {
    case "path":
      return { ...so, clock: expr.root.name as SolvedTest["clock"] };
    case "negate":
      return unwrap(notes, expr.operand, taken(so, { operator: "solve x -", operand: zeroAt(expr), flips: true }));
    case "chain":
      return unwrapChain(notes, expr, expr.items.length - 1, so);
    case "call":
      return unwrapCall(notes, expr, so);
    default:
      return { at: expr, hint: COMPARE };
  }
}

const COMPARE = "compare the clock with a time: now >= t + 5 min, today >= d";

interface UndoStep {
  readonly operator: string;
  readonly operand: ast.Expr;
  /** True when the comparison turns around. */
  readonly flips: boolean;
}

function taken({ op, other, steps }: Unsolved, { operator, operand, flips }: UndoStep): Unsolved {
  return { op: flips ? FLIPPED[op] : op, other, steps: [...steps, { operator, operand }] };
}

function zeroAt({ span }: ast.Expr): ast.Expr {
  return { kind: "number", value: 0, span };
}

/** Solves a sum or product, of which the items up to `last` are left. */
function unwrapChain(notes: Notes, chain: ast.ChainExpr, last: number, so: Unsolved): SolvedTest | Fault {
  const { items, ops } = chain;
  const item = items[last];
  if (item === undefined) return { at: chain, hint: COMPARE };
  if (last === 0) return unwrap(notes, item, so);
  const operator = (notes.times.operators.get(chain) ?? ops)[last - 1] ?? "";
  const inItem = clockIn(notes, item) !== undefined;
  const before = items.slice(0, last);
  const inFront = firstIn(notes.resolutions, before);
  if (inItem && inFront !== undefined) return { at: inFront, hint: "use it once in a comparison" };
  const operand = inItem ? prefixOf(notes, chain, last) : item;
  const undo = (inItem ? RIGHT : LEFT).get(operator);
  if (undo === undefined || operand.kind === "text") return { at: chain, hint: hintFor(operator) };
  const factor = undo.scales ? factorOf(notes, operand) : 1;
  if (factor === undefined || factor === 0) {
    return { at: operand, hint: "multiply and divide the clock by a number or duration that is written in the rules" };
  }
  const step = { operator: undo.operator, operand, flips: undo.flips !== factor < 0 };
  return inItem ? unwrap(notes, item, taken(so, step)) : unwrapChain(notes, chain, last - 1, taken(so, step));
}

function hintFor(operator: string): string {
  return operator.includes("months") ? "move the months to the other side: today >= d - 1 month" : COMPARE;
}

const prefixes = new WeakMap<ast.ChainExpr, Map<number, ast.Expr>>();

/** Returns the first items of a chain as an expression of its own. */
function prefixOf({ times }: Notes, chain: ast.ChainExpr, length: number): ast.Expr {
  const [first] = chain.items;
  if (length === 1 && first !== undefined) return first;
  let made = prefixes.get(chain);
  if (made === undefined) prefixes.set(chain, (made = new Map()));
  const known = made.get(length);
  if (known !== undefined) return known;
  const prefix: ast.ChainExpr = {
    ...chain,
    items: chain.items.slice(0, length),
    ops: chain.ops.slice(0, length - 1),
  };
  const operators = times.operators.get(chain);
  if (operators !== undefined) times.operators.set(prefix, operators.slice(0, length - 1));
  made.set(length, prefix);
  return prefix;
}

/** Returns a number or duration that is written in the rules; undefined for any other value. */
function factorOf(notes: Notes, expr: ast.Value): number | undefined {
  switch (expr.kind) {
    case "number":
    case "amount":
      return expr.value;
    case "negate": {
      const value = factorOf(notes, expr.operand);
      return value === undefined ? undefined : -value;
    }
    case "path": {
      if (notes.resolutions.get(expr) !== "constant" || expr.fields.length > 0) return undefined;
      const value = notes.symbols.constants.get(expr.root.name)?.decl.value;
      return value === undefined || value.kind === "path" ? undefined : factorOf(notes, value);
    }
    default:
      return undefined;
  }
}

interface Undo {
  readonly operator: string;
  readonly flips: boolean;
  /** True when the comparison turns around for a negative operand, and the operand must be written. */
  readonly scales: boolean;
}

function undo(operator: string, how: Partial<Undo> = {}): Undo {
  return { operator, flips: false, scales: false, ...how };
}

/** What takes the right operand of an operator to the other side. */
const LEFT: ReadonlyMap<string, Undo> = new Map([
  ["instant + duration", undo("solve instant + duration")],
  ["instant - duration", undo("solve instant - duration")],
  ["instant - instant", undo("+")],
  ["date + duration", undo("solve date + duration")],
  ["date - duration", undo("solve date - duration")],
  ["date - date", undo("solve date - date")],
  ["duration + duration", undo("-")],
  ["duration - duration", undo("+")],
  ["duration * number", undo("/", { scales: true })],
  ["duration / number", undo("*", { scales: true })],
  ["duration / duration", undo("*", { scales: true })],
  ["+", undo("-")],
  ["-", undo("+")],
  ["*", undo("/", { scales: true })],
  ["/", undo("*", { scales: true })],
]);

/** What takes the left operand of an operator to the other side. */
const RIGHT: ReadonlyMap<string, Undo> = new Map([
  ["duration + instant", undo("solve instant + duration")],
  ["instant - instant", undo("solve x -", { flips: true })],
  ["duration + date", undo("solve date + duration")],
  ["date - date", undo("solve x - date", { flips: true })],
  ["duration + duration", undo("-")],
  ["duration - duration", undo("solve x -", { flips: true })],
  ["number * duration", undo("/", { scales: true })],
  ["+", undo("-")],
  ["-", undo("solve x -", { flips: true })],
  ["*", undo("/", { scales: true })],
]);

/** Solves `days_between(d, today)`. */
function unwrapCall(notes: Notes, call: ast.CallExpr, so: Unsolved): SolvedTest | Fault {
  const [first, second] = call.args;
  const isKnown = notes.symbols.functionName(call.name.name) === "days_between";
  if (!isKnown || first === undefined || second === undefined || first.kind === "object" || second.kind === "object") {
    return { at: call, hint: COMPARE };
  }
  if (clockIn(notes, second) === undefined) {
    return unwrap(notes, first, taken(so, { operator: "solve x -", operand: second, flips: true }));
  }
  if (clockIn(notes, first) !== undefined) return { at: call, hint: "use it once in a comparison" };
  return unwrap(notes, second, taken(so, { operator: "+", operand: first, flips: false }));
}

// ---------------------------------------------------------------- checking

/** Reports what reads the clock and cannot turn at an exact time. Actions read the clock when they run. */
export function checkClock(notes: Notes, node: unknown, report: Report): void {
  if (typeof node !== "object" || node === null || sourceOf(node) !== undefined) return; // a copy is checked where it was written
  if (Array.isArray(node)) {
    for (const item of node) checkClock(notes, item, report);
    return;
  }
  if ("kind" in node) {
    const expr = node as ast.Expr;
    if (expr.kind === "path" && notes.resolutions.get(expr) === "clock") {
      reportFault(report, { at: expr, hint: COMPARE }, expr);
      return;
    }
    const inLoop = clockInItems(notes, node as ast.Expr | ast.ItemsElement);
    if (inLoop !== undefined) {
      reportFault(report, { at: expr, hint: LOOP }, inLoop);
      return;
    }
    const comparisons = comparisonsOf(expr);
    if (comparisons.some(({ left, right }) => (clockIn(notes, left) ?? clockIn(notes, right)) !== undefined)) {
      for (const comparison of comparisons) checkComparison(notes, comparison, report);
      return;
    }
  }
  for (const [key, child] of Object.entries(node)) {
    if (key !== "span" && key !== "actions" && key !== "window") checkClock(notes, child, report);
  }
}

/** Returns the clock in a loop over items, or in the list of the element `l in list`: a test inside the list turns by itself. */
function clockInItems(notes: Notes, node: ast.Expr | ast.ItemsElement): ast.PathExpr | undefined {
  if (node.kind === "items") return clockIn(notes, node.list);
  return node.kind === "item-test" || node.kind === "comprehension" ? clockInside(notes, node) : undefined;
}

const LOOP = "the items of a list have no timers: make them facts, or test the clock outside the loop";

/** Returns the clock anywhere inside a node, also in the functions and conditions that it calls. */
function clockInside(notes: Notes, node: unknown): ast.PathExpr | undefined {
  let found: ast.PathExpr | undefined;
  forEachNode(node, (inner) => {
    if (found !== undefined) return;
    const expr = inner as unknown as ast.PathExpr | ast.CallExpr;
    if (expr.kind === "path" && notes.resolutions.get(expr) === "clock") found = expr;
    else if (expr.kind === "call") {
      const { name } = expr.name;
      const body = notes.symbols.computedFunction(name)?.body ?? notes.symbols.conditions.get(name)?.decl.test;
      if (body !== undefined) found = clockInside(notes, body);
    }
  });
  return found;
}

/** Returns the comparisons that a test is made of: itself, or the two of a range. */
function comparisonsOf(expr: ast.Expr): readonly Comparison[] {
  if (expr.kind === "compare") return [expr];
  if (expr.kind !== "in" || expr.right.kind !== "range") return [];
  const { left } = expr;
  const { from, to, open } = expr.right;
  return [
    { op: ">=", left, right: from },
    { op: open ? "<" : "<=", left, right: to },
  ];
}

/** Reports a comparison that cannot be solved, and looks for tests of the clock in its parts. */
function checkComparison(notes: Notes, comparison: Comparison, report: Report): void {
  const solved = solve(notes, comparison);
  if (solved === undefined) {
    checkClock(notes, [comparison.left, comparison.right], report);
    return;
  }
  const clock = clockIn(notes, comparison.left) ?? clockIn(notes, comparison.right);
  if (clock !== undefined && "hint" in solved) reportFault(report, solved, clock);
  if (!("hint" in solved)) checkClock(notes, [solved.other, solved.steps.map(({ operand }) => operand)], report);
}

function reportFault(report: Report, { at, hint }: Fault, { root }: ast.PathExpr): void {
  const message = `it cannot be told when a test with "${root.name}" used like this turns`;
  report.error("E217", at.span, message, hint);
}
