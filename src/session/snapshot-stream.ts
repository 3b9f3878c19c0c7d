/**
 * Snapshots of large sessions as a stream of lines, written and read in slices between which other work can run.
 *
 * Each line is JSON: what stands before the facts, then facts, matches and tuple spaces, a few hundred in a line, and at the end the hashes of
 * rules and the checksum. A stream that ends earlier, or was damaged, is refused (E533).
 *
 * A snapshot is that of one moment: from the first slice to the last, the session refuses changes and runs (E530).
 */
import type { Slices, Steps } from "../base/slices.ts";
import type { Mark } from "./agenda/marks.ts";
import {
  damaged,
  isFact,
  isMark,
  isObject,
  isSpace,
  refuseHead,
  refuseOtherVersions,
  refuseRules,
  SnapshotSum,
  VERSION,
  wrongNumbers,
} from "./snapshot-format.ts";
import { SessionError } from "./errors.ts";
import { type FactSnapshot, type Snapshot, unreadable } from "./snapshot.ts";
import { savedFact } from "./snapshot-facts.ts";
import { Saving } from "./saving.ts";
import type { Snapshots } from "./snapshots.ts";
import type { SessionState } from "./state.ts";
import type { XuplesSnapshot } from "./xuples.ts";

/**
 * Where a snapshot is written to: a `Writable` of Node, a `WritableStream` of the web that takes strings, or an object with a `write` that
 * calls `done` when it is ready for more. It is not closed.
 */
export type SnapshotSink =
  | { write(chunk: string, done: (error?: Error | null) => void): unknown }
  | { getWriter(): { write(chunk: string): Promise<void>; releaseLock(): void } };

/** Where a snapshot is read from: a `Readable` of Node, a `ReadableStream` of the web, or anything else that gives its text in parts. */
export type SnapshotSource =
  | AsyncIterable<string | Uint8Array>
  | {
      getReader(): {
        read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
        cancel?(): Promise<void>;
        releaseLock(): void;
      };
    };

/** The most facts or matches in a line, and the length after which a line ends earlier. */
const ITEMS_IN_LINE = 500;
const LINE_LENGTH = 65_536;

const FORMAT = "sluice-snapshot";

// ---------------------------------------------------------------- writing

/** Writes the session as it is now. It refuses changes until the last line is written. Throws E535 when it is closed meanwhile. */
export async function writeSnapshot(
  state: SessionState,
  snapshots: Snapshots,
  sink: SnapshotSink,
  slices: Slices,
): Promise<void> {
  const { activity } = state;
  activity.refuseWhileWorking("take a snapshot");
  const saving = new Saving();
  activity.saving = saving;
  try {
    const write = writerOf(sink);
    try {
      const lines = new SnapshotLines(state, snapshots);
      for (let line = await slices.run(lines.next()); line !== undefined; line = await slices.run(lines.next())) {
        await saving.written(write.line(line));
      }
    } finally {
      write.release();
    }
  } finally {
    activity.saving = undefined;
    saving.end();
  }
}

/** The lines of a snapshot, one after the other. */
class SnapshotLines {
  readonly #sum = new SnapshotSum();
  readonly #sections: Iterator<Section>;
  #section: Section | undefined;

  constructor(state: SessionState, snapshots: Snapshots) {
    this.#sections = this.#allSections(state, snapshots);
    this.#section = this.#nextSection();
  }

  /** Returns the next line; undefined after the last. One step for each fact or match in it. */
  *next(): Steps<string | undefined> {
    for (let section = this.#section; section !== undefined; section = this.#section = this.#nextSection()) {
      if (section.line !== undefined) {
        this.#section = this.#nextSection();
        return `${JSON.stringify(section.line)}\n`;
      }
      const texts = yield* this.#items(section.items);
      if (texts.length > 0) return `{"${section.name}":[${texts.join(",")}]}\n`;
    }
    return undefined;
  }

