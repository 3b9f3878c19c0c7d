/** Tests that every public function and method that takes options refuses a misspelt one with the nearest name (E213). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as sluice from "../../src/index.ts";
import { fileAudit, importReader, watch } from "../../src/node/index.ts";
import { loadPlan } from "../../src/runtime.ts";
import { importSheet } from "../../src/tools.ts";

const { compile, SessionError } = sluice;

const SOURCE = `
  type Person(#id: string, age: number)
  type Draft(#id: string, attempt: number = 0)
  query adults(min: number) { p: Person(age >= min) }
  condition grown(p: Person) : p.age >= 18
  gate "open" for p: Person { require grown(p) }
  guardian "g" for d: Draft { check contract { need d.id == "d" as "no" do REGENERATE_DRAFT } }`;
const program = compile(SOURCE);
const saved = loadPlan(program.save());
const requirement = sluice.gateFromJson('{ "Condition": "grown" }');
const fact = { type: "Person", fields: { id: "p9", age: 1 } };
const [warning] = sluice.check("rule r { when p: Person( then log(p) }").diagnostics;

const TABLE = { file: "t.tsd", source: "table t(n: number) first { | n || number | | - || 1 | }" };

function opened(): sluice.Session {
  const session = program.session();
  session.assert("Person", { id: "p1", age: 30 });
  session.assert("Draft", { id: "d" });
  return session;
}

/** For each name: a call with an option that is misspelt, and the option that is meant. */
const CALLS: Readonly<Record<string, readonly [meant: string, call: (options: never) => unknown]>> = {
  compile: ["limits", (options) => compile("", options)],
  compileFiles: ["limits", (options) => sluice.compileFiles([], options)],
  compileAsync: ["limits", async (options) => sluice.compileAsync("", options)],
  compileFilesAsync: ["limits", async (options) => sluice.compileFilesAsync([], options)],
  check: ["limits", (options) => sluice.check("", options)],
  checkFiles: ["limits", (options) => sluice.checkFiles([], options)],
  parse: ["limits", (options) => sluice.parse("", options)],
  renderDiagnostic: ["color", (options) => warning && sluice.renderDiagnostic(warning, undefined, options)],
  format: ["migrate", (options) => sluice.format("", options)],
  formatFiles: ["migrate", (options) => sluice.formatFiles([], options)],
  print: ["dropped", (options) => sluice.print(sluice.parse(""), options)],
  verifyPack: ["firings", (options) => sluice.verifyPack("", undefined, options)],
  gateFromJson: ["conditions", (options) => sluice.gateFromJson('{ "Condition": "a" }', options)],
  gatesFromJson: ["conditions", (options) => sluice.gatesFromJson("{}", options)],
  flowFromJson: ["conditions", (options) => sluice.flowFromJson("{}", options)],
  evaluateGate: ["logic", (options) => sluice.evaluateGate(requirement, {}, options)],
  evaluateGateColumns: ["logic", (options) => sluice.evaluateGateColumns(requirement, {}, 1, options)],
  decideGate: ["logic", (options) => sluice.decideGate(requirement, {}, options)],
  gateSource: ["like", (options) => sluice.gateSource(program, requirement, options)],
  flowSource: ["name", (options) => sluice.flowSource(program, { name: "f", stages: [] } as never, options)],
  testNodes: ["type", (options) => sluice.testNodes(program, "age > 1", options)],
  declarations: ["library", (options) => sluice.declarations(program, options)],
  guard: ["draftDeadline", (options) => sluice.guard(opened(), "Draft~d", () => undefined, options)],
  guardAsync: ["draftDeadline", async (options) => sluice.guardAsync(opened(), "Draft~d", () => undefined, options)],
  importReader: ["limit", (options) => importReader([], options)],
  fileAudit: ["roots", (options) => fileAudit(".", options)],
  watch: ["interval", (options) => watch([], () => {}, options)],
  importSheet: ["limits", (options) => importSheet([TABLE], "t", { file: "t.csv", csv: "n,|| number" }, options)],
  loadPlan: ["regex", (options) => loadPlan(program.save(), options)],
  "Program.session": ["strategy", (options) => program.session(options)],
  "Program.openAsync": ["strategy", async (options) => program.openAsync(options)],
  "Program.evaluate": ["strategy", (options) => program.evaluate([fact], options)],
  "Program.evaluateAsync": ["handlerTimeout", async (options) => program.evaluateAsync([fact], options)],
  "Program.extend": ["file", (options) => program.extend("", options)],
  "Program.test": ["coverage", (options) => program.test(options)],
  "SavedProgram.session": ["strategy", (options) => saved.session(options)],
  "SavedProgram.openAsync": ["strategy", async (options) => saved.openAsync(options)],
  "SavedProgram.evaluate": ["strategy", (options) => saved.evaluate([fact], options)],
  "SavedProgram.evaluateAsync": ["handlerTimeout", async (options) => saved.evaluateAsync([fact], options)],
  "Session.assert": ["role", (options) => opened().assert("Person", fact.fields, options)],
  "Session.update": ["role", (options) => opened().update("Person~p1", { age: 2 }, options)],
  "Session.retract": ["role", (options) => opened().retract("Person~p1", options)],
  "Session.upsert": ["role", (options) => opened().upsert("Person", fact.fields, options)],
  "Session.run": ["collect", (options) => opened().run(options)],
  "Session.runUntil": ["collect", (options) => opened().runUntil("2026-01-01T00:00:00Z", options)],
  "Session.runAsync": ["signal", async (options) => opened().runAsync(options)],
  "Session.submit": ["handlerTimeout", async (options) => opened().submit({ op: "assert", ...fact }, options)],
  "Session.enqueue": ["role", async (options) => opened().enqueue({ op: "assert", ...fact }, options)],
  "Session.subscribe": ["buffer", (options) => opened().subscribe({ type: "Person" }, {}, options)],
  "Session.snapshot": ["stream", async (options) => opened().snapshot(options)],
  "Session.reload": ["migrate", (options) => opened().reload(program, options)],
};

/** Returns the name with one letter too many. */
function misspelt(name: string): string {
  return `${name.slice(0, 2)}x${name.slice(2)}`;
}

describe.each(Object.entries(CALLS))("%s", (_, [meant, call]) => {
  test("refuses a misspelt option", async () => {
    const options = { [misspelt(meant)]: undefined } as never;
    let error: unknown;
    try {
      await call(options);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(SessionError);
    expect(error).toMatchObject({
      code: "E213",
      message: `unknown option "${misspelt(meant)}"`,
      hint: `did you mean "${meant}"?`,
    });
  });
});

test("every function and method of the reference that takes options is here", () => {
  const pages = readdirSync("docs/api").map((file) => readFileSync(join("docs/api", file), "utf8"));
  const takesOptions = pages.flatMap((page) =>
    [...page.matchAll(/^### ([\w.]+)\n\n```ts\n([^]*?)```/gmu)].flatMap(([, name = "", signature = ""]) =>
      !/^(?:type|interface|class|const) /u.test(signature) &&
      /\b(?:options|by)\??: (?:\w*Options|Omit<|ChangeBy|\{)/u.test(signature)
        ? [name]
        : [],
    ),
  );
  expect(takesOptions.length).toBeGreaterThan(40);
  expect(Object.keys(CALLS).toSorted()).toEqual([...new Set(takesOptions)].toSorted());
});
