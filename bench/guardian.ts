/**
 * The standard guardian.
 *
 *   npm run bench -- guardian
 *
 * 1. Verdicts per second on a draft of 2 KB with 5 evidence items and a contract: facts come, the verdict is asked for, facts
 *    go; and the same checks written by hand in TypeScript on the same data (goal: within 3 times).
 * 2. One evidence item changes: the verdict again, against everything from scratch.
 */
import { compile, type RuleSession } from "../src/index.ts";
import type { Benchmark, Figures } from "./lib/benchmark.ts";
import { type HandContract, type HandDraft, type HandEvidence, judgeByHand } from "../test/oracle/standard-guardian.ts";

const ROUNDS = 9;
const VERDICTS = 2000;

const words = "the sprint goes on and the team has closed most of the open items in the backlog of this week ".repeat(
  22,
);
const contract: HandContract = {
  required_sections: ["Summary", "Next steps"],
  forbidden_content: ["guaranteed", "we promise", "100% safe"],
  domain_terms: ["sprint", "backlog"],
  response_format: "text",
};

/** Another text each time, so that nothing is remembered from the last one. */
function draftOf(n: number): HandDraft {
  const draft = `## Summary\n${n} ${words}\n## Next steps\nnone`.slice(0, 2048);
  return {
    request_type: "HOWTO_POLICY",
    track: "QUALITY",
    query: `how do I plan sprint ${n}?`,
    draft: `${draft}\nNext steps`,
    attempt: 0,
  };
}

const evidence: readonly HandEvidence[] = ["doc", "policy", "db", "doc", "neo4j"].map((source, index) => ({
  source,
  ref: `r${index}`,
  confidence: 0.7 + index / 20,
}));

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** Microseconds for one. */
function measure(work: (n: number) => string): number {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 2; round++) {
    const start = performance.now();
    for (let n = 0; n < VERDICTS; n++) if (work(round * VERDICTS + n) !== "PASS") throw new Error("it should pass");
    if (round >= 2) times.push(performance.now() - start);
  }
  return (1000 * median(times)) / VERDICTS;
}

/** A draft with all that belongs to it: asserted, judged, retracted. */
function whole(session: RuleSession, n: number, run: boolean): string {
  const facts = session.batch(() => [
    session.assert("Draft", { id: "d", ...draftOf(n) }),
    session.assert("Contract", { draft: "d", ...contract }),
    ...evidence.map((one) => session.assert("Evidence", { draft: "d", snippet: "s", ...one })),
  ]);
  if (run) session.run();
  const { verdict } = session.verdict("standard", "Draft~d");
  session.batch(() => facts.forEach((fact) => session.retract(fact)));
  if (run) session.run();
  return verdict;
}

function open(): RuleSession {
  return compile("use guardian standard").session();
}

function fromScratch(): Figures {
  const session = open();
  return { verdict: measure((n) => whole(session, n, false)), run: measure((n) => whole(session, n, true)) };
}

/** One evidence item of a draft that stays. */
function afterOneChange(): Figures {
  const session = open();
  session.assert("Draft", { id: "d", ...draftOf(0) });
  session.assert("Contract", { draft: "d", ...contract });
  const [first] = evidence.map((one) => session.assert("Evidence", { draft: "d", snippet: "s", ...one }));
  session.run();
  const change = (n: number): void => {
    session.update(first?.id ?? "", { confidence: 0.7 + (n % 20) / 100 });
  };
  const verdict = measure((n) => {
    change(n);
    return session.verdict("standard", "Draft~d").verdict;
  });
  const run = measure((n) => {
    change(n);
    return session.run().verdicts[0]?.verdict ?? "";
  });
  return { verdict, run };
}

export const benchmark: Benchmark = {
  about: "the standard guardian on a draft of 2 KB with 5 evidence items and a contract (size: evidence items)",
  processes: 3,
  versus: "verdict",
  picture: "works",
  figures: [
    { key: "verdict", title: "one verdict", unit: "µs" },
    { key: "run", title: "with runs", unit: "µs" },
  ],
  cases: [
    { work: "from scratch", size: evidence.length, engine: "sluice", measure: fromScratch },
    {
      work: "from scratch",
      size: evidence.length,
      engine: "hand",
      measure: () => ({ verdict: measure((n) => judgeByHand(draftOf(n), evidence, contract).verdict) }),
    },
    { work: "one change", size: evidence.length, engine: "sluice", measure: afterOneChange },
  ],
};