  *#items(items: Iterator<SnapshotItem | undefined>): Steps<string[]> {
    const texts: string[] = [];
    let length = 0;
    while (texts.length < ITEMS_IN_LINE && length < LINE_LENGTH) {
      const next = items.next();
      if (next.done === true) break;
      yield;
      if (next.value === undefined) continue;
      this.#sum.item(next.value);
      const text = JSON.stringify(next.value);
      texts.push(text);
      length += text.length;
    }
    return texts;
  }

  #nextSection(): Section | undefined {
    const next = this.#sections.next();
    return next.done === true ? undefined : next.value;
  }

  *#allSections(state: SessionState, snapshots: Snapshots): Generator<Section, void, undefined> {
    const head = snapshots.head();
    this.#sum.begin(head);
    // Reading a tuple space removes entries that are past their time, so that they are saved first.
    const xuples = state.xuples.snapshot();
    yield { line: { format: FORMAT, version: VERSION, ...head } };
    yield { name: "facts", items: savedFacts(state) };
    const rules: Record<string, string> = {};
    yield { name: "matches", items: notingRules(snapshots, rules) };
    yield { name: "xuples", items: xuples[Symbol.iterator]() };
    yield { line: { end: true, rules, checksum: this.#sum.end(rules) } };
  }
}

type SnapshotItem = FactSnapshot | Mark | XuplesSnapshot;

type Section =
  | { readonly line: object; readonly name?: undefined }
  | {
      readonly line?: undefined;
      readonly name: "facts" | "matches" | "xuples";
      /** Undefined is a place to pause. */
      readonly items: Iterator<SnapshotItem | undefined>;
    };

function* savedFacts({ memory, support }: SessionState): Generator<FactSnapshot, void, undefined> {
  for (const fact of memory.facts()) yield savedFact(fact, support);
}

/** Finds all marks, and enters the hash of each of their rules. */
function* notingRules(
  snapshots: Snapshots,
  rules: Record<string, string>,
): Generator<Mark | undefined, void, undefined> {
  for (const mark of snapshots.marks()) {
    if (mark !== undefined && !Object.hasOwn(rules, mark.rule)) Object.assign(rules, snapshots.rulesOf([mark]));
    yield mark;
  }
}

interface Writer {
  readonly line: (line: string) => Promise<void>;
  readonly release: () => void;
}

function writerOf(sink: SnapshotSink): Writer {
  if (!isSink(sink)) throw new SessionError("E407", "stream must be a stream that can be written to");
  if ("getWriter" in sink) {
    const writer = sink.getWriter();
    // A writer that is none of the web may return nothing.
    const line = async (text: string): Promise<void> => {
      await writer.write(text);
    };
    return { line, release: () => writer.releaseLock() };
  }
  let giveUp: ((error: Error) => void) | undefined;
  const line = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      giveUp = reject;
      sink.write(text, (error) => (error === null || error === undefined ? resolve() : reject(error)));
    });
  if (!isEmitter(sink)) return { line, release: () => {} };
  // A stream that is destroyed need not call back for the line that it is writing.
  const closed = (): void => giveUp?.(new Error("the stream was closed before the snapshot was written"));
  sink.on("close", closed);
  return { line, release: () => sink.off("close", closed) };
}

function isSink(sink: unknown): sink is SnapshotSink {
  if (!isObject(sink)) return false;
  const { write, getWriter } = sink as Readonly<Record<"write" | "getWriter", unknown>>;
  return typeof write === "function" || typeof getWriter === "function";
}

/** The part of a stream of Node that says when it is closed. */
interface Emitter {
  on(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
}

function isEmitter(sink: object): sink is Emitter {
  const { on, off } = sink as Readonly<Record<"on" | "off", unknown>>;
  return typeof on === "function" && typeof off === "function";
}

// ---------------------------------------------------------------- reading

/** Whether a snapshot is still to be read from a stream. */
export function isSnapshotSource(from: Snapshot | SnapshotSource): from is SnapshotSource {
  return typeof from === "object" && from !== null && ("getReader" in from || Symbol.asyncIterator in from);
}

/** Reads a snapshot; throws E533 when it is damaged or not whole. */
export async function readSnapshot(source: SnapshotSource, slices: Slices): Promise<Snapshot> {
  const reader = new SnapshotReader();
  for await (const chunk of chunksOf(source)) await slices.run(reader.chunk(chunk));
  return slices.run(reader.end());
}

class SnapshotReader {
  readonly #sum = new SnapshotSum();
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #facts: FactSnapshot[] = [];
  readonly #matches: Mark[] = [];
  readonly #xuples: XuplesSnapshot[] = [];
  #head: Partial<Record<keyof Snapshot, unknown>> | undefined = undefined;
  #end: { readonly rules: Record<string, string>; readonly checksum: string } | undefined = undefined;
  /** The parts of a line that has not ended yet. */
  #open: string[] = [];
  #lines = 0;

