/**
 * Which facts cannot be relied on when some rules cannot: a rule in doubt makes uncertain what it writes, and a rule or judge
 * that reads something uncertain is in doubt as well, through any number of rules and judges.
 */
import { type Actor, type Dependencies, type Touched, touchedWords } from "../plan/read/dependencies.ts";

/** A rule that cannot be relied on, and why: `rule "flag" was switched off (E511: …)`. */
export interface RuleInDoubt {
  readonly rule: string;
  readonly reason: string;
  /** Whether the rule was switched off at a limit; otherwise it fires for what could be tested. */
  readonly switchedOff: boolean;
}

/** What is uncertain because of rules in doubt, and why. */
export class UncertainFacts {
  /** The reason for each type, group or judge that is uncertain. */
  readonly #names = new Map<string, string>();
  /** The reason why every fact is uncertain. */
  #all: string | undefined = undefined;

  constructor({ actors }: Dependencies, doubts: Iterable<RuleInDoubt>) {
    const readers = readersOf(actors);
    const waiting: Pick<RuleInDoubt, "rule" | "reason">[] = [...doubts];
    const seen = new Set<string>();
    for (const { rule, reason } of waiting) {
      const actor = seen.has(rule) ? undefined : actors.get(rule);
      seen.add(rule);
      if (actor === undefined) continue;
      for (const name of this.#add(actor.writes, reason)) {
        for (const reader of readers.get(name) ?? []) waiting.push({ rule: reader, reason });
      }
    }
  }

  /** Returns why what is read cannot be relied on, in words; undefined when it can. */
  reasonFor(reads: Touched): string | undefined {
    const found = this.#find(reads);
    if (found === undefined) return undefined;
    const what = found.name === undefined ? "facts" : touchedWords(found.name);
    return `${found.reason}, so ${what} may be missing or out of date`;
  }

  /** Makes what is written uncertain, and returns what was certain before. */
  #add({ names, any }: Touched, reason: string): string[] {
    const added = [...names].filter((name) => !this.#names.has(name));
    for (const name of added) this.#names.set(name, reason);
    if (added.length > 0) added.push(SOMETHING);
    if (!any || this.#all !== undefined) return added;
    this.#all = reason;
    return [...added, EVERYTHING];
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

/** Stands for anything at all, for those who may read every fact; no type has such a name. */
const SOMETHING = "\u0000something";
/** Stands for all that there is. */
const EVERYTHING = "\u0000everything";

/** Returns who reads each thing, so that a doubt is followed only to where it is read. */
function readersOf(actors: ReadonlyMap<string, Actor>): ReadonlyMap<string, readonly string[]> {
  const readers = new Map<string, string[]>();
  const add = (name: string, reader: string): void => {
    const known = readers.get(name);
    if (known === undefined) readers.set(name, [reader]);
    else known.push(reader);
  };
  for (const [reader, { reads }] of actors) {
    for (const name of reads.names) add(name, reader);
    if (reads.any) add(SOMETHING, reader);
    if (reads.any || reads.names.size > 0) add(EVERYTHING, reader);
  }
  return readers;
}
