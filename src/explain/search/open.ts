/**
 * The smallest changes of facts that would open a gate, each tried in a copy of the session.
 *
 * It follows the requirement and changes what does not have the wanted value: another value in a field that a test
 * reads, a new piece of evidence, or one fact less. What a fact is evidence of is not changed: Alice's approval never
 * becomes Bob's.
 */
import type * as ast from "../../language/ast.ts";
import type { GateAnswer, GateTree } from "../../base/answers.ts";
import { unlessStopped } from "../read/budget.ts";
import { type FactEdit, type Found, placeOfEdits, type Remedy } from "./edit.ts";
import { type Part, type PatternPart, patternPart } from "../read/parts.ts";
import { relevantFacts } from "../read/relevant.ts";
import { gatePolicy, hostFacts } from "./policy.ts";
import { type Reading, readingOf } from "./reading.ts";
import { RemedySearch } from "./remedy-search.ts";
import type { State } from "./repair-state.ts";
import {
  itemsOf,
  type LeafTest,
  nodesOf,
  opposite,
  partRead,
  Requirement,
  subjectOf,
  type Written,
} from "./requirement.ts";
import type { ExplainContext } from "../read/context.ts";
import { type Chosen, chosenFor, FREE } from "../read/chosen.ts";
import { World } from "../read/world.ts";

const MAX_TRIALS = 60;
const MAX_COPIED_FACTS = 200_000;

/** Returns the remedies; none when the gate passes, or nothing within three edits helps. */
export function wouldOpen(context: ExplainContext, answer: GateAnswer): Found<Remedy> {
  const decl = context.program.symbols.gates.get(answer.gate)?.decl;
  const required = decl?.settings.find((one) => one.kind === "require")?.test ?? undefined;
  if (decl === undefined || required === undefined || answer.outcome === "pass") return { remedies: [] };
  return unlessStopped(
    () => new GateSearch(context, decl, answer, required).found(),
    (stopped) => ({ remedies: [], stopped }),
  );
}

type Leaf = Extract<GateTree, { kind: "leaf" }>;

const NO_EVIDENCE = { evidence: [] } as const;

class GateSearch {
  readonly #context: ExplainContext;
  readonly #answer: GateAnswer;
  readonly #requirement: Requirement;
  readonly #world: World;
  readonly #search: RemedySearch<GateAnswer, Remedy>;
  /** True when any unknown part makes its operator unknown. */
  readonly #bochvar: boolean;
  /** The field that must be `verified`; undefined when the gate asks for no trust. */
  readonly #trustField: string | undefined;

