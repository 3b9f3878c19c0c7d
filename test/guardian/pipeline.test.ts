/** Tests pipelines, one behaviour per test. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { compile, headline, type OpenOptions, type PipelineDecision } from "../../src/index.ts";
import { fileAudit } from "../../src/node/audit.ts";

const TYPES = `type Request(#id: string, content: string?, topic: string?, tokens: number = 0)
type Kb(topic: string, text: string?)
`;

const functions = { odd: { params: [], result: { kind: "bool" } } } as const;
const boom = {
  odd: (): never => {
    throw new Error("boom");
  },
};

function decide(
  items: string,
  request: Readonly<Record<string, unknown>> = {},
  { more = "", ...options }: OpenOptions & { readonly more?: string } = {},
): PipelineDecision {
  const session = compile(`${TYPES} ${more} pipeline "p" for q: Request { ${items} }`, { functions }).session({
    now: () => 0,
    ...options,
  });
  session.assert("Request", { id: "q", content: "hello world", ...request });
  const [decision, ...others] = session.run().decisions;
  if (decision === undefined || !("pipeline" in decision) || others.length > 0) throw new Error("not one decision");
  return decision;
}

/** `step:ACTION`, and at the end the decision with what it says. */
function way({ decision, value, trace }: PipelineDecision): string {
  return [...trace.rules_executed.map(({ rule, action }) => `${rule}:${action}`), `${decision} ${value}`].join(" ");
}

const OTHERWISE = 'otherwise FORWARD "legacy"';

