/**
 * Defers building until a statement is accepted.
 *
 * nearley calls a rule's function every time the rule is completed, also for parses that fail one token later. Here
 * each completion only records what to build; `force` builds the one accepted reading, each node exactly once. So lists
 * may grow in place, and a dead reading costs one small object.
 */
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

/** Returns the first tokens of a part, at most `most`. */
function firstLexemes(part: unknown, most: number, found: Lexeme[] = []): Lexeme[] {
  if (part instanceof Deferred || Array.isArray(part)) {
    for (const inner of part instanceof Deferred ? part.parts : (part as readonly unknown[])) {
      if (found.length >= most) break;
      firstLexemes(inner, most, found);
    }
  } else if (part !== null && part !== undefined) found.push(part as Lexeme);
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

export function force(part: unknown): unknown {
  if (part instanceof Deferred) return SPINES.has(part.build) ? forceSpine(part) : part.build(forceAll(part.parts, 0));
  return Array.isArray(part) ? forceAll(part, 0) : part;
}

function forceAll(parts: readonly unknown[], from: number): unknown[] {
  const built: unknown[] = [];
  for (let index = from; index < parts.length; index++) built.push(force(parts[index]));
  return built;
}

/**
 * Builds a left-recursive list, which is as deep as it is long, in a loop: walks down to its first item, then builds
 * upwards.
 */
function forceSpine(last: Deferred): unknown {
  const spine: Deferred[] = [];
  let below: unknown = last;
  while (below instanceof Deferred && SPINES.has(below.build)) {
    spine.push(below);
    below = below.parts[0];
  }
  let list = force(below);
  for (let index = spine.length - 1; index >= 0; index--) {
    const cell = spine[index];
    if (cell !== undefined) list = cell.build([list, ...forceAll(cell.parts, 1)]);
  }
  return list;
}
