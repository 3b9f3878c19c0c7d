/** Tests `watch`: rule files and their imports are compiled again when they change, and a session continues with the new rules. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Session } from "../../src/index.ts";
import { watch, type WatchedProgram, type Watching } from "../../src/node/index.ts";

let folder = "";
let main = "";
let seen: WatchedProgram[] = [];
let watching: Watching | undefined;
let changes = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  folder = mkdtempSync(join(tmpdir(), "sluice-watch-"));
  main = join(folder, "main.tsd");
  seen = [];
});

afterEach(() => {
  watching?.close();
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** Writes a file so that its size differs from before, whatever the resolution of the clock of the file system is. */
function write(file: string, text: string): void {
  changes += 1;
  writeFileSync(file, text + " ".repeat(changes));
}

function begin(): void {
  watching = watch([main], (found) => seen.push(found), { interval: 10 });
}

test("the listener gets the program at once, and again after each change of a file or an import", () => {
  write(main, 'import "types.tsd" rule "a" { when p: P then log(p.id) }');
  write(join(folder, "types.tsd"), "type P(#id: string)");
  begin();
  expect(seen.map(({ program }) => program?.network().rules.length)).toEqual([1]);
  vi.advanceTimersByTime(50);
  expect(seen).toHaveLength(1); // nothing changed
  write(join(folder, "types.tsd"), 'type P(#id: string) rule "b" { when p: P then log(p.id) }');
  vi.advanceTimersByTime(10);
  expect(seen.map(({ program }) => program?.network().rules.length)).toEqual([1, 2]);
  expect(watching?.files).toEqual([main, join(folder, "types.tsd")]);
});

test("errors in the rules are given, and the next version without errors is a program again", () => {
  write(main, "type P(#id: string)");
  begin();
  write(main, "type P(#id: strng)");
  vi.advanceTimersByTime(10);
  write(main, "type P(#id: string)");
  vi.advanceTimersByTime(10);
  expect(seen.map(({ program, error }) => (program === undefined ? error.code : "program"))).toEqual([
    "program",
    "E201",
    "program",
  ]);
});

test("a file that is not there yet is watched, and nothing is called after close", () => {
  begin();
  expect(seen[0]?.error).toMatchObject({ code: "E701", diagnostics: [{ file: main, hint: "check the path" }] });
  write(main, "type P(#id: string)");
  vi.advanceTimersByTime(10);
  expect(seen[1]?.program).toBeDefined();
  watching?.close();
  write(main, "type Q(#id: string)");
  vi.advanceTimersByTime(100);
  expect(seen).toHaveLength(2);
});

test("a session continues with the new rules", () => {
  write(main, 'type P(#id: string) rule "a" { when p: P then log("a") }');
  let session: Session | undefined;
  watching = watch(
    [main],
    ({ program }) => {
      if (program === undefined) return;
      if (session === undefined) session = program.session();
      else session.reload(program);
    },
    { interval: 10 },
  );
  session?.assert("P", { id: "p" });
  session?.run();
  write(main, 'type P(#id: string) rule "a" { when p: P then log("a") } rule "b" { when p: P then log("b") }');
  vi.advanceTimersByTime(10);
  expect(session?.run().fired.map(({ rule }) => rule)).toEqual(["b"]);
});

test("what a listener throws at first is thrown, and nothing is watched", () => {
  write(main, "type P(#id: string)");
  const listener = vi.fn(() => {
    throw new Error("no");
  });
  expect(() => watch([main], listener, { interval: 10 })).toThrow("no");
  write(main, "type Q(#id: string)");
  vi.advanceTimersByTime(100);
  expect(listener).toHaveBeenCalledTimes(1);
});
