/** Tests the element `l in list`: one match for each item, what an update restarts, the order of firing, and where it stands. */
import { describe, expect, test } from "vitest";
import { compile, type Effect, type RuleSession, RunLimitError, type Strategy } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";
import { textTree } from "../../src/tools.ts";

const TYPES = `record Line(sku: string, qty: number, tags: string[], product: Product?)
type Order(#id: string, lines: Line[]?, extra: Line[]?, days: date[]?, any: any?)
type Product(#sku: string, name: string, price: number)
type Bulk(order: string, sku: string)
`;

type Field = Readonly<Record<string, unknown>>;

const line = (sku: string, qty = 1, more: Field = {}): Field => ({ sku, qty, tags: [], ...more });

function opened(source: string, strategy?: Strategy): RuleSession {
  return compile(`${TYPES}${source}`).session(strategy === undefined ? {} : { strategy });
}

type Runs = Pick<RuleSession, "run">;

const logged = (session: Runs): unknown[] => session.run().effects.map(({ args }) => args);
const said = ({ args }: Effect): string =>
  args.map((arg) => (typeof arg === "string" ? arg : JSON.stringify(arg))).join(" ");
const words = (session: Runs): string[] => session.run().effects.map(said);

/** Fires one rule, and leaves the others waiting. */
function fireOne(session: RuleSession): string {
  try {
    return session.run({ limit: 1 }).effects.map(said).join();
  } catch (error) {
    if (!(error instanceof RunLimitError)) throw error;
    return error.result.effects.map(said).join();
  }
}

describe("matches", () => {
  test("there is one for each place, in the order of the list, also for equal items", () => {
    const session = opened("rule r { when o: Order l in o.lines where l.qty > 1 then log(o.id, l.sku) }");
    session.assert("Order", { id: "o", lines: [line("c", 2), line("a", 9), line("b"), line("c", 2), line("c", 2)] });
    session.assert("Order", { id: "p", lines: [line("d", 3)] });
    expect(words(session)).toEqual(["o c", "o a", "o c", "o c", "p d"]);
    expect(session.matches("r")).toHaveLength(5);
  });

  test("there is none for an empty list, an unknown one, and what is no list", () => {
    const session = opened(
      "rule r { when o: Order l in o.lines then log(l.sku) } rule s { when o: Order x in o.any then log(x) }",
    );
    const order = session.assert("Order", { id: "o", lines: [], any: 5 });
    expect(words(session)).toEqual([]);
    session.update(order, { lines: null, any: ["x", 1, "x"] });
    expect(logged(session)).toEqual([["x"], [1], ["x"]]);
    session.update(order, { lines: [line("a")], any: { length: 1 } });
    expect(words(session)).toEqual(["a"]);
    expect(session.matches("s")).toEqual([]);
  });

  test("a list may be any expression over what stands before it", () => {
    const session = opened(`const SKUS = ["a", "b"]
      rule constant { when s in SKUS p: Product(sku == s) then log("constant", p.name) }
      rule parts { when o: Order t in split(o.id, "-") then log("parts", t) }
      rule some { when o: Order s in [x.sku for x in o.lines if x.qty > 1] then log("some", s) }
      rule named { when o: Order let first = o.lines[0] t in first.tags then log("named", t) }
      rule nested { when o: Order l in o.lines t in l.tags where l.qty > 1 then log("nested", l.sku, t) }
      rule counted { when o: Order n in COLLECT(p: Product / p.price > 1 ; p.price) then log("counted", n) }`);
    session.assert("Product", { sku: "a", name: "nut", price: 1 });
    session.assert("Product", { sku: "b", name: "bolt", price: 2 });
    session.assert("Order", { id: "x-y", lines: [line("a", 1, { tags: ["u", "v"] }), line("b", 2, { tags: ["w"] })] });
    expect(words(session)).toEqual([
      "constant nut",
      "constant bolt",
      "parts x",
      "parts y",
      "some b",
      "named u",
      "named v",
      "nested b w",
      "counted 2",
    ]);
  });

  test("a reference in an item is followed, and the item of a list of references is one", () => {
    const session = compile(`type P(#id: string, name: string)
      record L(p: P, n: number)
      type O(#id: string, ls: L[], ps: P[])
      rule inside { when o: O l in o.ls where l.p.name == "x" then log("inside", l.p.name, l.n) }
      rule item { when o: O p in o.ps where p.name == "x" then log("item", p.name) }
      rule pattern { when o: O p in o.ps q: P(q == p) then log("pattern", q.id) }`).session();
    const fact = session.assert("P", { id: "p1", name: "x" });
    session.assert("P", { id: "p2", name: "y" });
    session.assert("O", {
      id: "o",
      ls: [
        { p: "P~p1", n: 1 },
        { p: "P~p2", n: 2 },
      ],
      ps: ["P~p2", "P~p1"],
    });
    expect(words(session)).toEqual(["inside x 1", "item x", "pattern p2", "pattern p1"]);
    session.update(fact, { name: "z" });
    expect(session.matches("inside")).toEqual([]);
    session.update("P~p2", { name: "x" });
    expect(words(session)).toEqual(["inside x 2", "item x"]);
  });

  test("times leave the engine as text", () => {
    const session = opened("rule r { when o: Order d in o.days where d > @2026-01-01 then log(d) }");
    session.assert("Order", { id: "o", days: ["2025-05-05", "2026-05-05"] });
    expect(session.run().fired[0]?.bindings["d"]).toBe("2026-05-05");
  });

  test("a function that fails is reported, and there is no match", () => {
    const functions = { parts: { params: [], result: { kind: "list", item: { kind: "string" } } as const } };
    const program = compile("type O(#id: string) rule r { when o: O x in parts() then log(x) }", { functions });
    const session = program.session({
      functions: {
        parts: () => {
          throw new Error("down");
        },
      },
    });
    session.assert("O", { id: "o" });
    const { fired, problems } = session.run();
    expect(fired).toEqual([]);
    expect(problems).toMatchObject([{ code: "E521", rules: ["r"] }]);
  });

  test("a list that the clock chooses changes at the time", () => {
    const session = compile(`type O(#id: string, due: instant, early: string[], late: string[])
      rule r { when o: O x in (if now > o.due then o.late else o.early) then log(x) }`).session();
    session.assert("O", { id: "o", due: "2026-01-01T00:00:00Z", early: ["a", "b"], late: ["b", "c"] });
    session.advance("2025-12-31T00:00:00Z");
    expect(words(session)).toEqual(["a", "b"]);
    session.advance("2026-01-02T00:00:00Z");
    expect(words(session)).toEqual(["c"]);
    expect(session.matches("r")).toHaveLength(2);
  });
});

