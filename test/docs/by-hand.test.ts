/**
 * Tests the examples that are also written in TypeScript without an engine (`by-hand.ts`): both decide the same for the facts of the
 * example and for random parts of them, and the table in docs/cookbook/README.md says how long each is. `SLUICE_UPDATE=1` rewrites the table.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";
import { runs } from "../support/cases.ts";

type Facts = Record<string, readonly Record<string, unknown>[]>;
type Decisions = readonly (readonly [action: string, ...values: unknown[]])[];

const COOKBOOK = "docs/cookbook/README.md";
const names = readdirSync("examples").filter((name) => existsSync(`examples/${name}/by-hand.ts`));
const read = (name: string, file: string): string => readFileSync(`examples/${name}/${file}`, "utf8");

/** Facts that others refer to: without them there is nothing to decide, so that they stay. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  "pull-request": ["Person"],
  billing: ["Plan", "Customer"],
  "insurance-quote": ["Driver", "Car"],
  "fraud-windows": ["Account"],
  "alert-dedup": ["Host"],
};

/** The instant at which an example runs, as the command in its README says; undefined where no rule reads the clock. */
const clockOf = (name: string): string | undefined => /--clock @(\S+)/u.exec(read(name, "README.md"))?.[1];

/** Values that the two need not write alike: what a gate that holds is missing. */
const shown = (decisions: Decisions): string[] =>
  decisions
    .map(([action, subject, ...rest]) =>
      JSON.stringify([action, subject, ...rest.filter((value) => !Array.isArray(value))]),
    )
    .sort();

async function byHand(name: string): Promise<(facts: Facts, clock: string | undefined) => Decisions> {
  const { decide } = (await import(pathToFileURL(resolve(`examples/${name}/by-hand.ts`)).href)) as {
    decide: (facts: Facts, clock: string | undefined) => Decisions;
  };
  return decide;
}

function byRules(name: string): (facts: Facts) => Decisions {
  const program = compile(read(name, "rules.tsd"));
  const clock = clockOf(name);
  const options = clock === undefined ? {} : { clock };
  return (facts) => {
    const given = Object.entries(facts).flatMap(([type, all]) => all.map((fields) => ({ type, fields })));
    return program.evaluate(given, options).effects.map(({ action, args }) => [action, ...args] as const);
  };
}

test.each(names)("%s decides as by hand, for all of its facts and for random parts of them", async (name) => {
  const facts = JSON.parse(read(name, "facts.json")) as Facts;
  const [decide, rules] = [await byHand(name), byRules(name)];
  const hand = (some: Facts): Decisions => decide(some, clockOf(name));
  expect(rules(facts)).not.toHaveLength(0);
  expect(shown(rules(facts))).toEqual(shown(hand(facts)));

  const kept = new Set(KEPT[name]);
  const part = fc.record(
    Object.fromEntries(
      Object.entries(facts).map(([type, all]) => [type, kept.has(type) ? fc.constant(all) : fc.subarray([...all])]),
    ),
  ) as fc.Arbitrary<Facts>;
  fc.assert(
    fc.property(part, (some) => {
      expect(shown(rules(some))).toEqual(shown(hand(some)));
    }),
    { numRuns: runs(200) },
  );
});

test("the table of lengths in the cookbook is current, and rules are shorter", () => {
  const sizes = names.map((name) => ({
    name,
    rules: lengthOf(read(name, "rules.tsd").replace(/^test "[^]*?^\}/gmu, "")),
    hand: lengthOf(read(name, "by-hand.ts")),
  }));
  for (const { name, rules, hand } of sizes) expect(rules, name).toBeLessThan(hand);
  const rows = sizes.map(
    ({ name, rules, hand }) => `| [${name}](../../examples/${name}/README.md) | ${rules} | ${hand} |`,
  );
  const table = ["| program | rules | by hand |", "| --- | --- | --- |", ...rows].join("\n");
  const page = readFileSync(COOKBOOK, "utf8");
  const between =
    /(?<=<!-- lengths: written by test\/docs\/by-hand\.test\.ts -->\n\n)[^]*?(?=\n\n<!-- end of lengths -->)/u;
  expect(page).toMatch(between);
  const plain = (text: string): string => text.replace(/ +|-{3,}/gu, "");
  if (process.env["SLUICE_UPDATE"] === "1") writeFileSync(COOKBOOK, page.replace(between, table));
  else expect(plain(between.exec(page)?.[0] ?? "")).toBe(plain(table));
});

/** Characters without comments and white space. */
function lengthOf(text: string): number {
  return text.replace(/\/\/.*$|\/\*[^]*?\*\//gmu, "").replace(/\s/gu, "").length;
}
