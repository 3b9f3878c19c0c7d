/**
 * The smallest changes of facts that would open a gate, each tried in a copy of the session.
 *
 * It follows the requirement and changes what does not have the wanted value: another value in a field that a test
 * reads, a new piece of evidence, or one fact less. What a fact is evidence of is not changed: Alice's approval never
 * becomes Bob's.
 */
import type * as ast from "../../language/ast.ts";
import type { GateAnswer, GateTree } from "../../base/answers.ts";
import type { FactView } from "../../session/results.ts";
import { unlessStopped } from "../read/budget.ts";
import { type Edit, type Found, placeOfEdits, type Remedy } from "./edit.ts";
import { evaluate } from "../read/evaluate.ts";
import { type Part, type PatternPart, patternPart } from "../read/parts.ts";
import { relevantFacts } from "../read/relevant.ts";
import { RemedySearch } from "./remedy-search.ts";
import type { State } from "./repair-state.ts";
import type { ExplainContext } from "../read/context.ts";
import { type Bound, Chosen, FREE } from "../read/chosen.ts";
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

/** A leaf of the requirement: its test, the evidence that is tested, and the bindings of its names. */
interface LeafTest {
  readonly test: ast.Expr;
  readonly evidence: PatternPart | undefined;
  readonly start: Chosen;
}

type Leaf = Extract<GateTree, { kind: "leaf" }>;

class GateSearch {
  readonly #context: ExplainContext;
  readonly #answer: GateAnswer;
  readonly #required: ast.Expr;
  readonly #world: World;
  readonly #search: RemedySearch<GateAnswer, Remedy>;
  /** The binding of the variable after `for`. */
  readonly #subject: Chosen;
  /** The field that must be `verified`; undefined when the gate asks for no trust. */
  readonly #trustField: string | undefined;

  constructor(context: ExplainContext, decl: ast.GateDecl, answer: GateAnswer, required: ast.Expr) {
    this.#context = context;
    this.#answer = answer;
    const { program, functions, namedFacts, budget } = context;
    const worldContext = { program, functions, namedFacts, judging: true, ...(budget === undefined ? {} : { budget }) };
    this.#world = World.of(worldContext, context.session);
    this.#subject = subjectOf(decl, answer, this.#world);
    this.#trustField = trustFieldOf(decl);
    this.#required = required;
    let relevant: { readonly facts: ReadonlySet<string> | undefined } | undefined;
    this.#search = new RemedySearch(context, this.#world, FREE, {
      maxTrials: MAX_TRIALS,
      maxCopiedFacts: MAX_COPIED_FACTS,
      relevant: () => (relevant ??= { facts: this.#relevant() }).facts,
      ask: (fork) => context.gate(answer.gate, answer.subject, fork),
      remedy: ({ outcome }, change) => (outcome === "pass" ? change : undefined),
      place: (edits) => placeOfEdits(edits, (added) => JSON.stringify(added)),
    });
  }

