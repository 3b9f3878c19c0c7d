/** Tests decision packs: a pack can be verified and re-run, and every change to it is noticed. */
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/explain/show/canonical-json.ts";
import { readPack } from "../../src/explain/show/read-pack.ts";
import { compile, type RuleSession, verifyPack } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const SMALL_SOURCE = `type P(#i: string, n: number)
P(i: "é", n: 1)
rule r { when p: P(n > 0) then log(p.i) }
`;

function packed(source: string): string {
  const session = compile(source).session();
  return session.pack(session.run());
}

test("a pack verifies", () => {
  expect(verifyPack(packed(SMALL_SOURCE))).toBeUndefined();
});

test("the same run gives the same pack, byte for byte", () => {
  expect(packed(SMALL_SOURCE)).toBe(packed(SMALL_SOURCE));
});

test("every part has its SHA-256", () => {
  const pack = JSON.parse(packed(SMALL_SOURCE)) as Record<string, unknown> & { sha256: Record<string, string> };
  for (const [name, hash] of Object.entries(pack.sha256)) {
    expect(hash).toBe(createHash("sha256").update(canonicalJson(pack[name])).digest("hex"));
  }
  expect(Object.keys(pack.sha256)).toEqual(["facts", "program", "reasoning", "results"]);
});

describe("any single byte that is changed is found, and its part is named", () => {
  const bytes = new TextEncoder().encode(packed(SMALL_SOURCE));
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  test.each([0x01, 0x20, 0x80, 0xff])("with the bits %i turned", (bits) => {
    const parts = new Set<string>();
    for (let at = 0; at < bytes.length; at++) {
      const other = Uint8Array.from(bytes);
      other[at] = (bytes[at] ?? 0) ^ bits;
      parts.add(faultOf(other));
    }
    expect(parts.has("none")).toBe(false);
    if (bits === 0x01)
      expect([...parts].sort()).toEqual(["facts", "form", "hashes", "program", "reasoning", "results", "root"]);
  });

  test("and any byte that is taken away or added", () => {
    const faults = new Set<string>();
    for (let at = 0; at < bytes.length; at++) {
      const [before, after] = [bytes.slice(0, at), bytes.slice(at)];
      faults.add(faultOf(Uint8Array.from([...before, ...after.slice(1)])));
      faults.add(faultOf(Uint8Array.from([...before, 0x20, ...after])));
    }
    expect(faults.has("none")).toBe(false);
  });

  function faultOf(changed: Uint8Array): string {
    try {
      const read = readPack(decoder.decode(changed));
      return read.fault?.part ?? "none";
    } catch {
      return "form"; // not UTF-8
    }
  }
});

// ---------------------------------------------------------------- deciding again

interface Contents {
  readonly program: { readonly files: { text: string }[] };
  readonly facts: { readonly facts: { readonly fields: { n: number } }[] };
  readonly results: { readonly effects: { args: string[] }[] };
  readonly reasoning: { upward_rationale: string }[];
}

/** With other content and right hashes: as somebody would who has read this program. */
function forged(text: string, change: (pack: Contents) => void): string {
  const pack = JSON.parse(text) as Record<string, unknown>;
  change(pack as unknown as Contents);
  const hash = (data: unknown): string => createHash("sha256").update(canonicalJson(data)).digest("hex");
  const sha256 = Object.fromEntries(
    ["program", "facts", "results", "reasoning"].map((name) => [name, hash(pack[name])]),
  );
  const root = hash({ format: "sluice-pack/1", sha256 });
  return canonicalJson({ ...pack, sha256, root });
}

