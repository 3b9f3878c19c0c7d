/** Tests `sluice repl`: asserting and undoing, stepping, adding rules, queries, and asking why. */
import { expect, test } from "vitest";
import { complete } from "../../src/cli/repl/complete.ts";
import { compile } from "../../src/index.ts";
import { runCliAsync } from "../support/io.ts";

const RULES = `
type Person(#id: string, name: string, age: number, tags: string[]?)
type Note(of: Person, text: string?)
ann = Person("a", "Ann", 30)
query older(than: number) { p: Person(p.age > than) }
rule "is adult" { when p: Person(age >= 18) then log("adult " + p.name) }
rule child { when p: Person(age < 18) then insert Note(of: p, text: "child") }
rule night group "night" { when p: Person then log("night " + p.name) }
`;

interface Said {
  readonly exit: number;
  readonly out: readonly string[];
  readonly err: string;
}

/** What is said to these lines, without those of the last `quiet`. */
async function talk(lines: readonly string[], source = RULES): Promise<Said> {
  const ran = await runCliAsync(
    ["repl", "a.tsd"],
    { "a.tsd": source },
    {
      dialogue: async (dialogue) => {
        for (const line of lines) if (!dialogue.line(line)) break;
        await Promise.resolve();
      },
    },
  );
  return { exit: ran.exit, out: ran.out.trimEnd().split("\n"), err: ran.err };
}

test("facts are asserted by name, by position and with references to named facts", async () => {
  const said = await talk([
    'Person("b", "Bob", 12)',
    "assert Note(of: ann, text: hello)",
    'c = Person(id: "c", name: "C", age: 1)',
    "Note(of: c)",
  ]);
  expect(said).toMatchObject({ exit: 0, err: "" });
  expect(said.out).toEqual([
    '+ Person b  id: "b", name: "Bob", age: 12',
    '+ Note #1  of: "Person~a", text: "hello"',
    '+ Person c  id: "c", name: "C", age: 1',
    '+ Note #2  of: "Person~c"',
  ]);
});

test("a line that fails changes nothing, says why, and makes the exit code 1", async () => {
  const said = await talk([
    'Person("b", "Bob")',
    "update ann agee: 3",
    "retract Person~zz",
    "facts Persn",
    "step x",
    "facts",
  ]);
  expect(said.exit).toBe(1);
  expect(said.out).toEqual(['Person a  id: "a", name: "Ann", age: 30']);
  for (const words of [
    'is missing the required field "age"',
    'did you mean "age"?',
    'no fact "Person~zz": "facts" lists all facts',
    'no type "Persn": "types" lists all types',
    '"step" takes a positive integer, not "x"',
  ]) {
    expect(said.err).toContain(words);
  }
});

test("step fires one, run fires the rest, agenda shows what waits in order", async () => {
  const said = await talk(['Person("b", "Bob", 40)', "agenda", "step", "run", "run", "agenda"]);
  expect(said.out.slice(1)).toEqual([
    "   1  is adult  p = Person a",
    "   2  is adult  p = Person b",
    "   1  is adult  p = Person a",
    "        adult Ann",
    "1 firing; 1 waiting to fire",
    "   2  is adult  p = Person b",
    "        adult Bob",
    "1 firing",
    "nothing fired",
    "nothing to fire",
  ]);
});

test("undo takes back facts, firings and rules, one change at a time", async () => {
  const said = await talk([
    "run",
    "update ann age: 5",
    "run",
    "rule extra { when p: Person then log(1) }",
    "undo",
    "undo",
    "undo",
    "facts",
    "agenda",
    "undo",
    "agenda",
    "undo",
  ]);
  expect(said.out.slice(-3)).toEqual([
    "nothing to fire",
    "undone; 1 fact, 1 waiting to fire",
    "   1  is adult  p = Person a",
  ]);
  expect(said.out).toContain('Person a  id: "a", name: "Ann", age: 30');
  expect(said.err).toBe("nothing to undo\n");
});

test("statements over several lines are added, and a mistake in one is shown with its line", async () => {
  const said = await talk([
    "rule old {",
    "  when p: Person(age > 20)",
    '  then log("old")',
    "}",
    "run",
    "rule bad { when p: Persn then log(1) }",
  ]);
  expect(said.out[0]).toBe("1 statement added; 2 waiting to fire");
  expect(said.out).toContain("        old");
  expect(said.err).toContain('error E201  unknown type "Persn"');
  expect(said.err).toContain("rule bad { when p: Persn then log(1) }\n");
});

