/** Explains a condition inside a test: its own test in the author's words, or its evidence fact by fact. */
import { factLabel } from "../../base/fact-label.ts";
import type { Truth } from "../../base/truth.ts";
import type * as ast from "../../language/ast.ts";
import { chosenFor } from "../read/chosen.ts";
import { type AskedCondition, conditionTruth, type Piece, piecesOf } from "../read/conditions.ts";
import type { Draft, Reason } from "../read/draft.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { plural, Words } from "../read/words.ts";
import { clauseOf, reasonsOf } from "./headline.ts";
import { holds } from "./operators.ts";
import { seenWords } from "./step.ts";

/** What the sentences about a condition need of the sentences about tests. */
export interface Telling {
  test(test: ast.Expr, scope: EvaluationScope, words: Words): Draft;
  doubt(piece: Piece, scope: EvaluationScope, words: Words): string;
}

/** The most facts of evidence that are explained. */
const MAX_PIECES = 5;

export function conditionDraft(asked: AskedCondition, text: string, telling: Telling): Draft {
  const { condition, scope } = asked;
  const { decl, source } = condition;
  const words = new Words(source);
  const outcome = conditionTruth(asked);
  const verdict = outcome === undefined ? "is unknown" : holds(outcome);
  const down = `${text} is the condition ${definitionOf(decl, words)}.`;
  if (decl.evidence === null) {
    const inner = telling.test(decl.test, scope, words);
    const up = `${clauseOf(inner.up)}, so ${text} ${verdict}.`;
    return { text, seen: inner.seen, down, up, reasons: reasonsOf(inner), ...tried(outcome), children: [inner] };
  }
  const pieces = piecesOf(decl, decl.evidence, scope);
  const children = pieces.slice(0, MAX_PIECES).map((piece) => pieceDraft(piece, decl, scope, words, telling));
  const seen = evidenceWords(decl.evidence, pieces, children, outcome, scope);
  const reason: Reason = { words: `${seen}, so ${text} ${verdict}` };
  return { text, seen: [seen], down, up: `${reason.words}.`, reasons: [reason], ...tried(outcome), children };
}

function tried(outcome: Truth): Pick<Draft, "outcome" | "method"> {
  return outcome === undefined ? { outcome } : { outcome, method: "condition" };
}

function definitionOf({ test, evidence }: ast.ConditionDecl, words: Words): string {
  const tested = words.expression(test);
  if (evidence === null) return tested;
  const mode = evidence.mode === "agree" ? "" : `${evidence.mode} `;
  const by = evidence.by === null ? "" : ` by ${words.expression(evidence.by)}`;
  const per = evidence.per === null ? "" : ` per ${words.expression(evidence.per)}`;
  return `${tested} from ${mode}${words.element(evidence.pattern)}${by}${per}`;
}

function pieceDraft(
  piece: Piece,
  decl: ast.ConditionDecl,
  { world }: EvaluationScope,
  words: Words,
  telling: Telling,
): Draft {
  const { finding, part } = piece;
  const fact = chosenFor(finding.chosen, part);
  const scope = { world, chosen: finding.chosen, ownFact: fact };
  if (!finding.sure) {
    const seen = telling.doubt(piece, scope, words);
    const text = words.element(decl.evidence?.pattern ?? failed());
    return { text, seen: [seen], down: `Looks for ${text}.`, up: `${seen}.`, outcome: undefined, children: [] };
  }
  const draft = telling.test(decl.test, scope, words);
  const label = factLabel(fact?.id ?? "");
  const up = draft.seen.length === 0 ? `for ${label}, ${draft.up}` : `for ${label}, ${seenWords(draft.seen)}.`;
  return { ...draft, up, reasons: [{ words: clauseOf(up) }] };
}

function failed(): never {
  throw new Error("a piece of evidence belongs to a condition with evidence");
}

/** Returns what the evidence is, as a clause. */
function evidenceWords(
  { pattern, mode }: ast.Evidence,
  pieces: readonly Piece[],
  children: readonly Draft[],
  outcome: Truth,
  { world }: EvaluationScope,
): string {
  const type = pattern.type.name;
  if (pieces.length === 0) {
    const count = world.count(type);
    return count === 0 ? `there are no ${type} facts` : `none of ${plural(count, `${type} fact`)} matches`;
  }
  const [only] = children;
  if (pieces.length === 1 && only !== undefined) return clauseOf(only.up);
  if (outcome === undefined && mode === "agree" && pieces.every(({ code }) => code !== undefined)) {
    return `the evidence disagrees: ${pieces.slice(0, MAX_PIECES).map(sayWords).join(", ")}`;
  }
  return `of ${plural(pieces.length, `${type} fact`)}, ${pieces.slice(0, MAX_PIECES).map(sayWords).join(", ")}`;
}

function sayWords({ finding, part, code }: Piece): string {
  const fact = chosenFor(finding.chosen, part);
  return `${factLabel(fact?.id ?? "")} is ${code === undefined ? "unknown" : String(code)}`;
}
