/** Tests the deadline that keeps the test command from running for ever. The tests mostly wait, so they wait together. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { test } from "vitest";

async function outcomeOf(seconds: number, command: string): Promise<string> {
  const script = `
    import { runWithin } from "./scripts/within.mjs";
    console.log(await runWithin(${seconds}, ${JSON.stringify(command)}, {}, 1_000));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  return stdout.trim();
}

test.concurrent("a command that ends in time has passed or failed", async ({ expect }) => {
  expect(await outcomeOf(60, "exit 0")).toBe("passed");
  expect(await outcomeOf(60, "exit 3")).toBe("failed");
});

test.concurrent(
  "a command that does not end is stopped, with what it started, and can say what it was at",
  async ({ expect }) => {
    const command = "trap 'echo was waiting; exit' TERM; sleep 600 & wait";
    expect((await outcomeOf(3, command)).split("\n")).toEqual(["was waiting", "late"]);
  },
);

test.concurrent("a command that does not listen is ended", async ({ expect }) => {
  expect(await outcomeOf(1, "trap '' TERM; sleep 600")).toBe("late");
});
