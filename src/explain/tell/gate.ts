/** Explains the answer of a gate: every operator and every leaf of its requirement is a step. */
import { factLabel } from "../../base/fact-label.ts";
import type { Truth } from "../../base/truth.ts";
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type {
  GateAnswer,
  GateTree,
  MissingLeaf,
  Outcome as GateOutcome,
  SeenFact,
  Status,
} from "../../base/answers.ts";
import { forEachNode } from "../../language/walk.ts";
import { unlessStopped } from "../read/budget.ts";
import { Chosen } from "../read/chosen.ts";
import type { ExplainContext } from "../read/context.ts";
import { subjectChosen } from "../read/deciding-line.ts";
import type { Draft, Reason } from "../read/draft.ts";
import { seenValue, Words } from "../read/words.ts";
import { type FactBase, World } from "../read/world.ts";
import { headlineOf, reasonsOf } from "./headline.ts";
import { allOf, anyOf, atLeast, holds, noneOf, tested } from "./operators.ts";
import { type Explanation, numbered } from "./step.ts";
import { methodOf, testDraft } from "./tests.ts";

/** The explanation of a gate's answer. */
export interface WhyGate extends Explanation {
  /** The name of the gate. */
  readonly gate: string;
  /** The id of the subject; null for a gate without `for`. */
  readonly subject: string | null;
  /** The outcome. */
  readonly says: GateOutcome;
  /** The smallest set of unknown parts that could still open the gate. */
  readonly missing: readonly MissingLeaf[];
}

type Operator = Exclude<GateTree, { kind: "leaf" }>;
type Leaf = Extract<GateTree, { kind: "leaf" }>;

export function explainGate(context: ExplainContext, asked: GateAnswer): WhyGate {
  const answer = readable(context, asked);
  const { gate, subject, outcome, missing } = answer;
  const id = subject === null ? gate : `${gate}/${subject}`;
  return { ...numbered(gateDraft(context, answer), id), gate, subject, says: outcome, missing };
}

/** An answer with the parts that the gate has now, because those of its moment are no longer known. */
interface LateAnswer extends GateAnswer {
  readonly isLate: true;
}

/** Returns an answer of which all parts can be read: with those of now, where its own were not read in time. */
function readable(context: ExplainContext, answer: GateAnswer): GateAnswer | LateAnswer {
  try {
    return { ...answer };
  } catch (error) {
    const now = context.gate(answer.gate, answer.subject);
    if (now === undefined) throw error;
    return { ...withOutcome(now, answer.outcome), isLate: true };
  }
}

/**
 * Returns the draft of the requirement's root, with the sentence that sums up the gate. `facts` are those of the answer;
 * without them, tests are evaluated again only if the answer is that of now.
 */
export function gateDraft(context: ExplainContext, answer: GateAnswer, facts?: FactBase): Draft {
  const { gate, subject, tree } = answer;
  const world = World.of({ ...context, judging: true }, facts ?? context.session);
  const found = context.program.symbols.gates.get(gate);
  const decl = found?.decl;
  const strict = decl?.settings.some((one) => one.kind === "logic-of" && one.logic === "bochvar") ?? false;
  const required = decl?.settings.find((one) => one.kind === "require")?.test ?? undefined;
  const pattern = decl?.subject ?? null;
  const chosen = pattern === null || subject === null ? Chosen.nothing : subjectChosen(pattern, subject, world);
  const words = found === undefined ? undefined : new Words(found.source);
  const isOfFacts = (): boolean =>
    facts !== undefined || JSON.stringify(context.gate(gate, subject)?.tree) === JSON.stringify(tree);
  const root = draftOf(tree, required, { world, chosen, words, strict, isOfFacts: once(isOfFacts) });
  const about = subject === null ? "" : ` about ${factLabel(subject)}`;
  return { ...root, down: `Gate "${gate}" was asked${about}. ${root.down}`, up: gateHeadline(answer, root, strict) };
}

/** Returns the current answer of a gate with another outcome. */
export function withOutcome(now: GateAnswer, outcome: GateOutcome): GateAnswer {
  return now.outcome === outcome ? now : { ...now, outcome, status: STATUS_OF[outcome] };
}

const STATUS_OF: Readonly<Record<GateOutcome, Status>> = { pass: "true", hold: "unknown", fail: "false" };

// ---------------------------------------------------------------- parts of a requirement

