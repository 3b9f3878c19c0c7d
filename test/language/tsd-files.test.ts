/** Tests documents in the style of TSD: read as they are, run, formatted, and rewritten to the current spelling. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check, compile, format } from "../../src/index.ts";

const FOLDER = "test/tsd-files";
const files = readdirSync(FOLDER).sort();

function textOf(name: string): string {
  return readFileSync(`${FOLDER}/${name}`, "utf8");
}

/** What a program does: its firings with their effects, its facts, and the tuple spaces. */
function outcome(source: string): unknown {
  const session = compile(source).session({ now: () => 0 });
  const { fired, effects } = session.run();
  const spaces = [...source.matchAll(/xuple-space ([\w-]+)/gu)].map(([, name = ""]) => [name, session.xuples(name)]);
  return [fired.map(({ rule, bindings }) => [rule, bindings]), effects, session.facts(), spaces];
}

function warnings(source: string): string[] {
  return check(source).diagnostics.map(({ code, severity }) => `${severity} ${code}`);
}

/** The effects of each file, in the order of firing. */
const EFFECTS: Readonly<Record<string, readonly string[]>> = {
  "accounts.tsd": ["trust c2", "review a1", "compare t1", "compare t3"],
  "alternatives.tsd": ["refuse cem", "open ann", "open bob"],
  "built-in-actions.tsd": ["log heavy p1", "print gone p2"],
  "departments.tsd": ["print empty  post", "print large  sales", "flag d1"],
  "phases.tsd": ["expensive q1"],
  "queues.tsd": [],
  "sensors.tsd": [],
  "staff.tsd": ["print cheap blue", "print red 70 2 5"],
};

test("there are eight of them", () => {
  expect(files).toEqual(Object.keys(EFFECTS));
});

describe.each(files)("%s", (name) => {
  const source = textOf(name);

  test("is read with warnings about old syntax only, and does what it says", () => {
    expect(new Set(warnings(source).filter((one) => one !== "warning W101"))).toEqual(new Set());
    const { effects } = compile(source).session().run();
    expect(
      effects.map(({ action, args }) =>
        [action, ...args.map((arg) => JSON.stringify(arg).replaceAll(`"`, ""))].join(" "),
      ),
    ).toEqual(EFFECTS[name]);
  });

  test("keeps its meaning when it is formatted", () => {
    const { text } = format(source);
    expect(format(text).text).toBe(text);
    expect(outcome(text)).toEqual(outcome(source));
  });

  test("is rewritten to the current spelling with the same meaning and no warning", () => {
    const { text } = format(source, { migrate: true });
    expect(warnings(text)).toEqual([]);
    expect(outcome(text)).toEqual(outcome(source));
  });
});

describe("a built-in action that is declared", () => {
  test("changes nothing: other actions stay open, and log takes any values", () => {
    const source = "type P(#id: string)\naction log(message: string)\nrule r : {p: P} / ==> log(1, p.id), notify(p.id)";
    expect(warnings(source)).toEqual(["warning W101"]);
    expect(format(source, { migrate: true }).text).not.toContain("action");
  });
});

describe("a matched fact in a tuple space", () => {
  const TYPES =
    "type T(#id: string, n: number)\nxuple-space q { selection: fifo consumption: once retention: unlimited }\n";
  const put = (actions: string): unknown => {
    const session = compile(`${TYPES}rule r { when t: T(n == 1) then ${actions} }\nT("a", 1)`).session({
      now: () => 0,
    });
    session.run();
    return session.xuples("q").map(({ type, fields }) => [type, fields]);
  };

  test("has its fields as they were when the rule fired", () => {
    expect(put('xuple("q", t)')).toEqual([["T", { id: "a", n: 1 }]]);
    expect(put('t.n = 2 xuple("q", t)')).toEqual([["T", { id: "a", n: 1 }]]);
    expect(put('retract t xuple("q", t)')).toEqual([["T", { id: "a", n: 1 }]]);
  });

  test("must be a fact", () => {
    const found = check(`${TYPES}rule r { when t: T then xuple("q", t.n) }`).diagnostics;
    expect(found.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "E214 only facts can be put into a xuple-space, found number",
    ]);
  });
});

