/** Tests `guard`, the loop around whatever writes drafts, and the command that asks a guardian. */
import { describe, expect, test, vi } from "vitest";
import { compile, guard, guardAsync, type RuleSession } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const PROGRAM = compile("use guardian standard");

function open(draft: Readonly<Record<string, unknown>> = {}): RuleSession {
  const session = PROGRAM.session();
  session.assert("Draft", { id: "d", request_type: "HOWTO_POLICY", query: "how", draft: "So.", ...draft });
  return session;
}

function add(session: RuleSession, source: string): void {
  session.assert("Evidence", { draft: "d", source, ref: source, snippet: "s", confidence: 0.9 });
}

describe("guard", () => {
  test("asks for another draft with what is required, until it passes", () => {
    const session = open();
    const asked: unknown[] = [];
    const result = guard(session, "Draft~d", (actions, attempt) => {
      asked.push([attempt, ...actions]);
      add(session, attempt === 1 ? "doc" : "policy");
      return { draft: `Draft ${attempt}.` };
    });
    expect(asked).toEqual([
      [1, "ADD_EVIDENCE", "RETRIEVE_MORE"],
      [2, "ADD_EVIDENCE", "RETRIEVE_MORE"],
    ]);
    expect(result).toMatchObject({ exit: "finalize", verdict: { verdict: "PASS", attempt: 2 } });
    expect(result.verdicts.map(({ verdict }) => verdict)).toEqual(["RETRY", "RETRY", "PASS"]);
    expect(session.fact("Draft~d")?.fields).toMatchObject({ draft: "Draft 2.", attempt: 2 });
  });

  test("ends in a safe exit after three verifications", () => {
    let made = 0;
    const result = guard(open(), "Draft~d", () => void (made += 1));
    expect(made).toBe(2);
    expect(result).toMatchObject({
      exit: "safe_exit",
      verdict: { verdict: "FAIL", required_actions: ["ASK_MINIMAL_QUESTION"] },
    });
  });

  test("never calls produce where there is nothing to retry", () => {
    const never = (): never => {
      throw new Error("must not be called");
    };
    expect(guard(open({ query: "the password" }), "Draft~d", never).exit).toBe("safe_exit");
    const session = open();
    for (const source of ["doc", "policy"]) add(session, source);
    expect(guard(session, { id: "Draft~d" }, never).exit).toBe("finalize");
  });

  test("refuses to retry where attempts cannot be counted, before anything is produced", async () => {
    const session = compile(`type Draft(#id: string) guardian "g" for d: Draft {
      check c { need d.id == "x" as "r" do REGENERATE_DRAFT } }`).session();
    const draft = session.assert("Draft", { id: "d" });
    let made = 0;
    const produce = (): void => void (made += 1);
    const refused = { code: "E543", hint: 'add attempt: number = 0 to Draft, or "retry at most 0" to the guardian' };
    expect(() => guard(session, draft, produce)).toThrow(expect.objectContaining(refused));
    await expect(guardAsync(session, draft, produce)).rejects.toMatchObject(refused);
    expect(made).toBe(0);
    expect(guard(session, session.assert("Draft", { id: "x" }), produce).exit).toBe("finalize");
  });

  test("does not take a promise for a draft: it fails, and the draft stays as it was", () => {
    const session = open();
    const promise = Promise.reject(new Error("later"));
    const then = vi.spyOn(promise, "then");
    const refused = { code: "E520", message: expect.stringContaining("produce returned a promise") as string };
    expect(() => guard(session, "Draft~d", (() => promise) as never)).toThrow(expect.objectContaining(refused));
    expect(then).toHaveBeenCalledWith(undefined, expect.any(Function));
    expect(session.fact("Draft~d")?.fields["attempt"]).toBe(0);
  });

  test("lets an error of produce through, and the draft stays as it was", () => {
    const session = open();
    const boom = (): never => {
      throw new Error("boom");
    };
    expect(() => guard(session, "Draft~d", boom)).toThrow("boom");
    expect(session.fact("Draft~d")?.fields["attempt"]).toBe(0);
  });

  test.each([["a new draft"], [["a"]], [7]])("wants fields of the draft from produce, not %j", async (given) => {
    const refused = { code: "E407", hint: "return the fields of the draft to change: { draft: text }" };
    const session = open();
    expect(() => guard(session, "Draft~d", () => given as never)).toThrow(expect.objectContaining(refused));
    await expect(guardAsync(session, "Draft~d", async () => given as never)).rejects.toMatchObject(refused);
    expect(session.fact("Draft~d")?.fields["attempt"]).toBe(0);
  });

  test("waits for a produce that takes its time", async () => {
    const session = open();
    const result = await guardAsync(session, "Draft~d", async () => {
      await Promise.resolve();
      for (const source of ["doc", "policy"]) add(session, source);
    });
    expect(result).toMatchObject({ exit: "finalize", verdict: { attempt: 1 } });
  });

  test("wants to know which guardian when there is not exactly one", () => {
    const session = compile('type Draft(#id: string) Draft(id: "d")').session();
    expect(() => guard(session, "Draft~d", () => undefined)).toThrow("this program defines no guardians");
    expect(() => guard(open(), "Draft~d", () => undefined, { guardian: "other" })).toThrow('unknown guardian "other"');
  });
});

