/**
 * Tests documents of Decision Gate: those of `test/data/ret-json-samples.json` are accepted or refused as it says, with their
 * outcomes, through the library and the command line; and what is wrong with others is said with its place.
 */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import {
  compile,
  conditionsOf,
  decideGate,
  evaluateGate,
  flowFromJson,
  flowSource,
  gateFromJson,
  GateJsonError,
  gatesFromJson,
  gateSource,
  nextStage,
  type Outcome,
  placeInJson,
} from "../../src/index.ts";
import { runCli } from "../support/io.ts";

type Letter = "t" | "f" | "u";
type Row = readonly [values: Readonly<Record<string, Letter>>, outcome: Outcome];

interface Sample {
  readonly name: string;
  readonly document: unknown;
  readonly gate?: string;
  readonly outcomes?: readonly Row[];
  readonly defined?: readonly string[];
}

const samples = JSON.parse(readFileSync("test/data/ret-json-samples.json", "utf8")) as {
  readonly accept: readonly Sample[];
  readonly refuse: readonly Sample[];
};
const TRUTHS = { t: true, f: false, u: undefined } as const;
const EXITS = { pass: 0, hold: 3, fail: 4 } as const;
const OUTCOMES = { true: "pass", false: "fail", undefined: "hold" } as const;

const truths = (values: Readonly<Record<string, Letter>>): Record<string, boolean | undefined> =>
  Object.fromEntries(Object.entries(values).map(([name, letter]) => [name, TRUTHS[letter]]));
const isFlow = ({ document }: Sample): boolean => Object.hasOwn(document as object, "advance_to");

/** A program in which each condition is a fact. */
function programOf(names: readonly string[]): ReturnType<typeof compile> {
  const conditions = names.map((name) => `condition ${name} : g.value from g: Given(g.name == "${name}")`);
  return compile(`type Given(#name: string, value: bool?)\n${conditions.join("\n")}`);
}

describe("each sample is accepted", () => {
  const gates = samples.accept.filter((one) => !isFlow(one));
  const rows = gates.flatMap((one) => (one.outcomes ?? []).map((row) => ({ ...one, row })));

  test.each(gates)("$name", ({ document, gate }) => {
    const read = gatesFromJson(JSON.stringify(document));
    expect(gatesFromJson(document)).toEqual(read);
    if (gate !== undefined) expect(read.map(({ name }) => name)).toEqual([gate]);
  });

  test.each(rows)("$name: $row, in the library", ({ document, row: [values, outcome] }) => {
    const requirement = gateFromJson(document);
    expect(OUTCOMES[String(evaluateGate(requirement, truths(values))) as keyof typeof OUTCOMES]).toBe(outcome);
    const program = programOf(Object.keys(values));
    const session = program.extend(gateSource(program, requirement, { name: "g" })).session();
    for (const [name, value] of Object.entries(truths(values))) session.assert("Given", { name, value });
    expect(session.gate("g").outcome).toBe(outcome);
  });

  test.each(rows)("$name: $row, on the command line", ({ document, row: [values, outcome] }) => {
    const files = { "g.json": JSON.stringify(document) };
    const given = Object.entries(values).flatMap(([name, letter]) => ["--condition", `${name}=${letter}`]);
    const ran = runCli(["decide", "--gate-json", "g.json", ...given], files);
    expect(ran).toMatchObject({ exit: EXITS[outcome], err: "" });
    expect(ran.out).toContain(`: ${outcome}\n`);
  });

  test("several gates: one of them is chosen by its name, else all are shown and the worst outcome counts", () => {
    const [several] = samples.accept.filter(({ name }) => name === "several gates");
    const files = { "g.json": JSON.stringify(several?.document) };
    const decide = (...args: string[]): number => runCli(["decide", "--gate-json", "g.json", ...args], files).exit;
    expect(decide("--condition", "x=true", "--gate", "a")).toBe(0);
    expect(decide("--condition", "x=true", "--gate", "b")).toBe(4);
    expect(decide("--condition", "x=true")).toBe(4);
    expect(decide("--condition", "x=unknown")).toBe(3);
    expect(decide("--condition", "x=true", "--gate", "c")).toBe(2);
  });

  test.each(samples.accept.filter(isFlow))("$name", ({ document }) => {
    const flow = flowFromJson(JSON.stringify(document));
    expect(flow.warnings).toEqual([]);
    for (const [letter, outcome, stage] of [
      ["t", "pass", "ship"],
      ["u", "hold", "manual"],
      ["f", "fail", "deny"],
    ] as const) {
      expect(nextStage(flow, { env_gate: outcome })?.stage).toBe(stage);
      const files = { "s.json": JSON.stringify(document), "r.tsd": ENV(TRUTHS[letter]) };
      const alone = runCli(["decide", "--gate-json", "s.json", "--condition", `env_gate=${letter}`], files);
      expect(alone).toMatchObject({ exit: 0, err: "" });
      expect(alone.out).toContain(`next stage: ${stage} (gate "env_gate": ${outcome})`);
      expect(runCli(["decide", "--gate-json", "s.json", "--condition", `env_gate=${outcome}`], files).exit).toBe(0);
      expect(runCli(["decide", "r.tsd", "--gate-json", "s.json"], files).out).toContain(
        `next stage for Release r1: ${stage} `,
      );
      const program = compile(ENV(TRUTHS[letter]));
      const session = program.extend(flowSource(program, flow, { name: "release" })).session();
      session.run();
      expect(session.facts("FlowStage").map(({ fields }) => fields["stage"])).toEqual([stage]);
    }
  });
});

