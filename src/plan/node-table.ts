/**
 * Collects the nodes of a plan and shares them: two nodes are one when they do the same, in canonical words, to the same
 * inputs. The hash is only a name.
 *
 * A table can be continued for a program with more or fewer rules. Nodes keep their ids; a node of the table before is copied
 * before it changes, because the plan before has it too.
 */
import { must } from "../base/invariant.ts";
import { LayeredMap } from "../base/layered-map.ts";
import type { Hash } from "./hash.ts";
import type { NewNode, PlanNode } from "./plan.ts";
import { hashedText } from "./read/hashed-text.ts";
import { inputsOf } from "./read/inputs.ts";
import { nodeWithId, placeOf } from "./read/node-with-id.ts";

/** The nodes of a plan that is being made. */
export class NodeTable {
  /** The nodes, by id; there is none for the ids of nodes that were removed. */
  readonly nodes: PlanNode[];
  readonly #hash: Hash;
  readonly #sharing: boolean;
  readonly #byKey: LayeredMap<string, number>;
  #nextId: number;
  /** Whether nodes may belong to a table before. */
  readonly #isContinued: boolean;
  /** The nodes that a rule is found to depend on, with their keys, while it is planned again. */
  #found: Map<string, PlanNode> | undefined = undefined;
  /** Without sharing: the numbers of {@link workOf} by the ids of nodes, and by what the nodes do. */
  readonly #works: Map<number, number> = new Map();
  readonly #worksByText: Map<string, number> = new Map();
  /** Whether a node was asked for that is not there, while nodes are only looked for; undefined while they are added. */
  #lacks: boolean | undefined = undefined;
  /** The nodes as a rule would have made them, by their keys, while it is planned again for its words. */
  #words: Map<string, NewNode> | undefined = undefined;

  constructor(hash: Hash, sharing: boolean, before?: NodeTable) {
    this.#hash = hash;
    this.#sharing = sharing;
    this.#isContinued = before !== undefined;
    this.nodes = before === undefined ? [] : before.nodes.slice();
    this.#byKey = before === undefined ? LayeredMap.empty() : before.#byKey.continued();
    this.#nextId = before === undefined ? 0 : before.#nextId;
  }

  /** Returns a table that continues this one. Without sharing there is none: rules are not found again by what they do. */
  continued(): NodeTable | undefined {
    return this.#sharing ? new NodeTable(this.#hash, true, this) : undefined;
  }

  /** How many ids were given in vain: those of nodes that were removed. */
  get unusedIds(): number {
    return this.#nextId - this.nodes.length;
  }

