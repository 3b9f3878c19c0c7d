/** Tests the command line as a process: pipes that close early, files that change, Ctrl-C, and never a stack trace. */
import type { ChildProcess } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../support/io.ts";
import { realCli, type RealCli } from "../support/real-cli.ts";

const RULES = `import "types.tsd"
Person("a", 30)
rule adult { when p: Person(age > 18) then log("adult " + p.id) }
test "adult" { given Person("t", 40) expect rule adult fires 1 }
`;

let cli: RealCli;

beforeAll(async () => {
  cli = await realCli();
  writeFileSync(join(cli.folder, "types.tsd"), "type Person(#id: string, age: number)\n");
  writeFileSync(join(cli.folder, "rules.tsd"), RULES);
  const many = Array.from({ length: 20_000 }, (_, index) => `Person("x${index}", ${index % 90})`).join("\n");
  writeFileSync(join(cli.folder, "many.tsd"), `import "rules.tsd"\n${many}\n`);
  writeFileSync(join(cli.folder, "bad.tsd"), "type P(x: nmber)\nrule r { when q: Q then log(1) }\n");
});

afterAll(() => cli.remove());

describe("output that nobody reads to its end", () => {
  const commands = [
    "run many.tsd",
    "run many.tsd --json",
    "check bad.tsd --json",
    "fmt many.tsd",
    "test rules.tsd",
    "types many.tsd",
    "graph rules.tsd",
    "graph rules.tsd --format json",
    "prove rules.tsd --cases 3",
    "--help",
  ];
  test.each(commands)("%s | head -1 ends quietly", async (command) => {
    const { err } = await cli.shell(`sluice ${command} | head -1`);
    expect(err).not.toMatch(/EPIPE|Error|\bat .*:\d+:\d+/u);
  });

  test("repl | head -1 ends quietly", async () => {
    const { err } = await cli.shell("for i in $(seq 1 2000); do echo facts; done | sluice repl rules.tsd | head -1");
    expect(err).not.toMatch(/EPIPE|Error|\bat .*:\d+:\d+/u);
  });
});

describe("an outcome that nobody reads", () => {
  const gates = [
    ["decide gate.tsd --gate no", "4"],
    ["decide gate.tsd --gate perhaps", "3"],
    ["verify-answer gate.tsd --guardian g", "4"],
  ] as const;

  beforeAll(() => {
    const rules = `type R(#id: string, ok: bool?) R("r")
      gate "no" for r: R { require r.id == "other" }
      gate "perhaps" for r: R { require r.ok }
      guardian "g" for r: R { retry at most 0 check c { need r.ok as "no" do SAFE_REFUSAL } }`;
    writeFileSync(join(cli.folder, "gate.tsd"), rules);
  });

  test.each(gates)("%s: is not taken for a pass", async (command, exit) => {
    expect((await cli.shell(`sluice ${command} > all.txt`)).exit).toBe(Number(exit));
    const { exit: unread, err } = await cli.shell(`sluice ${command} | true`);
    expect(unread).not.toBe(0);
    expect(err).toBe("");
  });

  test.runIf(existsSync("/dev/full"))("is told in one sentence when there is no room for it", async () => {
    const { exit, err } = await cli.shell("sluice decide gate.tsd --gate no > /dev/full");
    expect(exit).toBe(2);
    expect(err).toBe("sluice: cannot write to standard output: the disk is full\n");
  });
});

describe("a user's mistake", () => {
  const mistakes: readonly (readonly [string, number])[] = [
    ["run", 2],
    ["run nowhere.tsd", 2],
    ["run .", 1],
    ["run bad.tsd", 1],
    ["test bad.tsd", 1],
    ["types bad.tsd", 1],
    ["graph bad.tsd", 1],
    ["watch", 2],
    ["watch -", 2],
    ["repl bad.tsd", 1],
    ["repl --nonsense", 2],
    ["graph rules.tsd -o /no/such/folder/x.svg", 2],
    ["types rules.tsd -o /no/such/folder/x.d.ts", 2],
    ["test rules.tsd --junit /no/such/folder/x.xml", 2],
    ["run rules.tsd --facts nowhere.json", 2],
    ["nonsense", 2],
  ];
  test.each(mistakes)("%s ends in %i, in words", async (command, exit) => {
    const ran = await cli.shell(`sluice ${command} </dev/null`);
    expect(ran.exit).toBe(exit);
    expect(`${ran.out}${ran.err}`).not.toMatch(/^\s+at .*:\d+:\d+/mu);
    expect(`${ran.out}${ran.err}`).not.toBe("");
  });
});

