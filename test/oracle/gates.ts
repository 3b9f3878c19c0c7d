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

/** The readings of conditions about a person. */
type AskedKind = "agree" | "any" | "every" | "latest" | GroupedKind | "exists" | "none";

/** `from latest … by e.at per e.tag`, and with `any` or `every` before. */
type GroupedKind = "grouped" | "any_grouped" | "every_grouped";

export type LeafModel =
  /** `x.a > n`. */
  | { readonly kind: "inline"; readonly n: number }
  /** A function of the host that throws for 3. */
  | { readonly kind: "host" }
  | { readonly kind: AskedKind; readonly who: string; readonly fit: Fit }
  /** `at least n of e: E(…) : e.n > 2`; closed is `of all`. */
  | { readonly kind: "facts"; readonly min: number; readonly closed: boolean; readonly fit: Fit }
  /** `at least n of e: E(…) : condition(x, e.who)`. */
  | {
      readonly kind: "people";
      readonly min: number;
      readonly closed: boolean;
      readonly fit: Fit;
      readonly asked: { readonly kind: AskedKind; readonly fit: Fit };
    }
  /** A fact of a population, or one that may still come: only in trees that were taken apart. */
  | { readonly kind: "member"; readonly of: string; readonly id: string }
  | { readonly kind: "spare"; readonly of: string; readonly id: string }
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

function leaves(tree: TreeModel): LeafModel[] {
  return tree.op === "leaf" ? [tree.leaf] : tree.items.flatMap(leaves);
}

/** The facts of the populations of a gate, leaf by leaf, with their values; nothing for a leaf without a certain one. */
export function memberValues(
  gate: GateModel,
  subject: OracleFact | undefined,
  facts: readonly OracleFact[],
): (readonly [string, Tri])[] {
  return leaves(gate.tree).flatMap((leaf) => {
    const members = leaf.kind === "people" ? populationOf(leaf, gate, subject, facts) : [];
    return members.some(({ fits }) => fits === "T") ? members.map(({ fact, value }) => [fact.id, value] as const) : [];
  });
}

/**
 * The numbers of parts that smallest sets of missing leaves have, found by trying; empty when nothing opens the gate, and
 * undefined when there is too much to try. Further facts of one population are one part.
 */
export function fewestMissing(
  gate: GateModel,
  subject: OracleFact | undefined,
  facts: readonly OracleFact[],
): ReadonlySet<number> | undefined {
  const values = new Map<string, Tri>();
  const tree = takenApart(gate.tree, gate, subject, facts, values);
  const unknown = [...values]
    .filter(([, value]) => value === "U")
    .map(([key]) => ({ key, leaf: JSON.parse(key) as LeafModel }));
  if (unknown.length > MOST_UNKNOWN) return undefined;
  let fewest = Infinity;
  let sizes = new Set<number>();
  for (let number = 0; number < 3 ** unknown.length; number++) {
    const assigned = new Map(values);
    const used: LeafModel[] = [];
    let possible = true;
    for (const [digit, { key, leaf }] of unknown.entries()) {
      const value = "UTF"[Math.floor(number / 3 ** digit) % 3] as Tri;
      if (value !== "U") used.push(leaf);
      if (value === "F" && isGrowing(leaf)) possible = false;
      assigned.set(key, value);
    }
    if (!possible || used.length > fewest) continue;
    if (treeValue(tree, gate, (leaf) => assigned.get(keyOf(leaf)) ?? "U") !== "T") continue;
    if (used.length < fewest) sizes = new Set();
    fewest = used.length;
    sizes.add(new Set(used.map((leaf) => (leaf.kind === "spare" ? leaf.of : keyOf(leaf)))).size);
  }
  return sizes;
}

const MOST_UNKNOWN = 3;