interface PartContext {
  readonly world: World;
  /** The binding of the subject. */
  readonly chosen: Chosen;
  /** The texts of the program; undefined when it no longer has the gate. */
  readonly words: Words | undefined;
  /** True for `logic bochvar`. */
  readonly strict: boolean;
  /** Returns whether the facts of the world are those that the answer was given with. */
  isOfFacts(): boolean;
}

/** Returns a function that computes its result when it is first called. */
function once(compute: () => boolean): () => boolean {
  let result: boolean | undefined;
  return () => (result ??= compute());
}

/** Returns the draft of a part; `expr` is its expression, undefined when the program no longer has it. */
function draftOf(tree: GateTree, expr: ast.Expr | undefined, context: PartContext): Draft {
  if (tree.kind === "leaf") return leafDraft(tree, expr, context);
  const isQuorum = expr?.kind === "fact-quorum"; // its parts are facts, which the subject does not bind
  const written = isQuorum ? tree.items.map(() => expr.test) : itemsOf(expr);
  const below = isQuorum ? { ...context, words: undefined } : context;
  const items = tree.items.map((item, index) => draftOf(item, written[index], below));
  return operatorDraft(tree, items, context.strict);
}

function itemsOf(expr: ast.Expr | undefined): readonly ast.Expr[] {
  if (expr?.kind === "not") return [expr.operand];
  return expr?.kind === "logic" || expr?.kind === "quorum" ? expr.items : [];
}

function operatorDraft({ kind, text, value, min = 0 }: Operator, items: readonly Draft[], strict: boolean): Draft {
  const [first] = items;
  if (kind === "not" && first !== undefined) return noneOf(text, first);
  if (kind === "at least") return atLeast(text, min, items, truthOf(value), strict);
  return kind === "any" ? anyOf(text, items, strict) : allOf(text, items, strict);
}

function leafDraft(tree: Leaf, expr: ast.Expr | undefined, context: PartContext): Draft {
  const { text, condition, value, evidence } = tree;
  const test = condition === undefined ? testOf(tree, expr, context) : undefined;
  const seen = test !== undefined && needsValues(tree, expr, context) ? test.seen : observations(tree);
  const draft = tested(text, seen, methodOfLeaf(expr), truthOf(value));
  const meaning = condition === undefined ? "" : `, that is ${condition}`;
  const isTested = value !== "unknown" || evidence.some(({ counts }) => counts);
  const how = isTested ? "a single test" : "it needs evidence";
  const down = `Checks whether ${text} holds${meaning}; ${how}.`;
  const reasons = test?.reasons ?? [leafReason(tree, seen)];
  return { ...draft, down, reasons, ...(isTested ? { method: methodOfLeaf(expr) } : {}) };
}

/** Returns the draft of a leaf that is a plain test, evaluated again; undefined when that does not give its value. */
function testOf(tree: Leaf, expr: ast.Expr | undefined, context: PartContext): Draft | undefined {
  const { world, chosen, words } = context;
  if (expr === undefined || words === undefined || expr.kind === "quorum" || expr.kind === "fact-quorum") {
    return undefined;
  }
  if (!context.isOfFacts()) return undefined;
  const draft = unlessStopped<Draft | undefined>(
    () => testDraft(expr, { world, chosen, ownFact: undefined }, words),
    () => undefined,
  );
  return draft?.outcome === truthOf(tree.value) ? draft : undefined;
}

/**
 * Returns whether the evidence of a leaf lacks what was computed: the value of an aggregate, the row of a decision table, or what was
 * read off a record.
 */
function needsValues({ evidence }: Leaf, expr: ast.Expr | undefined, { world }: PartContext): boolean {
  const isRecord = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isRecord) : typeof value === "object" && value !== null;
  let isComputed = evidence.length === 0 || evidence.some(({ values }) => Object.values(values).some(isRecord));
  const { uses } = world.context.program.tables;
  const isCall = (node: object): boolean => uses.has(node as ast.CallExpr);
  if (expr !== undefined) forEachNode(expr, (node) => (isComputed ||= node.kind === "aggregate-in" || isCall(node)));
  return isComputed;
}

/** Returns the name of a condition, or the operator of a test. */
function methodOfLeaf(expr: ast.Expr | undefined): string {
  if (expr === undefined) return "test";
  if (expr.kind === "fact-quorum") return "at least";
  return expr.kind === "path" ? expr.root.name : methodOf(expr);
}

