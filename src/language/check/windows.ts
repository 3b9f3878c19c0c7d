/**
 * Windows: `p: Payment(account == a) over last 10 min`, `over last 20`.
 *
 * A payment is in the window from its time until 10 minutes later: `now - at in [0 ms..10 min)`. That test is written into the
 * pattern before anything is checked, so whatever reads tests of the clock reads windows as well: the planner, explanations, lints.
 * A length that is computed is passed through a function that refuses one that is not above zero: it makes the test unknown.
 * A number of facts becomes a test of its own: that the fact is among the last of those for which the others are true.
 * The test is marked, so that it is printed, and explained, as the window that the author wrote.
 */
import { nearest } from "../../base/nearest.ts";
import type { Report } from "../../base/diagnostic.ts";
import { mapped, type Steps } from "../../base/slices.ts";
import { OVER_LAST, OVER_LAST_FACTS } from "../../functions/window-length.ts";
import type * as ast from "../ast.ts";
import { setOrigin } from "../copied.ts";
import { pathWords } from "../print-expression.ts";
import { expressionText } from "../print-part.ts";
import { forEachNode } from "../walk.ts";
import type { LoadedFile } from "../loaded-file.ts";
import { ValueKinds } from "./window-counts.ts";

/** Returns whether a window is written somewhere in a statement. */
export function usesWindow(decl: ast.Declaration): boolean {
  let found = false;
  forEachNode(decl, ({ kind }) => (found ||= kind === "window"));
  return found;
}

/** Returns whether the word of a window is in a text: most programs have none, and need not be walked. */
function mayUseWindows({ source }: Report): boolean {
  return OVER.test(source.text);
}

/** Letter by letter: a flag for any case makes the search of a long text ten times as slow. */
const OVER = /[oO][vV][eE][rR]/u;

/** Finds out in steps whether a window is written somewhere: one for each statement. */
function* useWindows(files: readonly LoadedFile[]): Steps<boolean> {
  for (const { file, report } of files) {
    const mayUse = mayUseWindows(report);
    yield;
    if (!mayUse) continue;
    for (const decl of file.declarations) {
      if (usesWindow(decl)) return true;
      yield;
    }
  }
  return false;
}

/** Returns the files with the windows of their patterns written out as tests. One step for each statement. */
export function* writingWindows(files: readonly LoadedFile[]): Steps<readonly LoadedFile[]> {
  if (!(yield* useWindows(files))) return files;
  const types = new Map(
    files
      .flatMap(({ file }) => file.declarations)
      .flatMap((decl) => (decl.kind === "type" ? [[decl.name.name, decl]] : [])),
  );
  const kinds = new ValueKinds(files);
  const written: LoadedFile[] = [];
  for (const one of files) {
    const declarations = yield* mapped(one.file.declarations, (decl) =>
      usesWindow(decl) ? new WindowWriter(types, one.report, kinds, decl).written(decl, null) : decl,
    );
    written.push({ ...one, file: { ...one.file, declarations } });
  }
  return written;
}

/** Returns evidence without `by` where only its window is ordered by it; `latest` keeps it. */
function forWindowOnly(evidence: ast.Evidence): ast.Evidence {
  const { mode, by, pattern } = evidence;
  if (by === null || pattern.window === undefined || mode.endsWith("latest")) return evidence;
  return { ...evidence, by: null, pattern: { ...pattern, window: { ...pattern.window, by } } };
}

/** Returns whether a field of a type can be a time; the name of an alias may stand for one. */
function isTime(type: ast.TypeRef): boolean {
  return type.kind === "named" && !/^(?:string|number|bool|any|duration)$/u.test(type.name);
}

function isNumeric(type: ast.TypeRef): boolean {
  return type.kind === "named" && type.name === "number";
}

/** Returns the clock with which a time is compared. */
function clockFor(kind: string | undefined, span: ast.Window["span"]): ast.PathExpr {
  const clock: ast.PathExpr = {
    kind: "path",
    root: { name: kind === "date" ? "today" : "now", span },
    fields: [],
    span,
  };
  setOrigin(clock, "clock");
  return clock;
}

/** Returns the path to a field of the fact that is counted. */
function pathTo(field: ast.Ident, { hasFields, variable }: Counted): ast.PathExpr {
  if (!hasFields && variable !== null) return { kind: "path", root: variable, fields: [field], span: field.span };
  const path: ast.PathExpr = { kind: "path", root: field, fields: [], span: field.span };
  if (hasFields) setOrigin(path, "own");
  return path;
}

/** Returns the length of a window, which is unknown where it is not above zero. */
function lengthOf(last: ast.Expr): ast.Expr {
  const { span } = last;
  return last.kind === "amount" ? last : { kind: "call", name: { name: OVER_LAST.name, span }, args: [last], span };
}

