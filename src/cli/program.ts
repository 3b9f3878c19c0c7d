/** Reads the rules that a command line names and says what there is to say about them. */
import { compileFiles, CompileError, type Diagnostic, type Program } from "../index.ts";
import { auditsOutside } from "./audits.ts";
import type { Io } from "./io.ts";
import { showDiagnostics, type Texts } from "./report.ts";
import { exitOf, readImport, readSources, remembering } from "./sources.ts";

/** The program, or the exit code when there is none. */
export type LoadedProgram =
  { readonly program: Program; readonly exit?: undefined } | { readonly program?: undefined; readonly exit: number };

export function loadProgram(io: Io, paths: readonly string[], texts: Texts, json: boolean): LoadedProgram {
  const sources = readSources(io, paths);
  const { files, unreadable } = sources;
  texts.add(files);
  const compiled = compiledOr(() => compileFiles(files, { read: remembering(texts, readImport(io, sources)) }));
  const found = "diagnostics" in compiled ? [] : auditsOutside(io, compiled.checked);
  const said = "diagnostics" in compiled ? compiled.diagnostics : compiled.checked.diagnostics;
  const refused = [...unreadable, ...found];
  showDiagnostics(io, [...refused, ...said], texts, json);
  return "diagnostics" in compiled || refused.length > 0
    ? { exit: exitOf([...refused, ...said]) }
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
