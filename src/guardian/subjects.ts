/** The subjects of a guardian or pipeline, by the ids of their facts. */
import type { Match } from "../rete/match.ts";

export class Subjects {
  readonly level: number;
  readonly #byId = new Map<string, Match>();

  constructor(level: number) {
    this.level = level;
  }

  get size(): number {
    return this.#byId.size;
  }

  add(match: Match): string {
    const id = this.id(match);
    this.#byId.set(id, match);
    return id;
  }

  remove(match: Match): string {
    const id = this.id(match);
    if (this.#byId.get(id) === match) this.#byId.delete(id);
    return id;
  }

  match(id: string): Match | undefined {
    return this.#byId.get(id);
  }

  matches(): Iterable<Match> {
    return this.#byId.values();
  }

  id(match: Match): string {
    return match.at(this.level).fact?.id ?? "";
  }

  /** Returns when the subject was asserted, which distinguishes it from an earlier subject with the same id. */
  born(id: string): number {
    return this.#byId.get(id)?.at(this.level).fact?.order ?? 0;
  }

  /** Returns the ids, oldest first. */
  ids(): string[] {
    return this.inOrder(this.#byId.keys());
  }

  inOrder(ids: Iterable<string>): string[] {
    const ordered = [...ids];
    return ordered.length < 2 ? ordered : ordered.sort((a, b) => this.born(a) - this.born(b));
  }
}
