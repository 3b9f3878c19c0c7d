/** D8: nothing depends on hashes being different. See also d1-histories.property.test.ts, with a hash that always collides. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { xxHash64 } from "../../src/plan/hash.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, type Domain } from "../support/engine-arbitrary.ts";
import { History } from "../support/history.ts";
import { forAllCases } from "../support/minimise.ts";
import { Rig } from "../support/rig.ts";

const { strings } = JSON.parse(readFileSync(new URL("../data/xxh64-collisions.json", import.meta.url), "utf8")) as {
  strings: string[];
};

/** The 16 texts with one hash as values, constants, keys and names of rules. */
const COLLIDING: Domain = {
  texts: [...strings, "a"],
  keys: strings.slice(0, 6),
  ruleNames: strings,
};

const SAME_HASH = { hash: () => 0n };

test("the texts do collide", () => {
  expect(strings).toHaveLength(16);
  expect(new Set(strings.map((text) => xxHash64(text))).size).toBe(1);
});

test(
  "with texts and names that collide, and with all hashes colliding, the matches are those of the naive matcher",
  () => {
    forAllCases(COLLIDING, runs(5_000), findsTheSame);
  },
  PATIENT,
);

/** With sharing and indexes and without, after every operation; and nothing is left when every fact is gone. */
function findsTheSame(one: Case): void {
  const others = [{}, { sharing: false }, { indexing: false }].map((open) => ({ compile: SAME_HASH, open }));
  const rig = new Rig(COLLIDING, one.rules, {}, others);
  for (const [index, operation] of History.operations(one).entries()) {
    if (rig.follow(operation) && index >= one.facts.length - 1) rig.compare();
  }
  rig.empty();
}
