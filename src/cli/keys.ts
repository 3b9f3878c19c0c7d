/** Keys for signatures of packs: reads and makes their files. */
import { newPackKeys } from "../node/index.ts";
import { EXIT, type Io } from "./io.ts";
import { systemReason } from "./system-errors.ts";
import { cannotRead } from "./sources.ts";
import { UsageError, type Arguments } from "./arguments.ts";

const LARGEST_KEY = 64 * 1024;

/** A key that cannot be used is wrong usage: nothing is run. */
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
    throw new UsageError(`"${file}" ${error instanceof Error ? error.message : "cannot be used"}`);
  }
}

/** Never replaces a file: a key that is gone cannot be made again. */
export function keygen(io: Io, file: string, parsed: Arguments): number {
  if (parsed.values.size > 0) throw new UsageError("keygen takes no options but --json");
  const { privateKey, publicKey, key } = newPackKeys();
  const made = { private: file, public: `${file}.pub` };
  create(io, made.public, publicKey); // first: what is left when the second fails is no secret
  create(io, made.private, privateKey);
  if (parsed.flags.has("json")) io.out(`${JSON.stringify({ event: "key", key, ...made })}\n`);
  else io.out(`key ${key}\nprivate key: ${made.private} (keep it secret)\npublic key: ${made.public}\n`);
  return EXIT.fine;
}

function create(io: Io, file: string, text: string): void {
  try {
    io.create(file, text);
  } catch (error) {
    throw new UsageError(`"${file}" cannot be written: ${systemReason(error, "there is no such folder")}`);
  }
}
