/** Tests what `--subject` means: a key, an id or a label of one fact. A text that names two facts is refused, and never passes. */
import { describe, expect, test } from "vitest";
import { type Ran, runCli } from "../support/io.ts";

const JUDGES = `type Release(#id: string, ok: bool)
gate "deploy" for r: Release { require r.ok }
guardian "watcher" for r: Release {
    retry at most 0
    check fine risk high { forbid r.ok == false as "not_ok" do SAFE_REFUSAL }
}
pipeline "route" for r: Release { step bad BLOCK "no" when (r.ok == false) otherwise FORWARD "yes" }
`;

const COMMANDS: readonly (readonly string[])[] = [
  ["decide", "a.tsd"],
  ["verify-answer", "a.tsd"],
  ["why", "a.tsd", "deploy"],
  ["why", "a.tsd", "watcher"],
  ["why", "a.tsd", "route"],
];

/** Runs a command on releases by key; only the first is fine. */
function about(command: readonly string[], keys: readonly string[], subject: string): Ran {
  const facts = keys.map((key, index) => `Release(${JSON.stringify(key)}, ${index === 0})`);
  return runCli([...command, "--subject", subject], { "a.tsd": `${JUDGES}${facts.join("\n")}` });
}

describe.each(COMMANDS.map((command) => [command.join(" "), command] as const))("%s", (_, command) => {
  test("refuses a text that is the label of one fact and the key of another", () => {
    const ran = about(command, ["r-1", "Release r-1"], "Release r-1");
    expect(ran).toMatchObject({ exit: 1, out: "" });
    expect(ran.err).toBe(
      'error E541  "Release r-1" names 2 facts: Release~r-1, Release~Release%20r-1\n' +
        '      = use a name that only one fact has: "Release~r-1", "Release~Release%20r-1"\n',
    );
  });

  test("refuses a text that is the id of one fact and the key of another", () => {
    const ran = about(command, ["r-1", "Release~r-1"], "Release~r-1");
    expect(ran).toMatchObject({ exit: 1, out: "" });
    expect(ran.err).toContain('"Release~r-1" names 2 facts: Release~r-1, Release~Release%7Er-1\n');
    expect(ran.err).toContain('only one fact has: "Release r-1", "Release~Release%7Er-1"\n');
  });

  test("refuses a text that is an escaped key of one fact and the key of another", () => {
    expect(about(command, ["a b", "a%20b"], "a%20b").err).toContain("names 2 facts: Release~a%20b, Release~a%2520b");
  });

  test.each(["Release r-1", "a b", "a_b", "100%", "a~b", "Other~r-1"])("finds the key %j", (key) => {
    const ran = about(command, ["r-1", key].slice(key === "Release r-1" ? 1 : 0), key);
    expect(ran.err).toBe("");
    expect(ran.out).toContain(`Release ${key === "a_b" ? key : JSON.stringify(key)}`);
  });

  test.each(["Release~Release%20r-1", 'Release "Release r-1"', "Release%20r-1"])("%j stays exact", (subject) => {
    const ran = about(command, ["r-1", "Release r-1"], subject);
    expect(ran.err).toBe("");
    expect(ran.out).toContain('Release "Release r-1"');
  });

  test("refuses a text that names no fact of the type", () => {
    const ran = about(command, ["r-1"], "r-2");
    expect(ran).toMatchObject({ exit: 1, out: "" });
    expect(ran.err).toContain('E541  "r-2" is not a subject of');
  });
});
