/** Compiling: from source text to a program, or an error that lists every mistake. */
import { Slices } from "../base/slices.ts";
import type { SourceFile, SourceText } from "../language/load.ts";
import { type CompileOptions, Program } from "./program.ts";
import { UNNAMED } from "./source.ts";

/**
 * Compiles one source text, and the files it imports, into a {@link Program}.
 *
 * @param source - The rules: a string, or bytes that must be UTF-8.
 * @param options - The file name for messages, how to read imports, host functions and limits.
 * @throws {@link CompileError} when the rules have errors. `diagnostics` lists all of them, not only the first.
 *
 * @example
 * ```ts
 * const program = compile(`
 *   type Person(#id: string, age: number)
 *   rule "adult" { when p: Person(age >= 18) then log(p.id) }`);
 * const session = program.session();
 * session.assert("Person", { id: "p1", age: 30 });
 * session.run().fired.length; // => 1
 * ```
 */
export function compile(source: SourceText, options: CompileOptions = {}): Program {
  return compileFiles([{ file: options.file ?? UNNAMED, source }], options);
}

/**
 * Compiles several files into one {@link Program}, in the order in which they are given.
 *
 * @throws {@link CompileError} when the rules have errors.
 *
 * @example
 * ```ts
 * const program = compileFiles([
 *   { file: "types.tsd", source: "type Person(#id: string)" },
 *   { file: "rules.tsd", source: 'rule "greet" { when p: Person then log(p.id) }' },
 * ]);
 * program.network().rules.map((rule) => rule.name); // => ["greet"]
 * ```
 */
export function compileFiles(files: readonly SourceFile[], options: CompileOptions = {}): Program {
  return Program.compile(files, options);
}

/**
 * Compiles one source text as {@link compile} does, in slices between which other work can run: as a rule at most 5 ms. The network
 * is planned as well, so that opening the first session does not have to.
 *
 * @throws {@link CompileError} when the rules have errors.
 *
 * @example
 * ```ts
 * const program = await compileAsync('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }');
 * program.network().rules.length; // => 1
 * ```
 */
export async function compileAsync(source: SourceText, options: CompileOptions = {}): Promise<Program> {
  return compileFilesAsync([{ file: options.file ?? UNNAMED, source }], options);
}

/** Compiles several files as {@link compileFiles} does, in slices as {@link compileAsync} does. */
export async function compileFilesAsync(files: readonly SourceFile[], options: CompileOptions = {}): Promise<Program> {
  const slices = new Slices();
  const program = await slices.run(Program.compiling(files, options));
  await slices.run(program.planning(true));
  await slices.run(program.preparing());
  return program;
}
