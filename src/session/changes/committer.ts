/**
 * Makes staged changes: working memory, network, supports and agenda move together, one change after the other.
 *
 * When the list is done, logical facts that lost their foundation are withdrawn, until all that is left is founded.
 */
import { keylessId } from "../../base/identity.ts";
import type { Maybe } from "../../base/value.ts";
import type { Fact, Shape } from "../../rete/fact.ts";
import type { Agenda } from "../agenda/agenda.ts";
import type { History } from "../history.ts";
import type { FactEvent, Fired } from "../results.ts";
import type { Change } from "./staging.ts";
import { type TrialSpec, tryWithout } from "./trial.ts";
import { factView, fieldsOf } from "../views.ts";
import type { Xuples } from "../xuples.ts";

export interface CommitterSpec extends TrialSpec {
  readonly agenda: Agenda;
  readonly xuples: Xuples;
  readonly history: History;
  /** Undefined while nobody listens. */
  report(): ((event: FactEvent) => void) | undefined;
}

/** From so many changes on it pays to look ahead. */
const MANY = 1000;

export class Committer {
  readonly #parts: CommitterSpec;
  #by = "host";
  /** The firing that the changes belong to. */
  #fired: Fired | undefined;

  constructor(parts: CommitterSpec) {
    this.#parts = parts;
  }

  commit(changes: readonly Change[], by: string, fired?: Fired): void {
    this.#by = by;
    this.#fired = fired;
    if (changes.length >= MANY) this.#parts.network.foresee?.(comingOf(changes));
    for (const change of changes) this.#make(change);
    this.#afterwards();
  }

  /** A new fact of the host; gives its id. */
  assert(shape: Shape, values: Maybe[], keyed: string | undefined): string {
    const { memory, network, support } = this.#parts;
    this.#by = "host";
    this.#fired = undefined;
    const keyless = keyed === undefined ? memory.lastKeyless(shape.type) + 1 : 0;
    const id = keyed ?? keylessId(shape.type, keyless);
    if (keyed === undefined) memory.setLastKeyless(shape.type, keyless);
    memory.beginChange();
    const fact = memory.insert(id, shape, values);
    support.came(fact);
    network.add(fact);
    this.#tell("assert", fact);
    this.#afterwards();
    return id;
  }

  /** A plain fact goes. */
  retract(fact: Fact): void {
    this.#by = "host";
    this.#fired = undefined;
    this.#retract(fact);
    this.#afterwards();
  }

  #afterwards(): void {
    this.#by = "support";
    this.#retractUnfounded();
  }

  #make(change: Change): void {
    switch (change.kind) {
      case "insert":
        return this.#insert(change);
      case "focus":
        return this.#parts.agenda.focus(change.group);
      case "xuple":
        return this.#parts.xuples.put(change.space, change.shape.type, fieldsOf(change.shape, change.values));
      default:
        return this.#changeFact(change, this.#parts.memory.get(change.id));
    }
  }

  /** A logical fact whose match is gone already has nothing to rest on, so it does not come at all. */
  #insert(change: Change & { kind: "insert" }): void {
    const { memory, network, support } = this.#parts;
    if (change.keyless !== undefined) memory.setLastKeyless(change.shape.type, change.keyless);
    if (change.support?.alive === false) return;
    memory.beginChange();
    const fact = memory.insert(change.id, change.shape, change.values);
    if (change.support !== undefined) {
      support.addLogical(fact, { plain: false, keyless: change.keyless !== undefined });
      support.support(fact, change.support);
    }
    support.came(fact);
    this.#parts.history.asserted(fact, this.#fired);
    network.add(fact);
    this.#tell("assert", fact);
  }

  /** The fact can be missing only when the logical insert that was to bring it did not happen. */
  #changeFact(change: Exclude<Change, { kind: "insert" | "focus" | "xuple" }>, fact: Fact | undefined): void {
    const { support } = this.#parts;
    if (fact === undefined) return;
    switch (change.kind) {
      case "plain":
        return support.setPlain(fact, change.plain);
      case "support":
        if (change.activation.alive) support.support(fact, change.activation);
        return;
      case "update":
        return this.#update(fact, change);
      case "retract":
        return this.#retract(fact);
    }
  }

  #update(fact: Fact, { changes }: Change & { kind: "update" }): void {
    const { memory, network, support } = this.#parts;
    const change = memory.beginChange();
    this.#parts.history.updating(fact, change, this.#fired);
    fact.tag = change;
    support.changed(fact);
    network.update(fact, changes);
    this.#tell("update", fact);
  }

  #retract(fact: Fact): void {
    const { memory, network, support } = this.#parts;
    memory.beginChange();
    memory.remove(fact);
    support.gone(fact);
    network.remove(fact);
    this.#parts.activationListener.factGone(fact);
    this.#tell("retract", fact);
  }

  #retractUnfounded(): void {
    const { support } = this.#parts;
    for (;;) {
      const { unfounded, doubtful } = support.takeSuspects();
      if (unfounded.length > 0) {
        for (const fact of unfounded) this.#retract(fact);
      } else if (doubtful.length > 0) {
        for (const fact of tryWithout(doubtful, this.#parts)) this.#tell("retract", fact);
      } else {
        return;
      }
    }
  }

  #tell(op: FactEvent["op"], fact: Fact): void {
    if (op === "retract") this.#parts.history.retracted(fact, this.#parts.memory.change);
    const report = this.#parts.report();
    if (report !== undefined) report({ op, ...factView(fact), by: this.#by });
  }
}

/** How many facts of each type the changes bring. */
function comingOf(changes: readonly Change[]): Map<string, number> {
  const coming = new Map<string, number>();
  for (const change of changes) {
    if (change.kind !== "insert") continue;
    const { type } = change.shape;
    coming.set(type, (coming.get(type) ?? 0) + 1);
  }
  return coming;
}
