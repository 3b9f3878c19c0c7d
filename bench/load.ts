/**
 * W5 by its parts: filling a session with orders and customers, and then replacing 9,000 of them one by one.
 *
 *   npm run bench -- load
 *
 * In CLIPS, facts are asserted by a function that was read before the clock starts, and those that will go are kept in a global variable
 * each, so no rule has to look for them.
 */
import { loadWork } from "./data/order-work.ts";
import { Orders } from "./hand/orders.ts";
import { programNamed } from "./lib/open.ts";
import { readText } from "./lib/files.ts";
import { change, fill, type Given, handEngine, type Prepared, prepared, sluiceEngine } from "./lib/order-cases.ts";
import { benchmarkOf, casesOf, type Task } from "./lib/task.ts";
import { assertion, rulesForClips } from "./peers/clips/clips.ts";

const SIZES = [12_375, 24_750, 49_500, 99_000];
const REPLACEMENTS = 9000;

const COMMON = {
  sizes: SIZES,
  given: (size: number): Prepared => prepared(loadWork(size, REPLACEMENTS)),
  program: () => programNamed("single-orders"),
};

const loading: Task<Prepared> = {
  ...COMMON,
  work: "load",
  onSluice: (session, given) => ({ work: () => fill(sluiceEngine(session), given) }),
  byHand: (given, fire) => {
    const engine = handEngine(new Orders(fire, true));
    return { work: () => fill(engine, given) };
  },
  onClips: ({ inserts }) => ({ rules: clipsRules(), timed: inserts.map(asserted) }),
};

const replacing: Task<Prepared> = {
  ...COMMON,
  work: "replace",
  onSluice: (session, given) => {
    const engine = sluiceEngine(session);
    fill(engine, given);
    return { work: () => change(engine, given) };
  },
  byHand: (given, fire) => {
    const engine = handEngine(new Orders(fire, true));
    fill(engine, given);
    return { work: () => change(engine, given) };
  },
  onClips: ({ inserts, changes }) => {
    const going = new Set(changes.map(({ type, id }) => `${type}${id}`));
    const kept = (one: Given): string =>
      going.has(nameOf(one)) ? `(bind ?*${nameOf(one)}* ${asserted(one)})` : asserted(one);
    return {
      rules: clipsRules(),
      globals: [...going],
      before: inserts.map(kept),
      timed: changes.map(({ type, id, by }) => `(retract ?*${type}${id}*) ${kept(by)} (run)`),
    };
  },
};

function clipsRules(): string {
  return ["orders", "single-orders"].map((file) => rulesForClips(readText(`bench/programs/${file}.tsd`))).join("");
}

function nameOf({ type, fields: { id } }: Given): string {
  return `${type}${id}`;
}

function asserted({ type, fields }: Given): string {
  return assertion(type, fields);
}

export const tasks: readonly Task<Prepared>[] = [loading, replacing];

export const benchmark = benchmarkOf(
  `facts loaded, and ${REPLACEMENTS.toLocaleString("en")} of them replaced one by one (size: facts)`,
  tasks.flatMap((task) => casesOf(task)),
);
