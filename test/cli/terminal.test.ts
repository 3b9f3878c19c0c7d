/** Tests the keys of `sluice repl` on a terminal, through Node's line editor: history, completion, Ctrl-C and Ctrl-D. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dialogue } from "../../src/cli/io.ts";
import { Conversation } from "../../src/cli/repl/conversation.ts";
import { dialogue } from "../../src/cli/terminal.ts";
import { compile } from "../../src/index.ts";
import { FakeTerminal, KEYS } from "../support/fake-terminal.ts";
import { runCliAsync } from "../support/io.ts";
import { realCli, type RealCli } from "../support/real-cli.ts";

const RULES = `
type Person(#id: string, name: string, age: number)
type Parcel(#id: string, weight: number)
Person("a", "Ann", 30)
rule "is adult" { when p: Person(age >= 18) then log("adult " + p.name) }
rule heavy { when p: Parcel(weight > 20) then log("heavy") }
`;

/** `sluice repl` at a terminal that is pressed as `keys` says; gives what the lines were and the exit code. */
async function atTerminal(
  keys: (terminal: FakeTerminal) => Promise<void>,
): Promise<{ lines: string[]; out: string; exit: number; terminal: FakeTerminal }> {
  const terminal = new FakeTerminal();
  const lines: string[] = [];
  const noting = (inner: Dialogue): Dialogue => ({
    prompt: () => inner.prompt(),
    complete: (line) => inner.complete(line),
    interrupted: () => inner.interrupted(),
    line: (text) => {
      lines.push(text);
      return inner.line(text);
    },
  });
  const ran = await runCliAsync(
    ["repl", "a.tsd"],
    { "a.tsd": RULES },
    {
      interactive: true,
      dialogue: async (inner) => {
        const ended = dialogue(noting(inner), terminal.streams);
        await keys(terminal);
        await ended;
      },
    },
  );
  return { lines, out: ran.out, exit: ran.exit, terminal };
}

describe("history", () => {
  test("up and down go through what was typed", async () => {
    const { lines } = await atTerminal(async (at) => {
      await at.press("facts", KEYS.enter, "agenda", KEYS.enter);
      await at.press(KEYS.up, KEYS.up, KEYS.enter);
      await at.press(KEYS.up, KEYS.up, KEYS.down, KEYS.enter, KEYS.ctrlD);
    });
    expect(lines).toEqual(["facts", "agenda", "facts", "facts"]);
  });

  test("a line from before can be changed", async () => {
    const { lines } = await atTerminal(async (at) => {
      await at.press("facts Person", KEYS.enter, KEYS.up);
      await at.press(...Array.from({ length: 4 }, () => "\u007f"), "cel", KEYS.enter, KEYS.ctrlD);
    });
    expect(lines).toEqual(["facts Person", "facts Pecel"]);
  });
});

describe("the Tab key", () => {
  const typed = async (...keys: string[]): Promise<string | undefined> => {
    const { lines } = await atTerminal((at) => at.press(...keys, KEYS.enter, KEYS.ctrlD));
    return lines[0];
  };

  test("completes commands, types, fields, rules and ids", async () => {
    expect(await typed("age", KEYS.tab)).toBe("agenda");
    expect(await typed("assert Parc", KEYS.tab)).toBe("assert Parcel(");
    expect(await typed("Parcel(we", KEYS.tab, "3)")).toBe("Parcel(weight: 3)");
    expect(await typed("why not is", KEYS.tab)).toBe("why not is adult");
    expect(await typed("retract Pers", KEYS.tab)).toBe("retract Person~a");
  });

  test("shows what is possible when there are several", async () => {
    const shown = await atTerminal(async (at) => {
      await at.press("facts P", KEYS.tab, KEYS.tab);
      expect(at.seen()).toMatch(/Parcel\s+Person/u);
      await at.press(KEYS.ctrlD, KEYS.ctrlC, KEYS.ctrlD);
    });
    expect(shown.lines).toEqual([]);
  });
});

