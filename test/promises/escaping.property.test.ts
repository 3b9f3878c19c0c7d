/**
 * Escaping: no output contains a raw control character. Every command, with hostile names of rules, types, fields, files and
 * arguments, prints nothing that controls a terminal or changes the text direction.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeSheet } from "../../packages/tables/src/index.ts";
import { compile, printable, printableLine, renderDiagnostic, toHtml, toLinks } from "../../src/index.ts";
import type { Io } from "../../src/cli/io.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Ran, runCliAsync } from "../support/io.ts";
import { realCli } from "../support/real-cli.ts";

/** Written down apart from the code that is tested. */
const RAW =
  /[^\P{Cc}\n\t]|\u034f|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/u;
/** What the door itself adds: colours, and the line that says how far the work is. */
const OWN =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /\u001b\[(?:0|1|2|31|32|33|36)m|\r(?:[\d,]+ facts loaded …|\d+ firings …|case 1 of 1 …|measuring \d+ rules? …)?\u001b\[K/gu;

const SLY = [
  "\u001b[2J",
  "\u001b]0;title\u0007",
  "\u001b[35m",
  "\u009b31m",
  "\u0000",
  "\b\b\b",
  "\r",
  "\u007f",
  "\u0085",
  "\u202e",
  "\u2066",
  "\u2069",
  "\u200f",
  "\u061c",
  "\u2028",
  "\u2029",
  "\u200b",
  "\u00ad",
  "\ufeff",
  "\u3164",
  "\u{e0041}",
  "\u{1d173}",
  "\ud800",
  "\udc00",
];
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...SLY),
      fc.constantFrom(...SLY),
      fc.constantFrom("a", "\n", "\t", '"', "\\", "é", "{", "<", "'", "😀"),
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(""));

