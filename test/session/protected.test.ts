/** Tests protected types: only the program and the policy role may insert, change and retract their facts (E411). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, FactChecker, type RuleSession, SessionError, verifyPack } from "../../src/index.ts";
import { runCli, runCliAsync } from "../support/io.ts";
import type { Dialogue } from "../../src/cli/io.ts";
import { runs } from "../support/cases.ts";

const RULES = `
protected type Limits(#name: string, most: number = 10)
protected type Banned(word: string)
type Order(#id: string, total: number, word: string = "fine")
type Log(text: string)
Limits(name: "orders", most: 100)
Banned(word: "bomb")
gate "small" for o: Order { require o.total <= 100 }
rule "raise" { when o: Order(id == "raise") l: Limits then l.most = 500 }
rule "learn" { when o: Order(id == "learn") then insert Banned(word: o.word) }
rule "deduce" { when o: Order(id == "deduce") then insert logical Banned(word: "deduced") }
rule "forget" { when o: Order(id == "forget") b: Banned then retract b }
rule "over" { when o: Order l: Limits where o.total > l.most then log("over", o.id) }
rule "banned" { when o: Order b: Banned(word == o.word) then log("banned", o.id) }
test "given facts may be of protected types" {
    given Limits(name: "orders", most: 1)
    given Banned(word: "x")
    given o = Order(id: "o1", total: 2, word: "x")
    expect rule "over" fires 1
    expect rule "banned" fires 1
}
`;
const PROGRAM = compile(RULES, { file: "a.tsd" });
const POLICY = { role: "policy" } as const;

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "done";
  } catch (error) {
    return error instanceof SessionError ? error.code : String(error);
  }
};
const guarded = (session: RuleSession): unknown[] => [...session.facts("Limits"), ...session.facts("Banned")];

describe("a session", () => {
  const CHANGES: Readonly<Record<string, (session: RuleSession, by?: typeof POLICY) => unknown>> = {
    assert: (session, by) => session.assert("Banned", { word: "w" }, by),
    "assert a new key": (session, by) => session.assert("Limits", { name: "n" }, by),
    update: (session, by) => session.update("Limits~orders", { most: 1 }, by),
    "update without a difference": (session, by) => session.update("Limits~orders", { most: 100 }, by),
    upsert: (session, by) => session.upsert("Limits", { name: "orders", most: 1 }, by),
    retract: (session, by) => session.retract("Banned~@1", by),
    "a batch": (session, by) =>
      session.batch(() => {
        session.assert("Order", { id: "o1", total: 1 });
        session.assert("Banned", { word: "w" }, by);
      }),
  };

  test.each(Object.entries(CHANGES))("%s needs the policy role", (_name, change) => {
    const session = PROGRAM.session();
    const before = session.facts();
    expect(codeOf(() => change(session))).toBe("E411");
    expect(session.facts()).toEqual(before);
    expect(codeOf(() => change(session, POLICY))).toBe("done");
  });

  test("a handler is a host, too", () => {
    const session: RuleSession = PROGRAM.session({
      actions: { log: () => session.retract("Limits~orders") },
    });
    session.assert("Order", { id: "o1", total: 1000 });
    expect(() => session.run()).toThrow("protected");
    expect(session.fact("Limits~orders")).toBeDefined();
  });

  test("another role is none", () => {
    const session = PROGRAM.session();
    const engine = { role: "engine" } as unknown as typeof POLICY;
    expect(codeOf(() => session.assert("Banned", { word: "w" }, engine))).toBe("E213");
    const forged = { role: "engine", byEngine: true } as unknown as typeof POLICY;
    expect(codeOf(() => session.assert("Banned", { word: "w" }, forged))).toBe("E213");
    expect(codeOf(() => session.assert("GateResult", { gate: "small", outcome: "pass" }, POLICY))).toBe("E214");
  });

  test("rules write them", () => {
    const session = PROGRAM.session();
    for (const id of ["raise", "learn", "deduce"]) session.assert("Order", { id, total: 1, word: "learnt" });
    session.run();
    expect(session.fact("Limits~orders")?.fields).toMatchObject({ most: 500 });
    expect(session.facts("Banned").map(({ fields }) => fields["word"])).toEqual(["bomb", "learnt", "deduced"]);
    session.assert("Order", { id: "forget", total: 1 });
    session.run();
    expect(session.facts("Banned").map(({ fields }) => fields["word"])).not.toContain("bomb");
  });

  test("a snapshot, a pack and another program keep them, and keep them protected", () => {
    const session = PROGRAM.session();
    session.assert("Order", { id: "o1", total: 1000 });
    session.update("Limits~orders", { most: 7 }, POLICY);
    const pack = session.pack(session.run());
    expect(verifyPack(pack)).toBeUndefined();
    const again = PROGRAM.session({ from: session.snapshot() });
    expect(guarded(again)).toEqual(guarded(session));
    expect(codeOf(() => again.retract("Limits~orders"))).toBe("E411");
    again.reload(PROGRAM.extend("rule more { when l: Limits then }"));
    expect(codeOf(() => again.update("Limits~orders", { most: 1 }))).toBe("E411");
  });

  test("test blocks state them", () => {
    expect(PROGRAM.test()).toMatchObject({ failed: 0, passed: 1 });
  });

  test("no suggestion touches them", () => {
    const session = PROGRAM.session();
    session.assert("Order", { id: "o1", total: 5, word: "w" });
    const edits = session.whyNot("banned", { o: "Order~o1" }).remedies.flatMap((remedy) => remedy.edits);
    expect(edits.length).toBeGreaterThan(0);
    expect(edits.filter((edit) => JSON.stringify(edit).includes("Banned"))).toEqual([]);
  });

  test("whatever a host does without the role, they stay as they are", () => {
    const type = fc.constantFrom("Limits", "Banned", "Order", "Log");
    const fields = fc.record(
      {
        name: fc.constantFrom("orders", "n"),
        word: fc.constantFrom("bomb", "w"),
        most: fc.integer(),
        id: fc.constantFrom("o1", "o2"),
        total: fc.integer(),
        text: fc.string(),
      },
      { requiredKeys: [] },
    );
    const fact = fc.constantFrom("Limits~orders", "Limits~n", "Banned~@1", "Banned~@2", "Order~o1");
    const step = fc.oneof(
      fc.tuple(fc.constantFrom("assert" as const, "upsert" as const), type, fields),
      fc.tuple(fc.constantFrom("update" as const, "retract" as const), fact, fields),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, batched) => {
        const session = PROGRAM.session();
        const before = guarded(session);
        const makeAll = (): void => {
          for (const [what, of, given] of steps)
            codeOf(() => (what === "retract" ? session[what](of) : session[what](of, given)));
        };
        if (batched) session.batch(makeAll);
        else makeAll();
        expect(guarded(session)).toEqual(before);
      }),
      { numRuns: runs(2000) },
    );
  });
});

test("a checker of facts knows the role", () => {
  expect(new FactChecker(PROGRAM).problems("Limits", { name: "n" })).toMatchObject([{ code: "E411" }]);
  expect(new FactChecker(PROGRAM, POLICY).problems("Limits", { name: "n" })).toEqual([]);
});

describe("the command line", () => {
  const files = {
    "a.tsd": RULES,
    "orders.json": '{"Order": {"id": "o1", "total": 1000}}',
    "f.json": '{"Order": {"id": "o1", "total": 1000},\n "Limits": {"name": "orders", "most": 9999}}',
    "f.ndjson": '{"Banned": {"word": "w"}}\n{"Banned": {"word": "v"}}\n',
    "Banned.csv": "word\nw\n",
    "policy.json": '{"Limits": {"name": "more", "most": 5}, "Order": {"id": "o2", "total": 7}}',
  };
  const REFUSED = `f.json:2:2  error E411  Limits is a protected type: only the program and policy facts can write it
    2 |  "Limits": {"name": "orders", "most": 9999}}
      |  ^^^^^^^^ write it in the program or in a --policy file; in the library, pass { role: "policy" }
1 error in the facts; nothing was run
`;
  const COMMANDS: readonly (readonly string[])[] = [
    ["run", "a.tsd"],
    ["decide", "a.tsd", "--gate", "small"],
    ["why", "a.tsd", "over"],
    ["prove", "a.tsd", "--cases", "5"],
  ];

  test.each(COMMANDS)("%s %s refuses them in --facts, with their place, and takes them from --policy", (...command) => {
    const refused = runCli([...command, "--facts", "f.json"], files);
    expect(refused).toMatchObject({ exit: 1, out: "" });
    expect(refused.err.endsWith(REFUSED), refused.err).toBe(true);
    const taken = runCli([...command, "--policy", "policy.json"], files);
    expect(taken.err).not.toContain("error");
    expect(taken.out).not.toBe("");
  });

  test.each([
    ["graph", "a.tsd", "--live", "--format", "json"],
    ["watch", "a.tsd"],
    ["repl", "a.tsd"],
  ])("so does %s", async (...command) => {
    const world = {
      watch: async (_files: () => readonly string[], work: () => void) => {
        work();
        await Promise.resolve();
      },
      dialogue: async (dialogue: Dialogue) => {
        for (const line of ['Banned(word: "typed")', "update Limits~orders most: 3", "retract Limits~orders", "facts"])
          dialogue.line(line);
        await Promise.resolve();
      },
    };
    const refused = await runCliAsync([...command, "--facts", "f.json"], files, world);
    expect(refused.err.endsWith(REFUSED), refused.err).toBe(true);
    const taken = await runCliAsync([...command, "--policy", "policy.json"], files, world);
    expect(taken.err).not.toContain("error");
    if (command[0] === "repl") {
      expect(taken.out).toContain("- Limits orders\n");
      expect(taken.out).toContain('word: "typed"');
    }
  });

  test("in all formats, and as files without an option", () => {
    for (const file of ["f.ndjson", "Banned.csv", "f.json"]) {
      expect(runCli(["run", "a.tsd", file], files), file).toMatchObject({ exit: 1 });
      expect(runCli(["run", "a.tsd", "--policy", "policy.json", file], files).err, file).toContain("E411");
    }
    expect(runCli(["run", "a.tsd", "--policy", "Banned.csv", "--policy", "f.ndjson"], files).exit).toBe(0);
  });

  test("policy works beside facts; a key of the program is not replaced", () => {
    const { out } = runCli(["run", "a.tsd", "--policy", "policy.json", "--facts", "orders.json"], files);
    expect(out.match(/over o\d/gu)).toEqual(["over o2", "over o1", "over o1"]);
    const twice = runCli(["run", "a.tsd", "--policy", "p.json"], {
      ...files,
      "p.json": '{"Limits": {"name": "orders"}}',
    });
    expect(twice.err).toContain("error E410");
  });

  test("the evidence supplier cannot switch the standard guardian off", () => {
    const guard = {
      "g.tsd": `use guardian standard
Draft(id: "d1", request_type: CASUAL, track: FAST, query: "the admin password", draft: "hello", role: "ADMIN")`,
      "off.json": '{"GuardianPhrases": {"name": "sensitive_topics", "phrases": []}}',
    };
    expect(runCli(["verify-answer", "g.tsd"], guard).exit).toBe(4);
    expect(runCli(["verify-answer", "g.tsd", "--facts", "off.json"], guard)).toMatchObject({ exit: 1, out: "" });
    expect(runCli(["verify-answer", "g.tsd", "--policy", "off.json"], guard).exit).toBe(0);
  });

  test("sluice types marks them", () => {
    const { out } = runCli(["types", "a.tsd"], files);
    expect(out).toContain("readonly Limits: { readonly protected: true; readonly fields: Limits;");
    expect(out).toContain("readonly Order: { readonly fields: Order;");
  });

  test("sluice fmt keeps the word", () => {
    const source = "PROTECTED\n type   T (  #a:string )";
    expect(runCli(["fmt", "b.tsd"], { "b.tsd": source }).out).toBe("protected type T(#a: string)\n");
  });
});

describe("the language", () => {
  test("protected is a name like any other", () => {
    const program = compile(`
      type protected(#protected: string, type: number)
      protected = protected(protected: "a", type: 1)
      rule "protected" { when protected: protected(protected.type > 0) then log(protected.protected) }`);
    expect(program.session().run().effects).toMatchObject([{ args: ["a"] }]);
  });

  test("a type is protected in all its declarations or in none", () => {
    expect(() => compile("protected type T(a: string)\ntype T(a: string)")).toThrow("E204");
    expect(() => compile("type T(a: string)\nprotected type T(a: string)")).toThrow("E204");
    const twice = compile("protected type T(a: string)\nprotected type T(a: string)");
    expect(twice.checked.diagnostics).toMatchObject([{ code: "W102" }]);
  });

  test("a slip in its declaration is one mistake", () => {
    const { err } = runCli(["check", "a.tsd"], {
      "a.tsd": 'protected type Perso(a: )\nPerso(a: 1)\nrule r { when p: Perso then log("x") }\n',
    });
    expect(err.match(/error E\d+/gu)).toHaveLength(1);
  });
});
