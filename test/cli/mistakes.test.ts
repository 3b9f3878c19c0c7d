/** Tests wrong usage of every command: each gives a clear message and the right exit code, and nothing is thrown. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { realCli, type RealCli } from "../support/real-cli.ts";
import { runCliAsync } from "../support/io.ts";

const HELLO = "examples/hello/rules.tsd";
const GATES = "examples/release-gate/rules.tsd";
const GUARDIAN = "examples/answer-guardian/rules.tsd";

/** Bytes that are no text. */
const BINARY = Uint8Array.from({ length: 300 }, (_, index) => (index * 151 + 200) % 256);

const FILES = {
  "empty.tsd": "",
  "binary.tsd": BINARY,
  "imports.tsd": 'import "nowhere.tsd"',
  "bad.json": '{"Person": [',
  "list.json": "[1, 2]",
  "null.json": "null",
  "five.json": '{"Person": 5}',
  "unknown.json": '{"Nobody": [{"x": 1}]}',
  "binary.json": BINARY,
  "empty.json": "",
  "Person.csv": "id,age\na\n",
  "Empty.csv": "",
};

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-mistakes-"));
  mkdirSync(join(folder, "empty"));
  symlinkSync("round.tsd", join(folder, "round.tsd"));
  writeFileSync(join(folder, "plain.tsd"), "");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Mistake = readonly [command: string, exit: number, words: string];

/** `@` is a folder of the test, `!` one of the examples. */
const MISTAKES: readonly Mistake[] = [
  ["", 2, "Usage: sluice <command>"],
  ["rnu", 2, 'unknown command "rnu"; did you mean "run"?'],
  ["--json run x.tsd", 2, 'unknown command "--json"'],
  ["help rnu", 2, 'unknown command "rnu"'],
  ["run", 2, "no files; name .tsd files, a folder"],
  ["run nowhere.tsd", 2, "no such file"],
  ["run @/empty", 2, "the folder contains no .tsd files"],
  ["run @/round.tsd", 2, "its symbolic links form a loop"],
  ["run @/plain.tsd/x", 2, "part of the path is not a folder"],
  ["run binary.tsd", 1, "is not UTF-8"],
  ["run imports.tsd", 2, 'file "nowhere.tsd" cannot be read'],
  ["run - -", 2, "- (standard input) can be used only once"],
  ["run list.json", 2, "no rule files: list.json contains facts"],
  [`run ${HELLO} --facts`, 2, "--facts needs a value"],
  [`run ${HELLO} --facts --json`, 2, "--facts needs a value"],
  [`run ${HELLO} --json=yes`, 2, "--json takes no value"],
  [`run ${HELLO} --jsn`, 2, "unknown option --jsn; did you mean --json?"],
  [`run ${HELLO} -x`, 2, "unknown option -x"],
  [`run ${HELLO} --limit x`, 2, "--limit must be an integer of at least 0"],
  [`run ${HELLO} --limit=-1`, 2, "--limit must be an integer of at least 0"],
  [`run ${HELLO} --limit 0`, 5, "error E510  the run was stopped after 0 firings"],
  [`run ${HELLO} --limit 1`, 5, "stopped after 1 firing,"],
  [`run ${HELLO} --strategy wild`, 2, "--strategy must be breadth, depth or lex"],
  [`run ${HELLO} --strategy lex --strategy lex`, 2, "--strategy appears 2 times"],
  [`run ${HELLO} --seed-facts maybe`, 2, "--seed-facts must be yes or no"],
  [`run ${HELLO} --facts @`, 2, "it is a folder"],
  [`run ${HELLO} --facts nowhere.json`, 2, "no such file"],
  [`run ${HELLO} --facts bad.json`, 1, '"[" on line 1 is not closed'],
  [`run ${HELLO} --facts list.json`, 1, "group facts by type"],
  [`run ${HELLO} --facts null.json`, 1, "group facts by type"],
  [`run ${HELLO} --facts five.json`, 1, "expected an object with the fields of Person"],
  [`run ${HELLO} --facts unknown.json`, 1, 'unknown type "Nobody"'],
  [`run ${HELLO} --facts binary.json`, 1, "is not UTF-8"],
  [`run ${HELLO} --facts empty.json`, 1, "expected a value"],
  [`run ${HELLO} --facts Person.csv`, 1, 'no column for the required field "name"'],
  [`run ${HELLO} --facts Empty.csv`, 1, "the file is empty"],
  [`run ${HELLO} --pack @`, 2, "it is a folder"],
  [`run ${HELLO} --pack @/no/pack.json`, 2, "no such folder"],
  ["check", 2, "no files;"],
  ["check binary.tsd", 1, "is not UTF-8"],
  ["fmt nowhere.tsd", 2, "no such file"],
  ["fmt - --write", 2, "--write cannot write to standard input"],
  [`fmt ${HELLO} --check --write`, 2, "use --check or --write, not both"],
  [`decide ${GATES}`, 2, 'choose one with --gate: "deploy", "override"'],
  [`decide ${GATES} --gate`, 2, "--gate needs a value"],
  [`decide ${GATES} --gate nope`, 2, 'no gate "nope": this program defines "deploy", "override"'],
  [`decide ${GATES} --gate deploy --subject nope`, 1, "pass the id of a fact of type Release"],
  [`decide ${GATES} --gate deploy --gate-json bad.json`, 1, "invalid JSON"],
  [`decide ${GATES} --gate deploy --gate-json @`, 2, "it is a folder"],
  [`verify-answer ${GUARDIAN} --guardian nope`, 2, 'no guardian "nope": this program defines "answer"'],
  [`verify-answer ${GUARDIAN} --guardian answer --subject Draft~zz`, 1, 'is not a subject of guardian "answer"'],
  [`why ${HELLO}`, 2, "name the files, and then the rule"],
  [`why ${HELLO} nope`, 1, 'this program defines "VIP_or_Adult", "too young"'],
  [`why ${HELLO} VIP_or_Adult --fact p`, 2, "--fact must be VARIABLE=FACT"],
  [`why ${HELLO} VIP_or_Adult --fact p=Person~zz`, 1, 'no fact with id "Person~zz"'],
  [`why ${HELLO} VIP_or_Adult --fact q=Person~p1`, 1, 'has no variable "q"'],
  [`why ${HELLO} VIP_or_Adult --format xml`, 2, "--format must be text, json, lino or html"],
  [`graph ${HELLO} --format png`, 2, "--format must be svg, text, dot, mermaid or json"],
  [`hash`, 2, "no test; for example:"],
  [`hash age>18`, 2, "no type; name the type of the facts with --type TYPE"],
  [`hash agee>18 --type Person ${HELLO}`, 1, 'did you mean "age"?'],
  [`graph ${HELLO} --rule nope`, 2, 'no rule "nope": this program defines "VIP_or_Adult"'],
  [`graph ${HELLO} -o`, 2, "--output needs a value"],
  ["test empty.tsd", 1, "no tests found; add one"],
  ["prove nowhere.tsd", 2, "no such file"],
  [`prove ${HELLO} --cases 0`, 2, "--cases must be an integer of at least 1"],
  [`prove ${HELLO} --seed x`, 2, "--seed must be an integer of at least 0"],
  [`repl ${HELLO} --facts bad.json`, 1, "is not closed"],
  ["watch", 2, "no files;"],
  ["watch -", 2, "cannot watch standard input"],
  ["bench --nope", 2, "unknown option --nope"],
  ["pack verify", 2, "sluice pack verify FILE"],
  ["pack verify bad.json", 1, "this is not JSON"],
  ["pack verify binary.json", 1, "this is not UTF-8 text"],
  ["pack verify list.json", 1, "this is not a decision pack"],
];

