/**
 * Random small programs for remedies: a rule, a gate or a guardian over few facts and small domains, with the domain of
 * every field and what a remedy may change, so that every single edit can be tried.
 */
import { takenWords } from "./built-ins.ts";
import { below, pick, type Random } from "./gate-model.ts";

/** A field of the model: its values, and whether a fact can lack it. */
export interface FieldDomain {
  readonly values: readonly unknown[];
  readonly optional?: boolean;
  readonly key?: boolean;
  /** The type that the field refers to. */
  readonly refers?: string;
}

interface GivenFact {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RemedyProgram {
  readonly text: string;
  /** Returns random facts for it. */
  facts(random: Random): readonly GivenFact[];
  readonly types: Readonly<Record<string, Readonly<Record<string, FieldDomain>>>>;
  /** The types of which facts may be added, and those of which facts may be removed. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Returns whether a field with this value may change. */
  mayChange(type: string, field: string, now: unknown): boolean;
  /** Returns whether a verdict with these reasons is final, so that no change is suggested. */
  isFinal?(reasons: readonly string[]): boolean;
}

const NUMBERS = [0, 1, 2, 3];
const STRINGS = ["x", "y"];
const BOOLS = [true, false];
const UNION = ["lo", "hi"];

function some<Item>(random: Random, most: number, item: () => Item): Item[] {
  return Array.from({ length: below(random, most + 1) }, item);
}

function number(random: Random): number {
  return pick(random, NUMBERS);
}

function text(random: Random): string {
  return `"${pick(random, STRINGS)}"`;
}

/** A fact with those of the fields that are not missing. */
function given(type: string, fields: Readonly<Record<string, unknown>>): GivenFact {
  return { type, fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

// ---------------------------------------------------------------- rules

const RULE_TYPES = {
  A: {
    id: { values: [1, 2, 3], key: true },
    n: { values: NUMBERS },
    s: { values: STRINGS },
    ok: { values: BOOLS, optional: true },
    u: { values: UNION },
  },
  B: { a: { values: [], refers: "A" }, n: { values: NUMBERS, optional: true }, s: { values: STRINGS } },
  C: { k: { values: STRINGS }, n: { values: NUMBERS } },
} as const;

const RULE_HEAD = `
type A(#id: number, n: number, s: string, ok: bool?, u: "lo" | "hi")
type B(a: A, n: number?, s: string)
type C(k: string, n: number)
type D(a: A)
rule derive { when a: A(a.n > 2, a.s == "x", a.u == "lo") then insert D(a: a) }
`;

/** Two tables: of a fact, and of values. Rows may hide each other, and inputs may have none. */
function tables(random: Random): string {
  const rows = (...columns: readonly (() => string)[]): string =>
    Array.from({ length: 1 + below(random, 3) }, () => `| ${columns.map((one) => one()).join(" | ")} `).join("\n");
  const cell = (...cells: readonly string[]): string => (random() < 0.3 ? "-" : pick(random, cells));
  const ofNumber = (): string =>
    cell(`${number(random)}`, `>= ${number(random)}`, `not ${number(random)}`, `[${number(random)}..4)`, "1, 3");
  const rate = rows(
    ofNumber,
    () => cell('"lo"', 'not "lo"', '"lo", "hi"'),
    () => `${cell("true", "false")} || ${number(random)} |`,
  );
  const grade = rows(ofNumber, () => `${cell('"x"', 'in ["y"]')} || ${number(random)} | "g" |`);
  return `table rate(a: A) ${pick(random, ["first", "first", "any", "collect sum"])} {
| a.n | a.u | a.ok || number |
${rate}
}
table grade(n: number, s: string) first {
| n | s || out: number | why: string |
${grade}
}
`;
}

type RuleType = "A" | "B" | "C";

/** The variables that a test can compare with, by type. */
type Scope = readonly (readonly [string, RuleType])[];

const COMPARE = ["==", "!=", "<", "<=", ">", ">="];

function ruleTest(random: Random, type: RuleType, of: string, scope: Scope): string {
  const others = scope.filter(() => random() < 0.5);
  const [other] = others;
  const kind = random();
  if (other !== undefined && kind < 0.5) return joinTest(random, type, of, other);
  if (kind < 0.1 && type !== "C") return joinedByReference(random, type, of);
  switch (type) {
    case "A":
      return pick(random, [
        `${of}n ${pick(random, COMPARE)} ${number(random)}`,
        `${of}s ${pick(random, ["==", "!="])} ${text(random)}`,
        `${of}ok`,
        `not ${of}ok`,
        `${of}ok is ${pick(random, ["present", "missing"])}`,
        `${of}u == "${pick(random, UNION)}"`,
        `(${of}n > ${number(random)} or ${of}u == "${pick(random, UNION)}")`,
        `${of}s in ["x"]`,
        `${of}n ${pick(random, ["+ 1", "* 2"])} == ${number(random)}`,
        `not (${of}n >= ${number(random)} and ${of}n <= ${number(random)})`,
        `rate(${of.slice(0, -1)}) ${pick(random, COMPARE)} ${number(random)}`,
        `grade(${of}n, ${of}s).out ${pick(random, COMPARE)} ${number(random)}`,
      ]);
    case "B":
      return pick(random, [
        `${of}n ${pick(random, COMPARE)} ${number(random)}`,
        `${of}n is ${pick(random, ["present", "missing"])}`,
        `${of}s == ${text(random)}`,
        `${of}a.n ${pick(random, COMPARE)} ${number(random)}`,
        `${of}a.s == ${text(random)}`,
      ]);
    case "C":
      return pick(random, [
        `${of}n ${pick(random, COMPARE)} ${number(random)}`,
        `${of}k == ${text(random)}`,
        `not (${of}k == ${text(random)} and ${of}n < ${number(random)})`,
      ]);
  }
}

function joinedByReference(random: Random, type: "A" | "B", of: string): string {
  return type === "B" ? `${of}a.u == "${pick(random, UNION)}"` : `${of}n + 1 > ${number(random)}`;
}

const STRING_FIELD = { A: "s", B: "s", C: "k" } as const;

function joinTest(random: Random, type: RuleType, of: string, [name, other]: readonly [string, RuleType]): string {
  if (type === "B" && other === "A" && random() < 0.6) return `${of}a == ${name}`;
  return random() < 0.5
    ? `${of}${STRING_FIELD[type]} == ${name}.${STRING_FIELD[other]}`
    : `${of}n ${pick(random, COMPARE)} ${name}.n`;
}

let names = 0;

/** A pattern and its variable. */
function pattern(
  random: Random,
  scope: Scope,
  most = 2,
): { readonly text: string; readonly bound: [string, RuleType] } {
  const type = pick(random, ["A", "B", "C"] as const);
  names += 1;
  const name = `v${names}`;
  const tests = some(random, most, () => ruleTest(random, type, `${name}.`, scope));
  return { text: `${name}: ${type}(${tests.join(", ")})`.replace("()", ""), bound: [name, type] };
}

function absent(random: Random, scope: Scope): string {
  const outer = pattern(random, scope);
  if (random() < 0.4) return `not ${outer.text}`;
  const inner = pattern(random, [...scope, outer.bound]);
  if (random() < 0.6) return `not (${outer.text}, not ${inner.text})`;
  return `not (${outer.text}, ${inner.text})`;
}

function aggregate(random: Random, scope: Scope): string {
  const inner = pattern(random, scope, 1);
  const [name] = inner.bound;
  const fn = pick(random, ["count", "count", "sum", "min", "max", "last", "first"]);
  const value = fn === "count" ? "" : takenWords(fn, `${name}.n`, `${name}.n`);
  names += 1;
  return `t${names}: ${fn}(${value}) from ${inner.text}, where t${names} ${pick(random, COMPARE)} ${number(random)}`;
}

function ruleElements(random: Random): string {
  const scope: [string, RuleType][] = [];
  const elements: string[] = [];
  for (let left = 1 + below(random, 3); left > 0; left--) {
    const kind = scope.length === 0 ? 0 : random();
    if (kind < 0.45) {
      const found = pattern(random, scope);
      elements.push(found.text);
      scope.push(found.bound);
    } else if (kind < 0.62) elements.push(absent(random, scope));
    else if (kind < 0.7) elements.push(`exists ${pattern(random, scope).text}`);
    else if (kind < 0.78) elements.push(forall(random, scope));
    else if (kind < 0.9) elements.push(aggregate(random, scope));
    else if (kind < 0.95) elements.push(`(${pattern(random, scope).text} or ${pattern(random, scope).text})`);
    else elements.push(`${pick(random, ["not", "exists"])} D(a.n > ${number(random)})`);
  }
  return elements.join(", ");
}

function forall(random: Random, scope: Scope): string {
  const every = pattern(random, scope, 1);
  const [name, type] = every.bound;
  return `forall (${every.text} : ${ruleTest(random, type, `${name}.`, scope)})`;
}

export function randomRule(random: Random): RemedyProgram {
  names = 0;
  return {
    text: `${RULE_HEAD}${tables(random)}rule r { when ${ruleElements(random)} then log(1) }`,
    facts: ruleFacts,
    types: RULE_TYPES,
    added: ["A", "B", "C"],
    removed: ["A", "B", "C"],
    mayChange: () => true,
  };
}

/** The key of a fact that is referred to and does not exist. */
const MISSING = 9;

function ruleFacts(random: Random): GivenFact[] {
  const ids = some(random, 3, () => 0).map((_, index) => index + 1);
  const as = ids.map((id) =>
    given("A", {
      id,
      n: number(random),
      s: pick(random, STRINGS),
      ok: pick(random, [...BOOLS, undefined]),
      u: pick(random, UNION),
    }),
  );
  const bs = some(random, ids.length === 0 ? 0 : 3, () =>
    given("B", {
      a: `A~${random() < 0.15 ? MISSING : pick(random, ids)}`,
      n: pick(random, [...NUMBERS, undefined]),
      s: pick(random, STRINGS),
    }),
  );
  const cs = some(random, 2, () => given("C", { k: pick(random, STRINGS), n: number(random) }));
  return [...as, ...bs, ...cs];
}

// ---------------------------------------------------------------- gates

const GATE_TYPES = {
  S: {
    id: { values: [1, 2], key: true },
    a: { values: NUMBERS, optional: true },
    ok: { values: BOOLS, optional: true },
    u: { values: UNION },
  },
  E: {
    s: { values: [], refers: "S" },
    who: { values: STRINGS },
    n: { values: NUMBERS, optional: true },
    at: { values: [0, 1, 2, 3], optional: true },
    trust: { values: ["asserted", "verified"], optional: true },
  },
  X: { s: { values: [], refers: "S" }, k: { values: STRINGS } },
} as const;

const GATE_HEAD = `
type S(#id: number, a: number?, ok: bool?, u: "lo" | "hi")
type E(s: S, who: string, n: number?, at: number?, trust: "asserted" | "verified"?)
type X(s: S, k: string)
`;

class GateText {
  readonly #random: Random;
  readonly #conditions: string[] = [];
  readonly verified: boolean;
  /** True when a pattern selects evidence by its result. */
  selectsResult = false;
  /** True when a pattern looks evidence up by a field of the subject. */
  looksUp = false;
  /** True when facts of the type are evidence of a condition or a quorum. */
  evidence = false;
  /** True when a quorum asks a condition about every mark. */
  population = false;

  constructor(random: Random) {
    this.#random = random;
    this.verified = random() < 0.25;
  }

  get conditions(): string {
    return this.#conditions.join("\n");
  }

  tree(depth: number): string {
    const random = this.#random;
    if (depth === 0 || random() < 0.35) return this.#leaf();
    if (random() < 0.25) return `not (${this.tree(depth - 1)})`;
    const items = Array.from({ length: 2 + below(random, 2) }, () => this.tree(depth - 1));
    return pick(random, [
      `at least ${1 + below(random, items.length)} of (${items.join(", ")})`,
      `any(${items.join(", ")})`,
      `(${items.join(" and ")})`,
    ]);
  }

  #leaf(): string {
    const random = this.#random;
    const kind = random();
    if (kind < 0.25) {
      return pick(random, [
        `x.a ${pick(random, COMPARE)} ${number(random)}`,
        "x.ok",
        `x.u == "${pick(random, UNION)}"`,
      ]);
    }
    if (kind < 0.45)
      return this.#condition(`${pick(random, ["", "not "])}exists X(s == x${pick(random, ["", ", k == who"])})`);
    if (kind < 0.55 && !this.verified) {
      return pick(random, [
        `COUNT(i: X / i.s == x) ${pick(random, COMPARE)} ${number(random)}`,
        `SUM(e: E / e.s == x ; e.n) ${pick(random, COMPARE)} ${number(random)}`,
      ]);
    }
    this.evidence = true;
    if (kind < 0.65) return this.#quorum();
    const mode = pick(random, ["", "", "any ", "every ", "latest ", "latest ", "any latest ", "every latest "]);
    const perGroup = mode.endsWith("latest ") && (mode !== "latest " || random() < 0.5);
    const tests = ["e.s == x", ...(perGroup ? [] : ["e.who == who"]), ...this.#selection()];
    const by = mode.endsWith("latest ") ? ` by e.at${perGroup ? " per e.who" : ""}` : "";
    return this.#condition(`e.n ${pick(random, COMPARE)} ${number(random)} from ${mode}e: E(${tests.join(", ")})${by}`);
  }

  /** Sometimes a test by which a pattern selects evidence by its result, which may look it up by a field of the subject. */
  #selection(): string[] {
    const random = this.#random;
    if (random() >= 0.2) return [];
    this.selectsResult = true;
    this.looksUp ||= random() < 0.3;
    return [`e.n > ${this.looksUp ? "x.a" : number(random)}`];
  }

  /** A quorum over evidence, or over marks that a condition asks about; open, or closed with `all`. */
  #quorum(): string {
    const random = this.#random;
    const count = `at least ${1 + below(random, 2)} of ${pick(random, ["", "all "])}`;
    if (this.verified || random() < 0.5)
      return `${count}e: E(e.s == x) : e.n ${pick(random, COMPARE)} ${number(random)}`;
    this.population = true;
    const mode = pick(random, ["", "any ", "every "]);
    const asked = this.#condition(
      `e.n ${pick(random, COMPARE)} ${number(random)} from ${mode}e: E(e.s == x, e.who == who)`,
    );
    return `${count}v: X(v.s == x) : ${asked.replace(/"\w+"\)$/u, "v.k)")}`;
  }

