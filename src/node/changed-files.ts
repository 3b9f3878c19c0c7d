/** Finds out when files change, by looking at them: polling sees every way in which editors replace a file. */
import { statSync } from "node:fs";

/** Files that are looked at again and again. The list may change with every look. */
export class ChangedFiles {
  readonly #files: () => readonly string[];
  #seen = new Map<string, string>();

  constructor(files: () => readonly string[]) {
    this.#files = files;
  }

  /** Does work that reads the files. A change during the work counts as one after it. */
  during(work: () => void): void {
    this.#seen = signaturesOf(this.#files());
    try {
      work();
    } finally {
      for (const [file, signature] of signaturesOf(this.#files()))
        if (!this.#seen.has(file)) this.#seen.set(file, signature);
    }
  }

  /** Whether a file was written, replaced, removed or created since the work began. */
  get any(): boolean {
    return [...this.#seen].some(([file, signature]) => signatureOf(file) !== signature);
  }
}

function signaturesOf(files: readonly string[]): Map<string, string> {
  return new Map(files.map((file) => [file, signatureOf(file)]));
}

function signatureOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "none" : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}