describe("a mistake", () => {
  test.each(MISTAKES)("sluice %s ends in %i: %s", async (command, exit, words) => {
    const args = command.split(" ").flatMap((word) => (word === "" ? [] : [word.replace("@", folder)]));
    const write = (file: string): never => {
      const code = file === folder ? "EISDIR" : "ENOENT";
      throw Object.assign(new Error(code), { code });
    };
    const watch = (_files: unknown, work: () => void): Promise<void> => Promise.resolve(work());
    const ran = await runCliAsync(args, FILES, { write, watch });
    expect(`${ran.out}${ran.err}`).toContain(words);
    expect(ran.exit).toBe(exit);
  });
});

test("what is no text is not printed by fmt; rules with a mistake are printed as they are", async () => {
  const broken = "rule r {  when\n";
  const files = { ...FILES, "broken.tsd": broken };
  expect(await runCliAsync(["fmt", "binary.tsd"], files)).toMatchObject({ exit: 1, out: "" });
  expect(await runCliAsync(["fmt", "broken.tsd"], files)).toMatchObject({ exit: 1, out: broken });
});

test("help about a command is its help", async () => {
  const help = await runCliAsync(["help", "graph"]);
  expect(help).toEqual(await runCliAsync(["graph", "--help"]));
  expect(help.exit).toBe(0);
});

describe("as a process", () => {
  let cli: RealCli;

  beforeAll(async () => {
    cli = await realCli();
    writeFileSync(join(cli.folder, "rules.tsd"), 'T(x: 1)\nrule r { when t: T then log("fired " + t.x) }\n');
  });

  afterAll(() => cli.remove());

  test("a disk that is full is told, once and without a stack trace", async () => {
    const ran = await cli.shell("sluice run rules.tsd 2>&1 > /dev/full | grep -v W201");
    expect(ran.out).toContain("sluice: cannot write to standard output: the disk is full\n");
    expect(ran.out).not.toMatch(/^\s+at /mu);
  });

  test("rules from a pipe that has nothing yet are waited for", async () => {
    const slow = "(sleep 0.3; head -1 rules.tsd; sleep 0.3; tail -1 rules.tsd)";
    // Another process makes the pipe one that never waits, as shells and other programs may.
    const noWaiting = `node -e 'process.stdin.on("data", () => {}); process.stdin.pause()'`;
    const ran = await cli.shell(`${slow} | (${noWaiting}; sluice run -)`);
    expect(ran.out).toContain("fired 1");
    expect(ran.exit).toBe(0);
  });
});
