/**
 * The network of a program as all its sessions share it: alpha nodes with their tests and tables, direct terminals, productions,
 * and a spec of every other node with its functions compiled. It is made once, and never changes after that.
 *
 * The specs of alpha-maker, pair-maker, beta-maker, timer-maker, rule-maker and judge-maker say how a session makes a node of its own.
 */
import { must } from "../base/invariant.ts";
import { LayeredMap } from "../base/layered-map.ts";
import type { Regex } from "../base/regex.ts";
import { finish, type Steps } from "../base/slices.ts";
import { AlphaNetwork } from "../rete/alpha-network.ts";
import type { FailureSite } from "../rete/failures.ts";
import type { Production } from "../rete/production.ts";
import type { Plan } from "../plan/plan.ts";
import type { ShortcutOptions } from "../plan/read/shortcuts.ts";
import { supportPlans } from "../plan/read/support-plans.ts";
import { changedParts } from "./blueprint-change.ts";
import type { Slots } from "./scope.ts";
import type { ExpressionContext } from "./expression-compiler.ts";
import type { JudgeSpecs } from "./judges.ts";
import { MakingContext, type MakingOptions } from "./making-context.ts";
import { nodeKey } from "./node-keys.ts";
import type { NodeSpec } from "./node-spec.ts";
import { type ActionSite, compileActions } from "./rule-maker.ts";
import { specOf } from "./spec-maker.ts";
import { decisionTables } from "./tables.ts";
import { type Touched, type Translation, translation } from "./translation.ts";

/** What a blueprint is made for. */
export interface BlueprintOptions extends MakingOptions {
  /** The slots of fields. They grow while the blueprint is made. */
  readonly shapes: Slots & { find(type: string): { find(field: string): number | undefined } | undefined };
  /** The functions of the host that are meant although a built-in one has their name. */
  readonly functions: Pick<ReadonlySet<string>, "has">;
  /** Compiles the patterns of `matches`; undefined when no test of the program needs it. */
  readonly regex: Regex | undefined;
}

/** A call of a function of the host. */
export interface HostCall {
  readonly name: string;
  readonly site: FailureSite;
}

/** The blueprints with the same slots and options of programs that continue each other, by plan. */
type BlueprintFamily = WeakMap<Plan, Blueprint>;

/** What a blueprint is made of. */
export interface BlueprintParts {
  readonly plan: Plan;
  readonly options: BlueprintOptions;
  readonly alpha: AlphaNetwork;
  readonly context: MakingContext;
  /** Finds the decision tables of the plan. */
  readonly table: ExpressionContext["table"];
  readonly byKey: LayeredMap<string, NodeSpec>;
  readonly bornAwake: readonly NodeSpec[];
  readonly largeJoins: readonly NodeSpec[];
  readonly hostCalls: readonly HostCall[];
  readonly hostFunctions: ReadonlySet<string>;
  readonly actionSites: LayeredMap<string, ActionSite>;
  readonly judges: JudgeSpecs;
  readonly family: BlueprintFamily;
  /** Stands for the blueprint without keeping it. */
  readonly identity: object;
  /** How it differs from the blueprint that it was made from; undefined when it was made as a whole. */
  readonly change: (Touched & { readonly from: object }) | undefined;
}

/** The network of a program, shared by its sessions. */
export class Blueprint {
  readonly plan: Plan;
  readonly options: BlueprintOptions;
  readonly alpha: AlphaNetwork;
  /** All nodes, by number, which is the id in the plan; inputs come before the nodes that depend on them. */
  readonly specs: readonly (NodeSpec | undefined)[];
  /** The nodes that stand without a pattern above them, and have something to say before any fact comes: a session makes them when it is opened. */
  readonly bornAwake: readonly NodeSpec[];
  /** The joins without key and test on all facts of a type, by rank. */
  readonly largeJoins: readonly NodeSpec[];
  readonly hostCalls: readonly HostCall[];
  /** The functions of the host that are called. */
  readonly hostFunctions: ReadonlySet<string>;
  /** Where the actions of rules call functions, by rule; without rules that call none. */
  readonly actionSites: ReadonlyMap<string, ActionSite>;
  readonly productions: ReadonlyMap<string, readonly Production[]>;
  /** What judges, by name. */
  readonly judges: JudgeSpecs;
  readonly #parts: BlueprintParts;
  /** How nodes of this one are found in other blueprints. */
  readonly #translations = new WeakMap<Blueprint, Translation>();

  private constructor(parts: BlueprintParts) {
    const { context, family, plan } = parts;
    this.#parts = parts;
    this.plan = plan;
    this.options = parts.options;
    this.alpha = parts.alpha;
    this.specs = context.specs;
    this.bornAwake = parts.bornAwake;
    this.largeJoins = parts.largeJoins;
    this.hostCalls = parts.hostCalls;
    this.hostFunctions = parts.hostFunctions;
    this.actionSites = parts.actionSites;
    this.productions = context.productions;
    this.judges = parts.judges;
    family.set(plan, this);
  }

  /** Makes the blueprint of a plan, in steps: one for each rule and each node. */
  static *making(plan: Plan, options: BlueprintOptions): Steps<Blueprint> {
    return new Blueprint(yield* wholeParts(plan, options));
  }

