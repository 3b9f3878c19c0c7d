/**
 * The whole network as plain data: graphs, explanations and `assemble` read it.
 *
 * A match is a chain of levels; level 0 is the empty match at the root, and every node adds one level. Expressions refer to
 * levels, so that two rules with the same beginning have the same expressions and share their nodes.
 */
import type { Comparator } from "../base/comparator.ts";
import type { HostSignature } from "../base/host-types.ts";
import type { TimeKind } from "../base/time.ts";
import type { Value } from "../base/value.ts";
import type { TableData } from "../tables/table.ts";
import type { DecisionPart, Outcome, StepAction } from "../base/answers.ts";
import type { Logic, Requirement, Reading, FlowBranch, Track, CheckRules } from "../base/judging.ts";

/** What a value becomes; a time, or each of a list, its ISO 8601 text, or such a text the time. */
type CastTarget = "number" | "string" | "bool" | `${TimeKind} text` | `${TimeKind} number`;

/**
 * An expression of the plan. It refers to the facts of a match by level, not by name, so that rules with the same
 * beginning share nodes.
 */
export type PlanExpr =
  /** Null is unknown. */
  | { readonly op: "const"; readonly value: Value | null }
  /** `type` says which slots the fact has; undefined when it may be of any type. With `timesAsText` nobody expects a time. */
  | {
      readonly op: "field";
      readonly level: number;
      readonly field: string;
      readonly type: string | undefined;
      readonly timesAsText?: true;
    }
  /** The id of the fact at a level. */
  | { readonly op: "fact"; readonly level: number }
  /** The clock when the expression is evaluated: an instant, or with a zone the date there. */
  | { readonly op: "clock"; readonly zone: string | undefined }
  /** The value of an aggregate or an `exists` at a level. */
  | { readonly op: "value"; readonly level: number }
  /** A field of what `of` refers to: the fact that was looked up at the level, or the property of an object. */
  | {
      readonly op: "step";
      readonly of: PlanExpr;
      readonly level: number;
      readonly field: string;
      readonly type: string | undefined;
      readonly timesAsText?: true;
    }
  /** The same in an action, where the reference is followed when the rule fires. */
  | { readonly op: "follow"; readonly of: PlanExpr; readonly field: string; readonly timesAsText?: true }
  | { readonly op: "not"; readonly of: PlanExpr }
  | { readonly op: "and" | "or"; readonly items: readonly PlanExpr[] }
  | { readonly op: "compare"; readonly by: Comparator; readonly left: PlanExpr; readonly right: PlanExpr }
  | { readonly op: "in"; readonly left: PlanExpr; readonly right: PlanExpr }
  | {
      readonly op: "contains";
      readonly left: PlanExpr;
      readonly right: PlanExpr;
      readonly any: boolean;
      readonly all?: true;
    }
  | { readonly op: "like"; readonly left: PlanExpr; readonly pattern: PlanExpr }
  | { readonly op: "matches"; readonly left: PlanExpr; readonly pattern: string }
  | { readonly op: "missing"; readonly of: PlanExpr }
  /** True unless `of` is true: what `forall` looks for. */
  | { readonly op: "nottrue"; readonly of: PlanExpr }
  | { readonly op: "chain"; readonly items: readonly PlanExpr[]; readonly ops: readonly string[] }
  | { readonly op: "negate"; readonly of: PlanExpr }
  | { readonly op: "cast"; readonly to: CastTarget; readonly of: PlanExpr }
  /** One of two values; unknown while the test is. */
  | { readonly op: "if"; readonly test: PlanExpr; readonly whenTrue: PlanExpr; readonly whenFalse: PlanExpr }
  /** What goes into a function of the host, and what it returns, is compared with its signature. */
  | {
      readonly op: "call";
      readonly name: string;
      readonly args: readonly PlanExpr[];
      readonly signature: HostSignature;
    }
  /** What a decision table of the plan gives for inputs: a row, or a single value. `computed` are the outputs that are no constants. */
  | {
      readonly op: "table";
      readonly table: string;
      readonly inputs: readonly PlanExpr[];
      readonly computed: readonly PlanExpr[];
    }
  /** What is missing for a gate to open, as strings; `subject` is the id of its subject. */
  | { readonly op: "unmet"; readonly gate: string; readonly subject: PlanExpr }
  /**
   * Whether a gate or guardian has this outcome for a subject, when the expression is evaluated. While a gate holds, it is
   * unknown whether it passes or fails.
   */
  | {
      readonly op: "outcome";
      readonly of: "gate" | "guardian";
      readonly name: string;
      readonly outcome: Outcome;
      readonly subject: PlanExpr;
    }
  /** A part of the decision that an `after` looks at; missing where the decision has no such part. */
  | { readonly op: "decided"; readonly part: DecisionPart }
  | { readonly op: "list"; readonly items: readonly PlanExpr[] }
  /** Whether a test is true of one item, or of all. `depth` counts the loops around its items, from 1. */
  | {
      readonly op: "each";
      readonly quantifier: "any" | "all";
      readonly depth: number;
      readonly list: PlanExpr;
      readonly test: PlanExpr;
    }
  /** A value for each item of which the test is true; unknown while the test is unknown of one. */
  | {
      readonly op: "collect";
      readonly depth: number;
      readonly list: PlanExpr;
      readonly test?: PlanExpr;
      readonly value: PlanExpr;
    }
  /** The item that the loop at a depth is at. */
  | { readonly op: "item"; readonly depth: number }
  /** The item at a place, counted from 0; unknown outside the list. */
  | { readonly op: "at"; readonly list: PlanExpr; readonly index: PlanExpr }
  /** A field of a value; unknown where the value has no such field. */
  | { readonly op: "property"; readonly of: PlanExpr; readonly field: string }
  | { readonly op: "object"; readonly entries: readonly { readonly name: string; readonly value: PlanExpr }[] };

