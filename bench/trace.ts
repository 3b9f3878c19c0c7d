/**
 * What it costs to be able to ask why: the same run without memory of the past, with it (the default), with a trace that is
 * off, and with one that explains every firing. All in one process, in turns, in pieces so short that the best of
 * many was not disturbed.
 *
 *   npm run bench -- trace
 */
import { compile, type OpenOptions, type RuleSession, type TraceLevel } from "../src/index.ts";

const ROUNDS = 300;
const FACTS = 300;

const program = compile(`
type Item(#id: number, group: number, amount: number, state: string = "new")
type Group(#id: number, limit: number)
type Mark(item: number)
rule mark { when i: Item(state == "new") g: Group(id == i.group, limit > i.amount) then insert Mark(item: i.id) i.state = "seen" }
rule total { when g: Group s: sum(i.amount) from i: Item(group == g.id, state == "seen") where s > 100000 then log(g.id) }
`);

interface Way {
  readonly name: string;
  readonly open: OpenOptions;
  readonly trace?: TraceLevel;
  readonly times: number[];
}

const ways: readonly Way[] = [
  { name: "history: 0", open: { history: 0 }, times: [] },
  { name: "default", open: {}, times: [] },
  { name: "trace off", open: {}, trace: "off", times: [] },
  { name: "trace decisions", open: {}, trace: "decisions", times: [] },
  { name: "trace all", open: {}, trace: "all", times: [] },
];

function filled(way: Way): RuleSession {
  const session = program.session(way.open);
  let told = 0;
  if (way.trace !== undefined) session.trace(way.trace, () => (told += 1));
  session.batch(() => {
    for (let id = 0; id < 20; id++) session.assert("Group", { id, limit: 50 });
    for (let id = 0; id < FACTS; id++) session.assert("Item", { id, group: id % 20, amount: id % 40 });
  });
  return session;
}

for (let round = 0; round < ROUNDS; round++) {
  // Each begins in turn: what one leaves behind for the collector is paid for by the next.
  const turn = round % ways.length;
  for (const way of [...ways.slice(turn), ...ways.slice(0, turn)]) {
    const session = filled(way);
    const start = performance.now();
    session.run();
    way.times.push(performance.now() - start);
  }
}

const best = (way: Way): number => Math.min(...way.times);
const [first] = ways;
console.log(`${FACTS.toLocaleString("en")} firings, best of ${ROUNDS}`);
for (const way of ways) {
  const ratio = first === undefined ? 1 : best(way) / best(first);
  console.log(`${way.name.padEnd(16)} ${best(way).toFixed(1).padStart(8)} ms   ${ratio.toFixed(2)}`);
}