describe("steps", () => {
  test("are taken in order; the first that ends it ends it, and those behind are not in the trace", () => {
    const items = `step a NOTE "polite" when q.content contains "hello"
      step b ALLOW step c BLOCK "no" when q.content contains "bomb"
      step d ANSWER "yes" when q.content contains "world" step e BLOCK "never" ${OTHERWISE}`;
    const decision = decide(items);
    expect(way(decision)).toBe("a:NOTE b:ALLOW c:ALLOW d:ANSWER ANSWER yes");
    expect(decision).toEqual({
      pipeline: "p",
      subject: "Request~q",
      decision: "ANSWER",
      value: "yes",
      flags: ["polite"],
      trace: {
        request_id: "Request~q",
        rules_executed: [
          { rule: "a", action: "NOTE", reason: "polite", latency_ms: 0 },
          { rule: "b", action: "ALLOW", reason: "always", latency_ms: 0 },
          { rule: "c", action: "ALLOW", reason: 'does not hold: q.content contains "bomb"', latency_ms: 0 },
          { rule: "d", action: "ANSWER", reason: "yes", latency_ms: 0 },
        ],
        final_decision: "ANSWER",
        total_latency_ms: 0,
      },
    });
    expect(way(decide(items, { content: "bomb" }))).toBe("a:ALLOW b:ALLOW c:BLOCK BLOCK no");
  });

  test("that all let the request go on end in what otherwise says", () => {
    expect(way(decide(`step a BLOCK "x" when q.tokens > 5 ${OTHERWISE}`))).toBe("a:ALLOW FORWARD legacy");
    expect(way(decide(`step a BLOCK "x" when q.tokens > 5 otherwise ERROR`))).toBe("a:ALLOW ERROR no step decided");
    expect(way(decide('otherwise ANSWER "you said " + q.content'))).toBe("ANSWER you said hello world");
  });

  test("with an unknown test block where they would block, and do not match otherwise", () => {
    for (const limit of ['when q.topic == "t"', 'unless q.topic == "t"']) {
      expect(way(decide(`step a BLOCK "no" ${limit} ${OTHERWISE}`))).toBe(
        "a:BLOCK BLOCK unknown:a: Request q has no topic",
      );
      for (const action of ["NOTE", "ANSWER", "FORWARD"]) {
        expect(way(decide(`step a ${action} "x" ${limit} ${OTHERWISE}`))).toBe("a:ALLOW FORWARD legacy");
      }
    }
  });

  test("that throw block, with the trace kept", () => {
    for (const action of ["BLOCK", "NOTE", "ANSWER", "FORWARD"]) {
      const items = `step a NOTE "n" step bad ${action} "x" when odd() ${OTHERWISE}`;
      const decision = decide(items, {}, { functions: boom });
      expect(way(decision)).toBe("a:NOTE bad:BLOCK BLOCK rule_error:bad: odd failed: boom");
      expect(decision.flags).toEqual(["n"]);
    }
  });

  test("whose function gives no truth value block as if it had thrown", () => {
    for (const given of ["yes", 1, Number.NaN, {}, undefined, null, Promise.reject(new Error("later"))]) {
      const items = `step a NOTE "n" step bad ANSWER "x" when odd() ${OTHERWISE}`;
      const decision = decide(items, {}, { functions: { odd: (() => given) as never } });
      expect(way(decision)).toMatch(/^a:NOTE bad:BLOCK BLOCK rule_error:bad: odd returned /u);
    }
  });

  test("that look for facts answer with the oldest one, and go on without any", () => {
    const items = `step know ANSWER k.text when k: Kb(k.topic == q.topic) ${OTHERWISE}`;
    const facts = 'Kb(topic: "t", text: "first") Kb(topic: "t", text: "second") Kb(topic: "u")';
    expect(way(decide(items, { topic: "t" }, { more: facts }))).toBe("know:ANSWER ANSWER first");
    expect(way(decide(items, { topic: "x" }, { more: facts }))).toBe("know:ALLOW FORWARD legacy");
    expect(way(decide(items, {}, { more: facts }))).toBe("know:ALLOW FORWARD legacy");
    expect(way(decide(items, { topic: "u" }, { more: facts }))).toBe(
      "know:BLOCK BLOCK rule_error:know: its value is missing: Kb #3 has no text",
    );
  });

  test("that look for facts can ask that another is not there", () => {
    const items = `step open ANSWER k.text when k: Kb(k.topic == q.topic), not o: Kb(o.topic == "closed") ${OTHERWISE}`;
    const facts = 'Kb(topic: "t", text: "first")';
    expect(way(decide(items, { topic: "t" }, { more: facts }))).toBe("open:ANSWER ANSWER first");
    const closed = `${facts} Kb(topic: "closed")`;
    expect(way(decide(items, { topic: "t" }, { more: closed }))).toBe("open:ALLOW FORWARD legacy");
  });

  test("can ask gates and guardians, and see how they stand at rest", () => {
    const more = `gate "budget" for q: Request { require q.tokens < 10 and q.topic == "t" }
      guardian "words" for q: Request { check c never retry { need q.content contains "hello" as "r" do SAFE_REFUSAL } }
      rule spend { when q: Request(q.tokens == 5) then q.tokens = 50 }`;
    const items = `step gate BLOCK "over budget" unless gate budget(q) passes
      step guardian BLOCK "rude" when guardian words(q) fails ${OTHERWISE}`;
    const ask = (request: Readonly<Record<string, unknown>>): string => way(decide(items, request, { more }));
    expect(ask({ topic: "t" })).toBe("gate:ALLOW guardian:ALLOW FORWARD legacy");
    expect(ask({ topic: "t", content: "go away" })).toBe("gate:ALLOW guardian:BLOCK BLOCK rude");
    expect(ask({})).toBe('gate:BLOCK BLOCK unknown:gate: gate "budget" holds: q.topic == "t" is unknown');
    expect(ask({ topic: "t", tokens: 5 })).toBe("gate:BLOCK BLOCK over budget");
    const holds = 'step h ANSWER "wait" when gate budget(q) holds otherwise ERROR';
    expect(way(decide(holds, {}, { more }))).toBe("h:ANSWER ANSWER wait");
  });
});

