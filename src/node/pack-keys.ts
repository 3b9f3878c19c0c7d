/** Node adapter: Ed25519 keys for signatures of decision packs. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import type { PackSigner, PackVerifier } from "../index.ts";

/**
 * Creates a signer from a private key in PEM (PKCS #8).
 *
 * @throws Error when it is not an Ed25519 key.
 */
export function packSigner(pem: string): PackSigner {
  const key = ed25519(() => createPrivateKey(pem), "private");
  return { key: idOf(createPublicKey(key)), sign: (message) => sign(null, message, key) };
}

/**
 * Creates a verifier from a public key in PEM (SPKI).
 *
 * @throws Error when it is not an Ed25519 key, or when it is a private key.
 */
export function packVerifier(pem: string): PackVerifier {
  if (pem.includes("PRIVATE KEY")) throw new Error("is a private key: pass the public key, and keep this one secret");
  const key = ed25519(() => createPublicKey(pem), "public");
  return { key: idOf(key), verify: (message, signature) => verify(null, message, key, signature) };
}

/** A key pair for signing decision packs. */
export interface PackKeys {
  /** The private key in PEM (PKCS #8), for {@link packSigner}. */
  readonly privateKey: string;
  /** The public key in PEM (SPKI), for {@link packVerifier}. */
  readonly publicKey: string;
  /** The SHA-256 of the public key, as packs name it. */
  readonly key: string;
}

/**
 * Generates a new Ed25519 key pair for signing decision packs.
 *
 * @example
 * ```ts
 * import { newPackKeys, packSigner, packVerifier } from "sluice/node";
 *
 * const session = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }').session();
 * session.assert("Person", { id: "p1" });
 * const keys = newPackKeys();
 * const signed = signPack(session.pack(session.run()), packSigner(keys.privateKey));
 * verifyPack(signed, undefined, { key: packVerifier(keys.publicKey) }); // => undefined
 * ```
 */
export function newPackKeys(): PackKeys {
  const pair = generateKeyPairSync("ed25519");
  return {
    privateKey: String(pair.privateKey.export({ type: "pkcs8", format: "pem" })),
    publicKey: String(pair.publicKey.export({ type: "spki", format: "pem" })),
    key: idOf(pair.publicKey),
  };
}

function ed25519(read: () => KeyObject, which: "private" | "public"): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw new Error(`is not an unencrypted ${which} key in PEM format`);
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new Error(`is a key of type ${key.asymmetricKeyType ?? "unknown"}, expected Ed25519`);
}

function idOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}
