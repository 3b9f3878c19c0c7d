/**
 * Random programs of every kind of statement about facts: parameters, functions of the host and of the program with optional
 * arguments and defaults, open types, records, tables and queries with arguments left out, named facts, attributes of rules, and
 * every action. What the smaller generators leave out is here; see test/house/constructs.test.ts.
 */
import { must } from "../../src/base/invariant.ts";
import type { CompileOptions, Value } from "../../src/index.ts";
import { below, pick, type Random } from "./gate-model.ts";

/** The values of the parameters that have no default, and the file that a table is in. */
export const WHOLE_OPTIONS: CompileOptions = {
  file: "main.tsd",
  params: { wanted: 1, marks: [1, 2] },
  read: (file) => (file === "rates.csv" ? RATES : undefined),
};

const RATES = `n,tier,|| number
1,"""gold""",3
2,-,1
not 1..2,"""plain""",2
`;

/** What the host computes: nothing for 3 where it may, and an error for 2. */
export const WHOLE_FUNCTIONS = {
  risk: (n: unknown, by: unknown): unknown => {
    if (n === 2) throw new Error("two is not for me");
    return Number(n) + Number(by ?? 1);
  },
  size_of: (line: unknown): unknown => Object.keys(line as object).length,
  guess: (n: unknown): unknown => (n === 3 ? null : n === 1),
};

const DECLARATIONS = `param wanted: number
param least: number = 1
param marks: number[]
param mode: "strict" | "lax" = "strict"
type Tier = "gold" | "plain"
const TIERS = ["gold", "plain"]
const NOBODY = {n: 0, tags: ["x"]}
record Line(n: number, size: number = 1, tags: string[] = [], at: date?, ...)
type A(#id: number, tier: "gold" | "plain" = "plain", level: 1 | 2 = 1, n: number?, on: bool = true, lines: Line[] = [{n: 1, tags: ["x", "y"]}], to: Line?, o: A?, ...)
type B(#id: number, n: number, a: A?, @t: date?)
type Open(...)
protected type Rate(#tier: string, n: number)
type Seen(id: number, n: number = 0, what: any?)
action tell(who: any, urgent: bool = false, cc: string?)
function risk(n: number, by: number?): number
function guess(n: number): bool?
function size_of(line: Line): number
function scaled(n: number, by: number = 2): number = n * by
function either(n: number?, other: number): number? = coalesce(n, other)
function is_gold(tier: "gold" | "plain", also: bool = false): bool = tier == "gold" or also
condition rich(a: A, most: number = 2, tier: string?) : a.n >= most or a.tier == tier
query near(a: A, by: number = 1, tier: string?) { b: B(n <= a.n + by, n >= a.n - by) where tier is missing or a.tier == tier or sum([l.n * l.size for l in a.lines if l.n > 0]) > 3 }
table rate(n: number, tier: Tier?, x: any?) first {
  | n      | tier   | x || number |
  | 1      | "gold" | - || 3      |
  | >= 2   | -      | - || n      |
  | -      | -      | 1 || 0      |
}
table priced(n: number, tier: "gold" | "plain") from "rates.csv" first
table stars(level: 1 | 2) unique {
  | level || stars: number | name: string |
  | 1     || 1             | "one"        |
  | 2     || 5             | "two"        |
}
ann = A(1, "gold", 2)
A(id: 2, n: 1, o: ann, to: {n: 2, at: @2026-02-28})
Rate("gold", 1)
gate "g" for a: A { logic kleene require a.n > 0 on pass then tell("g") }
gate all_clear { trust asserted require not exists B(n == 0) }
guardian "v" for a: A { check c { need a.n is present as "n" do RETRIEVE_DB } on FAIL then tell("v") on RETRY then tell("again") on PASS then tell("fine") }
xuple-space jobs { selection: fifo }
`;

const OPS = ["==", "!=", "<", "<=", ">", ">="];

