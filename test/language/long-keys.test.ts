/** Tests that a key may be a reference to a type whose key is one, and so on, as long as it goes on. */
import { expect, test } from "vitest";
import { plainKeyOf } from "../../src/language/check/keys.ts";
import type { Symbols } from "../../src/language/check/symbols.ts";

const LENGTH = 50_000;

/** Types whose key is a reference to the one before; the first has a string, or with `circle` a reference to the last. */
function symbols(circle: boolean): { readonly symbols: Symbols; readonly asked: () => number } {
  let asked = 0;
  const type = (name: string): object => {
    asked += 1;
    const at = Number(name.slice(1));
    const isPlain = at === 0 && !circle;
    const of = isPlain ? { kind: "string" } : { kind: "fact", type: `T${at === 0 ? LENGTH : at - 1}` };
    return { fields: new Map([["id", { name: `id${at}`, key: true, type: of }]]) };
  };
  return { symbols: { type } as unknown as Symbols, asked: () => asked };
}

test("a row of keys is followed to its end, one step for each", () => {
  const row = symbols(false);
  expect(plainKeyOf(row.symbols, `T${LENGTH}`)?.name).toBe("id0");
  expect(row.asked()).toBe(LENGTH + 1);
});

test("a circle of keys has none", () => {
  expect(plainKeyOf(symbols(true).symbols, `T${LENGTH}`)).toBeUndefined();
});
