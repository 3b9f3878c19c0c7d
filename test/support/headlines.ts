/** What every headline of an explanation promises, and the questions that a session can be asked. */
import {
  type Explanation,
  headline,
  type PipelineDecision,
  type RunResult,
  type RuleSession,
} from "../../src/index.ts";
import { claim } from "./explained.ts";

/** Strings of the author, which may contain anything. */
const QUOTED = /"(?:\\.|[^"\\])*"?/gu;

/** What a function of the host gave, in the words of its author; `returned` may have been cut out. */
const RETURNED = /(?:returned|…) (?:undefined|null|NaN)/gu;

/** Throws when a headline is too long, empty, more than one sentence, names a fact by its raw id, or says something else. */
export function checkHeadline(explanation: Explanation, says: string): void {
  const words = headline(explanation);
  const own = words.replaceAll(QUOTED, '""');
  claim(words.length < 200, `${words.length} characters: ${words}`);
  claim(words.trim().length > 1 && words.endsWith("."), `a sentence ends with a full stop: ${words}`);
  claim(!/[\n\r\t]/u.test(words), `one line: ${words}`);
  claim(!/[.!?]\s+\p{Lu}/u.test(own), `one sentence: ${words}`);
  claim(!/\b[A-Z]\w*~\S/u.test(own) && !/(?:^|\s)@\d/u.test(own), `a raw id: ${words}`);
  claim(!/\b(?:undefined|null|NaN)\b|\[object/u.test(own.replaceAll(RETURNED, "")), `an inner word: ${words}`);
  claim(words.includes(says), `it says ${says}: ${words}`);
}

const GATE = { pass: " passes", hold: " is on hold", fail: " fails" } as const;

/** Asks a session everything that it can be asked after a run, and checks each headline; returns all of them. */
export function askEverything(session: RuleSession, rules: Iterable<string>, result: RunResult): string[] {
  const headlines: string[] = [];
  const check = (explanation: Explanation, says: string): void => {
    checkHeadline(explanation, says);
    headlines.push(headline(explanation));
  };
  for (const fired of result.fired.slice(0, 20)) check(session.why(fired), "");
  for (const { id } of session.facts().slice(0, 20)) check(session.why(id), "");
  for (const rule of rules) {
    const answer = session.whyNot(rule);
    check(answer, answer.hindrance === "no match" ? " does not fire" : "");
  }
  for (const answer of session.gates()) check(session.why(answer), GATE[answer.outcome]);
  for (const answer of session.verdicts()) check(session.why(answer), `says ${answer.verdict}`);
  for (const decision of result.decisions) {
    if ("pipeline" in decision) check(session.why(decision), decisionWords(decision));
  }
  return headlines;
}

function decisionWords({ decision, code }: PipelineDecision): string {
  return code === undefined ? `decides ${decision}` : "gives ERROR";
}
