/** Checks a whole program: all names first, then every statement of every file. */
import { type Diagnostic, hasErrors, inSourceOrder, Report } from "../../base/diagnostic.ts";
import { unreachable } from "../../base/invariant.ts";
import { DEFAULT_LIMITS, LONGEST_CHAIN, type Limits } from "../../base/limits.ts";
import { finish, mapped, SmallSteps, type Steps } from "../../base/slices.ts";
import type { Source } from "../../base/source.ts";
import type * as ast from "../ast.ts";
import { reportLegacy } from "../legacy.ts";
import type { LoadedFile } from "../loaded-file.ts";
import { modulesOf } from "../modules/modules.ts";
import type { ParsedFile } from "../parse.ts";
import { restartsIn } from "../restart.ts";
import { forEachNode } from "../walk.ts";
import { type ConditionUse, type DeclaredCondition } from "./condition-uses.ts";
import { checkClock, usesClock } from "./clock.ts";
import { type Context, type Hole, noTimes, type Resolution, type TimeNotes } from "./context.ts";
import { checkCondition, checkFlow, checkGate } from "./decisions.ts";
import { refuseConstants } from "./constants.ts";
import { checkConst, checkData, checkFact, DATA, plainValue } from "./facts.ts";
import { Keys } from "./keys-in-use.ts";
import { checkAlias, checkParams, checkRecordDecl, checkTypeDecl } from "./fields.ts";
import { checkingDefinitions } from "./definitions.ts";
import { checkFunction } from "./functions.ts";
import { checkGuardian } from "./guardian.ts";
import { silenced } from "./lint/allow.ts";
import { lintingProgram } from "./lint/lint.ts";
import { checkOption } from "./options.ts";
import { checkParameter, type GivenParameters, giveParameters, NO_PARAMETERS, refuseUnknown } from "./parameters.ts";
import { checkPipeline } from "./pipeline.ts";
import { RowExpansion, usesRows } from "./query-rows.ts";
import { checkQuery, checkRule } from "./rules.ts";
import { type HostFunctions, Symbols } from "./symbols.ts";
import { noTables, type TableNotes } from "./table-uses.ts";
import { checkTable } from "./tables.ts";
import { checkTestDecl } from "./tests.ts";
import { ANY } from "./types.ts";
import { checkTypeName } from "./typing.ts";
import { writingWindows } from "./windows.ts";
import { WrittenOut } from "./written-out.ts";
import { checkXupleSpace } from "./xuples.ts";

/** A program after checking: its syntax trees, symbols and diagnostics. Its inner parts may change between releases. */
export interface CheckedProgram {
  /** The parsed files. What a file imports comes before it. */
  readonly files: readonly ParsedFile[];
  /** The files that come with the package, such as the standard guardian. */
  readonly shipped: ReadonlySet<ParsedFile>;
  /** The symbol tables: types, rules, gates and so on, by name. */
  readonly symbols: Symbols;
  /** What each path in an expression refers to. */
  readonly resolutions: ReadonlyMap<ast.PathExpr, Resolution>;
  /** The tests that are conditions, `where approved(r, "alice")`, each with its condition. */
  readonly conditionUses: ReadonlyMap<ConditionUse, DeclaredCondition>;
  /** The fields that are read off a value, an item of a list, and lead to no fact: true at their places in the path. */
  readonly valueFields: ReadonlyMap<ast.PathExpr | ast.PropertyExpr, readonly boolean[]>;
  /** The decision tables, and where they are called. */
  readonly tables: TableNotes;
  /** The types of expressions with dates, instants and durations. */
  readonly times: TimeNotes;
  /** The expressions in the `{…}` holes of guardian reasons, in order. */
  readonly holes: ReadonlyMap<ast.TextExpr, readonly Hole[]>;
  /** All errors and warnings, in source order, without those that a comment silences. */
  readonly diagnostics: readonly Diagnostic[];
  /** True when a warning may end with the next statement that is added: that a constant is not used, or that a fact is not there. */
  readonly unsettled: boolean;
}

export interface CheckOptions {
  readonly limits?: Limits;
  /** Pure functions of the host that rules may call. */
  readonly functions?: HostFunctions;
  /** The values of the program's parameters. */
  readonly parameters?: GivenParameters;
}

