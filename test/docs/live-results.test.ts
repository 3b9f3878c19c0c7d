/** Tests that programs of embedding.md, as printed, do what the page says: live results, the clock of a server, server-sent events. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { compile, type Session } from "../../src/index.ts";

const TEXT = readFileSync("docs/embedding.md", "utf8");

function firstBlock(text: string, language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "u").exec(text)?.[1] ?? "";
}

/** The first program below a heading, as a module. */
async function shown(heading: string): Promise<{ exports: unknown; text: string }> {
  const at = TEXT.indexOf(`\n${heading}\n`);
  expect(at, heading).toBeGreaterThan(0);
  const text = firstBlock(TEXT.slice(at), "ts");
  const folder = mkdtempSync(join(tmpdir(), "sluice-shown-"));
  writeFileSync(join(folder, "shown.ts"), text);
  await build({
    entryPoints: [join(folder, "shown.ts")],
    outfile: join(folder, "shown.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { sluice: join(process.cwd(), "src/index.ts") },
    logLevel: "error",
  });
  const exports = (await import(pathToFileURL(join(folder, "shown.mjs")).href)) as unknown;
  rmSync(folder, { recursive: true });
  return { exports, text };
}

const RULES = firstBlock(TEXT, "tsd");

test("the program of live results returns what it says", async () => {
  interface Shown {
    watch: (source: string) => string[];
    follow: (source: string) => Promise<string[]>;
  }
  const { exports, text } = await shown("## Live results");
  const { watch, follow } = exports as Shown;
  const [, promised = ""] = /return log; \/\/ => (.*)/u.exec(text) ?? [];
  expect(watch(RULES)).toEqual(JSON.parse(promised));
  expect(await follow(RULES)).toEqual(["Order~o1"]);
});

test("catching up fires at each instant at which a rule has something to do", async () => {
  const { exports } = await shown("### The clock of a server");
  const { catchUp } = exports as { catchUp: (session: Session) => Promise<void> };
  const seen: unknown[] = [];
  const session = compile(`
    type Host(#id: string, seen: instant)
    action page(host: string, at: instant)
    rule "silent" { when h: Host(now >= seen + 1 min) then page(h.id, now) }`).session({
    clock: "2024-01-01T00:00:00Z",
    actions: {
      async page(...args: unknown[]) {
        await Promise.resolve();
        seen.push(args);
      },
    },
  });
  session.assert("Host", { id: "h1", seen: "2024-01-01T00:00:00Z" });
  session.assert("Host", { id: "h2", seen: "2024-01-01T00:00:05Z" });
  await catchUp(session);
  expect(seen).toEqual([
    ["h1", "2024-01-01T00:01:00Z"],
    ["h2", "2024-01-01T00:01:05Z"],
  ]);
  expect(session.nextTime).toBeUndefined();
  expect(Number(session.clock?.slice(0, 4))).toBeGreaterThan(2024);
});

test("server-sent events send every change, and end when they are told to", async () => {
  interface Shown {
    sendOrders: (session: Session, response: unknown) => Promise<void>;
    endStreams: () => void;
  }
  const { exports } = await shown("### Server-sent events");
  const { sendOrders, endStreams } = exports as Shown;
  const session = compile(RULES).session();
  const response = Object.assign(new PassThrough(), { writeHead: () => response });
  let sent = "";
  response.on("data", (part) => (sent += String(part)));
  const done = sendOrders(session, response);
  await session.submit({ op: "assert", type: "Order", fields: { num: "o1", buyer: "ann", total: 200 } });
  await session.submit({ op: "retract", fact: "Order~o1" });
  await new Promise(setImmediate);
  endStreams();
  await done;
  await finished(response);
  const messages = sent
    .trim()
    .split("\n\n")
    .map((line) => JSON.parse(line.replace(/^data: /u, "")) as unknown);
  const order = { num: "o1", buyer: "ann", total: 200, state: "open" };
  const key = '["Order~o1"]';
  expect(messages).toEqual([
    { rows: [], removed: [] },
    { rows: [{ key, order }], removed: [] },
    { rows: [], removed: [key] },
  ]);
});
