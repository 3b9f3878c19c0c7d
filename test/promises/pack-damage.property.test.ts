/**
 * Decision packs: whatever is changed in a valid pack, verification ends in "verified" or in a named fault. Most changes are
 * sealed again with correct hashes, so that they reach the code that runs the program.
 */
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/explain/show/canonical-json.ts";
import { compile, type RuleSession, verifyPack } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";

const RULES = `
type Person(#id: string, age: number, tags: string[] = [], status: string = "new")
type Note(text: string)
Person(id: "p1", age: 30, tags: ["a", "b"])
Person(id: "p2", age: 10)
Note(text: "first")
rule greet { when p: Person(age > 18, status == "new") then insert Note(text: p.id) p.status = "seen" log(p.id) }
rule total { when s: count() from n: Note where s > 1 then log("many", s) }
`;

const JUDGES = `
type Release(#id: string, ready: bool?)
type Draft(#id: string, text: string, attempt: number = 0)
type Request(#id: string, content: string)
Release(id: "r1", ready: true)
Release(id: "r2")
Draft(id: "d1", text: "hello")
Request(id: "q1", content: "hi there")
gate ship for r: Release { require r.ready == true }
guardian answer for d: Draft {
  check length risk low exit SAFE_REFUSAL { need length(d.text) > 9 as "short" do REGENERATE_DRAFT }
  on RETRY then log(d.id)
}
pipeline request for q: Request {
  step safety BLOCK "no" when q.content contains "bomb"
  otherwise FORWARD "support"
}
rule ask { when r: Release then decide ship(r) }
`;

function ran(source: string): { readonly session: RuleSession; readonly text: string } {
  const session = compile(source).session();
  return { session, text: session.pack(session.run()) };
}

function packs(): string[] {
  const judged = ran(JUDGES);
  const { session } = judged;
  const answers = [
    session.gate("ship", "Release~r1"),
    session.verdict("answer", "Draft~d1"),
    session.decide("request", "Request~q1"),
  ];
  return [ran(RULES).text, judged.text, ...answers.map((answer) => session.pack(answer))];
}

// ---------------------------------------------------------------- changes

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, "", "x", "Person~p1", -1, 0.5, 1e15, 2 ** 53, 1e308, [], {}, [[]], [{}], [null]),
  fc.constant<Json>({ id: "p1", type: "Person" }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

const name = fc.constantFrom("extra", "__proto__", "constructor", "signature", "logical", "id", "children", "fired");

interface Change {
  readonly way: readonly number[];
  readonly kind: "replace" | "kindred" | "delete" | "add" | "copy" | "many" | "deep";
  readonly value: Json;
  readonly name: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  way: fc.array(fc.nat(1_100), { minLength: 1, maxLength: 8 }),
  kind: fc.constantFrom("replace", "kindred", "kindred", "kindred", "delete", "add", "copy", "many", "deep"),
  value: odd,
  name,
});