/** Returns a number of a fact of A that a variable names. */
function numberOf(random: Random, a: string): string {
  return pick(random, [
    `${a}.n`,
    `${a}.n`,
    `(${a}.level + 0)`,
    `${a}.o.n`,
    `${a}.to.size`,
    `${a}.lines[0].n`,
    "least",
    "wanted",
    `risk(${a}.n)`,
    `risk(${a}.n, ${a}.level)`,
    `scaled(${a}.n)`,
    `scaled(${a}.n, 3)`,
    `coalesce(either(${a}.n, 1), 0)`,
    `coalesce(either(${a}.o.n, ${a}.n), 7)`,
    `rate(${a}.n)`,
    `rate(${a}.n, ${a}.tier)`,
    `rate(${a}.n, ${a}.tier, ${a}.level)`,
    `priced(${a}.n, ${a}.tier)`,
    `stars(${a}.level).stars`,
    `sum([l.n * l.size for l in ${a}.lines if l.n > 0])`,
    `count(${a}.lines)`,
    `max([l.n for l in ${a}.lines])`,
    `cast(cast(${a}.level as string) as number)`,
    `days_between(${a}.to.at, today)`,
    `(if guess(${a}.n) then 1 else ${a}.level)`,
  ]);
}

function testOf(random: Random, a: string, depth = 2): string {
  const inner = (): string => testOf(random, a, depth - 1);
  const op = pick(random, OPS);
  const plain = [
    `${numberOf(random, a)} ${op} ${below(random, 4)}`,
    `${numberOf(random, a)} ${op} ${numberOf(random, a)}`,
    `${a}.n in marks`,
    `${a}.tier in TIERS`,
    `${a}.tier == "gold"`,
    `mode == "strict"`,
    `is_gold(${a}.tier)`,
    `is_gold(${a}.tier, ${a}.on)`,
    `guess(${a}.n)`,
    `${a} == ann`,
    `${a}.o == ann`,
    `size_of({n: ${a}.n, size: 1, tags: [${a}.tier]}) > ${below(random, 3)}`,
    `any(l in [{n: 1}, {n: ${a}.n, s: "x"}] : l.n > ${below(random, 3)})`,
    `${a}.to.tags contains "x"`,
    `any(l in ${a}.lines : l.tags contains all ["x", "y"])`,
    `all(l in ${a}.lines : l.n > 0 and l.at is missing)`,
    `rich(${a})`,
    `rich(${a}, 1)`,
    `rich(${a}, 3, "gold")`,
    `EXISTS(e: B / e.n == ${a}.n over last 30 days)`,
    `COUNT(e: B, f: A / e.n == f.n and f.id != ${a}.id) > 1`,
    `not exists B(n == ${a}.n) over last 1 day`,
  ];
  if (depth === 0 || random() < 0.6) return pick(random, plain);
  return pick(random, [
    () => `all(${inner()}, ${inner()})`,
    () => `any(${inner()}, ${inner()})`,
    () => `not (${inner()})`,
    () => `(${inner()} or ${inner()})`,
  ])();
}

function elements(random: Random): string {
  const on = (name: string): string => testOf(random, name);
  return pick(random, [
    () => `a: A(${on("a")})`,
    () => `a: A where ${on("a")}`,
    () => `where today > @2026-02-28 a: A(${on("a")})`,
    () => `a: A b: B(n == a.n, ${on("a")})`,
    () => `a: A(n == ${below(random, 3)}) q in near(a) where q.b.n > 0`,
    () => `a: A q in near(a, ${below(random, 3)}, "gold")`,
    () => `a: A one in a.lines where one.n > 0 and ${on("a")}`,
    () => `a: A t in a.to.tags`,
    () => `a: A r: Rate(tier == a.tier) let worth = ${numberOf(random, "a")} where worth >= r.n`,
    () => `a: A not (b: B(a == a) s: Seen(id == b.id))`,
    () => `a: A forall (b: B(a == a) : b.n > 0)`,
    () => `a: A m: max(b.n) from b: B(b.a == a)`,
    () => `a: A g: GateResult(gate == "g", subject is present) where ${on("a")}`,
    () => `a: A exists (Open() s: Seen(id == a.id))`,
    () => `a: A s: Seen(id == a.id) where s.what == NOBODY or s.n > 1`,
  ])();
}

