/** Lints: warnings about statements that are correct, and probably not what their author meant. */
import type { Report } from "../../../base/diagnostic.ts";
import { SmallSteps, type Steps } from "../../../base/slices.ts";
import type * as ast from "../../ast.ts";
import type { Context } from "../context.ts";
import { nodesOf } from "../../walk.ts";
import type { LoadedFile } from "../../loaded-file.ts";
import { warnOfFixedTests } from "./always.ts";
import { warnOfEmptyForall } from "./empty-forall.ts";
import { expiriesOf, type Expiries, warnOfExpiry } from "./expiring.ts";
import { warnOfFeeding } from "./feeding.ts";
import { warnOfHiddenNames } from "./hidden-names.ts";
import { statedFacts, type StatedFacts } from "./references.ts";
import { warnOfSlips } from "./slips.ts";
import { warnOfTable } from "./tables.ts";
import { usedConstants, warnOfUnusedConstants, warnOfUnusedNames } from "./unused.ts";

/** The statements that have tests. */
const JUDGED: ReadonlySet<ast.Declaration["kind"]> = new Set([
  "rule",
  "condition",
  "gate",
  "flow",
  "guardian",
  "pipeline",
  "query",
  "test",
  "function",
]);

/**
 * Warns of the statements of a program without errors. One step for each statement. Returns whether a warning may end when a statement
 * is added: that a constant is not used, or that a fact is not there.
 */
export function* lintingProgram(files: readonly LoadedFile[], contextOf: (report: Report) => Context): Steps<boolean> {
  const [first] = files;
  if (first === undefined) return false;
  const all = files.flatMap(({ file }) => file.declarations);
  const cx = contextOf(first.report);
  const constants = yield* usedConstants(cx, all);
  const stated = yield* statedFacts(cx.symbols, all);
  const expiries = expiriesOf(all);
  let isOpen = false;
  for (const { file, report, shipped, imported } of files) {
    if (shipped === true) continue;
    const here = contextOf(report);
    const before = report.diagnostics.length;
    // A file that is imported, or that has nothing but declarations, may have constants for other programs.
    const isLibrary =
      imported === true || !file.declarations.some(({ kind }) => kind !== "function" && JUDGED.has(kind));
    const own = isLibrary ? file.declarations.filter((decl) => decl.private === true) : file.declarations;
    warnOfUnusedConstants(here, own, constants);
    if (stated !== undefined) yield* warningOfReferences(here, stated, file.declarations);
    isOpen ||= report.diagnostics.length > before;
    yield* lintingStatements(here, file.declarations, expiries);
  }
  return isOpen;
}

/** Warns of statements that are added to a program; `base` are those of the program. */
export function* lintingExtension(
  cx: Context,
  declarations: readonly ast.Declaration[],
  base: () => readonly ast.Declaration[],
): Steps<void> {
  if (declarations.some(({ kind }) => kind === "test")) {
    const stated = yield* statedFacts(cx.symbols, [...base(), ...declarations]);
    if (stated !== undefined) yield* warningOfReferences(cx, stated, declarations);
  }
  yield* lintingStatements(cx, declarations, expiriesOf(base()));
}

function* warningOfReferences(cx: Context, stated: StatedFacts, declarations: readonly ast.Declaration[]): Steps<void> {
  const small = new SmallSteps();
  for (const decl of declarations) {
    stated.warn(cx, decl);
    if (decl.kind !== "fact" || small.isDue()) yield;
  }
}

function* lintingStatements(cx: Context, declarations: readonly ast.Declaration[], expiries: Expiries): Steps<void> {
  for (const decl of declarations) {
    if (decl.kind === "table") {
      warnOfTable(cx, decl);
      yield;
    }
    if (!JUDGED.has(decl.kind)) continue;
    const nodes = nodesOf(decl);
    warnOfFixedTests(cx, decl);
    warnOfUnusedNames(cx, decl, nodes);
    warnOfHiddenNames(cx, decl, nodes);
    warnOfSlips(cx, nodes);
    warnOfEmptyForall(cx, nodes);
    warnOfExpiry(cx, expiries, nodes);
    if (decl.kind === "rule") warnOfFeeding(cx, decl);
    yield;
  }
}
