/**
 * The blueprint of a program that has some rules more and some rules fewer than one that has a blueprint. What both have is the
 * same object in both, and has the same number. The blueprint before stays as it is, because other sessions run it: what is different in
 * the new one is copied first. An alpha node is copied with those above it.
 */
import { LayeredMap } from "../base/layered-map.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import type { MemorySpec } from "../rete/alpha-memory.ts";
import { AlphaNetwork, type DirectRule, type TypeNode } from "../rete/alpha-network.ts";
import type { DirectTerminal } from "../rete/direct-terminal.ts";
import { NodeTerminals } from "../rete/direct-terminals.ts";
import type { AlphaPlan, JoinPlan, Plan, PlanNode, TerminalPlan } from "../plan/plan.ts";
import { inputsOf } from "../plan/read/inputs.ts";
import { isAbsence } from "../plan/read/shortcuts.ts";
import type { BlueprintOptions, BlueprintParts, HostCall } from "./blueprint.ts";
import type { ExpressionContext } from "./expression-compiler.ts";
import type { Slots } from "./scope.ts";
import { MakingContext } from "./making-context.ts";
import { alphaNodeOf, type NodeSpec } from "./node-spec.ts";
import { indexText } from "./pair-maker.ts";
import { compileActions } from "./rule-maker.ts";
import { onType } from "./running-maker.ts";
import { type PlanDifference, planDifference } from "./plan-difference.ts";
import { specOf } from "./spec-maker.ts";
import { decisionTables } from "./tables.ts";

/** Returns the parts of the blueprint of a plan by those of another plan; undefined when all of it must be made. */
export function changedParts(before: BlueprintParts, plan: Plan): BlueprintParts | undefined {
  if (!before.options.sharing) return undefined;
  const difference = planDifference(before.plan, plan);
  if (difference === undefined) return undefined;
  try {
    return new BlueprintChange(before, plan, difference).parts();
  } catch (error) {
    if (error instanceof NotByDifference) return undefined;
    throw error;
  }
}

/** Thrown where a blueprint must be made as a whole. */
class NotByDifference extends Error {}

class BlueprintChange {
  readonly #before: BlueprintParts;
  readonly #plan: Plan;
  readonly #difference: PlanDifference;
  readonly #alpha: AlphaNetwork;
  readonly #context: MakingContext;
  readonly #byKey: LayeredMap<string, NodeSpec>;
  readonly #hostCalls: HostCall[];
  /** What was copied or made for this blueprint, and can be changed. */
  readonly #own = new Set<object>();
  /** The numbers of the nodes and memories that are others than before. */
  readonly #specs = new Set<number>();
  readonly #memories = new Set<number>();
  #bornAwake: NodeSpec[];
  #largeJoins: NodeSpec[];
  /** Direct terminals that are new or gone, by their alpha nodes. */
  readonly #newEnds: { readonly node: AlphaNode; readonly end: DirectTerminal }[] = [];
  readonly #goneEnds = new Map<DirectTerminal, AlphaNode>();

