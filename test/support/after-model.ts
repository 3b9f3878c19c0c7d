/** Random `after` lines of a pipeline, and the decision that they leave, evaluated by hand. */
import { expect } from "vitest";
import { compile, type PipelineDecision } from "../../src/index.ts";
import { below, pick, type Random } from "./gate-model.ts";

type Truth = boolean | undefined;

interface Seen {
  readonly decision: string;
  readonly answer: string | undefined;
  readonly receiver: string | undefined;
  readonly n: number | undefined;
}

/** A test as written, and what it is by hand. */
interface Asked {
  readonly text: string;
  readonly truth: (seen: Seen) => Truth;
}

const and = (a: Truth, b: Truth): Truth =>
  a === false || b === false ? false : a === true && b === true ? true : undefined;
const not = (a: Truth): Truth => (a === undefined ? undefined : !a);

function leaf(random: Random): Asked {
  const kind = pick(random, ["ANSWER", "FORWARD", "BLOCK"] as const);
  const size = 1 + below(random, 12);
  return pick(random, [
    { text: `decision == "${kind}"`, truth: ({ decision }) => decision === kind },
    {
      text: `length(answer) > ${size}`,
      truth: ({ answer }) => (answer === undefined ? undefined : answer.length > size),
    },
    { text: 'answer contains "secret"', truth: ({ answer }) => answer?.includes("secret") },
    {
      text: 'receiver != "legacy"',
      truth: ({ receiver }) => (receiver === undefined ? undefined : receiver !== "legacy"),
    },
    { text: "answer is missing", truth: ({ answer }) => answer === undefined },
    { text: "reason is present", truth: () => true },
    { text: `q.n > ${size}`, truth: ({ n }) => (n === undefined ? undefined : n > size) },
  ] satisfies Asked[]);
}

function asked(random: Random, depth: number): Asked {
  if (depth === 0 || random() < 0.4) return leaf(random);
  const [one, other] = [asked(random, depth - 1), asked(random, depth - 1)];
  return pick(random, [
    { text: `(${one.text} and ${other.text})`, truth: (seen: Seen) => and(one.truth(seen), other.truth(seen)) },
    {
      text: `(${one.text} or ${other.text})`,
      truth: (seen: Seen) => not(and(not(one.truth(seen)), not(other.truth(seen)))),
    },
    { text: `not (${one.text})`, truth: (seen: Seen) => not(one.truth(seen)) },
  ]);
}

const STEPS = `step stop BLOCK "stopped" when q.n == 3
  step told ANSWER q.text when q.text is present
  step sent FORWARD "desk" when q.n == 5`;

function sourceOf(otherwise: string, after: readonly Asked[]): string {
  const lines = after.map(({ text }, at) => `after ${text} else BLOCK "no ${at}"`).join("\n");
  return `type Q(#id: string, n: number?, text: string?)
    pipeline "p" for q: Q { ${STEPS}
    ${lines}
    otherwise ${otherwise} audit to "log" }`;
}

/** Decides one random request; throws when the decision is another one. Returns what happened, in words. */
export function decideAfter(random: Random): readonly string[] {
  const seen: string[] = [];
  const after = Array.from({ length: 1 + below(random, 2) }, () => asked(random, 2));
  const otherwise = pick(random, ['FORWARD "legacy"', 'ANSWER "a secret"', 'BLOCK "shut"', "ERROR"]);
  const n = pick(random, [1, 3, 5, 9, undefined]);
  const text = pick(random, ["a secret", "some secret answer", undefined]);
  const lines: string[] = [];
  const decide = (lists: readonly Asked[]): { readonly found: PipelineDecision; readonly told: string } => {
    const audit = (_: string, line: string): void => void lines.push(line);
    const session = compile(sourceOf(otherwise, lists)).session({ now: () => 0, auditClock: () => 0, audit });
    session.assert("Q", { id: "q", ...(n === undefined ? {} : { n }), ...(text === undefined ? {} : { text }) });
    const [found] = session.run().decisions;
    if (found === undefined || !("pipeline" in found)) throw new Error("no decision");
    const { children } = session.why(found);
    const afterLines = children.filter(({ downward_rationale: asks }) => asks.startsWith("after "));
    return { found, told: JSON.stringify(afterLines) };
  };
  const { found: free } = decide([]);
  lines.length = 0;
  const { found: bound, told } = decide(after);
  const { decision, value } = free;
  const view: Seen = {
    decision,
    answer: decision === "ANSWER" ? value : undefined,
    receiver: decision === "FORWARD" ? value : undefined,
    n,
  };
  const open = decision === "ANSWER" || decision === "FORWARD";
  const blocking = open ? after.findIndex(({ truth }) => truth(view) !== true) : -1;
  if (blocking < 0) expect(bound).toEqual(free);
  else {
    expect(bound.decision).toBe("BLOCK");
    const by = after[blocking]?.truth(view) === undefined ? "unknown" : "false";
    if (by === "unknown")
      expect(bound).toMatchObject({ unknown: true, value: expect.stringMatching(/^unknown:after: /u) });
    else expect(bound.value).toBe(`no ${blocking}`);
    if (decision === "ANSWER") {
      expect(JSON.stringify(bound.trace) + lines.join("")).not.toContain(value);
      expect(told).not.toContain(`is \\"${value}`);
    }
    seen.push(by);
  }
  seen.push(decision);
  return seen;
}