interface PlanNodeBase {
  readonly id: number;
  /** What the node does, in canonical words; together with its inputs it decides sharing. */
  readonly text: string;
  /** `alpha_` or another kind, and 16 hex digits of the hash of its canonical text and the names of its inputs. */
  readonly name: string;
  /** The rules that depend on this node. */
  readonly rules: string[];
}

/** Facts that pass a test; `input` is another alpha node, or undefined for all facts of the type. */
export interface AlphaPlan extends PlanNodeBase {
  readonly kind: "alpha";
  readonly type: string;
  readonly input: number | undefined;
  /** Over the fact at level 0. */
  readonly test: PlanExpr;
}

/** A value known before a new fact, with which a test compares a field of the fact. */
export interface BoundPlan {
  readonly value: PlanExpr;
  /** Whether the test is false of the value itself. */
  readonly excluded: boolean;
}

/** What tests of a join demand of one field of the new fact. The tests decide; the bounds say which facts are worth trying. */
export interface RangePlan {
  readonly field: PlanExpr;
  readonly from: BoundPlan | undefined;
  readonly to: BoundPlan | undefined;
}

/** Extends matches by facts. `left` undefined is the root; `right` undefined is all facts of the type. */
export interface JoinPlan extends PlanNodeBase {
  readonly kind: "join";
  readonly left: number | undefined;
  readonly type: string;
  readonly right: number | undefined;
  /** The level of the fact that is added. */
  readonly level: number;
  /** The pattern as its first author began it: `o: Order`. */
  readonly words: string;
  /** Equalities: a field of the new fact, and what it must equal. */
  readonly keys: readonly { readonly field: PlanExpr; readonly equals: PlanExpr }[];
  readonly tests: readonly PlanExpr[];
  /** Bounds that follow from the tests; undefined where no test compares a field of the new fact with something known before it. */
  readonly range: RangePlan | undefined;
}

/** Follows a reference: adds the fact it leads to, or nothing when there is none. */
export interface LookupPlan extends PlanNodeBase {
  readonly kind: "lookup";
  readonly left: number | undefined;
  readonly level: number;
  readonly of: PlanExpr;
  /** The declared type of the reference; undefined when any will do. */
  readonly type: string | undefined;
}

/** Passes the matches for which a test is true. */
export interface FilterPlan extends PlanNodeBase {
  readonly kind: "filter";
  readonly left: number | undefined;
  readonly level: number;
  readonly test: PlanExpr;
}

