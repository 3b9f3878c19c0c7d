/**
 * Checks statements that are added to a program which is checked already, without checking that program again.
 *
 * This is done for statements that mean nothing to those above: rules, `remove rule`, queries and tests. A type, a fact, an action
 * or a gate can change what other statements mean; then the whole program is checked, and so it is when there are errors, so that
 * they are reported as in any other program.
 */
import { hasErrors, inSourceOrder } from "../../base/diagnostic.ts";
import { LayeredMap } from "../../base/layered-map.ts";
import { DEFAULT_LIMITS } from "../../base/limits.ts";
import type { Steps } from "../../base/slices.ts";
import type * as ast from "../ast.ts";
import { checkClock } from "./clock.ts";
import { reportLegacy } from "../legacy.ts";
import type { LoadedFile } from "../loaded-file.ts";
import { hasModules } from "../modules/files.ts";
import { plainPath } from "../path.ts";
import { Keys } from "./keys-in-use.ts";
import { silenced } from "./lint/allow.ts";
import { lintingExtension } from "./lint/lint.ts";
import {
  checkDeclaration,
  type CheckedProgram,
  type CheckOptions,
  elaboratedFile,
  noteOpenProgram,
} from "./program.ts";
import { usesRows } from "./query-rows.ts";
import { Symbols } from "./symbols.ts";
import { usesWindow } from "./windows.ts";
import { WrittenOut } from "./written-out.ts";

const ADDABLE: ReadonlySet<ast.Declaration["kind"]> = new Set(["rule", "remove-rule", "query", "test"]);

/** Returns the program with one more file; undefined when the whole program must be checked. One step for each statement. */
export function* checkingExtension(
  base: CheckedProgram,
  { file, report }: LoadedFile,
  options: CheckOptions = {},
): Steps<CheckedProgram | undefined> {
  if (base.unsettled || base.symbols.modules !== undefined || hasModules([{ file, report }])) return undefined;
  const names = namesIfAddable(base);
  const name = plainPath(file.source.file);
  if (names === undefined || names.has(name) || hasErrors(report.diagnostics)) return undefined;
  if (
    !file.declarations.every(
      (decl) => ADDABLE.has(decl.kind) && !isUnnamed(decl) && !usesRows(decl) && !usesWindow(decl),
    )
  )
    return undefined;
  const symbols = new Symbols(options.functions, base.symbols);
  yield* symbols.collecting(file, report);
  const resolutions = LayeredMap.over(base.resolutions);
  const conditionUses = LayeredMap.over(base.conditionUses);
  const valueFields = LayeredMap.over(base.valueFields);
  const holes = LayeredMap.over(base.holes);
  const times = timesOver(base.times);
  const tables = { ...base.tables, uses: LayeredMap.over(base.tables.uses), rows: LayeredMap.over(base.tables.rows) };
  const elaborated = new Map<ast.Declaration, ast.Declaration>();
  const limits = options.limits ?? DEFAULT_LIMITS;
  const cx = { symbols, report, limits, resolutions, conditionUses, valueFields, times, tables, holes, elaborated };
  const keys = new Keys();
  for (const decl of file.declarations) {
    checkDeclaration(cx, decl, keys);
    yield;
  }
  const writtenOut = new WrittenOut({ symbols, conditionUses, tableUses: tables.uses });
  const notes = { resolutions, times, symbols };
  for (const decl of file.declarations) {
    const checked = elaborated.get(decl) ?? decl;
    if (writtenOut.check(decl, checked, report)) checkClock(notes, checked, report);
  }
  yield* reportLegacy(file, report);
  if (!base.diagnostics.some(({ code }) => code === "W201")) noteOpenProgram([{ file, report }], symbols);
  if (hasErrors(report.diagnostics)) return undefined;
  yield* lintingExtension(cx, file.declarations, () => base.files.flatMap(({ declarations }) => declarations));
  const diagnostics = [...base.diagnostics, ...inSourceOrder(silenced(file, report, true))];
  symbols.elaborate(elaborated);
  const files = [...base.files, elaboratedFile(file, elaborated)];
  const { shipped, unsettled } = base;
  const extended = {
    files,
    shipped,
    symbols,
    resolutions,
    conditionUses,
    valueFields,
    times,
    tables,
    holes,
    diagnostics,
    unsettled,
  };
  FILE_NAMES.set(extended, names.continued().set(name, true));
  return extended;
}

/** Returns notes on times that continue those of a program. */
function timesOver({ types, operators, aggregates, held, texts }: CheckedProgram["times"]): CheckedProgram["times"] {
  return {
    types: LayeredMap.over(types),
    operators: LayeredMap.over(operators),
    aggregates: LayeredMap.over(aggregates),
    held: LayeredMap.over(held),
    texts: LayeredMap.over(texts),
  };
}

/** The names of the files of a program to which statements can be added. */
const FILE_NAMES = new WeakMap<CheckedProgram, LayeredMap<string, true> | typeof NOT_ADDABLE>();
const NOT_ADDABLE = "not addable";

/**
 * Returns the names of the files of a program; undefined when a new statement can change those above: a `reset` above lets names
 * start again, and rules without names are numbered past the names that are taken.
 */
function namesIfAddable(program: CheckedProgram): LayeredMap<string, true> | undefined {
  const known = FILE_NAMES.get(program) ?? namesOf(program);
  FILE_NAMES.set(program, known);
  return known === NOT_ADDABLE ? undefined : known;
}

function namesOf({ files }: CheckedProgram): LayeredMap<string, true> | typeof NOT_ADDABLE {
  const isFixed = (decl: ast.Declaration): boolean => decl.kind === "reset" || isUnnamed(decl);
  if (files.some(({ declarations }) => declarations.some(isFixed))) return NOT_ADDABLE;
  const names = LayeredMap.empty<string, true>();
  for (const { source } of files) names.set(plainPath(source.file), true);
  return names;
}

function isUnnamed(decl: ast.Declaration): boolean {
  return decl.kind === "rule" && decl.legacy === "unnamed-rule";
}
