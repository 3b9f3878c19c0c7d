/** `count`: how many facts there are. It looks at no value. */
import type { Accumulator, Answer } from "../../base/accumulator.ts";
import { type Aggregate, NUMBER } from "../built-in.ts";

export const COUNT: Aggregate = {
  name: "count",
  takes: "facts",
  result: () => NUMBER,
  alwaysKnown: true,
  summary: "how many facts there are",
  example: { values: [5, 5, 8], gives: 3 },
  compute: (values) => values.length,
  accumulator: () => new Counter(),
  total: true,
};

class Counter implements Accumulator {
  #count = 0;

  add(): void {
    this.#count += 1;
  }

  remove(): void {
    this.#count -= 1;
  }

  answer(): Answer {
    return { passes: true, value: this.#count };
  }
}