/** Adds a value with a name; unknown where its expression is. */
export interface LetPlan extends PlanNodeBase {
  readonly kind: "let";
  readonly left: number | undefined;
  readonly level: number;
  readonly value: PlanExpr;
  /** The name that its first author gave it. */
  readonly words: string;
}

/** Extends matches by the items of a list: one match for each place in it. */
export interface ItemsPlan extends PlanNodeBase {
  readonly kind: "items";
  readonly left: number | undefined;
  readonly level: number;
  readonly list: PlanExpr;
  /** Whether a list that is unknown is passed on as one item that is unknown, or the match does not pass. */
  readonly passUnknown: boolean;
  /** The name that its first author gave the items. */
  readonly words: string;
}

/** An end of a span of time. */
export interface SpanEndPlan {
  /** An instant, or with a zone a date. */
  readonly at: PlanExpr;
  readonly zone: string | undefined;
  /** True when the span ends, or begins, right after the instant or date; false when it does so with it. */
  readonly after: boolean;
}

/** Adds whether the clock is inside a span of time; the value turns when the clock reaches an end of the span. */
export interface TimerPlan extends PlanNodeBase {
  readonly kind: "timer";
  readonly left: number | undefined;
  readonly level: number;
  readonly from: SpanEndPlan;
  /** Undefined for a span without end. */
  readonly until: SpanEndPlan | undefined;
  /** The values inside and outside the span; null is unknown. */
  readonly inside: boolean | null;
  readonly outside: boolean | null;
  /** The test as its first author wrote it. */
  readonly words: string;
}

/**
 * Passes the matches whose fact is among the last ones of those that were found for one match further up, and adds that it is: true, or
 * unknown where it may be. The others are left out.
 */
export interface LastPlan extends PlanNodeBase {
  readonly kind: "last";
  readonly left: number | undefined;
  readonly level: number;
  /** The level of the match for which facts are counted: those of each are counted apart. */
  readonly from: number;
  /** The level of the fact that is counted. */
  readonly fact: number;
  /** How many facts; over the match further up. */
  readonly count: PlanExpr;
  /** What orders the facts; undefined where they are in the order in which they were asserted. */
  readonly key: PlanExpr | undefined;
  /** What must be true of a match so that it is counted; undefined where all are. */
  readonly fits: FitPlan | undefined;
  /** Whether a match that may be among the last ones is passed on as unknown, or does not pass. */
  readonly passUnknown: boolean;
  /** The window as its first author wrote it. */
  readonly words: string;
}

/**
 * `not`, `exists`, `exists-value` (an `exists` inside a test), a name of EVIDENCE_READINGS (a condition inside a test), or the
 * name of an aggregate in functions/aggregates.ts.
 */
export type AggregateFunction = string;

/** Adds one value, or none, for all matches that the inner nodes find for a match. */
export interface AggregatePlan extends PlanNodeBase {
  readonly kind: "aggregate";
  readonly left: number | undefined;
  readonly level: number;
  /** The ends of the inner chains; several for alternatives. */
  readonly inner: readonly number[];
  readonly aggregate: AggregateFunction;
  /** Over the inner match. */
  readonly value: PlanExpr | undefined;
  /** Whether an unknown result is passed on as unknown, or the match does not pass. */
  readonly passUnknown: boolean;
  /** Whether what the inner chains find really fits, for each of them; undefined where all of it does. */
  readonly fits: readonly (FitPlan | undefined)[] | undefined;
  /** The condition that it is the value of, as its first author wrote it; undefined for other aggregates. */
  readonly asked?: string | undefined;
}

/** What must be true of a match so that it counts: false is as if it were not there, unknown is that it may be there. */
export interface FitPlan {
  readonly test: PlanExpr;
  /** The level of the match. */
  readonly level: number;
  /** The level of the fact that was looked for; undefined where nothing can be looked for. */
  readonly fact: number | undefined;
  /** True where it is known which facts to look for, and a further one may come: the matches are those whose window is open. */
  readonly open?: true;
}

