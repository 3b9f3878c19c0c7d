/** Tests which facts a session accepts: ids, keys, defaults, references, depth and size limits, and the errors for the rest. */
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/base/limits.ts";
import { Admission } from "../../src/session/admission/admission.ts";
import { FactError } from "../../src/session/errors.ts";
import { FactHandle } from "../../src/session/results.ts";
import type { FieldSchema, Schema, SchemaType } from "../../src/session/admission/schema.ts";
import { Shapes } from "../../src/session/admission/shapes.ts";
import { fieldsOf } from "../../src/session/views.ts";

const field = (name: string, type: SchemaType, more: Partial<FieldSchema> = {}): FieldSchema => ({
  name,
  type,
  key: false,
  optional: false,
  default: undefined,
  ...more,
});

const SCHEMA: Schema = {
  open: false,
  types: new Map(
    [
      {
        name: "Person",
        engineKept: false,
        fields: [
          field("id", { kind: "string" }, { key: true }),
          field("name", { kind: "string" }),
          field("age", { kind: "number" }),
          field("status", { kind: "string" }, { default: "Regular" }),
          field("email", { kind: "string" }, { optional: true }),
          field("more", { kind: "any" }, { optional: true }),
        ],
      },
      {
        name: "Order",
        engineKept: false,
        fields: [
          field("shop", { kind: "string" }, { key: true }),
          field("num", { kind: "number" }, { key: true }),
          field("buyer", { kind: "ref", type: "Person" }, { optional: true }),
          field("tags", { kind: "list", item: { kind: "string" } }, { optional: true }),
          field("state", { kind: "union", options: ["open", "paid"] }, { default: "open" }),
          field("next", { kind: "ref", type: "Order" }, { optional: true }),
          field("bin", { kind: "ref", type: "Bin" }, { optional: true }),
          field("friends", { kind: "list", item: { kind: "ref", type: "Person" } }, { optional: true }),
        ],
      },
      { name: "Bin", engineKept: false, fields: [field("n", { kind: "number" }, { key: true })] },
      { name: "Verdict", engineKept: true, fields: [field("verdict", { kind: "string" })] },
      { name: "Note", engineKept: false, fields: [field("text", { kind: "string" })] },
    ].map((type) => [type.name, type]),
  ),
};

const ANN = { id: "p1", name: "Ann", age: 30 };

function admit(type: string, given: unknown, schema: Schema = SCHEMA): { id: string | undefined; fields: object } {
  const { id, shape, values } = new Admission(schema, new Shapes(), DEFAULT_LIMITS).admit(type, given);
  return { id, fields: fieldsOf(shape, values) };
}

function refusal(type: string, given: unknown, schema: Schema = SCHEMA): string {
  try {
    admit(type, given, schema);
  } catch (error) {
    if (!(error instanceof FactError)) throw error;
    return `${error.code} ${error.message}${error.hint === undefined ? "" : ` | ${error.hint}`}`;
  }
  return "admitted";
}

const buyer = (given: unknown): unknown => admit("Order", { shop: "s", num: 1, buyer: given }).fields;

const wide = (from: number, to: number): object =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`f${from + index}`, 1]));

function changes(given: unknown): unknown {
  const admission = new Admission(SCHEMA, new Shapes(), DEFAULT_LIMITS);
  const { shape, values } = admission.admit("Person", { ...ANN, status: "VIP", email: "a@x", more: [1, { a: 2 }] });
  const names = shape.fields;
  const changed = admission.admitChanges("Person", values, given);
  return changed.slots.map((slot, at) => [names[slot], changed.values[at]]);
}

