/** Random gates as models and as text, and random facts for them. */
import type { GateModel, LeafModel, TreeModel } from "../oracle/gates.ts";

export type Random = () => number;

export function below(random: Random, n: number): number {
  return Math.floor(random() * n);
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const at = below(random, items.length);
  for (const item of items.slice(at, at + 1)) return item;
  throw new Error("there is nothing to choose from");
}

const PEOPLE = ["ann", "bob"] as const;

export function randomGate(random: Random, name: string): GateModel {
  const subjects = pick(random, ["all", "p", "p", undefined] as const);
  const tree = randomTree(random, 1 + below(random, 3), subjects !== undefined);
  return { name, tree, bochvar: random() < 0.4, verified: random() < 0.3, subjects };
}

function randomTree(random: Random, depth: number, subject: boolean): TreeModel {
  if (depth === 0 || random() < 0.35) return { op: "leaf", leaf: randomLeaf(random, subject) };
  const item = (): TreeModel => randomTree(random, depth - 1, subject);
  const items = Array.from({ length: 2 + below(random, 2) }, item);
  switch (below(random, 4)) {
    case 0:
      return { op: "not", items: [item()] };
    case 1:
      return { op: "least", min: 1 + below(random, items.length), items };
    case 2:
      return { op: "any", items };
    default:
      return { op: "all", items };
  }
}

function randomLeaf(random: Random, subject: boolean): LeafModel {
  if (subject && random() < 0.25) return random() < 0.3 ? { kind: "host" } : { kind: "inline", n: below(random, 3) };
  if (random() < 0.15) return { kind: "facts", min: 1 + below(random, 2) };
  const kind = pick(random, ["agree", "agree", "any", "every", "latest", "exists", "none"] as const);
  return { kind, who: pick(random, PEOPLE) };
}

export const MODEL_TYPES = `
type S(#id: number, a: any?, kind: string, born: number)
type E(#id: number, s: number, who: string, n: any?, at: any?, trust: string?)
action said(gate: string, outcome: string, who: any)
`;

/** Conditions that are asked about a subject have the letter x in front; the others look at all evidence. */
export const MODEL_CONDITIONS = ["x", ""]
  .flatMap((of) => {
    const param = of === "x" ? "x: S, " : "";
    const from = `e: E(${of === "x" ? "e.s == x.id, " : ""}e.who == who)`;
    const inside = `E(${of === "x" ? "s == x.id, " : ""}who == name)`;
    return [
      `condition ${of}agree(${param}who: string) : e.n > 2 from ${from}`,
      `condition ${of}any_of(${param}who: string) : e.n > 2 from any ${from}`,
      `condition ${of}every_of(${param}who: string) : e.n > 2 from every ${from}`,
      `condition ${of}newest(${param}who: string) : e.n > 2 from latest ${from} by e.at`,
      `condition ${of}there_is(${param}name: string) : exists ${inside}`,
      `condition ${of}there_is_no(${param}name: string) : not exists ${inside}`,
    ];
  })
  .join("\n");

const NAMES = {
  agree: "agree",
  any: "any_of",
  every: "every_of",
  latest: "newest",
  exists: "there_is",
  none: "there_is_no",
} as const;

export function gateText(gate: GateModel): string {
  const { name, tree, bochvar, verified, subjects } = gate;
  const about = subjects === undefined ? "" : subjects === "all" ? " for x: S" : ' for x: S(x.kind == "p")';
  const who = subjects === undefined ? "0" : "x.id";
  const settings = [
    ...(bochvar ? ["logic bochvar"] : []),
    ...(verified && hasEvidence(tree) ? ["trust verified"] : []),
  ];
  const reactions = ["pass", "hold", "fail"].map(
    (outcome) => `on ${outcome} then said("${name}", "${outcome}", ${who})`,
  );
  return `gate "${name}"${about} {\n${settings.join("\n")}\nrequire ${treeText(tree, subjects !== undefined)}\n${reactions.join("\n")}\n}`;
}

function hasEvidence(tree: TreeModel): boolean {
  if (tree.op !== "leaf") return tree.items.some(hasEvidence);
  return tree.leaf.kind !== "inline" && tree.leaf.kind !== "host";
}

function treeText(tree: TreeModel, subject: boolean): string {
  if (tree.op === "leaf") return leafText(tree.leaf, subject);
  const items = tree.items.map((item) => treeText(item, subject));
  switch (tree.op) {
    case "not":
      return `not (${items.join("")})`;
    case "least":
      return `at least ${tree.min} of (${items.join(", ")})`;
    case "all":
      return `(${items.join(" and ")})`;
    case "any":
      return `any(${items.join(", ")})`;
  }
}

function leafText(leaf: LeafModel, subject: boolean): string {
  switch (leaf.kind) {
    case "inline":
      return `x.a > ${leaf.n}`;
    case "host":
      return "even(x.a)";
    case "facts":
      return `at least ${leaf.min} of e: E${subject ? "(e.s == x.id)" : ""} : e.n > 2`;
    default:
      return `${subject ? "x" : ""}${NAMES[leaf.kind]}(${subject ? "x, " : ""}"${leaf.who}")`;
  }
}

/** Fields of evidence: missing ones and values of a wrong type are as likely as good ones. */
export function randomEvidence(random: Random): Record<string, unknown> {
  return {
    n: pick(random, [1, 2, 3, 4, 5, "4", undefined]),
    at: pick(random, [1, 2, 3, 4, 5, "1", undefined]),
    trust: pick(random, ["verified", "verified", "asserted", undefined]),
  };
}

export function randomPerson(random: Random): string {
  return pick(random, PEOPLE);
}