/** Where a chain ends when it cannot be told which facts there are: a value that they must equal is missing, or one may come. */
export interface GapPlan {
  readonly end: number;
  /** Unknown of every match there. */
  readonly fits: FitPlan;
}

/** Where the matches of a rule arrive: one terminal for each alternative. */
export interface TerminalPlan extends PlanNodeBase {
  readonly kind: "terminal";
  readonly left: number | undefined;
  /** Where the chains of all alternatives of the rule end. */
  readonly ends: readonly (number | undefined)[];
  readonly level: number;
  readonly rule: string;
  /** Which of the rule's layouts the matches that arrive here have. */
  readonly layout: number;
}

/** The value of the evidence for each subject. Several gates over the same subjects share it. */
export interface ConditionPlan extends PlanNodeBase {
  readonly kind: "condition";
  /** Where the chain of the subjects ends; undefined is the root. */
  readonly left: number | undefined;
  /** The level of the subjects' matches. */
  readonly level: number;
  /** Where the evidence chain ends, and the level of its matches. */
  readonly inner: number | undefined;
  readonly innerLevel: number;
  readonly reading: Reading;
  /** Over the match of the evidence chain; undefined where only being there counts, or a condition is asked instead. */
  readonly test: PlanExpr | undefined;
  /** The condition that is asked about each piece of evidence, in place of a test. */
  readonly asked: AskedPlan | undefined;
  readonly by: PlanExpr | undefined;
  /** What the evidence is grouped by; undefined where it is not. */
  readonly per: PlanExpr | undefined;
  /** The test that the evidence is verified; undefined when all evidence counts. */
  readonly trust: PlanExpr | undefined;
  /** Whether what was found is evidence; undefined where all of it is. */
  readonly fits: FitPlan | undefined;
  readonly gaps: readonly GapPlan[];
  /** What is looked for, in words; undefined for a test on the subject alone. */
  readonly wanted: WantedPlan | undefined;
}

/** `at least 2 of all v: Reviewer : approved(r, v.id)`: the condition after the colon. Its subjects are the evidence. */
export interface AskedPlan {
  readonly condition: number;
  /** The condition as written, `approved(r, v.id)`, and what it stands for. */
  readonly text: string;
  readonly definition: string | undefined;
  /** Over the match of the evidence chain. */
  readonly call?: ConditionCall | undefined;
}

/** A named condition with its arguments, over the match that it is asked about. The same call has the same value everywhere in a gate. */
export interface ConditionCall {
  readonly name: string;
  readonly args: readonly PlanExpr[];
}

/** `Approval with release == "r-42", by == "bob"`: values are over the subject's match. */
export interface WantedPlan {
  readonly type: string;
  /** The level of the evidence fact. */
  readonly level: number;
  readonly tests: readonly WantedTest[];
  /** What must also be true of a fact so that a quorum counts it; empty elsewhere. */
  readonly counted: readonly WantedTest[];
  /** The window in which the facts must come, as written; absent where they may come at any time. */
  readonly inTime?: string;
}

/** A test in words, and the value that follows it where it is known from the subject. */
export interface WantedTest {
  readonly text: string;
  readonly value: PlanExpr | undefined;
  /** True when the value is the id of a fact, which sentences name by its label. */
  readonly refers?: true;
}

/** Combines conditions to the outcome of a gate for each subject. */
export interface GatePlan extends PlanNodeBase {
  readonly kind: "gate";
  readonly left: number | undefined;
  readonly level: number;
  readonly gate: string;
  readonly logic: Logic;
  readonly subjectType: string | undefined;
  readonly subjectLevel: number | undefined;
  readonly requirement: Requirement;
  /** The condition of each leaf, and what a named one stands for. */
  readonly leaves: readonly GateLeafPlan[];
}

interface GateLeafPlan {
  readonly condition: number;
  readonly definition: string | undefined;
  readonly call?: ConditionCall | undefined;
}

/** Moves each subject from stage to stage by the outcomes of gates. */
export interface FlowPlan extends PlanNodeBase {
  readonly kind: "flow";
  readonly left: number | undefined;
  readonly level: number;
  readonly flow: string;
  readonly subjectLevel: number | undefined;
  readonly stages: readonly {
    readonly name: string;
    readonly final: boolean;
    /** `subject` undefined for a gate without `for`. */
    readonly decide: { readonly gate: string; readonly subject: PlanExpr | undefined } | undefined;
    readonly branches: readonly FlowBranch[];
  }[];
}

