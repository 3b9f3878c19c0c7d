/** Tests the error codes that only the library gives: each has a message and a suggested fix. */
import { expect, test } from "vitest";
import { compile, type CompileOptions, type SessionError } from "../../src/index.ts";

const SOURCE = `
type Task(#id: string)
xuple-space jobs { max-size: 1 }
action send(id: string)
rule sending { when t: Task then send(t.id) }
rule queueing salience -1 { when t: Task then xuple("jobs", Task(id: t.id)) }
`;

/** The codes of what a call throws, from the outside in, and the message. */
function thrown(call: () => unknown): { codes: unknown[]; message: string } {
  try {
    call();
  } catch (error) {
    const outer = error as SessionError;
    return { codes: [outer.code, (outer.cause as SessionError | undefined)?.code], message: outer.message };
  }
  throw new Error("nothing was thrown");
}

const CALLS: Readonly<Record<string, { readonly message: string; call: () => unknown }>> = {
  E520: {
    message: 'rule "sending": send failed: offline',
    call: () => {
      const session = compile(SOURCE).session({
        actions: {
          send: () => {
            throw new Error("offline");
          },
        },
      });
      session.assert("Task", { id: "a" });
      return session.run();
    },
  },
  E530: {
    message: "cannot start a run inside a batch",
    call: () => {
      const session = compile(SOURCE).session();
      return session.batch(() => session.run());
    },
  },
  E531: {
    message: 'rule "queueing": xuple failed: xuple-space "jobs" is full: its max-size is 1',
    call: () => {
      const session = compile(SOURCE).session();
      session.assert("Task", { id: "a" });
      session.assert("Task", { id: "b" });
      return session.run();
    },
  },
  E532: { message: 'no fact with id "Task~nobody"', call: () => compile(SOURCE).session().update("Task~nobody", {}) },
  E533: {
    message: "cannot restore this snapshot: its version is 99, and this engine reads versions 1 and 2",
    call: () => {
      const program = compile(SOURCE);
      const snapshot = program.session().snapshot();
      return program.session({ from: { ...snapshot, version: 99 as 1 } });
    },
  },
  E537: {
    message:
      "1 fact does not fit the types of the new program: 1 of type Task (Task~a): the new program has no type Task",
    call: () => {
      const session = compile(SOURCE).session();
      session.assert("Task", { id: "a" });
      return session.reload(compile("type Other(#id: string)"));
    },
  },
  E550: {
    message: 'firing 3 of rule "queueing" is not remembered',
    call: () => compile(SOURCE).session().why({ n: 3, rule: "queueing", action: "log", args: [] }),
  },
  E551: {
    message:
      "this run cannot be packed, because it is not repeatable: re-running gives different results: effects[1] is null, " +
      'and the pack says {"action":"grow","args":[2],"n":2,"rule":"r"}',
    call: () => {
      const source = "type P(n: number) P(n: 1) rule r { when p: P(n < 3) then grow(p.n) }";
      const session = compile(source).session({
        actions: { grow: (n: number) => void session.assert("P", { n: n + 1 }) },
      });
      return session.pack(session.run());
    },
  },
};

test.each(Object.entries(CALLS))("%s", (code, { call, message }) => {
  const error = thrown(call);
  expect(error.codes).toContain(code);
  expect(error.message).toBe(message);
});

test.each([
  [() => true, "functions.risky: params must be a list"],
  [{ params: ["number"], result: { kind: "bool" } }, "functions.risky: parameter 1 has no name"],
  [{ params: [{ name: "n", type: "number" }], result: { kind: "bool" } }, "functions.risky: parameter 1 has no type"],
  [{ params: [{ name: "n", type: { kind: "number" } }], result: "bool" }, "functions.risky: result must be a type"],
])("a function that is declared in another form (%#) is refused with the form it should have", (risky, message) => {
  const functions = { risky } as unknown as NonNullable<CompileOptions["functions"]>;
  const { message: said } = thrown(() => compile(SOURCE, { functions }));
  expect(said).toContain(message);
  expect(said).toContain("a signature looks like { params: [");
});
