/** The matches of a node, linked through the matches themselves: joining and leaving cost a few assignments. */
import type { Match } from "./match.ts";

export class MatchList {
  #first: Match | undefined = undefined;
  #size = 0;

  get first(): Match | undefined {
    return this.#first;
  }

  get size(): number {
    return this.#size;
  }

  add(match: Match): void {
    match.nextInNode = this.#first;
    if (this.#first !== undefined) this.#first.previousInNode = match;
    this.#first = match;
    this.#size += 1;
  }

  remove(match: Match): void {
    if (this.#first === match) this.#first = match.nextInNode;
    else if (match.previousInNode !== undefined) match.previousInNode.nextInNode = match.nextInNode;
    if (match.nextInNode !== undefined) match.nextInNode.previousInNode = match.previousInNode;
    match.nextInNode = undefined;
    match.previousInNode = undefined;
    this.#size -= 1;
  }

  /** Nothing may be removed meanwhile; matches added meanwhile are not visited. */
  each(visit: (match: Match) => void): void {
    for (let match = this.#first; match !== undefined; match = match.nextInNode) visit(match);
  }

  /** The matches as they are now, the oldest first. */
  toArray(): Match[] {
    const matches: Match[] = [];
    this.each((match) => matches.push(match));
    return matches.toReversed();
  }
}
