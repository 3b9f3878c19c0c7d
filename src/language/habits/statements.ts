/** Statements as other languages write them: `def f(x)`, `const x: number = 1`, `import { x } from "y"`, `list<string>`. */
import { expects } from "../expected.ts";
import { type Advice, simpleText, type Situation, tokenAt, touch, wordOf } from "../situation.ts";

/** Returns the first word of the statement, after `private` and `protected`. */
function statementOf({ lexemes, failure }: Situation): string {
  const first = wordOf(lexemes.at(failure.start));
  return first === "private" || first === "protected" ? wordOf(lexemes.at(failure.start + 1)) : first;
}

const A_FUNCTION = "write function f(x: number): number = …";
const A_TYPE = "write type X(field: string) for facts, or record X(field: string) for values inside facts";
const AN_IMPORT = 'write import "file.tsd"';
const A_CONSTANT = "write const x = …";

/** First words of statements elsewhere. */
const FIRST_WORDS: ReadonlyMap<string, string> = new Map([
  ...["def", "func", "fun", "fn", "lambda"].map((word) => [word, A_FUNCTION] as const),
  ...["class", "struct", "interface", "entity", "template", "declare"].map((word) => [word, A_TYPE] as const),
  ...["include", "require", "using", "load", "from"].map((word) => [word, AN_IMPORT] as const),
  ...["var", "val", "define"].map((word) => [word, A_CONSTANT] as const),
  ["enum", 'write type X = "a" | "b"'],
  ["global", "write param x: number = …, or function f(x: number): number"],
  ...["package", "namespace", "module"].map(
    (word) => [word, 'leave it out: whoever imports the file gives it a name, import "file.tsd" as name'] as const,
  ),
  ...["public", "export"].map((word) => [word, `leave out "${word}": only "private" hides a name`] as const),
  ["partition", "leave it out: a program runs on all facts of its session"],
  [
    "late",
    "leave it out: a fact that comes late counts at its own time. Where facts may still come, write a longer window, within 2 days after …",
  ],
  ["if", 'write rule "name" { when … then … }'],
  ["when", 'write rule "name" { when … then … }'],
]);

const SECOND: ReadonlySet<string> = new Set(["word", "text", "amount"]);

/** Finds a statement that begins with a word of another language. */
const firstWord: Advice = (situation) => {
  const { lexemes, failure } = situation;
  const isSecond = failure.at === failure.start + 1;
  const isFirst = failure.at === failure.start;
  if (!isFirst && !isSecond) return undefined;
  if (isSecond && !SECOND.has(situation.found.type) && situation.found.text !== "(") {
    return undefined;
  }
  return FIRST_WORDS.get(wordOf(lexemes.at(failure.start)));
};

/** Finds `function f(x) { return x }`, `function f(x: number) = x`, `function f(x: number): number => x`. */
const functions: Advice = (situation) => {
  const { lexemes, failure, found, before } = situation;
  if (found.text === "{" || wordOf(lexemes.at(failure.start + 1)) === "return") {
    const isBody = statementOf(situation) === "function" || lexemes.at(failure.start)?.text === "{";
    if (isBody && (before?.text === ")" || wordOf(lexemes.at(failure.start + 1)) === "return")) {
      return 'write the value after "=": function f(x: number): number = …';
    }
  }
  if (statementOf(situation) !== "function") return undefined;
  const name = String(before?.value ?? "");
  if (before?.type === "word" && (found.text === ")" || found.text === ",") && expects(failure, ":")) {
    return `a parameter has a type: ${name}: number`;
  }
  if (found.text === ">" && before?.text === "=" && touch(before, found)) return 'write "=" alone';
  if (before?.text !== ")" || !expects(failure, ":")) return undefined;
  if (found.text === "-" && tokenAt(situation, 1)?.text === ">") return 'write ":" before the type of the result';
  return found.text === "=" ? "say which type it gives: function f(x: number): number = …" : undefined;
};

/** Finds `const x: number = 1`. */
const constants: Advice = (situation) => {
  const { lexemes, failure, found, before } = situation;
  const statement = statementOf(situation);
  if ((statement !== "const" && statement !== "list") || found.text !== ":" || !expects(failure, "=")) return undefined;
  const place = lexemes.at(failure.at + 1)?.text === "=" ? undefined : before;
  return place === undefined ? undefined : `a constant has no type: ${statement} ${String(place.value)} = …`;
};

