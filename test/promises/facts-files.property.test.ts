/** Facts files with random content: the JSON reader accepts what `JSON.parse` accepts, and no content crashes a reader. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dataOf, JsonReader } from "../../src/cli/facts/json-reader.ts";
import { runs } from "../support/cases.ts";
import { runCli } from "../support/io.ts";

/** The value, or the codes of what was reported. */
function read(text: string): { readonly value: unknown } | { readonly codes: readonly string[] } {
  const codes: string[] = [];
  const reader = new JsonReader(text, ({ code }) => codes.push(code), "file");
  const node = reader.value(1000);
  const whole = node !== undefined && reader.end();
  return whole && codes.length === 0 ? { value: dataOf(node) } : { codes };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** A document with some characters taken out, doubled or replaced. */
const damaged = fc
  .tuple(
    fc.json(),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom("", '"', "\\", "{", "]", ",", ":", "0", "-", "e", "\n", "u"))),
  )
  .map(([text, edits]) =>
    edits.reduce((now, [at, by]) => {
      const index = at % (now.length + 1);
      return now.slice(0, index) + by + now.slice(index + (by === "" ? 1 : 0));
    }, text),
  );

test("what JSON.parse takes is read to the same value, and nothing else is read", () => {
  const property = fc.property(fc.oneof(fc.json(), damaged), (text) => {
    const own = read(text);
    const other = parsed(text);
    if ("value" in own) expect(own).toEqual(other);
    else if (other !== undefined) expect(own.codes.every((code) => /^E(?:404|110|111)$/u.test(code))).toBe(true);
    else expect(own.codes.length).toBeGreaterThan(0);
  });
  fc.assert(property, { numRuns: runs(5000) });
});

const RULES = `type A(#k: string, n: number?, l: string[]?, r: A?)\nrule r { when a: A then log(a.k) }\n`;
const TEXTS = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("k", "n", ",", '"', "\n", "\r", "1", "[", "]", "x", "") }),
  damaged.map((text) => `{"A": ${text}}`),
);

test.each(["f.json", "f.ndjson", "A.csv", "-"])("whatever %s holds, it is loaded or refused with a place", (file) => {
  const property = fc.property(TEXTS, (text) => {
    const ran = runCli(["run", "r.tsd", "--json", "--facts", file], { "r.tsd": RULES, [file]: text });
    const last = JSON.parse(ran.out.trimEnd().split("\n").at(-1) ?? "") as Record<string, unknown>;
    expect(ran.err).toBe("");
    expect(last["event"]).toBe(ran.exit === 0 ? "summary" : "diagnostic");
    if (ran.exit !== 0) expect(Number(last["line"]) > 0 && Number(last["column"]) > 0).toBe(true);
  });
  fc.assert(property, { numRuns: runs(1000) });
});
