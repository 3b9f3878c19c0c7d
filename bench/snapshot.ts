/**
 * How long the event loop is blocked at a time while a session is saved or opened, and while rules are compiled.
 *
 *   npm run bench -- snapshot
 */
import { PerformanceObserver } from "node:perf_hooks";
import { compile, compileAsync, type Program, type RuleSession } from "../src/index.ts";
import { type Benchmark, type Case, type Figures, WrongAnswer } from "./lib/benchmark.ts";

const FACTS = [100_000, 1_000_000];
const RULES = [1_000, 10_000];

const SOURCE = `
  type Item(#id: number, group: number, amount: number)
  type Group(#id: number)
  action log(what: any)
  rule large { when i: Item(amount > 90) then log(i.id) }
  rule paired { when i: Item(amount == 7) g: Group(id == i.group) then log(i.id) }`;

/** Does the work, and returns its time and the longest time for which nothing else could run. */
async function watched<Result>(work: () => Promise<Result>): Promise<{ figures: Figures; result: Result }> {
  let longest = 0;
  let gc = 0;
  let last = performance.now();
  let isDone = false;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gc = Math.max(gc, duration);
  });
  observer.observe({ entryTypes: ["gc"] });
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const start = performance.now();
  const result = await work();
  const ms = performance.now() - start;
  longest = Math.max(longest, performance.now() - last);
  isDone = true;
  await new Promise((resolve) => setTimeout(resolve, 20));
  observer.disconnect();
  return { figures: { ms, block: longest, gc }, result };
}

function filled(program: Program, facts: number): RuleSession {
  const session = program.session({ history: 0 });
  for (let id = 0; id < 100; id++) session.assert("Group", { id });
  for (let id = 0; id < facts - 100; id++) session.assert("Item", { id, group: id % 100, amount: id % 97 });
  return session;
}

async function saved(session: RuleSession): Promise<string[]> {
  const lines: string[] = [];
  await session.snapshot({ stream: { write: (line, done) => (lines.push(line), done()) } });
  return lines;
}

async function measureSave(facts: number): Promise<Figures> {
  const session = filled(compile(SOURCE), facts);
  const { figures, result } = await watched(() => saved(session));
  if (result.length < facts / 1_000) throw new WrongAnswer("lines are missing");
  return figures;
}

async function measureOpen(facts: number): Promise<Figures> {
  const program = compile(SOURCE);
  const lines = await saved(filled(program, facts));
  const file = new Blob(lines); // made before: to make it takes the time of a copy, at once
  const { figures, result } = await watched(() => program.openAsync({ history: 0, from: file.stream() }));
  if (result.size !== facts) throw new WrongAnswer(`${result.size} facts`);
  return figures;
}

async function measureCompile(count: number): Promise<Figures> {
  const rules = Array.from(
    { length: count },
    (_, at) =>
      `rule r${at} { when i: Item(amount > ${at}, group == ${at % 50}) g: Group(id == i.group) then log(i.id) }`,
  );
  const source = [...SOURCE.split("\n").slice(0, 4), ...rules].join("\n");
  const { figures, result } = await watched(() => compileAsync(source));
  if (result.network().rules.length !== count) throw new WrongAnswer("rules are missing");
  return figures;
}

function cases(work: string, sizes: readonly number[], measure: (size: number) => Promise<Figures>): Case[] {
  return sizes.map((size) => ({ work, size, engine: "sluice", measure: () => measure(size) }));
}

export const benchmark: Benchmark = {
  about: "the longest block of the event loop (size: facts saved and opened, rules compiled)",
  processes: 3,
  shows: "block",
  picture: "works",
  figures: [
    { key: "ms", title: "in all", unit: "ms" },
    { key: "block", title: "longest block", unit: "ms" },
    { key: "gc", title: "longest collection", unit: "ms" },
  ],
  cases: [
    ...cases("save", FACTS, measureSave),
    ...cases("open", FACTS, measureOpen),
    ...cases("compile", RULES, measureCompile),
  ],
};
