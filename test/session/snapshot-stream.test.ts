/** Tests snapshots as streams: in slices, of one moment, and refused when they are damaged. */
import * as fc from "fast-check";
import { PassThrough, Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { compile, type Program, type RuleSession, SessionError } from "../../src/index.ts";
import { runs } from "../support/cases.ts";
import { throughJson } from "../support/snapshots.ts";

const PROGRAM: Program = compile(`
  type A(#id: number, x: number?)
  type B(n: number)
  action log(what: any)
  xuple-space jobs { selection: fifo }
  rule make { when a: A(x > 1) then insert logical B(n: a.x) }
  rule pair { when a: A(x == 2) b: B(n == 2) then log(a.id) }
  rule put { when a: A(x == 3) then xuple("jobs", B(n: 3)) }`);

function filled(facts: number): RuleSession {
  const session = PROGRAM.session({ now: () => 0 });
  session.batch(() => {
    for (let id = 1; id <= facts; id++) session.assert("A", { id, x: id % 5 });
  });
  session.run({ limit: 1e6 });
  session.update("A~1", { x: 4 });
  return session;
}

async function written(session: RuleSession): Promise<string[]> {
  const lines: string[] = [];
  await session.snapshot({ stream: { write: (line, done) => (lines.push(line), done()) } });
  return lines;
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* of(...chunks: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* chunks;
}

async function refusal(chunks: readonly (string | Uint8Array)[]): Promise<SessionError> {
  try {
    await PROGRAM.openAsync({ now: () => 0, from: of(...chunks) });
  } catch (error) {
    if (error instanceof SessionError) return error;
    throw error;
  }
  throw new Error("it was opened");
}

describe("a snapshot in a stream", () => {
  test("opens the same session, however its text is cut", async () => {
    const session = filled(1_200);
    const text = (await written(session)).join("");
    const bytes = new TextEncoder().encode(text);
    const cuts = Array.from({ length: 50 }, (_, at) =>
      bytes.slice(Math.floor((bytes.length * at) / 50), Math.floor((bytes.length * (at + 1)) / 50)),
    );
    for (const chunks of [[text], [...cuts], text.split(/(?<=,)/u)]) {
      const copy = await PROGRAM.openAsync({ now: () => 0, from: of(...chunks) });
      expect(copy.facts()).toEqual(session.facts());
      expect(copy.agenda()).toEqual(session.agenda());
      expect(copy.xuples("jobs")).toEqual(session.xuples("jobs"));
    }
    const again = await PROGRAM.openAsync({ now: () => 0, from: throughJson(session.snapshot()) });
    expect(again.run({ limit: 1e6 })).toEqual(session.run({ limit: 1e6 }));
  });

  test("goes through streams of Node and of the web", async () => {
    const session = filled(30);
    const pass = new PassThrough();
    const opened = PROGRAM.openAsync({ now: () => 0, from: pass });
    await session.snapshot({ stream: pass });
    pass.end();
    expect((await opened).facts()).toEqual(session.facts());
    const { readable, writable } = new TransformStream<string, string>(undefined, undefined, { highWaterMark: 100 });
    const read = PROGRAM.openAsync({ now: () => 0, from: readable });
    await session.snapshot({ stream: writable });
    await writable.close();
    expect((await read).facts()).toEqual(session.facts());
    const bytes = Readable.from([Buffer.from((await written(session)).join(""))]);
    expect((await PROGRAM.openAsync({ now: () => 0, from: bytes })).size).toBe(session.size);
  });

  test("pauses after at most 1,000 facts or matches, and lets other work run", async () => {
    const session = filled(20_000);
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    let items = 0;
    const seen: number[] = [];
    await session.snapshot({
      stream: {
        write: (line, done) => {
          const { facts = [], matches = [] } = JSON.parse(line) as { facts?: unknown[]; matches?: unknown[] };
          items += facts.length + matches.length;
          seen[turns] = (seen[turns] ?? 0) + facts.length + matches.length;
          done();
        },
      },
    });
    expect(items).toBeGreaterThan(20_000);
    expect(Math.max(...seen.filter((count) => count > 0))).toBeLessThanOrEqual(1_000 + 500);
    const lines = await written(session);
    turns = 0;
    await PROGRAM.openAsync({ now: () => 0, from: of(...lines) });
    isDone = true;
    // Each fact is read, checked, migrated, put back and matched: five steps at least.
    expect(turns).toBeGreaterThanOrEqual((5 * 20_000) / 1_000);
  });

  test("is that of one moment: the session can be read, and refuses changes until it is written", async () => {
    const session = filled(3_000);
    const before = session.facts();
    const writing = written(session);
    for (const change of [
      () => session.assert("A", { id: -1 }),
      () => session.retract("A~1"),
      () => session.update("A~1", { x: 1 }),
      () => session.batch(() => undefined),
      () => session.run(),
      () => session.reload(PROGRAM),
      () => session.takeXuple("jobs"),
      () => session.snapshot(),
    ]) {
      expect(change).toThrow("the session cannot be changed while a snapshot of it is written");
    }
    expect(session.facts()).toEqual(before);
    const lines = await writing;
    session.assert("A", { id: -1 });
    const copy = await PROGRAM.openAsync({ now: () => 0, from: of(...lines) });
    expect(copy.facts()).toEqual(before);
  });

  test("ends with the error of its stream, and the session goes on", async () => {
    const session = filled(3_000);
    const full = new Error("disk full");
    await expect(session.snapshot({ stream: { write: (_, done) => done(full) } })).rejects.toBe(full);
    session.assert("A", { id: -1 });
  });

  test("ends when its stream is destroyed, also one that does not call back, and the session goes on", async () => {
    const session = filled(3_000);
    const stuck = new Writable({ write: () => undefined });
    const writing = expect(session.snapshot({ stream: stuck })).rejects.toThrow("the stream was closed");
    setImmediate(() => stuck.destroy());
    await writing;
    expect(stuck.listenerCount("close")).toBe(0);
    session.assert("A", { id: -1 });
  });

  test("that is not whole or was damaged is refused", async () => {
    const lines = await written(filled(700));
    expect(await refusal(lines.slice(0, -1))).toMatchObject({
      code: "E533",
      message: "cannot restore this snapshot: it ends too early",
    });
    expect(await refusal([])).toMatchObject({ code: "E533" });
    expect(await refusal(lines.toSpliced(1, 1))).toMatchObject({
      code: "E533",
      message: expect.stringContaining("checksum") as unknown,
    });
    expect(await refusal([...lines, lines[1] ?? ""])).toMatchObject({ code: "E533" });
    expect(await refusal([lines.join("").slice(0, 500)])).toMatchObject({ code: "E533" });
    expect(await refusal([new Uint8Array([0xff, 0xfe])])).toMatchObject({
      code: "E533",
      message: expect.stringContaining("UTF-8") as unknown,
    });
    expect(await refusal(["{}\n"])).toMatchObject({ code: "E533" });
  });

  test("with any character changed is refused, or says the same", async () => {
    const session = filled(12);
    const text = (await written(session)).join("");
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: text.length - 1 }),
        fc.constantFrom("0", "7", '"', "}", "x", " ", "\n", ""),
        async (at, sign) => {
          const changed = text.slice(0, at) + sign + text.slice(at + 1);
          try {
            const copy = await PROGRAM.openAsync({ now: () => 0, from: of(changed) });
            expect(copy.facts()).toEqual(session.facts());
          } catch (error) {
            if (!(error instanceof SessionError)) throw error;
          }
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

describe("a stream that is not as it should be", () => {
  test("says that it is of version 1: it is refused, whatever else it says", async () => {
    const text = (await written(filled(3))).join("");
    const renumbered = text.replace('"version":2', '"version":1');
    expect(renumbered).not.toBe(text);
    expect(await refusal([renumbered])).toMatchObject({ code: "E533" });
    const [head = "", ...rest] = text.split("\n");
    const { program: _, types: __, ...bare } = JSON.parse(head) as Record<string, unknown>;
    expect((await refusal([[JSON.stringify({ ...bare, version: 1 }), ...rest].join("\n")])).message).toContain(
      "its version is 1, and no stream has that",
    );
  });

  test("has a writer that returns no promise", async () => {
    const lines: string[] = [];
    const writer = { write: (line: string) => void lines.push(line), releaseLock: () => {} };
    await filled(3).snapshot({ stream: { getWriter: () => writer as never } });
    expect((await PROGRAM.openAsync({ from: of(...lines) })).size).toBe(filled(3).size);
  });

  test("is cancelled when it is refused, and not when it was read to its end", async () => {
    const lines = await written(filled(3));
    const cancelled: string[] = [];
    const streamOf = (name: string, chunks: readonly string[], fails = false): ReadableStream<string> => {
      const waiting = [...chunks];
      return new ReadableStream({
        pull(controller) {
          const next = waiting.shift();
          if (next === undefined) controller.close();
          else controller.enqueue(next);
        },
        cancel() {
          cancelled.push(name);
          if (fails) throw new Error("the connection is gone");
        },
      });
    };
    await PROGRAM.openAsync({ from: streamOf("whole", lines) });
    const damaged = ["{}\n", ...lines];
    await expect(PROGRAM.openAsync({ from: streamOf("damaged", damaged) })).rejects.toMatchObject({ code: "E533" });
    const failing = streamOf("failing", damaged, true);
    await expect(PROGRAM.openAsync({ from: failing })).rejects.toMatchObject({ code: "E533" });
    expect(cancelled).toEqual(["damaged", "failing"]);
    expect(failing.locked).toBe(false);
  });
});
