/** Random programs of aggregates over one pattern with a key, and histories for them: for the properties of running aggregates. */
import * as fc from "fast-check";
import { compile, type OpenOptions, type Program, type RuleSession } from "../../src/index.ts";

const TYPES = `type C(#id: number, k: string?, v: number, j: number?)
type P(#id: number, k: string?, v: number?, j: number?, w: string)
action said(a: any, b: any)
`;

const VALUES = [
  "count()",
  "count()",
  "sum(p.v)",
  "avg(p.v)",
  "min(p.v)",
  "max(p.w)",
  "median(p.v)",
  "percentile(75, p.v)",
  "sum(p.v * 2 - p.j)",
  "collect(p.w)",
  "distinct(p.w)",
  "top(2, p.w by p.v)",
  "last(p.w by p.v)",
];
const PATTERNS = [
  "P(k == c.k)",
  "P(k == c.k, v >= 2)",
  "P(k == c.k, j == c.j)",
  'P(k == c.k, w != "b")',
  "P(j == c.v)",
];
const BEFORE = ["c: C", "c: C", "c: C(v > 1)", "c: C not P(k == c.k, v == 0)", "c: C m: count() from P(j == c.v)"];
const AFTER = [
  "",
  "",
  "where x >= 3",
  "where x > 1",
  "where x == 2",
  "where x < 2 or x > 6",
  "d: C(v == x)",
  "where c.v <= x",
];
const ACTIONS = [
  "said(c.id, x)",
  "said(c.id, x)",
  'said(x, 0)  insert P(id: 100 + c.id, k: c.k, v: 2, w: "r")',
  "said(c.id, x)  c.v = 1",
];

const rule = fc.record({
  before: fc.constantFrom(...BEFORE),
  value: fc.constantFrom(...VALUES),
  pattern: fc.constantFrom(...PATTERNS),
  after: fc.constantFrom(...AFTER),
  actions: fc.constantFrom(...ACTIONS),
  salience: fc.constantFrom(0, 0, 3),
});

const key = fc.constantFrom("a", "b", "c", "\u0000", null);
const small = fc.integer({ min: 0, max: 4 });
const field = fc.oneof(
  fc.record({ k: key }),
  fc.record({ v: small }),
  fc.record({ j: fc.option(small) }),
  fc.record({ v: small, k: key }),
);

const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant("C" as const), id: fc.nat(4), k: key, v: small }) },
  {
    weight: 12,
    arbitrary: fc.record({
      is: fc.constant("P" as const),
      id: fc.nat(9),
      k: key,
      v: fc.oneof({ weight: 9, arbitrary: small }, { weight: 1, arbitrary: fc.constant(null) }),
      w: fc.constantFrom("a", "b", "c"),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constant("update" as const),
      type: fc.constantFrom("C", "P", "P"),
      id: fc.nat(9),
      field,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ is: fc.constant("gone" as const), type: fc.constantFrom("C", "P"), id: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("many" as const), k: key, from: fc.constantFrom(200, 300) }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant("run" as const) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("reload" as const), to: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("restore" as const) }) },
);
type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer One> ? One : never;
type Operation = Of<typeof operation>;

export interface RunningCase {
  readonly rules: readonly Of<typeof rule>[];
  readonly extra: Of<typeof rule>;
  readonly operations: readonly Operation[];
  readonly strategy: "breadth" | "depth";
}

export const runningCases: fc.Arbitrary<RunningCase> = fc.record({
  rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
  extra: rule,
  operations: fc.array(operation, { minLength: 8, maxLength: 40 }),
  strategy: fc.constantFrom("breadth" as const, "depth" as const),
});

/** More facts of one key than are looked through one by one. */
const MANY = 80;

/** The text of a rule. A test that cannot be made of the value is left out. */
function textOf({ before, value, pattern, after, actions, salience }: Of<typeof rule>, name: string): string {
  const isList = /collect|distinct|top/u.test(value);
  const isText = /p\.w/u.test(value) && !isList;
  const tested =
    (isList || isText) && after !== "" ? (isText && after === "where x > 1" ? 'where x > "a"' : "") : after;
  return `rule ${name} salience ${salience} { when ${before} x: ${value} from p: ${pattern} ${tested} then ${actions} }`;
}

function programsOf({ rules, extra }: RunningCase): readonly [Program, ...Program[]] {
  const program = compile(TYPES + rules.map((one, at) => textOf(one, `r${at}`)).join("\n"));
  const more = program.extend(textOf(extra, "extra"));
  return [program, more, more.without("r0"), program.without("r0")];
}

function firings(session: RuleSession): string {
  try {
    return JSON.stringify(session.run({ limit: 60 }).fired.map(({ rule: name, bindings }) => [name, bindings]));
  } catch (error) {
    const { result } = error as { result?: ReturnType<RuleSession["run"]> };
    if (result === undefined) throw error;
    return JSON.stringify(result.fired.map(({ rule: name, bindings }) => [name, bindings]));
  }
}

function withoutNulls(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function follow(session: RuleSession, one: Operation): void {
  switch (one.is) {
    case "C":
      return void session.upsert("C", withoutNulls({ id: one.id, k: one.k, v: one.v, j: one.v }));
    case "P":
      return void session.upsert("P", withoutNulls({ id: one.id, k: one.k, v: one.v, j: one.id % 5, w: one.w }));
    case "update":
      if (session.fact(`${one.type}~${one.id}`) !== undefined) session.update(`${one.type}~${one.id}`, one.field);
      return;
    case "gone":
      return void session.retract(`${one.type}~${one.id}`);
    case "many":
      for (let at = 0; at < MANY; at++) {
        session.upsert("P", withoutNulls({ id: one.from + at, k: one.k, v: at % 7, j: at % 5, w: `m${at % 3}` }));
      }
      return;
    default:
  }
}

/** Goes through the history of a case, and returns what is seen after each step. */
export function runningStory(one: RunningCase, options: OpenOptions): string[] {
  const open = { strategy: one.strategy, ...options };
  const programs = programsOf(one);
  const seen: string[] = [];
  let session = programs[0].session(open);
  for (const step of one.operations) {
    if (step.is === "run") seen.push(firings(session));
    else if (step.is === "reload") session.reload(programs[step.to] ?? programs[0]);
    else if (step.is === "restore") {
      const from = JSON.parse(JSON.stringify(session.snapshot())) as never;
      session = session.program.session({ ...open, from });
    } else follow(session, step);
    seen.push(`${JSON.stringify(step)}: ${JSON.stringify(session.agenda())}`);
  }
  seen.push(firings(session));
  for (const { id } of session.facts()) session.retract(id);
  const { facts, matches, indexEntries } = session.counters();
  seen.push(JSON.stringify({ facts, matches, indexEntries }));
  return seen;
}