  /**
   * Returns the blueprint of a plan that has a few rules more or fewer than this one, with the same slots and options; undefined when
   * there is more to it than that. It is made once for all sessions.
   */
  changed(plan: Plan): Blueprint | undefined {
    const known = this.#parts.family.get(plan);
    if (known !== undefined) return known;
    const parts = changedParts(this.#parts, plan);
    return parts === undefined ? undefined : new Blueprint(parts);
  }

  /** Returns whether a session that continues with another blueprint has the same productions for all rules that stay. */
  keepsProductions(next: Blueprint): boolean {
    if (!this.isRelated(next)) return false;
    const { next: others, origin } = this.translated(next);
    const isKept = (rule: string): boolean => this.productions.get(rule) === next.productions.get(rule);
    return others.specs.every(
      (spec) => spec.kind !== "terminal" || origin(spec) === undefined || spec.rules.every(isKept),
    );
  }

  /** Returns whether nodes that both blueprints have are the same objects. */
  isRelated(other: Blueprint): boolean {
    return this.#parts.family === other.#parts.family;
  }

  /**
   * Returns the nodes of the plan of a question, and the names of its rules. A node that the program has is that node; `again` says
   * for which of them another one is made, and `without` shortcuts that it does not take. Nothing of the program changes.
   */
  question(
    plan: Plan,
    again: (spec: NodeSpec) => boolean,
    shapes: Slots,
    without: Partial<ShortcutOptions> = {},
  ): { specs: NodeSpec[]; rules: string[] } {
    const shortcuts = { ...this.options.shortcuts, ...without };
    const context = finish(MakingContext.beginning(plan, this.alpha, { ...this.options, shortcuts }, true));
    const compiled = { ...compiling(this.options, this.#parts.table, () => undefined), shapes };
    const supports = finish(supportPlans(plan));
    for (const rule of plan.rules) compileActions(rule, supports.get(rule.name), context, compiled);
    const specs: NodeSpec[] = [];
    for (const node of plan.nodes) {
      if (context.shortcuts.skips(node)) continue;
      const inputs = context.inputsOf(node).map((input) => input?.number);
      const known = this.#parts.byKey.get(nodeKey(node, inputs, context));
      const isKnown = known !== undefined && !again(known);
      const spec = isKnown ? known : specOf(node, -1 - specs.length, context, compiled, new Map());
      context.specs[node.id] = spec;
      specs.push(spec);
    }
    return { specs, rules: [...context.productions.keys()] };
  }

  /** Returns how the nodes of another blueprint are found in this one. It takes the steps of the difference where that is known. */
  translated(next: Blueprint): Translation {
    const known = this.#translations.get(next);
    if (known !== undefined) return known;
    const { context } = next.#parts;
    const made = translation(this, next, this.isRelated(next), this.#touched(next), ({ id }, inputs) => {
      const node = must(context.planned.get(id), "a spec is made of a node of the plan");
      return this.#parts.byKey.get(nodeKey(node, inputs, context));
    });
    this.#translations.set(next, made);
    return made;
  }

  /** Returns where this blueprint and another one can differ, when one was made from the other. */
  #touched(other: Blueprint): Touched | undefined {
    const { identity, change } = this.#parts;
    const theirs = other.#parts;
    if (theirs.change?.from === identity) return theirs.change;
    return change?.from === theirs.identity ? change : undefined;
  }
}

function compiling(
  { shapes, functions, regex }: BlueprintOptions,
  table: ExpressionContext["table"],
  note: (call: HostCall) => void,
): ExpressionContext {
  return { shapes, functions, regex, table, calls: (name, site) => note({ name, site }) };
}

/** Makes all nodes of a plan. */
function* wholeParts(plan: Plan, options: BlueprintOptions): Steps<BlueprintParts> {
  const alpha = new AlphaNetwork();
  const context = yield* MakingContext.beginning(plan, alpha, options, false);
  const byKey = LayeredMap.empty<string, NodeSpec>();
  const actionSites = LayeredMap.empty<string, ActionSite>();
  const hostCalls: HostCall[] = [];
  const bornAwake: NodeSpec[] = [];
  const largeJoins: NodeSpec[] = [];
  const table = decisionTables(plan);
  const compiled = compiling(options, table, (call) => hostCalls.push(call));
  const supports = yield* supportPlans(plan);
  for (const rule of plan.rules) {
    const actions = compileActions(rule, supports.get(rule.name), context, compiled);
    if (actions.site.calls) actionSites.set(rule.name, actions);
    yield;
  }
  for (const node of plan.nodes) {
    while (context.specs.length < node.id) context.specs.push(undefined);
    if (context.shortcuts.skips(node)) continue;
    yield;
    const spec = specOf(node, node.id, context, compiled, actionSites);
    context.specs[node.id] = spec;
    byKey.set(spec.key, spec);
    if (spec.allOf !== undefined) largeJoins.push(spec);
    if ("shared" in spec.making) continue;
    if (spec.rootMemory !== undefined) spec.rootMemory.roots.push(spec.number);
    else if (spec.left === undefined) bornAwake.push(spec);
    else spec.left.dependents.push(spec.number);
  }
  yield* alpha.preparing();
  return {
    plan,
    options,
    alpha,
    context,
    table,
    byKey,
    bornAwake,
    largeJoins: largeJoins.sort((a, b) => a.rank - b.rank),
    hostCalls,
    hostFunctions: new Set(hostCalls.map(({ name }) => name)),
    actionSites,
    judges: judgeSpecs(plan, context),
    family: new WeakMap(),
    identity: {},
    change: undefined,
  };
}

function judgeSpecs({ nodes }: Plan, context: MakingContext): JudgeSpecs {
  const specs = { gate: new Map(), flow: new Map(), guardian: new Map(), pipeline: new Map() };
  for (const node of nodes) {
    if (node.kind === "gate") specs.gate.set(node.gate, context.spec(node.id));
    else if (node.kind === "flow") specs.flow.set(node.flow, context.spec(node.id));
    else if (node.kind === "guardian") specs.guardian.set(node.guardian, context.spec(node.id));
    else if (node.kind === "pipeline") specs.pipeline.set(node.pipeline, context.spec(node.id));
  }
  return specs;
}
