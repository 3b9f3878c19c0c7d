/** Tests `after`, which sees the decision of a pipeline and can only block it. */
import { describe, expect, test } from "vitest";
import {
  checkFiles,
  compile,
  type OpenOptions,
  explanationSteps as steps,
  type PipelineDecision,
} from "../../src/index.ts";

const TYPES = `type Request(#id: string, content: string?, tokens: number = 0, odd: any?)
type Banned(word: string, reason: string?)
`;

const functions = {
  moderate: { params: [{ name: "text", type: { kind: "string" }, optional: false }], result: { kind: "bool" } },
} as const;

function opened(items: string, more = "", options: OpenOptions = {}) {
  const program = compile(`${TYPES} ${more} pipeline "p" for q: Request { ${items} }`, { functions });
  const session = program.session({ now: () => 0, auditClock: () => 0, ...options });
  session.assert("Request", { id: "q", content: "hello world" });
  return session;
}

function decided(items: string, more = "", options: OpenOptions = {}): PipelineDecision {
  const [decision] = opened(items, more, options).run().decisions;
  if (decision === undefined || !("pipeline" in decision)) throw new Error("no decision");
  return decision;
}

function errors(items: string, more = ""): string[] {
  const text = `${TYPES} ${more} pipeline "p" for q: Request { ${items} }`;
  return checkFiles([{ file: "p.tsd", source: text }], { functions }).diagnostics.map(
    ({ code, message }) => `${code} ${message}`,
  );
}

const LENGTH = 'after not (decision == "ANSWER" and length(answer) > 10) else BLOCK "answer too long"';
const FORWARD = 'otherwise FORWARD "legacy"';

describe("after sees the decision", () => {
  test("its kind and its answer; a FORWARD has no answer, and the test is still decided", () => {
    expect(decided(`step a ANSWER "short" ${LENGTH} ${FORWARD}`)).toMatchObject({ decision: "ANSWER", value: "short" });
    const long = decided(`step a ANSWER "a long answer" ${LENGTH} ${FORWARD}`);
    expect(long).toMatchObject({ decision: "BLOCK", value: "answer too long" });
    expect(JSON.stringify(long)).not.toContain("a long");
    expect(decided(`${LENGTH} ${FORWARD}`)).toMatchObject({ decision: "FORWARD", value: "legacy" });
  });

  test("its receiver, and its text as the trace has it", () => {
    const after = 'after receiver != "legacy" else BLOCK "not there"';
    expect(decided(`${after} ${FORWARD}`)).toMatchObject({ decision: "BLOCK", value: "not there" });
    expect(decided(`${after} otherwise FORWARD "desk"`)).toMatchObject({ decision: "FORWARD" });
    expect(decided(`after reason == "legacy" else BLOCK "no" ${FORWARD}`).decision).toBe("FORWARD");
    expect(decided(`after reason == "yes" else BLOCK "no" otherwise ANSWER "yes"`).decision).toBe("ANSWER");
  });

  test("a part that the decision does not have is unknown, and unknown blocks", () => {
    const decision = decided(`after length(answer) < 5 else BLOCK "too long" ${FORWARD}`);
    expect(decision).toMatchObject({ decision: "BLOCK", value: "unknown:after: FORWARD has no answer", unknown: true });
    expect(decision.trace.rules_executed).toMatchObject([{ rule: "after", action: "BLOCK", unknown: true }]);
    expect(decided(`after answer is missing else BLOCK "x" ${FORWARD}`).decision).toBe("FORWARD");
  });

  test("a BLOCK or ERROR is not shown to it", () => {
    const never = 'after decision == "BLOCK" else BLOCK "after"';
    expect(decided(`step a BLOCK "first" ${never} ${FORWARD}`)).toMatchObject({ decision: "BLOCK", value: "first" });
    expect(decided(`${never} otherwise ERROR`)).toMatchObject({ decision: "ERROR", value: "no step decided" });
  });
});

