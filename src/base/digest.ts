/** Digests of texts, as short strings that can be part of a file name or a header. */
import { sha256 } from "@noble/hashes/sha2.js";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
/** The number of bytes of a digest that are kept: 160 bits, 32 letters. */
const KEPT_BYTES = 20;

/** Returns the first 160 bits of the SHA-256 of a text, in base 32. */
export function digestOf(text: string): string {
  return base32(sha256(new TextEncoder().encode(text)).subarray(0, KEPT_BYTES));
}

/** Returns bytes in base 32 (RFC 4648, lower case, without padding). */
export function base32(bytes: Uint8Array): string {
  let letters = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) letters += ALPHABET[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? letters : letters + ALPHABET[(held << (5 - bits)) & 31];
}
