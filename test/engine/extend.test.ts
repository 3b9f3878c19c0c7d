/** `extend` and `without` say and do what compiling all files at once does, whatever the new statements are. */
import { describe, expect, test } from "vitest";
import { compile, CompileError, compileFiles, type Program } from "../../src/index.ts";

const BASE = `type P(#id: string, age: number)
type O(#num: string, buyer: string)
action hold(num: string)
rule "adult" { when p: P(age > 18) then log(p.id) }
rule "buyer" { when p: P(age > 18) o: O(buyer == p.id) then hold(o.num) }
rule "off" disabled { when p: P(age > 21) then log(p.id) }
test "adults" { given P(id: "p1", age: 20) expect rule "adult" fires }`;

const EXTENSIONS: Readonly<Record<string, string>> = {
  "a rule": 'rule "more" { when q: P(18 < q.age) then hold(q.id) }',
  nothing: "",
  "a query and a test":
    'query old() { p: P(age > 60) }\ntest "old" { given P(id: "p1", age: 70) expect rule "adult" fires }',
  "a disabled rule": 'rule "more" disabled { when p: P then log(p.id) }',
  "a removed rule": 'remove rule "adult"',
  "a removed rule that is disabled": 'remove rule "off"',
  "a rule that is defined again": 'remove rule "adult" rule "adult" { when p: P(age > 65) then log(p.id) }',
  "a rule that comes and goes": 'rule "more" { when p: P then log(p.id) } remove rule "more"',
  "both rules removed": 'remove rule "adult" remove rule "buyer"',
  "a type": 'type Q(#id: string) rule "more" { when q: Q then log(q.id) }',
  "a fact": 'P(id: "p1", age: 30)',
  "an action": 'action stop() rule "more" { when p: P then stop() }',
  "a gate": "gate g { for p: P require p.age > 18 }",
  "a reset": 'reset rule "adult" { when p: P then log(p.id) }',
  "a rule without a name": "{p: P} / p.age > 3 ==> log(p.id)",
  "old syntax": 'rule "more" : {p: P} / EXISTS(p: P / p.age > 3) ==> log(p.id)',
  "an option": "option strategy depth",
  "a constant": "const LIMIT = 3",
  "a name that is taken": 'rule "adult" { when p: P then log(p.id) }',
  "an unknown type": 'rule "more" { when x: X then log(x.id) }',
  "an unknown field, twice": 'rule "more" { when p: P(agee > 3) then log(p.idd) }',
  "an unknown rule": 'remove rule "adlut"',
  "a test of an unknown rule": 'test "t" { expect rule "none" fires }',
  "a syntax error": 'rule "more" { when p: P( then log(p.id) }',
  "an import": 'import "other.tsd"',
};

/** Returns the program, or what is wrong with it. */
function outcome(make: () => Program): unknown {
  try {
    const program = make();
    const { diagnostics, files, symbols } = program.checked;
    const rules = [...symbols.rules.names()].sort();
    const nodes = program.network().nodes.map(({ name, rules: of }) => `${name} ${of.join()}`);
    const orders = program.network().rules.map(({ name, order }) => [name, order]);
    return { diagnostics, files: files.length, rules, nodes: nodes.sort(), orders, hash: program.hash };
  } catch (error) {
    if (error instanceof CompileError) return { message: error.message, diagnostics: error.diagnostics };
    throw error;
  }
}

describe.each([true, false])("planned before: %s", (planned) => {
  const base = compileFiles([{ file: "rules.tsd", source: BASE }]);
  if (planned) base.session();
  const before = outcome(() => base);

  test.each(Object.entries(EXTENSIONS))("%s", (_, source) => {
    const file = "extension-1.tsd";
    const files = [
      { file: "rules.tsd", source: BASE },
      { file, source },
    ];
    expect(outcome(() => base.extend(source))).toEqual(outcome(() => compileFiles(files)));
    expect(outcome(() => base)).toEqual(before);
  });

  test("without rules, one by one and together", () => {
    const text = (...names: readonly string[]): string => names.map((name) => `remove rule "${name}"`).join("\n");
    const one = { file: "without-1.tsd", source: text("adult") };
    const both = { file: "without-1.tsd", source: text("adult", "buyer") };
    const rules = { file: "rules.tsd", source: BASE };
    expect(outcome(() => base.without("adult"))).toEqual(outcome(() => compileFiles([rules, one])));
    expect(outcome(() => base.without(["adult", "buyer"]))).toEqual(outcome(() => compileFiles([rules, both])));
    expect(() => base.without("none")).toThrow(CompileError);
  });
});

test("the words of a pattern are those of the first rule that is left", () => {
  const base = compileFiles([{ file: "rules.tsd", source: BASE }]);
  base.session();
  const more = base.extend('rule "more" { when q: P(age > 18) o: O(buyer == q.id) then hold(o.num) }');
  const less = more.without(["adult", "buyer"]);
  const words = less.network().nodes.flatMap((node) => (node.kind === "join" ? [node.words] : []));
  expect(words).toEqual(["q: P", "o: O"]);
});

test("statements after a file of the same name are those of one program", () => {
  const base = compileFiles([{ file: "rules.tsd", source: BASE }]);
  const again = base.extend('rule "more" { when p: P then log(p.id) }', { file: "./rules.tsd" });
  expect(again.network().rules.map(({ name }) => name)).toEqual(["adult", "buyer"]);
});

test("a let that two rules share has the name of the rule that is left", () => {
  const rule = (name: string, variable: string): string =>
    `rule ${name} { when p: P(age > 18) o: O(buyer == p.id) let ${variable} = p.age * 2 where ${variable} > 3 then log(${variable}) }`;
  const planned = (...rules: string[]): Program =>
    compileFiles([{ file: "base.tsd", source: [BASE, ...rules].join("\n") }]);
  const words = (program: Program): unknown[] =>
    program.plan(true, true).nodes.flatMap((node) => (node.kind === "let" ? [node.words] : []));
  const both = planned(rule("first", "one"), rule("second", "two"));
  expect(words(both)).toEqual(["one"]);
  expect(words(both.without("first"))).toEqual(words(planned(rule("second", "two"))));
});

test("a chain of changes is made short by compiling the rules that are left: nothing fires again", () => {
  const source = "type A(#n: number)\nrule r { when a: A() then log(a.n) }\n";
  const session = compile(source).session();
  session.assert("A", { n: 1 });
  expect(session.run().count).toBe(1);
  for (let n = 0; n < 3; n++) {
    session.reload(session.program.extend(`rule x { when a: A(n > ${n + 1}) then log(a.n) }`));
    session.reload(session.program.without("x"));
  }
  const fresh = compile(source);
  const { hash } = session.program; // that of all texts
  expect(hash).not.toBe(fresh.hash);
  const from = session.snapshot();
  session.reload(fresh);
  expect([session.run().count, session.program.hash]).toEqual([0, fresh.hash]);
  expect(fresh.session({ from }).run().count).toBe(0);
});
