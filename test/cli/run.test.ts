/** Tests `sluice run`: its output for people and programs, events, audit files, colours and progress. */
import { expect, test } from "vitest";
import { countNodes } from "../../src/cli/run/counts.ts";
import { compile } from "../../src/index.ts";
import { Texts } from "../../src/cli/report.ts";
import { runProgram } from "../../src/cli/run.ts";
import { runCli, runWith } from "../support/io.ts";

const PEOPLE = `type Person(#id: string, name: string, age: number)
type Welcome(#who: string)
Person("p1", "Ann", 30)
Person("p2", "Tom", 12)
rule "adult" {
    when p: Person(age >= 18) not Welcome(who == p.id)
    then log("Hello " + p.name) insert Welcome(who: p.id) ring(p.id, p.age / 2)
}
`;

const BALL = `type Ball(#id: string, side: string)
Ball("b", "left")
rule "ping" { when b: Ball(side == "left") then b.side = "right" }
rule "pong" { when b: Ball(side == "right") then b.side = "left" }
`;

function events(out: string): Record<string, unknown>[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

// ---------------------------------------------------------------- text

test("firings are shown with their variables, what they did stands below, a summary ends it", () => {
  expect(runCli(["run", "a.tsd"], { "a.tsd": PEOPLE })).toMatchObject({
    exit: 0,
    err: "",
    out: `    1  adult  p = Person p1
         Hello Ann
         ring("p1", 15)

1 firing, 3 facts now

  rule   firings  matches now
  adult        1            0

  facts    2 Person, 1 Welcome
  network  2 types, 1 alpha, 1 join, 1 not, 1 terminal
`,
  });
});

test("a text in a variable is told from the id of a fact", () => {
  const source = `type A(s: string)\nA("x~1")\nrule r { when a: A  m: max(b.s) from b: A then log(m) }\n`;
  expect(runCli(["run", "a.tsd"], { "a.tsd": source }).out).toContain(`a = A #1  m = "x~1"\n         x~1\n`);
});

test("a text of several lines stays indented, and control characters cannot steer the terminal", () => {
  const source = 'type A(s: string)\nA("one\\ntwo\\u{1b}[2J")\nrule r { when a: A then log(a.s) }\n';
  expect(runCli(["run", "a.tsd"], { "a.tsd": source }).out).toContain("         one\n         two·[2J\n");
});

test("with --events all every fact that comes, changes or goes is shown", () => {
  const { out } = runCli(["run", "a.tsd", "--events", "all", "--limit", "2"], { "a.tsd": BALL });
  expect(out).toContain(`         + Ball b  id: "b", side: "left"\n    1  ping  b = Ball b\n`);
  expect(out).toContain(`         ~ Ball b  id: "b", side: "right"\n    2  pong`);
});

test("when nothing fires that is said", () => {
  const { out, exit } = runCli(["run", "a.tsd", "--seed-facts", "no"], { "a.tsd": PEOPLE });
  expect(exit).toBe(0);
  expect(out).toMatch(/^no rule fired, 0 facts now\n/u);
});

test("verdicts that stand are shown with their reasons and what is required", () => {
  const files = {
    "a.tsd": `Draft(id: "d1", text: "x", attempt: 1)
      guardian "g" for d: Draft { check c { need d.text == "y" as "wrong({d.text})" do REGENERATE_DRAFT } }`,
  };
  const { out } = runCli(["run", "a.tsd"], files);
  expect(out).toContain("verdicts\n  g  Draft #1  RETRY at attempt 1  wrong(x)  → REGENERATE_DRAFT\n");
  const event = events(runCli(["run", "a.tsd", "--json"], files).out).find((one) => one["event"] === "verdict");
  expect(event).toEqual({
    event: "verdict",
    guardian: "g",
    subject: "Draft~@1",
    verdict: "RETRY",
    reasons: ["wrong(x)"],
    sentences: [],
    required_actions: ["REGENERATE_DRAFT"],
    would_fix: [],
    risk_level: "med",
    attempt: 1,
    flags: [],
    warnings: [],
  });
});

test("decisions are shown with the steps that ran, and written to the audit before", () => {
  const files = {
    "a.tsd": `Request(id: "q1", content: "hello there")
      pipeline "p" for q: Request {
        step one NOTE "polite" when q.content contains "hello"
        step two BLOCK "no" when q.content contains "there"
        step three ANSWER "x"
        otherwise ERROR
        audit to "log.ndjson"
      }`,
  };
  const text = runCli(["run", "a.tsd"], files);
  expect(text.out).toContain("decisions\n  p  Request #1  BLOCK  no  noted: polite  (one, two)\n");
  const { out, written } = runCli(["run", "a.tsd", "--json"], files);
  const decision = {
    pipeline: "p",
    subject: "Request~@1",
    decision: "BLOCK",
    value: "no",
    flags: ["polite"],
    trace: {
      request_id: "Request~@1",
      rules_executed: [
        { rule: "one", action: "NOTE", reason: "polite", latency_ms: 0 },
        { rule: "two", action: "BLOCK", reason: "no", latency_ms: 0 },
      ],
      final_decision: "BLOCK",
      total_latency_ms: 0,
    },
  };
  expect(events(out).find((one) => one["event"] === "decision")).toEqual({ event: "decision", ...decision });
  expect(written.get("log.ndjson")).toBe(`${JSON.stringify({ time: "1970-01-01T00:00:00.000Z", ...decision })}\n`);
});

test("an audit file that cannot be written is an ERROR with exit 1, and the answer stays inside", () => {
  const files = {
    "a.tsd": `type Request(id: string) Request(id: "q1") Request(id: "q2") pipeline "p" for q: Request {
      step one ANSWER "secret" otherwise ERROR audit to "x/y" }`,
  };
  const append = (): void => {
    throw new Error("no space left");
  };
  const { out, err, exit } = runCli(["run", "a.tsd"], files, { append });
  expect(exit).toBe(1);
  expect(err).toBe(
    'error E544  Request #1: cannot write the audit file "x/y": no space left\n' +
      '      = make the file writable, or change the file after "audit to"\n',
  );
  expect(out).toContain("ERROR");
  expect(out).not.toContain("secret");
});

test("colours are used only on a terminal", () => {
  const plain = runCli(["run", "a.tsd"], { "a.tsd": PEOPLE }).out;
  const coloured = runCli(["run", "a.tsd"], { "a.tsd": PEOPLE }, { outColor: true }).out;
  expect(plain).not.toContain("\u001b");
  expect(coloured).toContain("\u001b[1madult\u001b[0m");
});

// ---------------------------------------------------------------- events

test("with --json the events are written in the order things happen", () => {
  const ran = runCli(["run", "a.tsd", "--json", "--events", "all"], { "a.tsd": PEOPLE });
  expect(ran).toMatchObject({ exit: 0, err: "" });
  const person = { event: "fact", op: "assert", type: "Person", by: "program" };
  expect(events(ran.out)).toEqual([
    { ...person, id: "Person~p1", fields: { id: "p1", name: "Ann", age: 30 } },
    { ...person, id: "Person~p2", fields: { id: "p2", name: "Tom", age: 12 } },
    { event: "fire", n: 1, rule: "adult", bindings: { p: "Person~p1" } },
    {
      event: "reasoning",
      of: "fire",
      n: 1,
      rule: "adult",
      explanation: expect.objectContaining({
        unit_id: "adult#1",
        upward_rationale:
          '"adult" fired for p = Person p1 (firing 1): age is 30, which is at least 18; there are no Welcome facts.',
      }) as object,
    },
    { event: "effect", n: 1, action: "log", args: ["Hello Ann"], rule: "adult" },
    { event: "effect", n: 1, action: "ring", args: ["p1", 15], rule: "adult" },
    { event: "fact", op: "assert", id: "Welcome~p1", type: "Welcome", fields: { who: "p1" }, by: "rule adult" },
    {
      event: "summary",
      fired: 1,
      facts: 3,
      matches: { adult: 0 },
      fires: { adult: 1 },
      nodes: { type: 2, alpha: 1, join: 1, not: 1, exists: 0, aggregate: 0, lookup: 0, filter: 0, terminal: 1 },
      shared: { alpha: 0, join: 0 },
      halted: false,
    },
  ]);
});

test("events are written while the run goes on, not at its end", () => {
  const written: string[] = [];
  runCli(["run", "a.tsd", "--json"], { "a.tsd": PEOPLE }, { out: (text) => written.push(text) });
  expect(written.map((text) => (JSON.parse(text) as { event: string }).event)).toEqual([
    "fire",
    "effect",
    "effect",
    "summary",
  ]);
});

test("an unknown value is null", () => {
  const source = "type A(n: number?)\nA()\nrule r { when a: A then show(a.n, 1 / 0) }\n";
  expect(events(runCli(["run", "a.tsd", "--json"], { "a.tsd": source }).out)[1]).toMatchObject({ args: [null, null] });
});

test("a rule that says halt ends the run", () => {
  const source = "type A(n: number)\nA(1) A(2)\nrule r { when a: A then halt }\n";
  const [, summary] = events(runCli(["run", "a.tsd", "--json"], { "a.tsd": source }).out);
  expect(summary).toMatchObject({ fired: 1, matches: { r: 2 }, halted: true });
});

// ---------------------------------------------------------------- counting nodes

test("the same alternatives in another order are one alpha node that two rules share", () => {
  const program = compile(`type P(a: number, b: number)
rule one { when p: P(a > 1 or b > 2) then log("1") }
rule two { when q: P(b > 2 or a > 1) then log("2") }
`);
  expect(countNodes(program.network())).toMatchObject({
    nodes: { type: 1, alpha: 1, join: 0, terminal: 2 },
    shared: { alpha: 1, join: 0 },
  });
});

test("a join that two rules have in common is counted once and as shared", () => {
  const program = compile(`type P(#id: string)
type O(buyer: P, total: number)
rule one { when p: P o: O(buyer == p) then log("1") }
rule two { when p: P o: O(buyer == p) exists O(total > 1) n: count() from x: O then log("2") }
rule three { when p: P not O(buyer == p) then log("3") }
`);
  expect(countNodes(program.network())).toMatchObject({
    nodes: { type: 2, not: 1, exists: 1, aggregate: 1, terminal: 3 },
    shared: { join: 1 },
  });
});

// ---------------------------------------------------------------- what can go wrong

test("mistakes in the rules are shown as check shows them, and nothing is run", () => {
  const ran = runCli(["run", "a.tsd"], { "a.tsd": PEOPLE.replace("age >=", "agee >=") });
  expect(ran).toMatchObject({ exit: 1, out: "" });
  expect(ran.err).toContain('a.tsd:6:20  error E202  Person has no field "agee"');
});

test("an endless run ends at the limit with 5, and the cycle is shown", () => {
  const ran = runCli(["run", "a.tsd", "--limit", "6"], { "a.tsd": BALL });
  expect(ran.exit).toBe(5);
  expect(ran.err).toBe(`a.tsd:3:6  error E510  the run was stopped after 6 firings, with more to fire
    3 | rule "ping" { when b: Ball(side == "left") then b.side = "right" }
      |      ^^^^^^ make the rules change the facts that let them match, or raise the limit
      repeating: "ping" → "pong" → "ping"
      last firings: 1 ping, 2 pong, 3 ping, 4 pong, 5 ping, 6 pong
`);
  expect(ran.out).toContain("6 firings, 1 fact now, stopped at the firing limit\n");
});

test("with --json the limit is a diagnostic with the cycle, and the summary still comes", () => {
  const ran = runCli(["run", "a.tsd", "--limit", "6", "--json"], { "a.tsd": BALL });
  expect(ran).toMatchObject({ exit: 5, err: "" });
  expect(events(ran.out).slice(-2)).toMatchObject([
    { event: "diagnostic", file: "a.tsd", line: 3, severity: "error", code: "E510", cycle: ["ping", "pong"] },
    { event: "summary", fired: 6 },
  ]);
});

test("an action that cannot be done is E520 at its rule, and what happened before is shown", () => {
  const source =
    "type A(#n: number)\ntype B(#n: number)\nA(1) A(2)\nB(2)\nrule copy { when a: A then insert B(n: a.n) }\n";
  const ran = runCli(["run", "a.tsd"], { "a.tsd": source });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain('a.tsd:5:6  error E520  rule "copy": insert B failed: duplicate key: B 2 already exists');
  expect(ran.out).toContain("1 firing, 4 facts now, stopped by a failed action\n");
});

test("a rule at its match limit is told once and switched off, and the others still run", () => {
  const source = `type A(n: number)
A(1) A(2) A(3)
rule "wide" { when a: A b: A c: A then log("never") }
rule "fine" { when a: A(n == 2) then log("fine") }
`;
  const program = compile(source, { file: "a.tsd", limits: { liveMatches: 20 } });
  const wanted = { rules: [], facts: ["f.json"], policy: [], open: {}, seedFacts: true, allEvents: false, json: false };
  const files = { "f.json": '{"A": [{"n": 4}, {"n": 5}, {"n": 6}]}' };
  const ran = runWith((io) => runProgram(io, program, wanted, new Texts()), files);
  expect(ran.exit).toBe(1);
  expect(ran.err).toMatch(/^a\.tsd:3:6 {2}error E511 {2}rule "wide" exceeds the limit of 20 partial matches.*\n.*\n$/u);
  expect(ran.out).toMatch(/^ {4}1 {2}fine {2}a = A #2\n {9}fine\n\n1 firing, 6 facts now\n/u);
});

test("a division by zero is a warning, and the run is fine", () => {
  const source = "type A(n: number)\nA(0)\nrule r { when a: A(1 / n > 0) then log(a.n) }\n";
  const ran = runCli(["run", "a.tsd"], { "a.tsd": source });
  expect(ran.exit).toBe(0);
  expect(ran.err).toContain("a.tsd:3:6  warning W501");
});

test.each([
  [["run", "a.tsd", "--limit", "many"], '--limit must be an integer of at least 0, not "many"'],
  [["run", "a.tsd", "--strategy", "dept"], '--strategy must be breadth, depth or lex, not "dept"'],
  [["run", "a.tsd", "--seed-facts", "non"], '--seed-facts must be yes or no, not "non"'],
  [["run", "a.tsd", "--events", "some"], '--events must be all, not "some"'],
  [["run", "a.tsd", "--limit", "1", "--limit", "2"], "--limit appears 2 times"],
  [["run", "-", "--facts", "-"], "- (standard input) can be used only once"],
  [["run"], "no files;"],
  [["prove", "a.tsd", "--cases", "0"], '--cases must be an integer of at least 1, not "0"'],
])("wrong usage %j ends in 2 and says what was expected", (args, message) => {
  const ran = runCli(args, { "a.tsd": PEOPLE });
  expect(ran).toMatchObject({ exit: 2, out: "" });
  expect(ran.err).toContain(message);
});

test.each(["run", "prove"])("%s has help with an example", (command) => {
  const ran = runCli([command, "--help"]);
  expect(ran.exit).toBe(0);
  expect(ran.out).toMatch(/Examples?:\n {2}sluice /u);
});

test("the strategy decides which match fires first", () => {
  const source = "type A(n: number)\nA(1) A(2)\nrule r { when a: A then log(a.n) }\n";
  const order = (strategy: string): unknown[] =>
    events(runCli(["run", "a.tsd", "--json", "--strategy", strategy], { "a.tsd": source }).out)
      .filter(({ event }) => event === "effect")
      .map(({ args }) => args);
  expect(order("breadth")).toEqual([[1], [2]]);
  expect(order("depth")).toEqual([[2], [1]]);
});

// ---------------------------------------------------------------- progress

test("a long run shows on a terminal how far it is, and wipes that away", () => {
  let clock = 0;
  const ran = runCli(
    ["run", "a.tsd", "--limit", "3"],
    { "a.tsd": BALL },
    { terminal: true, now: () => (clock += 600) },
  );
  expect(ran.err).toContain("\r2 firings …\u001b[K\r\u001b[K");
  expect(ran.err.lastIndexOf("\r\u001b[K")).toBeGreaterThan(ran.err.lastIndexOf("…\u001b[K"));
});

test("nothing is shown when it is quick, when nobody watches, or with --json", () => {
  const files = { "a.tsd": PEOPLE };
  let clock = 0;
  const now = (): number => (clock += 600);
  expect(runCli(["run", "a.tsd"], files, { terminal: true }).err).toBe("");
  expect(runCli(["run", "a.tsd"], files, { now }).err).toBe("");
  expect(runCli(["run", "a.tsd", "--json"], files, { terminal: true, now }).err).toBe("");
});

// ---------------------------------------------------------------- names from outside

test("the id of a fact cannot begin a line of its own, or steer the terminal, in an error or a headline", () => {
  const source = `type R(#id: string)
pipeline p for r: R { otherwise FORWARD "x" audit to "d.ndjson" }
guardian g for r: R { check c risk low { forbid r.id == "x" as "no" do SAFE_REFUSAL } }
`;
  const files = { "a.tsd": source, "f.json": JSON.stringify({ R: [{ id: "x\nerror E000 forged\u001b[2J" }] }) };
  const audit = (): void => {
    throw new Error("disk\nfull");
  };
  const ran = runCli(["run", "a.tsd", "--facts", "f.json"], files, { append: audit });
  expect(ran.err).not.toMatch(/^error E000/mu);
  expect(ran.err + ran.out).not.toContain("\u001b");
  expect(ran.err).toContain("E544");
  const judged = runCli(["verify-answer", "a.tsd", "--guardian", "g", "--facts", "f.json"], files);
  expect(judged.out).not.toMatch(/^error E000/mu);
  expect(judged.out).not.toContain("\u001b");
});
