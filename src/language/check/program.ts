/** Checks a whole program: all names first, then every statement of every file. */
import { type Diagnostic, inSourceOrder, type Report } from "../../base/diagnostic.ts";
import { unreachable } from "../../base/invariant.ts";
import { DEFAULT_LIMITS, type Limits } from "../../base/limits.ts";
import { finish, type Steps } from "../../base/slices.ts";
import type * as ast from "../ast.ts";
import { reportLegacy } from "../legacy.ts";
import type { ParsedFile } from "../parse.ts";
import { restartsIn } from "../restart.ts";
import { forEachNode } from "../walk.ts";
import type { Context, Hole, Resolution } from "./context.ts";
import { checkCondition, checkFlow, checkGate } from "./decisions.ts";
import { checkData, checkFact, DATA, Keys, plainValue } from "./facts.ts";
import { checkParams, checkTypeDecl } from "./fields.ts";
import { checkGuardian } from "./guardian.ts";
import { checkOption } from "./options.ts";
import { checkPipeline } from "./pipeline.ts";
import { checkQuery, checkRule } from "./rules.ts";
import { type HostFunctions, Symbols } from "./symbols.ts";
import { checkTestDecl } from "./tests.ts";
import { ANY } from "./types.ts";
import { checkTypeName } from "./typing.ts";
import { checkXupleSpace } from "./xuples.ts";

/** A parsed file with its report so far. */
export interface LoadedFile {
  readonly file: ParsedFile;
  readonly report: Report;
  /** True when it comes with the package: the program's own names and facts take precedence. */
  readonly shipped?: boolean;
}

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
  /** The expressions in the `{…}` holes of guardian reasons, in order. */
  readonly holes: ReadonlyMap<ast.TextExpr, readonly Hole[]>;
  /** All errors and warnings, in source order. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface CheckOptions {
  readonly limits?: Limits;
  /** Pure functions of the host that rules may call. */
  readonly functions?: HostFunctions;
}

export function checkProgram(files: readonly LoadedFile[], options: CheckOptions = {}): CheckedProgram {
  return finish(checkingProgram(files, options));
}

/** Does the same in steps, one for each statement. */
export function* checkingProgram(files: readonly LoadedFile[], options: CheckOptions = {}): Steps<CheckedProgram> {
  const loaded = sinceRestart(files);
  const symbols = new Symbols(options.functions);
  yield;
  for (const { file, report, shipped } of loaded) if (shipped !== true) yield* symbols.collecting(file, report);
  for (const { file, report, shipped } of loaded) if (shipped === true) symbols.collectShipped(file, report);
  symbols.resolveFieldTypes();
  const resolutions = new Map<ast.PathExpr, Resolution>();
  const holes = new Map<ast.TextExpr, readonly Hole[]>();
  const keys = new Keys();
  for (const { file, report, shipped } of loaded) {
    keys.replaceable = shipped === true;
    const cx = { symbols, report, limits: options.limits ?? DEFAULT_LIMITS, resolutions, holes };
    for (const decl of file.declarations) {
      checkDeclaration(cx, decl, keys);
      yield;
    }
  }
  for (const { file, report } of files) yield* reportLegacy(file, report);
  yield;
  noteOpenProgram(loaded, symbols);
  yield;
  return {
    files: loaded.map(({ file }) => file),
    shipped: new Set(loaded.flatMap(({ file, shipped }) => (shipped === true ? [file] : []))),
    symbols,
    resolutions,
    holes,
    diagnostics: loaded.flatMap(({ report }) => inSourceOrder(report.diagnostics)),
  };
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

function reportRestart(report: Report, again: ast.Declaration): void {
  if (!("name" in again) || again.name === null) return;
  const message = `old syntax: ${again.kind} "${again.name.name}" is defined again after "reset", so rules and facts above it are forgotten`;
  const hint =
    again.kind === "rule"
      ? 'remove them first: "remove rule name" above "reset"; "sluice fmt --migrate" writes it'
      : `remove what is above "reset", or give the new ${again.kind} another name`;
  report.warning("W101", again.name.span, message, hint);
}

function checkDeclaration(cx: Context, decl: ast.Declaration, keys: Keys): void {
  switch (decl.kind) {
    case "type":
      return checkTypeDecl(cx, decl);
    case "fact":
      checkFact(cx, decl.fact, DATA);
      return keys.take(cx, decl.fact);
    case "action":
      return checkParams(cx, decl.params);
    case "rule":
      return checkRule(cx, decl);
    case "condition":
      return checkCondition(cx, decl);
    case "gate":
      return checkGate(cx, decl);
    case "flow":
      return checkFlow(cx, decl);
    case "guardian":
      return checkGuardian(cx, decl);
    case "pipeline":
      return checkPipeline(cx, decl);
    case "list-decl":
      for (const item of decl.items) checkData(cx, decl.name.name, ANY, item);
      return;
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
      return; // done when the program was loaded and its names were collected
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
  keys.free(decl.type.name, decl.keys.map(plainValue));
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
function noteOpenProgram(loaded: readonly LoadedFile[], symbols: Symbols): void {
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
