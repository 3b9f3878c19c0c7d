/** Values as other languages write them: `…` strings, f"…", 10m, 10 minutes ago, 1_000, x => x + 1, list[0:2]. */
import { expects, expectsValue } from "../expected.ts";
import {
  type Advice,
  closerAfter,
  endsValue,
  openBefore,
  simpleText,
  type Situation,
  textBetween,
  tokenAt,
  touch,
  valueText,
  wordOf,
} from "../situation.ts";

/** Finds `…` in backticks, f"…", $'…' and $name. */
const quoting: Advice = (situation) => {
  const { found, before } = situation;
  if (found.text === "`") return 'write a template as $"… {name} …"';
  if (found.type === "text" && before?.type === "word" && touch(before, found) && PREFIXES.has(wordOf(before))) {
    return 'write a template as $"… {name} …"';
  }
  const next = tokenAt(situation, 1);
  if (found.text !== "$" || !touch(found, next)) return undefined;
  if (next?.type === "text") return 'write a template in double quotes: $"… {name} …"';
  if (next?.type === "word") return `leave out the "$": ${next.value}`;
  const closer = next?.text === "{" ? closerAfter(situation, 2) : undefined;
  if (closer === undefined) return undefined;
  return `write the name alone: ${textBetween(situation, tokenAt(situation, 2), tokenAt(situation, closer - 1))}`;
};

const PREFIXES = new Set(["f", "s", "r", "b", "rf", "fr"]);

/** What other languages call units, and those of this language. */
const OTHER_UNITS: ReadonlyMap<string, string> = new Map(
  (
    [
      ["ms", ["milli", "millis", "msec", "msecs"]],
      ["s", ["sec", "secs"]],
      ["min", ["m", "mins"]],
      ["h", ["hr", "hrs"]],
      ["days", ["d"]],
      ["weeks", ["w", "wk", "wks"]],
      ["months", ["mo", "mos", "mth", "mths"]],
      ["years", ["y", "yr", "yrs"]],
    ] as const
  ).flatMap(([unit, words]) => words.map((word) => [word, unit] as const)),
);

/** Finds `10m`, `10 mins`, and `1 month 2 days`. */
const durations: Advice = (situation) => {
  const { failure, found, before } = situation;
  if (found.type === "quantity" && expectsValue(failure)) {
    const [, number = "", letter = ""] = /^([\d.]+)(\w+)$/u.exec(found.text) ?? [];
    return `write ${inUnit(number, OTHER_UNITS.get(letter) ?? letter)}`;
  }
  if (found.type === "amount" && before?.type === "amount") return `add them: ${before.text} + ${found.text}`;
  const place = found.type === "word" && before?.type === "number" ? 0 : -1;
  const unit = OTHER_UNITS.get(wordOf(tokenAt(situation, place)));
  const number = tokenAt(situation, place - 1);
  return unit === undefined || number?.type !== "number" ? undefined : `write ${inUnit(String(number.value), unit)}`;
};

/** Returns `1 day`, `2 days`, `5 min`. */
function inUnit(number: string, unit: string): string {
  return `${number} ${number === "1" && unit.length > 3 ? unit.slice(0, -1) : unit}`;
}

/** Finds `10 minutes ago` and `10 minutes from now`. */
const aroundNow: Advice = (situation) => {
  const { found, before } = situation;
  const place = AROUND.has(wordOf(found)) ? 0 : AROUND.has(wordOf(before)) ? -1 : undefined;
  const amount = place === undefined ? undefined : tokenAt(situation, place - 1);
  if (place === undefined || amount?.type !== "amount") return undefined;
  const sign = wordOf(tokenAt(situation, place)) === "ago" ? "-" : "+";
  const forDates = /(?:day|week|month|year)s?$/iu.test(amount.text) ? `; for a date, today ${sign} ${amount.text}` : "";
  return `write now ${sign} ${amount.text}${forDates}`;
};

const AROUND = new Set(["ago", "from"]);

/** Finds `1_000`. */
const digitGroups: Advice = (situation) => {
  const { found, before } = situation;
  const place = found.type === "word" && before?.type === "number" ? 0 : -1;
  const digits = tokenAt(situation, place);
  const number = tokenAt(situation, place - 1);
  if (number?.type !== "number" || !touch(number, digits) || !/^_[\d_]+$/u.test(String(digits?.value)))
    return undefined;
  return `write ${textBetween(situation, number, digits).replaceAll("_", "")}`;
};

