/** A terminal without one: keys go in, what would be seen comes out, and it remembers whether it was left in order. */
import { PassThrough } from "node:stream";
import type { Streams } from "../../src/cli/terminal.ts";

export const KEYS = {
  enter: "\r",
  tab: "\t",
  up: "\u001b[A",
  down: "\u001b[B",
  left: "\u001b[D",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
} as const;

export class FakeTerminal {
  readonly streams: Streams;
  /** Whether keys come one by one, without the terminal's own editing: never at the end. */
  raw = false;
  readonly #input = new PassThrough();
  #seen = "";

  constructor() {
    const output = new PassThrough();
    output.on("data", (data: Buffer) => (this.#seen += data.toString()));
    const setRawMode = (mode: boolean): void => void (this.raw = mode);
    this.streams = {
      input: Object.assign(this.#input, { isTTY: true, setRawMode }),
      output: Object.assign(output, { isTTY: true, columns: 100, rows: 30 }),
    } as unknown as Streams;
  }

  /** Each press is handled before the next one. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#input.write(key);
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** What was shown since the last time, without colours and moves of the cursor. */
  seen(): string {
    // oxlint-disable-next-line no-control-regex -- moves of the cursor begin with one
    const text = this.#seen.replaceAll(/\u001b\[[\d;]*[A-Za-z]/gu, "");
    this.#seen = "";
    return text;
  }
}
