/** Random gates as models and as text, and random facts for them. */
import type { Fit, GateModel, LeafModel, TreeModel } from "../oracle/gates.ts";

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
  const verified = random() < 0.3 && !leavesOf(tree).some(asksInside);
  return { name, tree, bochvar: random() < 0.4, verified, subjects };
}

/** Questions about facts inside a larger test, which cannot be asked with `trust verified`. */
function asksInside(leaf: LeafModel): boolean {
  const inside = leaf.kind === "count" || leaf.kind === "sum" || leaf.kind === "within";
  return inside || ("fit" in leaf && leaf.fit === "inner") || ("asked" in leaf && leaf.asked.fit === "inner");
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
  const fit = randomFit(random, subject);
  if (random() < 0.15) return { kind: "facts", min: 1 + below(random, 2), closed: random() < 0.5, fit };
  if (random() < 0.15) {
    const asked = { kind: pick(random, ASKED), fit: randomFit(random, subject) };
    return { kind: "people", min: 1 + below(random, 2), closed: random() < 0.5, fit, asked };
  }
  if (random() < 0.2) return { kind: pick(random, ["count", "sum"] as const), fit };
  if (subject && random() < 0.1) return { kind: "within", negated: random() < 0.5, fit };
  if (random() < 0.1) return { kind: "pair" };
  return { kind: pick(random, ASKED), who: pick(random, PEOPLE), fit };
}

const ASKED = [
  "agree",
  "agree",
  "any",
  "every",
  "latest",
  "grouped",
  "any_grouped",
  "every_grouped",
  "exists",
  "none",
] as const;

/** Half of the patterns have a test that may be unknown. */
export function randomFit(random: Random, subject: boolean): Fit {
  if (random() < 0.5) return "none";
  return pick(random, ["level", "tag", "risky", "or", "not", "inner", ...(subject ? (["key"] as const) : [])] as const);
}

export const MODEL_TYPES = `
type S(#id: number, a: any?, k: any?, kind: string, born: number)
type E(#id: number, s: number, who: string, n: any?, at: any?, trust: string?, lv: any?, tag: any?)
action said(gate: string, outcome: string, who: any)
`;

/** The functions of the host that gates ask, and what they are. */
export const MODEL_FUNCTIONS = {
  even: { params: [{ name: "n", type: { kind: "any" }, optional: false }], result: { kind: "bool" } },
  risky: { params: [{ name: "n", type: { kind: "any" }, optional: false }], result: { kind: "bool" } },
} as const;

/** One for all: to make one is what costs. */
const TOO_RISKY = new Error("three is too risky");

/** Throws for 3, gives a text instead of an answer for 2, and nothing for what is no number. */
export function risky(n: unknown): unknown {
  if (n === 3) throw TOO_RISKY;
  if (n === 2) return "maybe";
  return typeof n === "number" ? n > 3 : undefined;
}

/** The conditions that gates ask; those about a subject have the letter x in front, the others look at all evidence. */
export function conditionsText(gates: readonly GateModel[]): string {
  const texts = gates.flatMap(({ tree, subjects }) => leavesOf(tree).flatMap((leaf) => conditionText(leaf, subjects)));
  return [...new Set(texts)].join("\n");
}

function leavesOf(tree: TreeModel): LeafModel[] {
  return tree.op === "leaf" ? [tree.leaf] : tree.items.flatMap(leavesOf);
}

function conditionText(leaf: LeafModel, subjects: GateModel["subjects"]): string[] {
  if (!("fit" in leaf)) return [];
  if (leaf.kind === "people") return conditionText({ ...leaf.asked, who: "" }, subjects);
  const subject = subjects !== undefined;
  const name = conditionName(leaf, subject);
  const tests = [...aboutText(leaf.fit, subject, "e."), ...fitText(leaf.fit, "e.")];
  const bare = `E(${[...aboutText(leaf.fit, subject, ""), ...fitText(leaf.fit, "")].join(", ")}`;
  const pattern = leaf.fit === "inner" ? `e: E(${tests.join(", ")}` : bare;
  const about = pattern.endsWith("(") ? "" : ", ";
  const head = `condition ${name}(${subject ? "x: S, " : ""}`;
  switch (leaf.kind) {
    case "agree":
    case "any":
    case "every":
    case "latest":
    case "grouped":
    case "any_grouped":
    case "every_grouped": {
      const { mode, order } = READINGS[leaf.kind];
      return [`${head}who: string) : e.n > 2 from ${mode}e: E(${[...tests, "e.who == who"].join(", ")})${order}`];
    }
    case "exists":
    case "none": {
      const not = leaf.kind === "none" ? "not " : "";
      return [`${head}name: string) : ${not}exists ${pattern}${about}who == name)`];
    }
    case "within":
      return [`condition ${name}(x: S) : ${leaf.negated ? "not " : ""}exists ${pattern}) and x.a > 0`];
    default:
      return [];
  }
}

