/** `let` where no name can be given: each place says where the name is given instead. */
import { expects } from "../expected.ts";
import { type Advice, type Situation, tokenAt, wordOf } from "../situation.ts";

/** The most tokens of a value after `let name =`, until the error shows. */
const LONGEST_VALUE = 50;

/** Returns the distance of the `let` that cannot stand where it does; it may have been read as a name. */
function letAt(situation: Situation): number | undefined {
  const { found, before } = situation;
  // require let x = o.total x > 5: "=" was read as a slip of "==".
  for (let at = -1; at > -LONGEST_VALUE; at--) {
    if (wordOf(tokenAt(situation, at)) === "let" && wordOf(tokenAt(situation, at - 1)) === "require") return at;
  }
  if (wordOf(found) === "let" && wordOf(tokenAt(situation, 1)) !== "") return 0;
  return wordOf(before) === "let" && wordOf(found) !== "" ? -1 : undefined;
}

/** Returns the word with which the statement begins. */
function statementOf({ lexemes, failure }: Situation): string {
  const first = wordOf(lexemes.at(failure.start));
  return first === "private" || first === "protected" ? wordOf(lexemes.at(failure.start + 1)) : first;
}

/** Returns whether a condition of the slash form stands before a distance: `: {…} / …`. */
function isSlashForm(situation: Situation, distance: number): boolean {
  for (let at = distance; ; at--) {
    const token = tokenAt(situation, at);
    if (token === undefined || token.text === "when") return false;
    if (token.text === "/" && tokenAt(situation, at - 1)?.text === "}") return true;
  }
}

/** Finds `let` before `when`, in the slash form, after `require`, and among or after the lines of a guardian. */
const misplacedLet: Advice = (situation) => {
  const at = letAt(situation);
  if (at === undefined) return undefined;
  const { failure } = situation;
  switch (statementOf(situation)) {
    case "rule":
      if (expects(failure, "when"))
        return 'write "let" among the elements of "when", or among the actions after "then"';
      return isSlashForm(situation, at)
        ? 'the slash form has no "let" in its condition: write the value itself, or the block form, when … let x = …'
        : undefined;
    case "gate":
      return wordOf(tokenAt(situation, at - 1)) === "require" ? 'write "let" before "require"' : undefined;
    case "guardian":
      return 'write "let" before the checks, or in a check before its lines';
    case "condition":
      return 'write "let" after the ":" and the test after "where": condition c(…) : let x = … where …';
    default:
      return undefined;
  }
};

/** Finds `condition c(o: Order) : let x = o.total from t: T`. */
const letWithoutWhere: Advice = (situation) => {
  const { failure, found } = situation;
  if (wordOf(found) !== "from" || !expects(failure, "where") || statementOf(situation) !== "condition")
    return undefined;
  return 'a test follows "let": let x = … where … from …';
};

/** Finds `condition c(o: Order) : where o.total > 5`. */
const whereWithoutLet: Advice = (situation) => {
  const { found, before } = situation;
  if (wordOf(found) !== "where" || before?.text !== ":" || statementOf(situation) !== "condition") return undefined;
  return 'leave "where" out: in a condition it follows "let"';
};

export const LETS: readonly Advice[] = [misplacedLet, letWithoutWhere, whereWithoutLet];
