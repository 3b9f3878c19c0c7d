/**
 * Parts of a plan for which there are faster nodes than the general ones, with the same result.
 *
 * - A rule with a single pattern needs no matches: it ends at the alpha node (rete/direct-terminal.ts). Rules for which more
 *   than the fact is kept (a group, no-loop, logical facts) have a general terminal.
 * - A `not` or `exists` over one pattern that comes directly after the match needs no inner matches (rete/absence.ts).
 * - An aggregate over one such pattern, whose facts an equality finds, is kept for each value that matches ask for, not for each
 *   match (rete/running.ts).
 * - Facts with one key are kept in the order of a field that a join compares with bounds (rete/ordered-table.ts).
 * - A control fact that is the last pattern of a rule is not paired before one of the pairs fires (rete/deferred-pairs.ts).
 *
 * A join that no other node depends on is then not made at all.
 */
import { LayeredMap } from "../../base/layered-map.ts";
import { eachSmall, type Steps } from "../../base/slices.ts";
import { AGGREGATES } from "../../functions/aggregates.ts";
import type { AggregatePlan, JoinPlan, Plan, PlanExpr, PlanNode, PlanRule, TerminalPlan } from "../plan.ts";
import { inputsOf } from "./inputs.ts";
import { callsIn, levelsOf, readsOf, uses } from "./levels.ts";

/** Which shortcuts are taken. */
export interface ShortcutOptions {
  readonly direct: boolean;
  readonly absence: boolean;
  readonly control: boolean;
  readonly ordered: boolean;
  /** Needs indexes. */
  readonly running: boolean;
}

/** Finds nodes and rules of a plan. */
export interface PlanLookup {
  readonly node: (id: number) => PlanNode | undefined;
  readonly rule: (name: string) => PlanRule | undefined;
}

/** Where the shortcuts of a plan are, by the ids of nodes. */
export class Shortcuts {
  readonly #wanted: ShortcutOptions;
  /** Terminals of rules with a single pattern. */
  readonly direct: LayeredMap<number, true>;
  /** The aggregates, `not` and `exists` over one pattern that need no inner matches, with the join that finds their facts. */
  readonly overOne: LayeredMap<number, JoinPlan>;
  /** How many nodes that are made need each node, by id. */
  readonly #needed: Uint32Array;
  /** How many nodes of the plan have each node as an input, by id. */
  readonly #users: Uint32Array;
  /** How many rules end at each join and switch its fact, by id. */
  readonly #switching: Uint32Array;

  private constructor(wanted: ShortcutOptions, ids: number, before?: Shortcuts) {
    this.#wanted = wanted;
    this.direct = before?.direct.continued() ?? LayeredMap.empty();
    this.overOne = before?.overOne.continued() ?? LayeredMap.empty();
    this.#needed = new Uint32Array(ids);
    this.#users = new Uint32Array(ids);
    this.#switching = new Uint32Array(ids);
    if (before === undefined) return;
    this.#needed.set(before.#needed);
    this.#users.set(before.#users);
    this.#switching.set(before.#switching);
  }

  /** Whether joins find facts between bounds in order. */
  get ordered(): boolean {
    return this.#wanted.ordered;
  }

