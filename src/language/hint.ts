/** Returns the hint for a syntax error: the first advice that applies, or the tokens that were expected. */
import { nearest } from "../base/nearest.ts";
import { closerOf, openerOf } from "./brackets.ts";
import { expectation, expects, expectsValue, type Failure } from "./expected.ts";
import { HABITS } from "./habits/habits.ts";
import { OPERATORS } from "./lexemes.ts";
import type { Lexeme } from "./lexer.ts";
import { KEYWORDS, type Lexemes } from "./recogniser.ts";
import { STATEMENT_WORDS } from "./recovery.ts";
import type { Advice, Situation } from "./situation.ts";

export function hint(situation: Situation): string | undefined {
  for (const advice of ADVICE) {
    const words = advice(situation);
    if (words !== undefined) return words;
  }
  return expectation(situation.failure);
}

// ---------------------------------------------------------------- signs

/** Suggests the operator for a sign of another language or of printed text. */
const otherSign: Advice = ({ lexemes, failure, found }) => {
  if (found.type === "bad" && /[“”„«»‘’「」]/u.test(found.text)) return 'write strings in straight quotes: "…"';
  const meant = found.type === "bad" ? plainSign(found.text) : otherComparator(lexemes, failure, found);
  return meant === undefined ? undefined : `write "${meant}"`;
};

/** Comparisons as other languages write them. */
const OTHER_COMPARATORS: ReadonlyMap<string, string> = new Map([
  ["===", "=="],
  ["!==", "!="],
  ["<>", "!="],
  ["=>", ">="],
  ["=<", "<="],
  ["->", "==>"],
]);

/** Signs of printed text. */
const PRINTED_SIGNS: ReadonlyMap<string, string> = new Map([
  ["≥", ">="],
  ["≤", "<="],
  ["≠", "!="],
  ["×", "*"],
  ["÷", "/"],
  ["−", "-"],
  ["–", "-"],
  ["→", "==>"],
  ["、", ","],
]);

/** Returns the operator that a character means; also for `（` and other wide forms. */
function plainSign(character: string): string | undefined {
  const narrow = character.normalize("NFKC");
  return PRINTED_SIGNS.get(character) ?? (/^[!-~]+$/u.test(narrow) && narrow !== character ? narrow : undefined);
}

/** Returns the intended operator when this token and its neighbour form one of another language. */
function otherComparator(lexemes: Lexemes, failure: Failure, found: Lexeme): string | undefined {
  const before = lexemes.at(failure.at - 1);
  const next = lexemes.at(failure.at + 1);
  if (found.text === "=" && next?.text === ">" && expects(failure, "==>")) return "==>";
  const withBefore = before?.end === found.start ? OTHER_COMPARATORS.get(before.text + found.text) : undefined;
  return withBefore ?? (next?.start === found.end ? OTHER_COMPARATORS.get(found.text + next.text) : undefined);
}

export const COMPARATORS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

const chainedComparison: Advice = ({ failure, found }) =>
  COMPARATORS.has(found.text) && expects(failure, "and") && expects(failure, "+")
    ? 'comparisons cannot be chained: write two and join them with "and"'
    : undefined;

const commentOrSeparator: Advice = ({ found, before, open }) => {
  if (found.text === "#") return 'start a comment with "//"';
  if (before?.text === "/" && (found.text === ";" || found.text === ")") && open.innermost?.text === "(") {
    return 'leave out the "/": it stands before a test';
  }
  if (found.text === ";" && open.innermost?.text === "(") return 'write ","';
  return found.text === ";" ? 'no separator is needed here: remove the ";"' : undefined;
};

// ---------------------------------------------------------------- brackets and commas

/** Finds a bracket that is not closed: by another closing bracket, by `then` inside parentheses, or by what follows a check of a guardian. */
const leftOpen: Advice = ({ report, failure, found, before, open }) => {
  const opener = openerOf(found);
  const { innermost } = open;
  if (opener !== undefined && !open.has(opener)) return "it closes no open bracket: remove it";
  if (innermost === undefined) return undefined;
  const wrongCloser = opener !== undefined && innermost.text !== opener;
  const pastEnd = innermost.text !== "{" && (found.text === "then" || before?.text === "then");
  const pastCheck = (found.text === "check" || found.text === "then") && expects(failure, "need");
  if (!wrongCloser && !pastEnd && !pastCheck) return undefined;
  return `"${innermost.text}" on line ${report.source.position(innermost.start).line} is not closed`;
};

