/** Well-typed expressions with times over the fields of a fact `v`, as text, and facts with times near month ends and clock changes. */
import * as fc from "fast-check";

export interface TimedFields {
  readonly d?: string;
  readonly e?: string;
  readonly i?: string;
  readonly j?: string;
  readonly u?: string;
  readonly n?: number;
}

const DATES = ["2026-01-31", "2024-02-29", "2026-11-16", "0001-01-02", "9999-12-30", "2026-10-25"];
const INSTANTS = [
  "2026-01-31T23:30:00Z",
  "2026-10-25T00:59:59.999Z",
  "2026-10-25T01:00:00Z",
  "2010-11-07T02:45:00Z",
  "9999-12-31T23:59:59Z",
];
const DURATIONS = ["PT0S", "P1D", "-P1D", "PT0.001S", "P1DT12H", "P400D"];

const maybe = <Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<Item | undefined> =>
  fc.option(item, { nil: undefined, freq: 4 });

export const timedFields: fc.Arbitrary<TimedFields> = fc
  .record({
    d: maybe(fc.constantFrom(...DATES)),
    e: maybe(fc.constantFrom(...DATES)),
    i: maybe(fc.constantFrom(...INSTANTS)),
    j: maybe(fc.constantFrom(...INSTANTS)),
    u: maybe(fc.constantFrom(...DURATIONS)),
    n: maybe(fc.constantFrom(0, 1, -1, 2.5, 30, 400)),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));

const ZONE = fc.constantFrom('"Europe/Paris"', '"America/St_Johns"', '"UTC"', '"Asia/Kolkata"', '"No/Where"');
const MONTHS = fc.constantFrom("1 month", "13 months", "4 years", "0 months");
const UNIT = fc.constantFrom("year", "quarter", "month", "week");

interface Trees {
  readonly date: string;
  readonly instant: string;
  readonly duration: string;
  readonly number: string;
}

const trees = fc.letrec<Trees>((tie: fc.LetrecTypedTie<Trees>) => {
  const { date, instant, duration, number } = {
    date: tie("date"),
    instant: tie("instant"),
    duration: tie("duration"),
    number: tie("number"),
  };
  const made = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
    fc
      .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
      .map((texts) => texts.join(""));
  const sign = fc.constantFrom(" + ", " - ");
  const some = (leaves: readonly string[], ...others: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { weight: 6, arbitrary: fc.constantFrom(...leaves) },
      ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
    );
  return {
    date: some(
      ["v.d", "v.e", "v.d", "@2026-10-25", "@2024-02-29"],
      made("(", date, sign, duration, ")"),
      made("(", date, sign, MONTHS, ")"),
      made("(", MONTHS, " + ", date, ")"),
      made("(", duration, " + ", date, ")"),
      made("date(", instant, ", ", ZONE, ")"),
      made("start_of(", UNIT, ", ", date, ")"),
      made("end_of(", UNIT, ", ", date, ")"),
      made("coalesce(", date, ", ", date, ")"),
    ),
    instant: some(
      ["v.i", "v.j", "v.i", "@2026-10-25T02:30:00+02:00"],
      made("(", instant, sign, duration, ")"),
      made("(", duration, " + ", instant, ")"),
      made("plus(", instant, ", ", MONTHS, ", ", ZONE, ")"),
    ),
    duration: some(
      ["v.u", "90 days", "15 min", "-36 h", "0.5 ms"],
      made("(", date, " - ", date, ")"),
      made("(", instant, " - ", instant, ")"),
      made("(", duration, sign, duration, ")"),
      made("(", duration, " * ", number, ")"),
      made("(", number, " * ", duration, ")"),
      made("(", duration, " / ", number, ")"),
      made("(", duration, " % ", duration, ")"),
      made("(-", duration, ")"),
    ),
    number: some(
      ["v.n", "2", "0"],
      made("(", duration, " / ", duration, ")"),
      made("days_between(", date, ", ", date, ")"),
      made("year(", date, ")"),
      made("month(", date, ")"),
      made("day(", date, ")"),
      made("weekday(", date, ")"),
      made("week(", date, ")"),
      made("hour(", instant, ", ", ZONE, ")"),
      made("minute(", instant, ", ", ZONE, ")"),
    ),
  };
});

const comparator = fc.constantFrom("==", "!=", "<", "<=", ">", ">=");
const kind = fc.constantFrom<(keyof Trees)[]>("date", "instant", "duration", "number");

const comparison = kind.chain((of) => fc.tuple(trees[of], comparator, trees[of]).map((parts) => parts.join(" ")));
const membership = fc
  .constantFrom<(keyof Trees)[]>("date", "instant", "duration")
  .chain((of) => fc.tuple(trees[of], trees[of], trees[of]).map(([one, a, b]) => `${one} in [${a}, ${b}]`));

export const timedTest: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: comparison },
  membership,
  fc.tuple(comparison, fc.constantFrom(" and ", " or "), comparison).map((parts) => `(${parts.join("")})`),
  kind.chain((of) => trees[of].map((one) => `${one} is missing`)),
);

/** A value of any kind, also joined to text, in a list of its like, and in a mixed one. */
export const timedValue: fc.Arbitrary<string> = kind.chain((of) =>
  fc.tuple(trees[of], trees[of], fc.nat(4)).map(([one, other, shape]) => {
    if (shape === 0) return `"at " + ${one}`;
    if (shape === 1) return `[${one}, ${other}]`;
    if (shape === 2) return `[${one}, "x"]`;
    return shape === 3 ? `(string) (${one})` : one;
  }),
);