const READINGS = {
  agree: { mode: "", order: "" },
  any: { mode: "any ", order: "" },
  every: { mode: "every ", order: "" },
  latest: { mode: "latest ", order: " by e.at" },
  grouped: { mode: "latest ", order: " by e.at per e.tag" },
  any_grouped: { mode: "any latest ", order: " by e.at per e.tag" },
  every_grouped: { mode: "every latest ", order: " by e.at per e.tag" },
} as const;

function conditionName(leaf: Extract<LeafModel, { fit: Fit }>, subject: boolean): string {
  const negated = leaf.kind === "within" && leaf.negated ? "no_" : "";
  return `${subject ? "x" : ""}${leaf.kind}_${negated}${leaf.fit}`;
}

export function aboutText(fit: Fit, subject: boolean, of: string): string[] {
  return subject ? [`${of}s == ${fit === "key" ? "x.k" : "x.id"}`] : [];
}

export function fitText(fit: Fit, of: string): string[] {
  switch (fit) {
    case "none":
    case "key":
      return [];
    case "level":
      return [`${of}lv > 1`];
    case "tag":
      return [`${of}tag == "x"`];
    case "risky":
      return [`risky(${of}lv)`];
    case "or":
      return [`(${of}tag == "x" or risky(${of}lv))`];
    case "not":
      return [`not risky(${of}lv)`];
    case "inner":
      return ["not exists f: E(f.who == e.who, risky(f.lv))"];
  }
}

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

export function treeText(tree: TreeModel, subject: boolean): string {
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
      return `${populationText(leaf, subject)} : e.n > 2`;
    case "people": {
      const name = conditionName({ ...leaf.asked, who: "" }, subject);
      return `${populationText(leaf, subject)} : ${name}(${subject ? "x, " : ""}e.who)`;
    }
    case "member":
    case "spare":
      throw new Error("a tree that was taken apart has no text");
    case "count":
      return `COUNT(${sourceText(leaf.fit, subject)}) == 1`;
    case "sum":
      return `SUM(${sourceText(leaf.fit, subject)} ; e.n) > 3`;
    case "pair":
      return `EXISTS(e: E, f: E / ${subject ? "e.s == x.id AND " : ""}f.tag == e.tag AND f.lv > 1)`;
    case "within":
      return `${conditionName(leaf, subject)}(x)`;
    default:
      return `${conditionName(leaf, subject)}(${subject ? "x, " : ""}"${leaf.who}")`;
  }
}

function populationText(
  { min, closed, fit }: { readonly min: number; readonly closed: boolean; readonly fit: Fit },
  subject: boolean,
): string {
  const tests = [...aboutText(fit, subject, "e."), ...fitText(fit, "e.")];
  return `at least ${min} of ${closed ? "all " : ""}e: E${tests.length === 0 ? "" : `(${tests.join(", ")})`}`;
}

export function sourceText(fit: Fit, subject: boolean): string {
  const tests = [...aboutText(fit, subject, "e."), ...fitText(fit, "e.")];
  return `e: E${tests.length === 0 ? "" : ` / ${tests.join(" AND ")}`}`;
}

/** Fields of evidence: missing ones and values of a wrong type are as likely as good ones. */
export function randomEvidence(random: Random): Record<string, unknown> {
  return {
    n: pick(random, [1, 2, 3, 4, 5, "4", undefined]),
    at: pick(random, [1, 2, 3, 4, 5, "1", undefined]),
    trust: pick(random, ["verified", "verified", "asserted", undefined]),
    lv: pick(random, [0, 1, 2, 3, 4, 4, 5, "4", undefined]),
    tag: pick(random, ["x", "x", "y", 1, ["x"], undefined]),
  };
}

/** Fields of a subject that gates read. */
export function randomSubject(random: Random): Record<string, unknown> {
  return { a: pick(random, [0, 1, 2, 3, "2", undefined]), k: pick(random, [0, 0, 1, 1, [0], undefined]) };
}

export function randomPerson(random: Random): string {
  return pick(random, PEOPLE);
}
