/**
 * W1 by hand, and the bound for it: the tests that a fact passes are looked up, field by field, and then followed through a
 * trie of all rules. No facts are kept, and there is no agenda.
 */
import { type AlphaWork, type Test, type Thing, valueIn } from "../data/alpha-work.ts";
import { FieldTests } from "./segments.ts";

type Fire = (rule: number, id: number) => void;

/** Rules whose tests begin with the path to this node; tests ascend along a path. */
interface TrieNode {
  readonly rules: number[];
  readonly children: (TrieNode | undefined)[];
  leaf: boolean;
}

export class Conjunctions {
  readonly #fields: readonly { readonly name: string; readonly tests: FieldTests }[];
  readonly #root: TrieNode;
  /** The tests that the fact at hand passes, ascending. */
  readonly #passed: Int32Array;
  #count = 0;

  constructor({ tests, rules }: Pick<AlphaWork, "tests" | "rules">) {
    this.#fields = fieldsOf(tests);
    this.#root = trieOf(rules, tests.length);
    this.#passed = new Int32Array(tests.length);
  }

  add(fact: Thing, fire: Fire): void {
    this.#count = 0;
    for (const { name, tests } of this.#fields) {
      for (const position of tests.passedBy(valueIn(fact, name))) this.#passed[this.#count++] = position;
    }
    this.#follow(this.#root, 0, fact.id, fire);
  }

  #follow({ children }: TrieNode, from: number, id: number, fire: Fire): void {
    for (let index = from; index < this.#count; index++) {
      const child = children[this.#passed[index] ?? 0];
      if (child === undefined) continue;
      const { rules } = child;
      for (let rule = 0; rule < rules.length; rule++) fire(rules[rule] ?? 0, id);
      if (!child.leaf) this.#follow(child, index + 1, id, fire);
    }
  }
}

/** Fields in the order of their tests, so that positions ascend from field to field. */
function fieldsOf(tests: readonly Test[]): { name: string; tests: FieldTests }[] {
  const names = [...new Set(tests.map(({ field }) => field))];
  return names.map((name) => ({
    name,
    tests: new FieldTests(
      tests.map((test, position) => ({ test, position })).filter(({ test: { field } }) => field === name),
    ),
  }));
}

function trieOf(rules: AlphaWork["rules"], tests: number): TrieNode {
  const root = newNode(tests);
  for (const [rule, positions] of rules.entries()) {
    let node = root;
    for (const position of [...positions].sort((a, b) => a - b)) {
      node.leaf = false;
      node = node.children[position] ??= newNode(tests);
    }
    node.rules.push(rule);
  }
  return root;
}

function newNode(tests: number): TrieNode {
  return { rules: [], children: Array.from({ length: tests }, () => undefined), leaf: true };
}
