/** Loads and compiles the rules on a command line, and reports what is wrong with them. */
import { compileFiles, CompileError, type Diagnostic, type Program } from "../index.ts";
import { auditsOutside } from "./audits.ts";
import type { Io } from "./io.ts";
import { showDiagnostics, type Texts } from "./report.ts";
import { exitOf, readImport, readSources, remembering } from "./sources.ts";

/** The program, or the exit code when it has errors. */
export type LoadedProgram =
  { readonly program: Program; readonly exit?: undefined } | { readonly program?: undefined; readonly exit: number };

export function loadProgram(io: Io, paths: readonly string[], texts: Texts, json: boolean): LoadedProgram {
  const sources = readSources(io, paths);
  const { files, unreadable } = sources;
  texts.add(files);
  const compiled = compiledOr(() =>
    compileFiles(files, { read: remembering(texts, readImport(io, sources)), paramTexts: io.params }),
  );
  const found = "diagnostics" in compiled ? [] : auditsOutside(io, compiled.checked);
  const reported = "diagnostics" in compiled ? compiled.diagnostics : compiled.checked.diagnostics;
  const refused = [...unreadable, ...found];
  showDiagnostics(io, [...refused, ...reported], texts, json);
  return "diagnostics" in compiled || refused.length > 0
    ? { exit: exitOf([...refused, ...reported]) }
    : { program: compiled };
}

function compiledOr(compile: () => Program): Program | { readonly diagnostics: readonly Diagnostic[] } {
  try {
    return compile();
  } catch (error) {
    if (error instanceof CompileError) return { diagnostics: error.diagnostics };
    throw error;
  }
}
