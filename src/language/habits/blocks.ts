/** Blocks that other languages have inside a rule: loops, `if` among the actions, `case`, `else`, tests without `where`. */
import { expects, expectsValue } from "../expected.ts";
import {
  type Advice,
  openBefore,
  openerBefore,
  simpleText,
  type Situation,
  textBetween,
  tokenAt,
  touch,
  valueBefore,
  wordOf,
} from "../situation.ts";

/** Returns whether an action can begin before the unexpected token, and not an element. */
function isInActions({ failure }: Situation): boolean {
  return expects(failure, "=") && !expects(failure, ":");
}

/** Returns whether an element begins with the token before the unexpected one. */
function beginsElement({ failure }: Situation): boolean {
  return expects(failure, ":") && expects(failure, "(") && !expects(failure, "=");
}

/** Returns the word that is called before a closing parenthesis at a distance. */
function calledAt(situation: Situation, distance: number): string {
  const opener = tokenAt(situation, distance)?.text === ")" ? openerBefore(situation, distance) : undefined;
  return opener === undefined ? "" : wordOf(tokenAt(situation, opener - 1));
}

const NO_LOOPS =
  "there are no loops: write x in list as an element, any(x in list : test), all(x in list : test) or [value for x in list]";

/** Finds `for l in o.lines`, in `when` and among the actions. */
const loop: Advice = (situation) => {
  const { found, before } = situation;
  const isLoop = LOOPS.has(wordOf(before)) && (beginsElement(situation) || isInActions(situation));
  const isBlock = found.text === "{" && LOOPS.has(calledAt(situation, -1));
  return isLoop || isBlock ? NO_LOOPS : undefined;
};

const LOOPS = new Set(["for", "foreach", "while", "loop", "each"]);

const NO_IF = 'actions have no "if": write the test in "when", in a rule of its own';

/** Finds `if` among the actions, `if (c) { a } else { b }` as a value, and `else` after the actions. */
const conditional: Advice = (situation) => {
  const { failure, found, before } = situation;
  if (wordOf(before) === "if" && isInActions(situation)) return NO_IF;
  if (wordOf(before) === "else" && isInActions(situation)) {
    return 'a rule has no "else": write a second rule with the opposite test';
  }
  if (found.text !== "{") return undefined;
  if (calledAt(situation, -1) === "if" && !expects(failure, "then")) return NO_IF;
  return expects(failure, "then") && isInChoice(situation) ? 'write "if … then … else …", without braces' : undefined;
};

/** Returns whether the nearest `if` or `then` before the unexpected token is an `if`. */
function isInChoice(situation: Situation): boolean {
  for (let distance = -1; distance > -MOST_TOKENS; distance--) {
    const word = tokenAt(situation, distance)?.text;
    if (word === undefined || word === "then") return false;
    if (word === "if") return true;
  }
  return false;
}

const MOST_TOKENS = 100;

/** Finds `elseif`, `case when … end`, `switch`, and a choice without its other side. */
const choice: Advice = (situation) => {
  const { failure, found, before } = situation;
  if (expects(failure, "else") && ELSE_IFS.has(wordOf(found))) return 'write "else if"';
  const isCase = wordOf(before) === "when" && wordOf(tokenAt(situation, -2)) === "case";
  const isSwitch = SWITCHES.has(wordOf(before)) && (beginsElement(situation) || expects(failure, "+"));
  return isCase || isSwitch ? 'write "if … then … else …", or a decision table' : undefined;
};

const ELSE_IFS = new Set(["elseif", "elif", "elsif"]);
const SWITCHES = new Set(["switch", "case", "match"]);

/** Finds `any(t in tags where …)`, `any(t in tags | …)`, `exists t in tags`, `forall t in tags`. */
const items: Advice = (situation) => {
  const { failure, found } = situation;
  const opener = openBefore(situation);
  const word = opener === undefined ? "" : wordOf(tokenAt(situation, opener - 1));
  if (opener !== undefined && (word === "any" || word === "all") && expects(failure, ":")) {
    const head = textBetween(situation, tokenAt(situation, opener - 1), situation.before);
    return / in /u.test(head) ? `write ":" before the test of the items: ${head} : …)` : undefined;
  }
  const quantifier = wordOf(tokenAt(situation, -2));
  if (found.text === "in" && quantifier === "exists") return `write any(${simpleText(situation, -1)} in … : …)`;
  if (wordOf(situation.before) === "forall" && wordOf(tokenAt(situation, 1)) === "in") {
    return `write all(${simpleText(situation, 0)} in … : …)`;
  }
  return undefined;
};

/** Finds `o: Order o.total > 5`, and a test after a comma. */
const testWithoutWhere: Advice = (situation) => {
  const { failure, found } = situation;
  if (expectsValue(failure) || expects(failure, "+") || !expects(failure, "(")) return undefined;
  if (!TEST_SIGNS.has(found.text) || tokenAt(situation, -2)?.text !== ".") return undefined;
  const from = valueBefore(situation, -1);
  if (from === undefined || isInActions(situation) || wordOf(tokenAt(situation, from - 1)) === "then") return undefined;
  const end = tokenAt(situation, 1);
  return `write "where" before a test: where ${textBetween(situation, tokenAt(situation, from), end)}`;
};