/** Returns what is written here for a function of another language that takes a function. */
type Write = (list: string, item: string, body: string) => string;

const WITH_FUNCTIONS: ReadonlyMap<string, Write> = new Map(
  (
    [
      [["map", "select", "collect"], (list, item, value) => `[${value} for ${item} in ${list}]`],
      [["filter", "where", "findall"], (list, item, test) => `[${item} for ${item} in ${list} if ${test}]`],
      [["some", "any", "exists", "anymatch"], (list, item, test) => `any(${item} in ${list} : ${test})`],
      [["every", "all", "allmatch"], (list, item, test) => `all(${item} in ${list} : ${test})`],
      [["find", "first"], (list, item, test) => `first([${item} for ${item} in ${list} if ${test}])`],
      [["count"], (list, item, test) => `count([${item} for ${item} in ${list} if ${test}])`],
      [["sum"], (list, item, value) => `sum([${value} for ${item} in ${list}])`],
      [["flatmap"], (list, item, value) => `flatten([${value} for ${item} in ${list}])`],
    ] satisfies readonly (readonly [readonly string[], Write])[]
  ).flatMap(([names, write]) => names.map((name) => [name, write] as const)),
);

/** Finds `o.lines.map(l => l.qty)`, and a function as a value anywhere else. */
const arrow: Advice = (situation) => {
  const { found, before } = situation;
  const next = tokenAt(situation, 1);
  const isArrow = found.text === "=" && next?.text === ">" && touch(found, next);
  const isThin = found.text === ">" && before?.text === "-" && touch(before, found);
  if (!isArrow && !isThin) return undefined;
  const param = wordOf(tokenAt(situation, isThin ? -2 : -1)) === "" ? "x" : simpleText(situation, isThin ? -2 : -1);
  const opener = openBefore(situation);
  if (opener === undefined) {
    const begins = situation.failure.at === situation.failure.start;
    return begins ? "a function has a name and types: function f(x: number): number = …" : undefined;
  }
  const method = wordOf(tokenAt(situation, opener - 1));
  const write = tokenAt(situation, opener - 2)?.text === "." ? WITH_FUNCTIONS.get(method) : undefined;
  if (write !== undefined) return `write ${write(valueText(situation, opener - 3), param, bodyOf(situation, isThin))}`;
  return isThin || tokenAt(situation, opener - 2)?.text === "."
    ? "functions are no values: write [value for x in list if test], any(x in list : test) or all(x in list : test)"
    : undefined;
};

/** Returns what is after an arrow, up to the bracket that closes the call. */
function bodyOf(situation: Situation, isThin: boolean): string {
  const from = isThin ? 1 : 2;
  const closer = closerAfter(situation, from);
  const text =
    closer === undefined
      ? ""
      : textBetween(situation, tokenAt(situation, from), tokenAt(situation, closer - 1)).replaceAll("===", "==");
  return text === "" || text.includes("\n") || text.includes("=>") ? "…" : text;
}

/** Finds `sum(l.qty for l in o.lines)`. */
const bareComprehension: Advice = (situation) => {
  const { failure, found } = situation;
  if (wordOf(found) !== "for" || !expects(failure, ",")) return undefined;
  const value = valueText(situation, -1);
  return `put it in brackets: [${value} for ${simpleText(situation, 1)} in …]`;
};

/** Finds `list[0:2]`. */
const slice: Advice = (situation) => {
  const { found, before } = situation;
  const opener = openBefore(situation);
  if (found.text !== ":" || opener === undefined || tokenAt(situation, opener)?.text !== "[") return undefined;
  if (!endsValue(before) || !endsValue(tokenAt(situation, opener - 1))) return undefined;
  const to = tokenAt(situation, 1)?.text === "]" ? "" : `, ${simpleText(situation, 1)}`;
  return `write slice(${valueText(situation, opener - 1)}, ${valueText(situation, -1)}${to})`;
};

export const VALUES: readonly Advice[] = [quoting, aroundNow, durations, digitGroups, arrow, bareComprehension, slice];
