/**
 * The tables of functions and aggregates in docs/language.md are written from the entries in src/functions. `SLUICE_UPDATE=1`
 * writes them again; read the difference before committing it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { HostSignature } from "../../src/base/host-types.ts";
import type { Maybe, Value } from "../../src/base/value.ts";
import { AGGREGATES } from "../../src/functions/aggregates.ts";
import type { Aggregate, BuiltInFunction } from "../../src/functions/built-in.ts";
import { FUNCTIONS } from "../../src/functions/functions.ts";

const FILE = new URL("../../docs/language.md", import.meta.url);

const TABLES: Readonly<Record<string, () => string>> = {
  aggregates: () =>
    table(
      ["aggregate", "result", "over no facts", "a missing value", "example"],
      [...AGGREGATES.values()].map(aggregateRow),
    ),
  functions: () => table(["function", "result", "example"], [...FUNCTIONS.values()].map(functionRow)),
};

test.each(Object.entries(TABLES))("docs/language.md has the table of %s", (name, written) => {
  const text = readFileSync(FILE, "utf8");
  const [begin, end] = [`<!-- ${name}: written by test/docs/built-ins.test.ts -->\n\n`, `\n<!-- end of ${name} -->`];
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  expect([text.includes(begin), to > 0]).toEqual([true, true]);
  if (process.env["SLUICE_UPDATE"] === "1") writeFileSync(FILE, text.slice(0, from) + written() + text.slice(to));
  else expect(text.slice(from, to)).toBe(written());
});

function functionRow({ name, signature, summary, example }: BuiltInFunction): string[] {
  return [code(`${name}(${parameters(signature)})`), summary, `${code(example.call)} is ${code(shown(example.gives))}`];
}

function parameters({ params, repeats }: HostSignature): string {
  const names = params.map(({ name, optional }) => `${name}${optional ? "?" : ""}`);
  return [...names, ...(repeats === true ? ["…"] : [])].join(", ");
}

function aggregateRow({ name, takes, count, summary, example, compute }: Aggregate): string[] {
  const parts = example.values.map((value) => (Array.isArray(value) ? (value as readonly Value[]) : [value]));
  const keys = takes === "keyed" ? " by themselves" : "";
  const number = count === undefined ? "" : `, ${count.name} ${shown(parts[0]?.at(-1))}`;
  const of = `${parts.map(([value]) => code(shown(value))).join(", ")}${keys}${number}`;
  return [code(name), summary, overNothing(compute([])), MISSING[takes], `of ${of}: ${code(shown(example.gives))}`];
}

function overNothing(value: Maybe): string {
  return value === undefined ? "unknown, so the element does not match" : code(shown(value));
}

const MISSING: Readonly<Record<Aggregate["takes"], string>> = {
  facts: "counts as well",
  numbers: "makes the result unknown",
  ordered: "makes the result unknown",
  keyed: "makes the result unknown",
  values: "is left out",
};

function shown(value: Maybe): string {
  return Array.isArray(value) ? `[${value.map(shown).join(", ")}]` : JSON.stringify(value);
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Columns as wide as their longest cell. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("");
}