/** Returns each fact with the values that were read, and the reason when these do not tell it all. */
function observations({ reason, evidence }: Leaf): string[] {
  const facts = evidence.flatMap((fact) => withoutTold(fact, reason) ?? []).map(factWords);
  if (facts.includes(reason) || (facts.length > 0 && TALLY.test(reason))) return facts;
  return [...facts.filter((words) => !reason.includes(words)), reason];
}

/** Returns a fact without the values that the reason says are missing; undefined when nothing else was read. */
function withoutTold(fact: SeenFact, reason: string): SeenFact | undefined {
  const read: [string, Maybe][] = Object.entries(fact.values);
  const isTold = ([field, value]: [string, Maybe]): boolean =>
    value === undefined && `${reason};`.includes(`${factLabel(fact.id)} has no ${field};`);
  const untold = read.filter((one) => !isTold(one));
  if (untold.length === read.length) return fact;
  return untold.length === 0 ? undefined : { ...fact, values: Object.fromEntries(untold) };
}

/** A reason that adds nothing to the facts. */
const TALLY = /^\d+ true, \d+ false, \d+ unknown$/u;

/** Returns a fact in words: `percent is 83 (Coverage #1, not the newest)`. */
function factWords({ id, values, counts, note }: SeenFact): string {
  const read = Object.entries(values).map(([field, value]: [string, Maybe]) => `${field} is ${seenValue(value)}`);
  const besides = counts || note === undefined ? "" : `, ${note}`;
  if (read.length === 0) return besides === "" ? factLabel(id) : `${factLabel(id)} (${note})`;
  return `${read.join(", ")} (${factLabel(id)}${besides})`;
}

function truthOf(status: Status): Truth {
  return status === "unknown" ? undefined : status === "true";
}

// ---------------------------------------------------------------- the headline

const VERBS: Readonly<Record<GateOutcome, string>> = { pass: "passes", hold: "is on hold", fail: "fails" };

/** Returns the outcome in words: `gate "budget" is on hold for Request~q1`. */
export function gateWords({ gate, subject, outcome }: GateAnswer): string {
  return `gate "${gate}" ${VERBS[outcome]}${subject === null ? "" : ` for ${factLabel(subject)}`}`;
}

function gateHeadline(answer: GateAnswer, root: Draft, strict: boolean): string {
  const { status, tree } = answer;
  const head = gateWords(answer).replace("gate", "Gate");
  const changed = tree.value === status && !("isLate" in answer) ? [] : [CHANGED_SINCE];
  return headlineOf(head, [...changed, ...reasonsFor(answer, root, strict)], { noun: ["part", "parts"] });
}

const CHANGED_SINCE = "the facts have changed since then, so the current ones are shown";

/** Returns the parts that decide; of the unknown ones, those that could still open the gate. */
function reasonsFor({ status, missing, tree }: GateAnswer, root: Draft, strict: boolean): readonly (Reason | string)[] {
  const isHeld = status === "unknown" && tree.value === status && tree.kind !== "leaf";
  if (!isHeld || strict || missing.length === 0) return reasonsOf(root);
  const isOverFacts = missing.some(({ text }) => text === tree.text);
  if (tree.kind === "at least" && !isOverFacts) return quorumReasons(tree, root);
  return missing.map(({ text, needs }) => unknownReason(text, needs));
}

/** Returns how far a quorum over written parts is, and why the others are unknown. */
function quorumReasons({ items, min = 0 }: Operator, { children }: Draft): readonly Reason[] {
  const sure = items.filter(({ value }) => value === "true").length;
  const words = `${sure} of the ${min} needed parts ${sure === 1 ? "holds" : "hold"}`;
  return [{ words }, ...children.filter(({ outcome }) => outcome === undefined).flatMap(reasonsOf)];
}

/** Returns why a part is unknown; in brief without a part that takes long to name. */
function unknownReason(text: string, why: string): Reason {
  const words = `${text} is unknown: ${why}`;
  return text.length <= MAX_NAME ? { words } : { words, brief: why };
}

/** The most characters of a part that is always named. */
const MAX_NAME = 40;

/** The most facts of a leaf in a headline. */
const MAX_FACTS = 2;

function leafReason({ text, value, reason }: Leaf, seen: readonly string[]): Reason {
  if (value === "unknown") return unknownReason(text, reason);
  const more = seen.length - MAX_FACTS;
  const facts = seen.slice(0, MAX_FACTS).join(", ") + (more > 0 ? `, and ${more} more` : "");
  return { words: `${text} ${holds(value === "true")}: ${TALLY.test(reason) ? facts : reason}` };
}