test("every command has help with an example", () => {
  const { out } = runCli(["--help"]);
  const commands = [...out.matchAll(/^ {2}([a-z][\w-]*) {2,}\S/gmu)]
    .map((found) => found[1] ?? "")
    .filter((name) => name !== "sluice");
  expect(commands).toEqual(
    expect.arrayContaining([
      "run",
      "check",
      "test",
      "types",
      "graph",
      "repl",
      "watch",
      "prove",
      "fmt",
      "verify-answer",
    ]),
  );
  for (const command of commands) {
    const help = runCli([command, "--help"]);
    expect(help.exit, command).toBe(0);
    expect(help.out, command).toMatch(/Examples?:\n {2}sluice /u);
    expect(
      help.out.split("\n").filter((line) => line.length > 80),
      command,
    ).toEqual([]);
  }
});

test("commands from a pipe are done one after the other", async () => {
  const ran = await cli.shell(`printf 'Person("b", 50)\\nrun\\nfacts\\n' | sluice repl rules.tsd`);
  expect(ran).toMatchObject({ exit: 0, err: "" });
  expect(ran.out).toContain("        adult b\n");
});

describe("watch", { timeout: 60_000 }, () => {
  test("shows what is gone and what is new when a file or an import changes, and ends with Ctrl-C", async () => {
    writeFileSync(join(cli.folder, "w-types.tsd"), "type Person(#id: string, age: number)\n");
    const rules = (bound: number): string =>
      `import "w-types.tsd"\nPerson("a", 30)\nPerson("b", 50)\nrule adult { when p: Person(age > ${bound}) then log("hi " + p.id) }\n`;
    writeFileSync(join(cli.folder, "w.tsd"), rules(18));
    const watching = new Watching(cli.start(["watch", "w.tsd"]));
    await watching.until("2 firings (");
    expect(watching.text()).toContain("+ adult  p = Person a  →  hi a\n");
    watching.clear();
    writeFileSync(join(cli.folder, "w.tsd"), rules(40));
    await watching.until("1 firing, 0 new, 1 gone");
    expect(watching.text()).toContain("- adult  p = Person a  →  hi a\n");
    watching.clear();
    writeFileSync(join(cli.folder, "w-types.tsd"), "type Person(#id: string, agee: number)\n");
    await watching.until("not run; waiting for changes");
    watching.clear();
    writeFileSync(join(cli.folder, "w-types.tsd"), "type Person(#id: string, age: number)\n// the same again\n");
    await watching.until("1 firing, no changes");
    expect(await watching.end()).toBe(0);
  });

  test("shows what gates and pipelines no longer say, and say now, in a program without rules", async () => {
    const rules = (bound: number): string =>
      `type T(#id: string, n: number)\nT("a", 30)\nT("b", 50)\ngate big for t: T { require t.n > ${bound} }\n` +
      'pipeline p for t: T { step small BLOCK "small" unless gate big(t) passes otherwise FORWARD "on" }\n';
    writeFileSync(join(cli.folder, "j.tsd"), rules(20));
    const watching = new Watching(cli.start(["watch", "j.tsd"]));
    await watching.until("0 firings (");
    expect(watching.text()).toContain("+ gate  big  T a  pass\n");
    watching.clear();
    writeFileSync(join(cli.folder, "j.tsd"), rules(40));
    await watching.until("0 firings, 2 new, 2 gone");
    expect(watching.text().split("\n").slice(0, 4)).toEqual([
      "- gate  big  T a  pass",
      "- pipeline  p  T a  FORWARD  on  (small)",
      "+ gate  big  T a  fail",
      "+ pipeline  p  T a  BLOCK  small  (small)",
    ]);
    expect(await watching.end()).toBe(0);
  });
});

/** A process that goes on until it is interrupted. */
class Watching {
  readonly #child: ChildProcess;
  #text = "";
  #look: () => void = () => {};

  constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (data: Buffer) => {
        this.#text += data.toString();
        this.#look();
      });
    }
  }

  text(): string {
    return this.#text;
  }

  clear(): void {
    this.#text = "";
  }

  until(words: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.once("close", () => reject(new Error(`it ended before it said "${words}": ${this.#text}`)));
      this.#look = () => {
        if (this.#text.includes(words)) resolve();
      };
      this.#look();
    });
  }

  end(): Promise<number | null> {
    return new Promise((resolve) => {
      this.#child.once("close", resolve);
      this.#child.kill("SIGINT");
    });
  }
}
