/** Programs with long names, long values, many tests, many variables and many parts: nothing of them fits into a headline. */
import type { RuleSession } from "../../src/index.ts";
import { below, pick, type Random } from "./gate-model.ts";

const LETTERS = ["a", "b", " ", "é", "東", "😀", "-", "x", "y", "z"];

/** Returns a string of up to `most` characters, with blanks, letters beyond ASCII and pairs of code units. */
function longText(random: Random, most: number): string {
  return Array.from({ length: 1 + below(random, most) }, () => pick(random, LETTERS)).join("");
}

const TESTS = [
  (value: string) => `text contains ${value}`,
  (value: string) => `text != ${value}`,
  (value: string) => `text == ${value}`,
  (value: string) => `list contains ${value}`,
  (value: string) => `text contains any [${value}, "never", "ever"]`,
  () => "amount > 3",
  () => "amount * 1.1 + 0.1 <= 7.3",
  () => "note is missing",
  () => "not (amount > 3 and list contains 'x')",
  (value: string) => `(note == ${value} or amount < 2 or text like "%a%")`,
];

function testsOf(random: Random, count: number): string {
  const value = (): string => JSON.stringify(longText(random, pick(random, [5, 60, 400])));
  return Array.from({ length: count }, () => pick(random, TESTS)(value())).join(", ");
}

/** Returns the text of a program with a rule that matches, one that does not, and a gate, whose names are long. */
export function longProgram(random: Random): string {
  const name = (kind: string): string => JSON.stringify(`${kind} ${longText(random, 300)}`.trim());
  const patterns = (count: number): string =>
    Array.from({ length: 1 + below(random, count) }, (_, index) => {
      const variable = `${"v".repeat(1 + below(random, 30))}${index}`;
      return `${variable}: Thing(${testsOf(random, 1 + below(random, 6))})`;
    }).join(" ");
  const leaves = Array.from({ length: 1 + below(random, 12) }, () => {
    return pick(random, [
      `t.text contains ${JSON.stringify(longText(random, 300))}`,
      "t.amount > 3",
      "SUM(o: Thing / o.amount > 0 ; o.amount) > 1",
      "seen(t)",
      `t.note == ${JSON.stringify(longText(random, 200))}`,
    ]);
  });
  const join = pick(random, [" and ", " or "]);
  const logic = below(random, 3) === 0 ? "logic bochvar" : "";
  return `type Thing(#id: string, text: string, list: string[], amount: number, note: string?)
type Mark(of: string, why: string)
condition seen(t: Thing) : m.why != "no" from every m: Mark(m.of == t.id)
rule ${name("fires")} { when a: Thing b: Thing(id != a.id) c: Thing(amount >= 0) s: sum(o.amount) from o: Thing then log(a.id) }
rule ${name("many")} { when ${patterns(4)} then log("x") }
rule ${name("absent")} { when t: Thing not Mark(of == t.id, why == ${JSON.stringify(longText(random, 300))}) then log(t.id) }
rule ${name("makes")} { when t: Thing(amount > 2) then insert logical Mark(of: t.id, why: t.text) }
gate ${name("gate")} for t: Thing { ${logic} require ${leaves.join(join)} }`;
}

/** Asserts a few facts whose keys and values are long. */
export function fillThings(session: RuleSession, random: Random): void {
  for (let count = 1 + below(random, 3); count > 0; count--) {
    session.assert("Thing", {
      id: `${count}${longText(random, pick(random, [3, 200]))}`,
      text: longText(random, pick(random, [10, 2_000])),
      list: Array.from({ length: below(random, 40) }, () => longText(random, 30)),
      amount: random() * 9,
      ...(below(random, 2) === 0 ? {} : { note: longText(random, 300) }),
    });
  }
}
