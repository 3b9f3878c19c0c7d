/**
 * Memory under change: a million times assert and retract, with joins, `not` and aggregates in the way.
 *
 *   npm run bench -- memory
 */
import { compile } from "../src/index.ts";

const CYCLES = 1_000_000;
const STEPS = 10;

const session = compile(`
type Item(#id: number, group: number, amount: number)
type Group(#id: number, limit: number)
rule over { when g: Group total: sum(i.amount) from i: Item(group == g.id) where total > g.limit then log(g.id) }
rule pair { when i: Item(amount > 3) g: Group(id == i.group) not Item(group == i.group, amount > i.amount) then log(i.id) }
`).session();

for (let id = 0; id < 10; id++) session.assert("Group", { id, limit: 20 });
for (let id = 0; id < 100; id++) session.assert("Item", { id, group: id % 10, amount: id % 7 });

function cycle(from: number, to: number): void {
  for (let n = from; n < to; n++) {
    session.retract(`Item~${n}`);
    session.assert("Item", { id: n + 100, group: n % 10, amount: n % 7 });
  }
}

function heap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

const start = performance.now();
console.log("cycles      heap MB");
let first = 0;
for (let step = 0; step < STEPS; step++) {
  cycle((step * CYCLES) / STEPS, ((step + 1) * CYCLES) / STEPS);
  const used = heap();
  if (step === 0) first = used;
  const change = `${((100 * (used - first)) / first).toFixed(1)} %`;
  console.log(`${String(((step + 1) * CYCLES) / STEPS).padStart(9)}   ${used.toFixed(1).padStart(6)}  ${change}`);
}
console.log(`${((1000 * (performance.now() - start)) / CYCLES).toFixed(1)} µs per retract and assert`);
for (const fact of session.facts()) session.retract(fact.id);
console.log("after retracting everything:", JSON.stringify(session.counters()));
