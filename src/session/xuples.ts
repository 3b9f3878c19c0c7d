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
  /** In milliseconds; undefined keeps entries until they are taken. */
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

interface SpaceContent {
  readonly space: XupleSpace;
  readonly entries: Entry[];
  last: number;
  /** With `per-agent`: the entries that each agent has not taken yet, oldest first. */
  readonly untaken: Map<string, Entry[]>;
}

export class Xuples {
  readonly #spaces = new Map<string, SpaceContent>();
  readonly #now: () => number;
  readonly #random: () => number;

  constructor(spaces: Iterable<XupleSpace>, now: () => number, random: () => number) {
    for (const space of spaces) this.#spaces.set(space.name, { space, entries: [], last: 0, untaken: new Map() });
    this.#now = now;
    this.#random = random;
  }

  /** Throws E531 when a space has no room for one more entry. */
  refuseWhenFull(name: string, waiting: number): void {
    const { maxSize } = this.#space(name).space;
    if (maxSize === undefined || waiting < maxSize) return;
    throw new SessionError(
      "E531",
      `xuple-space "${name}" is full: its max-size is ${maxSize}`,
      "take some xuples, then run again",
    );
  }

  /** Returns the number of entries of a space. */
  waiting(name: string): number {
    return this.#live(name).entries.length;
  }

  /** Adds an entry. */
  put(name: string, type: string, fields: Readonly<Record<string, Value>>): void {
    const content = this.#live(name);
    content.last += 1;
    const entry = { xuple: { n: content.last, type, fields, at: this.#now() }, takenBy: new Set<string>() };
    content.entries.push(entry);
    for (const untaken of content.untaken.values()) untaken.push(entry);
  }

  /** Returns the entries that an agent could take, oldest first. */
  list(name: string, agent = ""): readonly Xuple[] {
    return takeable(this.#live(name), agent).map((entry) => entry.xuple);
  }

  /** Takes the next entry: with `once` it is gone for all, with `per-agent` only for this agent. */
  take(name: string, agent = ""): Xuple | undefined {
    const content = this.#live(name);
    const entry = this.#takeOut(content.space, takeable(content, agent));
    if (content.space.consumption === "per-agent") entry?.takenBy.add(agent);
    return entry?.xuple;
  }

  /** Replaces the spaces by those of another program. A space that both have keeps its entries. */
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
      const content = this.#spaces.get(space);
      if (content === undefined) continue;
      content.last = last;
      content.untaken.clear();
      for (const { takenBy, ...xuple } of entries) content.entries.push({ xuple, takenBy: new Set(takenBy) });
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

  /** Returns a space without the entries that are past its retention: these are the first. */
  #live(name: string): SpaceContent {
    const content = this.#space(name);
    const { retention } = content.space;
    if (retention === undefined) return content;
    const now = this.#now();
    for (const entries of [content.entries, ...content.untaken.values()]) {
      const expired = entries.findIndex((entry) => now - entry.xuple.at < retention);
      entries.splice(0, expired < 0 ? entries.length : expired);
    }
    return content;
  }

  #space(name: string): SpaceContent {
    const content = this.#spaces.get(name);
    if (content !== undefined) return content;
    const meant = didYouMean(nearest(name, this.#spaces.keys()));
    throw new SessionError("E213", `unknown xuple-space "${name}"`, meant);
  }
}

/** Returns the entries that an agent can take: with `once` all of them. */
function takeable(content: SpaceContent, agent: string): Entry[] {
  if (content.space.consumption === "once") return content.entries;
  const known = content.untaken.get(agent) ?? content.entries.filter((entry) => !entry.takenBy.has(agent));
  content.untaken.set(agent, known);
  return known;
}