describe("before and after", () => {
  test("what is not true at the entry blocks, with an empty trace", () => {
    const items = `before q.content is present and length(q.content) <= 4 else BLOCK "not accepted" step a ANSWER "x" ${OTHERWISE}`;
    expect(way(decide(items))).toBe("BLOCK not accepted");
    expect(way(decide(items, { content: null }))).toBe("BLOCK not accepted");
    expect(way(decide(items, { content: "hi" }))).toBe("a:ANSWER ANSWER x");
    const unknown = `before q.topic == "t" else BLOCK "which topic?" ${OTHERWISE}`;
    expect(decide(unknown)).toMatchObject({ value: "unknown:before: Request q has no topic", unknown: true });
    const fails = 'before odd() else BLOCK "b" otherwise ANSWER "x"';
    expect(way(decide(fails, {}, { functions: boom }))).toBe("BLOCK rule_error:before: odd failed: boom");
  });

  test("what is not true at the end blocks what would be let through, and the trace says so", () => {
    const after = 'after q.tokens < 5 else BLOCK "too much"';
    const many = { tokens: 7 };
    expect(way(decide(`step a ANSWER "x" ${after} ${OTHERWISE}`, many))).toBe("a:ANSWER after:BLOCK BLOCK too much");
    expect(way(decide(`${after} ${OTHERWISE}`, many))).toBe("after:BLOCK BLOCK too much");
    expect(way(decide(`step a BLOCK "x" ${after} ${OTHERWISE}`, many))).toBe("a:BLOCK BLOCK x");
    expect(way(decide(`${after} otherwise ERROR`, many))).toBe("ERROR no step decided");
    expect(way(decide(`step a ANSWER "x" ${after} ${OTHERWISE}`))).toBe("a:ANSWER ANSWER x");
  });
});

test("an answer that is blocked at the end stands nowhere: not in the decision, its trace or the audit", () => {
  const log: string[] = [];
  const items = `step a NOTE "polite" step b ANSWER "the " + "secret"
    after q.tokens < 5 else BLOCK "too much" ${OTHERWISE} audit to "f"`;
  const audit = (_: string, line: string): void => void log.push(line);
  const decision = decide(items, { tokens: 7 }, { audit });
  expect(decision.trace.rules_executed.map(({ rule, action, reason }) => [rule, action, reason])).toEqual([
    ["a", "NOTE", "polite"],
    ["b", "ANSWER", "(withheld)"],
    ["after", "BLOCK", "too much"],
  ]);
  expect(JSON.stringify(decision) + log.join("")).not.toContain("secret");
  expect(log).toHaveLength(1);
  expect(decide(items, {}, { audit })).toMatchObject({ decision: "ANSWER", value: "the secret" });
  expect(log.at(-1)).toContain("the secret");
  const otherwise = 'after q.tokens < 5 else BLOCK "too much" otherwise ANSWER "the secret"';
  expect(JSON.stringify(decide(otherwise, { tokens: 7 }))).not.toContain("secret");
});

describe("a request", () => {
  const source = `${TYPES} pipeline "p" for q: Request { step a BLOCK "no" when q.tokens > 5 ${OTHERWISE} }`;

  test("is decided once, when it comes, and again when somebody asks", () => {
    const session = compile(source).session({ now: () => 0 });
    const heard: unknown[] = [];
    session.on("decision", (decision) => heard.push(decision));
    const q = session.assert("Request", { id: "q" });
    expect(session.run().decisions).toHaveLength(1);
    session.update(q, { tokens: 9 });
    expect(session.run().decisions).toEqual([]);
    expect(session.decide("p", q)).toMatchObject({ decision: "BLOCK" });
    expect(heard).toMatchObject([{ decision: "FORWARD" }]);
    expect(() => session.decide("pp", q)).toThrow('unknown pipeline "pp"');
    expect(() => session.decide("p", "Request~x")).toThrow('"Request~x" is not a subject of pipeline "p"');
  });

  test("leaves nothing behind when it is retracted", () => {
    const session = compile(source).session({ now: () => 0 });
    const q = session.assert("Request", { id: "q" });
    session.retract(q);
    expect(session.run().decisions).toEqual([]);
    expect(session.counters()).toMatchObject({ facts: 0, matches: 0, indexEntries: 0 });
  });

  test("is timed by the clock that was given", () => {
    let time = 0;
    const { trace } = decide(`step a NOTE "n" step b NOTE "n" ${OTHERWISE}`, {}, { now: () => (time += 1) });
    expect(trace.rules_executed.map(({ latency_ms }) => latency_ms)).toEqual([1, 1]);
    expect(trace.total_latency_ms).toBe(5);
  });
});

