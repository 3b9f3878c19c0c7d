/**
 * Small pieces by themselves: one change of a fact through networks of different kinds.
 *
 *   npm run bench -- micro
 */
import { Bench } from "tinybench";
import { compile } from "../src/index.ts";

const TYPES = "type Item(#id: number, group: number, amount: number) type Group(#id: number, limit: number)";

const PROGRAMS: Readonly<Record<string, string>> = {
  "one pattern": "rule r { when i: Item(amount > 3) then log(i.id) }",
  "join on a key": "rule r { when i: Item(amount > 3) g: Group(id == i.group) then log(i.id) }",
  not: "rule r { when i: Item(amount > 3) not Group(id == i.group) then log(i.id) }",
  sum: "rule r { when g: Group total: sum(i.amount) from i: Item(group == g.id) where total > g.limit then log(g.id) }",
};

const bench = new Bench({ time: 500 });
for (const [name, rules] of Object.entries(PROGRAMS)) {
  const session = compile(`${TYPES} ${rules}`).session();
  for (let id = 0; id < 100; id++) session.assert("Group", { id, limit: 50 });
  for (let id = 0; id < 10_000; id++) session.assert("Item", { id, group: id % 100, amount: id % 7 });
  let n = 0;
  bench.add(name, () => {
    n = (n + 1) % 10_000;
    session.retract(`Item~${n}`);
    session.assert("Item", { id: n, group: n % 100, amount: n % 7 });
  });
}
await bench.run();
console.table(bench.table());