test("facts are named by their labels too", async () => {
  const lines = [
    "update Person a age: 31",
    "why child Person a",
    'why not child p="Person a"',
    "retract Person a",
    "retract Person a",
  ];
  const said = await talk(lines, GATED);
  expect(said.out[0]).toBe('~ Person a  id: "a", name: "Ann", age: 31');
  expect(said.out[1]).toMatch(/^Gate "child" fails for /u);
  expect(said.out.join("\n")).toMatch(/^"child" does not fire for p = /mu);
  expect(said.out.at(-1)).toBe("- Person a");
  expect(said.err).toBe('no fact "Person a": "facts" lists all facts\n');
});

test("matches, queries, rules, types and groups can be asked for", async () => {
  const said = await talk([
    "matches is adult",
    "matches child",
    "query older than: 20",
    "query older(than: 90)",
    "rules",
    "types",
    "focus night",
  ]);
  expect(said).toMatchObject({ exit: 0, err: "" });
  expect(said.out).toEqual([
    "p = Person a",
    "none",
    "p = Person a",
    "none",
    "is adult",
    "child",
    'night   group "night"',
    "Person(#id, name, age, tags)",
    "Note(of, text)",
    "2 waiting to fire",
  ]);
});

test("why asks about facts by name or id, rules, and firings by number", async () => {
  const said = await talk(["run", "why ann", "why Person~a", "why is adult", 'why "is adult" p=ann', "why 1"]);
  expect(said).toMatchObject({ exit: 0, err: "" });
  const heads = said.out.filter((line) => /^(Person a|"is adult")/u.test(line));
  const fired = '"is adult" fired for p = Person a (firing 1): age is 30, which is at least 18.';
  expect(heads).toEqual(["Person a is stated in a.tsd:4.", "Person a is stated in a.tsd:4.", fired, fired, fired]);
});

test("why not says what stands in the way and what would help", async () => {
  const said = await talk(["why not child", "why not child p=ann", "why child p=Person~a"]);
  expect(said).toMatchObject({ exit: 0, err: "" });
  expect(said.out.filter((line) => line.startsWith('"child"'))).toEqual([
    '"child" does not fire: no Person matches; for the closest, Person a, age is 30, which is not under 18.',
    '"child" does not fire for p = Person a: age is 30, which is not under 18.',
    '"child" does not fire for p = Person a: age is 30, which is not under 18.',
  ]);
  expect(said.out).toContain("  change age of Person a from 30 to 17");
});

const GATED = `${RULES}
gate "old enough" for p: Person { require p.age > 20 }
gate calm { require not exists Note(text == "child") }
gate child for p: Person { require p.age < 18 }
`;

test("gates are asked by name, for one subject or all, and a gate can still be stated", async () => {
  const said = await talk(
    [
      "gate old enough",
      'gate "old enough" a',
      "gate calm",
      "gate child ann",
      "why old enough Person~a",
      "gate fresh for p: Person { require p.age > 40 }",
      "gate fresh ann",
      "why fresh",
    ],
    GATED,
  );
  expect(said).toMatchObject({ exit: 0, err: "" });
  expect(said.out.filter((line) => /^gate/iu.test(line))).toEqual([
    'gate "old enough" for Person a: pass',
    'gate "old enough" for Person a: pass',
    'gate "calm": pass',
    'gate "child" for Person a: fail',
    'Gate "old enough" passes for Person a: p.age is 30, which is over 20.',
    'gate "fresh" for Person a: fail',
    'Gate "fresh" fails for Person a: p.age is 30, which is not over 40.',
  ]);
  expect(said.out.at(-1)).toBe("  change age of Person a from 30 to 41");
});

test("a rule comes before a gate of its name, unless a subject is named", async () => {
  const said = await talk(["why child", "why child Person~a"], GATED);
  expect(said.out[0]).toMatch(/^"child" does not fire/u);
  expect(said.out.join("\n")).toContain('Gate "child" fails for Person a');
});

test("questions that cannot be answered are told", async () => {
  const said = await talk(
    ["why", "why nobody", "why not nobody", "gate", "gate no", "gate calm a", "gate child z"],
    GATED,
  );
  expect(said.exit).toBe(1);
  for (const words of [
    "name a fact, rule",
    'no rule, query, gate, guardian, pipeline, flow or fact "nobody"',
    'name a gate: this program defines "old enough", "calm", "child"',
    'no gate "no"',
    'gate "calm" has no subject',
    '"z" is not a subject of gate "child"',
  ]) {
    expect(said.err).toContain(words);
  }
});

