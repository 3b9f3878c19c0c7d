/**
 * Tuple spaces: facts put aside by rules for the host to take. They are not part of working memory.
 *
 * A full space refuses the next one: the firing fails, its match goes on waiting, and a later run tries it again when
 * there is room. What is past its retention is gone and does not count.
 */
import { LateMap } from "../base/late.ts";
import { unreachable } from "../base/invariant.ts";
import type { Value } from "../base/value.ts";
import { SessionError, unknownName } from "./errors.ts";
import { Queue } from "./queue.ts";

export interface XupleSpace {
  readonly name: string;
  readonly selection: "fifo" | "lifo" | "random";
  /** How often an entry can be taken: once, once by each agent, or so many times by anybody. */
  readonly consumption: "once" | "per-agent" | { readonly limit: number };
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
  /** `taken`: how often an entry was taken, in a space with a limit. Absent when it was not. */
  readonly entries: readonly (Xuple & { readonly takenBy: readonly string[]; readonly taken?: number })[];
}

interface Entry {
  readonly xuple: Xuple;
  readonly takenBy: Set<string>;
  /** How often it was taken, in a space with a limit. */
  taken: number;
}

interface SpaceContent {
  readonly space: XupleSpace;
  readonly entries: Queue<Entry>;
  last: number;
  /** With `per-agent`: the entries that each agent has not taken yet, oldest first. */
  readonly untaken: Map<string, Queue<Entry>>;
}

export class Xuples {
  readonly #spaces = new LateMap<string, SpaceContent>();
  #now: () => number;
  readonly #random: () => number;

  constructor(spaces: Iterable<XupleSpace>, now: () => number, random: () => number) {
    for (const space of spaces) this.#spaces.set(space.name, { space, ...nothing(), untaken: new Map() });
    this.#now = now;
    this.#random = random;
  }

  /** Empties all spaces, and begins with another clock. */
  clear(now: () => number): void {
    this.#now = now;
    for (const [name, { space }] of this.#spaces) this.#spaces.set(name, { space, ...nothing(), untaken: new Map() });
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
    const entry = { xuple: { n: content.last, type, fields, at: this.#now() }, takenBy: new Set<string>(), taken: 0 };
    content.entries.push(entry);
    for (const untaken of content.untaken.values()) untaken.push(entry);
  }

  /** Returns the entries that an agent could take, oldest first. */
  list(name: string, agent = ""): readonly Xuple[] {
    return takeable(this.#live(name), agent)
      .toArray()
      .map((entry) => entry.xuple);
  }

  /**
   * Takes the next entry: with `once` it is gone for all, with `per-agent` only for this agent, with a limit when it was
   * taken so many times.
   */
  take(name: string, agent = ""): Xuple | undefined {
    const content = this.#live(name);
    const { space } = content;
    const entries = takeable(content, agent);
    const at = this.#next(space, entries.length);
    const entry = entries.at(at);
    if (entry === undefined) return undefined;
    if (typeof space.consumption === "object") entry.taken += 1;
    if (typeof space.consumption !== "object" || entry.taken >= space.consumption.limit) entries.removeAt(at);
    if (space.consumption === "per-agent") entry.takenBy.add(agent);
    return entry.xuple;
  }

  /** Replaces the spaces by those of another program. A space that both have keeps its entries. */
  declare(spaces: Iterable<XupleSpace>): void {
    const before = new Map(this.#spaces);
    this.#spaces.clear();
    for (const space of spaces) {
      const { entries, last } = before.get(space.name) ?? nothing();
      this.#spaces.set(space.name, { space, entries, last, untaken: new Map() });
    }
  }

  /** Returns the types of all entries. */
  types(): Set<string> {
    const types = new Set<string>();
    for (const { entries } of this.#spaces.values()) for (const { xuple } of entries.toArray()) types.add(xuple.type);
    return types;
  }

  /** Removes all entries; their numbers go on. */
  removeAll(): void {
    for (const [name, { space, last }] of this.#spaces) {
      this.#spaces.set(name, { space, entries: new Queue(), last, untaken: new Map() });
    }
  }

  snapshot(): readonly XuplesSnapshot[] {
    return [...this.#spaces.values()].map(({ space, last, entries }) => ({
      space: space.name,
      last,
      entries: entries.toArray().map(({ xuple, takenBy, taken }) => ({
        ...xuple,
        takenBy: [...takenBy],
        ...(taken === 0 ? {} : { taken }),
      })),
    }));
  }

  /** Adds saved entries. `fieldsOf` returns a copy of the fields of an entry, or throws when they do not fit its type. */
  restore(
    saved: readonly XuplesSnapshot[],
    fieldsOf: (type: string, fields: Xuple["fields"]) => Xuple["fields"],
  ): void {
    for (const { space, last, entries } of saved) {
      const content = this.#spaces.get(space);
      if (content === undefined) continue;
      content.last = last;
      content.untaken.clear();
      for (const { takenBy, taken = 0, n, type, fields, at } of entries) {
        const xuple = { n, type, fields: fieldsOf(type, fields), at };
        content.entries.push({ xuple, takenBy: new Set(takenBy), taken });
      }
    }
  }

  /** Returns the position of the entry to take next. */
  #next({ selection }: XupleSpace, count: number): number {
    switch (selection) {
      case "fifo":
        return 0;
      case "lifo":
        return count - 1;
      case "random":
        return count === 0 ? 0 : Math.floor(this.#random() * count);
      default:
        return unreachable(selection);
    }
  }

  /** Returns a space without the entries that are past its retention: these are the first. */
  #live(name: string): SpaceContent {
    const content = this.#space(name);
    const { retention } = content.space;
    if (retention === undefined) return content;
    const now = this.#now();
    const isPast = ({ xuple }: Entry): boolean => !(now - xuple.at < retention);
    for (const entries of [content.entries, ...content.untaken.values()]) entries.removeWhile(isPast);
    return content;
  }

  #space(name: string): SpaceContent {
    const content = this.#spaces.get(name);
    if (content !== undefined) return content;
    throw unknownName("xuple-space", "xuple-spaces", name, this.#spaces.keys());
  }
}

/** The content of a space that was never used. */
function nothing(): Pick<SpaceContent, "entries" | "last"> {
  return { entries: new Queue(), last: 0 };
}

/** Returns the entries that an agent can take: all of them, unless each agent takes each once. */
function takeable(content: SpaceContent, agent: string): Queue<Entry> {
  if (content.space.consumption !== "per-agent") return content.entries;
  const known =
    content.untaken.get(agent) ?? new Queue(content.entries.toArray().filter((entry) => !entry.takenBy.has(agent)));
  content.untaken.set(agent, known);
  return known;
}
