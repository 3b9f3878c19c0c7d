/**
 * Rules that come and go while facts live: one rule more and one rule less among many, with 100,000 facts in the session.
 *
 *   npm run bench -- churn
 *
 * `extend` and `less` are the new program alone; `reload` is the session that continues with it, until the new rule has fired;
 * `cycle` is one turn of a loop in which a rule comes, facts come and go, and the rule goes again. Every answer is checked.
 */
import { compile, type Program, type RuleSession } from "../src/index.ts";
import { type Benchmark, type Figures, verify } from "./lib/benchmark.ts";

const SIZES = [1000, 2000, 4000, 8000, 10_000];
const FACTS = 100_000;
const ROUNDS = 5;
const CYCLES = 10;

const TYPES = `
type P(#id: string, city: number)
type O(#num: string, buyer: string, region: number)
type B(#id: string, who: string, level: number)
action fire(num: string)
`;

/** A third of the rules has one pattern, a third joins two, a third has a `not` as well. Each fact reaches few of them. */
function ruleNumbered(n: number): string {
  const first = `rule r${n} { when p: P(city == ${n})`;
  if (n % 3 === 0) return `${first} then fire(p.id) }`;
  const join = `${first} o: O(buyer == p.id, region == ${n})`;
  return n % 3 === 1 ? `${join} then fire(o.num) }` : `${join} not B(who == p.id, level == ${n}) then fire(o.num) }`;
}

function rules(count: number): string {
  return `${TYPES}${Array.from({ length: count }, (_, n) => ruleNumbered(n)).join("\n")}`;
}

/** The rule that comes and goes: it joins the people of one city with their orders from one region. */
function moreRule(name: string, city: number): string {
  return `rule ${name} { when p: P(city == ${city}) o: O(buyer == p.id, region == ${city}) then fire(o.num) }`;
}

/** A session full of facts, and how often its rules have fired. */
class Filled {
  fired = 0;
  readonly session: RuleSession;
  readonly cities: number;

  constructor(program: Program, size: number) {
    this.cities = size * 2; // half of the facts reach no rule
    this.session = program.session({ actions: { fire: () => void (this.fired += 1) } });
    for (let n = 0; n < FACTS / 2; n++) {
      this.session.assert("P", { id: `p${n}`, city: n % this.cities });
      this.session.assert("O", { num: `o${n}`, buyer: `p${n}`, region: n % this.cities });
    }
    this.session.run({ collect: false });
  }

  /** How many people live in a city: each of them has one order from the region of the same number. */
  peopleOf(city: number): number {
    return Math.floor((FACTS / 2 - 1 - city) / this.cities) + 1;
  }
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function measure(size: number): Figures {
  const filled = new Filled(compile(rules(size)), size);
  const { session } = filled;
  const best: Record<string, number> = {};
  const note = (figure: string, work: () => void): void => {
    best[figure] = Math.min(best[figure] ?? Number.POSITIVE_INFINITY, timed(work));
  };
  let { program } = session;
  for (let round = 0; round < ROUNDS; round++) {
    const city = (round * 3 + 1) % size;
    filled.fired = 0;
    note("extend", () => (program = session.program.extend(moreRule("more", city))));
    note("reload", () => {
      session.reload(program);
      session.run({ collect: false });
    });
    verify({ fired: filled.fired }, { fired: filled.peopleOf(city) });
    note("less", () => (program = session.program.without("more")));
    note("reload less", () => session.reload(program));
    verify({ rules: session.program.network().rules.length }, { rules: size });
  }
  best["cycle"] = timed(() => cycles(filled)) / CYCLES;
  return { ...best, more: (best["extend"] ?? 0) + (best["reload"] ?? 0) };
}

/** A rule comes, a person and an order come and reach it, all of them go. */
function cycles(filled: Filled): void {
  const { session } = filled;
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const city = filled.cities + cycle; // nobody lives there yet
    filled.fired = 0;
    session.reload(session.program.extend(moreRule(`cycle${cycle}`, city)));
    session.assert("P", { id: "new", city });
    session.assert("O", { num: "new", buyer: "new", region: city });
    session.run({ collect: false });
    verify({ fired: filled.fired }, { fired: 1 });
    session.retract("P~new");
    session.retract("O~new");
    session.reload(session.program.without(`cycle${cycle}`));
  }
  verify({ facts: session.size }, { facts: FACTS });
}

export const benchmark: Benchmark = {
  about: "one rule more, one rule less, 100,000 facts live (size: rules)",
  processes: 1,
  shows: "more",
  picture: "curves",
  figures: [
    { key: "more", title: "one rule more", unit: "ms" },
    { key: "extend", title: "extend", unit: "ms" },
    { key: "reload", title: "reload", unit: "ms" },
    { key: "less", title: "without", unit: "ms" },
    { key: "reload less", title: "reload", unit: "ms" },
    { key: "cycle", title: "cycle", unit: "ms" },
  ],
  cases: SIZES.map((size) => ({ work: "churn", size, engine: "sluice", measure: () => measure(size) })),
};
