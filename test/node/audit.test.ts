/** Tests the audit file: every line is whole or marked as torn, and every returned decision is in it exactly once. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appendLine, type LineFiles, TORN } from "../../src/node/audit-line.ts";
import { fileAudit } from "../../src/node/audit.ts";
import { runs } from "../support/cases.ts";
import { realCli } from "../support/real-cli.ts";

// ---------------------------------------------------------------- a disk that fails

type Fault =
  | { readonly kind: "none" }
  | { readonly kind: "throws"; readonly at: keyof LineFiles }
  | { readonly kind: "short"; readonly keeps: number; readonly throws: boolean }
  | { readonly kind: "other"; readonly bytes: string; readonly at: "size" | "write" | "close" };

/** One file in memory. A fault happens once, at the call that it names. */
class FailingDisk implements LineFiles {
  content = Buffer.alloc(0);
  fault: Fault = { kind: "none" };

  open(): number {
    this.#fail("open");
    return 3;
  }

  isRegular(): boolean {
    this.#fail("isRegular");
    return true;
  }

  size(): number {
    this.#fail("size");
    return this.content.length;
  }

  read(_: number, buffer: Uint8Array, position: number): number {
    this.#fail("read");
    return this.content.copy(buffer, 0, position, position + buffer.length);
  }

  write(_: number, bytes: Uint8Array): number {
    this.#fail("write");
    const fault = this.fault.kind === "short" ? this.fault : undefined;
    const kept = bytes.subarray(0, fault === undefined ? bytes.length : fault.keeps % bytes.length);
    this.#append(kept);
    if (fault !== undefined) this.fault = { kind: "none" };
    if (fault?.throws === true) throw new Error("EIO");
    return kept.length;
  }

  flush(): void {
    this.#fail("flush");
  }

  flushFolder(): void {
    this.#fail("flushFolder");
  }

  close(): void {
    this.#fail("close");
  }

  #append(bytes: Uint8Array): void {
    this.content = Buffer.concat([this.content, bytes]);
  }

  #fail(at: keyof LineFiles): void {
    const fault = this.fault;
    if ((fault.kind !== "throws" && fault.kind !== "other") || fault.at !== at) return;
    this.fault = { kind: "none" };
    if (fault.kind === "throws") throw new Error("EIO");
    // The other process looks at the end before it writes, as this one does.
    const torn = this.content.length > 0 && this.content.at(-1) !== 0x0a;
    this.#append(Buffer.from(torn ? `${TORN}\n${fault.bytes}` : fault.bytes));
  }
}

const OPERATIONS = ["open", "isRegular", "size", "read", "write", "flush", "flushFolder", "close"] as const;
const OTHER_LINE = '{"other":"écrit"}\n';

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constant<Fault>({ kind: "none" }),
  fc.constantFrom(...OPERATIONS).map((at): Fault => ({ kind: "throws", at })),
  fc.record({ kind: fc.constant("short"), keeps: fc.nat(200), throws: fc.boolean() }),
  fc.record({
    kind: fc.constant("other"),
    bytes: fc.constantFrom(OTHER_LINE, OTHER_LINE.slice(0, 11), OTHER_LINE.trimEnd(), `${OTHER_LINE}{"o`),
    at: fc.constantFrom("size", "write", "close"),
  }),
);

function line(id: number): string {
  return `${JSON.stringify({ id, value: "ü" })}\n`;
}

/** The ids of the lines that count; fails when a line is neither whole nor marked. */
function idsIn(content: string): unknown[] {
  const lines = content.split("\n");
  expect(lines.pop()).toBe("");
  return lines.filter((one) => !one.endsWith(TORN)).flatMap((one) => (JSON.parse(one) as { id?: number }).id ?? []);
}

