/** Parameters of a program: given by the host or the command line, refused when they do not fit, part of packs and of the hash. */
import { describe, expect, test } from "vitest";
import { compile, CompileError, type CompileOptions, verifyPack } from "../../src/index.ts";
import { declarations, textTree } from "../../src/tools.ts";
import { runCli } from "../support/io.ts";

const SOURCE = `
param max_amount: number = 1000
param countries: string[] = ["FR", "DE"]
param mode: "strict" | "lax" = "strict"
param enabled: bool = true
type Order(#id: string, total: number, country: string)
Order(id: "o1", total: 800, country: "FR")
rule "large" { when o: Order(total > max_amount, o.country in countries) where enabled and mode == "strict" then log(o.id) }
query over { o: Order(total > max_amount) }
`;

function fired(options: CompileOptions): number {
  return compile(SOURCE, options).session().run().count;
}

test("the default holds until a value is given", () => {
  expect(fired({})).toBe(0);
  expect(fired({ params: { max_amount: 500 } })).toBe(1);
  expect(fired({ params: { max_amount: 500, countries: ["IT"] } })).toBe(0);
  expect(fired({ params: { max_amount: 500, mode: "lax" } })).toBe(0);
  expect(fired({ params: { max_amount: 500, enabled: false } })).toBe(0);
});

test("texts are read as the declared type says", () => {
  const texts = { max_amount: "5e2", countries: '["FR"]', mode: "strict", enabled: "true" };
  expect(fired({ paramTexts: texts })).toBe(1);
});

describe("refused, each with E216", () => {
  const errorOf = (source: string, options: CompileOptions): string => {
    try {
      compile(source, options);
      return "compiled";
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return error.diagnostics.map(({ code, message }) => `${code} ${message}`).join("; ");
    }
  };

  test.each([
    ["a string for a number", { params: { max_amount: "500" } }, 'parameter "max_amount" must be number, found "500"'],
    ["no finite number", { params: { max_amount: Infinity } }, 'parameter "max_amount" must be number, found null'],
    [
      "a text that is no number",
      { paramTexts: { max_amount: "many" } },
      'parameter "max_amount" must be number, found "many"',
    ],
    ["a text that is no bool", { paramTexts: { enabled: "yes" } }, 'parameter "enabled" must be bool, found "yes"'],
    [
      "an item of another type",
      { params: { countries: ["FR", 3] } },
      'parameter "countries" must be string[], found ["FR",3]',
    ],
    [
      "a string that is not in the union",
      { paramTexts: { mode: "off" } },
      'parameter "mode" must be "strict" | "lax", found "off"',
    ],
    ["an unknown name", { params: { max_amuont: 5 } }, 'unknown parameter "max_amuont"'],
    ["nothing at all", { params: { max_amount: undefined } }, 'parameter "max_amount" must be number, found undefined'],
  ])("%s", (_, options, message) => {
    expect(errorOf(SOURCE, options)).toBe(`E216 ${message}`);
  });

  test.each(["0x10", "1e999", "9007199254740993", "", "1_000", ".5"])("the text %j is no number", (text) => {
    const message = `E216 parameter "max_amount" must be number, found "${text}"`;
    expect(errorOf(SOURCE, { paramTexts: { max_amount: text } })).toBe(message);
  });

  test("a parameter without a value", () => {
    expect(errorOf("param limit: number", {})).toBe('E216 parameter "limit" has no value');
    expect(errorOf("param limit: number", { params: { limit: 3 } })).toBe("compiled");
  });
});

test("explanations show the value", () => {
  const session = compile(SOURCE, { params: { max_amount: 900 } }).session();
  expect(textTree(session.whyNot("large", { o: "Order~o1" }))).toContain("max_amount is 900");
});

test("the hash of a program depends on the values", () => {
  const hash = (max_amount: number): string => compile(SOURCE, { params: { max_amount } }).hash;
  expect(hash(500)).not.toBe(hash(501));
  expect(hash(1000)).toBe(compile(SOURCE).hash);
});

test("a pack has the values, and verifies with them", () => {
  const session = compile(SOURCE, { params: { max_amount: 500 } }).session();
  const pack = session.pack(session.run());
  expect(JSON.parse(pack).program.params).toEqual({
    max_amount: 500,
    countries: ["FR", "DE"],
    mode: "strict",
    enabled: true,
  });
  expect(verifyPack(pack)).toBeUndefined();
  const changed = JSON.parse(pack) as { program: { params: { max_amount: number } } };
  changed.program.params.max_amount = 700;
  expect(verifyPack(JSON.stringify(changed))?.code).toBe("E552");
});

test("types of a program are generated whatever the values are", () => {
  const program = compile(SOURCE, { params: { max_amount: 500 } });
  expect(declarations(program)).toContain("Order");
});

test("a saved plan keeps the values", () => {
  const saved = compile(SOURCE, { params: { max_amount: 500 } }).save();
  expect(JSON.stringify(saved)).toContain("500");
});

test("a name of a parameter is no reserved word", () => {
  const source =
    'type param(#param: string) param(param: "x") rule r { when param: param(param.param == "x") then log(param.param) }';
  expect(compile(source).session().run().count).toBe(1);
});

describe("--param, for every command", () => {
  const files = { "rules.tsd": SOURCE };

  test.each([
    [["run", "rules.tsd", "--param", "max_amount=500"], 0],
    [["check", "--param=max_amount=500", "rules.tsd"], 0],
    [["why", "rules.tsd", "large", "--fact", "o=Order o1", "--param", "max_amount=500"], 0],
    [["types", "rules.tsd", "--param", "mode=lax"], 0],
    [["prove", "rules.tsd", "--param", "max_amount=500", "--cases", "5"], 0],
    [["check", "rules.tsd", "--param", "max_amount=many"], 1],
    [["run", "rules.tsd", "--param", "nosuch=1"], 1],
    [["run", "rules.tsd", "--param", "max_amount"], 2],
    [["run", "rules.tsd", "--param", "mode=lax", "--param", "mode=strict"], 2],
  ])("%j", (args, exit) => {
    expect(runCli(args, files)).toMatchObject({ exit });
  });

  test("the value decides what fires, and an error names the parameter", () => {
    expect(runCli(["run", "rules.tsd", "--param", "max_amount=500"], files).out).toContain("o1");
    const { err, out } = runCli(["run", "rules.tsd", "--param", "max_amount=many"], files);
    expect(err + out).toContain('error E216  parameter "max_amount" must be number, found "many"');
  });
});

test("the value of an option can be a string", () => {
  const order = (option: string): unknown[] => {
    const session = compile(`${option} type P(#id: string) rule r { when p: P then log(p.id) }`).session();
    for (const id of ["a", "b"]) session.assert("P", { id });
    return session.run().effects.map(({ args }) => args[0]);
  };
  expect(order('option strategy "depth"')).toEqual(order("option strategy depth"));
  expect(order('option strategy "depth"')).not.toEqual(order('option strategy "breadth"'));
  expect(() => order('option limit "5"')).toThrow("option limit must be a number of firings");
  expect(() => order('option strategy "deep"')).toThrow('unknown strategy "deep"');
});
