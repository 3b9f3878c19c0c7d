/** Tests migration: reload and restore treat facts of changed types in the same way. */
import { describe, expect, test } from "vitest";
import {
  compile,
  type Migration,
  MigrationError,
  type Migrations,
  type RuleSession,
  SessionError,
  type Snapshot,
} from "../../src/index.ts";
import { asVersion1, throughJson } from "../support/snapshots.ts";

const BEFORE = `
  type Person(#id: string, age: number, town: string?)
  type Order(#num: number, by: Person?)
  rule "adult" { when p: Person(age >= 18) then log(p.id) }
  action log(what: any)`;

function begun(): RuleSession {
  const session = compile(BEFORE).session();
  for (const [id, age] of [
    ["p1", 30],
    ["p2", 12],
    ["p3", 40],
    ["p4", 50],
  ] as const)
    session.assert("Person", { id, age, town: "Oslo" });
  session.assert("Order", { num: 1, by: "p1" });
  session.run();
  return session;
}

/** What a reload, and opening a snapshot, do to the session. */
const WAYS: Readonly<
  Record<string, (source: string, migrate?: Migrations) => { session: RuleSession; migration: Migration }>
> = {
  reload: (source, migrate = {}) => {
    const session = begun();
    const migration = session.reload(compile(source), { migrate });
    return { session, migration };
  },
  restore: (source, migrate = {}) => {
    const session = compile(source).session({ from: throughJson(begun().snapshot()), migrate });
    return { session, migration: session.migration };
  },
};

const RULE = 'rule "adult" { when p: Person(age >= 18) then log(p.id) } action log(what: any)';
const ORDER = "type Order(#num: number, by: Person?)";

