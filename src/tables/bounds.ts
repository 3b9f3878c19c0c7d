/**
 * Finds where a number is among sorted ones. What is between the first and the last is cut into as many equal slots as there are numbers,
 * and each slot knows the numbers in it. Numbers that are spread evenly, such as the bounds of a tariff, are found in two or three steps
 * however many they are; a slot with many of them is searched in halves.
 *
 * Invariant: a number in a lower slot is lower. It holds for every rounding, since both ways to a slot are the same computation.
 */
export class Bounds {
  readonly #numbers: Float64Array;
  readonly #first: number;
  /** Slots for each unit. */
  readonly #scale: number;
  /** How many numbers are in lower slots, by slot; one more at the end. */
  readonly #lower: Uint32Array;
  /** The steps of searches so far: slots and numbers that were looked at. */
  steps = 0;

  /** @param sorted - The numbers, each once. */
  constructor(sorted: readonly number[]) {
    const slots = sorted.length;
    this.#numbers = Float64Array.from(sorted);
    this.#first = sorted[0] ?? 0;
    this.#scale = slots / ((sorted.at(-1) ?? 0) - this.#first);
    this.#lower = new Uint32Array(slots + 1);
    const counts = new Uint32Array(slots);
    for (const number of sorted) counts[this.#slotOf(number)] = (counts[this.#slotOf(number)] ?? 0) + 1;
    for (const [slot, count] of counts.entries()) this.#lower[slot + 1] = (this.#lower[slot] ?? 0) + count;
  }

  /** Returns how many of the numbers are lower. */
  below(number: number): number {
    const slot = this.#slotOf(number);
    let low = this.#lower[slot] as number;
    let high = this.#lower[slot + 1] as number;
    this.steps += 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      this.steps += 1;
      if ((this.#numbers[middle] as number) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns whether one of the numbers, by its place, is this one. */
  isAt(place: number, number: number): boolean {
    return this.#numbers[place] === number;
  }

  /** Returns the slot of a number; what is below the first or above the last is in the slot at that end. */
  #slotOf(number: number): number {
    const slot = Math.floor((number - this.#first) * this.#scale);
    // Also false for what is no number, where the bounds are so far apart, or so close, that there is only one slot.
    return slot > 0 ? Math.min(slot, this.#numbers.length - 1) : 0;
  }
}
