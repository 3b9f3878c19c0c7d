/** What a peer can be asked to do. Packages are loaded from the folder's own node_modules, when they are needed. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type AlphaWork, type Test, type Thing, valueIn } from "../data/alpha-work.ts";
import type { OrderWork } from "../data/order-work.ts";
import { ROOT } from "../lib/files.ts";

export type Fire = (rule: number, id: number) => void;

/** How the tests of a rule are joined. */
export type Joined = "and" | "or";

export interface Peer {
  readonly name: string;
  /** Makes the engine ready; the function it gives takes all facts and fires what holds. */
  alpha(work: AlphaWork, joined: Joined, fire: Fire): Promise<Matcher>;
  /** Makes rules ready; the function it gives opens an engine without facts. Absent when the peer keeps none, or cannot join. */
  orders?(fire: Fire, single: boolean): Promise<() => OrderEngine>;
}

type Matcher = (facts: readonly Thing[]) => Promise<void>;

export interface OrderEngine {
  fill(inserts: OrderWork["inserts"]): Promise<void>;
  change(changes: OrderWork["changes"]): Promise<void>;
}

const require = createRequire(join(ROOT, "bench/peers/package.json"));

/** A package in the shape of its own interface, whichever kind of module it is. */
export async function load<Module>(name: string): Promise<Module> {
  const loaded = (await import(pathToFileURL(require.resolve(name)).href)) as { default?: unknown };
  return { ...(loaded.default as object | undefined), ...loaded } as Module;
}

/** For engines whose conditions are functions. */
export function predicateOf(work: AlphaWork, positions: readonly number[], joined: Joined): (fact: Thing) => boolean {
  const tests = positions.flatMap((position) => work.tests[position] ?? []);
  return joined === "and"
    ? (fact) => tests.every((test) => holds(test, fact))
    : (fact) => tests.some((test) => holds(test, fact));
}

function holds({ field, op, value }: Test, fact: Thing): boolean {
  const own = valueIn(fact, field);
  return op === "<" ? own < value : op === ">=" ? own >= value : own === value;
}

/** For engines whose conditions are texts in JavaScript's spelling or near it. */
export function conditionText(
  work: AlphaWork,
  positions: readonly number[],
  words: { readonly before: string; readonly joined: string },
): string {
  return positions
    .flatMap((position) => work.tests[position] ?? [])
    .map(({ field, op, value }) => `${words.before}${field} ${op} ${JSON.stringify(value)}`)
    .join(words.joined);
}