const ENV = (prod: boolean | undefined): string => `type Release(#id: string, prod: bool?)
gate "env_gate" for r: Release { require r.prod }
Release(id: "r1"${prod === undefined ? "" : `, prod: ${String(prod)}`})`;

describe("each sample is refused", () => {
  test.each(samples.refuse)("$name", ({ document, defined }) => {
    const options = defined === undefined ? {} : { conditions: defined };
    expect(() => gateFromJson(document, options)).toThrow(GateJsonError);
    const rules = (defined ?? []).map((name) => `condition ${name} : x.n > 1 from x: X(x.n > 0)`).join("\n");
    const files = { "g.json": JSON.stringify(document), "r.tsd": `type X(n: number)\n${rules}` };
    const args = defined === undefined ? [] : ["r.tsd"];
    const ran = runCli(["decide", ...args, "--gate-json", "g.json"], files);
    expect(ran.exit).toBe(1);
    expect(ran.err).toContain("error E542  $");
  });
});

const LEAF = { Condition: "a" };
const BRANCH = { gate_id: "g", outcome: "true", next_stage_id: "s" };
const deep = (levels: number): unknown => (levels === 0 ? LEAF : { Not: deep(levels - 1) });

describe("a mistake is said with its place", () => {
  test.each([
    [{ requirement: LEAF, gate: "x" }, '$: unknown key "gate" in a gate: expected "requirement", "gate_id"'],
    [{ gate_id: "x" }, '$: a gate lacks "requirement": expected "requirement", "gate_id"'],
    [{ gate_id: 1, requirement: LEAF }, "$.gate_id: must be a name"],
    [
      { requirement: { Xor: [LEAF] } },
      '$.requirement: unknown key "Xor": expected And, Or, Not, RequireGroup or Condition',
    ],
    [[], "$: the list of gates is empty"],
    [[{ requirement: LEAF }], '$[0]: a gate in a list needs a "gate_id"'],
    [[1, 2], "$[0]: a requirement must be an object with one key"],
    [
      [
        { gate_id: "x", requirement: LEAF },
        { gate_id: "x", requirement: LEAF },
      ],
      '$[1].gate_id: two gates are called "x"',
    ],
    [
      [{ gate_id: "x", requirement: { And: [LEAF, { RequireGroup: { min: 0, reqs: [LEAF] } }] } }],
      "$[0].requirement.And[1].RequireGroup.min: must be an integer of 1 or more",
    ],
    ['{"requirement": {"Condition": "a"}, "requirement": {"Condition": "b"}}', '$: duplicate key "requirement"'],
    [{ requirement: deep(33) }, "nested more than 32 levels deep"],
    [{ advance_to: { kind: "branch", branches: [BRANCH] } }, '$: a stage with "advance_to" is a flow'],
  ])("of gates: %j", (document, message) => {
    expect(() => gatesFromJson(document)).toThrow(message);
  });

  test.each([
    [{ advance_to: { kind: "linear" } }, '$.advance_to.kind: must be "branch": only branches become a flow'],
    [
      { advance_to: { kind: "branch", branches: [] } },
      "$.advance_to.branches: must be a list with at least one branch",
    ],
    [{ advance_to: { kind: "branch" } }, '$.advance_to: "advance_to" lacks "branches"'],
    [
      { advance_to: { kind: "branch", branches: [{ ...BRANCH, outcome: "maybe" }] } },
      '$.advance_to.branches[0].outcome: must be "true", "unknown" or "false"',
    ],
    [
      { advance_to: { kind: "branch", branches: [{ ...BRANCH, to: "x" }] } },
      '$.advance_to.branches[0]: unknown key "to" in a branch: expected "gate_id", "outcome", "next_stage_id"',
    ],
    [{ advance_to: { kind: "branch", branches: [BRANCH], default: "" } }, "$.advance_to.default: must be a name"],
    [{ advance_to: { kind: "branch", branches: [BRANCH] }, timeout: 1 }, '$: unknown key "timeout" in a stage'],
    [{ stage_id: "s" }, '$: a stage lacks "advance_to"'],
  ])("of flows: %j", (document, message) => {
    expect(() => flowFromJson(document)).toThrow(message);
  });

  test("32 levels below the requirement are accepted, whatever the envelope", () => {
    expect(gateFromJson({ gate_id: "g", requirement: deep(32) })).toMatchObject({ kind: "not" });
  });

  test("an unknown condition is named with the nearest one", () => {
    expect(() => gateFromJson({ And: [{ Condition: "test_ok" }] }, { conditions: ["tests_ok", "blocked"] })).toThrow(
      '$.And[0].Condition: unknown condition "test_ok"; did you mean "tests_ok"?',
    );
    expect(gateFromJson({ Condition: 'approved(r, "bob")' }, { conditions: [] })).toMatchObject({ kind: "condition" });
  });
});

