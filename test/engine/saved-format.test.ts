/**
 * Tests that a change of the format of saved plans is noticed. test/data/saved-plan has plans that were saved before: of this version,
 * which must open and do what the compiled program does, and of earlier ones, which must be refused. When the first test fails, a
 * plan that users have saved would be misread: raise VERSION in src/engine/saved/format.ts, and store the plan with SLUICE_UPDATE=1.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { plainXxHash64 } from "../../src/base/xxhash64.ts";
import { compile, SessionError } from "../../src/index.ts";
import regex from "../../src/regex.ts";
import { loadPlan } from "../../src/runtime.ts";

const FOLDER = "test/data/saved-plan";
const program = compile(readFileSync(`${FOLDER}/rules.tsd`, "utf8"), { file: "rules.tsd" });
const current = program.save();
const version = versionOf(current);
const stored = `${FOLDER}/version-${version}.json`;
if (process.env["SLUICE_UPDATE"] === "1" && !existsSync(stored)) writeFileSync(stored, `${current}\n`);

function versionOf(text: string): number {
  return (JSON.parse(text) as { version: number }).version;
}

/** The names that the parts of a plan have, for each kind of part. */
function namesIn(value: unknown, at: string, found: Map<string, Set<string>>): Map<string, Set<string>> {
  if (Array.isArray(value)) for (const item of value) namesIn(item, at, found);
  else if (typeof value === "object" && value !== null) {
    const { kind, op } = value as { kind?: unknown; op?: unknown };
    const part = typeof op === "string" ? `op ${op}` : typeof kind === "string" ? `${at} ${kind}` : at;
    const names = found.get(part) ?? new Set();
    found.set(part, names);
    for (const [name, inner] of Object.entries(value)) {
      names.add(name);
      namesIn(inner, name, found);
    }
  }
  return found;
}

function shapeOf(text: string): Readonly<Record<string, readonly string[]>> {
  const found = namesIn((JSON.parse(text) as { body: unknown }).body, "body", new Map());
  const parts = [...found].map(([part, names]) => [part, [...names].sort()] as const);
  return Object.fromEntries(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

test("a plan of this version has the parts of the plan that was stored", () => {
  expect(shapeOf(current)).toEqual(shapeOf(readFileSync(stored, "utf8")));
  expect(Object.keys(shapeOf(current)).length).toBeGreaterThan(30);
});

test("the stored plan of this version does what the compiled program does", () => {
  const options = { now: () => 0, auditClock: () => 0 };
  const sessions = [
    program.session(options),
    loadPlan(readFileSync(stored, "utf8"), { regex }).session(options),
  ] as const;
  const [compiled, loaded] = sessions.map((session) => {
    session.assert("Release", { id: "r1", ok: true });
    session.assert("Draft", { id: "d1", text: "an answer that is far too long" });
    session.assert("Request", { id: "q1" });
    const { fired, effects, decisions, gates, verdicts } = session.run();
    const outcomes = gates.map(({ gate, subject, outcome }) => [gate, subject, outcome]);
    const rows = [session.query("adults", { min: 18 }), session.query("buyers")];
    return { fired, effects, decisions, outcomes, verdicts, rows, flows: session.flows(), facts: session.facts() };
  });
  expect(loaded).toEqual(compiled);
  expect(loaded?.fired.map(({ rule }) => rule).toSorted()).toEqual(["busy", "large", "member"]);
});

test("a plan saved before joins had ranges does the same", () => {
  const { body, ...rest } = JSON.parse(current) as { readonly body: object };
  const older = JSON.stringify(body, (name, value: unknown) => (name === "range" ? undefined : value));
  expect(older.length).toBeLessThan(JSON.stringify(body).length);
  const text = JSON.stringify({ ...rest, hash: plainXxHash64(older).toString(16).padStart(16, "0"), body: 0 });
  const session = loadPlan(
    text.replace('"body":0', () => `"body":${older}`),
    { regex },
  ).session();
  expect(session.query("adults", { min: 18 })).toEqual(program.session().query("adults", { min: 18 }));
  expect(session.query("adults", { min: 18 })).not.toEqual([]);
});

test("plans of earlier versions are refused, and say what to do", () => {
  const earlier = readdirSync(FOLDER).filter((name) => name.endsWith(".json") && `${FOLDER}/${name}` !== stored);
  expect(earlier.length).toBe(version - 1);
  for (const name of earlier) {
    const text = readFileSync(`${FOLDER}/${name}`, "utf8");
    let error: unknown;
    try {
      loadPlan(text, { regex });
    } catch (thrown) {
      error = thrown;
    }
    expect(error, name).toBeInstanceOf(SessionError);
    expect(error).toMatchObject({
      code: "E560",
      message: `the plan cannot be loaded: it has format version ${versionOf(text)}, and this release of Sluice reads version ${version}`,
      hint: "save it again with this release: compile(source).save()",
    });
  }
});
