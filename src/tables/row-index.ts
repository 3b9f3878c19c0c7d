/**
 * Finds the rows of a table that apply to inputs without reading the others.
 *
 * The index is a tree. A branch looks at one column: the rows of each piece of that column (pieces.ts) are below it, and those with
 * `-` there are below a child of their own, so that they are not repeated for every piece. A leaf has few rows, or columns that do
 * not tell them apart, and tests what is left. At every node the column is taken that leaves the fewest rows on average.
 *
 * Invariant: for inputs that are all of the kind of their columns, exactly the rows whose cells are all true are found.
 */
import type { Maybe } from "../base/value.ts";
import { cellTruth } from "./cell.ts";
import { type PieceRange, Pieces } from "./pieces.ts";
import type { TableRow } from "./table.ts";

interface Leaf {
  readonly rows: readonly number[];
  /** The columns that the branches above have not looked at, where a row of the leaf has a test. */
  readonly columns: readonly number[];
}

interface Branch {
  readonly column: number;
  /** By piece; a piece that no row passes has none. */
  readonly pieces: readonly (TreeNode | undefined)[];
  /** The rows with `-` in the column. */
  readonly any: TreeNode | undefined;
}

/** A number is a row for which nothing is left to test: most rows of a long table end so, and need no object. */
type TreeNode = Leaf | Branch | number;

/** The most rows that are tested one after the other although a column could tell them apart. */
const FEW_ROWS = 4;
/** How often a row may stand below a branch, on average: a range covers several pieces. */
const COPIES = 8;

/** The index over the rows of a table. */
export class RowIndex {
  readonly #rows: readonly TableRow[];
  readonly #columns: readonly Pieces[];
  readonly #firstOnly: boolean;
  readonly #root: TreeNode;
  #steps = 0;
  /** The rows that searches have looked at so far. */
  candidates = 0;

