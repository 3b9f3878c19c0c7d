/** Tests signatures of decision packs: who signed a pack, and that nothing in it changed since. */
import { createHash, generateKeyPairSync } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/explain/show/canonical-json.ts";
import { compile, packSignature, signPack, verifyPack } from "../../src/index.ts";
import { newPackKeys, packSigner, packVerifier } from "../../src/node/index.ts";
import { runCli } from "../support/io.ts";
import { type RealCli, realCli } from "../support/real-cli.ts";

const SOURCE = `type P(#i: string, n: number)
P(i: "a", n: 1)
rule r { when p: P(n > 0) then log(p.i) }
`;

const [ours, theirs] = [newPackKeys(), newPackKeys()];
const [signer, key] = [packSigner(ours.privateKey), packVerifier(ours.publicKey)];

function packed(source = SOURCE): string {
  const session = compile(source).session();
  return session.pack(session.run());
}

const signed = signPack(packed(), signer);

function faultOf(text: string, verifier = key): string | undefined {
  const fault = verifyPack(text, undefined, { key: verifier });
  return fault === undefined ? undefined : `${fault.part}: ${fault.message}`;
}

test("a signed pack verifies with its key, and without any", () => {
  expect(faultOf(signed)).toBeUndefined();
  expect(verifyPack(signed)).toBeUndefined();
  expect(packSignature(signed)).toMatchObject({ algorithm: "Ed25519", key: ours.key });
  expect(packSignature(packed())).toBeUndefined();
});

test("signing again gives the same pack, and replaces another signature", () => {
  expect(signPack(signed, signer)).toBe(signed);
  expect(signPack(signPack(packed(), packSigner(theirs.privateKey)), signer)).toBe(signed);
});

test("a pack without a signature is refused when one is asked for", () => {
  expect(faultOf(packed())).toBe("signature: the pack is not signed");
});

test("a pack that somebody else signed is refused", () => {
  expect(faultOf(signed, packVerifier(theirs.publicKey))).toBe(
    `signature: the pack is signed by key ${ours.key}, not by ${theirs.key}`,
  );
});

test("a signature under another key's name is refused", () => {
  const text = signPack(packed(), packSigner(theirs.privateKey)).replace(theirs.key, ours.key);
  expect(faultOf(text)).toMatch(/^signature: the signature does not match/u);
});

test("the signature of another pack is refused", () => {
  const other = JSON.parse(packed(SOURCE.replace('"a"', '"b"'))) as object;
  const moved = canonicalJson({ ...other, signature: packSignature(signed) });
  expect(verifyPack(moved)).toBeUndefined();
  expect(faultOf(moved)).toMatch(/^signature: the signature does not match/u);
});

test("a forged pack with right hashes is found by its signature before the program runs", () => {
  const pack = JSON.parse(signed) as { program: { files: { text: string }[] }; sha256: Record<string, string> };
  const [file] = pack.program.files;
  if (file !== undefined) file.text += "// changed\n";
  const hash = (data: unknown): string => createHash("sha256").update(canonicalJson(data)).digest("hex");
  pack.sha256["program"] = hash(pack.program);
  const root = hash({ format: "sluice-pack/1", sha256: pack.sha256 });
  const forged = canonicalJson({ ...pack, root });
  expect(verifyPack(forged)).toBeUndefined();
  let asked = 0;
  const fault = verifyPack(forged, undefined, { key, now: () => asked++ });
  expect(fault?.part).toBe("signature");
  expect(asked).toBe(0);
});

test("every byte of a signed pack is covered", () => {
  const bytes = new TextEncoder().encode(signed);
  const unnoticed: number[] = [];
  for (let at = 0; at < bytes.length; at += 7) {
    const other = Uint8Array.from(bytes);
    other[at] = (bytes[at] ?? 0) ^ 0x01;
    if (faultOf(new TextDecoder().decode(other)) === undefined) unnoticed.push(at);
  }
  expect(unnoticed).toEqual([]);
});

test("what is signed names its purpose and the key", () => {
  const messages: string[] = [];
  signPack(packed(), {
    key: ours.key,
    sign: (message) => {
      messages.push(new TextDecoder().decode(message));
      return new Uint8Array(64);
    },
  });
  expect(messages).toEqual([`sluice-pack-signature/1\n${ours.key}\n${packed()}`]);
});

test("only a pack can be signed", () => {
  expect(() => signPack("{}", signer)).toThrow("this pack cannot be signed: this is not a decision pack");
});

describe("a key", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 });

  test.each([
    ["nothing", (): unknown => packSigner(""), "is not an unencrypted private key in PEM format"],
    [
      "a public key to sign with",
      (): unknown => packSigner(ours.publicKey),
      "is not an unencrypted private key in PEM format",
    ],
    [
      "a private key to verify with",
      (): unknown => packVerifier(ours.privateKey),
      "is a private key: pass the public key",
    ],
    ["text to verify with", (): unknown => packVerifier("hello"), "is not an unencrypted public key in PEM format"],
    [
      "another kind of key",
      (): unknown => packVerifier(String(rsa.publicKey.export({ type: "spki", format: "pem" }))),
      "is a key of type rsa, expected Ed25519",
    ],
  ])("that is %s is refused", (_, make, message) => expect(make).toThrow(message));
});

// ---------------------------------------------------------------- the command line