describe("an answer that after blocks", () => {
  const items = `step a ANSWER "the secret words" after moderate(answer) else BLOCK "not fit" ${FORWARD} audit to "f"`;

  test("is in no trace, audit, problem or explanation, whatever fails", () => {
    const lines: string[] = [];
    const audit = (_: string, line: string): void => void lines.push(line);
    for (const moderate of [
      () => false,
      (text: unknown): never => {
        throw new Error(`cannot read ${String(text)}`);
      },
      (text: unknown) => String(text) as never,
    ]) {
      const session = opened(items, "", { functions: { moderate }, audit });
      const result = session.run();
      const [decision] = result.decisions;
      if (decision === undefined || !("pipeline" in decision)) throw new Error("no decision");
      expect(decision.decision).toBe("BLOCK");
      const explained = session.why(decision);
      const everything = JSON.stringify([decision, result.problems, [...steps(explained)], lines]);
      expect(everything).not.toContain("secret");
    }
  });

  test("withholds the message of what failed: it may repeat the answer in any form", () => {
    const moderate = (text: unknown): never => {
      throw new Error(`model down for ${String(text).toUpperCase()}`);
    };
    const decision = decided(items, "", { functions: { moderate }, audit: () => undefined });
    expect(decision.value).toBe("rule_error:after: moderate failed, and its message is withheld");
    expect(decision.failed).toBe(true);
  });

  test.each([
    ["read by its own step", "step k ANSWER kb.text when kb: Kb(kb.text is present, length(kb.text) > 2)"],
    ["in another form", 'step k ANSWER q.content when upper(q.content) != "Y"'],
    ["as a part of the answer", 'step k ANSWER "code " + q.content when length(q.content) > 2'],
    ["as the key of a fact", "step k ANSWER doc.title when doc: Doc(doc.size > 1)"],
    ["as a number", "step k ANSWER (string) q.tokens when q.tokens > 3"],
    ["by a step before", 'step n NOTE "x" when q.content != "y" step k ANSWER q.content'],
    ["by a search before", 'step n NOTE "x" when other: Doc(other.size > 1) step k ANSWER doc.title when doc: Doc()'],
    ["by before", 'before q.content != "y" else BLOCK "b" step k ANSWER q.content'],
    ["by after", 'step k ANSWER q.content after length(q.content) < 2 or q.content == "y" else BLOCK "no"'],
    ["by a gate", 'step n NOTE "x" when gate open(q) passes step k ANSWER q.content'],
    ["by a condition", 'step n NOTE "x" when gate asked(q) passes step k ANSWER q.content'],
    ["by otherwise", 'step n NOTE "x" when q.content != "y" otherwise ANSWER q.content'],
    ["in a note", "step n NOTE q.content step k ANSWER q.content"],
    ["in the value of ALLOW", "step n ALLOW q.content step k ANSWER q.content"],
    [
      "in the reason of a search that is unknown",
      'step n NOTE "x" when o: Doc(o.more == 1) step k ANSWER o.title when o: Doc()',
    ],
    ["in the reason of a test that is unknown", 'step n NOTE "x" when q.odd > 5 step k ANSWER (string) q.odd'],
  ])("is not shown as a value that is read: %s", (_, lines) => {
    const more = `type Kb(text: string) Kb("the secret words") type Doc(#title: string, size: number, more: number?) Doc("secretplan", 3)
condition c(q: Request) : q.content != "y"
gate open for q: Request { require q.content != "y" }
gate asked for q: Request { require c(q) }`;
    const session = opened(
      `${lines} after length(answer) < 2 else BLOCK "no" ${lines.includes("otherwise") ? "" : FORWARD}`,
      more,
    );
    session.upsert("Request", { id: "q", content: "hello secret", tokens: 4711, odd: "secret" });
    const [decision] = session.run().decisions;
    if (decision === undefined || !("pipeline" in decision)) throw new Error("no decision");
    expect(decision.decision).toBe("BLOCK");
    const explained = session.why(decision);
    const shown = JSON.stringify([decision, explained, [...steps(explained)]]);
    expect(shown).toContain("withheld");
    expect(shown).not.toMatch(/secret|4711/iu);
  });

  test("is not in the error of an audit that repeats its line", () => {
    const long = "secret ".repeat(200);
    for (const answer of ["the secret words", 'a secret \\"quote\\"', long]) {
      const writer = (_: string, line: string): never => {
        throw new Error(`cannot write ${line}`);
      };
      const decision = decided(`step a ANSWER "${answer}" ${FORWARD} audit to "f"`, "", { audit: writer });
      expect(decision).toMatchObject({ decision: "ERROR", code: "E544" });
      expect(JSON.stringify(decision)).not.toContain("secret");
    }
  });

  test("is no reason where a test reads the receiver alone", () => {
    const session = opened(`step a ANSWER "yes" after receiver != "x" else BLOCK "no" ${FORWARD}`);
    const [decision] = session.run().decisions;
    if (decision === undefined || !("pipeline" in decision)) throw new Error("no decision");
    expect(decision.value).toBe("unknown:after: ANSWER has no receiver");
    const words = [...steps(session.why(decision))].map((step) => step.upward_rationale).join("\n");
    expect(words).not.toContain("the answer is withheld");
    expect(words).toContain("receiver is missing");
  });

  test("is explained by what after saw, numbers included", () => {
    const session = opened(`step a ANSWER "the secret words" ${LENGTH} ${FORWARD}`);
    const [decision] = session.run().decisions;
    if (decision === undefined || !("pipeline" in decision)) throw new Error("no decision");
    const explained = session.why(decision);
    const told = [...steps(explained)].map((step) => step.upward_rationale).join("\n");
    expect(explained.decided).toBe("after");
    expect(told).toContain("length(answer) is 16");
    expect(told).toContain('decision is "ANSWER"');
    expect(told).not.toContain("secret");
  });

  test("is shown where it is let through", () => {
    const session = opened(`step a ANSWER "a word" ${LENGTH} ${FORWARD}`);
    const [decision] = session.run().decisions;
    if (decision === undefined || !("pipeline" in decision)) throw new Error("no decision");
    const told = [...steps(session.why(decision))].map((step) => step.observation).join("\n");
    expect(told).toContain('answer is "a word"');
  });
});

