/** Tests the names that other programs depend on. You may add one; renaming or removing one breaks users. */
import { expect, test } from "vitest";
import * as sluice from "../../src/index.ts";
import * as runtime from "../../src/runtime.ts";

test("the library exports these values", () => {
  expect(Object.keys(sluice).sort()).toEqual([
    "ActionError",
    "CODES",
    "CompileError",
    "DEFAULT_BUDGETS",
    "DEFAULT_LIMITS",
    "FactChecker",
    "FactError",
    "GateJsonError",
    "MatchLimitError",
    "MigrationError",
    "Program",
    "RestlessError",
    "RuleSession",
    "RunAbortedError",
    "RunLimitError",
    "STRATEGIES",
    "SeededRandom",
    "Session",
    "SessionError",
    "Source",
    "check",
    "checkFiles",
    "compile",
    "compileAsync",
    "compileFiles",
    "compileFilesAsync",
    "conditionsOf",
    "decideGate",
    "declarations",
    "evaluateGate",
    "evaluateGateColumns",
    "explanationSteps",
    "factLabel",
    "factPlaces",
    "factSession",
    "flowFromJson",
    "flowSource",
    "format",
    "formatFiles",
    "fromLinks",
    "gateFromJson",
    "gateRequirement",
    "gateSource",
    "gateToJson",
    "gatesFromJson",
    "guard",
    "guardAsync",
    "headline",
    "loadedNodes",
    "nearestName",
    "nextStage",
    "packSignature",
    "parse",
    "placeInJson",
    "planConditionWords",
    "planInputs",
    "print",
    "printable",
    "printableLine",
    "prove",
    "renderDiagnostic",
    "signPack",
    "testNodes",
    "textTree",
    "toHtml",
    "toLinks",
    "together",
    "verifyPack",
    "whyNotNotes",
  ]);
});

test("the runtime exports these values: what its sessions throw can be recognised without the compiler", () => {
  expect(Object.keys(runtime).sort()).toEqual([
    "ActionError",
    "FactError",
    "MigrationError",
    "RestlessError",
    "RunAbortedError",
    "RunLimitError",
    "SavedProgram",
    "Session",
    "SessionError",
    "guard",
    "guardAsync",
    "loadPlan",
  ]);
  const shared = Object.entries(runtime).filter(([name]) => name in sluice);
  expect(Object.entries(sluice)).toEqual(expect.arrayContaining(shared));
});

test("a session has the methods of the contract", () => {
  const session = sluice.compile("").session();
  const names = [
    "assert",
    "update",
    "retract",
    "upsert",
    "batch",
    "run",
    "runAsync",
    "facts",
    "query",
    "matches",
    "on",
    "why",
    "whyNot",
    "trace",
    "pack",
    "snapshot",
  ];
  for (const name of names) expect(typeof session[name as keyof typeof session], name).toBe("function");
});

test("a program gives its network as plain data", () => {
  const program = sluice.compile("type P(age: number) rule r : {p: P} / p.age > 18 ==> log(p.age)");
  const network = program.network();
  expect(JSON.parse(JSON.stringify(network))).toEqual(JSON.parse(JSON.stringify(program.network())));
  expect(network.nodes.map((node) => node.kind)).toEqual(["alpha", "join", "terminal"]);
});

test("a compile error carries every diagnostic", () => {
  let error: unknown;
  try {
    sluice.compile("type P(age: number) rule r : {p: P} / p.agee > 18 AND p.aeg > 1 ==> log(p.age)", { file: "a.tsd" });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(sluice.CompileError);
  expect((error as sluice.CompileError).diagnostics.map((one) => one.code)).toEqual(["E202", "E202"]);
  expect((error as sluice.CompileError).message).toBe('a.tsd:1:41 E202 P has no field "agee" (and 1 more)');
});
