/** A source text with its file name. It converts offsets to lines and columns. */
export class Source {
  /** The file name. */
  readonly file: string;
  /** The text. */
  readonly text: string;
  #lineStarts: number[] | undefined;

  /** Creates a source. */
  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    this.#lineStarts = undefined;
  }

  /** Returns the line and column of an offset, both counted from 1, the column in UTF-16 units. */
  position(offset: number): { readonly line: number; readonly column: number } {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** Returns the text of a line, counted from 1, without its line end. */
  line(number: number): string {
    const starts = this.#starts();
    const start = starts[number - 1] ?? this.text.length;
    const end = starts[number] ?? this.text.length + 1;
    return this.text.slice(start, end - 1).replace(/\r$/, "");
  }

  #starts(): number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) {
        starts.push(at + 1);
      }
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }
}