/** As a text of the language: raw where the language allows it, else escaped. */
function text(value: string): string {
  const whole = value.toWellFormed();
  const written = whole.replace(/["\\{\n\r\0\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === "{" ? "(" : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return `"${written}"`;
}

function rules(h: string): string {
  const t = text(h);
  return `// ${h.toWellFormed().replace(/[\n\r\0\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")}
type Person(#id: string, name: string, age: number, attempt: number = 0, tag: ${t} | "x" = "x")
type Note(text: string)
Person(id: ${t}, name: ${t}, age: 30)
Person(id: "p2", name: "b", age: 5)
rule ${t} { when p: Person(age > 18, name != ${text(`${h}!`)}) then log(p.name, ${t}) insert Note(text: p.name) }
rule ${text(`${h}2`)} group ${t} { when p: Person(age > 99, name == ${t}) then log(${t}) }
condition named(p: Person): p.name == ${t}
gate ${t} for p: Person { require named(p) and p.age > 50 }
guardian ${t} for p: Person {
    retry at most 1
    check policy risk high never retry { forbid p.name == ${t} as ${t} do SAFE_REFUSAL }
}
pipeline ${t} for p: Person {
    step first BLOCK ${t} when p.name == ${t}
    otherwise FORWARD ${t}
}
query found(n: string) { p: Person(name == n) }
test ${t} { given Note(text: ${t}) expect rule ${t} fires 7 expect 3 Note(text == ${t}) }
`;
}

/** Rules with mistakes that quote what is written. */
const broken = (h: string): string => `type P(a: number)
rule ${text(h)} { when p: P(${h.toWellFormed()} > 1) then nope(${text(h)}) }
rule ${text(h)} { when p: P(a == ${text(h)}) q: Q then log(gate ${text(h)}) }
import ${text(h)}
remove rule ${text(`${h}?`)}
`;

function facts(h: string): string {
  return JSON.stringify({
    Person: [
      { id: `${h}9`, name: h, age: 44 },
      { id: h, name: h, age: 1 },
      { id: 1, [h]: h, age: h },
    ],
    [h]: [{ a: 1 }],
    [`${h}T`]: 3,
  });
}

/** All commands; `{h}` stands for the hostile text. */
const COMMANDS: readonly (readonly string[])[] = [
  ["{h}"],
  ["help", "{h}"],
  ["run", "{h}.tsd", "--events", "all", "--explain"],
  ["run", "{h}.tsd", "--json", "--events", "all"],
  ["run", "{h}.tsd", "--facts", "{h}.json"],
  ["run", "{h}.tsd", "--facts", "{h}.json", "--json"],
  ["run", "{h}.tsd", "--facts", "{h}.ndjson"],
  ["run", "{h}.tsd", "--policy", "{h}.csv"],
  ["run", "{h}.tsd", "--{h}"],
  ["run", "{h}.tsd", "--limit", "{h}"],
  ["run", "{h}.tsd", "--strategy", "{h}"],
  ["run", "none{h}.tsd"],
  ["run", "broken.tsd"],
  ["infer", "{h}.json"],
  ["infer", "{h}.ndjson", "--json"],
  ["check", "{h}.tsd"],
  ["check", "broken.tsd"],
  ["check", "broken.tsd", "--json"],
  ["check", "garbage.tsd"],
  ["why", "{h}.tsd", "{h}"],
  ["why", "{h}.tsd", "{h}2"],
  ["why", "{h}.tsd", "{h}2", "--format", "html"],
  ["why", "{h}.tsd", "{h}2", "--format", "lino"],
  ["why", "{h}.tsd", "{h}2", "--json"],
  ["why", "{h}.tsd", "{h}?"],
  ["why", "{h}.tsd", "found", "--fact", "n={h}"],
  ["why", "{h}.tsd", "Person~p2", "--fact", "{h}"],
  ["decide", "{h}.tsd"],
  ["decide", "{h}.tsd", "--gate", "{h}", "--subject", "{h}"],
  ["decide", "{h}.tsd", "--gate", "{h}?"],
  ["decide", "{h}.tsd", "--json"],
  ["decide", "{h}.tsd", "--gate-json", "{h}.json"],
  ["decide", "--gate-json", "{h}.json", "--condition", "{h}=true"],
  ["verify-answer", "{h}.tsd", "--explain"],
  ["verify-answer", "{h}.tsd", "--guardian", "{h}?"],
  ["verify-answer", "{h}.tsd", "--json"],
  ["test", "{h}.tsd", "--coverage", "--junit", "out.xml"],
  ["test", "{h}.tsd", "--json"],
  ["test", "{h}.tsd", "--only", "{h}?"],
  ["types", "{h}.tsd"],
  ["types", "{h}.tsd", "-o", "out.d.ts"],
  ["graph", "{h}.tsd"],
  ["graph", "{h}.tsd", "--format", "dot", "--live"],
  ["graph", "{h}.tsd", "--format", "mermaid", "-o", "out.mmd"],
  ["graph", "{h}.tsd", "--format", "json", "--rule", "{h}"],
  ["graph", "{h}.tsd", "--rule", "{h}?"],
  ["graph", "{h}.tsd", "--format", "text", "--live"],
  ["graph", "{h}.tsd", "--format", "text", "--rule", "{h}", "-o", "out.txt"],
  ["run", "{h}.tsd", "--log-network"],
  ["run", "{h}.tsd", "--log-network", "--json"],
  ["table", "export", "{h}.tsd", "{h}"],
  ["table", "import", "{h}.csv", "{h}.tsd", "--table", "{h}"],
  ["table", "export", "{h}.tsd", "{h}", "-o", "{h}.xlsx"],
  ["table", "import", "{h}.xlsx", "{h}.tsd", "--table", "{h}"],
  ["table", "import", "{h}.xlsx", "table.tsd", "--table", "t"],
  ["table", "import", "{h}.xlsx", "{h}.tsd", "--sheet", "{h}"],
  ["table", "{h}"],
  ["hash", "name == '{h}'", "--type", "Person", "{h}.tsd"],
  ["hash", "{h}", "--type", "Person"],
  ["hash", "name == '{h}'", "--type", "Person", "--json"],
  ["hash", "age > 18", "--type", "{h}", "{h}.tsd"],
  ["fmt", "{h}.tsd"],
  ["fmt", "{h}.tsd", "--json"],
  ["fmt", "broken.tsd"],
  ["prove", "{h}.tsd", "--cases", "1"],
  ["pack", "verify", "{h}.json"],
  ["pack", "{h}"],
  ["bench", "{h}"],
  ["bench", "sharing", "{h}.tsd", "--count", "4", "--rounds", "3"],
  ["bench", "sharing", "{h}.tsd", "--count", "4", "--rounds", "3", "--json", "-o", "{h}.svg"],
  ["watch", "{h}.tsd", "--facts", "{h}.json"],
  ["watch", "{h}.tsd"],
  ["repl", "{h}.tsd"],
];

function dirty(ran: Ran): string | undefined {
  const all = [ran.out, ran.err, ...ran.written.values()].join("\n");
  const found = RAW.exec(all.replace(OWN, ""));
  return found === null ? undefined : JSON.stringify(all.slice(Math.max(0, found.index - 60), found.index + 20));
}

function run(command: readonly string[], h: string, color: boolean): Promise<Ran> {
  const files = {
    [`${h}.tsd`]: rules(h),
    "broken.tsd": broken(h),
    "garbage.tsd": h.toWellFormed().repeat(3),
    [`${h}.json`]: facts(h),
    [`${h}.ndjson`]: `${facts(h)}\n${h}\n{"Person": ${h}}\n`,
    [`${h}.csv`]: `id,${h}\n"${h},1\n`,
    [`${h}.xlsx`]: writeSheet({
      name: h,
      rows: [
        ["a", "|| b: number"],
        [h, h],
      ],
      firstOutput: 1,
    }),
    "table.tsd": "table t(a: string) first {\n | a || b: number |\n | - || 0 |\n}\n",
  };
  const world: Partial<Io> = {
    color,
    outColor: color,
    terminal: color,
    now: ticking(),
    filesBelow: () => undefined,
    benchmarks: () => undefined,
    watch: async (_files, work) => {
      work();
      work();
      await Promise.resolve();
    },
    dialogue: async (dialogue) => {
      for (const line of lines(h)) {
        expect(dialogue.prompt()).not.toMatch(RAW);
        for (const hit of dialogue.complete(line.slice(0, 8))[0]) expect(hit).not.toMatch(RAW);
        dialogue.line(line);
      }
      dialogue.interrupted();
      await Promise.resolve();
    },
  };
  const args = command.map((word) => word.replaceAll("{h}", () => h));
  return runCliAsync(args, files, world);
}

const lines = (h: string): string[] => [
  h,
  `facts ${h}`,
  "facts",
  "agenda",
  "run",
  `matches ${h}`,
  `why not ${h}2`,
  `why ${h}`,
  `gate ${h}`,
  `Person(id: ${text(h)}, name: "n", age: ${h})`,
  `Note(text: ${text(h)})`,
  `update Person~p2 name: ${text(h)}`,
  `retract ${h}`,
  `rule ${text(h)} { when p: Nope then }`,
  `query found n=${h}`,
];

/** Late enough each time that progress is shown. */
function ticking(): () => number {
  let now = 0;
  return () => (now += 5_000);
}

describe("no output contains a raw control character", () => {
  test.each(COMMANDS.map((command) => ({ command, name: command.join(" ") })))(
    "$name",
    async ({ command }) => {
      await fc.assert(
        fc.asyncProperty(hostile, fc.boolean(), async (h, color) => {
          expect(dirty(await run(command, h, color))).toBeUndefined();
        }),
        { numRuns: runs(60) },
      );
    },
    PATIENT,
  );

  test(
    "each sly character, through all commands",
    async () => {
      for (const sly of SLY) {
        for (const command of COMMANDS)
          expect(dirty(await run(command, `a${sly}b`, false)), command.join(" ")).toBeUndefined();
      }
    },
    PATIENT,
  );

  test("--json says the same characters", async () => {
    const sly = "a\u202e\u0085\u{e0041}\u007f\u2028b";
    const { out } = await run(["decide", "{h}.tsd", "--json"], sly, false);
    expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({ gate: sly });
  });

  test("colours cannot be brought along", async () => {
    const { out } = await run(["run", "{h}.tsd"], "\u001b[31mred\u001b[0m", true);
    expect(out).toContain("\u001b[1m");
    expect(out).not.toContain("\u001b[31mred");
  });

  test("a usage error is one line, whatever was given", async () => {
    const { err } = await run(["decide\nsluice: all is well"], "", false);
    expect(err.split("\n")).toHaveLength(3);
  });
});

test("printable leaves writing alone and shows the rest", () => {
  const fine = "naïve, 日本語, עברית, فارسی\u200cها, 👩\u200d👩\u200d👧, ❤\ufe0f, 葛\u{e0100}, a\tb\nc";
  expect(printable(fine)).toBe(fine);
  expect(printable("\u001b[2J\u202e\u{e0041}\ud800")).toBe("\\u001b[2J\\u202e\\udb40\\udc41\\ud800");
  expect(printable("a\u0000b\u200b", "·")).toBe("a·b·");
  expect(printableLine("a\nb\tc")).toBe("a\\u000ab\\u0009c");
  fc.assert(
    fc.property(hostile, (h) => {
      expect(printable(h)).not.toMatch(RAW);
      expect(printable(printable(h))).toBe(printable(h));
      expect(JSON.parse(printable(JSON.stringify(h)))).toBe(h);
    }),
  );
});

test("forms of the library are safe without the door", () => {
  fc.assert(
    fc.property(hostile, (h) => {
      const session = compile(rules(h)).session();
      session.run();
      const why = session.whyNot(`${h.toWellFormed().replaceAll("{", "(")}2`);
      expect(toHtml(why)).not.toMatch(RAW);
      expect(toLinks(why)).not.toMatch(RAW);
      const at = { file: h, line: 1, column: 1, endLine: 1, endColumn: 9 };
      const shown = renderDiagnostic({ ...at, severity: "error", code: "E100", message: h, hint: h }, h);
      expect(shown).not.toMatch(RAW);
      expect(shown.split("\n")).toHaveLength(3);
      expect(() => compile(broken(h), { file: h })).toThrow(
        expect.objectContaining({ message: expect.not.stringMatching(RAW) as unknown }),
      );
    }),
    { numRuns: runs(100) },
  );
});

test("only the door and the process itself touch the streams", () => {
  const names = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const writing = names.filter((name) =>
    /\bconsole\b|process\.std(?:out|err)|writeSync\(|stdio:/u.test(codeOf(readFileSync(join("src", name), "utf8"))),
  );
  // start.ts is the process: its `io` is what the door stands before. main.ts prints the version of the package and nothing
  // else, terminal.ts edits the line that a person types, and audit.ts writes to files alone.
  const cli = ["main.ts", "start.ts", "terminal.ts"].map((name) => join("cli", name));
  expect(writing.sort()).toEqual([...cli, join("node", "audit.ts")]);
  expect(readFileSync("src/cli/main.ts", "utf8").match(/writeSync\([^)]*\)/gu)).toEqual([
    "writeSync(1, `${version}\\n`)",
  ]);
  const start = readFileSync("src/cli/start.ts", "utf8");
  expect(start.match(/process\.std(?:out|err)(?!\.(?:isTTY|columns))/gu)).toBeNull();
  expect(readFileSync("src/cli/cli.ts", "utf8")).toContain("withSafeOutput(raw)");
});

/** Returns a source without its block comments: examples in them may print. */
function codeOf(source: string): string {
  return source.replace(/\/\*[^]*?\*\//gu, "");
}

test("the process itself: arguments, file names and values", async () => {
  const { folder, program, remove } = await realCli();
  const sly = "a\u001b[2J\u202eb";
  try {
    writeFileSync(join(folder, `${sly}.tsd`), rules(sly));
    for (const args of [
      [sly],
      ["run", `${sly}.tsd`],
      ["run", `${sly}?`],
      ["check", `${sly}.tsd`],
      ["run", `--${sly}`],
    ]) {
      const ran = spawnSync(process.execPath, [program, ...args], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: sly, FORCE_COLOR: undefined },
      });
      expect(ran.stdout + ran.stderr).not.toBe("");
      expect(ran.stdout + ran.stderr, args.join(" ")).not.toMatch(RAW);
    }
  } finally {
    remove();
  }
});

test("a mistake of our own is told through the door as well", async () => {
  const { program, remove } = await realCli();
  const broken = String.raw`data:text/javascript,process.once("beforeExit", () => { throw new Error("a\u001b[2J\u202eb") })`;
  const args = ["--import", broken, program, "--help"];
  const ran = spawnSync(process.execPath, args, { encoding: "utf8" });
  remove();
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain("sluice: internal error");
  expect(ran.stderr).toContain(String.raw`Error: a\u001b[2J\u202eb`);
  expect(ran.stderr).not.toMatch(RAW);
});