describe("an update", () => {
  const RULES = "rule r { when o: Order l in o.lines then log(l.sku, l.qty) }";

  test.each([
    ["an item that comes at the end", [line("a"), line("b")], [line("a"), line("b"), line("c")], ["c 1"]],
    ["an item that comes in front", [line("a"), line("b")], [line("c"), line("a"), line("b")], ["c 1"]],
    ["an item that goes", [line("a"), line("b"), line("c")], [line("b"), line("c")], []],
    ["another order", [line("a"), line("b"), line("c")], [line("c"), line("a"), line("b")], []],
    ["an item that changes", [line("a"), line("b")], [line("a"), line("b", 2)], ["b 2"]],
    ["one equal item more", [line("a"), line("a")], [line("a"), line("b"), line("a"), line("a")], ["b 1", "a 1"]],
    ["one equal item fewer", [line("a"), line("b"), line("a")], [line("b"), line("a")], []],
    ["nothing", [line("a"), line("b")], [line("a"), line("b")], []],
  ])("restarts nothing for the items that stay: %s", (_name, before, after, fired) => {
    const session = opened(RULES);
    const order = session.assert("Order", { id: "o", lines: before });
    session.run();
    session.update(order, { lines: after });
    expect(words(session)).toEqual(fired);
    expect(session.matches("r")).toHaveLength(after.length);
  });

  test("of another field restarts nothing", () => {
    const session = opened(RULES);
    const order = session.assert("Order", { id: "o", lines: [line("a")] });
    session.run();
    session.update(order, { extra: [line("b")] });
    expect(words(session)).toEqual([]);
  });

  test("retracts the logical fact of the item that goes, and no other", () => {
    const session = opened(
      "rule r { when o: Order l in o.lines where l.qty > 1 then insert logical Bulk(order: o.id, sku: l.sku) }",
    );
    const order = session.assert("Order", { id: "o", lines: [line("a", 2), line("b", 2), line("a", 2)] });
    session.run();
    const bulk = (): string[] =>
      session.facts("Bulk").map(({ id, fields }) => `${id} ${JSON.stringify(fields["sku"])}`);
    const before = bulk();
    session.update(order, { lines: [line("b", 2), line("a", 2)] });
    expect(session.run().fired).toEqual([]);
    expect(bulk()).toEqual(before.filter((one) => session.fact(one.split(" ")[0] ?? "") !== undefined));
    expect(
      bulk()
        .map((one) => one.split(" ")[1])
        .toSorted(),
    ).toEqual(['"a"', '"b"']);
  });

  test("leaves nothing behind", () => {
    const session = opened(
      `${RULES} rule s { when o: Order l in o.lines p: Product(sku == l.sku) not (m in o.extra where m.qty > l.qty) then log(p.name) }`,
    );
    const order = session.assert("Order", { id: "o", lines: [line("a"), line("a")], extra: [line("c")] });
    session.assert("Product", { sku: "a", name: "nut", price: 1 });
    session.update(order, { lines: [line("b"), line("a")] });
    session.update(order, { lines: null });
    session.update(order, { lines: [line("a")] });
    session.retract(order);
    session.retract("Product~a");
    expect(session.counters()).toMatchObject({ facts: 0, matches: 0, indexEntries: 0, waiting: 0 });
  });
});

