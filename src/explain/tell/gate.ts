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
import { allOf, anyOf, atLeast, noneOf, sentence, tested } from "./operators.ts";
import type { Draft } from "../read/draft.ts";
import { type Explanation, numbered, seenWords } from "./step.ts";
import { methodOf } from "./tests.ts";
import { valueWords } from "../read/words.ts";
import type { WorldContext } from "../read/world.ts";

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

export function explainGate(context: WorldContext, answer: GateAnswer): WhyGate {
  const { gate, subject, outcome, missing } = answer;
  const id = subject === null ? gate : `${gate}/${subject}`;
  return { ...numbered(gateDraft(context, answer), id), gate, subject, says: outcome, missing };
}

/** Returns the draft of the requirement's root, with the sentence that sums up the gate. */
export function gateDraft(context: WorldContext, answer: GateAnswer): Draft {
  const { gate, subject, tree } = answer;
  const decl = context.program.symbols.gates.get(gate)?.decl;
  const strict = decl?.settings.some((one) => one.kind === "logic-of" && one.logic === "bochvar") ?? false;
  const required = decl?.settings.find((one) => one.kind === "require")?.test ?? undefined;
  const root = draftOf(tree, required, strict);
  const about = subject === null ? "" : ` about ${factLabel(subject)}`;
  return { ...root, down: `Gate "${gate}" was asked${about}. ${root.down}`, up: headlineOf(answer, root) };
}

// ---------------------------------------------------------------- parts of a requirement

/** Returns the draft of a part; `expr` is its expression, undefined when the program no longer has it. */
function draftOf(tree: GateTree, expr: ast.Expr | undefined, strict: boolean): Draft {
  if (tree.kind === "leaf") return leafDraft(tree, expr);
  const written = itemsOf(expr);
  return operatorDraft(
    tree,
    tree.items.map((item, index) => draftOf(item, written[index], strict)),
    strict,
  );
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

function leafDraft(tree: Leaf, expr: ast.Expr | undefined): Draft {
  const { text, condition, value, evidence } = tree;
  const draft = tested(text, observations(tree), methodOfLeaf(expr), truthOf(value));
  const meaning = condition === undefined ? "" : `, that is ${condition}`;
  const isTested = value !== "unknown" || evidence.some(({ counts }) => counts);
  const how = isTested ? "a single test" : "it needs evidence";
  const down = `Checks whether ${text} holds${meaning}; ${how}.`;
  return { ...draft, down, ...(isTested ? { method: methodOfLeaf(expr) } : {}) };
}

/** Returns the name of a condition, or the operator of a test. */
function methodOfLeaf(expr: ast.Expr | undefined): string {
  if (expr === undefined) return "test";
  if (expr.kind === "fact-quorum") return "at least";
  return expr.kind === "path" ? expr.root.name : methodOf(expr);
}

/** Returns each fact with the values that were read, and the reason when these do not tell it all. */
function observations({ reason, evidence }: Leaf): string[] {
  const facts = evidence.map(factWords);
  if (facts.includes(reason) || (facts.length > 0 && TALLY.test(reason))) return facts;
  return [...facts.filter((words) => !reason.includes(words)), reason];
}

/** A reason that adds nothing to the facts. */
const TALLY = /^\d+ true, \d+ false, \d+ unknown$/u;

/** Returns a fact in words: `percent is 83 (Coverage #1, not the newest)`. */
function factWords({ id, values, counts, note }: SeenFact): string {
  const read = Object.entries(values).map(([field, value]: [string, Maybe]) => `${field} is ${valueWords(value)}`);
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

function headlineOf(answer: GateAnswer, root: Draft): string {
  const { status, tree } = answer;
  const head = gateWords(answer).replace("gate", "Gate");
  if (tree.value !== status) return `${head}. ${CHANGED_SINCE} ${root.up}`;
  return `${head}: ${reasonOf(answer, root)}`;
}

const CHANGED_SINCE = "The facts have changed since then, so the current ones are shown.";

function reasonOf({ outcome, missing, tree }: GateAnswer, root: Draft): string {
  if (tree.kind === "leaf") return root.up;
  if (outcome === "pass") return sentence(decisive(tree, true).flatMap(observations), "what is required holds", "; ");
  if (outcome === "fail") return `${listed(decisive(tree, false).map(whyDecisive))}.`;
  return missing.length === 0
    ? root.up
    : `${listed(missing.map(({ text, needs }) => `${text} is unknown: ${needs}`))}.`;
}

/** The most leaves that the headline names. */
const MAX_LEAVES = 3;

function listed(reasons: readonly string[]): string {
  const more = reasons.length - MAX_LEAVES;
  return reasons.slice(0, MAX_LEAVES).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

function whyDecisive(leaf: Leaf): string {
  return `${leaf.text} ${leaf.value === "true" ? "holds" : "does not hold"}: ${seenWords(observations(leaf))}`;
}

/** Returns the leaves that give a part its value. */
function decisive(tree: GateTree, value: boolean): Leaf[] {
  if (truthOf(tree.value) !== value) return [];
  if (tree.kind === "leaf") return [tree];
  return tree.items.flatMap((item) => decisive(item, tree.kind === "not" ? !value : value));
}
