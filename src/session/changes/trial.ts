/**
 * Finds out whether facts are founded by taking them out, with everything that rests on them, and putting back what is
 * still supported then. It needs to know nothing of how rules look at facts: `exists` and aggregates tell by themselves.
 *
 * What comes back is as it was: matches that return have fired if they had, and wait if they did.
 */
import type { Fact } from "../../rete/fact.ts";
import type { NetworkPort } from "../../rete/port.ts";
import type { Activation } from "../agenda/activation.ts";
import type { Trial } from "../agenda/activation-listener.ts";
import { LowestFirst } from "./lowest-first.ts";
import type { SessionState } from "../state.ts";

/** Returns the facts that did not come back, in the order they were asserted. */
export function tryWithout(doubtful: readonly Fact[], state: SessionState, network: NetworkPort): readonly Fact[] {
  const { memory, activationListener, support } = state;
  network.makeDeferred?.();
  memory.beginChange();
  const trial = activationListener.beginTrial();
  const out = takeOut(doubtful, state, network, trial);
  putBack(out, state, network, trial);
  trial.end();
  for (const fact of out) support.release(fact);
  return [...out].sort((a, b) => a.order - b.order);
}

/**
 * Also takes out whatever loses a support by it, though it may have others, and whatever may rest on it without naming it:
 * these facts may rest on each other.
 */
function takeOut(doubtful: readonly Fact[], state: SessionState, network: NetworkPort, trial: Trial): Set<Fact> {
  const { memory, activationListener, support } = state;
  const out = new Set(doubtful);
  const restingUnnamedOn = support.restingUnnamed();
  // Facts that join the set meanwhile are visited too.
  for (const fact of out) {
    for (const other of restingUnnamedOn(fact)) out.add(other);
    memory.remove(fact);
    network.remove(fact);
    activationListener.factGone(fact);
    for (const activation of trial.paused()) for (const other of support.restingOn(activation)) out.add(other);
  }
  return out;
}

/**
 * Puts back one fact after the other, as long as there is one with a support. Facts of lower strata come first: a fact that
 * rests on the absence of others must not come back before they had their chance.
 */
function putBack(out: Set<Fact>, { memory, support }: SessionState, network: NetworkPort, trial: Trial): void {
  const ready = new LowestFirst<Fact>();
  const enqueue = (fact: Fact, { production }: Activation): void =>
    ready.put(fact, production.support?.strata.get(fact.shape.type) ?? 0);
  for (const fact of out) {
    const holding = support.holding(fact);
    if (holding !== undefined) enqueue(fact, holding);
  }
  for (let fact = ready.take(); fact !== undefined; fact = ready.take()) {
    const holding = out.has(fact) ? support.holding(fact) : undefined;
    if (holding === undefined) continue;
    out.delete(fact);
    support.foundAgain(fact, holding);
    memory.putBack(fact);
    network.add(fact);
    for (const activation of trial.revived()) {
      for (const other of support.restingOn(activation)) if (out.has(other)) enqueue(other, activation);
    }
  }
}
