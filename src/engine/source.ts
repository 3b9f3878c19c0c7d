/** From source text to a checked program: load → parse → check. */
import type { Diagnostic } from "../base/diagnostic.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";
import { GUARDIANS } from "../guardian/standard.ts";
import { type CheckedProgram, checkProgram } from "../language/check/program.ts";
import type { HostFunctions } from "../language/check/symbols.ts";
import { decode } from "../language/decode.ts";
import { loadFiles, type ReadFile, type SourceFile, type SourceText } from "../language/load.ts";
import { type ParsedFile, parseSource } from "../language/parse.ts";

export interface CheckOptions {
  /** The name of the source in diagnostics. */
  readonly file?: string;
  /** Reads imported files; without it an `import` cannot be followed. */
  readonly read?: ReadFile;
  /** Pure functions that the host registers, with their signatures. */
  readonly functions?: HostFunctions;
  readonly limits?: Partial<Limits>;
}

/** A source as a tree, with what there is to say about its syntax. */
export interface Tree extends ParsedFile {
  readonly diagnostics: readonly Diagnostic[];
}

export const UNNAMED = "rules.tsd";

/** Never throws on bad rules: what could be read is in the tree, what could not in the diagnostics. */
export function parse(
  source: SourceText,
  options: { readonly file?: string; readonly limits?: Partial<Limits> } = {},
): Tree {
  const report = decode(options.file ?? UNNAMED, source);
  const file = parseSource(report, { limits: { ...DEFAULT_LIMITS, ...options.limits } });
  return { ...file, diagnostics: report.diagnostics };
}

/** For one source and what it imports. Never throws on bad rules. */
export function check(source: SourceText, options: CheckOptions = {}): CheckedProgram {
  return checkFiles([{ file: options.file ?? UNNAMED, source }], options);
}

/** The same for several files that make up one program. */
export function checkFiles(files: readonly SourceFile[], options: CheckOptions = {}): CheckedProgram {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const loaded = loadFiles(files, options.read, limits, GUARDIANS);
  const functions = options.functions === undefined ? {} : { functions: options.functions };
  return checkProgram(loaded, { limits, ...functions });
}
