/** Tests keys that are references: `type Basket(#buyer: Customer)`. */
import { describe, expect, test } from "vitest";
import { check, compile, declarations, type Session } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const TYPES = `
type Customer(#id: string, name: string?)
type Basket(#buyer: Customer, total: number = 0)
type Item(#basket: Basket, #sku: string, qty: number = 1)
type Note(of: Basket?, n: number = 0)
`;

const ids = (session: Pick<Session, "facts">, type: string): string[] => session.facts(type).map(({ id }) => id);

function codes(source: string): string[] {
  return check(source).diagnostics.map(({ code, message }) => `${code} ${message}`);
}

describe("ids", () => {
  test.each([
    ["the key of the customer", { buyer: "c1" }],
    ["its id", { buyer: "Customer~c1" }],
  ])("a key is given as %s", (_, fields) => {
    const session = compile(TYPES).session();
    expect(session.assert("Basket", fields).id).toBe("Basket~c1");
    expect(session.fact("Basket~c1")?.fields["buyer"]).toBe("Customer~c1");
    expect(() => session.assert("Basket", { buyer: "Customer~c1", total: 3 })).toThrow(/E410|already exists/u);
  });

  test("a key with characters that are escaped stands in both ids in the same way", () => {
    const session = compile(TYPES).session();
    const customer = session.assert("Customer", { id: "c_1 %~" });
    const basket = session.assert("Basket", { buyer: customer });
    expect([customer.id, basket.id]).toEqual(["Customer~c%5F1%20%25%7E", "Basket~c%5F1%20%25%7E"]);
    expect(session.assert("Item", { basket, sku: "s_1" }).id).toBe("Item~c%5F1%20%25%7E_s%5F1");
    const item = session.assert("Item", { basket: "c_1 %~", sku: "t" });
    expect(session.fact(item)?.fields["basket"]).toBe(basket.id);
  });

  test("facts of the program name customers by name, key or id, before and after they are stated", () => {
    const session = compile(`${TYPES}
      early = Basket(later)
      later = Customer("c1")
      Basket("c2")
      Basket("Customer~c3")
      line = Item(early, "s")
      Note(of: early)
      Note(of: "c2", n: 1)`).session();
    expect(ids(session, "Basket")).toEqual(["Basket~c1", "Basket~c2", "Basket~c3"]);
    expect(ids(session, "Item")).toEqual(["Item~c1_s"]);
    expect(session.facts("Note").map(({ fields }) => fields["of"])).toEqual(["Basket~c1", "Basket~c2"]);
  });

  test("a reference that is no id is refused: with a second key it could be read as another fact", () => {
    const session = compile(`${TYPES}\ntype Pair(#a: Customer, #b: Customer)`).session();
    expect(() => session.assert("Pair", { a: "Customer~x_y", b: "z" })).toThrow(/no fact has the id "Customer~x_y"/u);
    expect(session.assert("Pair", { a: "x_y", b: "z" }).id).toBe("Pair~x%5Fy_z");
    expect(session.assert("Pair", { a: "x", b: "y_z" }).id).toBe("Pair~x_y%5Fz");
    expect(ids(session, "Pair")).toHaveLength(2);
  });

  test("one basket stated twice is found, however its customer is written", () => {
    expect(codes(`${TYPES}\nBasket("c1")\nBasket("Customer~c1")`)).toEqual([
      'E410 duplicate key: Basket "Customer~c1" already exists',
    ]);
    const removed = compile(`${TYPES}\nBasket("c1", 1)\nremove fact Basket("Customer~c1")\nBasket("c1", 2)`).session();
    expect(removed.facts("Basket").map(({ fields }) => fields["total"])).toEqual([2]);
  });
});