  found(): Found<Remedy> {
    const start = { world: this.#world, chosen: this.#subject, edits: [] };
    return this.#search.find((maxEdits) => {
      for (const _ of this.#turn(this.#answer.tree, this.#required, true, start, maxEdits))
        if (this.#search.isDone) break;
    });
  }

  /** Returns the facts that the gate reads; undefined when collecting them takes too many steps. */
  #relevant(): ReadonlySet<string> | undefined {
    const all = new Set<string>(this.#answer.subject === null ? [] : [this.#answer.subject]);
    const state = { world: this.#world, chosen: this.#subject, edits: [] };
    for (const leaf of leavesOf(this.#required)) {
      const { test, evidence, start } = this.#testOf(leaf, state);
      const part: Part = evidence === undefined ? { kind: "where", test, slash: false } : anyOf(evidence, test);
      const found = relevantFacts([part], this.#world, start);
      if (found === undefined) return undefined;
      for (const id of found) all.add(id);
      for (const { bound } of start.entries()) if ("fact" in bound) all.add(bound.fact.id);
    }
    return all;
  }

  // ---------------------------------------------------------------- through the requirement

  /** Yields states in which a part has the wanted value, as far as this is known without a trial. */
  *#turn(tree: GateTree, expr: ast.Expr, want: boolean, state: State, budget: number): Iterable<State> {
    if (tree.value === String(want)) {
      yield state;
      return;
    }
    if (budget === 0 || this.#search.isDone) return;
    if (tree.kind === "leaf") return yield* this.#turnLeaf(tree, expr, want, state, budget);
    const items = itemsOf(expr);
    const [first] = tree.items;
    const [only] = items;
    if (tree.kind === "not") {
      if (first !== undefined && only !== undefined) yield* this.#turn(first, only, !want, state, budget);
      return;
    }
    const count = tree.items.length;
    const min = tree.kind === "all" ? count : tree.kind === "any" ? 1 : (tree.min ?? 0);
    const ready = tree.items.filter((item) => item.value === String(want)).length;
    const needed = (want ? min : count - min + 1) - ready;
    yield* this.#turnSome(tree.items, items, 0, Math.max(1, needed), want, state, budget);
  }

  /** Turns `needed` of the items from `index` on that do not have the wanted value. */
  *#turnSome(
    trees: readonly GateTree[],
    items: readonly ast.Expr[],
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

  *#turnLeaf(leaf: Leaf, expr: ast.Expr, want: boolean, state: State, budget: number): Iterable<State> {
    const leafTest = this.#testOf(expr, state);
    const test = want ? leafTest.test : opposite(leafTest.test);
    const { evidence } = leafTest;
    if (evidence === undefined) {
      for (const next of this.#repaired([{ kind: "where", test, slash: false }], leafTest.start, state, budget)) {
        const forged =
          isExists(leafTest.test) && next.edits.slice(state.edits.length).some(({ op }) => op === "update");
        if (!forged) yield* this.#tryNew(next);
      }
      return;
    }
    yield* this.#change(leaf, 0, { ...leafTest, evidence, test }, state, budget);
    const fitting = { ...evidence, tests: [...evidence.tests, test] };
    yield* this.#add(fitting, leafTest.start, expr.kind === "fact-quorum" ? expr.count.value : 1, state, budget);
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
    leaf: Leaf,
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
    const edits = state.edits.map((edit): Edit => {
      if (edit.op !== "assert") return edit;
      const declared = this.#context.program.symbols.type(edit.type);
      if (declared !== undefined && !declared.fields.has(field)) return edit;
      return { ...edit, fields: { ...edit.fields, [field]: "verified" } };
    });
    return { ...state, edits };
  }

  #testOf(expr: ast.Expr, state: State): LeafTest {
    const { symbols, resolutions } = this.#context.program;
    const start = this.#subject.in(state.world);
    if (expr.kind === "fact-quorum") return { test: expr.test, evidence: patternPart(expr.pattern), start };
    const bare = expr.kind === "path" && resolutions.get(expr) === "condition";
    const name = bare ? expr.root.name : expr.kind === "call" ? expr.name.name : undefined;
    const condition = name === undefined ? undefined : symbols.conditions.get(name)?.decl;
    if (condition === undefined) return { test: expr, evidence: undefined, start };
    const args = expr.kind === "call" ? expr.args : [];
    let params = Chosen.nothing;
    for (const [index, param] of condition.params.entries()) {
      const bound = boundOf(args[index] ?? param.default, start, state.world);
      if (bound !== undefined) params = params.with(undefined, param.name.name, bound);
    }
    const { test, evidence } = condition;
    return { test, evidence: evidence === null ? undefined : patternPart(evidence.pattern), start: params };
  }
}

function subjectOf(decl: ast.GateDecl, { subject }: GateAnswer, world: World): Chosen {
  const fact = subject === null ? undefined : world.get(subject);
  const name = decl.subject?.variable?.name;
  return fact === undefined || name === undefined ? Chosen.nothing : Chosen.nothing.with(undefined, name, { fact });
}

function trustFieldOf({ settings }: ast.GateDecl): string | undefined {
  if (!settings.some((one) => one.kind === "trust" && one.level === "verified")) return undefined;
  return settings.find((one) => one.kind === "trust-field")?.field.name ?? "trust";
}

/** Returns the fact or value of an argument. */
function boundOf(arg: ast.Value | null | undefined, chosen: Chosen, world: World): Bound | undefined {
  if (arg === null || arg === undefined) return undefined;
  const value = evaluate(arg, { world, chosen, ownFact: undefined });
  const fact: FactView | undefined = typeof value === "string" && arg.kind === "path" ? world.get(value) : undefined;
  if (fact !== undefined) return { fact };
  return value === undefined ? undefined : { value };
}

function itemsOf(expr: ast.Expr): readonly ast.Expr[] {
  if (expr.kind === "not") return [expr.operand];
  return expr.kind === "logic" || expr.kind === "quorum" ? expr.items : [];
}

function leavesOf(expr: ast.Expr): ast.Expr[] {
  const items = itemsOf(expr);
  return items.length === 0 ? [expr] : items.flatMap(leavesOf);
}

/** Returns a part that covers all possible evidence, with everything that the test reads. */
function anyOf(evidence: PatternPart, test: ast.Expr): Part {
  const elements = evidence.element === undefined ? [] : [evidence.element];
  const element = { kind: "absence", quantifier: "exists", elements, span: test.span } as const;
  return { kind: "absence", quantifier: "exists", parts: [{ ...evidence, tests: [...evidence.tests, test] }], element };
}

function isExists(test: ast.Expr): boolean {
  return test.kind === "not" ? isExists(test.operand) : test.kind === "exists" || test.kind === "exists-in";
}

function opposite(test: ast.Expr): ast.Expr {
  return test.kind === "not" ? test.operand : { kind: "not", operand: test, span: test.span };
}