test("quit ends the conversation", async () => {
  expect((await talk(["quit", "facts"])).out).toEqual([""]);
});

test("a program need not be given", async () => {
  const ran = await runCliAsync(
    ["repl"],
    {},
    {
      dialogue: async (dialogue) => {
        for (const line of ["Thing(size: 3)", "rule big { when t: Thing(size > 2) then log(t.size) }", "run"])
          dialogue.line(line);
        await Promise.resolve();
      },
    },
  );
  expect(ran).toMatchObject({ exit: 0, err: "" });
  expect(ran.out).toContain("        3\n");
});

test("the end of a line is completed: commands, types, fields, rules, ids", () => {
  const session = compile(RULES).session();
  const hits = (line: string): readonly string[] => complete(session, line)[0];
  expect(hits("re")).toEqual(["retract"]);
  expect(hits("Per")).toEqual(["Person("]);
  expect(hits("assert N")).toEqual(["Note("]);
  expect(complete(session, 'Person(id: "x", na')).toEqual([["name: "], "na"]);
  expect(hits("retract Per")).toEqual(["Person~a"]);
  expect(hits("update Person~a ta")).toEqual(["tags: "]);
  expect(complete(session, "matches is a")).toEqual([["is adult"], "is a"]);
  expect(hits("facts ")).toEqual(["Note", "Person"]);
  expect(hits("query ")).toEqual(["older"]);
  expect(hits("focus ")).toEqual(["night"]);
  expect(hits("wh")).toEqual(["why", "why not"]);
  expect(hits("why not c")).toEqual(["child"]);
  expect(complete(session, "why not is a")).toEqual([["is adult"], "is a"]);
  expect(complete(session, "why not is adult p=P")).toEqual([["Person~a"], "P"]);
  expect(hits("why Per")).toEqual(["Person~a"]);
  expect(complete(compile(GATED).session(), "gate old")).toEqual([["old enough"], "old"]);
});

test("a run tells what gates and pipelines say, in columns, and Tab knows them behind why", async () => {
  const judged = `
type Person(#id: string, age: number)
Person("ann", 30)
Person("b", 12)
gate adult for p: Person { require p.age >= 18 }
pipeline sort for p: Person { step young BLOCK "too young" unless gate adult(p) passes otherwise FORWARD "in" }
`;
  const said = await talk(["run"], judged);
  expect(said.out).toEqual([
    "gate      adult  Person ann  pass",
    "gate      adult  Person b    fail",
    "pipeline  sort   Person ann  FORWARD  in  (young)",
    "pipeline  sort   Person b    BLOCK    too young  (young)",
    "nothing fired",
  ]);
  expect(complete(compile(judged).session(), "why so")[0]).toEqual(["sort"]);
});

test("a statement that is not closed when the lines end is told, and fails", async () => {
  const said = await talk(["rule open {", "when p: Person"]);
  expect(said.exit).toBe(1);
  expect(said.err).toContain('"{" on line 1 is not closed');
});

test("a text that is the label of one fact and the key of another is refused, as on the command line", async () => {
  const source = `type Release(#id: string, ok: bool) gate "deploy" for r: Release { require r.ok }
    Release("r-1", true) Release("Release r-1", false)`;
  const said = await talk(["why deploy Release r-1", 'gate deploy "Release r-1"', "why deploy Release~r-1"], source);
  expect(said.err.match(/"Release r-1" names 2 facts/gu)).toHaveLength(2);
  expect(said.out.join("\n")).toContain('Gate "deploy" passes for Release r-1');
});

test("withdrawn facts, flows, and values of query parameters can be asked about", async () => {
  const source = `${RULES} gate grown for p: Person { require p.age >= 18 }
    flow life for p: Person { stage start { decide grown(p) on pass goto end } stage end final }`;
  const said = await talk(
    ["run", "why life Person a", "retract ann", "why Person a", "why older than=40", "why not older than=x"],
    source,
  );
  const out = said.out.join("\n");
  expect(out).toContain('Person a is in stage end of flow "life": gate "grown" passed in stage start');
  expect(out).toContain("Person a was withdrawn after firing 1: the host retracted it.");
  expect(out).toContain('Query "older" finds nothing for than = 40');
  expect(said.err).toContain('parameter "than" of query "older" must be a number, found "x"');
});