describe.each(Object.entries(WAYS))("%s", (_, migrated) => {
  test("fills a new field with its default, and leaves an optional one missing", () => {
    const { session, migration } = migrated(
      `type Person(#id: string, age: number, town: string?, vip: bool = false, mail: string?) ${ORDER} ${RULE}`,
    );
    expect(migration.filled).toEqual([
      { type: "Person", field: "vip", facts: 4, value: false },
      { type: "Person", field: "mail", facts: 4, value: undefined },
    ]);
    expect(session.fact("Person~p1")?.fields).toEqual({ id: "p1", age: 30, town: "Oslo", vip: false });
    expect(session.run().fired).toEqual([]);
  });

  test("drops a field that is gone, and lists it", () => {
    const { session, migration } = migrated(`type Person(#id: string, age: number) ${ORDER} ${RULE}`);
    expect(migration.dropped).toEqual([{ type: "Person", field: "town", facts: 4 }]);
    expect(session.fact("Person~p2")?.fields).toEqual({ id: "p2", age: 12 });
    expect(session.run().fired).toEqual([]);
  });

  test("accepts another declaration that every value fits", () => {
    const { session, migration } = migrated(
      `type Person(#id: string, age: any, town: string?) ${ORDER} action log(what: any)`,
    );
    expect(migration).toMatchObject({ filled: [], dropped: [], converted: [] });
    expect(session.facts("Person")).toHaveLength(4);
  });

  test.each([
    ["another type", "type Person(#id: string, age: string, town: string?)", "Person.age must be string, found number"],
    [
      "a new required field",
      "type Person(#id: string, age: number, town: string?, mail: string)",
      'Person is missing the required field "mail"',
    ],
    [
      "another key",
      "type Person(#age: number, id: string, town: string?)",
      "its key was #id: string, and is #age: number",
    ],
    ["no key", "type Person(id: string, age: number, town: string?)", "its key was #id: string, and is no key"],
  ])("refuses %s, counts the facts and names the first", (_name, type, reason) => {
    const error = thrown(() => migrated(`${type} ${ORDER} action log(what: any)`));
    expect(error).toBeInstanceOf(MigrationError);
    expect((error as MigrationError).affected).toEqual([
      { type: "Person", facts: 4, first: ["Person~p1", "Person~p2", "Person~p3"], reason },
    ]);
    expect(error).toMatchObject({
      code: "E537",
      message: `4 facts do not fit the types of the new program: 4 of type Person (Person~p1, Person~p2, Person~p3, …): ${reason}`,
      hint: "convert them with migrate: { Person(old) { return { ...old } } }; return null to remove a fact",
    });
  });

  test("refuses facts of a type that is gone", () => {
    const error = thrown(() => migrated("type Order(#num: number)"));
    expect(error).toMatchObject({
      code: "E537",
      affected: [{ type: "Person", facts: 4, reason: "the new program has no type Person" }],
    });
  });

  test("converts facts with a function, and rules that stay do not fire again", () => {
    const { session, migration } = migrated(
      `type Person(#id: string, age: number, town: string?, name: string) ${ORDER} ${RULE}`,
      {
        Person: (old, id) => ({ ...old, name: `${id} of ${old["town"] as string}` }),
      },
    );
    expect(migration.converted).toEqual([{ type: "Person", facts: 4 }]);
    expect(session.fact("Person~p1")?.fields["name"]).toBe("Person~p1 of Oslo");
    expect(session.run().fired).toEqual([]);
    session.assert("Person", { id: "p9", age: 20, name: "new" });
    expect(session.run().fired).toHaveLength(1);
  });

  test("lets references and what has fired follow a fact that gets another id", () => {
    const { session, migration } = migrated(`type Person(#id: number, age: number) ${ORDER} ${RULE}`, {
      Person: ({ id, age }) => (id === "p4" ? null : { id: Number((id as string).slice(1)), age }),
    });
    expect(migration.renamed).toEqual({ "Person~p1": "Person~1", "Person~p2": "Person~2", "Person~p3": "Person~3" });
    expect(migration.removed).toEqual([{ type: "Person", facts: 1 }]);
    expect(session.facts().map(({ id }) => id)).toEqual(["Person~1", "Person~2", "Person~3", "Order~1"]);
    expect(session.fact("Order~1")?.fields["by"]).toBe("Person~1");
    expect(session.run().fired).toEqual([]);
  });

  test("refuses two facts that get the same id", () => {
    const same = { Person: () => ({ id: 1, age: 1 }) };
    expect(() => migrated(`type Person(#id: number, age: number) ${ORDER} ${RULE}`, same)).toThrow(
      "two facts would have this id",
    );
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
      "migrate.Person failed: no",
    ],
    ["returns nothing", () => undefined as unknown as null, "migrate.Person returned nothing"],
    ["returns a promise", () => Promise.resolve({}) as unknown as null, "migrate.Person returned a promise"],
    ["returns what does not fit", () => ({ id: "x" }), "Person.id must be number, found string"],
  ])("refuses facts whose function %s", (_name, Person, reason) => {
    const error = thrown(() => migrated(`type Person(#id: number, age: number) ${ORDER} ${RULE}`, { Person }));
    expect(error).toMatchObject({ code: "E537", affected: [{ type: "Person", facts: 4, reason }] });
  });

  test("does not call the function of a type that did not change", () => {
    const { migration } = migrated(BEFORE, { Person: () => null });
    expect(migration.removed).toEqual([]);
  });

  test("starts a rule again that changed, and keeps others", () => {
    const { session } = migrated(`type Person(#id: string, age: number, town: string?) ${ORDER}
      rule "adult" { when p: Person(age >= 35) then log(p.id) } action log(what: any)`);
    expect(session.run().effects.map(({ args }) => args[0])).toEqual(["p3", "p4"]);
  });
});

function thrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("a refused reload changes nothing", () => {
  const session = begun();
  const before = session.snapshot();
  expect(() => session.reload(compile("type Person(#id: string, age: string)"))).toThrow(MigrationError);
  expect(session.snapshot()).toEqual(before);
  expect(session.assert("Person", { id: "p7", age: 7, town: "Bonn" }).id).toBe("Person~p7");
});

test("a function cannot use the session that it migrates", () => {
  const session = begun();
  const Person = (): null => {
    session.retract("Order~1");
    return null;
  };
  expect(() => session.reload(compile(`type Person(#id: number) ${ORDER}`), { migrate: { Person } })).toThrow(
    MigrationError,
  );
  expect(session.fact("Order~1")).toBeDefined();
});