/** What a chain finds for each subject, and the expressions that read it. */
export interface WatchPlan extends PlanNodeBase {
  readonly kind: "watch";
  /** Where the chain of the subjects ends, and the level of its matches. */
  readonly left: number | undefined;
  readonly level: number;
  /** Where the chain ends, and the level of its matches. */
  readonly inner: number | undefined;
  readonly innerLevel: number;
  readonly exprs: readonly PlanExpr[];
  readonly gaps: readonly GapPlan[];
}

/** A text with holes: strings, and expressions for the holes. */
export type PlanText = readonly (string | PlanExpr)[];

/** A test over what a watch finds. */
export interface WatchedTest {
  readonly watch: number;
  readonly level: number;
  readonly test: PlanExpr;
  /** What the values of some levels are, in the author's words. */
  readonly words: readonly { readonly level: number; readonly text: string }[];
}

/** One line of a check: `need`, `forbid`, `warn` or `flag`. */
export interface LinePlan extends WatchedTest {
  readonly polarity: "need" | "forbid" | "warn" | "flag";
  readonly track: Track | undefined;
  /** Of a line that is tested fact by fact: what is looked for, and whether what was found is that. */
  readonly wanted: string | undefined;
  readonly fits: FitPlan | undefined;
  /** Of a line that is tested fact by fact: true when it does not apply, whatever there is to test. */
  readonly off: WatchedTest | undefined;
  readonly reason: PlanText;
  readonly sentence: SentencePlan | undefined;
  readonly actions: readonly string[];
}

/**
 * What a line says in words. It has a watch of its own, after the chain of the line, so that nothing it reads can change what the
 * line finds.
 */
export interface SentencePlan {
  readonly text: PlanText;
  /** Undefined for a sentence without values. */
  readonly watch: number | undefined;
  readonly level: number;
}

/** A check of a guardian with its lines. */
export interface CheckPlan extends CheckRules {
  readonly lines: readonly LinePlan[];
}

/** Judges each subject by checks. */
export interface GuardianPlan extends PlanNodeBase {
  readonly kind: "guardian";
  readonly left: number | undefined;
  readonly level: number;
  readonly guardian: string;
  readonly subjectType: string;
  readonly subjectLevel: number;
  readonly max: number;
  /** Whether a verdict has the reasons of every line that does not pass. */
  readonly reportAll: boolean;
  readonly settings: {
    readonly watch: number;
    readonly level: number;
    readonly track: PlanExpr | undefined;
    readonly attempt: PlanExpr;
  };
  readonly checks: readonly CheckPlan[];
}

/** One alternative of a step: what must be true, and the value that is given then, over the same match. */
export interface AlternativePlan extends WatchedTest {
  readonly value: PlanExpr | undefined;
}

/** A step of a pipeline. */
export interface StepPlan {
  readonly name: string;
  readonly action: StepAction;
  /** True when facts are looked for: nothing found is an answer. */
  readonly looks: boolean;
  /** Its condition as written: what must hold or match, and what must not hold. */
  readonly words: { readonly when: string | undefined; readonly unless: string | undefined };
  /** Several where patterns have alternatives. */
  readonly ways: readonly AlternativePlan[];
}

/** Decides each subject by steps. */
export interface PipelinePlan extends PlanNodeBase {
  readonly kind: "pipeline";
  readonly left: number | undefined;
  readonly level: number;
  readonly pipeline: string;
  readonly subjectType: string;
  readonly subjectLevel: number;
  readonly before: readonly StepPlan[];
  readonly steps: readonly StepPlan[];
  readonly after: readonly StepPlan[];
  readonly otherwise: StepPlan;
  /** The file that decisions are written to. */
  readonly audit: string | undefined;
}

