/** Outcomes of gates, and requirements with their values, as text. */
import type { GateAnswer, GateTree, Outcome, SeenFact } from "../../index.ts";
import { type FactNaming, factName } from "../fact-names.ts";
import type { Paint } from "../paint.ts";
import { fieldsText } from "../value-text.ts";
import { oneLine } from "../visible.ts";

const COLORS = { pass: "green", hold: "yellow", fail: "red" } as const;
const STATUS_COLORS = { true: "green", unknown: "yellow", false: "red" } as const;
const WIDEST = "unknown".length;

function outcomeText(paint: Paint, outcome: Outcome): string {
  return paint(COLORS[outcome], outcome);
}

/** Returns `deploy`, `Release r1`, `hold`, `missing: tests_ok(r)`. `nameOf` turns the id of the subject into its name. */
export function gateCells(paint: Paint, answer: GateAnswer, nameOf: FactNaming = factName): string[] {
  const { gate, subject, outcome } = answer;
  const about = subject === null ? "" : nameOf(subject);
  return [oneLine(gate), paint("cyan", about), outcomeText(paint, outcome), missingText(answer)];
}

/** Returns `missing: tests_ok(r), approved(r, "bob")`, or an empty string. */
function missingText({ missing }: GateAnswer): string {
  return missing.length === 0 ? "" : `missing: ${missing.map(({ text }) => oneLine(text)).join(", ")}`;
}

/** Returns the outcome, the requirement as a tree, and what is missing, line by line. */
export function gateText(paint: Paint, answer: GateAnswer): string[] {
  const about = answer.subject === null ? "" : ` for ${paint("cyan", factName(answer.subject))}`;
  const head = `gate "${oneLine(answer.gate)}"${about}: ${outcomeText(paint, answer.outcome)}`;
  const needs = answer.missing.map(({ text, needs }) => `  ${oneLine(text)}: ${paint("faint", oneLine(needs))}`);
  const missing = needs.length === 0 ? [] : ["", "missing (at minimum):", ...needs];
  return [head, "", ...treeText(paint, answer.tree, 1), ...missing];
}

function treeText(paint: Paint, tree: GateTree, depth: number): string[] {
  const indent = "  ".repeat(depth);
  const status = paint(STATUS_COLORS[tree.value], tree.value.padEnd(WIDEST));
  if (tree.kind !== "leaf") {
    const what = tree.kind === "at least" ? `at least ${tree.min ?? 0} of` : NAMES[tree.kind];
    return [`${indent}${status}  ${what}`, ...tree.items.flatMap((item) => treeText(paint, item, depth + 1))];
  }
  const facts = tree.evidence.length > 1 ? evidenceLines(tree.evidence) : [];
  const seen = facts.map((line) => `${indent}${" ".repeat(WIDEST + 4)}${paint("faint", line)}`);
  return [`${indent}${status}  ${oneLine(tree.text)}  ${paint("faint", oneLine(tree.reason))}`, ...seen];
}

const NAMES = { all: "all of", any: "any of", not: "not" } as const;

const MOST_FACTS = 10;

function evidenceLines(evidence: readonly SeenFact[]): string[] {
  const lines = evidence.slice(0, MOST_FACTS).map(({ id, values, value, note }) => {
    const why = note === undefined ? "" : `(${oneLine(note)})`;
    const shown = [fieldsText(values), why].filter((words) => words !== "").join(" ");
    return `${value}  ${factName(id)}  ${shown}`.trimEnd();
  });
  return evidence.length > MOST_FACTS ? [...lines, `… and ${evidence.length - MOST_FACTS} more`] : lines;
}
