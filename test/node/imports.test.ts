/** Tests what rule files may read and write: regular rule files below the program's folders, and nothing else. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, compile, type Unread } from "../../src/index.ts";
import { importReader } from "../../src/node/index.ts";
import { runs } from "../support/cases.ts";
import { runCli } from "../support/io.ts";
import { type RealCli, realCli } from "../support/real-cli.ts";

const SECRET = "TOKEN=s3cret-value";

let folder: string;

/** `outside` holds a secret, `rules` the program. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-imports-"));
  for (const name of ["rules", "rules/deep", "rules/folder.tsd", "outside", "rules2"]) mkdirSync(join(folder, name));
  write("outside/.env", SECRET);
  write("outside/rules.tsd", "type Outside(n: number)\n");
  write("rules2/rules.tsd", SECRET);
  write("rules/.env", SECRET);
  write("rules/settings.json", SECRET);
  write("rules/model.tsd", "type P(#id: string)\n");
  write("rules/deep/back.tsd", 'import "../model.tsd"\n');
  symlinkSync("../outside/.env", join(folder, "rules/link.tsd"));
  symlinkSync(".env", join(folder, "rules/inner-link.tsd"));
  symlinkSync("../outside", join(folder, "rules/out"));
  symlinkSync("model.tsd", join(folder, "rules/alias.tsd"));
  for (const name of ["round", "and-round"]) symlinkSync(".", join(folder, "rules", name));
  symlinkSync("/dev/zero", join(folder, "rules/zero.tsd"));
  symlinkSync("loop.tsd", join(folder, "rules/loop.tsd"));
  execFileSync("mkfifo", [join(folder, "rules/pipe.tsd")]);
  write("rules/large.tsd", "");
  truncateSync(join(folder, "rules/large.tsd"), 1e12);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** What `sluice check` says about a program in `rules` that imports this. */
function checked(path: string, ...more: string[]): { exit: number; err: string } {
  write("rules/main.tsd", `import ${JSON.stringify(path)}\n`);
  return runCli(["check", join(folder, "rules/main.tsd"), ...more]);
}

describe("an import", () => {
  test.each([
    ["/dev/zero", "E702"],
    ["/proc/self/environ", "E702"],
    ["../.env", "E702"],
    ["../outside/.env", "E702"],
    ["../outside/rules.tsd", "E702"],
    ["../rules2/rules.tsd", "E702"],
    ["out/rules.tsd", "E702"],
    ["link.tsd", "E702"],
    ["zero.tsd", "E702"],
    ["..", "E702"],
    ["", "E702"],
    ["inner-link.tsd", "E701"],
    [".env", "E701"],
    ["settings.json", "E701"],
    ["nowhere.tsd", "E701"],
    ["loop.tsd", "E701"],
    ["model.tsd/x.tsd", "E701"],
    ["pipe.tsd", "E703"],
    ["folder.tsd", "E703"],
    ["large.tsd", "E302"],
  ])("of %j is refused with %s, and nothing of the file is shown", (path, code) => {
    const { exit, err } = checked(path);
    expect(err).toContain(`error ${code}  file "${path}" `);
    expect(exit).toBe(code === "E302" ? 1 : 2);
    expect(err).not.toContain("s3cret");
  });

  test.each(["model.tsd", "./deep/../model.tsd", "deep/back.tsd", "alias.tsd", "../rules/model.tsd"])(
    "of %j is read",
    (path) => expect(checked(path)).toMatchObject({ exit: 0, err: "" }),
  );

  test("from another folder is read when the command line allows it", () => {
    expect(checked("../outside/rules.tsd", "--root", join(folder, "outside")).exit).toBe(0);
    expect(checked("out/rules.tsd", `--root=${folder}`).exit).toBe(0);
    expect(checked("../outside/.env", `--root=${folder}`)).toMatchObject({ exit: 2 });
    expect(checked("model.tsd", "--root", "nowhere")).toMatchObject({ exit: 2 });
    expect(checked("model.tsd", "--root", "nowhere").err).toContain('--root: "nowhere" is not a folder');
    expect(checked("model.tsd", "--root").err).toContain("--root needs a folder: --root DIR");
    expect(checked("model.tsd", "--root", "--json").err).toContain("--root needs a folder: --root DIR");
  });

  test("is read from the folder of every file on the command line", () => {
    write("rules/main.tsd", 'import "../outside/rules.tsd"\n');
    write("outside/other.tsd", "type Other(n: number)\n");
    const files = [join(folder, "rules/main.tsd"), join(folder, "outside/other.tsd")];
    expect(runCli(["check", ...files]).exit).toBe(0);
    expect(runCli(["check", join(folder, "rules/main.tsd"), join(folder, "outside")]).exit).toBe(0);
  });

  test("is refused where the file is exchanged for a link", () => {
    const read = importReader([join(folder, "rules")]);
    expect((read(join(folder, "rules/link.tsd")) as Unread).code).toBe("E702");
  });
});

test("what is found in a folder is read like an import", () => {
  const ran = runCli(["check", join(folder, "rules")]);
  const refused = [...ran.err.matchAll(/^(\S+):1:1 {2}error (\S+) {2}(.*)$/gmu)];
  expect(refused.map(([, file = "", code]) => `${file.slice(folder.length)} ${code}`)).toEqual([
    "/rules/inner-link.tsd E701",
    "/rules/large.tsd E302",
    "/rules/link.tsd E702",
    "/rules/loop.tsd E701",
    "/rules/pipe.tsd E703",
    "/rules/zero.tsd E702",
  ]);
  expect(ran.exit).toBe(2);
  expect(ran.err).not.toContain("s3cret");
});