/** A node of the network; `kind` says which. */
export type PlanNode =
  | AlphaPlan
  | JoinPlan
  | LookupPlan
  | FilterPlan
  | LetPlan
  | ItemsPlan
  | TimerPlan
  | LastPlan
  | AggregatePlan
  | TerminalPlan
  | ConditionPlan
  | GatePlan
  | FlowPlan
  | WatchPlan
  | GuardianPlan
  | PipelinePlan;

/** A node before it has an identity. */
export type NewNode = PlanNode extends infer Node
  ? Node extends PlanNode
    ? Omit<Node, "id" | "name" | "rules">
    : never
  : never;

/** A variable of a rule, and the level of its fact or value. */
export type PlanBinding =
  | { readonly name: string; readonly kind: "fact"; readonly level: number }
  | {
      readonly name: string;
      readonly kind: "value";
      readonly level: number;
      /** The kind of the time that the value is, or that its items are. */
      readonly time?: TimeKind;
      /** The kinds of the times that outputs of a row of a decision table are, by name. */
      readonly times?: Readonly<Record<string, TimeKind>>;
    };

/** Where the variables and facts of a rule are in the matches of one alternative, and its actions in those terms. */
export interface Layout {
  readonly bindings: readonly PlanBinding[];
  /** The levels of the facts of patterns, in written order. */
  readonly facts: readonly number[];
  /** The levels of these facts and of the items of lists, in written order. Absent where there are no items. */
  readonly order?: readonly number[];
  readonly actions: readonly PlanAction[];
}

/** An action of a rule. */
export type PlanAction =
  | { readonly kind: "effect"; readonly name: string; readonly args: readonly PlanExpr[] }
  | { readonly kind: "focus"; readonly group: PlanExpr }
  | { readonly kind: "insert"; readonly type: string; readonly logical: boolean; readonly fields: readonly PlanField[] }
  | { readonly kind: "xuple"; readonly space: string; readonly type: string; readonly fields: readonly PlanField[] }
  /** Puts a matched fact into a tuple space. */
  | { readonly kind: "xuple-fact"; readonly space: string; readonly target: PlanExpr }
  | { readonly kind: "update"; readonly target: PlanExpr; readonly fields: readonly PlanField[] }
  | { readonly kind: "retract"; readonly target: PlanExpr }
  | { readonly kind: "decide"; readonly gate: string; readonly subject: PlanExpr | undefined }
  | { readonly kind: "verify"; readonly guardian: string; readonly subject: PlanExpr | undefined }
  | { readonly kind: "halt" };

/** A field and its value in an action. */
export interface PlanField {
  readonly name: string;
  readonly value: PlanExpr;
}

/** A rule of the plan. */
export interface PlanRule {
  /** The name of the rule. */
  readonly name: string;
  /** Its place in the program, counted from 0. */
  readonly order: number;
  /** Its salience: higher fires first. */
  readonly salience: number;
  /** Its group; undefined when it is in none. */
  readonly group: string | undefined;
  /** Whether its own changes do not activate it again. */
  readonly noLoop: boolean;
  /** For each alternative: where the variables and facts are in a match, and the actions. */
  readonly layouts: readonly Layout[];
  /** Whether it is the reaction of a gate or guardian (`on pass then`). */
  readonly reaction?: boolean;
  /** The order in which its patterns are joined; absent where that is the written one. */
  readonly joined?: JoinOrderPlan;
}

/** An order of joining that differs from the written one. Matches and their order of firing do not depend on it. */
export interface JoinOrderPlan {
  /** For each pattern in the order of joining: which of those of the rule it is in written order, counted from 0. */
  readonly places: readonly number[];
  /** The patterns in the order of joining: their variables, or types. */
  readonly patterns: readonly string[];
  /** Why they are not joined in the written order. */
  readonly because: string;
  /** The hash of the rule planned as written: with another order it is the same rule. */
  readonly hash: string;
}

/** The network of a program as plain data. */
export interface Plan {
  /** The nodes. The inputs of a node come before it. */
  readonly nodes: readonly PlanNode[];
  /** The rules, in program order. */
  readonly rules: readonly PlanRule[];
  /** The decision tables, by the name that expressions refer to them with; undefined when there are none. */
  readonly tables?: Readonly<Record<string, TableData>>;
}