export function checkProgram(files: readonly LoadedFile[], options: CheckOptions = {}): CheckedProgram {
  return finish(checkingProgram(files, options));
}

/** Does the same in steps, one for each statement. */
export function* checkingProgram(files: readonly LoadedFile[], options: CheckOptions = {}): Steps<CheckedProgram> {
  const modules = modulesOf(files);
  const named: LoadedFile[] = [];
  for (const file of files) named.push(modules === undefined ? file : yield* modules.resolving(file));
  yield;
  const sinceReset = sinceRestart(named);
  yield;
  const loaded = yield* writingWindows(sinceReset);
  const given = options.parameters ?? NO_PARAMETERS;
  const symbols = new Symbols(options.functions, undefined, modules);
  yield;
  for (const { file, report, shipped } of loaded) if (shipped !== true) yield* symbols.collecting(file, report);
  for (const { file, report, shipped } of loaded) if (shipped === true) symbols.collectShipped(file, report);
  symbols.resolveFieldTypes();
  const reportIn = (source: Source): Report | undefined =>
    loaded.find(({ report }) => report.source === source)?.report;
  refuseConstants(symbols, reportIn);
  giveParameters(symbols, given);
  const resolutions = new Map<ast.PathExpr, Resolution>();
  const times = noTimes();
  const tables = noTables();
  for (const { report, isTable } of loaded) if (isTable === true) tables.reports.set(report.source.file, report);
  const holes = new Map<ast.TextExpr, readonly Hole[]>();
  const conditionUses = new Map<ConditionUse, DeclaredCondition>();
  const valueFields = new Map<ast.PathExpr | ast.PropertyExpr, readonly boolean[]>();
  const elaborated = new Map<ast.Declaration, ast.Declaration>();
  const keys = new Keys();
  const limits = options.limits ?? DEFAULT_LIMITS;
  const contextOf = (report: Report): Context => ({
    symbols,
    report,
    limits,
    resolutions,
    conditionUses,
    valueFields,
    times,
    tables,
    holes,
    elaborated,
  });
  for (const { file, report } of loaded) {
    for (const decl of file.declarations) {
      if (decl.kind !== "table") continue;
      checkTable(contextOf(report), decl);
      yield;
    }
  }
  // Gates read what their conditions use, so conditions come first.
  for (const { file, report } of loaded) {
    for (const decl of file.declarations) {
      if (decl.kind !== "condition") continue;
      checkCondition(contextOf(report), decl);
      yield;
    }
  }
  const withRows = yield* writingRows(loaded, symbols, contextOf);
  const small = new SmallSteps();
  for (const { file, report, shipped } of withRows) {
    keys.replaceable = shipped === true;
    const cx = contextOf(report);
    for (const decl of file.declarations) {
      if (decl.kind === "param") checkParameter(cx, decl, given);
      checkDeclaration(cx, decl, keys);
      if (decl.kind !== "fact" || small.isDue()) yield;
    }
  }
  symbols.elaborate(elaborated);
  for (const [use, { decl }] of conditionUses) {
    const written = elaborated.has(decl) ? symbols.conditions.get(decl.name.name) : undefined;
    if (written !== undefined) conditionUses.set(use, written);
  }
  let followable = yield* checkingDefinitions({ symbols, conditionUses }, reportIn);
  if (followable) {
    const writtenOut = new WrittenOut({ symbols, conditionUses, tableUses: tables.uses });
    for (const { file, report } of withRows) {
      yield* eachStatement(file, (decl) => {
        if (!writtenOut.check(decl, elaborated.get(decl) ?? decl, report)) followable = false;
      });
    }
  }
  if (followable && usesClock({ resolutions })) {
    const notes = { resolutions, times, symbols };
    for (const { file, report } of withRows) {
      yield* eachStatement(file, (decl) => checkClock(notes, elaborated.get(decl) ?? decl, report));
    }
  }
  reportLongRow(symbols, reportIn);
  refuseUnknown(symbols, given, loaded.find(({ shipped }) => shipped !== true)?.report);
  for (const { file, report } of files) yield* reportLegacy(file, report);
  yield;
  noteOpenProgram(loaded, symbols);
  yield;
  const isWhole = !loaded.some(({ report }) => hasErrors(report.diagnostics));
  const unsettled = isWhole && (yield* lintingProgram(withRows, contextOf));
  yield;
  const checked = yield* mapped(withRows, ({ file, shipped }) => ({ file: elaboratedFile(file, elaborated), shipped }));
  return {
    files: checked.map(({ file }) => file),
    shipped: new Set(checked.flatMap(({ file, shipped }) => (shipped === true ? [file] : []))),
    symbols,
    resolutions,
    conditionUses,
    valueFields,
    times,
    tables,
    holes,
    diagnostics: (yield* mapped(loaded, ({ file, report }) => inSourceOrder(silenced(file, report, isWhole)))).flat(),
    unsettled,
  };
}