describe("the order of firing", () => {
  const RULES = "rule r { when o: Order l in o.lines then log(l.sku, l.qty) }";
  const LINES = [line("b", 1), line("a", 2), line("b", 3), line("a", 4)];

  function filled(strategy: Strategy): RuleSession {
    const session = opened(RULES, strategy);
    session.assert("Order", { id: "o", lines: LINES });
    return session;
  }

  test.each<Strategy>(["breadth", "depth", "lex"])("is that of the list: %s", (strategy) => {
    expect(words(filled(strategy))).toEqual(["b 1", "a 2", "b 3", "a 4"]);
  });

  test.each<Strategy>(["breadth", "depth", "lex"])("is that of the list as it is now: %s", (strategy) => {
    const session = filled(strategy);
    expect(fireOne(session)).toBe("b 1");
    session.update("Order~o", { lines: [LINES[3], LINES[0], LINES[2], LINES[1]] });
    expect(words(session)).toEqual(["a 4", "b 3", "a 2"]);
  });

  test("is that of the list before that of facts that are written after it", () => {
    const session = opened("rule r { when o: Order l in o.lines p: Product(sku == l.sku) then log(l.sku, l.qty) }");
    session.batch(() => {
      for (const sku of ["a", "b"]) session.assert("Product", { sku, name: sku, price: 1 });
      session.assert("Order", { id: "o", lines: LINES });
    });
    expect(words(session)).toEqual(["b 1", "a 2", "b 3", "a 4"]);
  });

  test("is that of both lists where alternatives find items", () => {
    const session = opened("rule r { when o: Order, (l in o.lines or l in o.extra) then log(l.sku, l.qty) }");
    session.assert("Order", {
      id: "o",
      lines: [line("c", 1), line("a", 2)],
      extra: [line("b", 3), line("a", 2), line("d", 4)],
    });
    expect(words(session)).toEqual(["b 3", "c 1", "a 2", "d 4"]);
    expect(session.matches("r")).toHaveLength(4);
  });

  test("follows items that move where alternatives find them", () => {
    const session = opened("rule r { when o: Order, (l in o.lines or l in o.extra) then log(l.sku) }");
    const order = session.assert("Order", { id: "o", lines: [line("a"), line("b")], extra: [line("x"), line("y")] });
    session.update(order, { lines: [line("new"), line("more"), line("a"), line("b")] });
    expect(words(session)).toEqual(["x", "y", "a", "b", "new", "more"]);
  });

  test("is not changed by a control fact, which is planned last", () => {
    const session = compile(`type C(s: string) type O(#id: string, xs: string[])
      rule r { when c: C(s == "go") o: O x in o.xs then c.s = x log(x) }
      rule back { when c: C(s != "go", s != "stop", s != "c") then c.s = "go" }`).session();
    session.assert("O", { id: "o", xs: ["e", "d", "c", "b", "stop"] });
    session.assert("C", { s: "go" });
    expect(session.agenda().map(({ bindings }) => bindings["x"])).toEqual(["e", "d", "c", "b", "stop"]);
    expect(fireOne(session)).toBe("e");
    session.update("O~o", { xs: ["stop", "b", "c", "d", "e"] });
    expect(fireOne(session)).toBe("");
    expect(fireOne(session)).toBe("stop");
  });

  test("is kept by a snapshot, with equal items of which one has fired", () => {
    const program = compile(`${TYPES}rule r { when o: Order l in o.lines then log(l.sku, l.qty) }`);
    const session = program.session();
    session.assert("Order", { id: "o", lines: [line("a"), line("b"), line("a"), line("a")] });
    expect(fireOne(session)).toBe("a 1");
    session.update("Order~o", { lines: [line("a"), line("a"), line("c"), line("b")] });
    const restored = program.session({ from: session.snapshot() });
    const rest = words(session);
    expect(rest).toEqual(["a 1", "b 1", "c 1"]);
    expect(words(restored)).toEqual(rest);
  });
});

