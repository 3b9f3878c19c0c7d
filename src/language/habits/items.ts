/**
 * Items of lists where facts are meant: `not l in o.lines`, `from l in o.lines`, `at least 2 of l in o.lines`. The element `l in list`
 * stands by itself, or in parentheses.
 */
import { expects, expectsValue } from "../expected.ts";
import { type Advice, endsValue, simpleText, tokenAt, wordOf } from "../situation.ts";

/** Finds `x in` after a word that facts follow. */
const itemsForFacts: Advice = (situation) => {
  const { lexemes, failure, found, before } = situation;
  if (found.text !== "in" || before?.type !== "word") return undefined;
  const name = simpleText(situation, -1);
  const [two, three] = [tokenAt(situation, -2), tokenAt(situation, -3)];
  if (two?.text === "(" && wordOf(three) === "forall") return `write where all(${name} in … : …)`;
  const hasElements = WITH_ELEMENTS.has(wordOf(lexemes.at(failure.start)));
  const word = wordOf(two);
  const isElement = hasElements && wordOf(three) !== "where";
  if (isElement && (word === "not" || word === "exists")) return `put it in parentheses: ${word} (${name} in …)`;
  if (hasElements && word === "from") return "compute over the list: let total = sum([x.value for x in list])";
  if (word === "of" || (word === "all" && wordOf(three) === "of")) {
    return `count the items: count([${name} for ${name} in … if …]) >= n`;
  }
  if (two?.text === "{" || two?.text === ",") return "to take the items of a list, write the rule with when … then";
  const asks = ASKS_FOR_FACTS.has(word) || (two?.text === "(" && wordOf(three) === "exists");
  return asks ? `write any(${name} in … : …)` : undefined;
};

/** The statements that have elements. */
const WITH_ELEMENTS = new Set(["rule", "query", "private", "pipeline"]);
const ASKS_FOR_FACTS = new Set(["exists", "from", "using", "for", "expect"]);

/** Finds `l in 1..3` as an element. */
const itemsOfNoList: Advice = ({ failure, found, before }) =>
  before?.text === "in" && expects(failure, "[") && !expectsValue(failure) && endsValue(found)
    ? "it takes the items of a list: x in [1, 2, 3]"
    : undefined;

/** Finds `step … when l in o.lines, …`: what begins with a test is one, and a step of elements begins with a pattern. */
const stepOfItems: Advice = (situation) => {
  const { lexemes, failure, found } = situation;
  if (found.text !== "," || wordOf(lexemes.at(failure.start)) !== "pipeline") return undefined;
  for (let distance = -3; distance > -MOST_TOKENS; distance--) {
    const word = wordOf(tokenAt(situation, distance));
    if (word !== "when") continue;
    if (wordOf(tokenAt(situation, distance + 2)) !== "in") return undefined;
    return `begin with a pattern: when x: Type, ${simpleText(situation, distance + 1)} in …`;
  }
  return undefined;
};

const MOST_TOKENS = 30;

/** Finds `l: Line from o.lines`. */
const fromList: Advice = (situation) => {
  const isFrom = wordOf(situation.found) === "from" && tokenAt(situation, -2)?.text === ":";
  return isFrom ? `write ${simpleText(situation, -3)} in ${simpleText(situation, 1)}` : undefined;
};

export const ITEMS: readonly Advice[] = [itemsForFacts, itemsOfNoList, stepOfItems, fromList];