describe("the command line", () => {
  const files = {
    "rules.tsd": SOURCE,
    "key.pem": ours.privateKey,
    "key.pub": ours.publicKey,
    "their.pub": theirs.publicKey,
  };
  const written =
    runCli(["run", "rules.tsd", "--pack", "p.json", "--sign", "key.pem"], files).written.get("p.json") ?? "";
  const unsigned = runCli(["run", "rules.tsd", "--pack", "p.json"], files).written.get("p.json") ?? "";
  const verify = (text: string, ...more: string[]): { exit: number; out: string; err: string } =>
    runCli(["pack", "verify", "p.json", ...more], { ...files, "p.json": text });
  const VERIFIED = "pack verified: hashes match, and re-running gives the same result\n";

  test("says whether the signature was checked", () => {
    expect(verify(written, "--key", "key.pub")).toMatchObject({
      exit: 0,
      out: `${VERIFIED}signed by key ${ours.key}\n`,
    });
    expect(verify(written)).toMatchObject({
      exit: 0,
      out: `${VERIFIED}signed by key ${ours.key}, not checked: pass the public key with --key\n`,
    });
    expect(verify(unsigned)).toMatchObject({
      exit: 0,
      out: `${VERIFIED}not signed: nothing shows who made the pack\n`,
    });
  });

  test("says it as JSON too", () => {
    const signature = { key: ours.key, checked: true };
    expect(JSON.parse(verify(written, "--key", "key.pub", "--json").out)).toEqual({
      event: "pack",
      valid: true,
      signature,
    });
    expect(JSON.parse(verify(written, "--json").out)).toMatchObject({ signature: { checked: false } });
    expect(JSON.parse(verify(unsigned, "--json").out)).toEqual({ event: "pack", valid: true, signature: null });
    expect(JSON.parse(verify(unsigned, "--json", "--key", "key.pub").out)).toEqual({
      event: "pack",
      valid: false,
      code: "E552",
      part: "signature",
      message: "the pack is not signed",
    });
  });

  test("refuses what is not signed, signed by others, or changed", () => {
    for (const [text, verifier] of [
      [unsigned, "key.pub"],
      [written, "their.pub"],
      [written.replace(ours.key, theirs.key), "key.pub"],
    ] as const) {
      const ran = verify(text, "--key", verifier);
      expect(ran.exit).toBe(1);
      expect(ran.err).toMatch(/^error E552 {2}invalid pack \(signature\): /u);
    }
  });

  test.each([
    [["pack", "verify", "p.json", "--key", "nowhere.pub"], '"nowhere.pub": cannot read the file: no such file'],
    [["pack", "verify", "p.json", "--key", "rules.tsd"], '"rules.tsd" is not an unencrypted public key in PEM format'],
    [["pack", "verify", "p.json", "--key", "key.pem"], '"key.pem" is a private key: pass the public key'],
    [
      ["run", "rules.tsd", "--pack", "p.json", "--sign", "key.pub"],
      '"key.pub" is not an unencrypted private key in PEM format',
    ],
    [["run", "rules.tsd", "--sign", "key.pem"], "--sign needs --pack FILE"],
    [["pack", "keygen"], "sluice pack keygen FILE"],
    [["pack", "keygen", "k", "--key", "x"], "keygen takes no option except --json"],
    [["pack", "sign", "p.json"], 'expected "sluice pack verify FILE"'],
  ])("%j is wrong usage, and nothing is run", (args, message) => {
    const ran = runCli(args, { ...files, "p.json": unsigned });
    expect(ran.err).toContain(message);
    expect(ran).toMatchObject({ exit: 2, out: "" });
    expect([...ran.written.keys()]).toEqual([]);
  });

  test("stops at its own limit, which the user can raise", () => {
    expect(verify(unsigned, "--limit", "0").err).toBe(
      "error E552  invalid pack (results): the pack has 1 firing; the limit is 0\n",
    );
    expect(verify(unsigned, "--limit", "1").exit).toBe(0);
  });
});

describe("a process", () => {
  let cli: RealCli;
  beforeAll(async () => {
    cli = await realCli();
    writeFileSync(join(cli.folder, "rules.tsd"), SOURCE);
  });
  afterAll(() => cli.remove());

  test("makes keys that nobody else can read, never over others, signs and verifies", async () => {
    const made = await cli.shell("sluice pack keygen key.pem");
    expect(made).toMatchObject({ exit: 0, err: "" });
    expect(statSync(join(cli.folder, "key.pem")).mode & 0o077).toBe(0);
    const before = readFileSync(join(cli.folder, "key.pem"), "utf8");
    const again = await cli.shell("sluice pack keygen key.pem");
    expect(again.exit).toBe(2);
    expect(again.err).toContain('cannot write "key.pem.pub": the file already exists');
    expect(readFileSync(join(cli.folder, "key.pem"), "utf8")).toBe(before);
    const run = "sluice run rules.tsd --pack p.json --sign key.pem";
    const signedBy = await cli.shell(`${run} && sluice pack verify p.json --key key.pem.pub`);
    expect(signedBy).toMatchObject({ exit: 0 });
    expect(signedBy.out).toContain(`signed by key ${/^key +(\S+)$/mu.exec(made.out)?.[1] ?? "?"}\n`);
  }, 60_000);

  test.each([
    ["sluice pack verify /dev/zero", 1, "error E302  the file has more than 268435456 bytes"],
    ["sluice pack verify .", 2, "error E701  cannot read the file: it is a folder"],
    ["printf '\\xff' | sluice pack verify -", 1, "error E552  invalid pack (form): this is not UTF-8 text"],
    ["sluice pack verify <(echo)", 1, "error E552  invalid pack (form): this is not JSON"],
    ["sluice run rules.tsd --pack p.json --sign /dev/zero", 2, '"/dev/zero": the file has more than 65536 bytes'],
  ])(
    "%s ends with %i",
    async (line, exit, message) => {
      const ran = await cli.shell(line);
      expect(ran.err).toContain(message);
      expect(ran.exit).toBe(exit);
    },
    60_000,
  );
});