test("whatever fails, every line is whole or marked, and every acknowledged line is there exactly once", () => {
  fc.assert(
    fc.property(fc.array(fault, { maxLength: 8 }), (faults) => {
      const disk = new FailingDisk();
      const acknowledged: number[] = [];
      for (const [id, one] of [...faults, { kind: "none" } as const].entries()) {
        disk.fault = one;
        try {
          appendLine(disk, "a", line(id), true);
          acknowledged.push(id);
        } catch {
          // Not acknowledged: the decision is not returned.
        }
        disk.fault = { kind: "none" };
      }
      appendLine(disk, "a", line(faults.length + 1), true);
      const ids = unfinishedIsGlued(disk.content.toString());
      for (const id of acknowledged) expect(ids.filter((one) => one === id)).toHaveLength(1);
    }),
    { numRuns: runs() },
  );
});

/** A line that another process's rest was glued to was refused, so it may be unreadable: it must not have been acknowledged. */
function unfinishedIsGlued(content: string): unknown[] {
  const glued = /^\{"o(?:ther":"[^"\n]*"?\}?)?\{"id":\d+,"value":"ü"\}$/u;
  const lines = content.split("\n").filter((one) => !glued.test(one));
  return idsIn(lines.join("\n"));
}

test("a short write and a full disk: the next line is not glued to the rest", () => {
  const disk = new FailingDisk();
  disk.fault = { kind: "short", keeps: 9, throws: false };
  expect(() => appendLine(disk, "a", line(1), true)).toThrow("only 9 of 22 bytes could be written");
  disk.fault = { kind: "throws", at: "write" };
  expect(() => appendLine(disk, "a", line(1), true)).toThrow("EIO");
  appendLine(disk, "a", line(2), true);
  expect(disk.content.toString()).toBe(`{"id":1,"${TORN}\n${line(2)}`);
});

test("a line that another process's rest was glued to is not acknowledged", () => {
  const disk = new FailingDisk();
  disk.fault = { kind: "other", bytes: '{"half', at: "write" };
  expect(() => appendLine(disk, "a", line(1), true)).toThrow("another process left an incomplete line before it");
  disk.fault = { kind: "other", bytes: OTHER_LINE, at: "write" };
  appendLine(disk, "a", line(2), true);
  expect(disk.content.toString()).toBe(`{"half${line(1)}${OTHER_LINE}${line(2)}`);
});

// ---------------------------------------------------------------- real files

describe("files", () => {
  let folder: string;
  let logs: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "sluice-audit-"));
    logs = join(folder, "logs");
    mkdirSync(logs);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("a torn end, whoever left it, is marked before the next line", () => {
    writeFileSync(join(logs, "torn"), '{"id":1}\n{"id":2}');
    fileAudit(logs)("torn", line(3));
    expect(readFileSync(join(logs, "torn"), "utf8")).toBe(`{"id":1}\n{"id":2}${TORN}\n${line(3)}`);
  });

  test("the folder is created, and a folder that cannot be is refused at once", () => {
    const created = join(folder, "created", "logs");
    fileAudit(created)("first", line(1));
    expect(readFileSync(join(created, "first"), "utf8")).toBe(line(1));
    expect(() => fileAudit(join(created, "first"))).toThrow(
      /^fileAudit: the folder ".*first" cannot be created: EEXIST/u,
    );
    expect(() => fileAudit(created)("sub/first", line(1))).toThrow("ENOENT");
    expect(existsSync(join(created, "sub"))).toBe(false);
  });

  test("without flushing the line is written too", () => {
    fileAudit(logs, { sync: false })("quick", line(1));
    expect(readFileSync(join(logs, "quick"), "utf8")).toBe(line(1));
  });

  test.each([
    ["the folder above", () => "../x"],
    ["an absolute path", () => join(logs, "x")],
    ["a link that leads out", () => "out/x"],
    ["a link to a file outside", () => "secret"],
    ["the folder itself", () => "."],
  ])("%s is refused", (_, file) => {
    writeFileSync(join(folder, "secret"), "");
    for (const [name, target] of [
      ["out", folder],
      ["secret", join(folder, "secret")],
    ] as const) {
      rmSync(join(logs, name), { force: true });
      symlinkSync(target, join(logs, name));
    }
    expect(() => fileAudit(logs)(file(), line(1))).toThrow("outside the audit folder");
    expect(readFileSync(join(folder, "secret"), "utf8")).toBe("");
  });

  test("a link is followed also where nothing exists yet: outside it is refused, below the folder it is written", () => {
    symlinkSync(join("..", "new"), join(logs, "dangling"));
    symlinkSync("dangling", join(logs, "twice"));
    for (const file of ["dangling", "twice"]) {
      expect(() => fileAudit(logs)(file, line(1))).toThrow("outside the audit folder");
    }
    expect(existsSync(join(folder, "new"))).toBe(false);
    symlinkSync("inner", join(logs, "inward"));
    fileAudit(logs)("inward", line(1));
    expect(readFileSync(join(logs, "inner"), "utf8")).toBe(line(1));
  });

  test("a folder that is explicitly allowed may be written to", () => {
    mkdirSync(join(folder, "more"));
    const audit = fileAudit(logs, { roots: [join(folder, "more")] });
    audit("../more/a", line(1));
    audit(join(folder, "more", "a"), line(2));
    expect(readFileSync(join(folder, "more", "a"), "utf8")).toBe(line(1) + line(2));
  });

  test("a pipe is refused at once, though nobody reads it", () => {
    execFileSync("mkfifo", [join(logs, "pipe")]);
    expect(() => fileAudit(logs)("pipe", line(1))).toThrow("it is not a regular file");
  });
});