/** Reports a record or alias that is declared by too many others in a row. */
function reportLongRow(symbols: Symbols, reportIn: (source: Source) => Report | undefined): void {
  if (symbols.longRow === undefined) return;
  const { decl, source, span } = symbols.longRow;
  const what = decl.kind === "record" ? "record" : "type";
  const message = `${what} "${decl.name.name}" uses more than ${LONGEST_CHAIN} declarations in a row`;
  reportIn(source)?.error("E301", span, message, "make the parts facts that refer to each other");
}

/** Does something with each statement of a file; one step for each. Facts need little time, and are small steps. */
function* eachStatement(file: ParsedFile, work: (decl: ast.Declaration) => void): Steps<void> {
  const small = new SmallSteps();
  for (const decl of file.declarations) {
    work(decl);
    if (decl.kind !== "fact" || small.isDue()) yield;
  }
}

/** Returns a file with its statements as the checked program has them. */
export function elaboratedFile(
  file: ParsedFile,
  elaborated: ReadonlyMap<ast.Declaration, ast.Declaration>,
): ParsedFile {
  if (!file.declarations.some((decl) => elaborated.has(decl))) return file;
  return { ...file, declarations: file.declarations.map((decl) => elaborated.get(decl) ?? decl) };
}

/** Returns the files without the statements that a `reset` made forgotten because names start again after it (W101). */
function sinceRestart(loaded: readonly LoadedFile[]): readonly LoadedFile[] {
  const own = loaded.filter(({ shipped }) => shipped !== true);
  const restarts = restartsIn(own.flatMap(({ file }) => file.declarations));
  if (restarts.length === 0) return loaded;
  for (const { again } of restarts) {
    const report = own.find(({ file }) => file.declarations.includes(again))?.report;
    if (report !== undefined) reportRestart(report, again);
  }
  const forgotten = new Set(restarts.flatMap((restart) => restart.forgotten));
  return loaded.map((one) => ({
    ...one,
    file: { ...one.file, declarations: one.file.declarations.filter((decl) => !forgotten.has(decl)) },
  }));
}

/** Returns the files with the rows of queries written out. One step for each statement. */
function* writingRows(
  loaded: readonly LoadedFile[],
  symbols: Symbols,
  contextOf: (report: Report) => Context,
): Steps<readonly LoadedFile[]> {
  if (!loaded.some(({ file }) => file.declarations.some(usesRows))) return loaded;
  const reports = new Map(loaded.map(({ report }) => [report.source, report]));
  const reportOf = (source: Source): Report => reports.get(source) ?? new Report(source);
  // Queries are checked once more with the other statements, and report there.
  const silent = (cx: Context, query: ast.QueryDecl): void =>
    checkQuery({ ...cx, report: new Report(cx.report.source) }, query);
  const expansion = new RowExpansion((source) => contextOf(reportOf(source)), silent);
  const changed = new Map<ast.Declaration, ast.Declaration>();
  const files: LoadedFile[] = [];
  for (const one of loaded) {
    const declarations = yield* mapped(one.file.declarations, (decl) => {
      if (!usesRows(decl)) return decl;
      const made = expansion.expanded(decl, one.report.source);
      changed.set(decl, made);
      return made;
    });
    files.push({ ...one, file: { ...one.file, declarations } });
  }
  const replaced = <Decl extends ast.Declaration>(decl: Decl): Decl => (changed.get(decl) ?? decl) as Decl;
  symbols.rules.change(replaced);
  symbols.queries.change(replaced);
  symbols.pipelines.change(replaced);
  return files;
}