describe("branches", () => {
  const branch = (gate: string, outcome: string, stage: string): Record<string, string> => ({
    gate_id: gate,
    outcome,
    next_stage_id: stage,
  });
  const flowOf = (branches: unknown[], more: Record<string, unknown> = {}): ReturnType<typeof flowFromJson> =>
    flowFromJson({ advance_to: { kind: "branch", branches, ...more } });
  const PROGRAM = `type Given(#gate: string, ok: bool?)
condition first_ok : g.ok from g: Given(g.gate == "first")
condition second_ok : g.ok from g: Given(g.gate == "second")
gate "first" { require first_ok }
gate "second" { require second_ok }`;
  const reached = (flow: ReturnType<typeof flowFromJson>, values: Readonly<Record<string, boolean>>): unknown[] => {
    const program = compile(PROGRAM);
    const session = program.extend(flowSource(program, flow, { name: "f" })).session();
    for (const [gate, ok] of Object.entries(values)) session.assert("Given", { gate, ok });
    session.run();
    return session.facts("FlowStage").map(({ fields }) => fields["stage"]);
  };

  test("the first branch that matches wins, also over several gates, as in the flow", () => {
    const flow = flowOf([branch("first", "pass", "a"), branch("second", "pass", "b"), branch("first", "false", "c")], {
      default: "d",
    });
    for (const first of [true, false, undefined]) {
      for (const second of [true, false, undefined]) {
        const said = (ok: boolean | undefined): Outcome => OUTCOMES[String(ok) as keyof typeof OUTCOMES];
        const expected = nextStage(flow, { first: said(first), second: said(second) })?.stage;
        const values = Object.fromEntries(
          Object.entries({ first, second }).flatMap(([gate, ok]) => (ok === undefined ? [] : [[gate, ok]])),
        );
        expect(reached(flow, values as Record<string, boolean>)).toEqual([expected]);
      }
    }
  });

  test("branches of several gates without a default are evaluated, but are no flow", () => {
    const flow = flowOf([branch("first", "pass", "a"), branch("second", "pass", "b")]);
    expect(nextStage(flow, { first: "fail", second: "pass" })?.stage).toBe("b");
    expect(nextStage(flow, { first: "fail", second: "fail" })).toBe(undefined);
    expect(flow.warnings).toEqual([
      'no branch matches when gate "first" has the outcome hold or fail and gate "second" has the outcome hold or fail, and there is no default (E540)',
    ]);
    expect(() => flowSource(compile(PROGRAM), flow, { name: "f" })).toThrow("add a default, or ask one gate");
  });

  test("without a branch and a default the flow is stuck, which is warned of when it is defined", () => {
    const flow = flowOf([branch("first", "true", "a")]);
    expect(flow.warnings).toEqual([
      'no branch matches when gate "first" has the outcome hold or fail, and there is no default (E540)',
    ]);
    const program = compile(PROGRAM);
    const extended = program.extend(flowSource(program, flow, { name: "f" }));
    expect(extended.checked.diagnostics).toMatchObject([{ code: "W245" }]);
    const session = extended.session();
    expect(session.run().problems).toMatchObject([{ code: "E540", stage: "start", outcome: "hold" }]);
    const files = {
      "s.json": JSON.stringify({ advance_to: { kind: "branch", branches: [branch("first", "true", "a")] } }),
    };
    const ran = runCli(["decide", "--gate-json", "s.json", "--condition", "first=false"], files);
    expect(ran.exit).toBe(1);
    expect(ran.err).toContain("warning W245");
    expect(ran.err).toContain('error E540  no branch matches: gate "first" has the outcome fail');
  });

  test("ids that are no plain names are quoted, and a stage may lead back to itself", () => {
    const flow = flowFromJson({
      stage_id: "stage 1",
      advance_to: {
        kind: "branch",
        branches: [branch("first", "true", 'say "go"'), branch("first", "unknown", "stage 1")],
        default: "not",
      },
    });
    expect(flowSource(compile(PROGRAM), flow, { name: "f" })).toBe(`flow "f" {
    stage "stage 1" {
        decide first()
        on pass goto "say \\"go\\""
        on hold goto "stage 1"
        otherwise goto "not"
    }
    stage "say \\"go\\"" final
    stage "not" final
}
`);
    expect(reached(flow, { first: true })).toEqual(['say "go"']);
    expect(reached(flow, {})).toEqual(["stage 1"]);
  });

  test("gates that the stage defines are decided with it, and printed as rules", () => {
    const gates = [{ gate_id: "ready", requirement: { Condition: "first_ok" } }];
    const document = {
      gates,
      advance_to: { kind: "branch", branches: [branch("ready", "true", "ship")], default: "no" },
    };
    const files = { "s.json": JSON.stringify(document), "r.tsd": `${PROGRAM}\nGiven("first", true)` };
    expect(runCli(["decide", "r.tsd", "--gate-json", "s.json"], files)).toMatchObject({ exit: 0, err: "" });
    const source = runCli(["decide", "r.tsd", "--gate-json", "s.json", "--source"], files);
    expect(source.out).toContain('gate "ready" {');
    expect(source.out).toContain("decide ready()");
    const both = { ...files, "more.tsd": source.out };
    expect(runCli(["run", "r.tsd", "more.tsd"], both).out).toContain("ship");
  });
});

