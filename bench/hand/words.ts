/**
 * W16 by hand: the words are a tree of letters, and each of its places knows where to go on when the next letter leads nowhere (Aho and
 * Corasick). A text is read once, however many words there are.
 */
const LETTERS = 27;

/** The number of a small letter from 1 on; 0 for everything else. */
function letterAt(text: string, index: number): number {
  const letter = text.charCodeAt(index) - 96;
  return letter >= 1 && letter <= 26 ? letter : 0;
}

export class Words {
  /** For each place and letter the next place. */
  readonly #next: number[] = [];
  /** For each place the words that end there. */
  readonly #ends: number[][] = [];

  constructor(words: readonly string[]) {
    this.#place();
    for (const [number, word] of words.entries()) this.#ends[this.#path(word)]?.push(number);
    this.#link();
  }

  /** Calls once for each word that occurs in a text. */
  find(text: string, found: (word: number) => void): void {
    const seen = new Set<number>();
    let place = 0;
    for (let index = 0; index < text.length; index++) {
      place = this.#next[place * LETTERS + letterAt(text, index)] ?? 0;
      for (const word of this.#ends[place] ?? []) {
        if (seen.has(word)) continue;
        seen.add(word);
        found(word);
      }
    }
  }

  #place(): number {
    for (let letter = 0; letter < LETTERS; letter++) this.#next.push(0);
    return this.#ends.push([]) - 1;
  }

  #path(word: string): number {
    let place = 0;
    for (let index = 0; index < word.length; index++) {
      const at = place * LETTERS + letterAt(word, index);
      let next = this.#next[at] ?? 0;
      if (next === 0) {
        next = this.#place();
        this.#next[at] = next;
      }
      place = next;
    }
    return place;
  }

  /** Goes through the tree level by level; a missing way becomes the way from the longest other word that could have begun. */
  #link(): void {
    const back = [0];
    const queue: number[] = [];
    for (let letter = 0; letter < LETTERS; letter++) {
      const next = this.#next[letter] ?? 0;
      if (next !== 0) queue.push(next);
      back[next] = 0;
    }
    for (const place of queue) {
      const other = back[place] ?? 0;
      this.#ends[place]?.push(...(this.#ends[other] ?? []));
      for (let letter = 0; letter < LETTERS; letter++) {
        const next = this.#next[place * LETTERS + letter] ?? 0;
        const instead = this.#next[other * LETTERS + letter] ?? 0;
        if (next === 0) this.#next[place * LETTERS + letter] = instead;
        else {
          back[next] = instead;
          queue.push(next);
        }
      }
    }
  }
}