const TEST_SIGNS = new Set(["==", "!=", "<", "<=", ">", ">=", "contains", "like", "matches", "is", "+", "-", "*"]);

/** Finds `o: Order(status: "VIP")`, `p: Person (a: A() or …)`, and `accumulate(o: Order(); …)`. */
const colonInPattern: Advice = (situation) => {
  const { failure, found, before } = situation;
  const opener = openBefore(situation);
  if (found.text !== ":" || opener === undefined || before?.type !== "word" || !expects(failure, "+")) return undefined;
  if (wordOf(tokenAt(situation, opener - 1)) === "accumulate") return "write s: sum(o.total) from o: Order(…)";
  const isCompared = touch(tokenAt(situation, opener - 1), tokenAt(situation, opener));
  const value = tokenAt(situation, 1);
  if (isCompared && tokenAt(situation, 2)?.text !== "(") {
    return value === undefined ? undefined : `write "==" to compare: ${before.value} == ${simpleText(situation, 1)}`;
  }
  const group = groupOpener(situation, opener);
  const type = group === undefined ? undefined : tokenAt(situation, group - 1);
  return type === undefined ? undefined : `put a comma after "${String(type.value)}": what is in "(" belongs to it`;
};

/** Returns the distance of the parenthesis after a bare type, `p: Person (…`, at or around a distance. */
function groupOpener(situation: Situation, distance: number): number | undefined {
  for (let at = distance; at > distance - MOST_TOKENS; at--) {
    if (tokenAt(situation, at) === undefined) return undefined;
    const isBare = wordOf(tokenAt(situation, at - 1)) !== "" && tokenAt(situation, at - 2)?.text === ":";
    const isApart = !touch(tokenAt(situation, at - 1), tokenAt(situation, at));
    if (tokenAt(situation, at)?.text === "(" && isBare && isApart) return at;
  }
  return undefined;
}

/** Finds `Order(total > 5) as o`, `Order o`, and `l: Line from o.lines`. */
const bindings: Advice = (situation) => {
  const { failure, found, before } = situation;
  if (found.text === "as" && before?.text === ")") return `write the name first: ${simpleText(situation, 1)}: …`;
  if (wordOf(before) === "as" && beginsElement(situation) && found.type === "word") {
    return `write the name first: ${String(found.value)}: …`;
  }
  const type = String(before?.value ?? "");
  if (beginsElement(situation) && found.type === "word" && /^\p{Lu}/u.test(type) && expects(failure, ".")) {
    return `write the name first: ${String(found.value)}: ${type}`;
  }
  return undefined;
};

/** Words of actions in other languages. */
const actionWords: Advice = (situation) => {
  const { failure, found, before } = situation;
  if (found.text === "{" && calledAt(situation, -1) === "modify") return "write update(x, {field: value})";
  if (!isInActions(situation)) return undefined;
  const field = simpleText(situation, 0);
  switch (wordOf(before)) {
    case "set":
      return `leave out "${String(before?.value)}"`;
    case "delete":
    case "remove":
      return `write retract ${field}`;
    case "call":
    case "return":
    case "emit":
      return expects(failure, "(") ? `leave out "${String(before?.value)}"` : undefined;
    default:
      return undefined;
  }
};

/** Finds `unless` among the elements. */
const unless: Advice = (situation) =>
  wordOf(situation.before) === "unless" && beginsElement(situation) ? "write where not (…)" : undefined;

/** Finds `exists (a: A(x > 1), b: B(y == a.x))` where a test is expected: among the elements it is correct. */
const existsOfSeveral: Advice = (situation) => {
  const { failure, found, before } = situation;
  if (found.text !== "(" || before?.type !== "word" || !(expects(failure, "/") || expects(failure, ":")))
    return undefined;
  const opener = openBefore(situation);
  if (opener === undefined || wordOf(tokenAt(situation, opener - 1)) !== "exists") return undefined;
  return "in a test write exists v: Type(test), or for several facts exists (a: A, b: B / test)";
};

/** Finds `need x as "code" do ACTION when y`, and `check c { when y need x }`. */
const conditionOfLine: Advice = ({ failure, found, before }) => {
  if (found.text !== "when" && found.text !== "unless") return undefined;
  if (!expects(failure, "need") && !expects(failure, "says")) return undefined;
  return before?.text === "{"
    ? `write "${found.text}" before the "{" of the check, or after the test of a line`
    : `write "${found.text}" directly after the test of the line, before "as", "says" and "do"`;
};

export const BLOCKS: readonly Advice[] = [
  loop,
  conditional,
  choice,
  items,
  testWithoutWhere,
  colonInPattern,
  bindings,
  actionWords,
  unless,
  existsOfSeveral,
  conditionOfLine,
];
