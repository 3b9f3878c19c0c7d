/** An item of a list, as the match of `l in o.lines` holds it. */
import type { Value } from "../base/value.ts";

/**
 * Two matches of one list differ in the value, or in which of the equal items it is. The position is no part of that: an item that
 * is moved keeps its match, and fires in its new place.
 */
export class Item {
  readonly value: Value;
  /** How many equal items stand before it. */
  readonly nth: number;
  /** Its place in the list as the list is now, counted from 0. */
  position: number;

  constructor(value: Value, nth: number, position: number) {
    this.value = value;
    this.nth = nth;
    this.position = position;
  }
}
