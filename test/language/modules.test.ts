/** Tests modules: which file knows which name, the names outside, and everything that shows them. */
import { describe, expect, test } from "vitest";
import { check, compileFiles, declarations, verifyPack, type Program, type RuleSession } from "../../src/index.ts";

type Files = Readonly<Record<string, string>>;

/** Compiles `main.tsd` with the files that it imports. */
function programOf(files: Files): Program {
  return compileFiles([{ file: "main.tsd", source: files["main.tsd"] ?? "" }], { read: (file) => files[file] });
}

/** Returns the messages about a program, with their codes. */
function faultsOf(files: Files): string[] {
  const { diagnostics } = check(files["main.tsd"] ?? "", { file: "main.tsd", read: (file) => files[file] });
  return diagnostics.map(
    ({ file, code, message, hint }) => `${file} ${code} ${message}${hint === undefined ? "" : ` (${hint})`}`,
  );
}

function ran(files: Files): { readonly session: RuleSession; readonly log: unknown[][] } {
  const log: unknown[][] = [];
  const session = programOf(files).session({ actions: { log: (...values: unknown[]) => void log.push(values) } });
  session.run();
  return { session, log };
}

const BILLING = `
type Customer(#id: string, country: string)
type Invoice(#id: string, buyer: Customer, net: number)
type Level = "low" | "high"
const VAT = 0.2
const EU = ["FR", "DE"]
param most: number = 1000
private const LIMIT = 100
function gross(net: number): number = net * (1 + VAT)
condition large(i: Invoice) : i.net > LIMIT
condition european(c: Customer) : c.country in EU
table rate(c: Customer) first {
  | c.country || rate: number |
  | in EU     || VAT          |
  | -         || 0            |
}
query above(least: number) { i: Invoice(net >= least) }
action remind(id: string)
gate "ship" for i: Invoice { require large(i) }
rule "large" { when i: Invoice(net > LIMIT) then log("billing large", i.id) }
acme = Customer("acme", "FR")
`;
const SHIPPING = `
type Invoice(#no: string, weight: number)
const VAT = 7
rule "large" { when i: Invoice(weight > VAT) then log("shipping large", i.no) }
`;
const TWO = `
import "billing.tsd" as billing
import "shipping.tsd" as shipping
`;

describe("names behind an alias", () => {
  const main = `${TWO}
    type Note(#id: string, level: billing.Level, about: billing.Invoice)
    billing.Invoice("i1", billing.acme, 150)
    shipping.Invoice("s1", 50)
    rule "all" {
      when
        i: billing.Invoice(net > billing.VAT, net < billing.most)
        not billing.Invoice(net > 1000)
        s: shipping.Invoice(weight > shipping.VAT, no != i.id)
        q in billing.above(10)
        where q.i == i and billing.large(i) and i.buyer.country in billing.EU
        let r = billing.rate(i.buyer)
      then
        insert Note(id: i.id, level: "low", about: i)
        log("all", i.id, s.no, billing.gross(i.net), r.rate, $"{billing.VAT}")
        billing.remind(i.id)
    }
    rule "slash" : {i: billing.Invoice} / COUNT(x: billing.Invoice / x.net > billing.VAT) == 1 ==> log("slash", i.id)
    condition both(i: billing.Invoice) : billing.large(i) and billing.european(i.buyer)
    gate "both" for i: billing.Invoice { require both(i) and exists shipping.Invoice(weight > shipping.VAT) }
    flow "f" for i: billing.Invoice { stage a { decide billing.ship(i) on pass goto b otherwise goto b } stage b final }
    pipeline "p" for n: Note {
      before gate billing.ship(n.about) passes else BLOCK "no"
      step s ANSWER $"{billing.VAT}" when i: billing.Invoice(net > 10)
      otherwise BLOCK "x"
    }
    test "t" {
      given billing.Invoice("i2", billing.acme, 200)
      expect rule "all" fires 1
      expect rule billing.large fires
      expect rule shipping."large" fires 0
      expect gate billing.ship("billing.Invoice~i2") is pass
      expect effect billing.remind("i2")
      expect 2 billing.Invoice(net > billing.VAT)
    }`;
  const files = { "main.tsd": main, "billing.tsd": BILLING, "shipping.tsd": SHIPPING };

  test("stand for the names of the file in every place", () => {
    expect(faultsOf(files)).toEqual([]);
    const { session, log } = ran(files);
    expect(log).toContainEqual(["all", "i1", "s1", 180, 0.2, "0.2"]);
    expect(log).toContainEqual(["slash", "i1"]);
    expect(log).toContainEqual(["billing large", "i1"]);
    expect(log).toContainEqual(["shipping large", "s1"]);
    expect(session.decisions().map((one) => ("pipeline" in one ? one.decision : ""))).toContain("ANSWER");
    expect(
      programOf(files)
        .test()
        .tests.map(({ failures }) => failures),
    ).toEqual([[]]);
  });

  test("are the own names outside where no other file has them, and have the alias in front elsewhere", () => {
    const { session } = ran(files);
    const ids = session.facts().map(({ id }) => id);
    expect(ids).toContain("Customer~acme");
    expect(ids).toContain("billing.Invoice~i1");
    expect(ids).toContain("shipping.Invoice~s1");
    expect(session.query("above", { least: 10 })).toHaveLength(1);
    expect(session.gate("ship", "billing.Invoice~i1").outcome).toBe("pass");
    expect([...session.program.checked.symbols.rules.names()].sort()).toEqual(
      ["all", "billing.large", "shipping.large", "slash"].sort(),
    );
  });

  test("are shown as outside in explanations, the network and the TypeScript declarations", () => {
    const { session } = ran(files);
    const fired = session.run();
    expect(fired.fired).toEqual([]);
    const why = session.whyNot("shipping.large", { i: "shipping.Invoice~s1" });
    expect(JSON.stringify(why)).toContain("shipping.Invoice s1");
    expect(session.program.sharing().network.map(({ text }) => text)).toContain("billing.Invoice[.net > 100]");
    expect(declarations(session.program)).toContain('"billing.Invoice": {');
  });

  test("survive a snapshot", () => {
    const { session } = ran(files);
    const program = programOf(files);
    const again = program.session({ from: session.snapshot() });
    expect(again.facts().map(({ id }) => id)).toEqual(session.facts().map(({ id }) => id));
  });
});