/** Returns the number of facts in a window, which is unknown where it is no number of facts. */
function countOf(last: ast.Expr): ast.Expr {
  const { span } = last;
  if (last.kind === "number" && OVER_LAST_FACTS.compute(last.value) !== undefined) return last;
  return { kind: "call", name: { name: OVER_LAST_FACTS.name, span }, args: [last], span };
}

/** The pattern or subquery around a window: whose facts it counts. */
interface Counted {
  readonly type: ast.Ident;
  readonly variable: ast.Ident | null;
  /** True where bare names are fields of the fact. */
  readonly hasFields: boolean;
}

class WindowWriter {
  readonly #types: ReadonlyMap<string, ast.TypeDecl>;
  readonly #report: Report;
  readonly #kinds: ValueKinds;
  readonly #decl: ast.Declaration;

  /** Takes the types of the program, where errors go, and the statement whose windows are written out. */
  constructor(types: ReadonlyMap<string, ast.TypeDecl>, report: Report, kinds: ValueKinds, decl: ast.Declaration) {
    this.#types = types;
    this.#report = report;
    this.#kinds = kinds;
    this.#decl = decl;
  }

  /** Returns a tree with tests in place of windows; `by` is that of the evidence around a pattern. */
  written<Node>(node: Node, by: ast.PathExpr | null): Node {
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map((item: unknown) => this.written(item, null)) as Node;
    const expr = node as unknown as ast.Pattern | ast.Evidence | ast.ExistsInExpr | ast.AggregateInExpr;
    const inside = expr.kind === "evidence" ? expr.by : null;
    const copy = Object.fromEntries(
      Object.entries(node).map(([key, child]: [string, unknown]) => [
        key,
        key === "span" || key === "window" ? child : this.written(child, key === "pattern" ? inside : null),
      ]),
    ) as unknown as typeof expr;
    if (copy.kind === "pattern" && copy.window !== undefined) return this.#pattern(copy, copy.window, by) as Node;
    if ((copy.kind === "exists-in" || copy.kind === "aggregate-in") && copy.window !== undefined) {
      return this.#subquery(copy, copy.window) as Node;
    }
    return (copy.kind === "evidence" ? forWindowOnly(copy) : copy) as Node;
  }