describe("a declared fact", () => {
  test("gets its id from its key, its defaults, and no field for what is missing", () => {
    expect(admit("Person", { ...ANN, email: null, more: undefined })).toEqual({
      id: "Person~p1",
      fields: { ...ANN, status: "Regular" },
    });
  });

  test("escapes what would be ambiguous in an id", () => {
    expect(admit("Order", { shop: "a_b ~%", num: -1.5 }).id).toBe("Order~a%5Fb%20%7E%25_-1.5");
  });

  test("has no id yet when its type has no key", () => {
    expect(admit("Note", { text: "x" }).id).toBeUndefined();
  });

  test.each([
    ["Persn", ANN, 'E201 unknown type "Persn" | did you mean "Person"?'],
    ["Verdict", { verdict: "x" }, "E214 facts of type Verdict are written by the engine"],
    ["Person", { ...ANN, agee: 3 }, 'E401 Person has no field "agee" | did you mean "age"?'],
    ["Note", { text: "", zzzz: 3 }, 'E401 Note has no field "zzzz" | fields: text'],
    ["Person", { id: "p1" }, 'E402 Person is missing the required fields "name", "age"'],
    ["Person", { ...ANN, name: null }, 'E402 Person is missing the required field "name"'],
    ["Person", { ...ANN, id: undefined }, 'E402 Person is missing the required field "id"'],
    ["Person", { ...ANN, _id_: "x" }, 'E403 "_id_" is a reserved field name'],
    ["Person", { ...ANN, constructor: "x" }, 'E403 "constructor" is a reserved field name'],
    ["Person", JSON.parse('{"__proto__": {"age": 3}}'), 'E403 "__proto__" is a reserved field name'],
    ["Person", { ...ANN, more: { a: [JSON.parse('{"__proto__": 1}')] } }, 'E403 "__proto__" is a reserved field name'],
    ["Person", { ...ANN, age: Number.NaN }, "E405 Person.age must be a finite number, found NaN"],
    ["Person", { ...ANN, more: [[Infinity]] }, "E405 Person.more must be a finite number, found Infinity"],
    ["Person", { ...ANN, name: "\ud800" }, "E406 Person.name contains an unpaired surrogate"],
    ["Person", { ...ANN, more: { a: ["\udc00x"] } }, "E406 Person.more contains an unpaired surrogate"],
    ["Person", { ...ANN, more: { "\ud800": 1 } }, "E406 Person.more contains an unpaired surrogate"],
    ["Person", { ...ANN, age: "30" }, "E407 Person.age must be number, found string"],
    ["Person", { ...ANN, name: 3 }, "E407 Person.name must be string, found number"],
    ["Person", { ...ANN, email: true }, "E407 Person.email must be string, found bool"],
    ["Person", { ...ANN, more: 3n }, "E407 Person.more cannot hold a bigint"],
    ["Person", { ...ANN, more: () => 1 }, "E407 Person.more cannot hold a function"],
    ["Person", { ...ANN, more: new Date(0) }, "E407 Person.more cannot hold an object of class Date"],
    ["Person", { ...ANN, more: [1, null] }, "E407 item 2 of Person.more is null or undefined"],
    ["Order", { shop: "s", num: 1, tags: "gift" }, "E407 Order.tags must be string[], found string"],
    ["Order", { shop: "s", num: 1, tags: ["gift", 3] }, "E407 Order.tags must be string, found number"],
    ["Order", { shop: "s", num: 1, state: "opne" }, 'E407 Order.state must be "open" | "paid", found "opne" | did you'],
    ["Order", { shop: "s", num: 1, buyer: "Order~s_1" }, "E407 Order.buyer must be Person, found Order"],
    ["Order", { shop: "s", num: 1, buyer: 3 }, "E407 Order.buyer must be Person, found number"],
    [
      "Order",
      { shop: "s", num: 1, next: "s_2" },
      "E407 Order.next must be Order, found string | pass the id of a fact",
    ],
    ["Person", { ...ANN, name: "x".repeat(1024 * 1024 + 1) }, "E303 Person.name has 1048577 characters"],
    ["Person", [1], "E407 the fields of Person must be an object"],
    ["Person", null, "E407 the fields of Person must be an object"],
  ])("%s is refused with a reason (%#)", (type, given, message) => {
    expect(refusal(type, given).slice(0, message.length)).toBe(message);
  });

  test("may be nested 32 deep, not 33, and a circle ends in the same error", () => {
    const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(refusal("Person", { ...ANN, more: nest(32) })).toBe("admitted");
    expect(refusal("Person", { ...ANN, more: nest(33) })).toBe("E301 Person.more is nested more than 32 levels deep");
    expect(refusal("Person", { ...ANN, more: circle })).toBe("E301 Person.more is nested more than 32 levels deep");
  });

  test("does not grow without end from shared parts", () => {
    let shared: unknown = [1];
    for (let level = 0; level < 30; level++) shared = [shared, shared];
    expect(refusal("Person", { ...ANN, more: shared })).toBe("E306 Person.more holds more than 1000000 values");
  });

  test("stores 0 for -0, also inside lists", () => {
    const { fields } = admit("Person", { ...ANN, age: -0, more: [-0] });
    expect(fields).toEqual({ ...ANN, age: 0, more: [0], status: "Regular" });
  });

  test("is a copy: what the host does later does not reach it", () => {
    const more = { list: [1] };
    const { fields } = admit("Person", { ...ANN, more });
    more.list.push(2);
    expect(fields).toMatchObject({ more: { list: [1] } });
  });

  test("reads every property once", () => {
    let reads = 0;
    const given = {
      ...ANN,
      get age() {
        reads += 1;
        return reads;
      },
    };
    expect(admit("Person", given).fields).toMatchObject({ age: 1 });
    expect(reads).toBe(1);
  });
});

