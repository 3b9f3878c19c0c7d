/** Tests the benchmark of single decisions: every way to ask Sluice gives the answers of the rules evaluated one by one. */
import { describe, expect, test } from "vitest";
import { alphaWork } from "../../bench/lib/alpha-cases.ts";
import { WrongAnswer } from "../../bench/lib/benchmark.ts";
import { Answers, byHand, evaluated, kept, opened, verifyAll } from "../../bench/stateless.ts";

describe("decisions for single requests", () => {
  test.each([
    ["program.evaluate", evaluated],
    ["a session that is kept", kept],
    ["a new session", opened],
    ["by hand", byHand],
  ] as const)("%s", async (_, make) => {
    const work = alphaWork("W1", 100, 100);
    const answers = new Answers();
    const decide = await make(work, answers.fire);
    await decide(work.facts);
    verifyAll(work, answers);
    answers.fire(0, work.facts[0]?.id ?? 0);
    answers.fire(0, work.facts[0]?.id ?? 0);
    expect(() => verifyAll(work, answers)).toThrow(WrongAnswer);
  });
});
