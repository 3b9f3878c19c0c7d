/** The deadline that keeps the test command from going on for ever. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

function outcomeOf(seconds: number, command: string): string {
  const script = `
    import { runWithin } from "./scripts/within.mjs";
    console.log(await runWithin(${seconds}, ${JSON.stringify(command)}));`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).trim();
}

test("a command that ends in time has passed or failed", () => {
  expect(outcomeOf(60, "exit 0")).toBe("passed");
  expect(outcomeOf(60, "exit 3")).toBe("failed");
});

test("a command that does not end is stopped, with what it started, and can say what it was at", () => {
  const command = "trap 'echo was waiting; exit' TERM; sleep 600 & wait";
  expect(outcomeOf(3, command).split("\n")).toEqual(["was waiting", "late"]);
});

test("a command that does not listen is ended", () => {
  expect(outcomeOf(1, "trap '' TERM; sleep 600")).toBe("late");
});