test("a pack of a program with modules, and with statements that were added, is verified", () => {
  const files = {
    "main.tsd": `${TWO}billing.Invoice("i1", billing.acme, 150)`,
    "billing.tsd": BILLING,
    "shipping.tsd": SHIPPING,
  };
  const program = programOf(files).extend('rule "more" { when i: billing.Invoice c: Customer then log(i.id, c.id) }');
  const session = program.session();
  const text = session.pack(session.run());
  expect(verifyPack(text)).toBeUndefined();
  expect(text).toContain('"added":["extension-1.tsd"]');
});

describe("a name that only another file knows", () => {
  const faults = (rest: string): string[] =>
    faultsOf({ "main.tsd": TWO + rest, "billing.tsd": BILLING, "shipping.tsd": SHIPPING });

  test("is an error without its alias, with the spelling that is known", () => {
    expect(faults('c = Customer("c", "FR")')).toEqual([
      'main.tsd E219 "Customer" is a type of billing.tsd, not known here (write billing.Customer)',
    ]);
    expect(faults("rule r { when i: Invoice then log(VAT) }")).toEqual([
      'main.tsd E219 "Invoice" is a type of billing.tsd and shipping.tsd, not known here (write billing.Invoice or shipping.Invoice)',
      'main.tsd E219 "VAT" is a constant of billing.tsd and shipping.tsd, not known here (write billing.VAT or shipping.VAT)',
    ]);
  });

  test("is an error when it is private, and the file itself uses it", () => {
    expect(faults("rule r { when i: billing.Invoice(net > billing.LIMIT) then log(i.id) }")).toEqual([
      'main.tsd E222 constant "LIMIT" is private to billing.tsd (remove "private" from its declaration, or use another name)',
    ]);
  });

  test("is a variable or a field first", () => {
    expect(
      faults("type T(#id: string, VAT: number) rule r { when t: T(VAT > 1) let EU = t.VAT then log(EU, t.id) }"),
    ).toEqual([]);
    expect(
      faults("type T(#id: string, VAT: number) rule r { when billing: T(VAT > 1) then log(billing.VAT, billing.id) }"),
    ).toEqual([]);
  });

  test("can be a word of a built-in function, or the key of a subject", () => {
    const files = {
      "main.tsd":
        'import "other.tsd" as other\ntype T(#id: string, d: date)\nrule r { when t: T then log(start_of(month, t.d)) }',
      "other.tsd": "const month = 3\n",
    };
    expect(faultsOf(files)).toEqual([]);
  });
});

