/** The evidence of one condition for one subject, counted, so that the value needs no second look at the facts. */
import type { Match } from "../rete/match.ts";
import { Newest } from "./newest.ts";
import { NewestOfEach } from "./newest-of-each.ts";
import { type Code, FALSE, opposite, quorum, TRUE, UNKNOWN } from "./requirement.ts";
import type { Reading } from "../base/judging.ts";
import type { Maybe } from "../base/value.ts";

/** One match of the evidence chain, with the result of its test. */
export interface Piece {
  readonly match: Match;
  readonly code: Code;
  /** False when the gate asks for more trust than the fact has. */
  readonly trusted: boolean;
  /** The value that `latest` orders by. */
  readonly by: Maybe;
  /** The group that it belongs to; undefined also where there are none. */
  readonly per: Maybe;
  /** The message of a host function that threw. */
  readonly threw: string | undefined;
  /** True when it is unknown whether the match is evidence at all; its code is then unknown. */
  readonly unsure: boolean;
}

/** Whether further evidence may come: at any time, while a window is open, or never, because it has closed. */
export type Coming = "any time" | "in time" | "never";

export class Evidence {
  /** The value that the gates received last. */
  code: Code = UNKNOWN;
  trues = 0;
  falses = 0;
  unknowns = 0;
  untrusted = 0;
  /** How many of the unknown pieces may not be evidence at all. */
  unsure = 0;
  readonly newest: Newest | NewestOfEach | undefined;
  // Most subjects have one piece for each condition; a map is made only for the second.
  #only: Piece | undefined = undefined;
  #more: Map<Match, Piece> | undefined = undefined;

  constructor(reading: Reading) {
    const { kind } = reading;
    this.newest = kind === "latest" ? new Newest() : kind === "newest" ? new NewestOfEach(reading.over) : undefined;
  }

  get size(): number {
    return this.#more?.size ?? (this.#only === undefined ? 0 : 1);
  }

  pieces(): Iterable<Piece> {
    return this.#more?.values() ?? (this.#only === undefined ? [] : [this.#only]);
  }

  add(piece: Piece): void {
    this.#remember(piece);
    this.#count(piece, 1);
    if (piece.trusted) this.newest?.add(piece);
  }

  remove(match: Match): void {
    const piece = this.#forget(match);
    if (piece === undefined) return;
    this.#count(piece, -1);
    if (piece.trusted) this.newest?.remove(piece);
  }

  /** Gives a piece another value; returns false when nothing changes. What may not be evidence stays unknown. */
  revalue(match: Match, code: Code): boolean {
    const piece = this.#more === undefined ? this.#only : this.#more.get(match);
    if (piece?.match !== match || piece.unsure || piece.code === code) return false;
    this.remove(match);
    this.add({ ...piece, code });
    return true;
  }

  /** Returns the value. While a window is open it is unknown, unless it stays the same whatever evidence comes. */
  value(reading: Reading, coming: Coming = "any time"): Code {
    const code = this.#valueNow(reading, coming);
    return coming !== "in time" || code === lasting(reading) ? code : UNKNOWN;
  }

  #valueNow(reading: Reading, coming: Coming): Code {
    const { trues, falses, unknowns } = this;
    switch (reading.kind) {
      case "test":
      case "agree":
        if (unknowns > 0 || (trues > 0 && falses > 0)) return UNKNOWN;
        return trues > 0 ? TRUE : falses > 0 ? FALSE : UNKNOWN;
      case "any":
        return trues > 0 ? TRUE : unknowns > 0 || falses === 0 ? UNKNOWN : FALSE;
      case "every":
        return falses > 0 ? FALSE : unknowns > 0 || trues === 0 ? UNKNOWN : TRUE;
      case "latest":
      case "newest":
        return this.newest?.value() ?? UNKNOWN;
      case "exists":
        return reading.negated ? opposite(this.#found()) : this.#found();
      case "quorum":
        return this.#counted(reading, coming);
    }
  }

  /** Returns the value of a quorum. It is false only for a population that time has closed, or a closed one that is known to have a member. */
  #counted({ logic, min, closed }: Extract<Reading, { kind: "quorum" }>, coming: Coming): Code {
    const { trues, falses, unknowns } = this;
    const code = quorum(logic, min, trues, unknowns);
    if (coming === "never" && !closed) return code;
    if (code === FALSE && (!closed || trues + falses + unknowns === this.unsure)) return UNKNOWN;
    return code;
  }

  /**
   * Returns whether a fact exists. A fact that is not trusted, or may not match, proves neither that one exists nor
   * that none does.
   */
  #found(): Code {
    if (this.trues > 0) return TRUE;
    return this.size > 0 ? UNKNOWN : FALSE;
  }

  #count({ code, trusted, unsure }: Piece, by: 1 | -1): void {
    if (!trusted) this.untrusted += by;
    else if (code === TRUE) this.trues += by;
    else if (code === FALSE) this.falses += by;
    else {
      this.unknowns += by;
      if (unsure) this.unsure += by;
    }
  }

  #remember(piece: Piece): void {
    if (this.#more !== undefined) this.#more.set(piece.match, piece);
    else if (this.#only === undefined) this.#only = piece;
    else {
      this.#more = new Map([
        [this.#only.match, this.#only],
        [piece.match, piece],
      ]);
      this.#only = undefined;
    }
  }

  #forget(match: Match): Piece | undefined {
    if (this.#more === undefined) {
      const piece = this.#only?.match === match ? this.#only : undefined;
      if (piece !== undefined) this.#only = undefined;
      return piece;
    }
    const piece = this.#more.get(match);
    this.#more.delete(match);
    return piece;
  }
}

/** Returns the value that no further evidence can change; unknown where there is none. */
function lasting(reading: Reading): Code {
  switch (reading.kind) {
    case "any":
      return TRUE;
    case "every":
      return FALSE;
    case "exists":
      return reading.negated ? FALSE : TRUE;
    case "quorum":
      return reading.logic === "kleene" ? TRUE : UNKNOWN;
    default:
      return UNKNOWN;
  }
}
