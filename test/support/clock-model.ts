/**
 * Random programs with tests of the clock, and random histories for them.
 *
 * The world of instants is tiny, 60 milliseconds with few distinct times, so that equal bounds, bounds at the clock, and many facts
 * that turn at one instant are the rule. The world of days has the ends of months and the days at which clocks change.
 */
import type { Program } from "../../src/index.ts";
import { zoneOf } from "../../src/language/check/clock.ts";
import { dayOn } from "../../src/prove/times.ts";
import { below, pick, type Random } from "./gate-model.ts";

export type { Random };

/** A world: how its programs and facts are written, and the instants that the clock visits. */
export interface ClockWorld {
  readonly program: (random: Random) => string;
  /** Returns one rule more for such a program. */
  readonly rule: (random: Random, name: string) => string;
  readonly fields: (random: Random, type: string) => Readonly<Record<string, unknown>>;
  /** Returns an instant at or after one, near those at which something may turn. */
  readonly later: (random: Random, now: number) => number;
  readonly start: number;
  /** Returns all instants at which something may turn, those just before and just after them included. */
  readonly instants: (program: Program) => readonly number[];
  /** Returns when a fact with a time expires, in a program in which its type does. */
  readonly endOf: (time: string, program: Program) => number;
  /** The types of new facts, each as often as it is here. */
  readonly types?: readonly string[];
  /** How many steps a history has, where windows of a number of facts need more to fill. */
  readonly steps?: number;
}

const OPS = ["<", "<=", ">", ">=", "==", "!="];

function chance(random: Random, of: number): boolean {
  return random() < of;
}