describe("the audit", () => {
  const items = `step a ANSWER "secret" ${OTHERWISE} audit to "decisions.ndjson"`;

  test("is written before anybody gets the decision: one line each, whatever stands in it", () => {
    const log: string[] = [];
    const session = compile(
      `${TYPES} pipeline "p" for q: Request { step a ANSWER q.content ${OTHERWISE} audit to "f" }`,
    ).session({
      now: () => 0,
      auditClock: () => 0,
      audit: (file, line) => void log.push(`${file} ${line}`),
    });
    session.on("decision", () => log.push("heard"));
    session.assert("Request", { id: "q", content: 'x"}\n{"decision":"ANSWER"' });
    const { decisions } = session.run();
    expect(log).toEqual([`f ${JSON.stringify({ time: "1970-01-01T00:00:00.000Z", ...decisions[0] })}\n`, "heard"]);
    expect(log[0]?.slice(0, -1)).not.toContain("\n");
  });

  test.each<[string, OpenOptions]>([
    [
      "throws",
      {
        audit: () => {
          throw new Error("disk full");
        },
      },
    ],
    ["has no time", { audit: () => undefined, auditClock: () => Number.NaN }],
    ["is missing", {}],
    ["returns a promise", { audit: async () => {} }],
  ])("that %s makes the decision ERROR, and nothing of it is returned", (_, options) => {
    const decision = decide(items, {}, options);
    expect(decision).toMatchObject({ decision: "ERROR", code: "E544", trace: { final_decision: "ERROR" } });
    expect(JSON.stringify(decision)).not.toContain("secret");
  });

  test("that fails later is let go, and the decision is ERROR", () => {
    const promise = Promise.reject(new Error("disk full"));
    const then = vi.spyOn(promise, "then");
    const decision = decide(items, {}, { audit: () => promise as never });
    expect(decision).toMatchObject({ decision: "ERROR", code: "E544" });
    expect(decision.value).toContain("the audit writer returned a promise");
    expect(then).toHaveBeenCalledWith(undefined, expect.any(Function));
  });

  test("goes to a file, behind what is there", () => {
    const folder = mkdtempSync(join(tmpdir(), "sluice-"));
    try {
      const time = "2026-11-18T09:30:00.000Z";
      const options = { audit: fileAudit(folder), auditClock: () => Date.parse(time) };
      const first = decide(items, {}, options);
      const second = decide(items, { content: "again" }, options);
      const written = readFileSync(join(folder, "decisions.ndjson"), "utf8");
      expect(written).toBe([first, second].map((one) => `${JSON.stringify({ time, ...one })}\n`).join(""));
      const created = join(folder, "new", "logs");
      const third = decide(items, {}, { ...options, audit: fileAudit(created) });
      expect(third.decision).toBe(first.decision);
      expect(readFileSync(join(created, "decisions.ndjson"), "utf8")).toBe(`${JSON.stringify({ time, ...third })}\n`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test("the state machine is complete: every step leads on and to each end", () => {
  const program = compile(`${TYPES} pipeline "p" for q: Request { step a ALLOW step b ALLOW ${OTHERWISE} }`);
  const ends = ["Rejected", "DirectAnswer", "Forwarded"];
  const [machine] = program.stateMachines();
  expect(machine?.states).toEqual(["InputReceived", "a", "b", ...ends]);
  expect(machine?.edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
    "InputReceived a",
    "InputReceived Rejected",
    "a b",
    ...ends.map((end) => `a ${end}`),
    ...ends.map((end) => `b ${end}`),
  ]);
});

describe("a gate that holds", () => {
  const PROGRAM = `type Request(#id: string, tokens: number?)
gate "risky" for q: Request { require q.tokens >= 1000 }
gate "budget" for q: Request { require q.tokens < 1000 }`;
  const asked = (items: string, tokens?: number): PipelineDecision => {
    const session = compile(`${PROGRAM} pipeline "p" for q: Request { ${items} }`).session({ now: () => 0 });
    session.assert("Request", tokens === undefined ? { id: "q1" } : { id: "q1", tokens });
    const [decision] = session.run().decisions;
    if (decision === undefined || !("pipeline" in decision)) throw new Error("no decision");
    expect(headline(session.why(decision))).toContain(`decides ${decision.decision}`);
    return decision;
  };

  test.each([
    ['step s BLOCK "risky" when gate risky(q) passes otherwise ANSWER "open"', "s"],
    ['step s BLOCK "risky" unless gate risky(q) fails otherwise ANSWER "open"', "s"],
    ['step s BLOCK "over budget" when gate budget(q) fails otherwise ANSWER "open"', "s"],
    ['step s BLOCK "over budget" unless gate budget(q) passes otherwise ANSWER "open"', "s"],
    ['after not (gate budget(q) fails) else BLOCK "x" otherwise ANSWER "open"', "after"],
    ['before not (gate risky(q) passes) else BLOCK "x" otherwise ANSWER "open"', "before"],
  ])("never counts in the favour of the request: %s", (items, step) => {
    const gate = items.includes("risky(") ? "risky" : "budget";
    const unknown = `unknown:${step}: gate "${gate}" holds`;
    expect(asked(items)).toMatchObject({ decision: "BLOCK", unknown: true });
    expect(asked(items).value).toContain(unknown);
    expect(asked(items, 5)).toMatchObject({ decision: "ANSWER" });
    expect(asked(items, 5000)).toMatchObject({ decision: "BLOCK" });
    expect(asked(items, 5000).unknown).toBeUndefined();
  });

  test("does not answer or forward, and `holds` can be asked for", () => {
    const otherwise = 'otherwise BLOCK "no"';
    expect(asked(`step s ANSWER "yes" when gate budget(q) passes ${otherwise}`).value).toBe("no");
    expect(asked(`step s ANSWER "yes" unless gate risky(q) passes ${otherwise}`).value).toBe("no");
    expect(asked(`step s ANSWER "yes" when not gate risky(q) passes ${otherwise}`).value).toBe("no");
    expect(asked(`step s ANSWER "please wait" when gate budget(q) holds ${otherwise}`).value).toBe("please wait");
    expect(asked(`step s ANSWER "please wait" when gate budget(q) holds ${otherwise}`, 5).value).toBe("no");
  });
});

test("an otherwise that fails is explained as what it is", () => {
  const session = compile(`type Q(#id: string, content: string?)
pipeline "p" for q: Q { step s BLOCK "k" when q.id == "zz" otherwise ANSWER q.content }
Q(id: "q3")`).session();
  const [decision] = session.run().decisions;
  if (decision === undefined || !("pipeline" in decision)) throw new Error("no decision");
  expect(decision.decision).toBe("ERROR");
  const explained = session.why(decision);
  expect(headline(explained)).toContain("otherwise ANSWER q.content failed: its value is missing: Q q3 has no content");
  expect(explained.children.at(-1)).toMatchObject({ outcome: "unknown" });
});
