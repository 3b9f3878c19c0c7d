/**
 * Reads the cells of a table in a file. They are written as in a program, with two differences: a word, or several, is a string where
 * no constant has that name, and there are no comments, so that `http://example.org` is a string as well.
 */
import type { CsvCell } from "../base/csv.ts";
import type { Limits } from "../base/limits.ts";
import { Report } from "../base/diagnostic.ts";
import { Source } from "../base/source.ts";
import type { Span } from "../base/span.ts";
import type * as ast from "./ast.ts";
import { CellReport, type FileReport } from "./file-report.ts";
import { RESERVED } from "./lexemes.ts";
import { Lexer } from "./lexer.ts";
import { parsePart } from "./parse.ts";
import { plainCell, plainOutput } from "./plain-cell.ts";
import { KEYWORDS, type Parts } from "./recogniser.ts";

export class CellReader {
  readonly #report: FileReport;
  readonly #limits: Limits;

  constructor(report: FileReport, limits: Limits) {
    this.#report = report;
    this.#limits = limits;
  }

  /** Returns the tests of a cell; nothing when it has an error. */
  cell(cell: CsvCell): readonly ast.TableCell[] {
    const plain = plainCell(cell.text, this.#limits.text);
    if (plain !== undefined) return [this.#placed(plain, cell)];
    const words = this.#words(cell);
    if (words === undefined) return this.parsed("table_cell", cell);
    const test = { kind: "unary", op: "==", right: words, negated: false, span: words.span } as const;
    return [this.#placed({ tests: [test], span: words.span }, cell)];
  }

  /** Returns the output in a cell; nothing when it has an error. */
  output(cell: CsvCell): readonly ast.Expr[] {
    if (cell.text.trim() === "") {
      const hint = 'write a value; an empty string is "", in a CSV file """"""';
      this.#report.error("E101", { start: cell.start, end: cell.end }, "this cell is empty", hint);
      return [];
    }
    const plain = plainOutput(cell.text, this.#limits.text) ?? this.#words(cell);
    return plain === undefined ? this.parsed("expr", cell) : [this.#placed(plain, cell)];
  }

  /** Returns the column that a cell of the first row names after its first `from` characters; nothing when it has an error. */
  column<Name extends "param" | "table_output">(name: Name, cell: CsvCell, from = 0): readonly Parts[Name][] {
    const text = withOptions(cell.text.slice(from), name === "table_output");
    if (text === undefined) return this.parsed(name, cell, from);
    // The options are written as strings to read them, so places inside the cell are those of the whole cell.
    const report = new Report(new Source(this.#report.source.file, text));
    const tree = parsePart(name, report, this.#limits);
    if (tree === undefined) return this.parsed(name, cell, from);
    const { start, end } = cell;
    return [moved(tree, () => ({ start, end })) as Parts[Name]];
  }

  /** Returns what a cell holds after its first `from` characters; nothing when it has an error. */
  parsed<Name extends keyof Parts>(name: Name, cell: CsvCell, from = 0): readonly Parts[Name][] {
    if (cell.text.slice(from).trim() === "") {
      const hint = name === "table_cell" ? 'write "-" for any value' : undefined;
      this.#report.error("E101", { start: cell.start, end: cell.end }, "this cell is empty", hint);
      return [];
    }
    const inside = new CellReport(this.#report, cell, from);
    if (hasComment(cell.text.slice(from), this.#limits)) {
      const span = { start: from, end: cell.text.length };
      inside.error("E100", span, "a cell cannot have a comment", 'to write a text, put it in quotes: "…"');
      return [];
    }
    const tree = parsePart(name, inside, this.#limits);
    return tree === undefined ? [] : [this.#placed(tree, cell)];
  }

  /** Returns several words, as the name that the checker makes a string of, or a text with the marks of a comment. */
  #words({ text }: CsvCell): ast.PathExpr | ast.TextExpr | undefined {
    const name = text.trim();
    const start = text.indexOf(name);
    const span = { start, end: start + name.length };
    const reserved = name.split(/\s/u).map((word) => RESERVED.has(word.toLowerCase()));
    if (WORDS.test(name)) {
      return reserved.includes(true) ? undefined : { kind: "path", root: { name, span }, fields: [], span };
    }
    const isText = reserved[0] !== true && PLAIN_TEXT.test(name) && hasComment(name, this.#limits);
    return isText ? { kind: "text", value: name, span } : undefined;
  }

  /** Returns a tree with its places in the file. */
  #placed<Tree>(tree: Tree, cell: CsvCell): Tree {
    const report = new CellReport(this.#report, cell);
    return moved(tree, (span) => report.inFile(span)) as Tree;
  }
}

/** Several words, such as `New York`. */
const WORDS = /^\p{L}[\p{L}\p{M}\p{N}_-]*(?: [\p{L}\p{M}\p{N}_-]+)+$/u;

/** What begins neither with a mark nor has quotes: `https://example.org/a`, `see // below`. */
const PLAIN_TEXT = /^[\p{L}\p{N}/#][^"\p{C}\p{Zl}\p{Zp}]*$/u;

/** Returns whether a text would have a comment in a program: what is in it would be skipped. */
function hasComment(text: string, limits: Limits): boolean {
  if (!/\/[/*]|^\s*#/mu.test(text)) return false;
  const report = new Report(new Source("", text));
  const lexer = new Lexer(report, KEYWORDS, limits);
  while (lexer.next() !== undefined);
  return lexer.comments.length > 0 || report.diagnostics.some(({ code }) => code === "E103");
}

const TYPE = /^(?:string|number|bool|boolean|any|date|instant|duration)$/iu;
const OPTION = String.raw`(?:"[^"|]*"|-?\d+(?:\.\d+)?|\p{L}[\p{L}\p{M}\p{N}_-]*(?: [\p{L}\p{M}\p{N}_-]+)*)`;
const OPTIONS = new RegExp(
  String.raw`^(\s*(?:[^\s:"|()]+\s*:)?)\s*(\()?\s*(${OPTION}(?:\s*\|\s*${OPTION})+)\s*(\))?\s*$`,
  "u",
);

/** Returns a column whose type is options, `use: private | work`, as a program writes it; undefined for any other. */
function withOptions(text: string, inParentheses: boolean): string | undefined {
  const [, name, opening, options, closing] = OPTIONS.exec(text) ?? [];
  if (options === undefined || (opening === undefined) !== (closing === undefined)) return undefined;
  const written = options.split("|").map((option) => option.trim());
  // string | number is no type, and says neither "string" nor "number".
  if (written.some((option) => TYPE.test(option))) return undefined;
  const union = written.map((option) => (/^["\d-]/u.test(option) ? option : JSON.stringify(option))).join(" | ");
  return `${name} ${inParentheses ? `(${union})` : union}`.trimStart();
}

/** Returns the text of a column for a file: options as words, where they are read as the same. */
export function columnWords(text: string): string {
  const inParentheses = text.endsWith(")");
  const plain = text
    .replaceAll(/[()]/gu, "")
    .replaceAll(/"([^"\\|]*)"/gu, (written, option: string) => (OPTION_WORDS.test(option) ? option : written));
  return withOptions(plain, inParentheses)?.replaceAll(/\s+/gu, " ") === text ? plain : text;
}

const OPTION_WORDS = /^\p{L}[\p{L}\p{M}\p{N}_-]*(?: [\p{L}\p{M}\p{N}_-]+)*$/u;

function moved(node: unknown, place: (span: Span) => Span): unknown {
  if (Array.isArray(node)) return node.map((item) => moved(item, place));
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, child]: [string, unknown]) =>
    key === "span" ? [key, place(child as Span)] : [key, moved(child, place)],
  );
  return Object.fromEntries(entries);
}