  /** Reads a part of the text. */
  *chunk(chunk: unknown): Steps<void> {
    const text = this.#text(chunk);
    let from = 0;
    for (let to = text.indexOf("\n"); to >= 0; to = text.indexOf("\n", from)) {
      this.#open.push(text.slice(from, to));
      from = to + 1;
      const line = this.#open.join("");
      this.#open = [];
      yield* this.#line(line);
    }
    if (from < text.length) this.#open.push(text.slice(from));
    yield;
  }

  /** Returns the snapshot once all text was read. */
  *end(): Steps<Snapshot> {
    const rest = this.#open.join("");
    if (rest !== "") yield* this.#line(rest);
    if (this.#head === undefined || this.#end === undefined) throw unreadable("it ends too early");
    const { format: _, ...head } = this.#head as Snapshot & { readonly format: string };
    const { rules, checksum } = this.#end;
    const snapshot = { ...head, facts: this.#facts, matches: this.#matches, xuples: this.#xuples, rules, checksum };
    yield* wrongNumbers(snapshot);
    return snapshot;
  }

  #text(chunk: unknown): string {
    if (typeof chunk === "string") return chunk;
    if (!(chunk instanceof Uint8Array)) throw unreadable("its stream gives neither text nor bytes");
    try {
      return this.#decoder.decode(chunk, { stream: true });
    } catch {
      throw unreadable("it is not UTF-8");
    }
  }

  *#line(text: string): Steps<void> {
    this.#lines += 1;
    const line = parsed(text, this.#lines);
    if (this.#head === undefined) return this.#begin(line);
    if (this.#end !== undefined) throw unreadable(`line ${this.#lines} is after its end`);
    if (line["end"] === true) return this.#finish(line);
    yield* this.#items(line["facts"], isFact, this.#facts);
    yield* this.#items(line["matches"], isMark, this.#matches);
    yield* this.#items(line["xuples"], isSpace, this.#xuples);
  }

  #begin(line: Readonly<Record<string, unknown>>): void {
    if (line["format"] !== FORMAT) throw unreadable("its first line is not that of a snapshot");
    refuseOtherVersions(line["version"]);
    if (line["version"] !== VERSION)
      throw unreadable(`its version is ${String(line["version"])}, and no stream has that`);
    refuseHead(line);
    this.#head = line;
    this.#sum.begin(line as unknown as Snapshot);
  }

  *#items<Item extends SnapshotItem>(
    items: unknown,
    isItem: (item: unknown) => item is Item,
    into: Item[],
  ): Steps<void> {
    if (items === undefined) return;
    if (!Array.isArray(items)) throw unreadable(`line ${this.#lines} is invalid`);
    for (const item of items as readonly unknown[]) {
      if (!isItem(item)) throw unreadable(`line ${this.#lines} is invalid`);
      this.#sum.item(item);
      into.push(item);
      yield;
    }
  }

  #finish({ rules, checksum }: Readonly<Record<string, unknown>>): void {
    refuseRules(rules);
    const hashes = rules as Record<string, string>;
    if (checksum !== this.#sum.end(hashes)) throw damaged();
    this.#end = { rules: hashes, checksum };
  }
}

function parsed(text: string, line: number): Readonly<Record<string, unknown>> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw unreadable(`line ${line} is not JSON`);
  }
  if (!isObject(data)) throw unreadable(`line ${line} is invalid`);
  return data as Readonly<Record<string, unknown>>;
}

async function* chunksOf(source: SnapshotSource): AsyncGenerator<unknown, void, undefined> {
  if (!("getReader" in source)) return yield* source;
  const reader = source.getReader();
  let isAtEnd = false;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    isAtEnd = true;
  } finally {
    if (!isAtEnd) await givenUp(reader);
    reader.releaseLock();
  }
}

/** Tells a stream that no more of it is read, so that it frees what it holds. What that fails with is of no interest any more. */
async function givenUp(reader: { cancel?(): Promise<void> }): Promise<void> {
  try {
    await reader.cancel?.();
  } catch {
    // the snapshot is refused for another reason
  }
}
