/** A session that was restored, reloaded and then reset begins as a new one does: the snapshot is one of the program before. */
import { describe, expect, test } from "vitest";
import { compile, type OpenOptions, type Program, type RuleSession } from "../../src/index.ts";

const TYPES = 'type P(#id: string, n: number = 0)\nP("given")\n';
const before = compile(`${TYPES}rule "a" { when p: P then log(p.id) }`);
const after = compile(`${TYPES}rule "b" { when p: P then log(p.id) }`);

/** Returns a session that was restored with a fact of the host. */
function restored(program: Program, options: OpenOptions = {}): RuleSession {
  const first = program.session(options);
  first.assert("P", { id: "host" });
  return program.session({ ...options, from: first.snapshot() });
}

function ids(session: RuleSession): string[] {
  return session.facts("P").map(({ id }) => id);
}

describe("reset", () => {
  test("of a restored session gives the snapshot again", () => {
    const session = restored(before);
    session.run();
    session.reset();
    expect(ids(session)).toEqual(["P~given", "P~host"]);
  });

  test("after a reload begins with the facts of the program, and knows where they come from", () => {
    const session = restored(before);
    session.reload(after);
    session.reset();
    expect(ids(session)).toEqual(["P~given"]);
    expect(session.migration.dropped).toEqual([]);
    const result = session.run();
    expect(session.pack(result)).toBe(packed(after.session()));
  });

  test("after a reload back to the first program begins as after any reload, also where the network is made again", () => {
    const source = `function f(x: string): bool\n${TYPES}rule "a" { when p: P(f(id)) then log(p.id) }`;
    const failing = compile(source);
    const functions = { f: (x: unknown) => (x === "bad" ? JSON.parse("no") : true) };
    const session = restored(failing, { functions });
    session.reload(after);
    session.reload(failing);
    session.assert("P", { id: "bad" });
    expect(session.problems).toHaveLength(1);
    session.reset();
    expect(ids(session)).toEqual(["P~given"]);
    expect(session.problems).toEqual([]);
  });

  test("forgets what handlers of the snapshot's session could have written", () => {
    const source = `type P(#id: string)\ntype Q(#id: string)\ntype Out(#id: string)\naction tell(id: string)
      rule "pairs" { when a: Q b: Q(id != a.id) then tell(a.id) } // sluice: allow W301
      gate "g" for p: P { require not exists Out(id == p.id) }`;
    const program = compile(source, { limits: { liveMatches: 20 } });
    const outcome = (session: RuleSession): string => {
      session.upsert("P", { id: "a" });
      for (let id = 0; id < 9; id++) session.upsert("Q", { id: `${id}` });
      session.run();
      return session.gate("g", "P~a").outcome;
    };
    const first = program.session({ actions: { tell: () => undefined } });
    expect(outcome(first)).toBe("hold");
    const session = program.session({ from: first.snapshot() });
    expect(outcome(session)).toBe("hold");
    for (const fact of session.facts("Q")) session.retract(fact);
    session.reload(program);
    session.reset();
    expect([outcome(session), outcome(program.session())]).toEqual(["pass", "pass"]);
  });

  test("of a session whose facts were migrated gives the migration again, and none after a reload", () => {
    const wider = compile('type P(#id: string)\nrule "a" { when p: P then log(p.id) }');
    const session = wider.session({ from: restored(before).snapshot() });
    const { migration } = session;
    expect(migration.dropped).toHaveLength(1);
    session.reset();
    expect(session.migration).toEqual(migration);
    session.reload(after);
    session.reset();
    expect(session.migration).toEqual(after.session().migration);
  });
});

function packed(session: RuleSession): string {
  return session.pack(session.run());
}
