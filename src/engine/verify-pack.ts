/** Verifies a decision pack: its form, its hashes and signature, and that re-running gives the same. */
import { type OptionNames, refuseUnknownOptions } from "../base/known-options.ts";
import type { PackProgram } from "../explain/show/pack.ts";
import { type PackVerifier, signatureFault } from "../explain/show/pack-signature.ts";
import { type PackFault, packFault, readPack } from "../explain/show/read-pack.ts";
import { SHIPPED } from "../language/load.ts";
import { plainPath } from "../language/path.ts";
import { CompileError, type OpenOptions, Program } from "./program.ts";
import { replayFault } from "./replay-pack.ts";
import type { Session } from "./session.ts";

/** The key to verify with, and what verification may cost. A pack can only lower these limits. */
export interface VerifyOptions {
  /** The public key. When given, the pack must carry a valid signature of this key. */
  readonly key?: PackVerifier;
  /** The number of firings in the repeated run. Default: 100,000. */
  readonly firings?: number;
  /** The number of live partial matches. Default: 1,000,000. A rule beyond it is switched off (E511). */
  readonly matches?: number;
  /** The time for the repeated run, in milliseconds of `now`. Default: 60,000. It is checked between firings. */
  readonly milliseconds?: number;
  /** The host functions that the program of the pack declares. Default: those of `like`. */
  readonly functions?: NonNullable<OpenOptions["functions"]>;
  /** A clock in milliseconds that never steps back. Default: `performance.now`. */
  readonly now?: () => number;
}

/**
 * Verifies a decision pack: its form, its hashes, its signature if a key is given, and that running its program on its
 * facts gives the same result. Returns undefined when the pack is valid, and the first fault otherwise.
 *
 * @param text - The pack, as {@link Session.pack} returned it.
 * @param like - For programs that call host functions which they do not declare: a session of the program. Its program and
 *   functions are used for the repeated run instead of compiling the program of the pack.
 *
 * @example
 * ```ts
 * const session = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }').session();
 * session.assert("Person", { id: "p1" });
 * const pack = session.pack(session.run());
 * verifyPack(pack); // => undefined
 * verifyPack(pack.replace("p1", "p2"))?.code; // => "E552"
 * ```
 */
export function verifyPack(text: string, like?: Session, options: VerifyOptions = {}): PackFault | undefined {
  refuseUnknownOptions(options, KNOWN);
  const read = readPack(text);
  if (read.fault !== undefined) return read.fault;
  const { pack } = read;
  const unsigned = options.key === undefined ? undefined : signatureFault(pack, options.key);
  if (unsigned !== undefined) return unsigned;
  try {
    const functions = options.functions ?? like?.functions;
    return replayFault(pack, () => like?.program ?? programOf(pack.program, options), functions, options);
  } catch (error) {
    if (error instanceof CompileError) return packFault("program", `the program has errors: ${error.message}`);
    if (error instanceof OtherText) return packFault("program", error.message);
    throw error;
  }
}

const KNOWN: OptionNames<VerifyOptions> = {
  key: true,
  firings: true,
  matches: true,
  milliseconds: true,
  functions: true,
  now: true,
};

/** Compiles the program of a pack. Files that come with this package are not read from the pack, but must be the same. */
function programOf(
  { files, params = {}, added = [], paths = {} }: PackProgram,
  { matches = 1_000_000 }: VerifyOptions,
): Program {
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  // The file of a table is read where the table names it.
  const isRules = ({ file }: { readonly file: string }): boolean => !file.startsWith(SHIPPED) && !file.endsWith(".csv");
  const own = files
    .filter(isRules)
    .map(({ file, text }) => ({ file, source: text, ...(added.includes(file) ? { added: true } : {}) }));
  const further = new Map(Object.entries(paths));
  const identity = (file: string): string => plainPath(further.get(plainPath(file)) ?? file);
  const read = Object.assign((file: string) => texts.get(further.get(file) ?? file), { identity });
  const program = Program.compile(own, { read, params, limits: { liveMatches: matches } });
  const compiled = new Map(program.checked.files.map(({ source }) => [source.file, source.text]));
  const other = files.find(({ file, text }) => compiled.get(file) !== text);
  if (other === undefined) return program;
  throw new OtherText(`${other.file} differs from the packed text: it belongs to another version of Sluice`);
}

class OtherText extends Error {}
