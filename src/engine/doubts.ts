/**
 * The rules of a session that cannot be relied on for another reason than a match limit: host functions failed in them, they
 * still wait since a run stopped, or the session was restored from one in which they were in doubt.
 */
import type { Assembly } from "../assemble/assembly.ts";
import { switchedOffWords } from "../assemble/blindness.ts";
import type { RuleInDoubt } from "../assemble/uncertain-facts.ts";
import { isJudge, ruleWords } from "../base/rule-words.ts";
import type { Unfinished } from "../session/activity.ts";
import type { FunctionProblem } from "../base/answers.ts";
import type { FailedRule, FailedRules, Snapshot } from "../session/snapshot.ts";
import { doubtsIn } from "../session/snapshot-format.ts";

/**
 * Returns the rules and judges in doubt that nothing switched off here. A function that fails in a gate makes its outcome
 * unknown, and the outcome says so; but rules that read the outcome would have read another one.
 */
export function otherDoubts(
  assembly: Assembly,
  carried: readonly RuleInDoubt[],
  unfinished: Unfinished | undefined,
): readonly RuleInDoubt[] {
  if (!assembly.failures.any && unfinished === undefined) return carried;
  const waiting = unfinished === undefined ? [] : waitingDoubts(assembly, unfinished);
  return [...carried, ...failedDoubts(assembly), ...waiting];
}

/** Returns the doubts of a snapshot. They stay: its facts were made without these rules. */
export function carriedDoubts(snapshot: Snapshot | undefined): readonly RuleInDoubt[] {
  const { limits, failed = [] } = doubtsIn(snapshot);
  const off = limits.flatMap(({ rules, pattern, limit }) =>
    rules.map((rule) => ({ rule, reason: switchedOffWords(rule, pattern, limit), switchedOff: true })),
  );
  return [...off, ...failed.map(({ rule, reason }) => ({ rule, reason, switchedOff: false }))];
}

/** Returns the problems of a snapshot. Snapshots of earlier releases only say which rules failed, and why. */
export function carriedProblems(snapshot: Snapshot | undefined): readonly FunctionProblem[] {
  const { failed = [], problems } = doubtsIn(snapshot);
  return problems ?? failed.map(problemOf);
}

function problemOf({ rule, reason }: FailedRule): FunctionProblem {
  const [, name = "", how = "failed"] = /\(E521: ([^(]*)\([^]*\) (\S[^]*)\)$/u.exec(reason) ?? [];
  const hint = "the session was restored: nothing is in doubt any more after a reload";
  return { code: "E521", rules: [rule], function: name, args: [], how, facts: [], more: 0, message: reason, hint };
}

/** What a session was restored with. */
interface Carried {
  readonly doubts: readonly RuleInDoubt[];
  readonly problems: readonly FunctionProblem[];
}

/** Returns the rules that failed on facts that are gone, in this session and in the one that it was restored from. */
export function lastingFailures({ failures }: Assembly, { doubts, problems }: Carried): FailedRules {
  const before = doubts.filter(({ switchedOff }) => !switchedOff).map(({ rule, reason }) => ({ rule, reason }));
  if (!failures.any) return { failed: before, problems };
  const here = failures.lasting().map(({ rule, reason }) => ({ rule, reason: failedWords(rule, reason) }));
  return { failed: [...before, ...here], problems: [...problems, ...failures.lastingProblems()] };
}

function failedDoubts(assembly: Assembly): RuleInDoubt[] {
  if (!assembly.failures.any) return [];
  const failed = assembly.failures.doubts().filter(({ rule }) => !isDecided(assembly, rule));
  return failed.map(({ rule, reason }) => ({ rule, reason: failedWords(rule, reason), switchedOff: false }));
}

/** Rules that wait since a run stopped have not written what they write, and outcomes are as old. */
function waitingDoubts({ gates, flows, guardians }: Assembly, { code, rules }: Unfinished): RuleInDoubt[] {
  // The run of a submission goes on after a firing that failed.
  const words = code === "E520" || code === "E523" ? `a firing failed: ${code}` : `the run stopped: ${code}`;
  const waiting = Array.from(rules, (rule) => ({
    rule,
    reason: `${ruleWords(rule)} is still waiting to fire (${words})`,
    switchedOff: false,
  }));
  const names = (kind: string, nodes: { keys(): Iterable<string> }): string[] =>
    Array.from(nodes.keys(), (name) => `${kind} "${name}"`);
  const judges = [...names("gate", gates), ...names("flow", flows), ...names("guardian", guardians)];
  const results = judges.map((rule) => ({
    rule,
    reason: `the results of ${rule} are out of date (${words})`,
    switchedOff: false,
  }));
  return [...waiting, ...results];
}

/** Whether a gate is decided by other parts of its requirement: then no answer of the function makes a difference. */
function isDecided({ gates }: Assembly, rule: string): boolean {
  const [, gate] = /^gate "([^]*)"$/u.exec(rule) ?? [];
  return gate !== undefined && gates.get(gate)?.isUndecided === false;
}

function failedWords(rule: string, call: string): string {
  const what = isJudge(rule) ? "could not be decided" : "could not be tested for all facts";
  return `${ruleWords(rule)} ${what} (E521: ${call})`;
}