describe("the names of the decision", () => {
  test("are typed", () => {
    expect(errors(`after decision != "ALLOWED" else BLOCK "x" ${FORWARD}`)).toEqual([
      'E203 "ALLOWED" is not one of "BLOCK" | "ANSWER" | "FORWARD"',
    ]);
    expect(errors(`after answer > 5 else BLOCK "x" ${FORWARD}`)).toHaveLength(1);
  });

  test("are known only in the test of after", () => {
    const only = (name: string): string[] => [`E214 "${name}" is known only in the test of "after"`];
    expect(errors(`before decision == "BLOCK" else BLOCK "x" ${FORWARD}`)).toEqual(only("decision"));
    expect(errors(`step a BLOCK "x" when length(answer) > 3 ${FORWARD}`)).toEqual(only("answer"));
    expect(errors(`after q.tokens > 3 else BLOCK answer ${FORWARD}`)).toEqual(only("answer"));
    expect(errors(`otherwise FORWARD receiver`)).toEqual(only("receiver"));
  });

  test("cannot be used in a search for facts, which is done before there is a decision", () => {
    const expected = ['E214 "answer" cannot be used inside a search for facts'];
    expect(errors(`after not exists Banned(word == answer) else BLOCK "x" ${FORWARD}`)).toEqual(expected);
    expect(errors(`after COUNT(b: Banned / b.word == answer) == 0 else BLOCK "x" ${FORWARD}`)).toEqual(expected);
  });

  test("are not reserved: fields, variables, lists and facts of the program keep them", () => {
    expect(errors(`after not exists Banned(reason == "x") else BLOCK "x" ${FORWARD}`)).toEqual([]);
    expect(errors(`after not exists answer: Banned(answer.word == "x") else BLOCK "x" ${FORWARD}`)).toEqual([]);
    expect(errors(`after "a" in answer else BLOCK "x" ${FORWARD}`, 'list answer = ["a"]')).toEqual([
      'W243 "answer" is the list of this program, not the answer of the pipeline',
    ]);
    const text = `${TYPES} pipeline "p" for decision: Request { after decision.tokens < 5 else BLOCK "many" ${FORWARD} }`;
    const session = compile(text).session();
    session.assert("Request", { id: "q", tokens: 7 });
    const [found] = session.run().decisions;
    if (found === undefined || !("pipeline" in found)) throw new Error("no decision");
    expect(found.value).toBe("many");
    expect(session.why(found).upward_rationale).toContain("decision.tokens is 7");
  });

  const BOTH = 'step a ANSWER "hello" when q.tokens > 3';
  const NO_ANSWER = ["W246 a FORWARD has no answer, so this blocks every FORWARD"];
  const NO_RECEIVER = ["W246 an ANSWER has no receiver, so this blocks every ANSWER"];

  test.each([
    ["length(answer) <= 30", NO_ANSWER],
    ["not length(answer) > 30", NO_ANSWER],
    ["q.tokens > 1 and lower(answer) != q.id", NO_ANSWER],
    ['answer in ["a", "b"]', NO_ANSWER],
    ['answer like "a*" or answer like "b*"', NO_ANSWER],
    ['answer matches "[a-z]+"', NO_ANSWER],
    ['(length(answer) + 1) * 2 > 3 or decision == "ANSWER"', NO_ANSWER],
    ['decision == "BLOCK" or length(answer) <= 30', NO_ANSWER],
    ["coalesce(answer, answer) != q.id", NO_ANSWER],
    ['receiver != "archive"', NO_RECEIVER],
    ["answer != receiver", [...NO_ANSWER, ...NO_RECEIVER]],
  ])("a test that blocks every decision of a kind is reported: %s", (test, expected) => {
    expect(errors(`${BOTH} after ${test} else BLOCK "x" ${FORWARD}`)).toEqual(expected);
  });

  test.each([
    'decision != "ANSWER" or length(answer) <= 30',
    'decision == "FORWARD" or length(answer) <= 30',
    'decision in ["FORWARD"] or length(answer) <= 30',
    'decision not in ["ANSWER"] or length(answer) <= 30',
    "answer is missing or length(answer) <= 30",
    'not (decision == "ANSWER" and length(answer) > 30)',
    'decision == "ANSWER" and length(answer) <= 30',
    "answer is present and length(answer) <= 30",
    'length(coalesce(answer, "")) <= 30',
    "q.tokens > 3 or length(answer) <= 30",
    "length(reason) <= 30",
  ])("a test that lets some pass, or refuses them on purpose, is not: %s", (test) => {
    expect(errors(`${BOTH} after ${test} else BLOCK "x" ${FORWARD}`)).toEqual([]);
  });

  test("a pipeline that never forwards may test the answer alone", () => {
    expect(errors(`${BOTH} after length(answer) <= 30 else BLOCK "x" otherwise ERROR`)).toEqual([]);
  });
});
