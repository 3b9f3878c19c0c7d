/** W16: texts, and rules that look for a word in them. However many rules there are, a text holds the words of five of them. */
import { below, type Random, SEED, seeded, shuffle } from "./random.ts";

export interface TextWork {
  /** What the rules look for. */
  readonly words: readonly string[];
  /** By id. */
  readonly texts: readonly string[];
}

const TEXTS = 2000;
const WORDS_IN_TEXT = 40;
const HITS = 5;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

export function textWork(rules: number): TextWork {
  const random = seeded(SEED + 16);
  const words = new Set<string>();
  while (words.size < rules) words.add(wordOf(random, 6));
  const wanted = [...words];
  const texts = Array.from({ length: TEXTS }, () => {
    const hits = Array.from({ length: HITS }, () => wanted[below(random, rules)] ?? "");
    const others = Array.from({ length: WORDS_IN_TEXT - HITS }, () => wordOf(random, 3 + below(random, 7)));
    return shuffle(random, [...hits, ...others]).join(" ");
  });
  return { words: wanted, texts };
}

function wordOf(random: Random, length: number): string {
  return Array.from({ length }, () => LETTERS[below(random, LETTERS.length)]).join("");
}