/** Walks into the data by the numbers of the way, and changes what is there. */
function apply(data: Json, { way, kind, value, name: added }: Change): void {
  let holder = data;
  for (const step of way.slice(0, -1)) {
    const next = member(holder, step);
    if (next === undefined || typeof next !== "object" || next === null || Object.keys(next).length === 0) break;
    holder = next;
  }
  if (typeof holder !== "object" || holder === null) return;
  const key = keyOf(holder, way.at(-1) ?? 0);
  const set = (at: string, one: Json): void => {
    Object.defineProperty(holder, at, {
      value: structuredClone(one),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  };
  if (kind === "add") return Array.isArray(holder) ? void holder.push(structuredClone(value)) : set(added, value);
  if (key === undefined) return;
  const now = member(holder, way.at(-1) ?? 0) ?? null;
  if (kind === "delete") return void (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key]);
  if (kind === "copy" || kind === "many") {
    if (Array.isArray(holder)) for (let n = 0; n < (kind === "many" ? 300 : 1); n++) holder.push(now);
    else set(`${key}2`, now);
    return;
  }
  if (kind === "kindred") return set(key, kindred(now, way[0] ?? 0));
  set(key, kind === "deep" ? nested(now, 1 + (way[0] ?? 0)) : value);
}

const WORDS = [
  "",
  "Person",
  "Note",
  "Note~@1",
  "Note~@9",
  "Person~p1",
  "greet",
  "ship",
  "answer",
  "request",
  "p1",
  "MAIN",
];
const NUMBERS = [0, 1, 2, 7, 1000, 2 ** 40, 2 ** 52, -3];

/** Another value of the same type: the form stays right, and the program is run with it. */
function kindred(value: Json, choice: number): Json {
  if (typeof value === "string") return WORDS[choice % WORDS.length] ?? "";
  if (typeof value === "number") return NUMBERS[choice % NUMBERS.length] ?? 0;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return value.toReversed();
  return value;
}

function nested(value: Json, depth: number): Json {
  let outer = value;
  for (let n = 0; n < depth; n++) outer = [outer];
  return outer;
}

function keyOf(holder: Json[] | { [name: string]: Json }, step: number): string | undefined {
  const keys = Object.keys(holder);
  return keys[step % Math.max(1, keys.length)];
}

function member(holder: Json, step: number): Json | undefined {
  if (typeof holder !== "object" || holder === null) return undefined;
  const key = keyOf(holder, step);
  return key === undefined ? undefined : (holder as { [name: string]: Json })[key];
}

/** With right hashes of what is there now. */
function sealed(pack: { [name: string]: Json }): string {
  const hash = (data: unknown): string => createHash("sha256").update(canonicalJson(data)).digest("hex");
  const parts = ["program", "facts", "results", "reasoning"];
  const sha256 = Object.fromEntries(parts.map((part) => [part, hash(pack[part] ?? null)]));
  return canonicalJson({ ...pack, sha256, root: hash({ format: "sluice-pack/1", sha256 }) });
}

const BUDGET = { firings: 1_000, milliseconds: Infinity } as const;

describe("a pack that was changed", () => {
  const originals = packs();

  test("is valid as it was", () => {
    for (const text of originals) expect(verifyPack(text, undefined, BUDGET)).toBeUndefined();
  });

  test(
    "is verified or has a named fault, whatever was changed",
    () => {
      const parts = new Map<string, number>();
      fc.assert(
        fc.property(
          fc.nat(originals.length - 1),
          fc.array(change, { minLength: 1, maxLength: 3 }),
          fc.boolean(),
          (index, changes, seals) => {
            const pack = JSON.parse(originals[index] ?? "") as { [name: string]: Json };
            for (const one of changes) apply(pack, one);
            const fault = verifyPack(textOf(pack, seals), undefined, BUDGET);
            parts.set(fault?.part ?? "valid", (parts.get(fault?.part ?? "valid") ?? 0) + 1);
            if (fault !== undefined) expect(fault.message).not.toBe("");
          },
        ),
        { numRuns: runs(4_000) },
      );
      for (const part of ["program", "facts", "results", "reasoning", "form", "hashes"]) {
        expect(parts.get(part), part).toBeGreaterThan(0);
      }
    },
    PATIENT,
  );

  test(
    "is verified or has a named fault, wherever its text ends or is changed",
    () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...originals),
          fc.nat(),
          fc.constantFrom("", '"', "{", "[", ",", "9", "\\"),
          (text, at, put) => {
            const place = at % text.length;
            for (const changed of [text.slice(0, place), `${text.slice(0, place)}${put}${text.slice(place + 1)}`]) {
              expect(verifyPack(changed, undefined, BUDGET)?.code).toBe(changed === text ? undefined : "E552");
            }
          },
        ),
        { numRuns: runs(2_000) },
      );
    },
    PATIENT,
  );
});

/** Data that cannot be written canonically is written as it is. */
function textOf(pack: { [name: string]: Json }, seals: boolean): string {
  try {
    return seals ? sealed(pack) : canonicalJson(pack);
  } catch {
    return JSON.stringify(pack);
  }
}

// ---------------------------------------------------------------- by hand

/** The first pack, changed and sealed. */
function forged(edit: (pack: { [name: string]: Json }) => void): string {
  const pack = JSON.parse(ran(RULES).text) as { [name: string]: Json };
  edit(pack);
  return sealed(pack);
}

type Facts = { facts: { [name: string]: Json }[]; [name: string]: Json };