describe("files", () => {
  test("that are merged declare each name once, and a diamond is one module", () => {
    const files = {
      "main.tsd":
        'import "a.tsd" as a\nimport "b.tsd" as b\nimport "common.tsd"\nrule m { when p: P(n > ONE) then log("m", p.id) }',
      "a.tsd": 'import "common.tsd"\nP("a", 2)\nrule r { when p: P(n > ONE) then log("a", p.id) }',
      "b.tsd": 'import "common.tsd"\nP("b", 3)\nrule r { when p: P(n > ONE) then log("b", p.id) }',
      "common.tsd": "type P(#id: string, n: number)\nconst ONE = 1\n",
    };
    expect(faultsOf(files)).toEqual([]);
    expect(
      ran(files)
        .log.map((values) => values.join(" "))
        .sort(),
    ).toEqual(["a a", "a b", "b a", "b b", "m a", "m b"]);
  });

  test("may import each other", () => {
    const files = {
      "main.tsd":
        'import "a.tsd" as a\ntype P(#id: string)\nP("p")\nrule r { when q: a.P(p.id == "p") then log("main", q.id) }',
      "a.tsd": 'import "main.tsd" as main\ntype P(#id: string, p: main.P)\nP("q", "main.P~p")\n',
    };
    expect(faultsOf({ ...files, "a.tsd": files["a.tsd"].replace("main.P~p", "P~p") })).toEqual([]);
    expect(ran({ ...files, "a.tsd": files["a.tsd"].replace("main.P~p", "P~p") }).log).toEqual([["main", "q"]]);
  });

  test("behind a chain of aliases are reached through it", () => {
    const files = {
      "main.tsd": 'import "a.tsd" as a\ntype T(#id: string)\nrule r { when t: a.b.T(n > a.b.K) then log(t.id, a.b.K) }',
      "a.tsd":
        'import "b.tsd" as b\nconst K = 1\nb.T("x", 5)\nrule s { when t: b.T(n > b.K + K) then log("a", t.id) }\n',
      "b.tsd": "type T(#id: string, n: number)\nconst K = 2\n",
    };
    expect(faultsOf(files)).toEqual([]);
    const { session, log } = ran(files);
    expect(log).toEqual([
      ["a", "x"],
      ["x", 2],
    ]);
    expect(session.facts().map(({ id }) => id)).toEqual(["a.b.T~x"]);
  });

  test("keep private names apart that others declare, too", () => {
    const files = {
      "main.tsd":
        'import "a.tsd"\nimport "b.tsd"\ntype T(#id: string)\nT("t")\nconst K = 0\nrule m { when t: T then log("m", K) }',
      "a.tsd": 'private const K = 1\nprivate rule "r" { when t: T then log("a", K) }\n',
      "b.tsd": 'private const K = 2\nprivate rule "r" { when t: T then log("b", K) }\n',
    };
    expect(faultsOf(files)).toEqual([]);
    const { session, log } = ran(files);
    expect(log.map((values) => values.join(" ")).sort()).toEqual(["a 1", "b 2", "m 0"]);
    expect([...session.program.checked.symbols.rules.names()].sort()).toEqual(["a.r", "b.r", "m"]);
  });
});

describe("a program with modules", () => {
  const files = {
    "main.tsd": `${TWO}billing.Invoice("i1", billing.acme, 150)\n`,
    "billing.tsd": BILLING,
    "shipping.tsd": SHIPPING,
  };

  test("is extended by statements that use the names outside, or those of the root", () => {
    const { session } = ran(files);
    const log: unknown[][] = [];
    const more = session.program.extend(
      'rule "more" { when i: billing.Invoice c: Customer(id == i.buyer.id) d: billing.Customer where c == d and large(i) then log(i.id) }',
    );
    const other = more.session({ actions: { log: (...values: unknown[]) => void log.push(values) } });
    other.run();
    expect(log).toContainEqual(["i1"]);
    expect(more.without("billing.large").checked.symbols.rules.get("billing.large")).toBeUndefined();
  });

  test("does not lose facts when the name of their type changes outside", () => {
    const { session } = ran(files);
    const without = { ...files, "main.tsd": files["main.tsd"].replace('import "shipping.tsd" as shipping', "") };
    const program = programOf(without);
    expect(program.checked.symbols.types.get("Invoice")).toBeDefined();
    expect(() => session.reload(program)).toThrow("billing.Invoice");
  });
});

test("the new words are names elsewhere", () => {
  const source = `type as(#private: string, as: number)
    private = as("a", 1)
    rule private { when as: as(as > 0) q: as(q.private == as.private) then log(as.private, q.as) }
    rule as { when private: as() then log(private.private) }`;
  expect(check(source).diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'W255 "private" hides the fact of that name',
  ]);
});

