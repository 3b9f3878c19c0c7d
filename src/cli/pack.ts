/** `sluice pack verify`: whether a decision pack is as it was written, and whether deciding again gives the same. */
import { verifyPack } from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { cannotRead } from "./sources.ts";
import { readWords, UsageError } from "./usage.ts";

export const PACK_HELP = `sluice pack verify FILE [--json]

Checks a decision pack: its form, the hash of each part and the root hash; then decides again from the program and the facts
that stand in it, and compares results and reasons. The first difference is shown with the part it is in.

A pack is written by  sluice run FILES --pack FILE  and by session.pack(result).

  --json   {"event":"pack","valid":true}, or valid false with part and message

Exit: 0 the pack is right, 1 it is not, 2 wrong usage or a file that cannot be read.

Example:  sluice run examples/hello/rules.tsd --pack decision.json && sluice pack verify decision.json
`;

/** In bytes: more could hardly be verified in memory. */
const LARGEST_PACK = 256 * 1024 * 1024;

export function packCommand(io: Io, args: readonly string[]): number {
  const words = readWords(args, ["json"]);
  const [verb, file, more] = words.files;
  if (verb !== "verify" || file === undefined || more !== undefined) {
    throw new UsageError("say what to do with which file: sluice pack verify FILE");
  }
  const json = words.flags.has("json");
  let bytes: Uint8Array;
  try {
    bytes = io.read(file, LARGEST_PACK);
  } catch (error) {
    showDiagnostics(io, [cannotRead(file, error)], new Texts(), json);
    return EXIT.usage;
  }
  return verified(io, bytes, json);
}

function verified(io: Io, bytes: Uint8Array, json: boolean): number {
  const text = textOf(bytes);
  const fault = text === undefined ? { part: "form", message: "this is not UTF-8 text" } : verifyPack(text);
  if (json) io.out(`${JSON.stringify({ event: "pack", valid: fault === undefined, ...fault })}\n`);
  else if (fault === undefined) io.out("the pack is right: all hashes agree, and deciding again gives the same\n");
  else io.err(`the pack is not right (${fault.part}): ${fault.message}\n`);
  return fault === undefined ? EXIT.fine : EXIT.fault;
}

/** A mark at the beginning counts as a change too. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