describe("on the command line", () => {
  const files = {
    "g.json": '{ "gate_id": "g", "requirement": { "Or": [{ "Condition": "a" }, { "Condition": "b" }] } }',
    "r.tsd": "type X(n: number)\ncondition a : x.n > 1 from x: X\ncondition b : x.n > 2 from x: X",
  };
  test.each([
    [["--condition", "a"], "--condition must be NAME=true, NAME=false or NAME=unknown"],
    [["--condition", "a=yes"], "--condition must be NAME=true"],
    [["--condition", "a=t", "--condition", "a=f"], "--condition a appears twice"],
    [["--condition", "c=t"], 'the document has no condition "c"'],
    [["--logic", "fuzzy"], "--logic must be kleene or bochvar"],
    [["--source"], "--source needs the rules"],
    [["--facts", "x.json"], "without rules, conditions are given with --condition"],
    [["r.tsd", "--condition", "a=t"], "--condition gives values for --gate-json without rules"],
    [["r.tsd", "--logic", "bochvar"], "--logic is for --gate-json without rules"],
  ])("%j is wrong usage", (args, message) => {
    const ran = runCli(["decide", "--gate-json", "g.json", ...args], files);
    expect(ran.exit).toBe(2);
    expect(ran.err).toContain(message);
  });

  test("logic bochvar makes any unknown condition unknown, also in a quorum", () => {
    const args = ["decide", "--gate-json", "g.json", "--condition", "a=t"];
    expect(runCli(args, files).exit).toBe(0);
    expect(runCli([...args, "--logic", "bochvar"], files).exit).toBe(3);
  });

  test("a gate with the name of a gate of the program has its subject", () => {
    const rules = `type R(#id: string, ok: bool)\ncondition fine(r: R) : r.ok\ngate "g" for r: R { require true == r.ok }\nR("r1", false)`;
    const document = '{ "gate_id": "g", "requirement": { "Not": { "Condition": "fine" } } }';
    const ran = runCli(["decide", "r.tsd", "--gate-json", "g.json"], { "r.tsd": rules, "g.json": document });
    expect(ran.out).toContain('gate "g (RET JSON)" for R r1: pass');
  });
});