test("a table in a file sees the names of its program file, and no others", () => {
  const files = {
    "main.tsd":
      'import "a.tsd" as a\nconst gold = "no"\ntype P(#id: string, s: string)\nP("p", "gold")\nrule r { when p: P let d = a.level(p.s) where p.s != gold then log(d, a.VIP) }',
    "a.tsd": 'const VIP = "gold"\nprivate const best = 1\ntable level(s: string) from "level.csv" first\n',
    "level.csv": "s,|| number\ngold,best\n-,0\n",
  };
  expect(faultsOf(files)).toEqual([]);
  expect(ran(files).log).toEqual([[1, "gold"]]);
  const wrong = faultsOf({ ...files, "level.csv": "s,|| number\ngold,gold\n-,0\n" });
  expect(wrong).toEqual([
    'level.csv E219 "gold" is a constant of main.tsd, not known here (cell B2) (import it: import "…" as name, then name.gold)',
  ]);
});

test("records and windows of time of an imported file are used behind its alias", () => {
  const files = {
    "main.tsd": `import "a.tsd" as a
      record Line(x: string)
      type Order(#id: string, line: a.Line, own: Line, at: instant)
      rule r { when o: Order(line.sku == "s", own.x == "y") p: a.Ping over last 10 min where p.id == o.id then log(o.line.sku, p.id) }`,
    "a.tsd":
      "record Line(sku: string)\nprivate record Hidden(n: number)\ntype Ping(#id: string, @at: instant, h: Hidden?)\n",
  };
  expect(faultsOf(files)).toEqual([]);
  const session = programOf(files).session({ clock: "2026-11-16T12:00:00Z", actions: { log: () => undefined } });
  session.assert("Ping", { id: "o", at: "2026-11-16T11:55:00Z" });
  session.assert("Order", { id: "o", line: { sku: "s" }, own: { x: "y" }, at: "2026-11-16T11:00:00Z" });
  expect(session.run().fired.map(({ rule }) => rule)).toEqual(["r"]);
});

test("a private name of a merged file is not known, neither to what imports it nor to what it imports", () => {
  const use = "rule r { when p: P(n > K) then log(p.id) }\n";
  const types = "type P(#id: string, n: number)\n";
  const fault = (file: string, of: string): string =>
    `${file} E222 constant "K" is private to ${of} (remove "private" from its declaration, or use another name)`;
  const own = `private const K = 1\nprivate const L = K\nprivate rule s { when p: P(n > L) then log(p.id) }\n`;
  expect(faultsOf({ "main.tsd": `import "a.tsd"\n${use}`, "a.tsd": types + own })).toContain(
    fault("main.tsd", "a.tsd"),
  );
  expect(faultsOf({ "main.tsd": `import "a.tsd"\n${own}`, "a.tsd": types + use })).toContain(
    fault("a.tsd", "main.tsd"),
  );
});

test("a private constant that its file does not use is reported, and one that others may use is not", () => {
  const files = {
    "main.tsd": 'import "a.tsd" as a\nrule r { when t: a.T then log(t.id) }',
    "a.tsd": "type T(#id: string)\nconst K = 1\nprivate const L = 2\n",
  };
  expect(faultsOf(files)).toEqual(['a.tsd W250 constant "L" is not used (remove it, or call it "_L")']);
});

describe("names that objects of JavaScript have", () => {
  test.each(["__proto__", "constructor", "prototype", "_id_"])("%s is no name of an imported file", (alias) => {
    const files = { "main.tsd": `import "m.tsd" as ${alias}`, "m.tsd": "type M(#id: string)" };
    expect(faultsOf(files)).toContain(`main.tsd E210 "${alias}" is a reserved name (choose another name)`);
  });

  test.each(["toString", "hasOwnProperty", "valueOf", "__defineGetter__", "then"])("%s is", (name) => {
    const type = `type ${name}(#${name}: string, n: number?)\n${name}("k")\ncondition ${name}(x: ${name}) : x.${name} == "k"`;
    const rule = `rule "${name}" { when x: ${name}.${name} where ${name}.${name}(x) and x.n is missing then log(x.${name}) }`;
    const { log, session } = ran({ "main.tsd": `import "m.tsd" as ${name}\n${rule}`, "m.tsd": type });
    expect(log).toEqual([["k"]]);
    expect(session.facts(name).map(({ id, fields }) => [id, { ...fields }])).toEqual([[`${name}~k`, { [name]: "k" }]]);
  });
});
