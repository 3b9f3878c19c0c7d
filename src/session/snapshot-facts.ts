/** Saves the facts of a session with their supports, and puts them back. */
import type { Steps } from "../base/slices.ts";
import { Fact } from "../rete/fact.ts";
import type { Activation } from "./agenda/activation.ts";
import type { Admission } from "./admission/admission.ts";
import { type ActivationIndex, markOf } from "./agenda/marks.ts";
import type { Support } from "./changes/support.ts";
import type { Memory } from "./memory.ts";
import { type FactSnapshot, type SupportSnapshot, unreadable } from "./snapshot.ts";
import { keylessNumber } from "./snapshot-format.ts";
import { fieldsOf } from "./views.ts";

/** Returns a fact with its supports, as it is saved. */
export function savedFact(fact: Fact, support: Support): FactSnapshot {
  const { id, shape, values, order, tag } = fact;
  const saved = { id, type: shape.type, fields: fieldsOf(shape, values), order, tag };
  if (!support.isLogical(fact)) return saved;
  const supports = Array.from(support.supportsOf(fact), savedSupport);
  return { ...saved, logical: { plain: support.isPlain(fact), supports } };
}

function savedSupport(activation: Activation): SupportSnapshot {
  const { rule, identity } = markOf(activation);
  return { rule, identity };
}

/** Puts the facts back into working memory. They are admitted like those of a host: a snapshot is not trusted. */
export function* restoreFacts(
  inOrder: readonly FactSnapshot[],
  memory: Memory,
  admission: Admission,
): Steps<readonly Fact[]> {
  const restored: Fact[] = [];
  for (const saved of inOrder) {
    const { id, type, fields, order, tag } = saved;
    const admitted = admission.admit(type, fields, { byEngine: true, withoutDefaults: true });
    const fits = admitted.id === undefined ? keylessNumber(saved) !== undefined : id === admitted.id;
    if (!fits || memory.get(id) !== undefined) throw unreadable(`invalid fact id "${id}"`);
    const fact = new Fact(id, admitted.shape, admitted.values, order, tag);
    memory.put(fact);
    restored.push(fact);
    yield;
  }
  return restored;
}

/** Connects logical facts with the matches that support them, as far as `find` finds them. */
export function* restoreSupports(
  saved: readonly FactSnapshot[],
  memory: Memory,
  support: Support,
  find: ActivationIndex["find"],
): Steps<void> {
  const logicalFacts: { fact: Fact; logical: NonNullable<FactSnapshot["logical"]>; keyless: boolean }[] = [];
  for (const one of saved) {
    const fact = one.logical === undefined ? undefined : memory.get(one.id);
    if (one.logical !== undefined && fact !== undefined) {
      logicalFacts.push({ fact, logical: one.logical, keyless: keylessNumber(one) !== undefined });
    }
    yield;
  }
  // All facts before the first support: a fact without a record counts as plain.
  support.beginRestore();
  for (const { fact, logical, keyless } of logicalFacts) {
    support.addLogical(fact, { plain: logical.plain, keyless });
    yield;
  }
  for (const { fact, logical } of logicalFacts) {
    for (const { rule, identity } of logical.supports) {
      const activation = find(rule, identity);
      if (activation !== undefined) support.support(fact, activation);
    }
    yield;
  }
  support.endRestore();
}