/** Finds `import { x } from "y"`, `import * as y from "y"`, `import x from "y"`, `import y`. */
const imports: Advice = (situation) => {
  const { lexemes, failure } = situation;
  if (statementOf(situation) !== "import" || failure.at !== failure.start + 1) return undefined;
  for (let at = failure.at; at < failure.at + MOST_IMPORTED; at++) {
    const token = lexemes.at(at);
    if (token?.type !== "text") continue;
    if (wordOf(lexemes.at(at - 1)) !== "from") return undefined;
    const path = String(token.value).replace(/(?:\.tsd|\.m?[jt]s)?$/u, ".tsd");
    const alias =
      wordOf(lexemes.at(at - 3)) === "as" || failure.at === at - 2
        ? ` as ${simpleText(situation, at - 2 - failure.at)}`
        : "";
    return `write import "${path}"${alias}`;
  }
  return undefined;
};

const MOST_IMPORTED = 40;

/** Finds `type X { … }`, `insert Order { … }`, and `new Order(…)`. */
const bracesForFields: Advice = (situation) => {
  const { failure, found, before } = situation;
  const name = String(before?.value ?? "");
  if (found.text === "{" && before?.type === "word" && expects(failure, "(")) {
    const statement = statementOf(situation);
    const declares = statement === "type" || statement === "record";
    const isFact = wordOf(tokenAt(situation, -2)) === "insert" || failure.at === failure.start + 1;
    if (declares) return `write the fields in parentheses: ${statement} ${name}(…)`;
    return isFact || wordOf(tokenAt(situation, -2)) === "logical"
      ? `write the fields in parentheses: ${name}(…)`
      : undefined;
  }
  return wordOf(before) === "new" && found.type === "word" ? 'leave out "new"' : undefined;
};

/** What types are called elsewhere that have an item in brackets. */
const GENERIC_LISTS = new Set(["list", "array", "set", "sequence", "collection", "vector"]);
const GENERIC_OPTIONS = new Set(["optional", "option", "maybe", "nullable"]);

/** Finds `list<string>`, `[string]`, `string | null`, `map<string, number>`. */
const types: Advice = (situation) => {
  const { failure, found, before } = situation;
  if (!TYPED_STATEMENTS.has(statementOf(situation))) return undefined;
  const word = wordOf(before);
  const item = simpleText(situation, 1);
  if (found.text === "<" || found.text === "[") {
    if (found.text === "[" && before?.text === ":") return `write ${item}[]`;
    if (!expects(failure, "[") && found.text === "<") return undefined;
    if (GENERIC_LISTS.has(word)) return `write ${item}[]`;
    if (GENERIC_OPTIONS.has(word)) return `write ${item}?`;
    return "write any, or declare a record for it";
  }
  if (found.text === "{" && before?.text === ":") return "declare a record: record X(field: string)";
  if (found.text !== "|" || before?.type !== "word") return undefined;
  const other = wordOf(tokenAt(situation, 1));
  if (other === "null" || other === "undefined" || other === "none") return `write ${String(before.value)}?`;
  return 'only strings or numbers can be alternatives: "a" | "b"';
};

const TYPED_STATEMENTS = new Set(["type", "record", "action", "param", "function", "condition", "query", "table"]);

/** Finds `option strategy = depth` and `option zone Europe/Paris`. */
const options: Advice = (situation) => {
  const { lexemes, failure, found, before } = situation;
  if (statementOf(situation) === "option" && (found.text === "=" || found.text === ":")) {
    return `leave out "${found.text}": option ${String(before?.value)} ${simpleText(situation, 1)}`;
  }
  if (lexemes.at(failure.start) !== found) return undefined;
  if (found.text === "/") {
    const before = situation.report.source.text.slice(Math.max(0, found.start - LONGEST_OPTION), found.start);
    const [zone] = /(?<=\boption\s+zone\s+)\w+$/iu.exec(before) ?? [];
    return zone === undefined ? undefined : `put it in quotes: "${zone}/${simpleText(situation, 1)}"`;
  }
  return found.text === "-" && tokenAt(situation, 1)?.text === "-" ? 'start a comment with "//"' : undefined;
};

/** The most characters before a mistake in which an option is searched. */
const LONGEST_OPTION = 60;

/** Finds `protected record`, and a fact after `protected`. */
const protectedOthers: Advice = ({ lexemes, failure }) =>
  wordOf(lexemes.at(failure.start)) === "protected" && failure.at === failure.start + 1
    ? "only a type is protected: protected type X(…)"
    : undefined;

export const STATEMENTS: readonly Advice[] = [
  functions,
  constants,
  imports,
  bracesForFields,
  types,
  options,
  protectedOthers,
  firstWord,
];
