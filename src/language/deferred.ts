/**
 * Defers building until a statement is accepted.
 *
 * nearley calls a rule's function every time the rule is completed, also for parses that fail one token later. Here
 * each completion only records what to build; `force` builds the one accepted reading, each node exactly once. So lists
 * may grow in place, and a dead reading costs one small object.
 */
import { must } from "../base/invariant.ts";
import { type EndRefusal, REFUSALS, type Refusal, SPINES } from "./build.ts";
import type { Lexeme } from "./lexer.ts";

type Build = (parts: unknown[]) => unknown;
/** A function that nearley calls; to return the third argument is to reject the reading. */
type Postprocess = (parts: unknown[], reference?: number, fail?: object) => unknown;

class Deferred {
  readonly build: Build;
  readonly parts: readonly unknown[];

  constructor(build: Build, parts: readonly unknown[]) {
    this.build = build;
    this.parts = parts;
  }
}

export function defer(build: Build): Postprocess {
  const refusal = REFUSALS.get(build);
  if (refusal === undefined) return (parts) => new Deferred(build, parts);
  return (parts, _reference, fail) => (isRefused(refusal, parts) ? fail : new Deferred(build, parts));
}

function isRefused(refusal: Refusal, parts: readonly unknown[]): boolean {
  const part = parts[refusal.part];
  if ("end" in refusal) return !isEmpty(parts[refusal.next]) && endsIn(part, refusal);
  const { words, beginnings, followedBy, unless } = refusal;
  if (isWord(onlyLexeme(part), words)) return true;
  if (beginnings === undefined || (unless !== undefined && firstLexemes(parts[unless], 1).length > 0)) return false;
  const [first, second] = firstLexemes(part, followedBy === undefined ? 1 : 2);
  return isWord(first, beginnings) && (followedBy === undefined || second?.text === followedBy);
}

function isWord(lexeme: Lexeme | undefined, words: ReadonlySet<string>): boolean {
  return lexeme?.type === "word" && words.has(lexeme.text);
}

/** Returns the first tokens of a part, at most `most`. A loop, because parts may be nested without end. */
function firstLexemes(part: unknown, most: number): Lexeme[] {
  const found: Lexeme[] = [];
  const open: unknown[] = [part];
  while (open.length > 0 && found.length < most) {
    const next = open.pop();
    if (next instanceof Deferred || Array.isArray(next)) {
      const parts: readonly unknown[] = next instanceof Deferred ? next.parts : next;
      for (let index = parts.length - 1; index >= 0; index--) open.push(parts[index]);
    } else if (next !== null && next !== undefined) found.push(next as Lexeme);
  }
  return found;
}

function isEmpty(part: unknown): boolean {
  return firstLexemes(part, 1).length === 0;
}

/** Returns whether the last token of a part is that of something that is not complete. */
function endsIn(part: unknown, { end, complete }: EndRefusal): boolean {
  let inner = part;
  let isInside = false;
  while (inner instanceof Deferred || Array.isArray(inner)) {
    if (inner instanceof Deferred && isInside && inner.build === complete) return false;
    isInside ||= inner instanceof Deferred && inner.build === end;
    const parts: readonly unknown[] = inner instanceof Deferred ? inner.parts : inner;
    inner = parts.findLast((one) => !isEmpty(one));
  }
  return isInside;
}

/** Returns the token of a part that has just one. */
function onlyLexeme(part: unknown): Lexeme | undefined {
  let inner = part;
  while (inner instanceof Deferred || Array.isArray(inner)) {
    const parts: readonly unknown[] = inner instanceof Deferred ? inner.parts : inner;
    if (parts.length !== 1) return undefined;
    inner = parts[0];
  }
  return inner as Lexeme | undefined;
}

/** Parts of which some are built, and what becomes of them. */
interface Frame {
  parts: readonly unknown[];
  built: unknown[];
  /** Makes a node of all parts; undefined for a list of parts. */
  build: Build | undefined;
  /** The cells of a left-recursive list that come after what is being built, the next one last. */
  readonly cells: Deferred[] | undefined;
}

/** Builds what was accepted, in a loop: parts may be inside each other without end. */
export function force(part: unknown): unknown {
  const root = frameOf(part);
  if (root === undefined) return part;
  const frames = [root];
  for (;;) {
    const frame = must(frames.at(-1), "the frame of the root, or one inside");
    if (frame.built.length < frame.parts.length) {
      const next = frame.parts[frame.built.length];
      const inner = frameOf(next);
      if (inner === undefined) frame.built.push(next);
      else frames.push(inner);
      continue;
    }
    const built = frame.build === undefined ? frame.built : frame.build(frame.built);
    const cell = frame.cells?.pop();
    if (cell !== undefined) {
      frame.parts = cell.parts;
      frame.built = [built];
      frame.build = cell.build;
      continue;
    }
    frames.pop();
    const outer = frames.at(-1);
    if (outer === undefined) return built;
    outer.built.push(built);
  }
}

function frameOf(part: unknown): Frame | undefined {
  if (Array.isArray(part)) return { parts: part, built: [], build: undefined, cells: undefined };
  if (!(part instanceof Deferred)) return undefined;
  if (!SPINES.has(part.build)) return { parts: part.parts, built: [], build: part.build, cells: undefined };
  return spineOf(part);
}

/**
 * Returns the frame of a left-recursive list, which is as deep as it is long: walks down to its first item, from which the cells are built
 * upwards.
 */
function spineOf(last: Deferred): Frame {
  const cells: Deferred[] = [];
  let below: unknown = last;
  while (below instanceof Deferred && SPINES.has(below.build)) {
    cells.push(below);
    below = below.parts[0];
  }
  return { parts: [below], built: [], build: first, cells };
}

const first: Build = ([only]) => only;