describe("verify-answer", () => {
  const draft = (id: string, query: string, rest = ""): string =>
    `Draft(id: "${id}", request_type: "CASUAL", query: "${query}", draft: "Hello" ${rest})\n`;
  const files = {
    "a.tsd": `use guardian standard\n${draft("ok", "hi")}${draft("bad", "my pin")}${draft("low", "hi")}
      Contract(draft: "low", domain_terms: ["sprint"])`,
    "two.tsd": `use guardian standard ${draft("ok", "hi")} guardian "g" for d: Draft { check c {
      need d.id == "x" as "r" do REGENERATE_DRAFT } }`,
    "none.tsd": "use guardian standard",
    "odd.tsd": `use guardian standard ${draft("ok", "hi", ", attempt: 0.5")}`,
  };
  const run = (...args: string[]): ReturnType<typeof runCli> => runCli(["verify-answer", ...args], files);

  test.each([
    ["ok", 0, 'guardian "standard" for Draft ok: PASS\n'],
    [
      "Draft~low",
      3,
      'guardian "standard" for Draft low: RETRY\n  reasons    domain_terms_not_used\n  says       The draft uses none of the domain terms: "sprint".\n  required   USE_DOMAIN_TERMS, REGENERATE_DRAFT\n  risk       low\n',
    ],
    [
      "bad",
      4,
      'guardian "standard" for Draft bad: FAIL\n  reasons    query_contains_sensitive_topic\n  says       The query asks about a sensitive topic: "pin".\n  required   SAFE_REFUSAL, REQUEST_PERMISSION\n  risk       high\n',
    ],
  ])("%s ends with %i", (subject, exit, out) => {
    expect(run("a.tsd", "--guardian", "standard", "--subject", subject)).toMatchObject({ exit, out, err: "" });
  });

  test("without a subject the worst verdict counts, and --json shows one object each", () => {
    const { exit, out } = run("a.tsd", "--json");
    expect(exit).toBe(4);
    const shown = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { subject: string; verdict: string });
    expect(shown.map(({ subject, verdict }) => `${subject} ${verdict}`)).toEqual([
      "Draft~ok PASS",
      "Draft~bad FAIL",
      "Draft~low RETRY",
    ]);
  });

  test("facts of a policy file take the place of the shipped tables, once", () => {
    const limits = '{"GuardianPhrases": {"name": "sensitive_topics", "phrases": ["hi"]}}\n';
    const args = ["verify-answer", "a.tsd", "--subject", "ok", "--policy", "f.ndjson"];
    expect(runCli(args, { ...files, "f.ndjson": limits }).exit).toBe(4);
    const twice = runCli(args, { ...files, "f.ndjson": limits + limits });
    expect(twice).toMatchObject({ exit: 1 });
    expect(twice.err).toContain("E410");
  });

  test("no draft is no PASS; what cannot be judged is a fault", () => {
    expect(run("none.tsd")).toMatchObject({ exit: 3, out: 'guardian "standard": no draft to judge\n' });
    expect(run("odd.tsd")).toMatchObject({ exit: 1 });
    expect(run("odd.tsd").err).toContain("error E543");
  });

  test("says what is wrong with how it was called", () => {
    expect(run("two.tsd")).toMatchObject({ exit: 2 });
    expect(run("two.tsd").err).toContain('choose one with --guardian: "g", "standard"');
    expect(run("a.tsd", "--guardian", "answer").err).toContain('no guardian "answer": this program defines "standard"');
    const { exit, err } = run("a.tsd", "--subject", "nobody");
    expect(exit).toBe(1);
    expect(err).toContain("E541");
  });
});