  /** Finds the shortcuts of a plan, in small steps: one for each node. */
  static *finding({ nodes }: Plan, lookup: PlanLookup, wanted: ShortcutOptions): Steps<Shortcuts> {
    const made = new Shortcuts(wanted, idsOf(nodes));
    yield* eachSmall(nodes, (node) => made.#add(node, lookup));
    return made;
  }

  /** Returns the shortcuts of a plan with some nodes more and some fewer than that of these; `was` finds those that went. */
  changed(
    { nodes }: Plan,
    lookup: PlanLookup,
    added: readonly PlanNode[],
    removed: readonly PlanNode[],
    was: PlanLookup,
  ): Shortcuts {
    const made = new Shortcuts(this.#wanted, Math.max(idsOf(nodes), this.#needed.length), this);
    for (const node of removed) made.#remove(node, was);
    for (const node of added) made.#add(node, lookup);
    return made;
  }

  /** Returns whether a node is a join that is not made. */
  skips({ kind, id }: PlanNode): boolean {
    return kind === "join" && this.#needed[id] === 0;
  }

  /** Returns whether a join pairs its control fact late: one rule ends there, and it switches the fact when it fires. */
  isControl(id: number): boolean {
    return this.#users[id] === 1 && this.#switching[id] !== 0;
  }

  #add(node: PlanNode, lookup: PlanLookup): void {
    const inner = node.kind === "aggregate" ? onePattern(lookup, node, this.#wanted) : undefined;
    if (inner !== undefined) this.overOne.set(node.id, inner);
    if (this.#wanted.direct && node.kind === "terminal" && isDirect(lookup, node)) this.direct.set(node.id, true);
    this.#count(node, lookup, 1);
  }

  #remove(node: PlanNode, was: PlanLookup): void {
    this.#count(node, was, -1);
    this.overOne.delete(node.id);
    this.direct.delete(node.id);
  }

  #count(node: PlanNode, lookup: PlanLookup, by: 1 | -1): void {
    const inputs = inputsOf(node).filter((id) => id !== undefined);
    for (const id of new Set(inputs)) add(this.#users, id, by);
    const inner = this.overOne.get(node.id);
    if (inner?.left !== undefined) add(this.#needed, inner.left, by);
    if (inner === undefined && !this.direct.has(node.id)) for (const id of inputs) add(this.#needed, id, by);
    const control = this.#wanted.control && node.kind === "terminal" ? controlOf(lookup, node) : undefined;
    if (control !== undefined) add(this.#switching, control, by);
  }
}

function add(counts: Uint32Array, id: number, by: number): void {
  counts[id] = (counts[id] ?? 0) + by;
}

/** Returns the first number that is no id of a node. */
function idsOf(nodes: readonly PlanNode[]): number {
  return (nodes.at(-1)?.id ?? -1) + 1;
}

/** Returns the join with a control fact at which a rule ends, and which it switches when it fires. */
function controlOf(lookup: PlanLookup, { ends, left, rule: name }: TerminalPlan): number | undefined {
  if (ends.length !== 1 || left === undefined) return undefined;
  const join = lookup.node(left);
  const rule = lookup.rule(name);
  return join?.kind === "join" && rule !== undefined && isControl(join, rule) ? join.id : undefined;
}

function isControl({ left, level, keys, tests }: JoinPlan, rule: PlanRule): boolean {
  if (left === undefined || keys.length > 0 || tests.length > 0) return false;
  if (rule.reaction === true || rule.noLoop || rule.group !== undefined) return false;
  return rule.layouts.every(({ actions }) =>
    actions.some(
      (one) =>
        (one.kind === "retract" || one.kind === "update") && one.target.op === "fact" && one.target.level === level,
    ),
  );
}

/** Returns the join of an aggregate, `not` or `exists` over one pattern, where it needs no inner matches. */
function onePattern(lookup: PlanLookup, plan: AggregatePlan, wanted: ShortcutOptions): JoinPlan | undefined {
  const [end, ...others] = plan.inner.map((id) => lookup.node(id));
  if (end?.kind !== "join" || others.length > 0 || end.left !== plan.left) return undefined;
  const isTaken = isAbsence(plan) ? wanted.absence : wanted.running && canRun(lookup, plan, end);
  return isTaken ? end : undefined;
}

/** Returns whether an aggregate says whether there is a fact, and has no value. */
export function isAbsence({ aggregate }: AggregatePlan): boolean {
  return aggregate === "not" || aggregate === "exists";
}

/**
 * Returns whether matches with equal keys can share the value of an aggregate: it depends on the facts with the key alone, and is
 * known of all of them. What calls functions has answers of its own for each match.
 */
function canRun(lookup: PlanLookup, { aggregate, value, passUnknown, fits }: AggregatePlan, join: JoinPlan): boolean {
  const { keys, tests, level } = join;
  if (!AGGREGATES.has(aggregate) || passUnknown || fits !== undefined || keys.length === 0 || tests.length > 0)
    return false;
  const isOfFact = keys.every(({ field }) => field.op === "field" && field.level === level && field.type !== undefined);
  if (!isOfFact || keys.some(({ equals }) => !isFixed(equals))) return false;
  if (value !== undefined && (!isFixed(value) || !isOver(value, level))) return false;
  for (let at = join.right; at !== undefined;) {
    const node = lookup.node(at);
    if (node?.kind !== "alpha" || !isFixed(node.test)) return false;
    at = node.input;
  }
  return true;
}

/** Returns whether the value of an expression depends on what it reads alone, and cannot fail. */
function isFixed(expr: PlanExpr): boolean {
  return !callsIn(expr) && CHANGING.every((op) => !uses(expr, op));
}

/** What gives another value without an update of a fact. */
const CHANGING: readonly PlanExpr["op"][] = ["clock", "outcome", "unmet", "decided", "follow", "step"];

/** Returns whether an expression reads nothing but known fields of the fact at a level. */
function isOver(expr: PlanExpr, level: number): boolean {
  return levelsOf(expr).every((one) => one === level) && readsOf(expr).every(({ type }) => type !== undefined);
}

function isDirect(lookup: PlanLookup, { left, ends, rule: name }: TerminalPlan): boolean {
  const rule = lookup.rule(name);
  if (rule === undefined || rule.reaction === true || rule.noLoop || rule.group !== undefined || ends.length !== 1)
    return false;
  const join = left === undefined ? undefined : lookup.node(left);
  if (join?.kind !== "join" || join.left !== undefined || join.keys.length > 0 || join.tests.length > 0) return false;
  return rule.layouts.every(({ actions }) => actions.every((one) => one.kind !== "insert" || !one.logical));
}