describe("Ctrl-C", () => {
  test("gives up the line, wherever the cursor stands in it, and says how to leave", async () => {
    const { lines, out } = await atTerminal(async (at) => {
      await at.press("retract Person~a", KEYS.left, KEYS.left, KEYS.ctrlC, "facts", KEYS.enter, KEYS.ctrlD);
    });
    expect(lines).toEqual(["facts"]);
    expect(out).toContain('(type "quit" or press Ctrl-D to leave)');
    expect(out).toContain("Person a");
  });

  test("gives up a statement that goes on over lines", async () => {
    const { out } = await atTerminal(async (at) => {
      await at.press("rule open {", KEYS.enter, "when p: Person", KEYS.enter);
      expect(at.seen()).toContain("… ");
      await at.press(KEYS.ctrlC);
      expect(at.seen()).toContain("> ");
      await at.press("rules", KEYS.enter, KEYS.ctrlD);
    });
    expect(out).not.toContain("open");
    expect(out).toContain("is adult\nheavy\n");
  });

  test("ends a line that takes too long: the terminal is its own while it is worked on, and ours again behind it", async () => {
    const terminal = new FakeTerminal();
    const modes: boolean[] = [];
    const ended = dialogue(
      {
        prompt: () => "> ",
        complete: () => [[], ""],
        interrupted: () => {},
        line: () => {
          modes.push(terminal.raw);
          return modes.length < 2;
        },
      },
      terminal.streams,
    );
    expect(terminal.raw).toBe(true);
    await terminal.press("run", KEYS.enter);
    expect(terminal.raw).toBe(true);
    await terminal.press("quit", KEYS.enter);
    await ended;
    expect(modes).toEqual([false, false]);
    expect(terminal.raw).toBe(false);
  });
});

describe("the end", () => {
  test.each([
    ["Ctrl-D", [KEYS.ctrlD]],
    ["quit", ["quit", KEYS.enter]],
    ["exit in any case", ["EXIT", KEYS.enter]],
  ])("by %s leaves the terminal as it was, and is no failure", async (_name, keys) => {
    const { exit, terminal } = await atTerminal(async (at) => {
      await at.press("nonsense~", KEYS.enter);
      expect(at.raw).toBe(true);
      await at.press(...keys);
    });
    expect(exit).toBe(0);
    expect(terminal.raw).toBe(false);
  });

  test("by a mistake of ours leaves the terminal as it was, and is told", async () => {
    const terminal = new FakeTerminal();
    const failing = {
      prompt: () => "> ",
      complete: (): readonly [readonly string[], string] => [[], ""],
      interrupted: () => {},
      line: () => {
        throw new Error("ours");
      },
    };
    const ended = expect(dialogue(failing, terminal.streams)).rejects.toThrow("ours");
    await terminal.press("x", KEYS.enter);
    await ended;
    expect(terminal.raw).toBe(false);
  });
});

test("a conversation without a terminal has no prompt", async () => {
  const terminal = new FakeTerminal();
  Object.assign(terminal.streams.input, { isTTY: false });
  const io = { out: () => {}, err: () => {}, outColor: false } as unknown as ConstructorParameters<
    typeof Conversation
  >[0];
  const ended = dialogue(new Conversation(io, compile(RULES).session()), terminal.streams);
  await terminal.press("facts\nquit\n");
  await ended;
  expect(terminal.seen()).toBe("");
});

describe("as a process", () => {
  let cli: RealCli;

  beforeAll(async () => {
    cli = await realCli();
    writeFileSync(join(cli.folder, "rules.tsd"), RULES);
  });

  afterAll(() => cli.remove());

  test("Ctrl-C ends a repl that reads from a pipe, by the signal", async () => {
    const child = cli.start(["repl", "rules.tsd"]);
    const ended = new Promise((resolve) => child.once("close", (_code, signal) => resolve(signal)));
    child.stdin?.write("facts\n");
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.kill("SIGINT");
    expect(await ended).toBe("SIGINT");
  });
});