function reportRestart(report: Report, again: ast.Declaration): void {
  if (!("name" in again) || again.name === null) return;
  const message = `old syntax: ${again.kind} "${again.name.name}" is defined again after "reset", so rules and facts above it are forgotten`;
  const hint =
    again.kind === "rule"
      ? 'remove them first: "remove rule name" above "reset"; "sluice fmt --migrate" writes it'
      : `remove what is above "reset", or give the new ${again.kind} another name`;
  report.warning("W101", again.name.span, message, hint);
}

/** Checks one statement. */
export function checkDeclaration(cx: Context, decl: ast.Declaration, keys: Keys): void {
  switch (decl.kind) {
    case "type":
      return checkTypeDecl(cx, decl);
    case "record":
      return checkRecordDecl(cx, decl);
    case "fact":
      checkFact(cx, decl.fact, DATA);
      return keys.take(cx, decl.fact);
    case "action":
      return checkParams(cx, decl.params);
    case "rule":
      return checkRule(cx, decl);
    case "gate":
      return checkGate(cx, decl);
    case "flow":
      return checkFlow(cx, decl);
    case "guardian":
      return checkGuardian(cx, decl);
    case "pipeline":
      return checkPipeline(cx, decl);
    case "const":
      return checkConst(cx, decl);
    case "alias":
      return checkAlias(cx, decl);
    case "function":
      return checkFunction(cx, decl);
    case "query":
      return checkQuery(cx, decl);
    case "test":
      return checkTestDecl(cx, decl);
    case "option":
      return checkOption(cx, decl);
    case "remove-fact":
      return checkRemoveFact(cx, decl, keys);
    case "reset":
      return keys.clear();
    case "xuple-space":
      return checkXupleSpace(cx, decl);
    case "import":
    case "use":
    case "remove-rule":
    case "condition":
    case "table":
    case "param":
      return; // checked before, or when the program was loaded and its names were collected
    default:
      unreachable(decl);
  }
}

function checkRemoveFact(cx: Context, decl: ast.RemoveFactDecl, keys: Keys): void {
  checkTypeName(cx, decl.type);
  for (const key of decl.keys) checkData(cx, decl.type.name, ANY, key);
  const fields = [...(cx.symbols.type(decl.type.name)?.fields.values() ?? [])].filter((field) => field.key);
  if (!cx.symbols.open && cx.symbols.type(decl.type.name) !== undefined && fields.length !== decl.keys.length) {
    const message = `${decl.type.name} has ${fields.length} key ${fields.length === 1 ? "field" : "fields"}, found ${decl.keys.length}`;
    cx.report.error("E209", decl.span, message);
  }
  keys.free(
    cx,
    decl.type.name,
    decl.keys.map((key) => plainValue(key, cx.symbols)),
  );
}

const USES_TYPES: ReadonlySet<ast.Declaration["kind"]> = new Set([
  "fact",
  "rule",
  "condition",
  "gate",
  "guardian",
  "pipeline",
  "query",
]);

/** Reports an open program once, where an undeclared type is first used; types of the package do not count. */
export function noteOpenProgram(loaded: readonly LoadedFile[], symbols: Symbols): void {
  if (!symbols.open) return;
  for (const { file, report, shipped } of loaded) {
    if (shipped === true) continue;
    const first = file.declarations.find((decl) => USES_TYPES.has(decl.kind) && usesUnknownType(decl, symbols));
    if (first === undefined) continue;
    report.note(
      "W201",
      { start: first.span.start, end: first.span.start },
      "this program declares no types, so any type and any field is accepted",
      "declare types to check names and values: type Person(#id: string, age: number)",
    );
    return;
  }
}

function usesUnknownType(decl: ast.Declaration, symbols: Symbols): boolean {
  let found = false;
  forEachNode(decl, ({ type }) => {
    const name = typeof type === "object" && type !== null && "name" in type ? type.name : undefined;
    if (typeof name === "string" && symbols.type(name) === undefined) found = true;
  });
  return found;
}
