/** An answer of a gate is of one moment: what is read of it late is of that moment, or is refused. */
import { expect, test } from "vitest";
import { compile, type GateAnswer } from "../../src/index.ts";

const SOURCE = `
  type Release(#id: string)
  type Check(#id: string, release: string, ok: bool)
  condition checked(r: Release) : c.ok from c: Check(c.release == r.id)
  gate "deploy" for r: Release { require checked(r) }`;
const program = compile(SOURCE);

function opened(source = program): ReturnType<typeof program.session> {
  const session = source.session();
  session.assert("Release", { id: "r1" });
  return session;
}

const CHECK = { id: "c1", release: "r1", ok: true };
const HOLDS = "the session has changed since gate";

function evidenceOf({ tree }: GateAnswer): string[] {
  return tree.kind === "leaf" ? tree.evidence.map(({ id }) => id) : [];
}

test("parts that were read stay, whatever changes", () => {
  const session = opened();
  session.assert("Check", CHECK);
  const answer = session.gate("deploy");
  expect(evidenceOf(answer)).toEqual(["Check~c1"]);
  session.retract("Check~c1");
  expect([answer.outcome, answer.tree.value, ...evidenceOf(answer)]).toEqual(["pass", "true", "Check~c1"]);
  expect(session.gate("deploy").outcome).toBe("hold");
});

test.each<[string, (session: ReturnType<typeof opened>) => void]>([
  ["a fact came", (session) => void session.assert("Check", CHECK)],
  ["a fact changed", (session) => void session.update("Check~c0", { ok: true })],
  ["the subject went", (session) => void session.retract("Release~r1")],
  ["the clock moved", (session) => session.advance("2026-01-01T00:00:00Z")],
  ["the session was reset", (session) => session.reset()],
  ["another program came", (session) => void session.reload(compile(SOURCE.replace(": c.ok", ": not c.ok")))],
  [
    "a gate of the same name came",
    (session) => void session.reload(compile(SOURCE.replace("checked(r) }", "not checked(r) }"))),
  ],
])("parts that were not read are refused when %s", (_, change) => {
  const session = opened();
  session.assert("Check", { id: "c0", release: "r1", ok: false });
  const { gates } = session.run();
  const answers = [session.gate("deploy"), ...session.gates(), ...gates];
  change(session);
  for (const answer of answers) {
    expect(answer).toMatchObject({ gate: "deploy", subject: "Release~r1", outcome: "fail", status: "false" });
    expect(() => answer.tree).toThrow(expect.objectContaining({ code: "E545" }));
    expect(() => answer.missing).toThrow(HOLDS);
    expect(JSON.parse(JSON.stringify(answer))).toEqual({
      gate: "deploy",
      subject: "Release~r1",
      outcome: "fail",
      status: "false",
    });
  }
});

test("the list of a result that is read late says what the outcomes were", () => {
  const session = opened();
  const result = session.run();
  session.assert("Check", CHECK);
  session.run();
  const [answer] = result.gates;
  expect(answer?.outcome).toBe("hold");
  expect(() => answer?.tree).toThrow(HOLDS);
});

test("what is explained late is explained by the facts of now, and says so", () => {
  const session = opened();
  session.assert("Check", CHECK);
  const [answer] = session.run().gates;
  if (answer === undefined) return expect.unreachable("the gate has a subject");
  session.assert("Check", { ...CHECK, id: "c2" });
  session.retract("Check~c1");
  const why = session.why(answer);
  expect(why.upward_rationale).toContain("the facts have changed since then, so the current ones are shown");
  expect(why.upward_rationale).toContain("Check c2");
  session.retract("Release~r1");
  expect(() => session.why(answer)).toThrow(expect.objectContaining({ code: "E545" }));
});

test("a copy can be read at any time", () => {
  const session = opened();
  const copy = { ...session.gate("deploy") };
  session.assert("Check", CHECK);
  expect(copy.tree.value).toBe("unknown");
  expect(copy.missing).toHaveLength(1);
});

test("queries, subscriptions and refused changes leave answers readable", () => {
  const session = opened(program.extend("query checks() { c: Check(ok) }"));
  const answer = session.gate("deploy");
  session.query("checks", {});
  session.subscribe({ query: "checks" }, {}, () => {}).close();
  expect(() => session.assert("Check", { id: 1 })).toThrow();
  expect(answer.tree.value).toBe("unknown");
});

test("a listener gets the answer of the moment at which the outcome was reached", () => {
  // The reaction removes what opened the gate, before the event is delivered.
  const session = compile(`${SOURCE.slice(0, -1)} on pass then insert Done() }
    type Done()
    rule "clear" { when Done() c: Check() then retract c }`).session();
  const seen: string[] = [];
  session.on("gate", (answer) => seen.push(`${answer.outcome} ${answer.tree.value} ${answer.missing.length}`));
  session.assert("Release", { id: "r1" });
  session.assert("Check", CHECK);
  session.run();
  expect(seen).toEqual(["pass true 0", "hold unknown 1"]);
});

test("rows of a subscription keep the answers of their moments", async () => {
  const session = opened();
  const rows = session.subscribe({ gate: "deploy" }, {});
  session.assert("Check", CHECK);
  session.retract("Check~c1");
  await rows.next();
  session.assert("Check", CHECK);
  session.update("Check~c1", { ok: false });
  session.update("Check~c1", { ok: true });
  const { value } = await rows.next();
  const [changed] = value?.changed ?? [];
  expect([changed?.before.row.tree.value, changed?.after.row.tree.value]).toEqual(["unknown", "true"]);
  rows.close();
});

test("a halted run lists recorded outcomes, without a tree of other facts", () => {
  const halting = compile(`${SOURCE} rule "stop" { when c: Check then halt }`);
  const session = opened(halting);
  session.run();
  session.assert("Check", CHECK);
  const { gates, halted } = session.run();
  expect([halted, gates[0]?.outcome, session.gate("deploy").outcome]).toEqual([true, "hold", "pass"]);
  expect(() => gates[0]?.tree).toThrow(HOLDS);
});
