/**
 * Many tenants in one process: 10,000 sessions of one program of 1,000 rules over two patterns.
 *
 *   npm run bench -- tenants
 *
 * `idle` sessions have no fact; the others got facts, each pair of which touches a rule of its own, and fired. `open` is the time to open
 * all of them, `work` the time of all their facts and runs, `heap` what they keep together. The program is there before.
 */
import { compile, type Program, type RuleSession } from "../src/index.ts";
import { type Benchmark, type Figures, WrongAnswer } from "./lib/benchmark.ts";
import { heapUsed, MEGABYTE } from "./lib/heap.ts";

const TENANTS = 10_000;
const RULES = 1000;

/** The rules of all tenants: each is about the people of one city. */
export function tenantRules(rules: number): string {
  const all = Array.from(
    { length: rules },
    (_, n) =>
      `rule r${n} { when p: P(city == ${n}) o: O(buyer == p.id, city == ${n}) not Block(person == p.id) then log(o.num) }`,
  );
  return `
type P(#id: string, city: number)
type O(#num: string, buyer: string, city: number)
type Block(#person: string)
${all.join("\n")}`;
}

/** Gives a tenant facts, half of them people and half of them an order of each, and fires; returns how often rules fired. */
export function work(session: RuleSession, tenant: number, facts: number): number {
  for (let n = 0; n < facts; n += 2) {
    const city = (tenant + n) % RULES;
    session.assert("P", { id: `p${n}`, city });
    if (n + 1 < facts) session.assert("O", { num: `o${n}`, buyer: `p${n}`, city });
  }
  return session.run().count;
}

function measure(program: Program, tenants: number, facts: number): Figures {
  program.session(); // makes what all sessions share
  work(program.session(), 0, facts);
  const before = heapUsed();
  const held: RuleSession[] = [];
  const start = performance.now();
  for (let tenant = 0; tenant < tenants; tenant++) held.push(program.session());
  const opened = performance.now();
  let fired = 0;
  if (facts > 0) for (const [tenant, session] of held.entries()) fired += work(session, tenant, facts);
  const worked = performance.now();
  const heap = (heapUsed() - before) / MEGABYTE;
  if (fired !== tenants * Math.floor(facts / 2)) throw new WrongAnswer(`${fired} firings`);
  if (held.at(-1)?.size !== facts) throw new WrongAnswer("facts are missing");
  return { open: opened - start, work: worked - opened, heap };
}

export const benchmark: Benchmark = {
  about: `${TENANTS.toLocaleString("en")} sessions of one program of ${RULES.toLocaleString("en")} rules (size: facts of each)`,
  processes: 1,
  shows: "heap",
  picture: "curves",
  figures: [
    { key: "open", title: "open all", unit: "ms" },
    { key: "work", title: "facts and runs", unit: "ms" },
    { key: "heap", title: "heap", unit: "MB" },
  ],
  cases: [0, 1, 10].map((facts) => ({
    work: facts === 0 ? "idle" : "used",
    size: facts,
    engine: "sluice",
    measure: () => measure(compile(tenantRules(RULES)), TENANTS, facts),
  })),
};
