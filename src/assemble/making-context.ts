/**
 * One plan while its nodes are prepared: what the plan says, and the specs of its nodes so far. Nodes come after their inputs in a
 * plan, so the inputs of a node are known when it is prepared.
 */
import { must } from "../base/invariant.ts";
import { LayeredMap } from "../base/layered-map.ts";
import { eachSmall, finish, type Steps } from "../base/slices.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import type { MemorySpec } from "../rete/alpha-memory.ts";
import { type AlphaNetwork, type DirectRule, TypeNode } from "../rete/alpha-network.ts";
import type { DirectTerminal } from "../rete/direct-terminal.ts";
import type { Production } from "../rete/production.ts";
import type { AlphaPlan, JoinPlan, Plan, PlanNode, PlanRule, TerminalPlan } from "../plan/plan.ts";
import { inputsOf } from "../plan/read/inputs.ts";
import { nodeWithId } from "../plan/read/node-with-id.ts";
import { type PlanLookup, type ShortcutOptions, Shortcuts } from "../plan/read/shortcuts.ts";
import { alphaNodeOf, type NodeSpec } from "./node-spec.ts";

/** How the nodes of a session are made. */
export interface MakingOptions {
  /** Off: an equality is a test like any other, and no index finds facts by it. */
  readonly indexing: boolean;
  /** Off: every rule has nodes of its own. */
  readonly sharing: boolean;
  /** A shortcut that is off is not taken: general nodes do its work. */
  readonly shortcuts: ShortcutOptions;
}

/** How a plan differs from one whose nodes are prepared: nodes and rules that are new, and those that are gone. */
export interface ContextChange {
  readonly before: MakingContext;
  readonly added: readonly PlanNode[];
  readonly removed: readonly PlanNode[];
  readonly addedRules: readonly PlanRule[];
  readonly removedRules: readonly PlanRule[];
  readonly writable: Writable;
}

/** What is found in a plan that is prepared as a whole. */
interface ContextBeginning {
  readonly before?: undefined;
  readonly lookup: PlanLookup;
  readonly shortcuts: Shortcuts;
}

/** What nodes are added to in a program that continues another one: parts of the program before are copied first. */
interface Writable {
  /** Returns the alpha node or type above an alpha node. */
  above(node: AlphaPlan): AlphaNode;
  /** Returns what sessions remember of the facts that a join adds. */
  memory(join: JoinPlan): MemorySpec;
  /** Adds the direct terminal of a rule. */
  addEnd(terminal: TerminalPlan, join: JoinPlan, end: DirectTerminal): DirectRule;
}

/** The plan whose nodes are prepared. */
export class MakingContext {
  /** The alpha nodes of the program. */
  readonly alpha: AlphaNetwork;
  readonly indexing: boolean;
  readonly shortcuts: Shortcuts;
  /** The nodes and rules of the plan. */
  readonly lookup: PlanLookup;
  /** The nodes of the plan by id. */
  readonly planned: Pick<ReadonlyMap<number, PlanNode>, "get">;
  /** Only while a program that continues another one is made: gives what can be changed. */
  #writable: Writable | undefined;
  /** The specs so far, by the ids of the plan. */
  readonly specs: (NodeSpec | undefined)[];
  /** The productions of each rule, one for each alternative. */
  readonly productions: LayeredMap<string, readonly Production[]>;
  /** Whether the plan is a question: nothing of the program changes for it. */
  readonly isQuestion: boolean;
  /** The types that only a question names. */
  readonly #ownTypes = new Map<string, TypeNode>();
  readonly #terminals: LayeredMap<string, readonly TerminalPlan[]>;
  /** Only without sharing: which of the nodes of its rule each node is. */
  readonly #places: ReadonlyMap<number, number> | undefined;

  private constructor(
    plan: Plan,
    alpha: AlphaNetwork,
    options: MakingOptions,
    isQuestion: boolean,
    begin: ContextBeginning | ContextChange,
  ) {
    this.alpha = alpha;
    this.indexing = options.indexing;
    this.isQuestion = isQuestion;
    this.#places = options.sharing ? undefined : placesInRules(plan);
    this.planned = nodesOf(plan);
    if (begin.before === undefined) {
      this.lookup = begin.lookup;
      this.shortcuts = begin.shortcuts;
      this.specs = [];
      this.productions = LayeredMap.empty();
      this.#terminals = LayeredMap.empty();
      return;
    }
    const { before, added, removed, addedRules, removedRules, writable } = begin;
    this.#writable = writable;
    this.lookup = lookupOf({ nodes: plan.nodes, rules: addedRules }); // only the terminals of new rules are new
    const was = lookupBefore(before.lookup, removedRules);
    this.shortcuts = before.shortcuts.changed(plan, this.lookup, added, removed, was);
    this.specs = before.specs.slice();
    this.productions = before.productions.continued();
    this.#terminals = before.#terminals.continued();
    for (const { name } of removedRules) {
      this.#terminals.delete(name);
      this.productions.delete(name);
    }
    for (const node of added) this.#addTerminal(node);
  }

  /** Begins with a plan, in small steps: one for each node. */
  static *beginning(
    plan: Plan,
    alpha: AlphaNetwork,
    options: MakingOptions,
    isQuestion: boolean,
  ): Steps<MakingContext> {
    const lookup = yield* lookingUp(plan);
    const shortcuts = yield* Shortcuts.finding(plan, lookup, options.shortcuts);
    const made = new MakingContext(plan, alpha, options, isQuestion, { lookup, shortcuts });
    yield* eachSmall(plan.nodes, (node) => made.#addTerminal(node));
    return made;
  }

  /** Begins with a plan that continues another one. */
  static continuing(plan: Plan, alpha: AlphaNetwork, options: MakingOptions, change: ContextChange): MakingContext {
    return new MakingContext(plan, alpha, options, false, change);
  }

  /** Ends the making. Nothing of the program before is kept: a program that is changed for ever would keep them all. */
  finish(): void {
    this.#writable = undefined;
  }

  #addTerminal(node: PlanNode): void {
    if (node.kind === "terminal") this.#terminals.set(node.rule, [...this.terminals(node.rule), node]);
  }