  constructor(before: BlueprintParts, plan: Plan, difference: PlanDifference) {
    this.#before = before;
    this.#plan = plan;
    this.#difference = difference;
    this.#alpha = new AlphaNetwork(before.alpha);
    const { context, options } = before;
    this.#context = MakingContext.continuing(plan, this.#alpha, options, {
      ...difference,
      before: context,
      writable: {
        above: (node) => this.#above(node),
        memory: (join) => this.#memory(join),
        addEnd: (terminal, join, end) => this.#addEnd(terminal, join, end),
      },
    });
    this.#byKey = before.byKey.continued();
    this.#hostCalls = [...before.hostCalls];
    this.#bornAwake = [...before.bornAwake];
    this.#largeJoins = [...before.largeJoins];
  }

  parts(): BlueprintParts {
    const before = this.#before;
    const { added, removed, reworded, addedRules, removedRules } = this.#difference;
    const flipped = this.#flipped();
    const actionSites = before.actionSites.continued();
    for (const { name } of removedRules) {
      const actions = actionSites.get(name);
      if (actions !== undefined) this.#dropCalls(actions.site);
      actionSites.delete(name);
    }
    for (const node of inOrder([...removed, ...flipped.skipped]).toReversed()) this.#remove(node);
    for (const node of reworded) this.#reword(node);
    const table = decisionTables(this.#plan);
    const compiled = compiling(before.options, table, this.#hostCalls);
    for (const rule of addedRules) {
      const actions = compileActions(rule, undefined, this.#context, compiled);
      if (actions.site.calls) actionSites.set(rule.name, actions);
    }
    for (const node of inOrder([...added, ...flipped.made])) {
      if (this.#context.shortcuts.skips(node)) continue;
      this.#add(specOf(node, node.id, this.#context, compiled, actionSites));
    }
    this.#finishEnds();
    this.#context.finish();
    return {
      plan: this.#plan,
      options: before.options,
      alpha: this.#alpha,
      context: this.#context,
      table,
      byKey: this.#byKey,
      bornAwake: this.#bornAwake,
      largeJoins: this.#largeJoins.sort((a, b) => a.rank - b.rank),
      hostCalls: this.#hostCalls,
      hostFunctions: new Set(this.#hostCalls.map(({ name }) => name)),
      actionSites,
      judges: before.judges,
      family: before.family,
      identity: {},
      change: { from: before.identity, specs: this.#specs, memories: this.#memories },
    };
  }

  /** Returns the joins of both plans that are needed by one of them only. */
  #flipped(): { readonly made: PlanNode[]; readonly skipped: PlanNode[] } {
    const { added, removed } = this.#difference;
    const was = this.#before.context;
    const now = this.#context;
    const made: PlanNode[] = [];
    const skipped: PlanNode[] = [];
    const ids = new Set([...added, ...removed].flatMap((node) => inputsOf(node)));
    for (const id of ids) {
      const old = id === undefined ? undefined : was.planned.get(id);
      const node = id === undefined ? undefined : now.planned.get(id);
      if (id === undefined || old === undefined || node === undefined) continue;
      if (was.shortcuts.isControl(id) !== now.shortcuts.isControl(id)) throw new NotByDifference();
      const isSkipped = now.shortcuts.skips(node);
      if (was.shortcuts.skips(old) !== isSkipped) (isSkipped ? skipped : made).push(node);
    }
    return { made, skipped };
  }

  // ---------------------------------------------------------------- nodes

  #add(spec: NodeSpec): void {
    this.#own.add(spec);
    this.#specs.add(spec.number);
    this.#context.specs[spec.number] = spec;
    this.#byKey.set(spec.key, spec);
    if (spec.allOf !== undefined) this.#largeJoins.push(spec);
    if ("shared" in spec.making) return;
    if (spec.rootMemory !== undefined) insert(spec.rootMemory.roots, spec.number, (number) => number);
    else if (spec.left === undefined) insert(this.#bornAwake, spec, ({ number }) => number);
    else insert(this.#spec(spec.left).dependents, spec.number, (number) => number);
  }

  #remove(node: PlanNode): void {
    const spec = this.#context.specs[node.id];
    if (spec === undefined) return; // a join that was not made
    const { making, left } = spec;
    const direct = node.kind === "terminal" ? this.#alpha.direct.get(node.rule) : undefined;
    if (node.kind === "alpha") this.#above(node).replace(alphaNodeOf(spec), undefined);
    else if (node.kind === "join") this.#forgetPairs(node, spec, node.left === undefined);
    else if (node.kind === "aggregate") {
      const inner = this.#before.context.shortcuts.overOne.get(node.id);
      if (inner !== undefined && isAbsence(node)) this.#forgetPairs(inner, spec, false);
      else if (inner !== undefined) this.#forgetRunning(inner);
    } else if (node.kind === "terminal" && direct !== undefined && "shared" in making) {
      this.#goneEnds.set(direct.end, this.#alphaAt(this.#before.context.rootJoin(node)));
      this.#alpha.direct.delete(node.rule);
    }
    if (!("shared" in making)) {
      if (left !== undefined) remove(this.#spec(left).dependents, (number) => number === spec.number);
      else if (spec.rootMemory === undefined) remove(this.#bornAwake, ({ number }) => number === spec.number);
    }
    if (spec.allOf !== undefined) remove(this.#largeJoins, ({ number }) => number === spec.number);
    this.#dropCalls(spec.site);
    this.#specs.add(node.id);
    this.#context.specs[node.id] = undefined;
    this.#byKey.delete(spec.key);
  }

  #reword(node: PlanNode): void {
    const spec = this.#context.specs[node.id];
    if (spec === undefined) return;
    if (spec.site !== undefined) throw new NotByDifference(); // its functions know the rules
    this.#replaceSpec({ ...spec, rules: node.rules, pattern: node.kind === "join" ? node.words : node.text });
  }

  /** Returns the spec of a node, as it can be changed. */
  #spec({ number }: NodeSpec): NodeSpec {
    const spec = this.#context.spec(number);
    return this.#own.has(spec) ? spec : this.#replaceSpec(spec);
  }

  #replaceSpec(spec: NodeSpec): NodeSpec {
    const made = { ...spec, dependents: [...spec.dependents] };
    this.#own.add(made);
    this.#specs.add(made.number);
    this.#context.specs[made.number] = made;
    this.#byKey.set(made.key, made);
    this.#bornAwake = this.#bornAwake.map((one) => (one.number === made.number ? made : one));
    this.#largeJoins = this.#largeJoins.map((one) => (one.number === made.number ? made : one));
    return made;
  }

  // ---------------------------------------------------------------- alpha nodes

  #type(name: string): TypeNode {
    const known = this.#alpha.type(name);
    const isNew = this.#before.alpha.types.get(name) === undefined;
    if (isNew || this.#own.has(known)) return known;
    const copy = known.copy();
    this.#own.add(copy);
    this.#alpha.types.set(name, copy);
    return copy;
  }

  /** Returns the node above an alpha node, as it can be changed. */
  #above({ input, type }: AlphaPlan): AlphaNode {
    this.#type(type);
    return input === undefined ? this.#type(type) : this.#alphaNode(input);
  }

  /** Returns an alpha node as it can be changed. */
  #alphaNode(id: number): AlphaNode {
    const spec = this.#context.spec(id);
    const node = alphaNodeOf(spec);
    if (this.#own.has(node) || this.#isNew(id)) return node;
    const plan = this.#context.planned.get(id) ?? this.#before.context.planned.get(id);
    if (plan?.kind !== "alpha") throw new Error("an alpha node is planned as one");
    const above = this.#above(plan);
    const copy = node.copy(above);
    this.#own.add(copy);
    above.replace(node, copy);
    this.#replaceSpec({ ...spec, making: { shared: copy } });
    return copy;
  }

  #isNew(id: number): boolean {
    return this.#before.context.specs[id] === undefined;
  }

  /** Returns the alpha node whose facts a join adds, as it can be changed. */
  #alphaAt({ right, type }: JoinPlan): AlphaNode {
    return right === undefined ? this.#type(type) : this.#alphaNode(right);
  }

  /** Returns what sessions remember for a join, as it can be changed. */
  #memory(join: JoinPlan): MemorySpec {
    const known = this.#context.alphaOf(join).memory;
    const spec = known === undefined ? undefined : this.#alpha.memories[known.number];
    if (spec === undefined) {
      const made = this.#alpha.remember(this.#alphaAt(join), join.type);
      this.#own.add(made);
      this.#memories.add(made.number);
      return made;
    }
    if (this.#own.has(spec)) return spec;
    const copy = spec.copy();
    this.#own.add(copy);
    this.#memories.add(copy.number);
    this.#alpha.memories[copy.number] = copy;
    return copy;
  }

  #forgetPairs(join: JoinPlan, { number }: NodeSpec, atRoot: boolean): void {
    const memory = this.#memory(join);
    if (atRoot) remove(memory.roots, (one) => one === number);
    else memory.dropIndex(indexText(join, this.#context));
    this.#forgetUser(memory, join);
  }

  #forgetRunning(join: JoinPlan): void {
    const ofType = onType(join);
    this.#memory(ofType).dropIndex(indexText(ofType, this.#context));
    this.#forgetUser(this.#memory(ofType), ofType);
    if (join.right !== undefined) this.#forgetUser(this.#memory(join), join);
  }

  /** Counts a node less that needs the facts of a join; with the last one their memory goes. */
  #forgetUser(memory: MemorySpec, join: JoinPlan): void {
    memory.users -= 1;
    if (memory.users > 0) return;
    this.#alpha.memories[memory.number] = undefined;
    const node = this.#alphaAt(join);
    node.listenAs(undefined, node.ends);
  }

  // ---------------------------------------------------------------- direct terminals

  #addEnd({ rule }: TerminalPlan, join: JoinPlan, end: DirectTerminal): DirectRule {
    const direct = { end, node: this.#alphaAt(join), type: join.type };
    this.#newEnds.push(direct);
    this.#alpha.direct.set(rule, direct);
    return direct;
  }

  #finishEnds(): void {
    const added = this.#newEnds.map(({ end }) => end);
    const removed = new Set(this.#goneEnds.keys());
    if (added.length + removed.size === 0) {
      this.#alpha.ends = this.#before.alpha.ends;
      return;
    }
    this.#alpha.ends = this.#before.alpha.ends.changed(added, removed);
    for (const node of new Set([...this.#newEnds.map((one) => one.node), ...this.#goneEnds.values()])) {
      const kept = node.ends?.all.filter((end) => !removed.has(end)) ?? [];
      const all = [...kept, ...this.#newEnds.filter((one) => one.node === node).map(({ end }) => end)];
      node.listenAs(node.memory, all.length === 0 ? undefined : new NodeTerminals(all));
    }
  }

  // ---------------------------------------------------------------- expressions

  #dropCalls(site: HostCall["site"] | undefined): void {
    if (site?.calls === true) removeAll(this.#hostCalls, (call) => call.site === site);
  }
}

/**
 * Returns what new expressions are compiled with. Sessions have facts whose fields have their slots: a new rule must find all its
 * fields among them. Compiled functions may keep it, so it knows nothing of the program before.
 */
function compiling(
  { shapes, functions, regex }: BlueprintOptions,
  table: ExpressionContext["table"],
  hostCalls: HostCall[],
): ExpressionContext {
  const fixed: Slots = { of: (type) => ({ slot: (field) => shapes.find(type)?.find(field) ?? unknownField() }) };
  return { shapes: fixed, functions, regex, table, calls: (name, site) => hostCalls.push({ name, site }) };
}

function unknownField(): never {
  throw new NotByDifference();
}

function inOrder(nodes: readonly PlanNode[]): PlanNode[] {
  return [...nodes].sort((a, b) => a.id - b.id);
}

/** Inserts an item into a list in the order of a number. */
function insert<Item>(list: Item[], item: Item, numberOf: (item: Item) => number): void {
  const after = list.findLastIndex((one) => numberOf(one) < numberOf(item));
  list.splice(after + 1, 0, item);
}

function remove<Item>(list: Item[], isGone: (item: Item) => boolean): void {
  const at = list.findIndex(isGone);
  if (at >= 0) list.splice(at, 1);
}

function removeAll<Item>(list: Item[], isGone: (item: Item) => boolean): void {
  for (let at = list.length - 1; at >= 0; at--) if (isGone(list[at] as Item)) list.splice(at, 1);
}