  constructor(context: ExplainContext, decl: ast.GateDecl, answer: GateAnswer, required: ast.Expr) {
    this.#context = context;
    this.#answer = answer;
    const { program, functions, namedFacts, budget } = context;
    const worldContext = { program, functions, namedFacts, judging: true, ...(budget === undefined ? {} : { budget }) };
    this.#world = World.of(worldContext, context.session);
    this.#requirement = new Requirement(program, required, subjectOf(decl, answer, this.#world));
    this.#bochvar = decl.settings.some((one) => one.kind === "logic-of" && one.logic === "bochvar");
    this.#trustField = trustFieldOf(decl);
    let relevant: { readonly facts: ReadonlySet<string> | undefined } | undefined;
    const nodes = nodesOf(required, program);
    this.#search = new RemedySearch(context, this.#world, FREE, {
      maxTrials: MAX_TRIALS,
      policy: gatePolicy(hostFacts(context), program, {
        nodes,
        about: decl.subject,
        subject: answer.subject,
        trustField: this.#trustField ?? "trust",
      }),
      reading: withTrust(readingOf([decl.subject, nodes], program), this.#trustField),
      maxCopiedFacts: MAX_COPIED_FACTS,
      relevant: () => (relevant ??= { facts: this.#relevant() }).facts,
      ask: (fork) => context.gate(answer.gate, answer.subject, fork),
      remedy: ({ outcome }, change) => (outcome === "pass" ? change : undefined),
      place: (edits) => placeOfEdits(edits, (added) => JSON.stringify(added)),
    });
  }

  found(): Found<Remedy> {
    const start = { world: this.#world, chosen: this.#requirement.subject, edits: [] };
    return this.#search.find((maxEdits) => {
      for (const _ of this.#turn(this.#answer.tree, this.#requirement.whole, true, start, maxEdits))
        if (this.#search.isDone) break;
    });
  }

  /** Returns the facts that the gate reads; undefined when collecting them takes too many steps. */
  #relevant(): ReadonlySet<string> | undefined {
    const all = new Set<string>(this.#answer.subject === null ? [] : [this.#answer.subject]);
    for (const leaf of this.#requirement.leaves(this.#world)) {
      const leafTest = this.#requirement.testOf(leaf, this.#world);
      const { start } = leafTest;
      const found = relevantFacts([partRead(leafTest)], this.#world, start);
      if (found === undefined) return undefined;
      for (const id of found) all.add(id);
      for (const { bound } of start.entries()) if ("fact" in bound) all.add(bound.fact.id);
    }
    return all;
  }

  // ---------------------------------------------------------------- through the requirement

  /** Yields states in which a part has the wanted value, as far as this is known without a trial. */
  *#turn(tree: GateTree, written: Written, want: boolean, state: State, budget: number): Iterable<State> {
    if (tree.value === String(want)) {
      yield state;
      return;
    }
    if (budget === 0 || this.#search.isDone) return;
    const { expr } = written;
    const population = this.#requirement.populationOf(expr);
    if (population !== undefined) return yield* this.#turnPopulation(tree, population, want, state, budget);
    if (tree.kind === "leaf") return yield* this.#turnLeaf(tree, written, want, state, budget);
    const items = itemsOf(expr).map((item) => this.#requirement.written(item));
    const [first] = tree.items;
    const [only] = items;
    if (tree.kind === "not") {
      if (first !== undefined && only !== undefined) yield* this.#turn(first, only, !want, state, budget);
      return;
    }
    if (this.#bochvar && tree.value === "unknown") yield* this.#makeKnown(tree.items, items, 0, state, budget);
    const count = tree.items.length;
    const min = tree.kind === "all" ? count : tree.kind === "any" ? 1 : (tree.min ?? 0);
    const ready = tree.items.filter((item) => item.value === String(want)).length;
    const needed = (want ? min : count - min + 1) - ready;
    yield* this.#turnSome(tree.items, items, 0, Math.max(1, needed), want, state, budget);
  }

  /** Turns the condition about as many facts of a population as it needs, and adds further facts. */
  *#turnPopulation(
    tree: GateTree,
    expr: ast.FactQuorumExpr,
    want: boolean,
    state: State,
    budget: number,
  ): Iterable<State> {
    const members = (tree.kind === "leaf" ? [] : tree.items).flatMap((item) => {
      const fact = item.kind === "leaf" && item.member !== undefined ? state.world.get(item.member) : undefined;
      return fact === undefined ? [] : [{ item, written: this.#requirement.askedOf(expr, fact) }];
    });
    if (want && expr.count.value > members.length + budget) return; // each further fact takes an edit
    const ready = members.filter(({ item }) => item.value === String(want)).length;
    const needed = (want ? expr.count.value : members.length - expr.count.value + 1) - ready;
    const items = members.map(({ item }) => item);
    const parts = members.map(({ written }) => written);
    yield* this.#turnSome(items, parts, 0, Math.max(1, needed), want, state, budget);
    if (want) yield* this.#addMembers(expr, Math.max(1, needed), state, budget);
  }

  /** Yields states with one to `most` new facts in a population, and with what makes the condition about them true. */
  *#addMembers(expr: ast.FactQuorumExpr, most: number, state: State, budget: number): Iterable<State> {
    const part = patternPart(expr.pattern);
    const start = this.#requirement.subject.in(state.world);
    for (const found of this.#search.repair.repaired([part], state.world, start, budget)) {
      const fact = chosenFor(found.chosen, part);
      const isNew = found.edits.length > 0 && found.edits.every(({ op }) => op === "assert");
      if (fact === undefined || !isNew || this.#search.isDone) continue;
      const added = this.#trusted({ ...state, world: found.world, edits: [...state.edits, ...found.edits] });
      const left = budget - found.edits.length;
      const asked = this.#requirement.askedOf(expr, fact);
      const filled = left === 0 ? [] : this.#turnLeaf(NO_EVIDENCE, asked, true, added, left);
      for (const next of [...this.#tryNew(added), ...filled]) {
        yield next;
        const rest = budget - (next.edits.length - state.edits.length);
        if (most > 1 && rest > 0) yield* this.#addMembers(expr, most - 1, next, rest);
      }
    }
  }

  /** Makes every unknown item from `index` on true or false: with Bochvar's logic each of them keeps its operator unknown. */
  *#makeKnown(
    trees: readonly GateTree[],
    items: readonly Written[],
    index: number,
    state: State,
    budget: number,
  ): Iterable<State> {
    const at = trees.findIndex((tree, place) => place >= index && tree.value === "unknown");
    const [tree, item] = [trees[at], items[at]];
    if (tree === undefined || item === undefined) {
      yield state;
      return;
    }
    for (const want of [true, false]) {
      for (const next of this.#turn(tree, item, want, state, budget)) {
        const left = budget - (next.edits.length - state.edits.length);
        yield* this.#makeKnown(trees, items, at + 1, next, left);
      }
    }
  }

  /** Turns `needed` of the items from `index` on that do not have the wanted value. */
  *#turnSome(
    trees: readonly GateTree[],
    items: readonly Written[],
    index: number,
    needed: number,
    want: boolean,
    state: State,
    budget: number,
  ): Iterable<State> {
    if (needed === 0) {
      yield state;
      return;
    }
    for (let at = index; at < trees.length && !this.#search.isDone; at++) {
      const [tree, item] = [trees[at], items[at]];
      this.#context.budget?.spend(1);
      if (tree === undefined || item === undefined || tree.value === String(want)) continue;
      for (const next of this.#turn(tree, item, want, state, budget)) {
        const left = budget - (next.edits.length - state.edits.length);
        yield* this.#turnSome(trees, items, at + 1, needed - 1, want, next, left);
      }
    }
  }

  // ---------------------------------------------------------------- leaves

  *#turnLeaf(
    leaf: Pick<Leaf, "evidence">,
    written: Written,
    want: boolean,
    state: State,
    budget: number,
  ): Iterable<State> {
    const { expr } = written;
    const leafTest = this.#requirement.testOf(written, state.world);
    const test = want ? leafTest.test : opposite(leafTest.test);
    const { evidence } = leafTest;
    if (evidence === undefined) {
      for (const next of this.#repaired([{ kind: "where", test, slash: false }], leafTest.start, state, budget))
        yield* this.#tryNew(next);
      return;
    }
    const most = expr.kind === "fact-quorum" ? expr.count.value : 1;
    if (want && most > Math.max(1, leaf.evidence.length + budget)) return; // each further fact takes an edit
    const fitting = { ...evidence, tests: [...evidence.tests, test] };
    const waits = want && expr.kind === "fact-quorum" && !expr.closed;
    if (waits) yield* this.#add(fitting, leafTest.start, most, state, budget);
    yield* this.#change(leaf, 0, { ...leafTest, evidence, test }, state, budget);
    if (!waits) yield* this.#add(fitting, leafTest.start, most, state, budget);
  }

  /** Yields states with one to `most` new pieces of evidence. */
  *#add(fitting: PatternPart, start: Chosen, most: number, state: State, budget: number): Iterable<State> {
    for (const next of this.#repaired([fitting], start, state, budget)) {
      if (!next.edits.slice(state.edits.length).every(({ op }) => op === "assert")) continue;
      const added = this.#trusted(next);
      yield* this.#tryNew(added);
      const left = budget - (next.edits.length - state.edits.length);
      if (most > 1 && left > 0) yield* this.#add(fitting, start, most - 1, added, left);
    }
  }

  /** Yields states with other values in the facts that are evidence, from `index` on. */
  *#change(
    leaf: Pick<Leaf, "evidence">,
    index: number,
    leafTest: LeafTest & { readonly evidence: PatternPart },
    state: State,
    budget: number,
  ): Iterable<State> {
    const { evidence, test, start } = leafTest;
    if (budget === 0) return;
    for (let at = index; at < leaf.evidence.length; at++) {
      const fact = state.world.get(leaf.evidence[at]?.id ?? "");
      if (fact === undefined || this.#search.isDone) continue;
      const chosen = start.with(evidence, evidence.variable, { fact });
      for (const next of this.#repaired([{ kind: "where", test, slash: false }], chosen, state, budget)) {
        yield* this.#tryNew(next);
        yield* this.#change(leaf, at + 1, leafTest, next, budget - (next.edits.length - state.edits.length));
      }
    }
  }

  /** Yields repaired states with at least one more edit. */
  *#repaired(parts: readonly Part[], start: Chosen, state: State, budget: number): Iterable<State> {
    for (const { world, edits } of this.#search.repair.repaired(parts, state.world, start.in(state.world), budget)) {
      if (edits.length > 0) yield { world, chosen: state.chosen, edits: [...state.edits, ...edits] };
    }
  }

  /** Tries a state, and yields it when it was not tried before, so that others can continue from it. */
  *#tryNew(state: State): Iterable<State> {
    if (this.#search.tryChange(state) !== undefined) yield state;
  }

  /** Returns the state with new evidence marked as verified, if its type has the trust field. */
  #trusted(state: State): State {
    const field = this.#trustField;
    if (field === undefined) return state;
    const edits = state.edits.map((edit): FactEdit => {
      if (edit.op !== "assert") return edit;
      const declared = this.#context.program.symbols.type(edit.type);
      if (declared !== undefined && !declared.fields.has(field)) return edit;
      return { ...edit, fields: { ...edit.fields, [field]: "verified" } };
    });
    return { ...state, edits };
  }
}

function withTrust(reading: Reading, field: string | undefined): Reading {
  return field === undefined ? reading : { ...reading, fields: new Set([...reading.fields, field]) };
}

function trustFieldOf({ settings }: ast.GateDecl): string | undefined {
  if (!settings.some((one) => one.kind === "trust" && one.level === "verified")) return undefined;
  return settings.find((one) => one.kind === "trust-field")?.field.name ?? "trust";
}
