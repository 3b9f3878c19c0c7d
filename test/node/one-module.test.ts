/** A file is one module, whatever paths lead to it: links, absolute paths, other spellings of a path. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkFiles, compile, compileFiles, type Program, verifyPack } from "../../src/index.ts";
import { importReader, watch } from "../../src/node/index.ts";
import { importSheet } from "../../src/tools.ts";
import { runCli } from "../support/io.ts";

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-one-module-")));
  mkdirSync(join(folder, "rules/sub"), { recursive: true });
  write("rules/money.tsd", 'type Money(#id: string)\nMoney("m1")\nrule "m" { when m: Money then log(m.id) }\n');
  write("rules/rates.csv", "kind: string,|| number\na,1\n-,2\n");
  symlinkSync("money.tsd", join(folder, "rules/link.tsd"));
  symlinkSync("../money.tsd", join(folder, "rules/sub/deep.tsd"));
  symlinkSync("rules", join(folder, "same"));
  symlinkSync("rates.csv", join(folder, "rules/link.csv"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

const PATHS = ["money.tsd", "link.tsd", "sub/deep.tsd", "./sub/../money.tsd", "../rules/money.tsd"];

function program(source: string): Program {
  return compile(source, { file: join(folder, "rules/main.tsd"), read: importReader([join(folder, "rules"), folder]) });
}

function filesOf({ checked }: Program): string[] {
  return checked.files.map(({ source }) => source.file.slice(folder.length + 1));
}

describe("a file that several paths lead to", () => {
  test.each([...PATHS, "absolute"])("is read once: money.tsd and %s", (path) => {
    const other = path === "absolute" ? join(folder, "same/money.tsd") : path;
    const merged = program(`import "money.tsd"\nimport ${JSON.stringify(other)}\n`);
    expect(filesOf(merged)).toEqual(["rules/money.tsd", "rules/main.tsd"]);
  });

  test("is one module under several aliases, which share its types", () => {
    const aliases = [...PATHS, join(folder, "same/link.tsd")].map(
      (path, n) => `import ${JSON.stringify(path)} as m${n}`,
    );
    const shared = program(`${aliases.join("\n")}
      rule "r" { when a: m1.Money b: m5.Money(id == a.id) where a == b then log(a.id) }`);
    expect(filesOf(shared)).toEqual(["rules/money.tsd", "rules/main.tsd"]);
    const session = shared.session({ facts: "program" });
    expect(session.run().fired.map(({ rule }) => rule)).toEqual(["m", "r"]);
    expect(session.facts("Money")).toHaveLength(1);
  });

  test("is one module when a file imports itself by a link", () => {
    write("rules/self.tsd", 'import "self-link.tsd" as other\ntype Own(#id: string)\nOwn("o1")\n');
    symlinkSync("self.tsd", join(folder, "rules/self-link.tsd"));
    expect(runCli(["check", join(folder, "rules/self.tsd")])).toMatchObject({ exit: 0 });
  });

  test("is read once from the command line, also in a folder", () => {
    const { exit, out } = runCli([
      "run",
      ...["rules/money.tsd", "rules/link.tsd", "same/money.tsd"].map((path) => join(folder, path)),
    ]);
    expect(exit).toBe(0);
    expect(out).toContain("1 firing");
    mkdirSync(join(folder, "two"));
    write("two/a.tsd", 'type A(#id: string)\nA("a")\n');
    symlinkSync("a.tsd", join(folder, "two/b.tsd"));
    expect(runCli(["check", join(folder, "two")])).toMatchObject({ exit: 0, err: "" });
  });

  test("has the text and the name with which it was named, wherever it is imported before", () => {
    const main = { file: join(folder, "rules/main.tsd"), source: 'import "link.tsd" as x\nconst N = x.LIMIT' };
    const named = { file: join(folder, "rules/money.tsd"), source: "const LIMIT = 5" };
    const { diagnostics, files } = checkFiles([main, named], { read: importReader([folder]) });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(files.map(({ source }) => source.file)).toEqual([named.file, main.file]);
  });

  test("with the rows of a table is read once", () => {
    const tables = program('table a from "rates.csv" first\ntable b from "link.csv" first\n');
    expect(filesOf(tables)).toEqual(["rules/rates.csv", "rules/main.tsd"]);
    const files = [
      {
        file: join(folder, "rules/main.tsd"),
        source: 'table b from "link.csv" first\ntable a from "rates.csv" first\n',
      },
    ];
    const sheet = { file: "new.csv", csv: "kind: string,|| number\n-,7\n" };
    const imported = importSheet(files, "a", sheet, { read: importReader([folder]) });
    expect(imported?.text).toBe("kind: string,|| number\r\n-,7\r\n");
  });
});

test("without an identity, files are told apart by their paths", () => {
  const read = (): string => "type Money(#id: string)\n";
  const files = compileFiles(
    [{ file: "main.tsd", source: 'import "a.tsd" as a\nimport "./x/../a.tsd" as b\nimport "b.tsd" as c' }],
    { read },
  );
  expect(files.checked.files.map(({ source }) => source.file)).toEqual(["a.tsd", "b.tsd", "main.tsd"]);
});

test("a pack of a program with links is verified without them", () => {
  const linked = program(`import "link.tsd" as a\nimport "money.tsd" as b\ntable rate from "link.csv" first
    rule "r" { when x: a.Money y: b.Money(id == x.id) then log(x.id, rate("a")) }`);
  const session = linked.session({ facts: "program" });
  expect(verifyPack(session.pack(session.run()))).toBeUndefined();
});

test("watching reads a file once", () => {
  write(
    "rules/watched.tsd",
    'import "link.tsd" as a\nimport "money.tsd" as b\nrule "r" { when x: a.Money y: b.Money(id == x.id) then log(x.id) }\n',
  );
  const found: unknown[] = [];
  const watching = watch([join(folder, "rules/watched.tsd")], (one) => found.push(one.program?.checked.files.length));
  watching.close();
  expect(found).toEqual([2]);
  expect(readFileSync(join(folder, "rules/link.tsd"), "utf8")).toContain("Money");
});
