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

/**
 * What a pattern tests besides whom the fact is about: nothing, `e.lv > 1`, `e.tag == "x"`, `risky(e.lv)`,
 * `e.tag == "x" or risky(e.lv)`, `not risky(e.lv)`, `not exists f: E(f.who == e.who, risky(f.lv))`; `key` looks for facts
 * about `x.k`, which may be missing.
 */
export type Fit = "none" | "level" | "tag" | "risky" | "or" | "not" | "inner" | "key";

export type LeafModel =
  /** `x.a > n`. */
  | { readonly kind: "inline"; readonly n: number }
  /** A function of the host that throws for 3. */
  | { readonly kind: "host" }
  | {
      readonly kind: "agree" | "any" | "every" | "latest" | "exists" | "none";
      readonly who: string;
      readonly fit: Fit;
    }
  | { readonly kind: "facts"; readonly min: number; readonly fit: Fit }
  /** An aggregate in a test: `COUNT(…) == 1`, `SUM(… ; e.n) > 3`. */
  | { readonly kind: "count" | "sum"; readonly fit: Fit }
  /** `exists E(…) and x.a > 0`, or the same with `not`, as one test. */
  | { readonly kind: "within"; readonly negated: boolean; readonly fit: Fit }
  /** `EXISTS(e: E, f: E / e.s == x.id AND f.tag == e.tag AND f.lv > 1)`. */
  | { readonly kind: "pair" };

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
  const evidence = facts.filter((fact) => fact.type === "E");
  if (leaf.kind === "pair") return pairValue(gate, subject, evidence);
  if (leaf.fit === "key" && !isPlain(subject?.fields["k"])) {
    return leaf.kind === "within" ? both("U", more(subject?.fields["a"], 0)) : "U";
  }
  const found = evidence
    .filter((fact) => isAbout(fact, subject, leaf.fit) && (!("who" in leaf) || fact.fields["who"] === leaf.who))
    .map((fact) => ({ fact, fits: fitOf(leaf.fit, fact, evidence) }))
    .filter(({ fits }) => fits !== "F");
  if (leaf.kind === "count" || leaf.kind === "sum") {
    if (found.some(({ fits }) => fits === "U")) return "U";
    return leaf.kind === "count" ? (found.length === 1 ? "T" : "F") : sumValue(found.map(({ fact }) => fact));
  }
  if (leaf.kind === "within") {
    const there = found.some(({ fits }) => fits === "T") ? "T" : found.length > 0 ? "U" : "F";
    return both(leaf.negated ? turned(there) : there, more(subject?.fields["a"], 0));
  }
  const trusted = found.filter(({ fact }) => !gate.verified || fact.fields["trust"] === "verified");
  const pieces = trusted.map(({ fact, fits }): Piece => ({
    fact,
    value: fits === "U" ? "U" : more(fact.fields["n"], 2),
  }));
  const values = pieces.map(({ value }) => value);
  const there = trusted.some(({ fits }) => fits === "T") ? "T" : found.length > 0 ? "U" : "F";
  switch (leaf.kind) {
    case "exists":
      return there;
    case "none":
      return turned(there);
    case "agree":
      return unanimous(values);
    case "any":
      if (values.includes("T")) return "T";
      return values.length === 0 || values.includes("U") ? "U" : "F";
    case "every":
      if (values.includes("F")) return "F";
      return values.length === 0 || values.includes("U") ? "U" : "T";
    case "latest":
      return newest(pieces);
    case "facts": {
      if (!trusted.some(({ fits }) => fits === "T") || (gate.bochvar && values.includes("U"))) return "U";
      const sure = values.filter((value) => value === "T").length;
      const possible = values.filter((value) => value !== "F").length;
      return sure >= leaf.min ? "T" : possible < leaf.min ? "F" : "U";
    }
  }
}

interface Piece {
  readonly fact: OracleFact;
  readonly value: Tri;
}

function newest(pieces: readonly Piece[]): Tri {
  const times = pieces.map(({ fact }) => fact.fields["at"]);
  const numbers = times.every((time) => typeof time === "number");
  const texts = times.every((time) => typeof time === "string");
  if (pieces.length === 0 || (!numbers && !texts)) return "U";
  const last = (times as (string | number)[]).reduce((best, time) => (time > best ? time : best));
  return unanimous(pieces.filter(({ fact }) => fact.fields["at"] === last).map(({ value }) => value));
}

/** Whom a fact is about. One that does not say is about nobody. */
function isAbout(fact: OracleFact, subject: OracleFact | undefined, fit: Fit): boolean {
  if (subject === undefined) return true;
  return fact.fields["s"] === subject.fields[fit === "key" ? "k" : "id"];
}

function fitOf(fit: Fit, { fields }: OracleFact, evidence: readonly OracleFact[]): Tri {
  switch (fit) {
    case "none":
    case "key":
      return "T";
    case "level":
      return more(fields["lv"], 1);
    case "tag":
      return sameAs(fields["tag"], "x");
    case "risky":
      return riskyValue(fields["lv"]);
    case "or":
      return turned(both(turned(sameAs(fields["tag"], "x")), turned(riskyValue(fields["lv"]))));
    case "not":
      return turned(riskyValue(fields["lv"]));
    case "inner":
      return evidence
        .filter((other) => other.fields["who"] === fields["who"])
        .reduce((free: Tri, other) => both(free, turned(riskyValue(other.fields["lv"]))), "T");
  }
}

/** Throws for 3, gives a text for 2, and nothing for what is no number. */
function riskyValue(value: unknown): Tri {
  return typeof value !== "number" || value === 2 || value === 3 ? "U" : value > 3 ? "T" : "F";
}

function sumValue(facts: readonly OracleFact[]): Tri {
  let sum = 0;
  for (const { fields } of facts) {
    if (typeof fields["n"] !== "number") return "U";
    sum += fields["n"];
  }
  return more(sum, 3);
}

function pairValue(gate: GateModel, subject: OracleFact | undefined, evidence: readonly OracleFact[]): Tri {
  let value: Tri = "F";
  for (const e of evidence.filter((fact) => isAbout(fact, subject, "none"))) {
    for (const f of evidence) {
      const fits = both(sameAs(f.fields["tag"], e.fields["tag"]), more(f.fields["lv"], 1));
      const trusted = !gate.verified || [e, f].every(({ fields }) => fields["trust"] === "verified");
      if (fits === "T" && trusted) return "T";
      if (fits !== "F") value = "U";
    }
  }
  return value;
}

function isPlain(value: unknown): boolean {
  return value !== undefined && typeof value !== "object";
}

function sameAs(a: unknown, b: unknown): Tri {
  return !isPlain(a) || !isPlain(b) ? "U" : a === b ? "T" : "F";
}

function both(a: Tri, b: Tri): Tri {
  return a === "F" || b === "F" ? "F" : a === "U" || b === "U" ? "U" : "T";
}

function turned(value: Tri): Tri {
  return value === "U" ? "U" : value === "T" ? "F" : "T";
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
