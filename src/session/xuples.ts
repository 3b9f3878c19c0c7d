/**
 * Tuple spaces: facts put aside by rules for the host to take. They are not part of working memory.
 *
 * A full space refuses the next one: the firing fails, its match goes on waiting, and a later run tries it again when
 * there is room. What is past its retention is gone and does not count.
 */
import { unreachable } from "../base/invariant.ts";
import { nearest } from "../base/nearest.ts";
import type { Value } from "../base/value.ts";
import { didYouMean, SessionError } from "./errors.ts";

export interface XupleSpace {
  readonly name: string;
  readonly selection: "fifo" | "lifo" | "random";
  readonly consumption: "once" | "per-agent";
  /** Milliseconds; undefined keeps for ever. */
  readonly retention: number | undefined;
  readonly maxSize: number | undefined;
}

/** An entry of a tuple space. */
export interface Xuple {
  /** The number of the entry in its space, counted from 1. */
  readonly n: number;
  /** The name of its type. */
  readonly type: string;
  /** Its fields. */
  readonly fields: Readonly<Record<string, Value>>;
  /** When it was put there, in milliseconds of the session's clock. */
  readonly at: number;
}

export interface XuplesSnapshot {
  readonly space: string;
  readonly last: number;
  readonly entries: readonly (Xuple & { readonly takenBy: readonly string[] })[];
}

interface Entry {
  readonly xuple: Xuple;
  readonly takenBy: Set<string>;
}

interface Kept {
  readonly space: XupleSpace;
  readonly entries: Entry[];
  last: number;
  /** With `per-agent`: what each agent that asked has not taken yet, in the order it was put there. */
  readonly untaken: Map<string, Entry[]>;
}

export class Xuples {
  readonly #spaces = new Map<string, Kept>();
  readonly #now: () => number;
  readonly #random: () => number;

  constructor(spaces: Iterable<XupleSpace>, now: () => number, random: () => number) {
    for (const space of spaces) this.#spaces.set(space.name, { space, entries: [], last: 0, untaken: new Map() });
    this.#now = now;
    this.#random = random;
  }

  refuseWhenFull(name: string, waiting: number): void {
    const { maxSize } = this.#space(name).space;
    if (maxSize === undefined || waiting < maxSize) return;
    throw new SessionError(
      "E531",
      `xuple-space "${name}" is full: its max-size is ${maxSize}`,
      "take some xuples, then run again",
    );
  }

  waiting(name: string): number {
    return this.#live(name).entries.length;
  }

  put(name: string, type: string, fields: Readonly<Record<string, Value>>): void {
    const kept = this.#live(name);
    kept.last += 1;
    const entry = { xuple: { n: kept.last, type, fields, at: this.#now() }, takenBy: new Set<string>() };
    kept.entries.push(entry);
    for (const untaken of kept.untaken.values()) untaken.push(entry);
  }

  /** What an agent could take, in the order it was put there. */
  list(name: string, agent = ""): readonly Xuple[] {
    return takeable(this.#live(name), agent).map((entry) => entry.xuple);
  }

  /** With `once` it is gone for all; with `per-agent` only for this agent. */
  take(name: string, agent = ""): Xuple | undefined {
    const kept = this.#live(name);
    const entry = this.#takeOut(kept.space, takeable(kept, agent));
    if (kept.space.consumption === "per-agent") entry?.takenBy.add(agent);
    return entry?.xuple;
  }

  /** Spaces of a new program; what is in those that stay is kept. */
  declare(spaces: Iterable<XupleSpace>): void {
    const before = new Map(this.#spaces);
    this.#spaces.clear();
    for (const space of spaces) {
      const { entries, last } = before.get(space.name) ?? { entries: [], last: 0 };
      this.#spaces.set(space.name, { space, entries, last, untaken: new Map() });
    }
  }

  snapshot(): readonly XuplesSnapshot[] {
    return [...this.#spaces.values()].map(({ space, last, entries }) => ({
      space: space.name,
      last,
      entries: entries.map((entry) => ({ ...entry.xuple, takenBy: [...entry.takenBy] })),
    }));
  }

  restore(saved: readonly XuplesSnapshot[]): void {
    for (const { space, last, entries } of saved) {
      const kept = this.#spaces.get(space);
      if (kept === undefined) continue;
      kept.last = last;
      kept.untaken.clear();
      for (const { takenBy, ...xuple } of entries) kept.entries.push({ xuple, takenBy: new Set(takenBy) });
    }
  }

  #takeOut(space: XupleSpace, entries: Entry[]): Entry | undefined {
    switch (space.selection) {
      case "fifo":
        return entries.shift();
      case "lifo":
        return entries.pop();
      case "random":
        return entries.length === 0 ? undefined : entries.splice(Math.floor(this.#random() * entries.length), 1)[0];
      default:
        return unreachable(space.selection);
    }
  }

  /** The space without what is past its retention. Entries stand in the order of time, so those are in front. */
  #live(name: string): Kept {
    const kept = this.#space(name);
    const { retention } = kept.space;
    if (retention === undefined) return kept;
    const now = this.#now();
    for (const entries of [kept.entries, ...kept.untaken.values()]) {
      const expired = entries.findIndex((entry) => now - entry.xuple.at < retention);
      entries.splice(0, expired < 0 ? entries.length : expired);
    }
    return kept;
  }

  #space(name: string): Kept {
    const kept = this.#spaces.get(name);
    if (kept !== undefined) return kept;
    const meant = didYouMean(nearest(name, this.#spaces.keys()));
    throw new SessionError("E213", `unknown xuple-space "${name}"`, meant);
  }
}

/** What an agent can take: with `once` everything that is there. */
function takeable(kept: Kept, agent: string): Entry[] {
  if (kept.space.consumption === "once") return kept.entries;
  const known = kept.untaken.get(agent) ?? kept.entries.filter((entry) => !entry.takenBy.has(agent));
  kept.untaken.set(agent, known);
  return known;
}
