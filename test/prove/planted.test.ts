/**
 * Tests that `sluice prove` finds a bug in the engine and shows it with a short history. The bugs are in
 * test/support/planted-bugs.ts.
 */
import { afterEach, expect, test } from "vitest";
import { runCli } from "../support/io.ts";
import { plant } from "../support/planted-bugs.ts";

const BANS = `type Person(#id: string, age: number)
type Ban(who: string, level: number)
Person("p1", 30)
Person("p2", 17)
Ban("p1", 2)
rule "welcome" { when p: Person(age > 18) not Ban(who == p.id) then log(p.id) }
rule "warned" { when p: Person exists Ban(who == p.id, level > 1) then log(p.id) }
`;

afterEach(() => plant(undefined));

test("a not that is never unblocked is found and shown with a short history", () => {
  plant("not-never-unblocks");
  const ran = runCli(["prove", "a.tsd"], { "a.tsd": BANS });
  expect(ran.exit).toBe(1);
  expect(ran.out).toMatch(
    /facts\n {2}Person\(.*\)\n {2}Ban\(who: "p1", level: 2\)\n\nchanges\n {2}1 {2}(?:retract|update) .*Ban.*\n\nrule "welcome"\n {2}network {14}no match\n {2}brute-force matcher {2}p = Person~p1\n/u,
  );
});

test("an exists that ends too early is found, though it takes two facts", () => {
  plant("exists-ends-at-one");
  const rules = BANS.replace(/^rule "welcome".*$/mu, "");
  const ran = runCli(["prove", "a.tsd", "--json"], { "a.tsd": rules });
  expect(ran.exit).toBe(1);
  const [difference, summary] = ran.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(difference).toMatchObject({ event: "difference", rule: "warned", network: [], naive: ["p = Person~p1"] });
  expect(JSON.stringify(difference?.["changes"]).match(/"is":/gu)?.length).toBeLessThanOrEqual(3);
  expect(summary).toMatchObject({ event: "summary", seed: 1, rules: 1, differences: 1 });
});

test("rules without facts are tried with facts made up from their types and constants", () => {
  plant("not-never-unblocks");
  const rules = BANS.replaceAll(/^(?:Person|Ban)\(.*\n/gmu, "");
  expect(runCli(["prove", "a.tsd"], { "a.tsd": rules }).exit).toBe(1);
});

test("facts that only rules make are tried too", () => {
  plant("not-never-unblocks");
  const rules = `rule "greet" { when p: P not W(who == p.id) then insert W(who: p.id) }\nP(id: "a")\n`;
  expect(runCli(["prove", "a.tsd"], { "a.tsd": rules }).exit).toBe(1);
});
