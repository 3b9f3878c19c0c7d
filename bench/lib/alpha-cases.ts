/** How W1 and W4 are measured: facts go in one by one, everything fires at the end. */
import { conjunctions, permutedOrs } from "../data/alpha-work.ts";
import type { AlphaWork } from "../data/alpha-work.ts";
import { expectedAlpha } from "../data/expected.ts";
import { Tally } from "../data/random.ts";
import { Conjunctions } from "../hand/conjunctions.ts";
import { PermutedOrs } from "../hand/permuted-ors.ts";
import { conjunctionRules, orRules } from "../sluice/alpha-rules.ts";
import type { Figures } from "./benchmark.ts";
import { open, programOf, runToRest } from "./open.ts";
import { repeat } from "./repeat.ts";

export type AlphaName = "W1" | "W4";

export function alphaWork(name: AlphaName, rules: number, facts: number): AlphaWork {
  const first = conjunctions();
  const all = name === "W1" ? first : permutedOrs(first.facts);
  return { tests: all.tests, rules: all.rules.slice(0, rules), facts: all.facts.slice(0, facts) };
}

export function alphaOnSluice(name: AlphaName, rules: number, facts: number): Figures {
  const work = alphaWork(name, rules, facts);
  const source = name === "W1" ? conjunctionRules(work) : orRules(work);
  const begin = performance.now();
  const program = programOf(source);
  const tally = new Tally();
  const make = (): ReturnType<typeof open> => open(program, { fire: tally.fire });
  make();
  const build = performance.now() - begin;
  const times = repeat({
    make,
    work: (session) => {
      for (const fact of work.facts) session.assert("Thing", fact);
      runToRest(session);
      return tally.take();
    },
    expected: expectedAlpha(name, rules, facts),
  });
  return { build, ...times };
}

export function alphaByHand(name: AlphaName, rules: number, facts: number): Figures {
  const work = alphaWork(name, rules, facts);
  const begin = performance.now();
  const matcher = name === "W1" ? new Conjunctions(work) : new PermutedOrs(work);
  const build = performance.now() - begin;
  const tally = new Tally();
  const times = repeat({
    make: () => matcher,
    work: () => {
      for (const fact of work.facts) matcher.add(fact, tally.fire);
      return tally.take();
    },
    expected: expectedAlpha(name, rules, facts),
  });
  return { build, ...times };
}
