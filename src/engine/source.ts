/** From source text to a checked program: load → parse → check. */
import { refuseUnknownOptions } from "../base/known-options.ts";
import { checkLimits } from "./known-names.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";
import { checkFiles } from "../engine.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { HostFunctions } from "../language/check/symbols.ts";
import { decode } from "../language/decode.ts";
import type { ReadFile, SourceText } from "../language/load.ts";
import { type ParsedFile, parseSource } from "../language/parse.ts";

/** Options of {@link check}, {@link compile} and their variants for several files. */
export interface CheckOptions {
  /** The file name that diagnostics show. Default: `rules.tsd`. */
  readonly file?: string;
  /**
   * Reads an imported file. Without it every `import` is an error (E701). In Node use `importReader` of `sluice/node`.
   */
  readonly read?: ReadFile;
  /**
   * The signatures of the host functions that rules may call, by name. The functions themselves are passed to
   * {@link Program.session}.
   */
  readonly functions?: HostFunctions;
  /**
   * Values for the parameters of the program, `param max_amount: number`, by name. A parameter without a default must be
   * given; an unknown name or a value of another type is an error (E216).
   */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The same as strings, from a command line or the environment: the declared type says how each is read. */
  readonly paramTexts?: Readonly<Record<string, string>>;
  /** Limits that differ from {@link DEFAULT_LIMITS}. */
  readonly limits?: Partial<Limits>;
}

/** A parsed source text: its statements, comments and syntax errors. */
export interface Tree extends ParsedFile {
  /** The syntax errors, in source order. */
  readonly diagnostics: readonly Diagnostic[];
}

export const UNNAMED = "rules.tsd";

/**
 * Parses one source text into a syntax tree, without following imports and without checking names or types. Never
 * throws because of syntax errors: the statements that could be read are in the tree, and the errors in `diagnostics`.
 */
export function parse(
  source: SourceText,
  options: { readonly file?: string; readonly limits?: Partial<Limits> } = {},
): Tree {
  refuseUnknownOptions(options, { file: true, limits: true });
  checkLimits(options.limits);
  const report = decode(options.file ?? UNNAMED, source);
  const file = parseSource(report, { limits: { ...DEFAULT_LIMITS, ...options.limits } });
  return { ...file, diagnostics: report.diagnostics };
}

/**
 * Checks one source text, and the files it imports, without compiling it. Never throws because of errors in the rules:
 * they are in `diagnostics` of the result.
 *
 * @example
 * ```ts
 * const { diagnostics } = check("type Person(#id: string) rule r { when p: Person(agee > 18) then log(p.id) }");
 * diagnostics.map((one) => one.code); // => ["E202"]
 * ```
 */
export function check(source: SourceText, options: CheckOptions = {}): CheckedProgram {
  return checkFiles([{ file: options.file ?? UNNAMED, source }], options);
}