const missingComma: Advice = ({ report, failure, found, open }) => {
  const { innermost } = open;
  if (!expects(failure, ",") || !VALUE_TYPES.has(found.type) || innermost === undefined) return undefined;
  // A brace begins an object where a value stands, and a block elsewhere.
  if (innermost.text === "{" && !/[,(:=[]\s*$/u.test(report.source.text.slice(0, innermost.start))) return undefined;
  const colon = expects(failure, ":") ? '":", ' : "";
  return `missing ${colon}"," or "${closerOf(innermost)}" before it`;
};

const VALUE_TYPES: ReadonlySet<string> = new Set(["text", "number", "word"]);

// ---------------------------------------------------------------- words

/** Finds `"x({words_in(d.text, ["a"])})"`: a double quote inside braces ends the text around them. */
const quoteInBraces: Advice = ({ found, before }) => {
  if (before?.type !== "text" || before.end !== found.start) return undefined;
  const text = String(before.value);
  return text.lastIndexOf("{") > text.lastIndexOf("}")
    ? "write a string inside braces in single quotes: '…'"
    : undefined;
};

/** Checks that a line of a guardian has a reason, what may follow `do`, and where `retry` stands. */
const guardianLine: Advice = ({ failure, found, before }) => {
  const lacksReason = expects(failure, "as") && LINE_PARTS.some((part) => expects(failure, part));
  if (lacksReason && LINE_ENDS.has(found.text)) return 'add the reason of the line: as "code"';
  if (before?.text === "do" && found.type === "text") return "use one of the guardian actions, such as RETRIEVE_MORE";
  if (found.text === "retry" && expects(failure, "never"))
    return 'in a check write "never retry"; write "retry at most n" before the checks';
  return undefined;
};

const LINE_PARTS = ["says", "do", ","];
const LINE_ENDS = new Set(["}", "need", "forbid", "warn", "flag", "on"]);

/** Finds settings of gates and guardians after their reactions. */
const settingTooLate: Advice = ({ failure, found, before }) => {
  const setting = SETTINGS.has(found.text) ? found.text : (before?.text ?? "");
  if (!SETTINGS.has(setting) || expects(failure, "need")) return undefined;
  return expects(failure, "on") || expects(failure, ".")
    ? `move "${setting}" before the "on … then" blocks`
    : undefined;
};

/** Words of gates and guardians that would be actions after `then`. */
const SETTINGS = new Set(["require", "logic", "trust", "track", "retry", "report", "check"]);

const missingThen: Advice = ({ failure, found }) => {
  if (!expects(failure, "then")) return undefined;
  if (found.type === "verb") return 'write actions after "then"';
  return found.text === "}" ? 'add "then" and the actions of the rule' : undefined;
};

const andBetweenElements: Advice = ({ failure, found }) =>
  found.text === "and" && expects(failure, "then") && expects(failure, "where")
    ? `patterns follow each other without "${String(found.value)}": remove it`
    : undefined;

const missingWhen: Advice = ({ failure, found }) =>
  expects(failure, "when") && expects(failure, "unless") && VALUE_TYPES.has(found.type)
    ? 'write "when" or "unless" before the test'
    : undefined;

/** Finds a reserved word where a name is expected; an operator there only means that something is missing before it. */
const reservedWord: Advice = ({ failure, found }) => {
  if (found.type !== "reserved" && found.type !== "verb") return undefined;
  if (!failure.expected.some((one) => "type" in one && one.type === "word")) return undefined;
  const word = String(found.value);
  if (!expectsValue(failure)) return `"${word}" is a reserved word: choose another name`;
  return OPERATORS.has(found.text)
    ? undefined
    : `"${word}" is a reserved word: for a field of this name write p.${word}`;
};

/** Finds `rule: any`: most words are strings where a value is expected, but these start a quorum. */
const quorumWord: Advice = ({ failure, found, before }) => {
  const ends = found.text === ")" || found.text === "]" || found.text === ",";
  if (!ends || (before?.text !== "any" && before?.text !== "all") || !expects(failure, "(")) return undefined;
  return `"${before.text}" is a keyword: to use it as a string, put it in quotes`;
};

const importWithoutQuotes: Advice = ({ lexemes, failure }) =>
  lexemes.at(failure.start)?.text === "import" && failure.at === failure.start + 1
    ? 'put the file name in quotes: import "other.tsd"'
    : undefined;

/** Finds `if a then b` where something else follows: a choice is a value, so it needs its other side. */
const choiceWithoutElse: Advice = ({ failure, found }) => {
  if (!expects(failure, "else") || nearest(found.text, ["else"]) !== undefined) return undefined;
  const ends = found.type !== "symbol" || CHOICE_ENDS.has(found.text);
  return ends && !COMPARATORS.has(found.text) ? "add the other side: if … then … else …" : undefined;
};

const CHOICE_ENDS = new Set([")", "]", "}", ",", ""]);

/** Finds `param limit = 5`. */
const parameterWithoutType: Advice = ({ lexemes, failure, before, found }) =>
  lexemes.at(failure.start)?.text === "param" && failure.at === failure.start + 2 && found.text === "="
    ? `a parameter needs a type: param ${before?.text ?? "name"}: number = …`
    : undefined;

/** Finds `rul adult : …`, `tq Person(…)`: the first word does not start a statement. */
const statementWord: Advice = ({ lexemes, failure, found }) => {
  const first = lexemes.at(failure.start);
  if (failure.at !== failure.start + 1 || first?.type !== "word" || STATEMENT_WORDS.includes(first.text)) {
    return undefined;
  }
  if (first.text === "fact") return 'a fact needs no keyword: write its type and its values, such as Person(id: "p1")';
  if (first.text === "let")
    return '"let" stands inside a rule, a condition or a gate: write const for the whole program';
  const meant = nearest(first.text, STATEMENT_WORDS);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  const named = found.type === "word" || found.type === "text";
  return named ? `"${String(first.value)}" does not start a statement: use type, rule, gate, …` : undefined;
};

/** Finds `thexn log(…)`, `exixsts Line(…)`: the word before is nearly a keyword. */
const mistypedKeyword: Advice = ({ before, found }) => {
  if (before?.type !== "word" || KEYWORDS.has(before.text) || !VALUE_TYPES.has(found.type)) return undefined;
  const meant = nearest(before.text, BLOCK_WORDS);
  return meant === undefined ? undefined : `did you mean "${meant}" before it?`;
};

/** Finds `BLOK`, `hight`: nearly one of the expected words. */
const mistypedWord: Advice = ({ failure, found }) => {
  if (found.type !== "word" || expectsValue(failure)) return undefined;
  const words = failure.expected.flatMap((one) =>
    "literal" in one && /^[a-z]{3,}$/u.test(one.literal) ? one.literal : [],
  );
  const meant = nearest(found.text, words);
  if (meant === undefined) return undefined;
  return `did you mean "${/^[A-Z]+$/u.test(String(found.value)) ? meant.toUpperCase() : meant}"?`;
};

/** Words inside statements that a name or a value follows. */
const BLOCK_WORDS = ["when", "then", "where", "not", "exists", "from", "require", "given", "expect", "step", "stage"];

const ADVICE: readonly Advice[] = [
  ...HABITS,
  otherSign,
  chainedComparison,
  quoteInBraces,
  guardianLine,
  settingTooLate,
  missingThen,
  andBetweenElements,
  quorumWord,
  leftOpen,
  reservedWord,
  importWithoutQuotes,
  choiceWithoutElse,
  parameterWithoutType,
  commentOrSeparator,
  statementWord,
  missingComma,
  missingWhen,
  mistypedKeyword,
  mistypedWord,
];