describe("the place of a fault is named", () => {
  test.each<[string, string, (pack: { [name: string]: Json }) => void]>([
    ["facts.facts[1].order: an integer from 0 to 2^52 was expected", "facts", (p) => set(p, 1, "order", "9")],
    [
      "facts.facts[0].fields.age: a value was expected, and this is null",
      "facts",
      (p) => set(p, 0, "fields", { age: null }),
    ],
    ["facts.facts[0].logical: there is no such name here", "facts", (p) => set(p, 0, "logical", true)],
    [
      "facts.facts: a list was expected, and this is an object",
      "facts",
      (p) => void ((p["facts"] as Facts)["facts"] = {} as never),
    ],
    [
      "facts.groups[0]: a string was expected, and this is a number",
      "facts",
      (p) => void ((p["facts"] as Facts)["groups"] = [1]),
    ],
    ["program.limit: an integer from 0 was expected", "program", (p) => void ((p["program"] as Facts)["limit"] = 1.5)],
    [
      "program.strategy: one of breadth, depth, lex was expected",
      "program",
      (p) => void ((p["program"] as Facts)["strategy"] = "x"),
    ],
    ["results.asked.of: this is missing", "results", (p) => void ((p["results"] as Facts)["asked"] = { name: "a" })],
    [
      "reasoning[0].children[0]: an object was expected, and this is a number",
      "reasoning",
      (p) => deep(p, "children", [1]),
    ],
    ['reasoning[0]["odd name"]: there is no such name here', "reasoning", (p) => deep(p, "odd name", 1)],
  ])("%s", (message, part, edit) => {
    expect(verifyPack(forged(edit))).toEqual({ code: "E552", part, message });
  });

  function set(pack: { [name: string]: Json }, index: number, at: string, value: Json): void {
    const fact = (pack["facts"] as Facts).facts[index];
    if (fact !== undefined) fact[at] = value;
  }

  function deep(pack: { [name: string]: Json }, at: string, value: Json): void {
    const [root] = pack["reasoning"] as { [name: string]: Json }[];
    if (root !== undefined) root[at] = value;
  }
});

test("names that JavaScript itself uses, and lists without an end of brackets, are refused", () => {
  const text = ran(RULES).text;
  const polluted = text.replace('"counts":{', '"counts":{"__proto__":1,');
  expect(verifyPack(polluted)?.message).toBe("facts.counts.__proto__: this name is reserved");
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  for (const depth of [2_000, 1_000_000]) {
    expect(verifyPack('{"a":['.repeat(depth))?.message).toBe("lists and objects are nested more than 1000 deep");
  }
  expect(verifyPack(text.replace('"counts":{', '"counts":{"Note":1,'))?.message).toBe(
    "the JSON is not in its canonical form",
  );
});

// ---------------------------------------------------------------- what it may cost

const ENDLESS = `
type N(#id: string, n: number)
N(id: "a", n: 0)
rule on { when x: N(n >= 0) then x.n = x.n + 1 }
`;

/** A pack that says it fired `claimed` times, of a program that never ends. */
function endless(claimed: number): string {
  const session = compile(ENDLESS.replace("n >= 0", "n == 0")).session();
  const pack = JSON.parse(session.pack(session.run())) as { [name: string]: { [name: string]: Json } };
  const { program, results } = pack;
  if (program === undefined || results === undefined) throw new Error("a pack has these parts");
  program["limit"] = 1e15;
  program["files"] = [{ file: "rules.tsd", text: ENDLESS }];
  const [fired] = results["fired"] as { [name: string]: Json }[];
  results["fired"] = Array.from({ length: claimed }, (_, index) => ({ ...fired, n: index + 1 }));
  return sealed(pack);
}

/** How often the clock is asked: once for every stretch of firings. */
function cost(text: string): { readonly asked: number; readonly message: string | undefined } {
  let asked = 0;
  const fault = verifyPack(text, undefined, { firings: 10_000, now: () => (asked++, 0) });
  return { asked, message: fault?.message };
}

test("a pack with a limit of 1e15 is stopped when it fires more often than it says", () => {
  for (const claimed of [0, 1, 100, 1_000]) {
    expect(cost(endless(claimed)).message).toBe("re-running gives more firings than the pack records");
  }
});

test("what re-running costs grows with what the pack says, not with its limit", () => {
  const [once, twice] = [cost(endless(1_000)).asked, cost(endless(2_000)).asked];
  expect(twice - 1).toBe(2 * (once - 1));
});

test("a pack that says more than the budget is refused before anything runs", () => {
  expect(cost(endless(10_001))).toEqual({
    asked: 1,
    message: "the pack has 10001 firings; the limit is 10000",
  });
});

test("a program with more matches than the budget is stopped", () => {
  const source = `type A(n: number) type B(n: number)
    ${Array.from({ length: 20 }, (_, n) => `A(n: ${n}) B(n: ${n})`).join(" ")}
    rule r { when a: A b: B where a.n + b.n > 100 then log(a.n) }`;
  const { text } = ran(source);
  expect(verifyPack(text)).toBeUndefined();
  expect(verifyPack(text, undefined, { matches: 100 })?.message).toMatch(/the limit of 100 partial matches/u);
});

test("a pack that takes too long is stopped, and that is a fault", () => {
  let clock = 0;
  const fault = verifyPack(endless(5_000), undefined, { milliseconds: 1_000, now: () => (clock += 300) });
  expect(fault).toMatchObject({ part: "results", message: expect.stringContaining("stopped after 1000 ms") as string });
  expect(clock).toBe(1_500);
});
