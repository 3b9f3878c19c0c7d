/**
 * The corridor: names every stage in order.
 *
 *   source text → load → parse → check → plan      once per program
 *   plan → assemble → session                      once per session
 */
import { type CompileOptions, Program } from "./engine/program.ts";
import { UNNAMED } from "./engine/source.ts";
import type { SourceFile, SourceText } from "./language/load.ts";

export { check, checkFiles, parse } from "./engine/source.ts";

/** Throws a CompileError with all diagnostics when the rules are at fault. */
export function compile(source: SourceText, options: CompileOptions = {}): Program {
  return compileFiles([{ file: options.file ?? UNNAMED, source }], options);
}

/** The same for several files that make up one program. */
export function compileFiles(files: readonly SourceFile[], options: CompileOptions = {}): Program {
  return Program.compile(files, options);
}