describe("a reference", () => {
  test("can be an id, a key, or a handle", () => {
    expect(buyer("Person~p2")).toMatchObject({ buyer: "Person~p2" });
    expect(buyer("p_2")).toMatchObject({ buyer: "Person~p%5F2" });
    expect(buyer(new FactHandle("Person~p2"))).toMatchObject({ buyer: "Person~p2" });
  });

  test("by a number where the key is a number", () => {
    expect(admit("Order", { shop: "s", num: 1, bin: 7 }).fields).toMatchObject({ bin: "Bin~7" });
  });

  test("is turned into an id inside lists too", () => {
    const { fields } = admit("Order", { shop: "s", num: 1, friends: ["p1", "Person~p2"] });
    expect(fields).toMatchObject({ friends: ["Person~p1", "Person~p2"] });
  });

  test("needs an id where the type has several keys", () => {
    expect(admit("Order", { shop: "s", num: 1, next: "Order~s_2" }).fields).toMatchObject({ next: "Order~s_2" });
  });
});

describe("an open program", () => {
  const open: Schema = { open: true, types: new Map() };

  test("accepts any type and field", () => {
    expect(admit("Thing", { a: 1, "b c": [{ d: "x" }] }, open)).toEqual({
      id: undefined,
      fields: { a: 1, "b c": [{ d: "x" }] },
    });
  });

  test.each([
    ["A~B", {}, 'E201 invalid type name "A~B"'],
    ["", {}, 'E201 invalid type name ""'],
    ["constructor", {}, 'E403 "constructor" is a reserved field name'],
    ["Thing", { prototype: 1 }, 'E403 "prototype" is a reserved field name'],
    ["Thing", { a: Number.NaN }, "E405 Thing.a must be a finite number"],
  ])("but not everything: %s (%#)", (type, given, message) => {
    expect(refusal(type, given, open).slice(0, message.length)).toBe(message);
  });

  test("has at most 1,000 fields in one fact, and in all facts of a type together", () => {
    const admission = new Admission(open, new Shapes(), DEFAULT_LIMITS);
    expect(() => admission.admit("Thing", wide(0, 1001))).toThrow("this fact has 1001 fields; the limit is 1000");
    admission.admit("Thing", wide(0, 600));
    expect(() => admission.admit("Thing", wide(600, 1001))).toThrow(
      "facts of type Thing have more than 1000 different fields",
    );
    admission.admit("Thing", wide(600, 1000));
  });

  test("does not remember the fields of a refused fact", () => {
    const shapes = new Shapes();
    const admission = new Admission(open, shapes, DEFAULT_LIMITS);
    expect(() => admission.admit("Thing", { a: 1, b: Number.NaN })).toThrow(FactError);
    expect(shapes.find("Thing")).toBeUndefined();
  });
});

describe("an update", () => {
  test("keeps only what differs", () => {
    expect(changes({ age: 30, name: "Anna", more: [1, { a: 2 }], id: "p1" })).toEqual([["name", "Anna"]]);
  });

  test("clears an optional field, and sets a required one to its default", () => {
    expect(changes({ email: null, status: undefined })).toEqual([
      ["email", undefined],
      ["status", "Regular"],
    ]);
  });

  test.each([
    [{ name: null }, 'Person is missing the required field "name"'],
    [{ id: "p2" }, "Person.id is a key and cannot be updated"],
    [{ agee: 3 }, 'Person has no field "agee"'],
    [{ age: "3" }, "Person.age must be number, found string"],
  ])("%j is refused", (given, message) => {
    expect(() => changes(given)).toThrow(message);
  });
});