// ---------------------------------------------------------------- a real full disk

const PIPELINE = `type Request(#id: string)
pipeline p for q: Request { step one ANSWER "secret" otherwise ERROR audit to "log.ndjson" }
`;

test("a process that may not write more than 1 KiB: nothing unaudited is returned, and the next one repairs the file", async () => {
  const cli = await realCli();
  try {
    const ids = Array.from({ length: 20 }, (_, index) => `{"Request":{"id":"q${index}"}}\n`);
    writeFileSync(join(cli.folder, "rules.tsd"), PIPELINE);
    writeFileSync(join(cli.folder, "facts.ndjson"), ids.join(""));
    const run = "sluice run rules.tsd --facts facts.ndjson --json";
    const full = await cli.shell(`ulimit -f 1; ${run} | cat`);
    expect(full.exit).toBe(1);
    const given = answersIn(full.out);
    const log = join(cli.folder, "log.ndjson");
    expect(readFileSync(log, "utf8")).not.toMatch(/\n$/u);
    const again = await cli.shell(run);
    expect(again.exit).toBe(0);
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    const torn = lines.filter((one) => one.endsWith(TORN));
    expect(torn).toHaveLength(1);
    const written = lines.filter((one) => !torn.includes(one)).map((one) => JSON.parse(one) as { subject: string });
    expect(written.map(({ subject }) => subject)).toEqual([...given, ...answersIn(again.out)]);
  } finally {
    cli.remove();
  }
}, 60_000);

test("processes that write to one file at once: every answer is in it exactly once", async () => {
  const cli = await realCli();
  try {
    writeFileSync(join(cli.folder, "rules.tsd"), PIPELINE);
    for (const one of ["a", "b", "c"]) {
      const ids = Array.from({ length: 100 }, (_, index) => `{"Request":{"id":"${one}${index}"}}\n`);
      writeFileSync(join(cli.folder, `${one}.ndjson`), ids.join(""));
    }
    const run = (one: string): string => `sluice run rules.tsd --facts ${one}.ndjson --json > ${one}.out`;
    const ran = await cli.shell(
      `${["a", "b", "c"].map((one) => `${run(one)} &`).join(" ")} wait; cat a.out b.out c.out`,
    );
    const lines = readFileSync(join(cli.folder, "log.ndjson"), "utf8").trimEnd().split("\n");
    const whole = lines.filter((one) => one !== TORN).map((one) => JSON.parse(one) as { subject: string });
    const given = answersIn(ran.out);
    expect(given).toHaveLength(300);
    expect(whole.map(({ subject }) => subject).sort()).toEqual(given.sort());
  } finally {
    cli.remove();
  }
}, 60_000);

/** The requests that were answered, not refused. */
function answersIn(out: string): string[] {
  const events = out.trimEnd().split("\n");
  const decisions = events.map((one) => JSON.parse(one) as { event: string; subject: string; decision: string });
  return decisions.filter((one) => one.event === "decision" && one.decision === "ANSWER").map(({ subject }) => subject);
}