describe("keys of effects", () => {
  test("differ for equal items, and stay when an item moves", () => {
    const open = (): RuleSession =>
      compile("type O(#id: string, xs: string[]) rule r { when o: O x in o.xs then log(x) }").session({ id: "s" });
    const keys = (session: RuleSession): (string | undefined)[] => session.run().effects.map(({ key }) => key);
    const session = open();
    session.assert("O", { id: "o", xs: ["a", "a", "b"] });
    const [first, second, third] = keys(session);
    expect(new Set([first, second, third]).size).toBe(3);
    const other = open();
    other.assert("O", { id: "o", xs: ["b", "a", "a"] });
    expect(keys(other)).toEqual([third, first, second]);
  });
});

describe("groups", () => {
  test("exists and not ask about the items with the facts that belong to them", () => {
    const session =
      opened(`rule known { when o: Order exists (l in o.lines  p: Product(sku == l.sku)) then log(o.id, "known") }
      rule unknown { when o: Order not (l in o.lines, not Product(sku == l.sku)) then log(o.id, "all known") }
      rule none { when o: Order not (_l in o.lines) then log(o.id, "none") }`);
    const order = session.assert("Order", { id: "o", lines: [line("a"), line("b")] });
    expect(words(session)).toEqual([]);
    session.assert("Product", { sku: "b", name: "bolt", price: 1 });
    expect(words(session)).toEqual(["o known"]);
    session.assert("Product", { sku: "a", name: "nut", price: 1 });
    expect(words(session)).toEqual(["o all known"]);
    session.update(order, { lines: [] });
    expect(words(session)).toEqual(["o all known", "o none"]);
    session.update(order, { lines: null });
    expect(session.matches("none")).toHaveLength(1);
  });

  test("an aggregate after items is about each of them", () => {
    const session = opened(
      "rule r { when o: Order l in o.lines n: count() from Product(sku == l.sku, price > l.qty) then log(l.sku, n) }",
    );
    session.assert("Product", { sku: "a", name: "nut", price: 3 });
    session.assert("Order", { id: "o", lines: [line("a", 1), line("a", 5), line("b", 1)] });
    expect(words(session)).toEqual(["a 1", "a 0", "b 0"]);
  });

  test("a query has items, and its rows have their fields", () => {
    const session = opened(`query bulk(min: number) { o: Order l in o.lines where l.qty >= min }
      rule r { when b in bulk(2) p: Product(sku == b.l.sku) then log(b.o.id, p.name, b.l.qty) }`);
    session.assert("Product", { sku: "a", name: "nut", price: 1 });
    session.assert("Order", { id: "o", lines: [line("b", 9), line("a", 3), line("a", 1), line("a", 3)] });
    expect(words(session)).toEqual(["o nut 3", "o nut 3"]);
    expect(session.query("bulk", { min: 3 }).map(({ l }) => (l as Field)["sku"])).toEqual(["b", "a", "a"]);
  });
});

describe("rows that are kept up to date", () => {
  test("have a key for each item, and change their places with it", () => {
    const session = compile(`type O(#id: string, xs: string[])
      shop = O("shop", ["a", "b", "a"])
      query ordered { x in shop.xs }`).session();
    const shown: string[] = [];
    session.subscribe({ query: "ordered" }, {}, ({ added, removed, changed }) => {
      const of = (
        rows: readonly { readonly row: Field; readonly order: readonly number[] }[],
        sign: string,
      ): string[] => rows.map(({ row, order }) => `${sign}${String(row["x"])}@${order.join()}`);
      const after = changed.map((one) => one.after);
      shown.push([...of(removed, "-"), ...of(added, "+"), ...of(after, "")].join(" "));
    });
    session.update("O~shop", { xs: ["b", "a", "c"] });
    session.update("O~shop", { xs: ["c", "a", "b"] });
    expect(shown).toEqual(["+a@0 +b@1 +a@2", "-a@2 +c@2 b@0 a@1", "c@0 b@2"]);
    expect(session.query("ordered").map(({ x }) => x)).toEqual(["c", "a", "b"]);
  });
});