  #condition(body: string): string {
    const name = `c${this.#conditions.length}`;
    this.#conditions.push(`condition ${name}(x: S, who: string) : ${body}`);
    return `${name}(x, ${text(this.#random)})`;
  }
}

export function randomKleeneGate(random: Random): RemedyProgram {
  return randomGate(random, "");
}

export function randomBochvarGate(random: Random): RemedyProgram {
  return randomGate(random, "logic bochvar\n");
}

function randomGate(random: Random, logic: string): RemedyProgram {
  const gate = new GateText(random);
  const tree = gate.tree(1 + below(random, 2));
  const trust = gate.verified && gate.evidence ? "trust verified\n" : "";
  return {
    text: `${GATE_HEAD}${gate.conditions}\ngate "g" for x: S {\n${logic}${trust}require ${tree}\n}`,
    facts: gateFacts,
    types: GATE_TYPES,
    added: ["S", "E", "X"],
    removed: [...(gate.population ? [] : ["X"]), ...(tree.includes("SUM(") && !gate.evidence ? ["E"] : [])],
    mayChange: (type, field, now) =>
      type === "S"
        ? !(field === "a" && gate.looksUp)
        : type === "E" && field === "n" && (!gate.selectsResult || now === undefined),
  };
}

function gateFacts(random: Random): GivenFact[] {
  const ids = [1, 2].slice(0, 1 + below(random, 2));
  const subjects = ids.map((id) =>
    given("S", {
      id,
      a: pick(random, [...NUMBERS, undefined]),
      ok: pick(random, [...BOOLS, undefined]),
      u: pick(random, UNION),
    }),
  );
  const subject = (): string => `S~${pick(random, ids)}`;
  const evidence = some(random, 3, () =>
    given("E", {
      s: subject(),
      who: pick(random, STRINGS),
      n: pick(random, [...NUMBERS, undefined]),
      at: pick(random, [1, 2, undefined]),
      trust: pick(random, ["verified", "verified", "asserted", undefined]),
    }),
  );
  const marks = some(random, 2, () => given("X", { s: subject(), k: pick(random, STRINGS) }));
  return [...subjects, ...evidence, ...marks];
}

