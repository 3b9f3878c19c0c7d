/** What a session of a program is made of: its network, its judges, and the rules that cannot be relied on. */
import type { Diagnostic } from "../base/diagnostic.ts";
import { must } from "../base/invariant.ts";
import { isJudge, ruleWords } from "../base/rule-words.ts";
import { Stopwatch } from "../base/stopwatch.ts";
import { Assembly } from "../assemble/assembly.ts";
import { switchedOffWords } from "../assemble/blindness.ts";
import type { RuleInDoubt } from "../assemble/uncertain-facts.ts";
import type { Deadline } from "../guardian/guardian.ts";
import { type DecisionContext } from "../guardian/decisions.ts";
import type { Production } from "../rete/production.ts";
import type { NetworkContext, SessionSpec, Unfinished } from "../session/options.ts";
import { doubtsIn, type FailedRule, type Snapshot } from "../session/snapshot.ts";
import { Judges } from "./judges.ts";
import type { OpenOptions, Program } from "./program.ts";
import { noteDivision, noteFailure } from "./warnings.ts";

/** The network that a session keeps through changes of its program. */
export interface Holder {
  assembly: Assembly | undefined;
  /** The program whose network it is. */
  program: Program;
  readonly warnings: Map<string, Diagnostic>;
  /** Rules that were switched off in the session that this one was restored from. */
  carried: readonly RuleInDoubt[];
}

/** Returns what a session needs of a program. The holder keeps the network when another program comes. */
export function partsOf(program: Program, options: OpenOptions, holder: Holder): SessionSpec {
  const sharing = options.sharing ?? true;
  const plan = program.plan(sharing, options.shortcuts ?? true);
  const productions = new Map<string, readonly Production[]>();
  const apply = (assembly: Assembly): Assembly["network"] => {
    holder.program = program;
    assembly.network.limitMatches(program.limits.liveMatches);
    for (const [name, alternatives] of assembly.apply(plan)) productions.set(name, alternatives);
    return assembly.network;
  };
  return {
    ...program.data(),
    productions,
    buildNetwork: (site) => {
      holder.assembly = new Assembly({
        shapes: site.shapes,
        facts: site.facts,
        listener: site.listener,
        functions: new Map(Object.entries(options.functions ?? {})),
        matchLimit: program.limits.liveMatches,
        overflow: overflowOf(site, holder),
        dividedByZero: (rules, fact) => noteDivision(holder, rules, fact),
        functionFailed: (rules, call) => noteFailure(holder, rules, call),
        indexing: options.indexing ?? true,
        sharing,
        shortcuts: {
          direct: (options.shortcuts ?? true) && options.strategy !== "lex",
          absence: options.shortcuts ?? true,
          control: (options.shortcuts ?? true) && options.strategy !== "lex",
        },
        deadline: deadlineOf(options),
        handledActions: new Set([...Object.keys(options.actions ?? {}), ...doubtsIn(options.from).actions]),
        otherDoubts: () => doubtsOf(holder, site.unfinished()),
      });
      return apply(holder.assembly);
    },
    rebuildNetwork: () => {
      holder.carried = [];
      return apply(must(holder.assembly, "a session has a network"));
    },
    atRest: () => {
      const assembly = must(holder.assembly, "a session has a network");
      return assembly.judges ? new Judges(assembly, decisionContext(options)) : undefined;
    },
    problems: () => {
      const { failures } = must(holder.assembly, "a session has a network");
      return failures.any ? failures.problems() : [];
    },
    failedRules: () => lastingFailures(holder),
    runBegan: () => must(holder.assembly, "a session has a network").failures.runBegan(),
    runEnded: () => must(holder.assembly, "a session has a network").failures.runEnded(),
  };
}

/** Returns what pipelines decide with: the clock and the audit of the host. */
export function decisionContext({ now, audit }: OpenOptions): DecisionContext {
  return { now: now ?? (() => performance.now()), audit };
}

