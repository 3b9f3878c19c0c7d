/**
 * D10 for damaged files: reading any prefix of a valid file, or the file with one byte changed, gives a result or diagnostics
 * with a location. What can be read can be formatted, and the rest stays unchanged.
 */
import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostic.ts";
import { check } from "../../src/index.ts";
import { formatSource } from "../../src/language/format.ts";
import { runs } from "../support/cases.ts";
import { expectSameTree, read, readWell } from "../support/trees.ts";

const ROOT = new URL("../../", import.meta.url);
const FILES = [...tsdFiles("examples"), ...tsdFiles("test/cases")];
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Texts up to this length are checked too; whole files would take too long. */
const CHECKED = 500;

describe("a valid file", () => {
  test.each(FILES)("%s is read without an error", (file) => {
    expect(readWell(content(file)).length).toBeGreaterThan(0);
  });

  test("cut off or changed in one byte gives a result or positioned diagnostics", () => {
    fc.assert(
      fc.property(fc.constantFrom(...pieces()), change(), (piece, changed) => {
        const text = decoder.decode(changed(encoder.encode(piece)));
        const { declarations, comments, report } = read(text);
        expect(report.diagnostics.filter((one) => !isPositioned(one, text))).toEqual([]);
        if (declarations.length + comments.length + report.diagnostics.length === 0) expect(text.trim()).toBe("");
        expectFormattable(text, report.diagnostics.length > 0);
        if (text.length < CHECKED)
          expect(check(text).diagnostics.filter((one) => !isPositioned(one, text))).toEqual([]);
      }),
      { numRuns: runs() },
    );
  });
});

function expectFormattable(text: string, broken: boolean): void {
  const formatted = formatSource(text).text;
  if (broken) expect(formatted).toBe(text);
  else expectSameTree(readWell(formatted), readWell(text));
}

type Change = (bytes: Uint8Array) => Uint8Array;

/** A prefix; or one byte less, more, or another. */
function change(): fc.Arbitrary<Change> {
  const byte = fc.oneof(
    fc.nat({ max: 255 }),
    fc.constantFrom(...encoder.encode("(){}[],:.;|?#/\\\"'=<>!&+-*% \n\0\u0080")),
  );
  return fc
    .record({ kind: fc.constantFrom("prefix", "delete", "insert", "replace"), where: fc.nat(), byte })
    .map(({ kind, where, byte: one }) => (bytes) => {
      const at = where % (bytes.length + 1);
      if (kind === "prefix") return bytes.slice(0, at);
      const between = kind === "delete" ? [] : [one];
      return Uint8Array.from([...bytes.slice(0, at), ...between, ...bytes.slice(kind === "insert" ? at : at + 1)]);
    });
}

/** Whole files, and pairs of neighbours, which are read faster and are as good: each statement is read by itself. */
function pieces(): string[] {
  return FILES.flatMap((file) => {
    const text = content(file);
    const statements = readWell(text);
    const pairs = statements.map((first, index) =>
      text.slice(first.span.start, (statements[index + 1] ?? first).span.end),
    );
    return [text, ...pairs];
  });
}

function isPositioned(one: Diagnostic, text: string): boolean {
  const lines = text.split(/\r\n?|\n/u).length; // a lone CR ends a line, too
  const ordered = one.endLine > one.line || (one.endLine === one.line && one.endColumn >= one.column);
  return one.line >= 1 && one.column >= 1 && ordered && one.endLine <= lines && one.message !== "";
}

function tsdFiles(folder: string): string[] {
  const names = readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".tsd"))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function content(file: string): string {
  return readFileSync(new URL(file, ROOT), "utf8");
}
