/**
 * Warns of decision tables with an input that no row covers (W270), rows that apply together against the hit policy (W271), rows that
 * never apply (W272) and columns that never matter (W273). The answers are exact for columns that are independent of each other; where
 * they take too many steps, a note says what was not checked (W274).
 */
import { isTimeKind, timeText } from "../../../base/time.ts";
import type { Span } from "../../../base/span.ts";
import type { Value } from "../../../base/value.ts";
import { type IdleRow, type Input, type Overlap, tableFindings } from "../../../tables/check/questions.ts";
import type { Domain } from "../../../tables/check/samples.ts";
import type * as ast from "../../ast.ts";
import { expressionText } from "../../print-part.ts";
import type { Context } from "../context.ts";
import type { CheckedTable } from "../table-uses.ts";
import type { Type } from "../types.ts";

/** The steps of one question about a table: rows that are looked at. */
const STEPS = 2_000_000;

/** The most overlaps, and the most rows that never apply, that are reported for one table. */
const MAX_REPORTED = 5;

export function warnOfTable(cx: Context, decl: ast.TableDecl): void {
  const checked = cx.tables.declared.get(decl);
  if (checked === undefined) return;
  const findings = tableFindings(checked.data, checked.inputs.map(domainOf), {
    steps: STEPS,
    overlaps: MAX_REPORTED,
    computed: (index) => {
      const output = checked.computed[index];
      return output === undefined ? "" : expressionText(output);
    },
  });
  const words = new Words(cx, checked);
  if (findings.gap !== null && findings.gap !== undefined) words.gap(findings.gap);
  for (const overlap of findings.overlaps ?? []) words.overlap(overlap);
  if (findings.moreOverlaps) words.moreOverlaps();
  for (const idle of findings.idle?.slice(0, MAX_REPORTED) ?? []) words.idle(idle);
  if ((findings.idle?.length ?? 0) > MAX_REPORTED) words.moreIdle((findings.idle?.length ?? 0) - MAX_REPORTED);
  for (const column of findings.useless ?? []) words.useless(column);
  const open = [
    findings.gap === undefined ? "inputs without a row" : [],
    findings.overlaps === undefined ? "rows that apply together" : [],
    findings.idle === undefined ? "rows that never apply" : [],
    findings.useless === undefined ? "columns that never matter" : [],
  ].flat();
  if (open.length > 0) words.stopped(open);
}

/** Returns the values that an input of a type can have. */
function domainOf(type: Type): Domain {
  switch (type.kind) {
    case "union":
      return { kind: "options", options: type.options };
    case "string":
    case "number":
    case "bool":
    case "date":
    case "instant":
    case "duration":
      return { kind: type.kind };
    default:
      return { kind: "any" };
  }
}

class Words {
  readonly #cx: Context;
  readonly #table: CheckedTable;
  readonly #name: string;

  constructor(cx: Context, table: CheckedTable) {
    this.#cx = cx;
    this.#table = table;
    this.#name = `"${table.decl.name.name}"`;
  }

  gap(input: Input): void {
    const message = `no row of ${this.#name} applies to ${this.#inputWords(input)}`;
    const hint = 'add a row for it, or a last row of "-"; without one the table gives no value there';
    this.#warn("W270", this.#table.decl.name.span, message, hint);
  }

  overlap({ rows: [first, second], input }: Overlap): void {
    const isUnique = this.#table.data.policy === "unique";
    const message = `rows ${first + 1} and ${second + 1} of ${this.#name} both apply to ${this.#inputWords(input)}`;
    const hint = isUnique
      ? 'the table is unknown there; change the rows so that one applies, or write "first" in place of "unique"'
      : "what they give differs, so the table is unknown there; make them give the same";
    this.#warn("W271", this.#rowSpan(second), isUnique ? message : `${message} and give different values`, hint);
  }

  moreOverlaps(): void {
    const message = `more rows of ${this.#name} apply together`;
    this.#warn("W271", this.#table.decl.hit.span, message, "they are reported when those above are corrected");
  }

  idle({ row, taken, column }: IdleRow): void {
    const { data } = this.#table;
    const why =
      column === undefined
        ? taken === undefined
          ? "no input passes all of its cells"
          : `rows above it take all inputs; row ${taken.by + 1} takes ${this.#inputWords(taken.input)}`
        : `no value of ${data.columns[column]?.text ?? ""} passes its cell`;
    const hint = taken === undefined ? "correct or remove it" : "move it up, or remove it";
    this.#warn("W272", this.#rowSpan(row), `row ${row + 1} of ${this.#name} never applies: ${why}`, hint);
  }

  moreIdle(count: number): void {
    const message = `${count} more ${count === 1 ? "row" : "rows"} of ${this.#name} never ${count === 1 ? "applies" : "apply"}`;
    this.#warn("W272", this.#table.decl.hit.span, message, "they are reported when those above are corrected");
  }

  useless(column: number): void {
    const text = this.#table.data.columns[column]?.text ?? "";
    const message = `column ${text} of ${this.#name} never matters: the table gives the same whatever it is`;
    const { decl } = this.#table;
    const span = decl.from === null ? decl.inputs[column]?.span : undefined;
    this.#warn("W273", span ?? decl.name.span, message, "remove the column");
  }

  stopped(questions: readonly string[]): void {
    const message = `${this.#name} is not checked completely: looking for ${questions.join(" and ")} stopped after ${STEPS.toLocaleString("en-US")} steps`;
    this.#cx.report.note("W274", this.#table.decl.name.span, message, "split the table, or test it with examples");
  }

  #warn(code: "W270" | "W271" | "W272" | "W273", span: Span, message: string, hint: string): void {
    this.#cx.report.warning(code, span, message, hint);
  }

  #rowSpan(row: number): Span {
    const { decl } = this.#table;
    return (decl.from === null ? decl.rows[row]?.span : undefined) ?? decl.name.span;
  }

  /** Returns `c.tier "gold", o.total 5`. */
  #inputWords(input: Input): string {
    const { data, inputs } = this.#table;
    const parts = data.columns.map(({ text }, column) => `${text} ${valueWords(inputs[column], input[column])}`);
    return [...new Set(parts)].join(", ");
  }
}

function valueWords(type: Type | undefined, value: Value | undefined): string {
  if (type !== undefined && isTimeKind(type.kind) && typeof value === "number") {
    const text = timeText(type.kind, value);
    return type.kind === "duration" ? text : `@${text}`;
  }
  return JSON.stringify(value);
}