/** The clock of the host and the one of the machine: the longer time counts. */
function deadlineOf({ checkDeadline: ms, now, realTime }: OpenOptions): Deadline | undefined {
  if (ms === undefined) return undefined;
  const real = realTime ?? ((): number => performance.now());
  return { ms, stopwatch: new Stopwatch(now === undefined ? [real] : [now, real]) };
}

/**
 * Rules and judges that are in doubt though nothing switched them off here. A function that fails where something is judged
 * makes that unknown, and the outcome says so; but who reads the outcome would have read another one.
 */
function doubtsOf({ carried, assembly }: Holder, unfinished: Unfinished | undefined): readonly RuleInDoubt[] {
  if (assembly === undefined || (!assembly.failures.any && unfinished === undefined)) return carried;
  return [
    ...carried,
    ...failedDoubts(assembly),
    ...(unfinished === undefined ? [] : waitingDoubts(assembly, unfinished)),
  ];
}

function failedDoubts(assembly: Assembly): RuleInDoubt[] {
  if (!assembly.failures.any) return [];
  const failed = assembly.failures.doubts().filter(({ rule }) => !isDecided(assembly, rule));
  return failed.map(({ rule, reason }) => ({ rule, reason: failedWords(rule, reason), switchedOff: false }));
}

/** Rules that wait since a run stopped have not written what they write, and the results of judges are as old. */
function waitingDoubts({ gates, flows, guardians }: Assembly, { code, rules }: Unfinished): RuleInDoubt[] {
  const waiting = Array.from(rules, (rule) => ({
    rule,
    reason: `${ruleWords(rule)} is still waiting to fire (the run stopped: ${code})`,
    switchedOff: false,
  }));
  const names = (kind: string, judges: ReadonlyMap<string, unknown>): string[] =>
    Array.from(judges.keys(), (name) => `${kind} "${name}"`);
  const judges = [...names("gate", gates), ...names("flow", flows), ...names("guardian", guardians)];
  const results = judges.map((rule) => ({
    rule,
    reason: `the results of ${rule} are out of date (the run stopped: ${code})`,
    switchedOff: false,
  }));
  return [...waiting, ...results];
}

/** A gate can be decided by other parts of its requirement: then no answer of the function makes a difference. */
function isDecided({ gates }: Assembly, rule: string): boolean {
  const [, gate] = /^gate "([^]*)"$/u.exec(rule) ?? [];
  return gate !== undefined && gates.get(gate)?.isUndecided === false;
}

function failedWords(rule: string, call: string): string {
  const what = isJudge(rule) ? "could not be decided" : "could not be tested for all facts";
  return `${ruleWords(rule)} ${what} (E521: ${call})`;
}

/** What was in doubt stays so: the facts were made without these rules. */
export function carriedBy(snapshot: Snapshot | undefined): readonly RuleInDoubt[] {
  const { limits, failed = [] } = doubtsIn(snapshot);
  const off = limits.flatMap(({ rules, pattern, limit }) =>
    rules.map((rule) => ({ rule, reason: switchedOffWords(rule, pattern, limit), switchedOff: true })),
  );
  return [...off, ...failed.map(({ rule, reason }) => ({ rule, reason, switchedOff: false }))];
}

/** Those of this session and of the one that it was restored from. */
function lastingFailures({ carried, assembly }: Holder): readonly FailedRule[] {
  const before = carried.filter(({ switchedOff }) => !switchedOff).map(({ rule, reason }) => ({ rule, reason }));
  const own = assembly?.failures.any === true ? assembly.failures.lasting() : [];
  return [...before, ...own.map(({ rule, reason }) => ({ rule, reason: failedWords(rule, reason) }))];
}

/** The limit is that of the program the session goes on with. */
function overflowOf(site: NetworkContext, holder: Holder): (rules: readonly string[], pattern: string) => void {
  return (rules, pattern) => site.overflowed({ rules, pattern, limit: holder.program.limits.liveMatches });
}
