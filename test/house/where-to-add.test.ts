/**
 * Tests additions that have parts in several rooms (CONTRIBUTING.md, "Where do I add…"): a test fails when one part is
 * forgotten.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, STRATEGIES, type Strategy, verifyPack } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

describe.each(STRATEGIES)("the strategy %s", (strategy) => {
  const source = `option strategy ${strategy}\ntype Person(#id: string)\nPerson("p1")\nrule greet { when p: Person then log(p.id) }\n`;

  test("can be chosen in a program, by the host and on the command line", () => {
    expect(compile(source).session().run().fired).toHaveLength(1);
    expect(compile(source).session({ strategy }).run().fired).toHaveLength(1);
    expect(runCli(["run", "a.tsd", "--strategy", strategy], { "a.tsd": source })).toMatchObject({ exit: 0, err: "" });
  });

  test("is part of a decision pack", () => {
    const session = compile(source.replace(/^.*\n/u, "")).session({ strategy });
    const pack = session.pack(session.run());
    expect(verifyPack(pack)).toBeUndefined();
    expect(JSON.parse(pack)).toMatchObject({ program: { strategy } });
  });

  test("fires in an order of its own", () => {
    const others = STRATEGIES.filter((other) => other !== strategy);
    for (const other of others)
      expect(firings(strategy), `${strategy} fires like ${other}`).not.toEqual(firings(other));
  });
});

/** What fires, in order, for matches that were completed by several changes, with facts of different age. */
function firings(strategy: Strategy): unknown[] {
  const session = compile(`type A(#id: number, n: number) type B(#id: number)
rule one { when a: A then log("a" + a.id + " " + a.n) }
rule two { when a: A b: B(id >= a.id) then log("b" + a.id + b.id) }`).session({ strategy });
  session.assert("B", { id: 9 });
  for (const id of [1, 2, 3]) session.assert("A", { id, n: 0 });
  for (const id of [2, 1, 3]) session.assert("B", { id });
  session.update("A~1", { n: 1 });
  return session.run().effects.map(({ args }) => args[0]);
}

test("every command is tried with hostile names in the escaping test", () => {
  const tried = readFileSync("test/promises/escaping.property.test.ts", "utf8");
  const commands = [...runCli(["--help"]).out.matchAll(/^ {2}([a-z-]+) {2,}\S/gmu)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) expect(tried, command).toContain(`["${command}"`);
});
