/**
 * The value of a condition inside a test: the evidence of one match, read as a gate reads it. It is missing while the condition
 * is unknown. A piece of evidence has a boolean as its value; where evidence is ordered, an object with `holds`, `by` and `per`.
 */
import type { Accumulator, Answer } from "../base/accumulator.ts";
import { factLabel } from "../base/fact-label.ts";
import type { EvidenceReading } from "../base/judging.ts";
import type { Maybe } from "../base/value.ts";
import { Doubtful, type DoubtfulMatch } from "../rete/doubtful.ts";
import type { Match } from "../rete/match.ts";
import { Evidence, type Piece } from "./evidence.ts";
import { type Code, FALSE, TRUE, UNKNOWN } from "./requirement.ts";

export class EvidenceAccumulator extends Doubtful {
  readonly #reading: EvidenceReading;
  readonly #evidence: Evidence;
  /** The gaps for windows that are open. */
  readonly #open = new Set<Match>();

  constructor(reading: EvidenceReading) {
    super(NOTHING, false);
    this.#reading = reading;
    this.#evidence = new Evidence(reading);
  }

  override add(match: Match, value: Maybe): void {
    super.add(match, value);
    this.#evidence.add(this.#piece(match, value, false));
  }

  override doubt(doubt: DoubtfulMatch, value: () => Maybe): void {
    super.doubt(doubt, value);
    if (doubt.fits.isOpen) this.#open.add(doubt.match);
    if (!doubt.fits.isGap) this.#evidence.add(this.#piece(doubt.match, value(), true));
  }

  override remove(match: Match): void {
    super.remove(match);
    this.#evidence.remove(match);
    this.#open.delete(match);
  }

  override answer(): Answer {
    const code = this.#code;
    const value = code === UNKNOWN ? undefined : code === TRUE;
    return { passes: value !== undefined, value };
  }

  override get inDoubt(): boolean {
    return super.inDoubt && this.#code === UNKNOWN;
  }

  override get hasReasons(): boolean {
    return true;
  }

  /** Returns why the condition is unknown, when no match is in doubt. */
  override get whyUnknown(): string {
    const { size, trues, falses } = this.#evidence;
    if (size === 0) return "there is no evidence";
    const [unknown] = [...this.#evidence.pieces()].filter(({ code }) => code === UNKNOWN);
    if (unknown !== undefined) return `it is unknown for ${factLabel(unknown.match.fact?.id ?? "")}`;
    return trues > 0 && falses > 0 ? "the evidence disagrees" : "it cannot be told which evidence is the newest";
  }

  get #code(): Code {
    return this.#evidence.value(this.#reading, this.#open.size > 0 ? "in time" : "any time");
  }

  #piece(match: Match, value: Maybe, unsure: boolean): Piece {
    const isOrdered = this.#evidence.newest !== undefined;
    const { holds, by, per }: Ordered = isOrdered ? ((value ?? {}) as Ordered) : { holds: value };
    const code = unsure ? UNKNOWN : holds === true ? TRUE : holds === false ? FALSE : UNKNOWN;
    return { match, code, trusted: true, by, per, threw: undefined, unsure };
  }
}

/** What Doubtful keeps of the evidence that counts: nothing, as the evidence itself does. */
const NOTHING: Accumulator = {
  add: () => undefined,
  remove: () => undefined,
  answer: () => ({ passes: false, value: undefined }),
};

interface Ordered {
  readonly holds?: Maybe;
  readonly by?: Maybe;
  readonly per?: Maybe;
}