test("a pack with right hashes and wrong content is found by deciding again", () => {
  const text = packed(SMALL_SOURCE);
  const results = forged(text, (pack) => {
    const [effect] = pack.results.effects;
    if (effect !== undefined) effect.args = ["somebody else"];
  });
  expect(verifyPack(results)).toEqual({
    code: "E552",
    part: "results",
    message: 're-running gives different results: effects[0].args[0] is "é", and the pack says "somebody else"',
  });
  const facts = forged(text, (pack) => {
    const [fact] = pack.facts.facts;
    if (fact !== undefined) fact.fields.n = -1;
  });
  expect(verifyPack(facts)?.part).toBe("results");
  const reasons = forged(text, (pack) => {
    const [step] = pack.reasoning;
    if (step !== undefined) step.upward_rationale = "because I say so";
  });
  expect(verifyPack(reasons)?.part).toBe("reasoning");
  const program = forged(text, (pack) => {
    const [file] = pack.program.files;
    if (file !== undefined) file.text = "rule";
  });
  expect(verifyPack(program)?.part).toBe("program");
});

const LONGER = `
type Person(#id: string, age: number, status: string = "new")
type Note(text: string)
rule b salience -1 { when n: Note then log(n.text) }
rule a { when p: Person(age > 18, status == "new") not Note(text == p.id) then insert Note(text: p.id) p.status = "seen" }
rule total { when s: count() from n: Note where s > 1 then log("many", s) }
`;

function filled(): RuleSession {
  const session = compile(LONGER).session();
  session.assert("Note", { text: "first" });
  session.assert("Person", { id: "p1", age: 30 });
  session.retract("Note~@1");
  session.assert("Person", { id: "p2", age: 40 });
  session.assert("Note", { text: "second" });
  return session;
}

test("a run that makes facts is repeated with their numbers", () => {
  const session = filled();
  const text = session.pack(session.run());
  expect(verifyPack(text)).toBeUndefined();
  expect(text).toContain("Note~@3");
});

test("a later run is packed without what had fired before", () => {
  const session = filled();
  session.run();
  session.assert("Person", { id: "p3", age: 50 });
  const result = session.run();
  expect(result.fired.map(({ rule }) => rule)).toEqual(["a", "total", "b"]);
  expect(verifyPack(session.pack(result))).toBeUndefined();
});

test("a run without firings is packed too", () => {
  const session = filled();
  session.run();
  expect(verifyPack(session.pack(session.run()))).toBeUndefined();
});

test("a run that does not repeat itself is not packed", () => {
  const session = compile("type P(n: number) P(n: 1) rule r { when p: P(n < 5) then grow(p.n) }").session({
    actions: { grow: (n: number) => void session.assert("P", { n: n + 1 }) },
  });
  const result = session.run();
  expect(() => session.pack(result)).toThrow("this run cannot be packed, because it is not repeatable");
});

// ---------------------------------------------------------------- the command line

test("sluice run --pack writes what sluice pack verify accepts", () => {
  const ran = runCli(["run", "examples/orders/rules.tsd", "--facts", "examples/orders/facts.json", "--pack", "p.json"]);
  const written = ran.written.get("p.json") ?? "";
  expect(runCli(["pack", "verify", "p.json"], { "p.json": written })).toMatchObject({ exit: 0, err: "" });
  const changed = written.replace("WINTER-10", "WINTER-90");
  const refused = runCli(["pack", "verify", "p.json"], { "p.json": changed });
  expect(refused.exit).toBe(1);
  expect(refused.err).toMatch(/^error E552 {2}invalid pack \((program|facts)\): /u);
  expect(runCli(["pack", "verify", "p.json", "--json"], { "p.json": "{}" }).out).toBe(
    '{"event":"pack","valid":false,"code":"E552","part":"form","message":"this is not a decision pack of the form sluice-pack/1: format: this is missing"}\n',
  );
  expect(runCli(["pack", "p.json"]).exit).toBe(2);
  expect(runCli(["pack", "verify", "nowhere.json"]).exit).toBe(2);
});

test("canonical JSON is that of RFC 8785", () => {
  expect(canonicalJson({ "€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\u0080": 6, ö: 7 })).toBe(
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  );
  expect(canonicalJson([333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
    "[333333333.3333333,1e+30,4.5,0.002,1e-27,0]",
  );
  expect(() => canonicalJson(Infinity)).toThrow("not finite");
  fc.assert(
    fc.property(fc.jsonValue(), (value) => canonicalJson(JSON.parse(canonicalJson(value))) === canonicalJson(value)),
    {
      seed: 3,
      numRuns: 500,
    },
  );
});
