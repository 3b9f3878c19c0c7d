/**
 * Finds out whether facts are founded by taking them out, with everything that rests on them, and putting back what is
 * still supported then. It needs to know nothing of how rules look at facts: `exists` and aggregates tell by themselves.
 *
 * What comes back is as it was: matches that return have fired if they had, and wait if they did.
 */
import type { Fact } from "../rete/fact.ts";
import type { NetworkPort } from "../rete/port.ts";
import type { Instances } from "./instances.ts";
import type { Memory } from "./memory.ts";
import type { Support } from "./support.ts";

export interface TrialParts {
  readonly memory: Memory;
  readonly network: NetworkPort;
  readonly instances: Instances;
  readonly support: Support;
}

/** Gives the facts that did not come back, in the order they were asserted. */
export function tryWithout(doubtful: readonly Fact[], parts: TrialParts): readonly Fact[] {
  const { memory, network, instances, support } = parts;
  network.makePostponed?.();
  memory.beginChange();
  const trial = instances.beginTrial();
  const out = takeOut(doubtful, parts, () => trial.paused());
  putBack(out, parts);
  trial.end();
  for (const fact of out) support.release(fact);
  return [...out].sort((a, b) => a.order - b.order);
}

/** Also takes out whatever loses a support by it, though it may have others: they may rest on each other. */
function takeOut(doubtful: readonly Fact[], parts: TrialParts, paused: TrialPaused): Set<Fact> {
  const { memory, network, support } = parts;
  const out = new Set<Fact>();
  const next = [...doubtful];
  for (let fact = next.shift(); fact !== undefined; fact = next.shift()) {
    if (out.has(fact)) continue;
    out.add(fact);
    memory.remove(fact);
    network.remove(fact);
    parts.instances.factGone(fact);
    for (const activation of paused()) next.push(...support.restingOn(activation));
  }
  return out;
}

/** Gives the activations that were paused since it was last asked. */
type TrialPaused = () => Iterable<Parameters<Support["restingOn"]>[0]>;

/** Puts back one fact after the other, as long as there is one with a support. */
function putBack(out: Set<Fact>, { memory, network, support }: TrialParts): void {
  for (let back = firstSupported(out, support); back !== undefined; back = firstSupported(out, support)) {
    out.delete(back);
    memory.putBack(back);
    network.add(back);
  }
}

function firstSupported(out: Iterable<Fact>, support: Support): Fact | undefined {
  for (const fact of out) if (support.isSupported(fact)) return fact;
  return undefined;
}
