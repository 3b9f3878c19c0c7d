/** Reads the rules that a command line names and says what there is to say about them. */
import { compileFiles, CompileError, type Diagnostic, type Program } from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { showDiagnostics, type Texts } from "./report.ts";
import { readImport, readSources, remembering } from "./sources.ts";

/** The program, or the exit code when there is none. */
export type LoadedProgram =
  { readonly program: Program; readonly exit?: undefined } | { readonly program?: undefined; readonly exit: number };

export function loadProgram(io: Io, paths: readonly string[], texts: Texts, json: boolean): LoadedProgram {
  const { files, unreadable } = readSources(io, paths);
  texts.add(files);
  const compiled = compiledOr(() => compileFiles(files, { read: remembering(texts, readImport(io)) }));
  const diagnostics = "diagnostics" in compiled ? compiled.diagnostics : compiled.checked.diagnostics;
  showDiagnostics(io, [...unreadable, ...diagnostics], texts, json);
  if (unreadable.length > 0 || diagnostics.some((one) => one.code === "E701")) return { exit: EXIT.usage };
  return "diagnostics" in compiled ? { exit: EXIT.fault } : { program: compiled };
}

function compiledOr(compile: () => Program): Program | { readonly diagnostics: readonly Diagnostic[] } {
  try {
    return compile();
  } catch (error) {
    if (error instanceof CompileError) return { diagnostics: error.diagnostics };
    throw error;
  }
}