describe("programs that change", () => {
  const RULES = "rule r { when o: Order l in o.lines where l.qty > 1 then log(l.sku) }";

  test("a rule is added and removed by difference, and finds what is there", () => {
    const program = compile(`${TYPES}${RULES}`);
    const session = program.session();
    session.assert("Order", { id: "o", lines: [line("a", 2), line("b", 2), line("c")] });
    expect(words(session)).toEqual(["a", "b"]);
    const extended = program.extend("rule s { when o: Order l in o.lines then log(l.sku) }");
    session.reload(extended);
    expect(words(session)).toEqual(["a", "b", "c"]);
    session.reload(extended.without("r"));
    session.update("Order~o", { lines: [line("c"), line("d", 2)] });
    expect(words(session)).toEqual(["d"]);
  });

  test("a saved plan has the same matches", () => {
    const session = loadPlan(compile(`${TYPES}${RULES}`).save()).session();
    session.assert("Order", { id: "o", lines: [line("a", 2), line("b", 2), line("a", 2)] });
    expect(words(session)).toEqual(["a", "b", "a"]);
  });

  test("nodes are shared whatever the items are called", () => {
    const program = compile(`${TYPES}${RULES} rule s { when x: Order i in x.lines where i.qty > 1 then log(i.sku) }`);
    expect(program.network().nodes.map(({ kind }) => kind)).toEqual([
      "join",
      "items",
      "filter",
      "terminal",
      "terminal",
    ]);
  });
});

describe("a step of a pipeline", () => {
  const PIPELINE = `pipeline p for o: Order {
    step many BLOCK $"too many of {l.sku}" when x: Order(id == o.id), l in x.lines, where l.qty > 10
    step known ANSWER l.sku when x: Order(id == o.id), l in x.lines, q: Product(sku == l.sku)
    otherwise ERROR "nothing is known"
  }`;
  const decided = (lines: readonly Field[] | undefined): unknown => {
    const session = opened(PIPELINE);
    session.assert("Product", { sku: "b", name: "bolt", price: 1 });
    session.assert("Order", { id: "o", ...(lines === undefined ? {} : { lines }) });
    const { decision, value, unknown } = session.decide("p", "Order~o");
    return [decision, value, unknown === true];
  };

  test("finds the first item in the order of the list", () => {
    expect(decided([line("a"), line("b", 11), line("c", 99)])).toEqual(["BLOCK", "too many of b", false]);
    expect(decided([line("a"), line("b")])).toEqual(["ANSWER", "b", false]);
    expect(decided([line("a")])).toEqual(["ERROR", "nothing is known", false]);
    expect(decided([])).toEqual(["ERROR", "nothing is known", false]);
  });

  test("is unknown for a list that is missing, and closes", () => {
    expect(decided(undefined)).toEqual(["BLOCK", "unknown:many: l is unknown: Order o has no lines", true]);
  });
});

describe("explanations", () => {
  test("name the item", () => {
    const session = opened("rule r { when o: Order l in o.lines where l.qty > 10 then log(l.sku) }");
    session.assert("Order", { id: "o", lines: [line("a", 3), line("b", 11)] });
    const { fired } = session.run();
    const why = textTree(session.why(fired[0] as never));
    expect(why).toContain('l is {sku: "b", qty: 11, tags: []}, the item o.lines[1].');
    expect(why).toContain("l.qty is 11, so l.qty > 10 holds");
  });

  test("say which item comes closest", () => {
    const session = opened("rule r { when o: Order l in o.lines where l.qty > 100 then log(l.sku) }");
    session.assert("Order", { id: "o", lines: [line("a", 3), line("b", 98), line("c", 50)] });
    expect(session.whyNot("r").upward_rationale).toBe(
      '"r" does not fire: no item of o.lines passes; for the closest, o.lines[1], l.qty is 98, which is not over 100.',
    );
  });

  test("say why there is no item", () => {
    const session = opened("rule r { when o: Order l in o.lines then log(l.sku) }");
    const order = session.assert("Order", { id: "o" });
    expect(session.whyNot("r").upward_rationale).toBe('"r" does not fire: o.lines is no list (o.lines is missing).');
    session.update(order, { lines: [] });
    expect(session.whyNot("r").upward_rationale).toBe('"r" does not fire: o.lines is empty.');
  });
});
