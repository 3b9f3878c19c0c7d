/**
 * Why not, on many facts: how much processor time an answer takes, trying the suggestions in a copy included.
 *
 *   npm run bench -- why
 */
import { compile } from "../src/index.ts";

const FACTS = 100_000;

const session = compile(`
type Person(#id: number, name: string, age: number, status: string)
type Order(#num: number, buyer: Person, total: number)
type Refund(order: number)
rule adult { when p: Person(status == "VIP", age > 200) then log(p.name) }
rule buyer { when p: Person(age > 18) o: Order(buyer == p, total > 1000000) not Refund(order == o.num) then log(p.name) }
rule spent { when p: Person(age > 18) s: sum(o.total) from o: Order(buyer == p) where s > 100000000 then log(p.name) }
`).session();

session.batch(() => {
  for (let id = 0; id < FACTS / 2; id++) {
    session.assert("Person", { id, name: `n${id}`, age: id % 90, status: id % 10 === 0 ? "VIP" : "Regular" });
    session.assert("Order", { num: id, buyer: `Person~${id}`, total: id % 1000 });
  }
});

console.log(`${session.facts().length.toLocaleString("en")} facts`);
for (const [rule, bindings] of [
  ["adult", {}],
  ["buyer", {}],
  ["spent", {}],
  ["buyer", { p: "Person~4711" }],
] as const) {
  const start = process.cpuUsage();
  const answer = session.whyNot(rule, bindings);
  const took = process.cpuUsage(start).user / 1000;
  console.log(
    `${took.toFixed(0).padStart(6)} ms  ${rule} ${JSON.stringify(bindings)}  ${answer.looked.toLocaleString("en")} facts looked at`,
  );
  console.log(`           ${answer.upward_rationale}`);
  for (const { words } of answer.remedies) console.log(`           ${words}`);
}
