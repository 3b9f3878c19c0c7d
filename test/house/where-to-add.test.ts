/**
 * Tests additions that have parts in several rooms (CONTRIBUTING.md, "Where do I add…"): a test fails when one part is
 * forgotten.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, type Strategy, verifyPack } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

/** Does not compile when a strategy is missing. */
const STRATEGIES: Readonly<Record<Strategy, true>> = { breadth: true, depth: true, lex: true };

describe.each(Object.keys(STRATEGIES))("the strategy %s", (strategy) => {
  const source = `option strategy ${strategy}\ntype Person(#id: string)\nPerson("p1")\nrule greet { when p: Person then log(p.id) }\n`;

  test("can be chosen in a program, by the host and on the command line", () => {
    expect(compile(source).session().run().fired).toHaveLength(1);
    expect(
      compile(source)
        .session({ strategy: strategy as Strategy })
        .run().fired,
    ).toHaveLength(1);
    expect(runCli(["run", "a.tsd", "--strategy", strategy], { "a.tsd": source })).toMatchObject({ exit: 0, err: "" });
  });

  test("is part of a decision pack", () => {
    const session = compile(source).session({ strategy: strategy as Strategy });
    expect(verifyPack(session.pack(session.run()))).toBeUndefined();
  });
});

test("every command is tried with hostile names in the escaping test", () => {
  const tried = readFileSync("test/promises/escaping.property.test.ts", "utf8");
  const commands = [...runCli(["--help"]).out.matchAll(/^ {2}([a-z-]+) {2,}\S/gmu)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) expect(tried, command).toContain(`["${command}"`);
});
