/**
 * Generates rules of several patterns that share tests, so that the order of joining matters, and writes them with their patterns in
 * any order: each test stands in the last of the patterns that it reads, where their variables are known.
 */
import * as fc from "fast-check";

/** A test: the patterns that it reads, by index, and its text for the words that stand for their fields. */
interface Test {
  readonly of: readonly number[];
  readonly write: (field: (pattern: number, name: string) => string) => string;
}

export interface JoinRule {
  /** The types of the patterns, and whether each has a variable when no other pattern names it. */
  readonly patterns: readonly { readonly type: string; readonly named: boolean }[];
  readonly tests: readonly Test[];
  readonly strategy: string;
  /** Whether tests that read one pattern only are written in a `where`. */
  readonly where: boolean;
}

export interface JoinFact {
  readonly type: string;
  readonly fields: Readonly<Record<string, number | string | object>>;
}

const JOIN_TYPES = `type Node(#id: number, up: Node?, a: number, b: number, tag: string)
record Spot(x: number, y: number)
type Edge(a: number, b: number, at: Spot, end: Node?)
type Mark(a: number, b: number = 0)
`;

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Node: ["a", "b"],
  Edge: ["a", "b", "at.x"],
  Mark: ["a", "b"],
};

const type = fc.constantFrom("Node", "Edge", "Edge", "Mark", "Mark");
const small = fc.nat({ max: 2 });
const operator = fc.constantFrom("==", "==", "==", "==", "<", "!=");

/** Returns a field of a type, chosen by number. */
function fieldOf(one: string, choice: number): string {
  const fields = FIELDS[one] ?? [];
  return fields[choice % fields.length] ?? "a";
}

interface TestGene {
  readonly kind: "pair" | "constant" | "three" | "followed" | "reference";
  readonly of: readonly [number, number, number];
  readonly fields: readonly [number, number, number];
  readonly op: string;
  readonly value: number;
}

const testGene: fc.Arbitrary<TestGene> = fc.record({
  kind: fc.constantFrom("pair", "pair", "pair", "constant", "constant", "three", "followed", "reference"),
  of: fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 }), fc.nat({ max: 4 })),
  fields: fc.tuple(small, small, small),
  op: operator,
  value: small,
});

function testOf(gene: TestGene, types: readonly string[]): Test[] {
  const [p = 0, q = 0, r = 0] = gene.of.map((one) => one % types.length);
  const [f, g, h] = [p, q, r].map((one, at) => fieldOf(types[one] ?? "", gene.fields[at] ?? 0));
  const { op, value } = gene;
  switch (gene.kind) {
    case "constant":
      return [{ of: [p], write: (field) => `${field(p, f ?? "a")} ${op} ${value}` }];
    case "three":
      return [
        { of: [p, q, r], write: (field) => `${field(p, f ?? "a")} <= ${field(q, g ?? "a")} + ${field(r, h ?? "a")}` },
      ];
    case "followed": {
      const from = types[p] === "Node" ? "up.a" : "end.a";
      if (types[p] === "Mark") return [];
      return [{ of: [p, q], write: (field) => `${field(p, from)} ${op} ${field(q, g ?? "a")}` }];
    }
    case "reference": {
      if (types[p] === "Mark" || types[q] !== "Node") return [];
      const from = types[p] === "Node" ? "up" : "end";
      return [{ of: [p, q], write: (field) => `${field(p, from)} == ${field(q, "")}` }];
    }
    default:
      return p === q ? [] : [{ of: [p, q], write: (field) => `${field(p, f ?? "a")} ${op} ${field(q, g ?? "a")}` }];
  }
}

export const joinRule: fc.Arbitrary<JoinRule> = fc
  .record({
    patterns: fc.array(fc.record({ type, named: fc.boolean() }), { minLength: 2, maxLength: 4 }),
    tests: fc.array(testGene, { minLength: 1, maxLength: 5, size: "max" }),
    strategy: fc.constantFrom("breadth", "depth", "lex"),
    where: fc.boolean(),
  })
  .map(({ patterns, tests, ...rest }) => {
    const types = patterns.map((one) => one.type);
    return { patterns, tests: tests.flatMap((gene) => testOf(gene, types)), ...rest };
  });

const node = fc.record({ a: small, b: small, up: fc.option(fc.nat({ max: 3 }), { nil: null }) });

/** Facts of all types; nodes have the ids 0, 1, … in order. */
export const joinFacts: fc.Arbitrary<readonly JoinFact[]> = fc
  .record({
    nodes: fc.array(node, { maxLength: 4 }),
    edges: fc.array(fc.tuple(small, small, small, fc.option(fc.nat({ max: 3 }), { nil: null })), { maxLength: 5 }),
    marks: fc.array(fc.tuple(small, small), { maxLength: 5 }),
    shuffled: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ nodes, edges, marks, shuffled }) => {
    const facts: JoinFact[] = [
      ...nodes.map(({ a, b, up }, id) => ({
        type: "Node",
        fields: { id, a, b, tag: "t", ...(up === null ? {} : { up: `Node~${up}` }) },
      })),
      ...edges.map(([a, b, x, end]) => ({
        type: "Edge",
        fields: { a, b, at: { x, y: 0 }, ...(end === null ? {} : { end: `Node~${end}` }) },
      })),
      ...marks.map(([a, b]) => ({ type: "Mark", fields: { a, b } })),
    ];
    const keyed = facts.map((fact) => ({ fact, key: shuffled.next().value ?? 0 }));
    return keyed.sort((one, other) => one.key - other.key).map(({ fact }) => fact);
  });

const NO_PATTERN: JoinRule["patterns"][number] = { type: "Mark", named: true };

/** Writes the rule with its patterns in an order. Variables are `v0`, `v1`, … whatever the order is. */
export function ruleSource(rule: JoinRule, order: readonly number[], allNamed = false): string {
  const { patterns, tests } = rule;
  const placeOf = (pattern: number): number => order.indexOf(pattern);
  const homes = tests.map(({ of }) =>
    of.reduce((last, one) => (placeOf(one) > placeOf(last) ? one : last), of[0] ?? 0),
  );
  const named = new Set(tests.flatMap(({ of }, at) => of.filter((one) => one !== homes[at])));
  const wheres: string[] = [];
  const lines = order.map((pattern) => {
    const { type: one, named: always } = patterns[pattern] ?? NO_PATTERN;
    const own: string[] = [];
    for (const [at, { of, write }] of tests.entries()) {
      if (homes[at] !== pattern) continue;
      const isApart = rule.where && new Set(of).size === 1;
      if (isApart) named.add(pattern);
      const text = write((inner, field) => {
        if (field === "") return `v${inner}`;
        return inner === pattern && !isApart ? field : `v${inner}.${field}`;
      });
      if (isApart) wheres.push(`where ${text}`);
      else own.push(text);
      if (text.includes(`v${pattern}`)) named.add(pattern);
    }
    const variable = allNamed || always || named.has(pattern) ? `v${pattern}: ` : "";
    return `${variable}${one}(${own.join(", ")})`;
  });
  return `option strategy ${rule.strategy}\n${JOIN_TYPES}rule "r" {\n  when\n    ${[...lines, ...wheres].join("\n    ")}\n  then log("r")\n}\n`;
}

/** Returns every order of so many things. */
export function ordersOf(count: number): number[][] {
  if (count === 0) return [[]];
  return ordersOf(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => [...order.slice(0, at), count - 1, ...order.slice(at)]),
  );
}
