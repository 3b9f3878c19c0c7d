/** What expressions are compiled for, and what the compiled functions can ask of the session of a match or fact. */
import type { Decided, GateAnswer, Outcome, VerdictAnswer } from "../base/answers.ts";
import type { Regex } from "../base/regex.ts";
import type { Maybe } from "../base/value.ts";
import type { PureFunction } from "../functions/built-in.ts";
import type { Clock } from "../rete/clock.ts";
import type { Fact } from "../rete/fact.ts";
import type { FailedCall } from "../rete/failures.ts";
import type { Match } from "../rete/match.ts";
import type { FactLookup } from "../rete/port.ts";
import type { DecisionTable } from "../tables/decide.ts";
import type { ItemCells } from "./list-loops.ts";

/** Returns the value of an expression for a match and the fact beside it. */
export type Evaluate = (match: Match | undefined, fact: Fact | undefined) => Maybe;

/** What an expression is compiled for: the levels of its match and fact, and what it can ask. */
export interface Scope {
  /** The level of the match. */
  readonly matchLevel: number;
  /** The level of the fact beside the match: that of an alpha node or of the right side of a join. */
  readonly factLevel: number | undefined;
  readonly shapes: Slots;
  /** Knows the functions of the host that are meant although a built-in one has their name. */
  readonly functions: Pick<ReadonlyMap<string, unknown>, "has">;
  /** Compiles the patterns of `matches`; undefined when no test needs it. */
  readonly regex: Regex | undefined;
  /** Returns a decision table of the program. */
  readonly table: (key: string) => DecisionTable;
  /** Returns what can be asked of the session that a match or fact belongs to. */
  readonly site: (match: Match | undefined, fact: Fact | undefined) => EvaluationSite;
  /** The decision that an `after` of a pipeline looks at. Absent where there is none. */
  readonly shown?: ShownDecision;
  /** Hears of a function that failed, which makes its value unknown, and of what it was called for. */
  readonly failed: (call: FailedCall, match: Match | undefined, fact: Fact | undefined) => undefined;
  /** Hears that a function of the host is called in the scope. */
  readonly calls?: (name: string) => void;
  /** Returns how many calls failed so far: two counts that differ mean that one failed in between. */
  readonly failures: (match: Match | undefined, fact: Fact | undefined) => number;
  /** Hears that something was divided by zero; the result is unknown. */
  readonly dividedByZero: (match: Match | undefined, fact: Fact | undefined) => void;
  /** Hears of strings that are too long to be joined. */
  readonly tooLong: (match: Match | undefined, fact: Fact | undefined) => void;
  /** The items of the loops around the expression. Absent outside loops. */
  readonly items?: ItemCells;
}

/** What expressions can ask of a session. */
export interface EvaluationSite {
  readonly clock: Clock;
  readonly functions: ReadonlyMap<string, PureFunction>;
  readonly facts: FactLookup;
  readonly gates: GateQueries;
}

/** Where the tests of an `after` find the decision, while it is shown to them. */
export interface ShownDecision {
  current: Decided | undefined;
}

/** Where gates and guardians are asked, by name and the id of the subject. */
export interface GateQueries {
  /** Returns what is missing for a gate to open, as strings. */
  unmet(gate: string, subject: Maybe): Maybe;
  /** Returns the answer of a gate; it does not change when facts do. */
  decide(gate: string, subject: Maybe): GateAnswer;
  /** Returns the verdict of a guardian. */
  verify(guardian: string, subject: Maybe): VerdictAnswer;
  /** Returns an outcome: PASS is pass, RETRY is hold, FAIL is fail. A gate holds what is not its subject. */
  outcome(of: "gate" | "guardian", name: string, subject: Maybe): Outcome;
}

/** The slots of fields by type. */
export interface Slots {
  of(type: string): { slot(field: string): number };
}