/** Every path of a few steps, through links too: what is read lies below the root and is a rule file. */
test("no path leads out of the program's folder", () => {
  const step = fc.constantFrom("..", ".", "out", "deep", "rules", "outside", "", "proc", "dev");
  const last = fc.constantFrom(".env", "rules.tsd", "model.tsd", "link.tsd", "inner-link.tsd", "zero.tsd", "environ");
  const read = importReader([join(folder, "rules")]);
  const allowed = new Set(["type P(#id: string)\n"]);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), last, fc.boolean(), (steps, name, absolute) => {
      const path = [...steps, name].join("/");
      const source = read(absolute ? `/${path}` : `${folder}/rules/${path}`);
      if (source instanceof Uint8Array) expect(allowed).toContain(new TextDecoder().decode(source));
    }),
    { numRuns: runs(5_000) },
  );
});

// ---------------------------------------------------------------- nesting

/** Each file imports the next. */
function chain(length: number): (file: string) => string {
  return (file) => {
    const next = Number(/\d+/u.exec(file)?.[0] ?? "0") + 1;
    return next > length ? "type Last(n: number)\n" : `import "f${next}.tsd"\n`;
  };
}

describe("imports inside each other", () => {
  test.each([4_000, 100_000])("%i deep are refused with E704 at the 257th", (length) => {
    const { diagnostics } = check('import "f1.tsd"\n', { read: chain(length) });
    expect(diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual(["E704 f256.tsd"]);
    expect(diagnostics[0]?.message).toBe('"f257.tsd" is not imported: imports are nested more than 256 levels deep');
  });

  test("256 deep are read", () => {
    expect(check('import "f1.tsd"\n', { read: chain(256) }).diagnostics).toEqual([]);
  });

  test("have a limit that can be chosen", () => {
    const said = check('import "f1.tsd"\n', { read: chain(3), limits: { importNesting: 2 } }).diagnostics;
    expect(said.map(({ code }) => code)).toEqual(["E704"]);
  });

  test("in a circle are read once", () => {
    const read = (file: string): string => (file === "a.tsd" ? 'import "b.tsd"\n' : 'import "a.tsd"\nimport "b.tsd"\n');
    expect(check('import "b.tsd"\n', { file: "a.tsd", read }).diagnostics).toEqual([]);
  });

  test("are a mistake in the rules for the command line", () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}.tsd`, chain(300)(`f${n}`)]));
    const ran = runCli(["check", "f0.tsd"], files);
    expect(ran.err).toContain("f256.tsd:1:8  error E704  ");
    expect(ran.exit).toBe(1);
  });
});

test("a host may say why it does not read a file", () => {
  const unread: Unread = { code: "E703", message: "is not kept here", hint: "ask the owner" };
  expect(() => compile('import "a.tsd"', { read: () => unread })).toThrow('E703 file "a.tsd" is not kept here');
});

// ---------------------------------------------------------------- audits

describe("an audit", () => {
  const pipeline = (to: string): string =>
    `type R(#id: string)\nR(id: "a")\npipeline p for r: R { otherwise FORWARD "x" audit to ${JSON.stringify(to)} }\n`;

  test.each(["../x", "/tmp/x", "a/../../x", "", "."])("to %j is refused before anything runs", (to) => {
    for (const command of ["run", "check"]) {
      const ran = runCli([command, "r.tsd"], { "r.tsd": pipeline(to) });
      expect(ran.err).toContain(`r.tsd:3:45  error E702  the audit file "${to}" is outside the current folder`);
      expect(ran.exit).toBe(2);
      expect(ran.out).not.toContain("FORWARD");
      expect([...ran.written.keys()]).toEqual([]);
    }
  });

  test("to another folder is written when the command line allows it", () => {
    const to = join(folder, "outside/log");
    const ran = runCli(["run", "r.tsd", "--root", join(folder, "outside")], { "r.tsd": pipeline(to) });
    expect(ran.exit).toBe(0);
    expect([...ran.written.keys()]).toEqual([to]);
  });
});

// ---------------------------------------------------------------- what the user names

describe("a process", () => {
  let cli: RealCli;
  beforeAll(async () => {
    cli = await realCli();
    writeFileSync(join(cli.folder, "rules.tsd"), 'type P(#id: string)\nP(id: "a")\nrule r : {p: P} / ==> log(p.id)\n');
  });
  afterAll(() => cli.remove());

  test("reads pipes that the user names", async () => {
    for (const line of [
      "sluice run <(cat rules.tsd)",
      "sluice run - < rules.tsd",
      "cat rules.tsd | sluice run -",
      "mkfifo slow; (sleep 0.2; cat rules.tsd > slow) & sluice run slow; rm slow",
    ]) {
      expect((await cli.shell(line)).out, line).toContain("1 firing");
    }
  }, 60_000);

  test.each([
    ["rules", "sluice check /dev/zero", "error E302  the file has more than 4194304 bytes"],
    ["rules from a pipe", "yes | sluice check -", "error E302  the file has more than 4194304 bytes"],
    ["a requirement", "sluice decide rules.tsd --gate-json /dev/zero", "error E302  the file has more than"],
    ["facts", "sluice run rules.tsd --facts /dev/zero", "error E302  the file has a line of more than 67108864 bytes"],
    ["a large file", "truncate -s 1T big.tsd; sluice check big.tsd", "has 1099511627776 bytes; the limit is"],
  ])(
    "does not read %s without an end",
    async (_, line, message) => {
      const ran = await cli.shell(line);
      expect(ran.err).toContain(message);
      expect(ran.exit).toBe(1);
      expect(ran.err).not.toContain("at ");
    },
    60_000,
  );
});
