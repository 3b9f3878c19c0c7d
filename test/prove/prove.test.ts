/** Tests `sluice prove`: what it reports, with which exit code, and that a seed gives the same cases again. */
import { expect, test } from "vitest";
import { runCli } from "../support/io.ts";

const BANS = `type Person(#id: string, age: number)
type Ban(who: string, level: number)
Person("p1", 30)
Person("p2", 17)
Ban("p1", 2)
rule "welcome" { when p: Person(age > 18) not Ban(who == p.id) then log(p.id) }
rule "warned" { when p: Person exists Ban(who == p.id, level > 1) then log(p.id) }
`;

test("where the network is right no difference is found", () => {
  const ran = runCli(["prove", "a.tsd", "--cases", "50"], { "a.tsd": BANS });
  expect(ran).toMatchObject({ exit: 0, err: "" });
  expect(ran.out).toMatch(/^50 cases, \d+ changes, 2 rules: no difference\n$/u);
});

test("the same seed gives the same cases, another one gives others", () => {
  const proved = (seed: string): string => runCli(["prove", "a.tsd", "--seed", seed], { "a.tsd": BANS }).out;
  expect(proved("7")).toBe(proved("7"));
  expect(proved("7")).not.toBe(proved("8"));
});

test("with more facts than every combination could be tried of, some are taken, and that is said", () => {
  const rules = 'type A(n: number)\nrule r { when a: A b: A(n == a.n) c: A(n == b.n) then log("x") }\n';
  const facts = JSON.stringify({ A: Array.from({ length: 200 }, (_, n) => ({ n: n % 5 })) });
  const ran = runCli(["prove", "a.tsd", "--cases", "20", "--facts", "f.json"], { "a.tsd": rules, "f.json": facts });
  expect(ran.exit).toBe(0);
  expect(ran.out).toMatch(
    /^using at most 11 facts of each type at a time: the brute-force matcher tries every combination\n/u,
  );
});

test("mistakes in the facts are reported before anything is tried", () => {
  const files = { "a.tsd": BANS, "f.json": '{"Ban": {"who": 1, "level": 2}}' };
  const ran = runCli(["prove", "a.tsd", "--facts", "f.json"], files);
  expect(ran).toMatchObject({ exit: 1, out: "" });
  expect(ran.err).toContain("f.json:1:17  error E407");
});