describe("rules", () => {
  const RULES = `${TYPES}
    rule "empty" {
        when
            c: Customer
            not Basket(buyer == c)
        then insert Basket(buyer: c)
    }
    rule "sold" {
        when
            b: Basket(total > 10)
            i: Item(basket == b)
        then log(b.buyer.name, i.sku)
    }
    gate "sell" for b: Basket { require b.total > 10 and exists Item(basket == b) }
    query baskets(c: Customer) { b: Basket(buyer == c) }`;

  test("they insert and join by such keys", () => {
    const session = compile(RULES).session();
    session.assert("Customer", { id: "c1", name: "Ann" });
    session.run();
    expect(ids(session, "Basket")).toEqual(["Basket~c1"]);
    session.update("Basket~c1", { total: 20 });
    session.assert("Item", { basket: "c1", sku: "s" });
    expect(session.run().effects.map(({ args }) => args)).toEqual([["Ann", "s"]]);
    expect(session.query("baskets", { c: "c1" })).toHaveLength(1);
    expect(() => session.update("Basket~c1", { buyer: "c2" })).toThrow(/key and cannot be updated/u);
  });

  test("a snapshot, a reload and a renamed type keep the ids", () => {
    const session = compile(RULES).session();
    session.assert("Customer", { id: "c1", name: "Ann" });
    session.run();
    const restored = compile(RULES).session({ from: session.snapshot() });
    expect(ids(restored, "Basket")).toEqual(["Basket~c1"]);
    const plain = compile("type Customer(#id: string, name: string?)\ntype Basket(#buyer: string, total: number = 0)");
    session.reload(plain, { migrate: { Basket: (fact) => ({ ...fact, buyer: "c1" }) } });
    expect(ids(session, "Basket")).toEqual(["Basket~c1"]);
    session.reload(compile(RULES), { migrate: { Basket: (fact) => ({ ...fact, buyer: "c1" }) } });
    expect(session.fact("Basket~c1")?.fields["buyer"]).toBe("Customer~c1");
  });

  test("what would open a gate names such facts by the ids that they get", () => {
    const session = compile(RULES).session();
    session.assert("Customer", { id: "c1" });
    session.assert("Basket", { buyer: "c1", total: 20 });
    const { remedies } = session.searchOpen("sell", "Basket~c1");
    const added = remedies.flatMap(({ edits }) => edits.filter(({ op }) => op === "assert"));
    expect(added).toEqual([
      expect.objectContaining({ type: "Item", fields: expect.objectContaining({ basket: "Basket~c1" }) }),
    ]);
  });

  test("the brute-force matcher agrees", () => {
    const facts = 'x = Customer("c1", "Ann")\nbig = Basket(x, 20)\nItem(big, "s")\nItem("c1", "t")';
    const ran = runCli(["prove", "rules.tsd", "--cases", "200"], { "rules.tsd": `${RULES}\n${facts}` });
    expect(ran.out).toContain("no difference");
  });

  test("tests state them, and the types of TypeScript take keys", () => {
    const files = {
      "rules.tsd": `${RULES}
        test "sold" {
            given ann = Customer("c1", "Ann")
            given b = Basket(ann, 20)
            given Item(b, "s")
            expect rule "sold" fires
            expect gate sell(b) is pass
        }`,
    };
    expect(runCli(["test", "rules.tsd"], files)).toMatchObject({ exit: 0 });
    expect(declarations(compile(RULES))).toContain('basket: RefOf<"Basket", string>');
  });
});

test("keys that cannot be in an id are refused", () => {
  expect(
    codes(`type None(n: number)
      type Two(#a: string, #b: number)
      type A(#b: B)
      type B(#a: A)
      type Self(#self: Self)
      type P(#none: None)
      type Q(#two: Two)
      type R(#list: Two[])
      type S(#one: Fine?)
      type Fine(#id: string)`),
  ).toEqual([
    "E214 key A.b refers to itself through B",
    "E214 key B.a refers to itself through A",
    "E214 key Self.self refers to itself through Self",
    "E214 key P.none must refer to a type with one key, but None has none",
    "E214 key Q.two must refer to a type with one key, but Two has 2",
    "E214 key R.list must be of type string, number or bool, or a reference to a type with one key",
    "E214 key S.one cannot be optional",
  ]);
});
