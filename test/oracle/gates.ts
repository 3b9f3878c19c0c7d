/**
 * Gates a second time, as simple as can be: loops over all facts, nothing remembered, nothing shared with `src/gates`.
 * What is compared with it is a model of the requirement, not its text.
 */
export type Tri = "T" | "F" | "U";

export interface OracleFact {
  readonly id: string;
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type LeafModel =
  /** `x.a > n`. */
  | { readonly kind: "inline"; readonly n: number }
  /** A function of the host that throws for 3. */
  | { readonly kind: "host" }
  | { readonly kind: "agree" | "any" | "every" | "latest" | "exists" | "none"; readonly who: string }
  | { readonly kind: "facts"; readonly min: number };

export type TreeModel =
  | { readonly op: "leaf"; readonly leaf: LeafModel }
  | { readonly op: "all" | "any"; readonly items: readonly TreeModel[] }
  | { readonly op: "not"; readonly items: readonly TreeModel[] }
  | { readonly op: "least"; readonly min: number; readonly items: readonly TreeModel[] };

export interface GateModel {
  readonly name: string;
  readonly tree: TreeModel;
  readonly bochvar: boolean;
  readonly verified: boolean;
  /** Undefined: without `for`. */
  readonly subjects: "all" | "p" | undefined;
}

export function subjectsOf(gate: GateModel, facts: readonly OracleFact[]): (OracleFact | undefined)[] {
  if (gate.subjects === undefined) return [undefined];
  return facts.filter((fact) => fact.type === "S" && (gate.subjects === "all" || fact.fields["kind"] === "p"));
}

export function valueOf(gate: GateModel, subject: OracleFact | undefined, facts: readonly OracleFact[]): Tri {
  return treeValue(gate.tree, gate, (leaf) => leafValue(leaf, gate, subject, facts));
}

/** The values of all leaves in the author's order. */
export function leafValues(gate: GateModel, subject: OracleFact | undefined, facts: readonly OracleFact[]): Tri[] {
  return leaves(gate.tree).map((leaf) => leafValue(leaf, gate, subject, facts));
}

export function leaves(tree: TreeModel): LeafModel[] {
  return tree.op === "leaf" ? [tree.leaf] : tree.items.flatMap(leaves);
}

/** How many unknown leaves must become known to open the gate, found by trying; undefined when nothing opens it. */
export function fewestMissing(gate: GateModel, values: ReadonlyMap<string, Tri>): number | undefined {
  const unknown = [...values].filter(([, value]) => value === "U").map(([key]) => key);
  let fewest: number | undefined;
  for (let number = 0; number < 3 ** unknown.length; number++) {
    const assigned = new Map(values);
    let used = 0;
    for (const [digit, key] of unknown.entries()) {
      const value = "UTF"[Math.floor(number / 3 ** digit) % 3] as Tri;
      if (value !== "U") used += 1;
      assigned.set(key, value);
    }
    const open = treeValue(gate.tree, gate, (leaf) => assigned.get(JSON.stringify(leaf)) ?? "U") === "T";
    if (open && (fewest === undefined || used < fewest)) fewest = used;
  }
  return fewest;
}

function treeValue(tree: TreeModel, gate: Pick<GateModel, "bochvar">, leaf: (leaf: LeafModel) => Tri): Tri {
  if (tree.op === "leaf") return leaf(tree.leaf);
  const values = tree.items.map((item) => treeValue(item, gate, leaf));
  if (gate.bochvar && values.includes("U")) return "U";
  switch (tree.op) {
    case "not":
      return values[0] === "U" ? "U" : values[0] === "T" ? "F" : "T";
    case "all":
      return values.includes("F") ? "F" : values.includes("U") ? "U" : "T";
    case "any":
      return values.includes("T") ? "T" : values.includes("U") ? "U" : "F";
    case "least": {
      const sure = values.filter((value) => value === "T").length;
      const possible = values.filter((value) => value !== "F").length;
      return sure >= tree.min ? "T" : possible < tree.min ? "F" : "U";
    }
  }
}

function leafValue(
  leaf: LeafModel,
  gate: GateModel,
  subject: OracleFact | undefined,
  facts: readonly OracleFact[],
): Tri {
  if (leaf.kind === "inline") return more(subject?.fields["a"], leaf.n);
  if (leaf.kind === "host") return hostValue(subject?.fields["a"]);
  const about = facts.filter(
    (fact) =>
      fact.type === "E" &&
      (subject === undefined || fact.fields["s"] === subject.fields["id"]) &&
      (leaf.kind === "facts" || fact.fields["who"] === leaf.who),
  );
  const trusted = about.filter((fact) => !gate.verified || fact.fields["trust"] === "verified");
  const values = trusted.map((fact) => more(fact.fields["n"], 2));
  switch (leaf.kind) {
    case "exists":
      return trusted.length > 0 ? "T" : about.length > 0 ? "U" : "F";
    case "none":
      return trusted.length > 0 ? "F" : about.length > 0 ? "U" : "T";
    case "agree":
      return unanimous(values);
    case "any":
      if (values.includes("T")) return "T";
      return values.length === 0 || values.includes("U") ? "U" : "F";
    case "every":
      if (values.includes("F")) return "F";
      return values.length === 0 || values.includes("U") ? "U" : "T";
    case "latest":
      return newest(trusted);
    case "facts": {
      if (values.length === 0 || (gate.bochvar && values.includes("U"))) return "U";
      const sure = values.filter((value) => value === "T").length;
      const possible = values.filter((value) => value !== "F").length;
      return sure >= leaf.min ? "T" : possible < leaf.min ? "F" : "U";
    }
  }
}

function newest(facts: readonly OracleFact[]): Tri {
  const times = facts.map((fact) => fact.fields["at"]);
  const numbers = times.every((time) => typeof time === "number");
  const texts = times.every((time) => typeof time === "string");
  if (facts.length === 0 || (!numbers && !texts)) return "U";
  const last = (times as (string | number)[]).reduce((best, time) => (time > best ? time : best));
  return unanimous(facts.filter((fact) => fact.fields["at"] === last).map((fact) => more(fact.fields["n"], 2)));
}

function unanimous(values: readonly Tri[]): Tri {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : "U";
}

function more(value: unknown, than: number): Tri {
  return typeof value !== "number" ? "U" : value > than ? "T" : "F";
}

function hostValue(value: unknown): Tri {
  return typeof value !== "number" || value === 3 ? "U" : value % 2 === 0 ? "T" : "F";
}
