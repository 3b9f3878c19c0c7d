/**
 * What cannot be relied on when some rules cannot: a rule in doubt makes uncertain what it writes, and whoever reads
 * something uncertain is in doubt as well, through any chain of rules and judges.
 */
import { type Dependencies, type Touched, touchedWords } from "./dependencies.ts";

/** A rule that cannot be relied on, and why: `rule "flag" was switched off (E511: …)`. */
export interface Doubt {
  readonly rule: string;
  readonly reason: string;
}

export class Uncertain {
  /** Why each of these is uncertain. */
  readonly #names = new Map<string, string>();
  /** Why everything is. */
  #all: string | undefined = undefined;

  constructor({ actors }: Dependencies, doubts: Iterable<Doubt>) {
    const waiting: Doubt[] = [...doubts];
    const seen = new Set<string>();
    for (const { rule, reason } of waiting) {
      const actor = seen.has(rule) ? undefined : actors.get(rule);
      seen.add(rule);
      if (actor === undefined || !this.#add(actor.writes, reason)) continue;
      for (const [name, { reads }] of actors) {
        const found = seen.has(name) ? undefined : this.#find(reads);
        if (found !== undefined) waiting.push({ rule: name, reason: found.reason });
      }
    }
  }

  /** Why what is read cannot be relied on, in words; undefined when it can. */
  reasonFor(reads: Touched): string | undefined {
    const found = this.#find(reads);
    if (found === undefined) return undefined;
    return `${found.reason}, so ${found.name === undefined ? "facts" : touchedWords(found.name)} may be missing or out of date`;
  }

  /** False when all of it was uncertain already. */
  #add({ names, any }: Touched, reason: string): boolean {
    let added = any && this.#all === undefined;
    if (any) this.#all ??= reason;
    for (const name of names) {
      if (this.#names.has(name)) continue;
      this.#names.set(name, reason);
      added = true;
    }
    return added;
  }

  #find({ names, any }: Touched): { readonly name: string | undefined; readonly reason: string } | undefined {
    for (const name of names) {
      const reason = this.#names.get(name);
      if (reason !== undefined) return { name, reason };
    }
    if (this.#all !== undefined && (any || names.size > 0)) return { name: undefined, reason: this.#all };
    const [first] = any ? this.#names : [];
    return first === undefined ? undefined : { name: first[0], reason: first[1] };
  }
}
