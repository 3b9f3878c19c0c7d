/** Signs decision packs and verifies signatures. The cryptography is passed in: `sluice/node` has it for Node. */
import { canonicalJson } from "./canonical-json.ts";
import { hex, type Pack, type PackSignature } from "./pack.ts";
import { type PackFault, packFault, readPack } from "./read-pack.ts";

/** Makes Ed25519 signatures with a private key. In Node use `packSigner` of `sluice/node`. */
export interface PackSigner {
  /** The SHA-256 of the public key (SPKI, DER), in hexadecimal digits. */
  readonly key: string;
  /** Returns the signature of a message, 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

/** Checks Ed25519 signatures with a public key. In Node use `packVerifier` of `sluice/node`. */
export interface PackVerifier {
  /** The SHA-256 of the public key (SPKI, DER), in hexadecimal digits. */
  readonly key: string;
  /** Returns whether a signature of a message is valid. */
  verify(message: Uint8Array, signature: Uint8Array): boolean;
}

/**
 * Returns the pack with a signature. An existing signature is replaced.
 *
 * @throws Error when it is not a pack whose hashes match.
 */
export function signPack(text: string, signer: PackSigner): string {
  const read = readPack(text);
  if (read.fault !== undefined) throw new Error(`this pack cannot be signed: ${read.fault.message}`);
  const value = hex(signer.sign(messageOf(read.pack, signer.key)));
  const signature: PackSignature = { algorithm: "Ed25519", key: signer.key, value };
  return canonicalJson({ ...read.pack, signature });
}

/** Returns the signature that a pack carries, without verifying it; undefined when it has none or is not a pack. */
export function packSignature(text: string): PackSignature | undefined {
  const read = readPack(text);
  return read.fault === undefined ? read.pack.signature : undefined;
}

export function signatureFault(pack: Pack, verifier: PackVerifier): PackFault | undefined {
  const { signature } = pack;
  if (signature === undefined) return packFault("signature", "the pack is not signed");
  if (signature.key !== verifier.key) {
    return packFault("signature", `the pack is signed by key ${signature.key}, not by ${verifier.key}`);
  }
  const right = verifier.verify(messageOf(pack, signature.key), bytesOf(signature.value));
  return right
    ? undefined
    : packFault("signature", "the signature does not match: the pack or its signature was changed");
}

/** Prefix of the signed message, so that a signature of other data is never valid for a pack. */
const DOMAIN = "sluice-pack-signature/1";

function messageOf(pack: Pack, key: string): Uint8Array {
  const unsigned: Record<string, unknown> = { ...pack };
  delete unsigned["signature"];
  return new TextEncoder().encode(`${DOMAIN}\n${key}\n${canonicalJson(unsigned)}`);
}

function bytesOf(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
}