test("a misspelt type of a function is refused with the nearest name", () => {
  const error = thrown(() => begun().reload(compile(BEFORE), { migrate: { Persn: () => null } }));
  expect(error).toBeInstanceOf(SessionError);
  expect(error).toMatchObject({
    code: "E201",
    message: 'migrate: unknown type "Persn"',
    hint: 'did you mean "Person"?',
  });
});

test("listeners hear what a migration does to facts", () => {
  const session = begun();
  const heard: string[] = [];
  session.on("fact", ({ op, id, by }) => heard.push(`${op} ${id} ${by}`));
  session.reload(compile(`type Person(#id: number, age: number) ${ORDER}`), {
    migrate: { Person: ({ id, age }) => (id === "p1" ? { id: 1, age } : null) },
  });
  expect(heard).toEqual([
    "retract Person~p1 migration",
    "assert Person~1 migration",
    "retract Person~p2 migration",
    "retract Person~p3 migration",
    "retract Person~p4 migration",
    "update Order~1 migration",
  ]);
});

test("entries of tuple spaces are migrated, and those of a space that is gone are counted", () => {
  const source = (type: string, space: string): string =>
    `${type} xuple-space ${space} { selection: fifo } rule "put" { when j: Job then xuple("${space}", Job(n: j.n)) }`;
  const session = compile(source("type Job(n: number)", "jobs")).session();
  session.assert("Job", { n: 1 });
  session.run();
  session.reload(compile(source("type Job(n: number, rank: number = 5)", "jobs")));
  expect(session.xuples("jobs").map(({ fields }) => fields)).toEqual([{ n: 1, rank: 5 }]);
  expect(session.reload(compile(source("type Job(n: number, rank: number = 5)", "others"))).spaces).toEqual([
    { space: "jobs", entries: 1 },
  ]);
});

test("a snapshot of version 1 is read, with the defaults of required fields that it cannot have had", () => {
  const from = asVersion1(throughJson(begun().snapshot()));
  const session = compile(`type Person(#id: string, age: number, vip: bool = true) ${ORDER} ${RULE}`).session({ from });
  expect(session.migration).toMatchObject({
    filled: [{ type: "Person", field: "vip", facts: 4, value: true }],
    dropped: [{ type: "Person", field: "town", facts: 4 }],
  });
  expect(compile(BEFORE).session({ from }).run().fired).toEqual([]);
});

test.each(["checksum", "program", "types", "rules"] as const)(
  "a snapshot whose version was changed to 1 is refused by its %s",
  (part) => {
    const snapshot = throughJson(begun().snapshot());
    const from = { ...asVersion1(snapshot), [part]: snapshot[part] } as Snapshot;
    expect(() => compile(BEFORE).session({ from })).toThrow(
      `cannot restore this snapshot: its version is 1, and it has "${part}", which version 1 does not have`,
    );
  },
);

describe("a function of migrate that returns what cannot be read", () => {
  const fails = (): never => {
    throw new Error("not now");
  };
  const trap = (handler: ProxyHandler<object>): object => new Proxy({}, handler);
  test.each<[string, object]>([
    ["its keys", trap({ ownKeys: fails })],
    ["whether it has a then", trap({ has: fails })],
    ["its class", trap({ getPrototypeOf: fails })],
    [
      "a field",
      {
        get id() {
          return fails();
        },
        age: 1,
      },
    ],
    ["anything", Proxy.revocable({}, {}).proxy],
  ])("is refused with its name: %s", (_, returned) => {
    const session = begun();
    const next = compile(`type Person(#id: string, age: string, town: string?) type Order(#num: number, by: Person?)`);
    const before = session.facts();
    const reload = (): unknown =>
      session.reload(next, { migrate: { Person: () => returned as Record<string, unknown> } });
    expect(reload).toThrow(expect.objectContaining({ code: "E537" }));
    expect(session.facts()).toEqual(before);
  });

  test("is refused when what it throws has no message", () => {
    const next = compile(`type Person(#id: string, age: string, town: string?) type Order(#num: number, by: Person?)`);
    const error = Object.defineProperty(new Error("x"), "message", { get: fails });
    const throwing = (): never => {
      throw error;
    };
    expect(() => begun().reload(next, { migrate: { Person: throwing } })).toThrow(
      expect.objectContaining({ code: "E537" }),
    );
  });
});