describe("consumption: limited(n)", () => {
  const source = (limit: string): string =>
    `type T(#id: string)\nxuple-space q { consumption: limited(${limit}) }\nrule r : {t: T} / ==> Xuple("q", t)`;

  test("lets an entry be taken n times, by anybody", () => {
    const session = compile(source("2")).session({ now: () => 0 });
    session.assert("T", { id: "a" });
    session.assert("T", { id: "b" });
    session.run();
    const take = (agent?: string): unknown => session.takeXuple("q", agent)?.fields["id"];
    expect([take(), take("x")]).toEqual(["a", "a"]);
    expect(take()).toBe("b");
    const again = compile(source("2")).session({ from: session.snapshot(), now: () => 0 });
    expect(again.xuples("q").map(({ n }) => n)).toEqual([2]);
    expect([again.takeXuple("q")?.n, again.takeXuple("q")]).toEqual([2, undefined]);
  });

  test("needs an integer of 1 or more", () => {
    for (const limit of ["0", "1.5"]) expect(warnings(source(limit))).toEqual(["error E209"]);
    expect(warnings(source("1"))).toEqual([]);
  });
});

describe("reset", () => {
  const RULES = 'type P(#id: string)\nrule a : {p: P} / ==> log("a")\nrule b : {p: P} / ==> log("b")\n';
  const logged = (source: string): unknown[] => {
    const { effects } = compile(source).session().run();
    return effects.flatMap(({ args }) => args);
  };

  test("only removes facts when no name is used again", () => {
    expect(logged(`${RULES}P("x")\nreset\nP("y")`)).toEqual(["a", "b"]);
    expect(warnings(`${RULES}reset\nP("y")`)).toEqual([]);
  });

  test("starts again when a rule has the name of one above: those above are forgotten", () => {
    expect(logged(`${RULES}P("x")\nreset\nP("y")\nrule a : {p: P} / ==> log("new")`)).toEqual(["new"]);
    expect(
      logged(`${RULES}reset\nrule a : {p: P} / ==> log("1")\nreset\nrule a : {p: P} / ==> log("2")\nP("y")`),
    ).toEqual(["2"]);
  });

  test("lets a type have other fields, and its old facts are not checked against them", () => {
    const source = `${RULES}P("x")\nreset\ntype P(#id: string, n: number)\nrule c : {p: P} / p.n > 1 ==> log(p.id)\nP("y", 2)`;
    expect(warnings(source)).toEqual(["warning W101"]);
    expect(logged(source)).toEqual(["y"]);
  });

  test("without one, a name is still defined once", () => {
    expect(warnings(`${RULES}rule a : {p: P} / ==> log("2")`)).toEqual(["error E204"]);
    expect(warnings(`${RULES}reset\nrule c : {p: P} / ==> log("1")\nrule c : {p: P} / ==> log("2")`)).toEqual([
      "error E204",
    ]);
  });

  test("costs what the program is long", () => {
    const source = `${"reset\n".repeat(20_000)}type P(#id: string)\n`;
    expect(warnings(source)).toEqual([]);
  });
});

describe("a variable inside EXISTS or COUNT with a name from outside", () => {
  test("is another variable, also when they are nested", () => {
    const source = `type P(#id: string, n: number)
      rule r : {p: P} / p.n == 1 AND EXISTS(p: P / p.n == 2 AND COUNT(p: P / p.n == 3) == 1) ==> log(p.id)
      P("a", 1) P("b", 2) P("c", 3)`;
    const { fired } = compile(source).session().run();
    expect(fired.map(({ bindings }) => bindings)).toEqual([{ p: "P~a" }]);
    expect(format(source, { migrate: true }).text).toContain(
      "EXISTS(p_2: P / p_2.n == 2 and COUNT(p_3: P / p_3.n == 3) == 1)",
    );
  });

  test("gets a name that the rule does not use", () => {
    const source = "type P(#id: string)\nrule r : {p: P, p_2: P} / EXISTS(p: P / p.id == p_2.id) ==> log(p.id, p_2.id)";
    expect(format(source, { migrate: true }).text).toContain("EXISTS(p_3: P / p_3.id == p_2.id)");
  });
});