/** The same text for the same leaf, whatever the order of its parts. */
function keyOf(leaf: LeafModel): string {
  return JSON.stringify(Object.fromEntries(Object.entries(leaf).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Whether an unknown leaf can only become true, because further facts can only add to it. */
function isGrowing(leaf: LeafModel): boolean {
  return leaf.kind === "spare" || ((leaf.kind === "facts" || leaf.kind === "people") && !leaf.closed);
}

/** The tree with each unknown population as a quorum over its members and the facts that may come; enters the values of leaves. */
function takenApart(
  tree: TreeModel,
  gate: GateModel,
  subject: OracleFact | undefined,
  facts: readonly OracleFact[],
  values: Map<string, Tri>,
): TreeModel {
  if (tree.op !== "leaf") {
    return { ...tree, items: tree.items.map((item) => takenApart(item, gate, subject, facts, values)) };
  }
  const { leaf } = tree;
  const value = leafValue(leaf, gate, subject, facts);
  const members = leaf.kind === "people" && value === "U" ? populationOf(leaf, gate, subject, facts) : [];
  if (leaf.kind !== "people" || !members.some(({ fits }) => fits === "T")) {
    values.set(keyOf(leaf), value);
    return tree;
  }
  const of = JSON.stringify(leaf);
  // Facts of the same person are asked the same, as is the condition itself where it stands alone; one that may not belong is a leaf of its own.
  const asked = members.map(({ fact, fits }): LeafModel =>
    fits === "T" ? { ...leaf.asked, who: String(fact.fields["who"]) } : { kind: "member", of, id: fact.id },
  );
  for (const [index, one] of asked.entries()) values.set(keyOf(one), members[index]?.value ?? "U");
  const sure = members.filter((member) => member.value === "T").length;
  const possible = members.filter((member) => member.value !== "F").length;
  const lacking = leaf.closed ? 0 : Math.max(0, leaf.min - (gate.bochvar ? possible : sure));
  const further = Array.from({ length: lacking }, (_, n): LeafModel => ({ kind: "spare", of, id: String(n) }));
  for (const one of further) values.set(keyOf(one), "U");
  const items = [...asked, ...further].map((one): TreeModel => ({ op: "leaf", leaf: one }));
  return { op: "least", min: leaf.min, items };
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
  if (leaf.kind === "member" || leaf.kind === "spare") return "U";
  if (leaf.kind === "inline") return more(subject?.fields["a"], leaf.n);
  if (leaf.kind === "host") return hostValue(subject?.fields["a"]);
  const evidence = facts.filter((fact) => fact.type === "E");
  if (leaf.kind === "pair") return pairValue(gate, subject, evidence);
  if (leaf.fit === "key" && !isPlain(subject?.fields["k"])) {
    return leaf.kind === "within" ? both("U", more(subject?.fields["a"], 0)) : "U";
  }
  if (leaf.kind === "people") {
    const members = populationOf(leaf, gate, subject, facts);
    return countedValue(leaf, gate, members);
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
    fits,
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
    case "grouped":
      return grouped(pieces, unanimous);
    case "any_grouped":
      return grouped(pieces, (all) => (all.includes("T") ? "T" : all.includes("U") ? "U" : "F"));
    case "every_grouped":
      return grouped(pieces, (all) => (all.includes("F") ? "F" : all.includes("U") ? "U" : "T"));
    case "facts":
      return countedValue(leaf, gate, pieces);
  }
}

/** A quorum over facts: never false while further ones may come, or while it is not certain that there is one. */
function countedValue(
  { min, closed }: { readonly min: number; readonly closed: boolean },
  { bochvar }: GateModel,
  pieces: readonly Piece[],
): Tri {
  const values = pieces.map(({ value }) => value);
  if (bochvar && values.includes("U")) return "U";
  if (values.filter((value) => value === "T").length >= min) return "T";
  const canFail = closed && pieces.some(({ fits }) => fits === "T");
  return canFail && values.filter((value) => value !== "F").length < min ? "F" : "U";
}

/** The facts of a population that count, each with the value of the condition about it. */
function populationOf(
  { fit, asked }: Extract<LeafModel, { kind: "people" }>,
  gate: GateModel,
  subject: OracleFact | undefined,
  facts: readonly OracleFact[],
): Piece[] {
  if (fit === "key" && !isPlain(subject?.fields["k"])) return [];
  const evidence = facts.filter((fact) => fact.type === "E");
  return evidence
    .filter((fact) => isAbout(fact, subject, fit))
    .filter((fact) => !gate.verified || fact.fields["trust"] === "verified")
    .map((fact) => ({ fact, fits: fitOf(fit, fact, evidence) }))
    .filter(({ fits }) => fits !== "F")
    .map(({ fact, fits }) => {
      const leaf: LeafModel = { ...asked, who: String(fact.fields["who"]) };
      return { fact, fits, value: fits === "U" ? "U" : leafValue(leaf, gate, subject, facts) };
    });
}

interface Piece {
  readonly fact: OracleFact;
  /** Whether it is evidence at all. */
  readonly fits: Tri;
  readonly value: Tri;
}

/** The newest of each group of pieces with the same tag. One without a tag could be of any group. */
function grouped(pieces: readonly Piece[], over: (values: readonly Tri[]) => Tri): Tri {
  const tags = pieces.map(({ fact }) => fact.fields["tag"] ?? undefined);
  if (pieces.length === 0 || tags.includes(undefined)) return "U";
  const keys = [...new Set(tags.map((tag) => JSON.stringify(tag)))];
  return over(keys.map((key) => newest(pieces.filter((_, index) => JSON.stringify(tags[index]) === key))));
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

/** Lists are equal by what is in them; whether one equals a plain value is unknown. The models hold no objects. */
function sameAs(a: unknown, b: unknown): Tri {
  if (a === undefined || a === null || b === undefined || b === null || isPlain(a) !== isPlain(b)) return "U";
  return JSON.stringify(a) === JSON.stringify(b) ? "T" : "F";
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
