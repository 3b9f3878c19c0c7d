/** D8: nothing depends on hashes being different. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { xxHash64 } from "../src/compile/hash.ts";
import { PATIENT, runs } from "./support/cases.ts";
import { type Case, type Domain, SMALL } from "./support/engine-arbitrary.ts";
import { History } from "./support/history.ts";
import { forAllCases } from "./support/minimise.ts";
import { expectSame, followAndCompare, Rig } from "./support/rig.ts";

const { strings } = JSON.parse(readFileSync(new URL("data/xxh64-collisions.json", import.meta.url), "utf8")) as {
  strings: string[];
};

/** The 16 texts with one hash as values, constants, keys and names of rules. */
const COLLIDING: Domain = {
  texts: [...strings, "a"],
  keys: strings.slice(0, 6),
  ruleNames: strings,
};

const SAME_HASH = { compile: { hash: () => 0n } };

test("the texts do collide", () => {
  expect(strings).toHaveLength(16);
  expect(new Set(strings.map((text) => xxHash64(text))).size).toBe(1);
});

test(
  "with a hash that always collides the matches are those of the naive matcher",
  () => {
    forAllCases(SMALL, runs(), (one) => followAndCompare(one, SMALL, SAME_HASH));
  },
  PATIENT,
);

test(
  "with texts and names that collide, too",
  () => {
    forAllCases(COLLIDING, runs(5_000), (one) => followAndCompare(one, COLLIDING));
  },
  PATIENT,
);

test(
  "with all hashes and all texts colliding, sharing, indexes and the order of facts and rules change nothing",
  () => {
    forAllCases(COLLIDING, runs(5_000), othersAgree);
  },
  PATIENT,
);

function othersAgree(one: Case): void {
  const rig = new Rig(COLLIDING, one.rules);
  const others = [{}, { sharing: false }, { indexing: false }].map(
    (open) => new Rig(COLLIDING, one.rules, { ...SAME_HASH, open }),
  );
  for (const operation of History.operations(one)) {
    rig.follow(operation);
    for (const other of others) other.follow(operation);
  }
  for (const other of others) expectSame(rig.texts(), other.texts(), () => rig.story());
  for (const { id } of rig.history.facts) for (const other of others) other.apply({ is: "retract", id });
  for (const other of others) {
    const { facts, matches, indexEntries } = other.session.counters();
    expect({ facts, matches, indexEntries }).toEqual({ facts: 0, matches: 0, indexEntries: 0 });
  }
}
