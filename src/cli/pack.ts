/** `sluice pack`: verifies decision packs, and makes keys to sign them with. */
import { packSignature, type PackFault, type PackVerifier, verifyPack } from "../index.ts";
import { packVerifier } from "../node/index.ts";
import { EXIT, type Io } from "./io.ts";
import { keygen, readKey } from "./keys.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { cannotRead, exitOf } from "./sources.ts";
import { readArguments, single, UsageError, wholeNumber, type Arguments } from "./arguments.ts";

export const PACK_HELP = `sluice pack verify FILE [--key PUBLIC] [--limit N] [--matches N] [--seconds N] [--json]
sluice pack keygen FILE

verify checks a decision pack: its form, the hash of each part, the root hash and the signature; then it runs the program
of the pack on the facts of the pack again, and compares results and reasons. The first fault is shown with its part.
Hashes and re-running show that a pack is consistent. Only a signature shows who made it.

A pack is written by  sluice run FILES --pack FILE [--sign KEY]  and by session.pack(result).

keygen writes a new private key to FILE, for --sign, and the public key to FILE.pub, for --key.

  --key PUBLIC   the pack must be signed with the private key that belongs to this public key (Ed25519, PEM)
  --limit N      verify packs of up to N firings (100000); a pack cannot raise it
  --matches N    and of up to N partial matches at once (1000000)
  --seconds N    stop re-running after N seconds (60)
  --json         {"event":"pack","valid":true,"signature":…}, or valid false with code, part and message

Exit: 0 the pack is valid, 1 it is not, or verifying was stopped, 2 wrong usage or a file that cannot be read.

Example:  sluice run examples/hello/rules.tsd --pack decision.json && sluice pack verify decision.json
`;

/** In bytes: more could hardly be verified in memory. */
const LARGEST_PACK = 256 * 1024 * 1024;

export function packCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json"], ["key", "limit", "matches", "seconds"]);
  const [verb, file, more] = parsed.files;
  if (file !== undefined && more === undefined) {
    if (verb === "verify") return verify(io, file, parsed);
    if (verb === "keygen") return keygen(io, file, parsed);
  }
  throw new UsageError("say what to do with which file: sluice pack verify FILE, or sluice pack keygen FILE");
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
  } else if (fault !== undefined)
    io.err(`error ${fault.code}  the pack is not valid (${fault.part}): ${fault.message}\n`);
  else io.out(`pack verified: hashes match, and re-running gives the same result\n${signedBy(key, checked)}\n`);
  return fault === undefined ? EXIT.fine : EXIT.fault;
}

function faultOf(io: Io, text: string, { key, ...budget }: Omit<VerifyOptions, "json">): PackFault | undefined {
  return verifyPack(text, undefined, { ...budget, now: () => io.now(), ...(key === undefined ? {} : { key }) });
}

function signedBy(key: string | undefined, checked: boolean): string {
  if (key === undefined) return "not signed: this does not show who made the pack";
  return checked ? `signed by key ${key}` : `signed by key ${key}, not checked: give the public key with --key`;
}

const NOT_TEXT: PackFault = { code: "E552", part: "form", message: "this is not UTF-8 text" };

/** A mark at the beginning counts as a change too. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
