/** Reads and creates the key files for signatures of packs. */
import { newPackKeys } from "../node/index.ts";
import { EXIT, type Io } from "./io.ts";
import { systemReason } from "./system-errors.ts";
import { cannotRead } from "./sources.ts";
import { UsageError, type Arguments } from "./arguments.ts";

const LARGEST_KEY = 64 * 1024;

/** Reads a key. A key that cannot be used is wrong usage, and nothing runs. */
export function readKey<Key>(io: Io, file: string, keyOf: (pem: string) => Key): Key {
  let pem: string;
  try {
    pem = new TextDecoder().decode(io.read(file, LARGEST_KEY));
  } catch (error) {
    throw new UsageError(`"${file}": ${cannotRead(file, error).message}`);
  }
  try {
    return keyOf(pem);
  } catch (error) {
    throw new UsageError(`"${file}" ${error instanceof Error ? error.message : "is not a usable key"}`);
  }
}

/** Creates a key pair. Never overwrites a file: a lost key cannot be created again. */
export function keygen(io: Io, file: string, parsed: Arguments): number {
  if (parsed.values.size > 0) throw new UsageError("keygen takes no option except --json");
  const { privateKey, publicKey, key } = newPackKeys();
  const made = { private: file, public: `${file}.pub` };
  create(io, made.public, publicKey); // first: what is left when the second fails is no secret
  create(io, made.private, privateKey);
  if (parsed.flags.has("json")) io.out(`${JSON.stringify({ event: "key", key, ...made })}\n`);
  else io.out(`key          ${key}\nprivate key  ${made.private} (keep it secret)\npublic key   ${made.public}\n`);
  return EXIT.fine;
}

function create(io: Io, file: string, text: string): void {
  try {
    io.create(file, text);
  } catch (error) {
    throw new UsageError(`cannot write "${file}": ${systemReason(error, "no such folder")}`);
  }
}
