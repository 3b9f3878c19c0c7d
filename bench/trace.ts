/**
 * What it costs to be able to ask why: the same run without memory of the past, with it (the default), with a trace that is
 * off, and with one that explains every firing. All in one process, in turns, in pieces so short that the best of
 * many was not disturbed.
 *
 *   npm run bench -- trace
 */
import { compile, type OpenOptions, type RuleSession, type TraceLevel } from "../src/index.ts";
import { type Benchmark, type Figures, WrongAnswer } from "./lib/benchmark.ts";

const ROUNDS = 300;
const FACTS = 300;

const SOURCE = `
type Item(#id: number, group: number, amount: number, state: string = "new")
type Group(#id: number, limit: number)
type Mark(item: number)
rule mark { when i: Item(state == "new") g: Group(id == i.group, limit > i.amount) then insert Mark(item: i.id) i.state = "seen" }
rule total { when g: Group s: sum(i.amount) from i: Item(group == g.id, state == "seen") where s > 100000 then log(g.id) }
`;

interface Way {
  readonly key: string;
  readonly open: OpenOptions;
  readonly trace?: TraceLevel;
  readonly times: number[];
}

function filled({ open, trace }: Way, program: ReturnType<typeof compile>): RuleSession {
  const session = program.session(open);
  let told = 0;
  if (trace !== undefined) session.trace(trace, () => (told += 1));
  session.batch(() => {
    for (let id = 0; id < 20; id++) session.assert("Group", { id, limit: 50 });
    for (let id = 0; id < FACTS; id++) session.assert("Item", { id, group: id % 20, amount: id % 40 });
  });
  return session;
}

function measure(): Figures {
  const program = compile(SOURCE);
  const ways: readonly Way[] = [
    { key: "forgetful", open: { history: 0 }, times: [] },
    { key: "default", open: {}, times: [] },
    { key: "off", open: {}, trace: "off", times: [] },
    { key: "decisions", open: {}, trace: "decisions", times: [] },
    { key: "all", open: {}, trace: "all", times: [] },
  ];
  for (let round = 0; round < ROUNDS; round++) {
    // Each begins in turn: what one leaves behind for the collector is paid for by the next.
    const turn = round % ways.length;
    for (const way of [...ways.slice(turn), ...ways.slice(0, turn)]) {
      const session = filled(way, program);
      const start = performance.now();
      const { count } = session.run();
      way.times.push(performance.now() - start);
      if (count !== FACTS) throw new WrongAnswer(`${count} firings instead of ${FACTS}`);
    }
  }
  return Object.fromEntries(ways.map(({ key, times }) => [key, Math.min(...times)]));
}

export const benchmark: Benchmark = {
  about: "what it costs to be able to ask why (size: firings)",
  processes: 3,
  shows: ["forgetful", "default", "off", "decisions", "all"],
  picture: "works",
  figures: [
    { key: "forgetful", title: "history: 0", unit: "ms" },
    { key: "default", title: "default", unit: "ms" },
    { key: "off", title: "trace off", unit: "ms" },
    { key: "decisions", title: "trace decisions", unit: "ms" },
    { key: "all", title: "trace all", unit: "ms" },
  ],
  cases: [{ work: "orders", size: FACTS, engine: "sluice", measure }],
};
