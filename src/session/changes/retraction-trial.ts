/**
 * Retracts facts on trial: takes them out, with everything that rests on them, and puts back what is still supported. This
 * decides whether facts are well-founded where matches do not name all facts that they rest on (`exists`, aggregates).
 *
 * What comes back is as it was: matches that return have fired if they had, and wait if they did.
 */
import type { Fact } from "../../rete/fact.ts";
import type { NetworkPort } from "../../rete/port.ts";
import type { Activation } from "../agenda/activation.ts";
import type { Trial } from "../agenda/activation-listener.ts";
import { MinHeap } from "./min-heap.ts";
import type { SessionState } from "../state.ts";

/** Retracts the facts that are not well-founded, and returns them in the order they were asserted. */
export function retractOnTrial(doubtful: readonly Fact[], state: SessionState, network: NetworkPort): readonly Fact[] {
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
 * Takes out the facts, all facts that lose a support by it, though they may have others, and all that may rest on them without
 * naming them: these facts may rest on each other.
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
 * rests on the absence of others must not come back before them.
 */
function putBack(out: Set<Fact>, { memory, support }: SessionState, network: NetworkPort, trial: Trial): void {
  const ready = new MinHeap<Fact>();
  const enqueue = (fact: Fact, { production }: Activation): void =>
    ready.push(fact, production.support?.strata.get(fact.shape.type) ?? 0);
  for (const fact of out) {
    const holding = support.holding(fact);
    if (holding !== undefined) enqueue(fact, holding);
  }
  for (let fact = ready.pop(); fact !== undefined; fact = ready.pop()) {
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