  /** Returns the spec for an id of the plan. */
  spec(id: number): NodeSpec {
    return must(this.specs[id], "inputs come before the nodes that depend on them");
  }

  /** Returns the spec of the node whose matches a node of the plan extends; undefined for the root. */
  left(node: { readonly left?: number | undefined }): NodeSpec | undefined {
    return node.left === undefined ? undefined : this.spec(node.left);
  }

  /** Returns the alpha node whose facts a join adds. */
  alphaOf(plan: JoinPlan): AlphaNode {
    return plan.right === undefined ? this.type(plan.type) : this.alphaNode(plan.right);
  }

  /** Returns the node below which an alpha node is made. */
  above(node: AlphaPlan): AlphaNode {
    if (this.#writable !== undefined) return this.#writable.above(node);
    return node.input === undefined ? this.type(node.type) : this.alphaNode(node.input);
  }

  /** Returns what sessions remember of the facts that a join adds, from now on. */
  remember(join: JoinPlan): MemorySpec {
    return this.#writable?.memory(join) ?? this.alpha.remember(this.alphaOf(join), join.type);
  }

  /** Returns what sessions remember of the facts that a join adds. */
  memoryOf(join: JoinPlan): MemorySpec | undefined {
    const { memory } = this.alphaOf(join);
    return memory === undefined ? undefined : this.alpha.memories[memory.number];
  }

  /** Adds the direct terminal of a rule to the program. */
  addEnd(terminal: TerminalPlan, join: JoinPlan, end: DirectTerminal): DirectRule {
    if (this.#writable !== undefined) return this.#writable.addEnd(terminal, join, end);
    const direct = { end, node: this.alphaOf(join), type: join.type };
    this.alpha.addEnd(terminal.rule, direct);
    return direct;
  }

  /** Returns the node of all facts of a type. A question adds none to the program. */
  type(name: string): TypeNode {
    if (!this.isQuestion) return this.alpha.type(name);
    const known = this.alpha.types.get(name) ?? this.#ownTypes.get(name);
    if (known !== undefined) return known;
    const made = new TypeNode(name);
    this.#ownTypes.set(name, made);
    return made;
  }

  /** Returns the alpha node for an id of the plan. */
  alphaNode(id: number): AlphaNode {
    return alphaNodeOf(this.spec(id));
  }

  /** Returns the join with the root that is the only pattern of a rule with a direct terminal. */
  rootJoin(terminal: TerminalPlan): JoinPlan {
    const join = terminal.left === undefined ? undefined : this.lookup.node(terminal.left);
    if (join?.kind !== "join") throw new Error("a direct terminal comes after one pattern");
    return join;
  }

  /** Returns the terminals of a rule, one for each alternative. */
  terminals(rule: string): readonly TerminalPlan[] {
    return this.#terminals.get(rule) ?? [];
  }

  /** Returns what the matches that arrive at a terminal are read with. */
  production({ rule, layout }: TerminalPlan): Production {
    return must(this.productions.get(rule)?.[layout], "every terminal has its rule");
  }

  /** Returns the specs that a node depends on. A join that a shortcut leaves out is replaced by its own inputs. */
  inputsOf(node: PlanNode): readonly (NodeSpec | undefined)[] {
    if (node.kind === "terminal" && this.shortcuts.direct.has(node.id)) return [this.#rightOf(this.rootJoin(node))];
    const inner = this.shortcuts.overOne.get(node.id);
    if (inner !== undefined) return [this.left(inner), this.#rightOf(inner)];
    return inputsOf(node).map((input) => (input === undefined ? undefined : this.spec(input)));
  }

  #rightOf({ right }: JoinPlan): NodeSpec | undefined {
    return right === undefined ? undefined : this.spec(right);
  }

  /** Returns what tells the node from the same one of another rule; empty with sharing. */
  owner(node: PlanNode): string {
    return this.#places === undefined ? "" : `|${node.rules[0]}|${this.#places.get(node.id)}`;
  }
}

function nodesOf({ nodes }: Plan): MakingContext["planned"] {
  return { get: (id) => nodeWithId(nodes, id) };
}

function lookupOf(plan: Plan): PlanLookup {
  return finish(lookingUp(plan));
}

/** Returns what finds the nodes and rules of a plan. In small steps: one for each rule. */
function* lookingUp({ nodes, rules }: Plan): Steps<PlanLookup> {
  const byName = new Map<string, PlanRule>();
  yield* eachSmall(rules, (rule) => byName.set(rule.name, rule));
  return { node: (id) => nodeWithId(nodes, id), rule: (name) => byName.get(name) };
}

/** Returns what finds the nodes of the plan before, and the rules that went. A function of its own, so that the program now does not keep it. */
function lookupBefore({ node }: PlanLookup, removed: readonly PlanRule[]): PlanLookup {
  const { rule } = lookupOf({ nodes: [], rules: removed });
  return { node, rule };
}

/** Other rules may come and go: a node without sharing is known by its rule and its place in it. */
function placesInRules({ nodes }: Plan): Map<number, number> {
  const counts = new Map<string | undefined, number>();
  return new Map(
    nodes.map(({ id, rules: [rule] }) => {
      const place = counts.get(rule) ?? 0;
      counts.set(rule, place + 1);
      return [id, place];
    }),
  );
}