  #pattern(pattern: ast.Pattern, window: ast.Window, by: ast.PathExpr | null): ast.Pattern {
    const test = this.#test(window, window.by ?? by, { ...pattern, hasFields: true });
    return test === undefined ? pattern : { ...pattern, tests: [...pattern.tests, test] };
  }

  #subquery<Of extends ast.ExistsInExpr | ast.AggregateInExpr>(expr: Of, window: ast.Window): Of {
    const { by } = window;
    const named = by === null ? undefined : expr.sources.find(({ variable }) => variable.name === by.root.name);
    const [only, second] = expr.sources;
    const source = named ?? (second === undefined ? only : undefined);
    if (source === undefined) {
      const hint = "say whose time counts: over last 10 min by p.at";
      this.#report.error("E218", window.span, "this window is about several facts", hint);
      return expr;
    }
    if (second !== undefined && this.#kinds.isNumber(window.last, this.#decl)) {
      const hint = `bind the others in patterns before, and count ${source.type.name} facts alone`;
      this.#report.error("E218", window.span, "a number of facts is about one variable", hint);
      return expr;
    }
    const test = this.#test(window, by, { ...source, hasFields: false });
    if (test === undefined) return expr;
    const items = expr.test === null ? [test] : [expr.test, test];
    return { ...expr, test: { kind: "logic", op: "and", items, listed: false, span: (expr.test ?? test).span } };
  }

  /** Returns the test that a fact is in a window; undefined where the window is reported. */
  #test(window: ast.Window, by: ast.PathExpr | null, counted: Counted): ast.InExpr | ast.LastExpr | undefined {
    if (this.#kinds.isNumber(window.last, this.#decl)) return this.#lastFacts(window, by, counted);
    const { span } = window;
    this.#refuseLonger(window, by, counted);
    const last = this.written(window.last, null);
    const field = by === null ? this.#timeOf(window, counted) : this.#fieldOf(by, counted);
    if (field === undefined) return undefined;
    const clock = clockFor(this.#kindOf(field, counted), span);
    const age: ast.ChainExpr = { kind: "chain", items: [clock, by ?? pathTo(field, counted)], ops: ["-"], span };
    const zero: ast.AmountExpr = { kind: "amount", of: "duration", amount: 0, unit: "ms", value: 0, span };
    const right: ast.RangeExpr = { kind: "range", from: zero, to: lengthOf(last), open: true, span: last.span };
    return { kind: "in", left: age, right, negated: false, window, span };
  }

  /** Returns the test that a fact is among the last ones; undefined where the window is reported. */
  #lastFacts(window: ast.Window, by: ast.PathExpr | null, counted: Counted): ast.LastExpr | undefined {
    const { span } = window;
    const field = by === null ? this.#marked(counted) : this.#fieldOf(by, counted, true);
    if (by !== null && field === undefined) return undefined;
    const { type, hasFields } = counted;
    const kind = field === undefined ? undefined : this.#kindOf(field, counted);
    const key = (): ast.PathExpr => by ?? pathTo(field ?? { name: "", span }, counted);
    const come: ast.CompareExpr | null =
      kind === "instant" || kind === "date"
        ? { kind: "compare", op: ">=", left: clockFor(kind, span), right: key(), span }
        : null;
    return {
      kind: "last",
      variable: hasFields ? null : counted.variable,
      type,
      count: countOf(this.written(window.last, null)),
      key: field === undefined ? null : by === null ? pathTo(field, counted) : { ...by },
      come,
      window,
      span,
    };
  }

  /** Returns the name of the type of a field; undefined where nothing is known of it. */
  #kindOf(field: ast.Ident, { type }: Counted): string | undefined {
    const declared = this.#types.get(type.name)?.fields.find(({ name }) => name.name === field.name);
    return declared?.type.kind === "named" ? this.#kinds.aliased(declared.type.name) : undefined;
  }

  /** Reports a window that is longer than its facts stay: it could never be right. */
  #refuseLonger({ last, span }: ast.Window, by: ast.PathExpr | null, { type }: Counted): void {
    const { expires, fields = [] } = this.#types.get(type.name) ?? {};
    if (expires === undefined || last.kind !== "amount" || last.of !== "duration" || last.value <= expires.value)
      return;
    const time = fields.find(({ at }) => at === true)?.name.name;
    if (by !== null && (by.fields.at(-1) ?? by.root).name !== time) return;
    const stay = expressionText(expires);
    const message = `a ${type.name} expires ${stay} after its time, so this window would miss facts`;
    this.#report.error("E218", span, message, `write a window of at most ${stay}, or let ${type.name} expire later`);
  }

  /** Returns the field that is marked as the time of a type; undefined where none is. */
  #marked({ type }: Counted): ast.Ident | undefined {
    return this.#types.get(type.name)?.fields.find(({ at }) => at === true)?.name;
  }

  /** Returns the field that is marked as the time of a type, and reports where none is. */
  #timeOf(window: ast.Window, counted: Counted): ast.Ident | undefined {
    const { type, variable } = counted;
    const fields = this.#types.get(type.name)?.fields ?? [];
    const marked = this.#marked(counted);
    if (marked !== undefined) return { name: marked.name, span: window.span };
    const times = fields.filter((one) => one.type.kind === "named" && /^(?:instant|date)$/u.test(one.type.name));
    const [first = "at"] = times.map(({ name }) => name.name);
    const written = variable === null ? first : `${variable.name}.${first}`;
    const message = `nothing says which field is the time of a ${type.name}`;
    const known = times.length < 2 ? "" : ` (its times are ${times.map(({ name }) => name.name).join(", ")})`;
    const hint = `mark it in the type, @${first}: instant, or write: by ${written}${known}`;
    this.#report.error("E218", window.span, message, hint);
    return undefined;
  }

  /** Returns the field that `by` names; reports what is no field of the facts that are counted. */
  #fieldOf(by: ast.PathExpr, { type, variable, hasFields }: Counted, orNumber = false): ast.Ident | undefined {
    const [first, more] = by.fields;
    const fields = this.#types.get(type.name)?.fields;
    const isOfVariable = variable !== null && by.root.name === variable.name && more === undefined;
    const field = isOfVariable ? first : first === undefined && hasFields ? by.root : undefined;
    const declared = fields?.find(({ name }) => name.name === field?.name);
    if (declared !== undefined && !isTime(declared.type) && !(orNumber && isNumeric(declared.type))) {
      const message = `"${pathWords(by)}" is not ${orNumber ? "a number, an instant or a date" : "an instant or a date"}`;
      const hint = orNumber
        ? "the last facts are those with the highest number, or the latest time"
        : "a window needs the field that says when a fact happened";
      this.#report.error("E218", by.span, message, hint);
      return undefined;
    }
    if (field !== undefined && (fields === undefined || declared !== undefined)) return field;
    const names = fields?.map(({ name }) => name.name) ?? [];
    const near = nearest(first?.name ?? by.root.name, names) ?? "at";
    const hint = `write: by ${variable === null ? near : `${variable.name}.${near}`}`;
    this.#report.error("E218", by.span, `"${pathWords(by)}" is not a field of the ${type.name} that is counted`, hint);
    return undefined;
  }
}
