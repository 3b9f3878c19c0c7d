/**
 * Why not, on many facts: how much processor time an answer takes, trying the suggestions in a copy included.
 *
 *   npm run bench -- why
 */
import { compile, type RuleSession } from "../src/index.ts";
import { type Benchmark, type Case, type Figures, WrongAnswer } from "./lib/benchmark.ts";

const FACTS = 100_000;

const SOURCE = `
type Person(#id: number, name: string, age: number, status: string)
type Order(#num: number, buyer: Person, total: number)
type Refund(order: number)
rule adult { when p: Person(status == "VIP", age > 200) then log(p.name) }
rule buyer { when p: Person(age > 18) o: Order(buyer == p, total > 1000000) not Refund(order == o.num) then log(p.name) }
rule spent { when p: Person(age > 18) s: sum(o.total) from o: Order(buyer == p) where s > 100000000 then log(p.name) }
`;

function filled(): RuleSession {
  const session = compile(SOURCE).session();
  session.batch(() => {
    for (let id = 0; id < FACTS / 2; id++) {
      session.assert("Person", { id, name: `n${id}`, age: id % 90, status: id % 10 === 0 ? "VIP" : "Regular" });
      session.assert("Order", { num: id, buyer: `Person~${id}`, total: id % 1000 });
    }
  });
  return session;
}

function measure(rule: string, given: Readonly<Record<string, string>>): Figures {
  const session = filled();
  const start = process.cpuUsage();
  const answer = session.whyNot(rule, given);
  const ms = process.cpuUsage(start).user / 1000;
  if (answer.upward_rationale === "") throw new WrongAnswer("an answer has words");
  return { ms, looked: answer.looked, remedies: answer.remedies.length };
}

const ASKED: Readonly<Record<string, readonly [rule: string, given: Readonly<Record<string, string>>]>> = {
  "one pattern": ["adult", {}],
  "join and not": ["buyer", {}],
  aggregate: ["spent", {}],
  "join, one person": ["buyer", { p: "Person~4711" }],
};

export const benchmark: Benchmark = {
  about: "why a rule does not fire (size: facts; processor time)",
  processes: 3,
  shows: "ms",
  picture: "works",
  figures: [
    { key: "ms", title: "answer", unit: "ms" },
    { key: "looked", title: "facts looked at", unit: "count" },
    { key: "remedies", title: "ways out found", unit: "count" },
  ],
  cases: Object.entries(ASKED).map(([work, [rule, given]]): Case => ({
    work,
    size: FACTS,
    engine: "sluice",
    measure: () => measure(rule, given),
  })),
};