describe("with rules", () => {
  const RULES = `type Release(#id: string)
type Draft(#id: string)
type Vote(about: string, who: string, ok: bool)
condition alice(r: Release) : v.ok from v: Vote(v.about == r.id, v.who == "alice")
condition bob(r: Release) : v.ok from v: Vote(v.about == r.id, v.who == "bob")
condition read(d: Draft) : v.ok from v: Vote(v.about == d.id)
condition voted(r: Release, who: string) : v.ok from v: Vote(v.about == r.id, v.who == who)
condition open : exists Vote(ok == true)
gate "about drafts" for Draft() { require open }
Release("r1") Vote("r1", "alice", true)`;
  const run = (document: unknown, ...args: string[]): ReturnType<typeof runCli> => {
    const text = typeof document === "string" ? document : JSON.stringify(document, null, 2);
    return runCli(["decide", "r.tsd", "--gate-json", "g.json", ...args], { "r.tsd": RULES, "g.json": text });
  };
  const gate = (...names: string[]): unknown => ({
    gate_id: "g",
    requirement: { RequireGroup: { min: 2, reqs: names.map((Condition) => ({ Condition })) } },
  });

  test("conditions about one type give the gate its subject; conditions without arguments may be among them", () => {
    expect(run(gate("alice", "bob")).out).toContain('gate "g" for Release r1: hold');
    expect(run(gate("open", "alice", 'r.id == "r1"')).out).toContain('gate "g" for Release r1: pass');
  });

  test("a gate like one without a variable has its subject", () => {
    expect(run({ Condition: "read" }, "--gate", "about drafts", "--source").out).toContain(
      "for subject: Draft {\n    require read(subject)",
    );
  });

  test.each([
    [
      ["alice", "read"],
      [],
      "g.json:8:24",
      'Condition: gate "g" has no subject: name a gate of the program whose subject it has with --gate NAME',
    ],
    [["alice", "voted"], [], "g.json:8:24", 'Condition: gate "g" has no subject'],
    [["voted"], [], "g.json:8:24", 'condition voted needs arguments: write them after the name, as in "voted(r, who)"'],
    [
      ["open", "alice"],
      ["--gate", "about drafts"],
      "g.json:11:24",
      'condition alice is about Release, but gate "g" is about Draft',
    ],
    [["alice", "not open"], [], "g.json:11:24", '"not open" is neither the name of a condition nor a single test'],
  ])("%j %j is refused where the document has it", (names, args, place, message) => {
    const reqs = { min: 1, reqs: names.map((Condition) => ({ Condition })) };
    const ran = run({ gate_id: "g", requirement: { RequireGroup: reqs } }, ...args);
    expect(ran).toMatchObject({ exit: 1, out: "" });
    expect(ran.err).toContain(`${place}  error E542  $.requirement.RequireGroup.reqs[`);
    expect(ran.err).toContain(message);
  });

  test("an error in a test of the document is shown in the document", () => {
    const ran = run(
      '[{ "gate_id": "a", "requirement": { "Condition": "open" } },\n{ "gate_id": "b", "requirement": { "And": [{ "Condition": "alice" }, { "Condition": "r.nope > 1" }] } }]',
    );
    expect(ran.exit).toBe(1);
    expect(ran.err).toMatch(/^g\.json:2:85 {2}error E202 {2}Release has no field "nope"\n {4}2 \| \{ "gate_id": "b"/u);
    expect(ran.err).not.toContain("require ");
  });

  test("no branch for the outcome is shown at the branches of the document", () => {
    const branches = [{ gate_id: "g", outcome: "true", next_stage_id: "s" }];
    const ran = run({ gates: [gate("alice", "bob")], advance_to: { kind: "branch", branches } });
    expect(ran.exit).toBe(1);
    expect(ran.err).toMatch(/^g\.json:20:3 {2}error E540 .*\n {3}20 \| {3}"advance_to": \{$/mu);
    expect(ran.err).not.toContain("require ");
  });

  test("all gates of a list are shown; one without a subject to decide about holds", () => {
    const list = [
      { gate_id: "a", requirement: { Condition: "alice" } },
      { gate_id: "b", requirement: { Condition: "read" } },
    ];
    const ran = run(list);
    expect(ran.exit).toBe(3);
    expect(ran.out).toContain('gate "a" for Release r1: pass');
    expect(ran.out).toContain('gate "b": hold (no subject to decide about)');
    expect(run(list, "--gate", "a").exit).toBe(0);
    expect(run(list, "--gate", "c")).toMatchObject({ exit: 2 });
  });
});

describe("a mistake in a text has a line and a column", () => {
  test.each([
    ["{", 1, 2, "$: invalid JSON: expected a key in double quotes"],
    ['{ "And": [\n  { "Condition": "a" },\n] }\n', 3, 1, "$: invalid JSON: remove the comma before it"],
    ['{ "And": [ { "Condition": \'a\' } ] }', 1, 27, "$: invalid JSON: expected a value"],
    ['{ "Condition": "a\\x" }', 1, 16, "$: invalid JSON: the string is not closed"],
    ['{ "Condition" "a" }', 1, 15, '$: invalid JSON: expected ":"'],
    ['{ "Condition": "a" } x', 1, 22, "$: invalid JSON: expected the end"],
    ['{ "Condition": "a" "b" }', 1, 20, '$: invalid JSON: expected "," or "}"'],
    ["[".repeat(600), 1, 258, "$: nested more than 32 levels deep"],
    ['{ "And": [\n  { "Xor": [] } ] }', 2, 5, '$.And[0]: unknown key "Xor"'],
    ['{ "Or": [{ "Condition": "a" },\n  { "Condition": "a", "Condition": "b" }] }', 2, 23, "$.Or[1]: duplicate key"],
    [
      '{ "gate_id": "x",\n  "requirement": { "RequireGroup": { "min": 3, "reqs": [] } } }',
      2,
      45,
      "$.requirement.RequireGroup.min",
    ],
    ['{\n  "gate_id": "x" }', 1, 1, '$: a gate lacks "requirement"'],
  ])("%s", (text, line, column, message) => {
    const read = (): unknown => gatesFromJson(text);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ place: expect.objectContaining({ line, column }) as unknown }));
    const ran = runCli(["decide", "--gate-json", "g.json"], { "g.json": text });
    expect(ran.err).toContain(`g.json:${line}:${column}  error E542  ${message}`);
  });

  test("and none in data", () => {
    expect(() => gatesFromJson({ Xor: [] })).toThrow(
      expect.objectContaining({ path: "$", key: "Xor", place: undefined }),
    );
  });
});

