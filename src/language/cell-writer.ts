/** Writes the cells of a table for a file: strings as words, `gold`, wherever these are read as the same strings. */
import { DEFAULT_LIMITS } from "../base/limits.ts";
import { Source } from "../base/source.ts";
import type { CsvCell } from "../base/csv.ts";
import type * as ast from "./ast.ts";
import { CellReader } from "./cell-reader.ts";
import { FileReport } from "./file-report.ts";
import { expressionText } from "./print-part.ts";
import { cellText } from "./print-table.ts";

export class CellWriter {
  readonly #isName: (word: string) => boolean;

  /** @param isName - Returns whether a word is the name of a constant or parameter: it is not the string. */
  constructor(isName: (word: string) => boolean) {
    this.#isName = isName;
  }

  /** Returns a cell of a column of strings. */
  cell(cell: ast.TableCell): string {
    const written = cellText(cell);
    const words = cellText({
      ...cell,
      tests: cell.tests.map((test) => (test.op === "in" ? test : { ...test, right: this.#asName(test.right) })),
    });
    if (words === written) return written;
    const [read, ...others] = reader(words).cell(wholeOf(words));
    const same = read !== undefined && others.length === 0 && cellText({ ...read, tests: read.tests.map(asRead) });
    return same === written ? words : written;
  }

  /** Returns an output that is a string. */
  output(output: ast.Expr): string {
    const written = expressionText(output);
    const words = expressionText(this.#asName(output));
    if (words === written) return written;
    const [read, ...others] = reader(words).output(wholeOf(words));
    return read !== undefined && others.length === 0 && expressionText(asString(read)) === written ? words : written;
  }

  #asName<Node extends ast.Expr | ast.RangeExpr>(node: Node): Node | ast.PathExpr {
    if (node.kind !== "text" || node.value.trim() !== node.value || this.#isName(node.value)) return node;
    return { kind: "path", root: { name: node.value, span: node.span }, fields: [], span: node.span };
  }
}

function reader(text: string): CellReader {
  return new CellReader(new FileReport(new Source("", text)), DEFAULT_LIMITS);
}

function wholeOf(text: string): CsvCell {
  return { text, start: 0, end: text.length, quoted: false };
}

function asRead(test: ast.UnaryTest): ast.UnaryTest {
  return test.op === "in" ? test : { ...test, right: asString(test.right) };
}

function asString<Node extends ast.Expr | ast.RangeExpr>(node: Node): Node | ast.TextExpr {
  return node.kind === "path" && node.fields.length === 0
    ? { kind: "text", value: node.root.name, span: node.span }
    : node;
}