// ---------------------------------------------------------------- guardians

/** The texts of a draft, and of notes that are compared with it. */
const TEXTS = ["x", "y", "xy"];

const GUARDIAN_TYPES = {
  D: {
    id: { values: ["a"], key: true },
    a: { values: NUMBERS, optional: true },
    t: { values: TEXTS, optional: true },
    ok: { values: BOOLS, optional: true },
    mode: { values: UNION },
  },
  E: { d: { values: [], refers: "D" }, s: { values: STRINGS }, c: { values: NUMBERS, optional: true } },
  N: { d: { values: [], refers: "D" }, k: { values: TEXTS } },
  Ban: { s: { values: STRINGS, key: true } },
} as const;

const GUARDIAN_HEAD = `
type D(#id: string, a: number?, t: string?, ok: bool?, mode: "lo" | "hi", attempt: number = 0)
type E(d: D, s: string, c: number?)
type N(d: D, k: string)
type Ban(#s: string)
`;

function guardianTest(random: Random): string {
  return pick(random, [
    () => `d.a ${pick(random, COMPARE)} ${number(random)}`,
    () => `d.t ${pick(random, ["contains", "=="])} ${text(random)}`,
    () => "d.t is present",
    () => "d.ok",
    () => `count(e) ${pick(random, COMPARE)} ${number(random)}`,
    () => `${pick(random, ["sum", "min", "max", "avg"])}(e.c) ${pick(random, [">=", ">", "<"])} ${number(random)}`,
    () => `count(distinct(e.s)) ${pick(random, [">=", "<"])} ${1 + below(random, 2)}`,
    () => `distinct(e.s) contains ${text(random)}`,
    () => `exists n: N(n.d == d, n.k == ${pick(random, [text(random), text(random), "d.t"])})`,
    () => `exists b: Ban(b.s == d.t)`,
    () => `COUNT(n: N / n.d == d) ${pick(random, [">=", "<"])} ${1 + below(random, 2)}`,
  ])();
}