  /** Returns the node that does the same to the same inputs; adds the given one when there is none. `rule` depends on it. */
  add(node: NewNode, rule: string): PlanNode {
    if (this.#lacks !== undefined) return this.#lookFor(node, rule);
    const key = keyOf(node, (input) => input ?? "root");
    const id = this.#sharing ? this.#byKey.get(key) : undefined;
    const known = id === undefined ? undefined : this.get(id);
    if (known !== undefined) return this.#again(known, node, key, rule);
    if (this.#found !== undefined) throw new Error("a rule that was planned has its nodes");
    const digits = this.#hash(hashedText(node, this.nodes)).toString(16).padStart(16, "0");
    const name = `${prefixOf(node)}_${digits}`;
    // Not a copy: each copy of this kind gets a hidden class of its own, which takes more memory than the node.
    const made = Object.assign(node, { id: this.#nextId, name, rules: [rule] }) as PlanNode;
    this.#nextId += 1;
    this.nodes.push(made);
    if (this.#sharing) this.#byKey.set(key, made.id);
    else this.#noteWork(made);
    return made;
  }

  /** Returns whether all nodes that are planned are there already, or without sharing, others that do the same. Nothing is added. */
  hasAll(plan: () => void): boolean {
    this.#lacks = false;
    plan();
    const isThere = !this.#lacks;
    this.#lacks = undefined;
    return isThere;
  }

  /** Returns a node that does the same; one that stands for it when there is none, on which others can be planned. */
  #lookFor(node: NewNode, rule: string): PlanNode {
    const id = this.#sharing
      ? this.#byKey.get(keyOf(node, (input) => input ?? "root"))
      : this.#worksByText.get(keyOf(node, (input) => this.#workIfAny(input)));
    const known = id === undefined ? undefined : this.get(id);
    if (known === undefined) this.#lacks = true;
    return known ?? { ...node, id: NOWHERE, name: "", rules: [rule] };
  }

  #workIfAny(id: number | undefined): number {
    return id === NOWHERE ? NOWHERE : this.workOf(id);
  }

  /**
   * Returns a number for all that the chain up to a node does, the tests on its facts included: the same for chains that do the same,
   * shared or not. It is made with the node, from those of its inputs: a chain may go through the same nodes in many ways.
   */
  workOf(id: number | undefined): number {
    if (id === undefined || id === -1) return -1;
    return this.#sharing ? id : must(this.#works.get(id), "a node that was added");
  }

  #noteWork(node: PlanNode): void {
    const text = keyOf(node, (input) => this.workOf(input));
    const work = this.#worksByText.get(text) ?? node.id;
    this.#worksByText.set(text, work);
    this.#works.set(node.id, work);
  }

  /** Returns the node with an id. */
  get(id: number): PlanNode | undefined {
    return nodeWithId(this.nodes, id);
  }

  /**
   * Removes a rule, which `plan` plans again to find its nodes. Returns the rules that now are the first to use a node: what a node
   * says in the words of an author is said in those of the first one.
   */
  remove(rule: string, plan: () => void): Set<string> {
    const found = this.#finding(plan);
    const authors = new Set<string>();
    for (const [key, node] of [...found].toReversed()) {
      const rules = node.rules.toSpliced(node.rules.indexOf(rule), 1);
      const [author] = rules;
      if (author === undefined) {
        this.nodes.splice(placeOf(this.nodes, node.id), 1);
        this.#byKey.delete(key);
        continue;
      }
      this.#replace({ ...node, rules });
      if (WITH_WORDS.has(node.kind) && node.rules[0] === rule) authors.add(author);
    }
    return authors;
  }

  /** Gives the nodes that a rule is the first to use its words; `plan` plans the rule again. */
  reword(rule: string, plan: () => void): void {
    const words = new Map<string, NewNode>();
    this.#words = words;
    const found = this.#finding(plan);
    this.#words = undefined;
    for (const [key, node] of found) {
      const own = words.get(key);
      const { id, name, rules } = node;
      if (rules[0] === rule && own !== undefined) this.#replace({ ...own, id, name, rules });
    }
  }

  #finding(plan: () => void): Map<string, PlanNode> {
    const found = new Map<string, PlanNode>();
    this.#found = found;
    plan();
    this.#found = undefined;
    return found;
  }

  #again(known: PlanNode, node: NewNode, key: string, rule: string): PlanNode {
    if (this.#found !== undefined) {
      this.#found.set(key, known);
      if (this.#words?.has(key) === false) this.#words.set(key, node);
      return known;
    }
    if (known.rules.at(-1) === rule) return known;
    if (!this.#isContinued) {
      known.rules.push(rule);
      return known;
    }
    return this.#replace({ ...known, rules: [...known.rules, rule] });
  }

  #replace(node: PlanNode): PlanNode {
    this.nodes[placeOf(this.nodes, node.id)] = node;
    return node;
  }
}

/** The id of what stands for a node that is not there. */
const NOWHERE = -2;

/** The kinds of nodes that are named in the words of an author. */
const WITH_WORDS: ReadonlySet<PlanNode["kind"]> = new Set(["join", "aggregate", "let", "items", "timer", "last"]);

/** Returns how the name of a node begins: its kind, and for groups of matches what the author asks of them. */
function prefixOf(node: NewNode): string {
  if (node.kind !== "aggregate") return node.kind;
  if (node.aggregate === "not") return "not";
  return node.aggregate.startsWith("exists") ? "exists" : "aggregate";
}

/** Returns what a node does to which inputs, as a text: equal for two nodes exactly when they can be one. */
function keyOf(node: NewNode, nameOf: (input: number | undefined) => number | string): string {
  const type = node.kind === "alpha" ? node.type : "";
  return `${node.kind}|${type}|${inputsOf(node).map(nameOf).join(",")}|${node.text}`;
}
