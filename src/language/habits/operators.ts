/** Operators that other languages have: `x := 1`, `a ? b : c`, `a ** 2`, `x += 1`, `x between 1 and 5`, `x is null`. */
import { expects, expectsValue } from "../expected.ts";
import { type Advice, endsValue, openBefore, simpleText, tokenAt, touch, valueText, wordOf } from "../situation.ts";

/** Finds `let x := 1`. */
const assignment: Advice = (situation) => {
  const { failure, found } = situation;
  const isSign = found.text === ":" && tokenAt(situation, 1)?.text === "=" && touch(found, tokenAt(situation, 1));
  return isSign && expects(failure, "=") ? 'write "="' : undefined;
};

/** Finds `then o.total == 5`. */
const comparedInActions: Advice = ({ failure, found }) =>
  found.text === "==" && expects(failure, "=") && !expects(failure, "+") ? 'one "=" sets a field' : undefined;

/** Finds `a ? b : c`, `a?.b` and `a ?? b`. */
const questionMark: Advice = (situation) => {
  const { failure, found, before } = situation;
  if (found.text !== "?") return undefined;
  const next = tokenAt(situation, 1);
  if (next?.text === "." && touch(found, next)) {
    return 'leave out the "?": a path is unknown where a part of it is missing';
  }
  if (next?.text === "?" && touch(found, next)) {
    return `write coalesce(${valueText(situation, -1)}, ${simpleText(situation, 2)})`;
  }
  if (next?.text === ":" && before?.type === "word") return `write the "?" after the type: ${before.value}: string?`;
  return expects(failure, "+") ? 'write "if … then … else …"' : undefined;
};

/** Finds `a ** 2` and `a ^ 2`. */
const power: Advice = (situation) => {
  const { found, before } = situation;
  const isDouble = found.text === "*" && before?.text === "*" && touch(before, found);
  if (!isDouble && found.text !== "^") return undefined;
  return `write pow(${valueText(situation, isDouble ? -2 : -1)}, ${simpleText(situation, 1)})`;
};

/** Finds `o.qty++` and `o.qty += 1`. */
const increment: Advice = (situation) => {
  const { failure, found } = situation;
  const next = tokenAt(situation, 1);
  if (!ARITHMETIC.has(found.text) || !touch(found, next) || !expects(failure, "=") || expects(failure, "+")) {
    return undefined;
  }
  const field = valueText(situation, -1);
  if (next?.text === found.text) return `write: ${field} = ${field} ${found.text} 1`;
  return next?.text === "=" ? `write: ${field} = ${field} ${found.text} ${simpleText(situation, 2)}` : undefined;
};

const ARITHMETIC = new Set(["+", "-", "*", "/", "%"]);

/** Finds `x between 1 and 5`. */
const between: Advice = (situation) => {
  const place = wordOf(situation.found) === "between" ? 0 : wordOf(situation.before) === "between" ? -1 : undefined;
  if (place === undefined) return undefined;
  const value = valueText(situation, place - 1);
  return `write: ${value} in ${simpleText(situation, place + 1)}..${simpleText(situation, place + 3)}`;
};

/** Finds `x is null`, `x is not null`, `x is true` and `x is "a"`. */
const afterIs: Advice = (situation) => {
  const { found, before } = situation;
  if (before?.text !== "is" || !expects(situation.failure, "missing")) return undefined;
  if (found.text === "not") {
    return wordOf(tokenAt(situation, 1)) === "present" ? 'write "is missing"' : 'write "is present"';
  }
  if (NOTHING.has(wordOf(found))) return 'write "is missing"';
  const isValue = found.type === "text" || found.type === "number" || found.text === "true" || found.text === "false";
  return isValue ? 'write "=="' : undefined;
};

const NOTHING = new Set(["null", "nil", "none", "undefined", "empty", "nothing", "absent"]);

/** Finds `1...5`, `in (1..5)`, and `"a" .. b`. */
const dots: Advice = (situation) => {
  const { failure, found, before } = situation;
  const next = tokenAt(situation, 1);
  if (found.text === "..." && expects(failure, "..")) return 'write ".."';
  if (found.text !== "..") return undefined;
  const opener = openBefore(situation);
  if (opener !== undefined && tokenAt(situation, opener - 1)?.text === "in") {
    return `leave out the parentheses: in ${simpleText(situation, -1)}..${simpleText(situation, 1)}`;
  }
  return before?.type === "text" || next?.type === "text" ? 'join strings with "+"' : undefined;
};

/** Words that are operators elsewhere, and what to write. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ...["eq", "equals", "equal"].map((word) => [word, 'write "=="'] as const),
  ...["ne", "neq"].map((word) => [word, 'write "!="'] as const),
  ["gt", 'write ">"'],
  ...["ge", "gte"].map((word) => [word, 'write ">="'] as const),
  ["lt", 'write "<"'],
  ...["le", "lte"].map((word) => [word, 'write "<="'] as const),
  ["mod", 'write "%"'],
  ["div", "write floor(a / b)"],
  ["xor", "write (a or b) and not (a and b)"],
  ...["includes", "has"].map((word) => [word, 'write "contains"'] as const),
  ["memberof", 'write "in"'],
  ...["startswith", "starts", "begins"].map((word) => [word, "write starts(text, beginning)"] as const),
  ...["endswith", "ends"].map((word) => [word, "write ends(text, ending)"] as const),
  ["soundslike", "write a function of the host: function sounds_like(a: string, b: string): bool"],
]);

/** Finds `a gt b`: in parentheses the word is unexpected; elsewhere it begins an element, and what follows it is. */
const wordOperator: Advice = (situation) => {
  const { failure, found, before } = situation;
  if (found.type === "word" && expects(failure, "+")) return WORDS.get(wordOf(found));
  const beginsElement = before?.type === "word" && expects(failure, ":") && expects(failure, "(");
  return beginsElement && endsValue(tokenAt(situation, -2)) ? WORDS.get(wordOf(before)) : undefined;
};

/** Finds `o.total > 10%`, and an operator before "then". */
const noOperand: Advice = (situation) => {
  const { failure, found, before } = situation;
  const number = tokenAt(situation, -2);
  const ends = found.type === "reserved" || ENDS.has(found.text);
  if (before?.text === "%" && ends && expectsValue(failure) && number?.type === "number") {
    return `write ${Number(number.value) / 100}: "%" is the remainder of a division`;
  }
  if (!expects(failure, "then") || found.text !== "}") return undefined;
  for (let distance = -2; distance > -MOST_OPERATORS; distance--) {
    const operator = tokenAt(situation, distance - 1);
    if (tokenAt(situation, distance)?.text !== "then" || !BINARY.has(operator?.text ?? "")) continue;
    const share = operator?.text === "%" ? tokenAt(situation, distance - 2) : undefined;
    return share?.type === "number"
      ? `write ${Number(share.value) / 100} instead of ${share.value}%: "%" is the remainder of a division`
      : `a value is missing between "${operator?.value ?? ""}" and "then"`;
  }
  return undefined;
};

const ENDS = new Set([")", "]", ",", "}"]);
const BINARY = new Set([...ARITHMETIC, "==", "!=", "<", "<=", ">", ">=", "and", "or"]);
const MOST_OPERATORS = 100;

export const OPERATORS: readonly Advice[] = [
  assignment,
  comparedInActions,
  questionMark,
  power,
  increment,
  between,
  afterIs,
  dots,
  wordOperator,
  noOperand,
];
