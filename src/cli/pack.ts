/** `sluice pack`: verifies decision packs, and creates keys to sign them with. */
import { packSignature, type PackFault, type PackVerifier, verifyPack } from "../index.ts";
import { packVerifier } from "../node/index.ts";
import { EXIT, type Io } from "./io.ts";
import { keygen, readKey } from "./keys.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { cannotRead, exitOf } from "./sources.ts";
import { readArguments, single, UsageError, wholeNumber, type Arguments } from "./arguments.ts";

export const PACK_HELP = `Usage: sluice pack verify FILE [options]
       sluice pack keygen FILE [--json]

verify checks a decision pack: its structure, the hash of every part, the root
hash and the signature. It then re-runs the program of the pack on the facts of
the pack, and compares results and explanations. It reports the first problem.
Hashes and re-running show that a pack is consistent; only a signature shows who
made it.

keygen creates a key pair: the private key in FILE (for "sluice run --sign"),
the public key in FILE.pub (for --key). It never overwrites a file.

To create a pack, use "sluice run FILES --pack FILE" or session.pack(result).

Options:
  --key FILE     require a signature by the private key of this public key
                 (Ed25519, PEM)
  --limit N      the most firings to re-run (default 100000); a pack cannot
                 raise it
  --matches N    the most partial matches at a time (default 1000000)
  --seconds N    stop re-running after N seconds (default 60)
  --json         print {"event":"pack","valid":true,"signature":…}; for an
                 invalid pack with code, part and message

Exit codes:
  0  the pack is valid
  1  the pack is not valid, or a limit stopped the verification
  2  wrong usage, or a file cannot be read

Example:
  sluice run examples/hello/rules.tsd --pack decision.json
  sluice pack verify decision.json
`;

/** The largest pack in bytes: a larger one does not fit into memory while it is verified. */
const LARGEST_PACK = 256 * 1024 * 1024;

export function packCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json"], ["key", "limit", "matches", "seconds"]);
  const [verb, file, more] = parsed.files;
  if (file !== undefined && more === undefined) {
    if (verb === "verify") return verify(io, file, parsed);
    if (verb === "keygen") return keygen(io, file, parsed);
  }
  throw new UsageError('expected "sluice pack verify FILE" or "sluice pack keygen FILE"');
}

interface VerifyOptions {
  readonly key: PackVerifier | undefined;
  readonly firings: number;
  readonly matches: number;
  readonly milliseconds: number;
  readonly json: boolean;
}

function verify(io: Io, file: string, parsed: Arguments): number {
  const keyFile = single(parsed, "key");
  const options: VerifyOptions = {
    key: keyFile === undefined ? undefined : readKey(io, keyFile, packVerifier),
    firings: wholeNumber(parsed, "limit", 0) ?? 100_000,
    matches: wholeNumber(parsed, "matches", 1) ?? 1_000_000,
    milliseconds: (wholeNumber(parsed, "seconds", 1) ?? 60) * 1000,
    json: parsed.flags.has("json"),
  };
  let bytes: Uint8Array;
  try {
    bytes = io.read(file, LARGEST_PACK);
  } catch (error) {
    const unread = [cannotRead(file, error)];
    showDiagnostics(io, unread, new Texts(), options.json);
    return exitOf(unread);
  }
  return verified(io, bytes, options);
}

function verified(io: Io, bytes: Uint8Array, { json, ...wanted }: VerifyOptions): number {
  const text = textOf(bytes);
  const fault = text === undefined ? NOT_TEXT : faultOf(io, text, wanted);
  const { key, checked } = { key: packSignature(text ?? "")?.key, checked: wanted.key !== undefined };
  if (json) {
    const signature = fault !== undefined ? {} : { signature: key === undefined ? null : { key, checked } };
    io.out(`${JSON.stringify({ event: "pack", valid: fault === undefined, ...fault, ...signature })}\n`);
  } else if (fault !== undefined) io.err(`error ${fault.code}  invalid pack (${fault.part}): ${fault.message}\n`);
  else io.out(`pack verified: hashes match, and re-running gives the same result\n${signedBy(key, checked)}\n`);
  return fault === undefined ? EXIT.fine : EXIT.fault;
}

function faultOf(io: Io, text: string, { key, ...budget }: Omit<VerifyOptions, "json">): PackFault | undefined {
  return verifyPack(text, undefined, {
    ...budget,
    functions: io.functions,
    now: () => io.now(),
    ...(key === undefined ? {} : { key }),
  });
}

function signedBy(key: string | undefined, checked: boolean): string {
  if (key === undefined) return "not signed: nothing shows who made the pack";
  return checked ? `signed by key ${key}` : `signed by key ${key}, not checked: pass the public key with --key`;
}

const NOT_TEXT: PackFault = { code: "E552", part: "form", message: "this is not UTF-8 text" };

/** Decodes strictly: a byte order mark counts as a change too. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