describe("in the library", () => {
  test("decideGate takes a gate or a requirement, and says whether a condition was given", () => {
    const requirement = gateFromJson('{ "Or": [{ "Condition": "a" }, { "Condition": "b" }, { "Condition": "c" }] }');
    const answer = decideGate(requirement, { a: undefined, b: false });
    expect(answer).toEqual(decideGate({ requirement }, { a: undefined, b: false }));
    expect(answer.outcome).toBe("hold");
    const reasons =
      answer.tree.kind === "leaf" ? [] : answer.tree.items.map((one) => one.kind === "leaf" && one.reason);
    expect(reasons).toEqual(["given as unknown", "given as false", "not given"]);
  });

  test("flowSource says that the gates of the document come first; gates.md shows the order", () => {
    const [, snippet = ""] =
      /```ts\n(const flow = flowFromJson[^]*?)```/u.exec(readFileSync("docs/gates.md", "utf8")) ?? [];
    const document = readFileSync("examples/release-gate/stage.json", "utf8");
    const rules = `type Release(#id: string, ok: bool?)
${["tests_ok", "alice", "bob"].map((name) => `condition ${name}(r: Release) : r.ok`).join("\n")}
Release("r-42", true)`;
    expect(() => flowSource(compile(rules), flowFromJson(document), { name: "release" })).toThrow(
      '$.gates: gate "review_gate" is only in the document: first extend the program with gateSource of each of its gates',
    );
    const given = { compile, flowFromJson, gateSource, flowSource, rules, document };
    const session = runInNewContext(`${snippet}; session`, given) as ReturnType<ReturnType<typeof compile>["session"]>;
    expect(session.facts("FlowStage").map(({ fields }) => fields["stage"])).toEqual(["ship"]);
  });

  test("conditionsOf gives the path of each condition, and placeInJson its place", () => {
    const text =
      '{ "And": [{ "Not": { "Condition": "a" } }, { "RequireGroup": { "min": 1, "reqs": [{ "Condition": "b" }] } }] }';
    const leaves = conditionsOf(gateFromJson(text));
    expect(leaves.map(({ path }) => path)).toEqual([
      "$.And[0].Not.Condition",
      "$.And[1].RequireGroup.reqs[0].Condition",
    ]);
    expect(leaves.map(({ path }) => placeInJson(text, path)?.column)).toEqual([35, 98]);
    expect(placeInJson(text, "$.Or")).toBe(undefined);
  });
});

test("branches of several gates that lead back to their stage are decided, and no flow", () => {
  const program = compile(`type R(#id: string, n: number)
gate g for r: R { require r.n > 5 }
gate h for r: R { require r.n < 2 }`);
  const document = (to: string, otherwise: string): unknown => ({
    stage_id: "s",
    advance_to: {
      kind: "branch",
      branches: [
        { gate_id: "g", outcome: "true", next_stage_id: "ship" },
        { gate_id: "h", outcome: "true", next_stage_id: to },
      ],
      default: otherwise,
    },
  });
  const source = (json: unknown): string => flowSource(program, flowFromJson(json), { name: "f" });
  expect(() => source(document("deny", "s"))).toThrow(/leads back to itself/u);
  expect(() => source(document("s", "wait"))).toThrow(/leads back to itself/u);
  expect(nextStage(flowFromJson(document("deny", "s")), { g: "fail", h: "fail" })?.stage).toBe("s");
  const session = program.extend(source(document("deny", "wait"))).session();
  session.assert("R", { id: "r1", n: 3 });
  session.run();
  expect(session.flow("f").stage).toBe("wait");
});