  /** With `firstOnly` the index may leave out rows that come after one that applies whenever they do. */
  constructor(rows: readonly TableRow[], columnCount: number, firstOnly: boolean) {
    this.#rows = rows;
    this.#firstOnly = firstOnly;
    this.#columns = Array.from(
      { length: columnCount },
      (_, column) => new Pieces(rows.map(({ cells }) => cells[column] ?? null)),
    );
    this.#root = this.#build(
      rows.map((_, row) => row),
      this.#columns.map((_, column) => column),
    );
  }

  /** The steps so far: nodes visited, rows tested, and constants compared. */
  get steps(): number {
    return this.#steps + this.#columns.reduce((sum, column) => sum + column.steps, 0);
  }

  /**
   * Returns the rows that apply, in order; with `firstOnly` at least the first of them. Undefined when an input is missing or of a kind
   * that cannot be compared with its column: then each row must be asked whether it applies.
   */
  find(inputs: readonly Maybe[]): readonly number[] | undefined {
    const pieces: number[] = [];
    for (const [column, one] of this.#columns.entries()) {
      if (one.points.length === 0) {
        pieces.push(0); // every cell is "-"
        continue;
      }
      const piece = one.pieceOf(inputs[column]);
      if (piece === undefined) return undefined;
      pieces.push(piece);
    }
    const found: number[] = [];
    this.#visit(this.#root, pieces, inputs, found);
    if (found.length < 2) return found;
    return found.sort((a, b) => a - b);
  }

  #visit(node: TreeNode, pieces: readonly number[], inputs: readonly Maybe[], found: number[]): void {
    this.#steps += 1;
    if (typeof node === "number") {
      this.candidates += 1;
      found.push(node);
      return;
    }
    if ("rows" in node) {
      for (const row of node.rows) {
        this.#steps += 1;
        this.candidates += 1;
        if (!this.#applies(row, node.columns, inputs)) continue;
        found.push(row);
        if (this.#firstOnly) return;
      }
      return;
    }
    const below = node.pieces[pieces[node.column] ?? 0];
    if (below !== undefined) this.#visit(below, pieces, inputs, found);
    if (node.any !== undefined) this.#visit(node.any, pieces, inputs, found);
  }

  #applies(row: number, columns: readonly number[], inputs: readonly Maybe[]): boolean {
    const { cells } = this.#rows[row] as TableRow;
    return columns.every((column) => cellTruth(cells[column] ?? null, inputs[column]) === true);
  }

  // ---------------------------------------------------------------- building

  /** Returns the node for rows, in order, with the columns that are not looked at yet. */
  #build(rows: readonly number[], columns: readonly number[]): TreeNode {
    const open = columns.filter((column) => rows.some((row) => this.#cell(row, column) !== null));
    if (rows.length === 1 && open.length === 0) return rows[0] as number;
    if (rows.length <= FEW_ROWS) return { rows, columns: open };
    let best: { readonly column: number; readonly split: Split; readonly left: number } | undefined;
    for (const column of open) {
      const split = this.#split(rows, column, open);
      if (split === undefined) continue;
      const left = split.copies / (this.#columns[column]?.count ?? 1) + split.any.length;
      if (best === undefined || left < best.left) best = { column, split, left };
    }
    if (best === undefined || best.left > rows.length * 0.9) return { rows, columns: open };
    const { column, split } = best;
    const rest = open.filter((one) => one !== column);
    const built = new Map<string, TreeNode>();
    const nodeOf = (below: readonly number[]): TreeNode => {
      const key = below.join();
      const node = built.get(key) ?? this.#build(below, rest);
      built.set(key, node);
      return node;
    };
    return {
      column,
      pieces: split.pieces.map((below) => (below.length === 0 ? undefined : nodeOf(below))),
      any: split.any.length === 0 ? undefined : this.#build(split.any, rest),
    };
  }

  #cell(row: number, column: number): TableRow["cells"][number] {
    return this.#rows[row]?.cells[column] ?? null;
  }

  /**
   * Returns the rows below each piece of a column; undefined when they would be copied too often, or the column has constants of
   * different kinds. When only the first row counts, a piece takes no more rows after one with `-` in all other columns.
   */
  #split(rows: readonly number[], column: number, open: readonly number[]): Split | undefined {
    const parts = this.#columns[column];
    if (parts?.kind === undefined) return undefined;
    const pieces: number[][] = Array.from({ length: parts.count }, () => []);
    const openPieces = new OpenPieces(parts.count);
    const any: number[] = [];
    let copies = 0;
    for (const row of rows) {
      const cell = this.#cell(row, column);
      if (cell === null) {
        any.push(row);
        continue;
      }
      const closes = this.#firstOnly && open.every((one) => one === column || this.#cell(row, one) === null);
      for (const range of parts.passing(cell))
        copies += openPieces.take(range, closes, (piece) => pieces[piece]?.push(row));
      if (copies > COPIES * rows.length) return undefined;
    }
    return { pieces, any, copies };
  }
}

interface Split {
  readonly pieces: readonly (readonly number[])[];
  readonly any: readonly number[];
  readonly copies: number;
}

/** The pieces that still take rows; those that do not are skipped, however many they are. */
class OpenPieces {
  readonly #next: number[];

  constructor(count: number) {
    this.#next = Array.from({ length: count + 1 }, (_, piece) => piece);
  }

  /** Visits the open pieces of a range, closes them if asked to, and returns how many they were. */
  take({ from, to }: PieceRange, closes: boolean, visit: (piece: number) => void): number {
    let taken = 0;
    for (let piece = this.#open(from); piece <= to; piece = this.#open(piece + 1)) {
      visit(piece);
      taken += 1;
      if (closes) this.#next[piece] = piece + 1;
    }
    return taken;
  }

  /** Returns the first open piece from one on. */
  #open(piece: number): number {
    let found = piece;
    while (this.#next[found] !== found) found = this.#next[found] as number;
    for (let at = piece; at !== found;) {
      const next = this.#next[at] as number;
      this.#next[at] = found;
      at = next;
    }
    return found;
  }
}