export function instantText(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

// ---------------------------------------------------------------- instants

/** How long facts of type B stay where they expire: as long as the longest window. */
const EXPIRES_MS = 12;
const EXPIRES_DAYS = 30;

const TYPES = `type A(#id: number, @t: instant?, d: duration?, k: number)
type B(#id: number, @t: instant?, d: duration?, k: number, u: instant?)EXPIRES
type Seen(#id: number)
`;

function duration(random: Random, variables: readonly string[]): string {
  if (chance(random, 0.3)) return `${pick(random, variables)}.d`;
  return pick(random, ["1 ms", "2 ms", "5 ms", "0 ms", "1.5 ms", "(-3 ms)", "12 ms"]);
}

function instant(random: Random, variables: readonly string[]): string {
  const v = pick(random, variables);
  const roll = below(random, 6);
  if (roll < 3) return `${v}.t`;
  if (roll === 3) return `@${instantText(below(random, 60))}`;
  return `(${v}.t ${pick(random, ["+", "-"])} ${duration(random, variables)})`;
}

/** A comparison that can be solved for the clock. */
function atom(random: Random, variables: readonly string[]): string {
  const e = instant(random, variables);
  const d = duration(random, variables);
  const op = pick(random, OPS);
  return pick(random, [
    `now ${op} ${e}`,
    `${e} ${op} now`,
    `now - ${e} ${op} ${d}`,
    `${e} - now ${op} ${d}`,
    `now + ${d} ${op} ${e}`,
    `${d} + now ${op} ${e}`,
    `now - ${d} ${op} ${e}`,
    `(now - ${e}) / 2 ms ${op} ${below(random, 4)}`,
    `-2 * (now - ${e}) ${op} ${d}`,
    `-(now - ${e}) ${op} ${d}`,
    `${d} - (now - ${e}) + 1 ms ${op} 3 ms`,
    `now in [${e}..${instant(random, variables)})`,
    `now not in ${e}..${instant(random, variables)}`,
  ]);
}

/** The same, and tests that wait, which conditions can have. */
function waiting({ atom: make, within }: Makers, time: Atom): Makers {
  const waits: Atom = (random, variables) =>
    chance(random, 0.3) ? `(wait until ${time(random, variables)})` : make(random, variables);
  return { atom: waits, within };
}

/** Conditions about a fact of A: a test, and evidence of every kind, in a window or not. */
function conditions(random: Random, makers: Makers, atom: Makers): string {
  const evidence = pick(random, ["", "any ", "every ", "latest ", "any latest ", "every latest "]);
  const order = evidence.endsWith("latest ") ? ` by b.t${evidence === "latest " ? "" : " per b.k"}` : "";
  const window = chance(random, 0.5) ? ` ${makers.within(random, ["a"])}` : "";
  return `condition asked(a: A) : ${testOf(random, ["a"], makers)}
condition found(a: A) : b.k > 0 from ${evidence}b: B(k == a.k, ${testOf(random, ["a", "b"], window === "" ? makers : atom, 1)})${window}${order}`;
}

/** A length that depends on facts: above zero, zero, below zero, or unknown. */
function computedLength(random: Random, variables: readonly string[]): string {
  const v = pick(random, variables);
  return pick(random, [
    `${v}.d`,
    `${v}.d`,
    `(${v}.d - 2 ms)`,
    `${v}.d * ${v}.k`,
    `(${v}.t - ${pick(random, variables)}.t)`,
  ]);
}

/** The last facts of a pattern: how many may depend on an earlier variable, and be no number of facts. */
function overFacts(random: Random, variables: readonly string[], own: string): string {
  const [outer] = variables.filter((one) => one !== own);
  const counts = ["1", "1", "2", "3", "(4 - 2)"];
  const computed = outer === undefined ? [] : [`${outer}.k`, `(${outer}.k + 1)`, `${outer}.k * 0.5`];
  const by = own === "" ? ["", " by u", " by k", " by t"] : ["", ` by ${own}.t`, ` by ${own}.k`];
  return ` over last ${pick(random, chance(random, 0.4) ? [...counts, ...computed] : counts)}${pick(random, by)}`;
}

/** A window, in the words after a pattern. */
type Over = (random: Random, variables: readonly string[], own: string) => string;

function over(random: Random, variables: readonly string[], own: string): string {
  if (chance(random, 0.15)) return overFacts(random, variables, own);
  const last = chance(random, 0.4)
    ? computedLength(random, variables)
    : pick(random, ["1 ms", "2 ms", "5 ms", "1.5 ms", "12 ms", "(3 ms + 2 ms)"]);
  const by = own === "b" ? pick(random, ["", "", " by b.u", " by u"]) : pick(random, ["", "", " by t"]);
  return ` over last ${last}${by}`;
}

type Atom = (random: Random, variables: readonly string[]) => string;

/** How tests of the clock and windows are made in a world. */
interface Makers {
  readonly atom: Atom;
  /** `within 5 ms after a.t`. */
  readonly within: Atom;
}

/** Returns a window over facts of B that a variable names, or none does; nothing in a world without `within`. */
function withinOf(random: Random, { within }: Makers, from: readonly string[], name?: string): string {
  const window = within(random, from);
  const by = window !== "" && chance(random, 0.3) ? ` by ${name === undefined ? "" : `${name}.`}u` : "";
  return `${window}${by}`;
}

function testOf(random: Random, variables: readonly string[], makers: Makers, depth = 2): string {
  const v = pick(random, variables);
  const make = makers;
  const inner = (): string => testOf(random, variables, make, depth - 1);
  if (depth === 0 || chance(random, 0.4)) return make.atom(random, variables);
  switch (below(random, 10)) {
    case 7:
      return `exists B(k == ${v}.k) ${withinOf(random, make, variables)}`;
    case 8:
      return `EXISTS(x: B / x.k == ${v}.k ${withinOf(random, make, variables, "x")})`;
    case 9:
      return `COUNT(x: B${chance(random, 0.5) ? ` / x.k == ${v}.k` : ""} ${withinOf(random, make, variables, "x")}) ${pick(random, OPS)} ${below(random, 3)}`;
    case 0:
      return `not (${inner()})`;
    case 1:
      return `(${inner()} and ${inner()})`;
    case 2:
      return `(${inner()} or ${inner()})`;
    case 3:
      return `(${inner()} or ${v}.k == ${below(random, 3)})`;
    case 4:
      return `((if ${inner()} then ${v}.k else 2) > 1)`;
    case 5:
      return `EXISTS(x: B / x.k == ${v}.k and ${testOf(random, [v, "x"], make, 0)})`;
    default:
      return `COUNT(x: B / ${testOf(random, [v, "x"], make, 0)}) > ${below(random, 2)}`;
  }
}

/** A condition with a window in it. */
function windowed(random: Random, make: Makers, over: Over): string {
  const on = (...variables: string[]): string => testOf(random, variables, make, 1);
  const inside = (own: string, ...variables: string[]): string => over(random, variables, own);
  const slash = (): string => inside("", "a").replace(/ by .*/u, "");
  const timed = (): string => ` over last ${pick(random, ["5 ms", "12 ms", "a.d"])}`;
  return pick(random, [
    () => `a: A${inside("a", "a")}`,
    () => `a: A(k < 2)${inside("a", "a")}`,
    () => `a: A(${on("a")})${inside("a", "a")}`,
    () => `a: A  b: B(k == a.k)${inside("b", "a", "b")}`,
    () => `a: A  b: B(k == a.k, ${on("a", "b")})${inside("b", "a")}`,
    () => `a: A  not B(k == a.k)${inside("", "a")}`,
    () => `a: A  not b: B(k == a.k)${inside("b", "a")}`,
    () => `a: A  exists b: B(k == a.k)${inside("b", "a")}`,
    () => `a: A  not (b: B(k == a.k)${inside("b", "a")} c: A(id != a.id)${inside("c", "a", "b")})`,
    () => `a: A  n: count() from b: B(k == a.k)${inside("b", "a")}`,
    () => `a: A  n: sum(b.k) from b: B${inside("b", "a")}  where n > 1`,
    () => `a: A  forall (b: B(k == a.k) over last 5 ms : b.id > a.id)`,
    () => `a: A  where COUNT(b: B / b.k == a.k${slash()}) > ${below(random, 3)}`,
    () => `a: A  where SUM(b: B${slash()} by b.u ; b.k) > ${below(random, 3)}`,
    () => `a: A  where COUNT(b: B, c: A / b.k == c.k and b.id != a.id${timed()} by c.t) > ${below(random, 2)}`,
    () => `a: A  where EXISTS(b: B / b.k == a.k${slash()}) or a.k == 2`,
    () => `a: A(k == 1 or exists B(k == a.k)${inside("", "a")})`,
    () => `(a: A${inside("a", "a")} or a: A(k == 1))`,
    () => `(a: A${inside("a", "a")} or a: A${inside("a", "a")})`,
    () => `(a: A(k < 2)${inside("a", "a")} or a: A(k < 2)${inside("a", "a")})`,
    () => `a: A  where seen(a)`,
    () => `a: A  where not seen(a) or newest(a)`,
    () => `a: A  where newest(a)`,
    () => `a: A  forall (b: B(k == a.k)${overFacts(random, ["a"], "b")} : b.id > a.id)`,
    () =>
      `a: A  where COUNT(b: B / b.k == a.k${overFacts(random, ["a"], "").replace(/ by .*/u, "")}) ${pick(random, OPS)} ${below(random, 3)}`,
    () => `a: A  q in recent(a.k)`,
  ])();
}

/** What rules with windows use. */
function windowDeclarations(random: Random, over: Over): string {
  const inside = (own: string): string => over(random, ["a"], own);
  const mode = pick(random, ["any", "every", "latest", ""]);
  const evidence =
    mode === "latest" ? `${inside("").replace(/ by .*/u, "")} by b.t` : inside("b").replace("by u", "by b.u");
  return `condition seen(a: A) : exists B(k == a.k)${inside("")}
condition newest(a: A) : b.id > 1 from ${mode} b: B(k == a.k)${evidence}
query recent(k: number) { b: B(k == k)${over(random, ["b"], "b")} }
`;
}

function ruleOf(random: Random, name: string, make: Makers, over: Over): string {
  const window = (from: readonly string[], of?: string): string => withinOf(random, make, from, of);
  const on = (...variables: string[]): string => testOf(random, variables, make);
  const when = pick(random, [
    () => `a: A(${on("a")})`,
    () => `a: A(k < 2, ${on("a")}, ${on("a")})`,
    () => `a: A  b: B(k == a.k, ${on("a", "b")})`,
    () => `a: A  b: B(${on("b")})  where ${on("a", "b")}`,
    () => `a: A  not b: B(k == a.k, ${on("a", "b")})`,
    () => `a: A  exists b: B(${on("a", "b")})`,
    () => `a: A  not (b: B(k == a.k) c: A(id != a.id, ${on("b", "c")}))`,
    () => `a: A  n: count() from b: B(k == a.k, ${on("b", "a")})`,
    () => `a: A  forall (b: B(k == a.k) : ${on("b")})`,
    () => `(a: A(${on("a")}) or a: A(k == 1, ${on("a")}))`,
    () => `a: A  let x = (if ${on("a")} then 1 else a.k)  where x > 0`,
    () => `a: A  where asked(a) or a.k == 2`,
    () => `a: A  where not asked(a)`,
    () => `a: A  where found(a)`,
    ...Array.from({ length: 12 }, () => () => windowed(random, make, over)),
    () => `a: A  where not found(a)`,
    () => `a: A  b: B(k == a.k) ${window(["a"], "b")}`,
    () => `a: A  b: B ${window(["a"], "b")}, where ${on("a", "b")}`,
    () => `a: A  not B(k == a.k) ${window(["a"])}`,
    () => `a: A  not b: B(k == a.k, ${on("b")}) ${window(["a"], "b")}`,
    () => `a: A  exists B(k == a.k) ${window(["a"])}`,
    () => `a: A  not not B(k == a.k) ${window(["a"])}`,
    () => `a: A  not (b: B(k == a.k) ${window(["a"], "b")}, c: A(id != a.id, k == b.k))`,
    () => `a: A  not (B(k == a.k) ${window(["a"])} or c: B(id == a.id) ${window(["a"], "c")})`,
    () => `a: A  forall (b: B(k == a.k) ${window(["a"], "b")} : b.id > 3)`,
    () => `a: A  n: count() from b: B(k == a.k) ${window(["a"], "b")}`,
    () => `a: A  where not exists B(k == a.k) ${window(["a"])}`,
  ])();
  const then = chance(random, 0.3) ? "insert logical Seen(id: a.id)" : "log(a.id)";
  return `rule "${name}" { when ${when} then ${then} }`;
}

function withinLength(random: Random, variables: readonly string[]): string {
  if (chance(random, 0.4)) return computedLength(random, variables);
  return pick(random, ["1 ms", "2 ms", "5 ms", "0 ms", "1.5 ms", "12 ms"]);
}

const INSTANT_TESTS: Makers = {
  atom,
  within: (random, variables) =>
    `within ${withinLength(random, variables)} ${pick(random, ["after", "before"])} ${instant(random, variables)}`,
};

function instantProgram(random: Random): string {
  const rules = Array.from({ length: 1 + below(random, 3) }, (_, at) => ruleOf(random, `r${at}`, INSTANT_TESTS, over));
  const extra = `rule "short" { when a: A let age = now - a.t where age < ${duration(random, ["a"])} then log(a.id, age) }`;
  const expires = chance(random, 0.4) ? ` expires ${EXPIRES_MS} ms` : "";
  return `${TYPES.replace("EXPIRES", expires)}${windowDeclarations(random, over)}
${conditions(random, waiting(INSTANT_TESTS, instant), INSTANT_TESTS)}
${[...rules, ...(chance(random, 0.3) ? [extra] : [])].join("\n")}
`;
}

export const INSTANTS: ClockWorld = {
  endOf: (time) => Date.parse(time) + EXPIRES_MS,
  program: instantProgram,
  rule: (random, name) => ruleOf(random, name, INSTANT_TESTS, over),
  start: 0,
  instants: () => Array.from({ length: 110 }, (_, ms) => ms),
  fields: (random, type) => ({
    ...(chance(random, 0.15) ? {} : { t: instantText(below(random, 50)) }),
    ...(type === "B" && chance(random, 0.8) && { u: instantText(below(random, 50)) }),
    ...(chance(random, 0.85) && {
      d: pick(random, ["PT0.001S", "PT0.003S", "PT0S", "PT0.0025S", "-PT0.002S", "PT0.01S"]),
    }),
    k: below(random, 3),
  }),
  later: (random, now) => now + pick(random, [0, 1, 1, 2, 3, 7, 20]),
};

// ---------------------------------------------------------------- numbers of facts

/** A rule in which the last facts count, and no time but that of the facts. */
function lastRule(random: Random, name: string): string {
  for (;;) {
    const when = windowed(random, KEY_TESTS, overFacts);
    if (!/ ms|\.d\b/u.test(when)) return `rule "${name}" { when ${when} then log(a.id) }`;
  }
}

const KEY_TESTS: Makers = {
  atom: (random, variables) => `${pick(random, variables)}.k ${pick(random, OPS)} ${below(random, 3)}`,
  within: () => "",
};

/** Many facts for few matches, so that windows fill and facts fall out; in half of the programs they have no time. */
export const LAST_FACTS: ClockWorld = {
  ...INSTANTS,
  program: (random) => {
    const rules = Array.from({ length: 2 }, (_, at) => lastRule(random, `r${at}`));
    const types = TYPES.replace("EXPIRES", "");
    return `${chance(random, 0.5) ? types.replaceAll("@t", "t") : types}${windowDeclarations(random, overFacts)}
${rules.join("\n")}
`;
  },
  rule: lastRule,
  types: ["A", "B", "B", "B"],
  steps: 30,
  fields: (random, type) => ({
    ...(chance(random, 0.1) ? {} : { t: instantText(below(random, 20)) }),
    ...(type === "B" && chance(random, 0.8) && { u: instantText(below(random, 20)) }),
    k: below(random, 3),
  }),
  later: (random, now) => now + pick(random, [0, 1, 3, 9]),
};

// ---------------------------------------------------------------- days

const ZONES = ["Europe/Paris", "America/St_Johns", "UTC", "Asia/Kolkata", "Pacific/Apia"];
const DAYS = ["2026-01-31", "2026-02-28", "2026-03-01", "2026-03-29", "2026-10-25", "2010-11-07", "2011-12-30"];
const DAY_TYPES = `type A(#id: number, @t: date?, d: duration?, k: number)
type B(#id: number, @t: date?, d: duration?, k: number, u: date?)EXPIRES
type Seen(#id: number)
`;

function day(random: Random, variables: readonly string[]): string {
  const v = pick(random, variables);
  return pick(random, [
    `${v}.t`,
    `@${pick(random, DAYS)}`,
    `(${v}.t + ${pick(random, ["1 day", "30 days", "1 month", "0 days"])})`,
    `(${v}.t - ${pick(random, ["1 day", "1 month"])})`,
  ]);
}

function dayAtom(random: Random, variables: readonly string[]): string {
  const e = day(random, variables);
  const op = pick(random, OPS);
  return pick(random, [
    `today ${op} ${e}`,
    `${e} ${op} today`,
    `today - ${e} ${op} ${pick(random, ["36 h", "1 day", "0 days", "30 days"])}`,
    `${e} - today ${op} ${pick(random, ["36 h", "1 day"])}`,
    `today + ${pick(random, ["1 day", "36 h", `${pick(random, variables)}.d`])} ${op} ${e}`,
    `today - 2 days ${op} ${e}`,
    `days_between(${e}, today) ${op} ${below(random, 3)}`,
    `days_between(today, ${e}) ${op} 1.5`,
    `today in ${e}..${day(random, variables)}`,
  ]);
}

function daysOver(random: Random, variables: readonly string[], own: string): string {
  if (chance(random, 0.3)) return overFacts(random, variables, own);
  const last = chance(random, 0.3)
    ? `${pick(random, variables)}.d`
    : pick(random, ["1 day", "36 h", "30 days", "7 days"]);
  const by = own === "b" ? pick(random, ["", "", " by b.u"]) : pick(random, ["", " by t"]);
  return ` over last ${last}${by}`;
}

const DAY_TESTS: Makers = {
  atom: dayAtom,
  within: (random, variables) =>
    `within ${pick(random, ["1 day", "30 days", "1 month", "0 days", "36 h", `${pick(random, variables)}.d`, `(${pick(random, variables)}.k - 1) * 1 month`])} ${pick(random, ["after", "before"])} ${day(random, variables)}`,
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const STARTS = new Map<string, number>();

/** Returns the first instant of a day in a zone; of one that a zone leaves out, that of the next. All are at a half hour. */
function startOf(day: string, zone: string): number {
  const known = STARTS.get(`${zone} ${day}`);
  if (known !== undefined) return known;
  let low = Date.parse(day) - DAY;
  while ((dayOn(instantText(low), zone) as string) < day) low += HOUR / 2;
  STARTS.set(`${zone} ${day}`, low);
  return low;
}

export const DAYS_WORLD: ClockWorld = {
  endOf: (time, program) => {
    const end = new Date(Date.parse(time) + EXPIRES_DAYS * DAY).toISOString().slice(0, 10);
    return startOf(end, zoneOf(program.checked));
  },
  program: (random) => {
    const rules = Array.from({ length: 1 + below(random, 2) }, (_, at) =>
      ruleOf(random, `r${at}`, DAY_TESTS, daysOver),
    );
    return `option zone "${pick(random, ZONES)}"
${DAY_TYPES.replace("EXPIRES", chance(random, 0.4) ? ` expires ${EXPIRES_DAYS} days` : "")}${windowDeclarations(random, daysOver)}
${conditions(random, waiting(DAY_TESTS, day), DAY_TESTS)}
${rules.join("\n")}
`;
  },
  rule: (random, name) => ruleOf(random, name, DAY_TESTS, daysOver),
  start: Date.parse("2010-11-05T00:00:00Z"),
  instants: (program) => {
    const zone = zoneOf(program.checked);
    const days = DAYS.flatMap((text) =>
      Array.from({ length: 95 }, (_, at) => new Date(Date.parse(text) + (at - 32) * DAY).toISOString().slice(0, 10)),
    );
    const starts = [...new Set(days)].map((one) => startOf(one, zone));
    const all = new Set(starts.flatMap((at) => [at - 1, at, at + 1]));
    return [...all].sort((a, b) => a - b);
  },
  fields: (random, type) => ({
    ...(type === "B" && chance(random, 0.8) && { u: pick(random, DAYS) }),
    ...(chance(random, 0.15) ? {} : { t: pick(random, DAYS) }),
    ...(chance(random, 0.85) && { d: pick(random, ["P1D", "PT36H", "PT0S", "-P1D"]) }),
    k: below(random, 3),
  }),
  later: (random, now) => {
    const near = DAYS.map((text) => Date.parse(`${text}T00:00:00Z`)).filter((at) => at > now);
    if (near.length === 0 || chance(random, 0.5)) return now + pick(random, [0, 1, HOUR / 2, HOUR, 24 * HOUR]);
    return Math.max(now, Math.min(...near) + (below(random, 60) - 24) * (HOUR / 2));
  },
};

/** Returns the next fact of a history. */
export function newFact(
  world: ClockWorld,
  random: Random,
  id: number,
): { readonly type: string; readonly fields: Readonly<Record<string, unknown>> } {
  const type = pick(random, world.types ?? ["A", "B"]);
  return { type, fields: { id, ...world.fields(random, type) } };
}

/** Returns the rules of a program that were written, without those of gates. */
export function rulesOf(program: Program): string[] {
  return [...program.checked.symbols.rules.names()];
}