function action(random: Random): string {
  return pick(random, [
    "log(a.id)",
    "log(a.o.n, a.o.to, a.o)",
    "log(coalesce(a.o.o.n, 7), a.o.to.at, [l.n for l in a.lines])",
    "log(scaled(a.level), rate(a.n, a.tier), today)",
    "log(now, days_between(@2026-01-01, today))",
    'tell($"{a.o.n} of {a.tier}")',
    "tell(a)",
    "tell(a.id, true)",
    'tell(a, false, "x")',
    "update(a, { n: 1 })",
    "update(a, { n: 2, to: {n: 1, tags: [a.tier]} })",
    "a.level = 2",
    "a.n = a.o.n",
    "insert Seen(a.id)",
    "insert Seen(a.id, 2, {n: 1})",
    'insert logical Seen(id: a.id, what: {n: 0, tags: ["x"]})',
    "insert logical Seen(id: a.id, n: coalesce(rate(a.n), 0))",
    "halt",
    "retract a",
    'decide "g"(a)',
    "decide all_clear()",
    'verify "v"(a)',
    'focus("late")',
    'xuple("jobs", Seen(a.id))',
    'xuple("jobs", a)',
    "insert Seen(id: a.id, what: today)",
    "insert Seen(id: a.id, n: coalesce(days_between(a.o.to.at, @2026-03-01), 0))",
    "let more = coalesce(a.o.n, 0) + 1 insert Seen(id: a.id, n: more)",
  ]);
}

function attributes(random: Random): string {
  return [
    random() < 0.3 ? `salience ${below(random, 3) - 1}` : "",
    random() < 0.3 ? "no-loop" : "",
    random() < 0.2 ? 'group "late"' : "",
    random() < 0.1 ? "disabled" : "",
  ].join(" ");
}

export function wholeRule(random: Random, name: string): string {
  const chosen = Array.from({ length: 1 + below(random, 2) }, () => action(random));
  const actions = [...new Set(chosen)].join(" ");
  if (random() < 0.2) {
    return `rule ${name} ${attributes(random)} : {a: A, y: B} / y.n == a.n and ${testOf(random, "a")} ==> ${action(random).replace(" insert", ", insert")}`;
  }
  return `rule ${name} ${attributes(random)} { when ${elements(random)} then ${actions} }`;
}

export function wholeProgram(random: Random): string {
  const rules = Array.from({ length: 2 + below(random, 4) }, (_, at) => wholeRule(random, `r${at}`));
  return `option strategy ${pick(random, ["depth", "breadth"])}\n${DECLARATIONS}${rules.join("\n")}\n`;
}

/** Fields of a random fact; null takes a value away in an update, and is left out in a new fact. */
export function wholeFields(random: Random, type: "A" | "B"): Readonly<Record<string, Value | null>> {
  const n = pick(random, [0, 1, 1, 2, 3]);
  if (type === "B")
    return { n, t: pick(random, [null, "2026-02-27", "2026-02-28"]), a: pick(random, [null, "A~1", "A~2", "A~9"]) };
  const all: Readonly<Record<string, Value | null>> = {
    tier: pick(random, ["gold", "plain"]),
    level: pick(random, [1, 2]),
    n: pick(random, [null, n]),
    on: random() < 0.5,
    lines: pick<Value>(random, [[], [{ n: 1 }], [{ n: 1 }, { n }], [{ n: 0, size: 2, tags: ["y", "x"], odd: 1 }]]),
    to: pick<Value | null>(random, [null, { n: 1 }, { n, tags: ["x"], at: "2026-02-28" }]),
    o: pick(random, [null, "A~1", "A~2", "A~9"]),
  };
  const names = Object.keys(all).filter(() => random() < 0.6);
  return Object.fromEntries(names.map((name) => [name, must(all, "fields")[name] ?? null]));
}