function guardianLine(random: Random, index: number): string {
  const tests = () => {
    if (random() < 0.7) return guardianTest(random);
    const [one, other] = [guardianTest(random), guardianTest(random)];
    return pick(random, [`(${one} and ${other})`, `(${one} or ${other})`, `not (${one})`]);
  };
  const each = pick(random, [`e.c >= ${number(random)}`, "e.c is present", `e.s != ${text(random)}`]);
  const asked = random() < 0.25 ? each : tests();
  const limit = random() < 0.25 ? ` ${pick(random, ["when", "unless"])} d.mode == "${pick(random, UNION)}"` : "";
  return `${pick(random, ["need", "need", "forbid"])} ${asked}${limit} as "r${index}" do RETRIEVE_MORE`;
}

/** Returns whether a pattern looks facts up by a field of the subject: `E(e.d == d, e.c > d.a)`. */
function isReadInPattern(field: string, body: string): boolean {
  return [...body.matchAll(/: [A-Z]\w*\([^)]*\)/gu)].some(([pattern]) => pattern.includes(`d.${field}`));
}

export function randomGuardian(random: Random): RemedyProgram {
  const selected = pick(random, ["", "", "", ", e.c > 0", `, e.c > ${number(random)}`, ", e.c > d.a"]);
  const using = `using e: E(e.d == d${selected})`;
  const final = new Set<number>();
  const checks = Array.from({ length: 1 + below(random, 2) }, (_, at) => {
    const lines = Array.from({ length: 1 + below(random, 2) }, (__, index) => guardianLine(random, at * 10 + index));
    if (random() < 0.15) final.add(at);
    return `check c${at} ${final.has(at) ? "never retry " : ""}${using} {\n${lines.join("\n")}\n}`;
  });
  const body = checks.join("\n");
  const belonging = ["E", ...(body.includes(": N") ? ["N"] : [])];
  return {
    text: `${GUARDIAN_HEAD}guardian "g" for d: D {\nretry at most 1\n${body}\n}`,
    facts: guardianFacts,
    types: GUARDIAN_TYPES,
    added: belonging,
    removed: belonging,
    mayChange: (type, field, now) =>
      type === "D"
        ? field !== "mode" && !isReadInPattern(field, body)
        : type === "E" && field === "c" && now === undefined,
    isFinal: (reasons) => reasons.some((reason) => final.has(Math.floor(Number(/^r(\d+)$/u.exec(reason)?.[1]) / 10))),
  };
}

function guardianFacts(random: Random): GivenFact[] {
  const draft = given("D", {
    id: "a",
    a: pick(random, [...NUMBERS, undefined]),
    t: pick(random, ["x", "xy", "y", undefined]),
    ok: pick(random, [...BOOLS, undefined]),
    mode: pick(random, UNION),
  });
  const evidence = some(random, 3, () =>
    given("E", { d: "D~a", s: pick(random, STRINGS), c: pick(random, [...NUMBERS, undefined]) }),
  );
  const notes = some(random, 2, () => given("N", { d: "D~a", k: pick(random, STRINGS) }));
  const bans = some(random, 1, () => given("Ban", { s: pick(random, STRINGS) }));
  return [draft, ...evidence, ...notes, ...bans];
}
