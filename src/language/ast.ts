/**
 * The tree of a `.tsd` file, in the order in which it was written.
 *
 * Every node has its span. Nothing is resolved here: a bare name is a `path` until the checker decides what it names.
 * `legacy`, where present, names the old syntax that was parsed (see legacy.ts).
 */
import type { Span } from "../base/span.ts";

export interface Ident {
  readonly name: string;
  readonly span: Span;
}

/** A name that may also be written as a string: `rule adult`, `rule "adult"`. */
export interface Label extends Ident {
  readonly quoted: boolean;
}

export type LegacySpelling =
  "unnamed-rule" | "angle-type" | "cast" | "assert" | "equals" | "when-slash" | "braces" | "inner-name";

interface Node<Kind extends string> {
  readonly kind: Kind;
  readonly span: Span;
}

// ---------------------------------------------------------------- expressions

export type Expr =
  | TextExpr
  | NumberExpr
  | BoolExpr
  | ListExpr
  | PathExpr
  | CallExpr
  | NegateExpr
  | NotExpr
  | ChainExpr
  | CompareExpr
  | InExpr
  | ContainsExpr
  | LikeExpr
  | MatchesExpr
  | PresenceExpr
  | LogicExpr
  | CastExpr
  | QuorumExpr
  | FactQuorumExpr
  | ExistsExpr
  | ExistsInExpr
  | AggregateInExpr
  | OutcomeExpr;

/** A value: an expression or an object. */
export type Value = Expr | ObjectExpr;

export interface TextExpr extends Node<"text"> {
  readonly value: string;
}
export interface NumberExpr extends Node<"number"> {
  readonly value: number;
}
export interface BoolExpr extends Node<"bool"> {
  readonly value: boolean;
}
export interface ListExpr extends Node<"list"> {
  readonly items: readonly Value[];
}
export interface ObjectExpr extends Node<"object"> {
  readonly entries: readonly Entry[];
}
export interface Entry {
  readonly name: Ident;
  readonly value: Value;
  readonly span: Span;
}
/** `age`, `p`, `p.age`, `o.buyer.name`: what it names is decided by the checker. */
export interface PathExpr extends Node<"path"> {
  readonly root: Ident;
  readonly fields: readonly Ident[];
}
export interface CallExpr extends Node<"call"> {
  readonly name: Ident;
  readonly args: readonly Value[];
}
interface NegateExpr extends Node<"negate"> {
  readonly operand: Expr;
}
export interface NotExpr extends Node<"not"> {
  readonly operand: Expr;
}
export type SumOp = "+" | "-";
export type ProductOp = "*" | "/" | "%";
/** `a + b - c` or `a * b / c`: operators of one precedence, from left to right; ops has one entry less than items. */
export interface ChainExpr extends Node<"chain"> {
  readonly items: readonly Expr[];
  readonly ops: readonly (SumOp | ProductOp)[];
}
export type Comparator = "==" | "!=" | "<" | "<=" | ">" | ">=";
export interface CompareExpr extends Node<"compare"> {
  readonly op: Comparator;
  readonly left: Expr;
  readonly right: Expr;
}
export interface InExpr extends Node<"in"> {
  readonly left: Expr;
  readonly right: Expr;
  readonly negated: boolean;
}
export interface ContainsExpr extends Node<"contains"> {
  readonly left: Expr;
  readonly right: Expr;
  /** True for `contains any`: at least one of the right side's items. */
  readonly any: boolean;
}
export interface LikeExpr extends Node<"like"> {
  readonly left: Expr;
  readonly pattern: Expr;
}
export interface MatchesExpr extends Node<"matches"> {
  readonly left: Expr;
  readonly pattern: TextExpr;
}
export interface PresenceExpr extends Node<"presence"> {
  readonly operand: Expr;
  readonly missing: boolean;
}
/** `a and b and c`, `a or b`; also `all(…)` and `any(…)`, which are the same written as lists. */
export interface LogicExpr extends Node<"logic"> {
  readonly op: "and" | "or";
  readonly items: readonly Expr[];
  readonly listed: boolean;
}
export type CastTarget = "number" | "string" | "bool";
export interface CastExpr extends Node<"cast"> {
  readonly to: CastTarget;
  readonly operand: Expr;
  readonly legacy?: LegacySpelling;
}
/** `at least 2 of (a, b, c)`. */
export interface QuorumExpr extends Node<"quorum"> {
  readonly count: NumberExpr;
  readonly items: readonly Expr[];
}
/** `at least 2 of a: Approval(…) : a.ok == true`; the test may be a condition, asked about each fact. */
export interface FactQuorumExpr extends Node<"fact-quorum"> {
  readonly count: NumberExpr;
  /** Whether it is `of all`: the facts that exist are all there will be. */
  readonly closed: boolean;
  readonly pattern: Pattern;
  readonly test: Expr;
}
/** `exists Blocked(release == r.id)` where a condition is expected. */
export interface ExistsExpr extends Node<"exists"> {
  readonly pattern: Pattern;
}
/** `EXISTS(o: Order / o.buyer == p)`, the slash form's own. */
export interface ExistsInExpr extends Node<"exists-in"> {
  readonly sources: readonly SourceVar[];
  readonly test: Expr | null;
  readonly legacy?: LegacySpelling;
}
/** `AVG(e: Emp / e.dept == d.id ; e.salary)`. */
export interface AggregateInExpr extends Node<"aggregate-in"> {
  readonly name: Ident;
  readonly sources: readonly SourceVar[];
  readonly test: Expr | null;
  readonly value: Expr | null;
  readonly legacy?: LegacySpelling;
}
/** `gate budget(q) passes`, `guardian answer(d) fails`. */
export interface OutcomeExpr extends Node<"outcome"> {
  readonly of: "gate" | "guardian";
  readonly name: Label;
  readonly args: readonly Expr[];
  readonly outcome: GateOutcome;
}

// ---------------------------------------------------------------- conditional elements

export type Element = Pattern | AbsenceElement | OrElement | ForallElement | AggregateElement | WhereElement;

/** `v: Type(test, test)`. */
export interface Pattern extends Node<"pattern"> {
  readonly variable: Ident | null;
  readonly type: Ident;
  readonly tests: readonly Expr[];
}
/** `not (…)` and `exists (…)` over one or several elements. */
export interface AbsenceElement extends Node<"absence"> {
  readonly quantifier: "not" | "exists";
  readonly elements: readonly Element[];
}
export interface OrElement extends Node<"or"> {
  readonly alternatives: readonly (readonly Element[])[];
}
export interface ForallElement extends Node<"forall"> {
  readonly pattern: Pattern;
  readonly test: Expr;
}
export interface AggregateElement extends Node<"aggregate"> {
  readonly name: Ident;
  readonly fn: Ident;
  readonly value: Expr | null;
  readonly pattern: Pattern;
}
export interface WhereElement extends Node<"where"> {
  readonly test: Expr;
}

// ---------------------------------------------------------------- actions

export type Action =
  | CallAction
  | InsertAction
  | UpdateAction
  | AssignAction
  | RetractAction
  | HaltAction
  | XupleAction
  | DecideAction
  | VerifyAction;

export interface CallAction extends Node<"call"> {
  readonly name: Ident;
  readonly args: readonly Value[];
}
export interface InsertAction extends Node<"insert"> {
  readonly logical: boolean;
  readonly fact: FactLiteral;
}
export interface UpdateAction extends Node<"update"> {
  readonly target: PathExpr;
  readonly changes: ObjectExpr;
}
/** `p.status = "Gold"`: the path has at least one field. */
export interface AssignAction extends Node<"assign"> {
  readonly target: PathExpr;
  readonly value: Value;
}
export interface RetractAction extends Node<"retract"> {
  readonly target: PathExpr;
}
export type HaltAction = Node<"halt">;
export interface XupleAction extends Node<"xuple"> {
  readonly space: TextExpr;
  /** A new fact, or a fact that the rule has matched. */
  readonly fact: FactLiteral | PathExpr;
}
export interface DecideAction extends Node<"decide"> {
  readonly gate: Label;
  readonly args: readonly Expr[];
}
export interface VerifyAction extends Node<"verify"> {
  readonly guardian: Label;
  readonly args: readonly Expr[];
}

/** `Person("p2", "Alice", 17)` or `Person(id: "p2", …)`. */
export interface FactLiteral extends Node<"fact-literal"> {
  readonly type: Ident;
  readonly args: readonly FactArg[];
}
export interface FactArg {
  readonly name: Ident | null;
  readonly value: Value;
  readonly span: Span;
  readonly legacy?: LegacySpelling;
}

// ---------------------------------------------------------------- declarations

export type Declaration =
  | TypeDecl
  | FactDecl
  | ActionDecl
  | RuleDecl
  | ConditionDecl
  | GateDecl
  | FlowDecl
  | GuardianDecl
  | UseDecl
  | PipelineDecl
  | ListDecl
  | QueryDecl
  | TestDecl
  | ImportDecl
  | OptionDecl
  | RemoveRuleDecl
  | RemoveFactDecl
  | ResetDecl
  | XupleSpaceDecl;

export type TypeRef = NamedTypeRef | ListTypeRef | UnionTypeRef;
export interface NamedTypeRef extends Node<"named"> {
  readonly name: string;
}
export interface ListTypeRef extends Node<"list-of"> {
  readonly item: TypeRef;
}
export interface UnionTypeRef extends Node<"union"> {
  readonly options: readonly TextExpr[];
}

export interface TypeDecl extends Node<"type"> {
  readonly name: Ident;
  readonly fields: readonly FieldDecl[];
  /** True when only the program and policy files can state its facts. */
  readonly protected: boolean;
  readonly legacy?: LegacySpelling;
}
/** A field of a type, or a parameter of an action, condition or query (never a key there). */
export interface FieldDecl {
  readonly name: Ident;
  readonly key: boolean;
  readonly type: TypeRef;
  readonly optional: boolean;
  readonly default: Value | null;
  readonly span: Span;
}
export interface FactDecl extends Node<"fact"> {
  readonly name: Ident | null;
  readonly fact: FactLiteral;
  readonly legacy?: LegacySpelling;
}
export interface ActionDecl extends Node<"action"> {
  readonly name: Ident;
  readonly params: readonly FieldDecl[];
}

export interface RuleDecl extends Node<"rule"> {
  readonly name: Label;
  readonly attributes: readonly Attribute[];
  readonly body: BlockBody | SlashBody;
  readonly legacy?: LegacySpelling;
}
export type Attribute = SalienceAttribute | NoLoopAttribute | GroupAttribute | DisabledAttribute;
export interface SalienceAttribute extends Node<"salience"> {
  readonly value: number;
}
export type NoLoopAttribute = Node<"no-loop">;
export interface GroupAttribute extends Node<"group"> {
  readonly name: string;
}
export type DisabledAttribute = Node<"disabled">;
export interface BlockBody extends Node<"block"> {
  readonly elements: readonly Element[];
  readonly actions: readonly Action[];
  readonly legacy?: LegacySpelling;
}
/** `{p: Person, m: AVG(e.salary)} / {e: Emp} / test ==> actions`. */
export interface SlashBody extends Node<"slash"> {
  /** One list per pair of braces; every variable of every list counts. */
  readonly sources: readonly (readonly (SourceVar | AggregateSource)[])[];
  readonly test: Expr | null;
  readonly actions: readonly Action[];
}
/** `p: Person`, one variable of the slash form. */
export interface SourceVar extends Node<"source"> {
  readonly variable: Ident;
  readonly type: Ident;
}
/** `m: AVG(e.salary)`. */
export interface AggregateSource extends Node<"aggregate-source"> {
  readonly variable: Ident;
  readonly fn: Ident;
  readonly value: Expr;
}

export interface ConditionDecl extends Node<"condition"> {
  readonly name: Ident;
  readonly params: readonly FieldDecl[];
  readonly test: Expr;
  readonly evidence: Evidence | null;
}
export interface Evidence extends Node<"evidence"> {
  readonly mode: "agree" | "any" | "every" | "latest" | "any latest" | "every latest";
  readonly pattern: Pattern;
  readonly by: PathExpr | null;
  /** `per c.name`: the newest fact of each group counts. */
  readonly per: PathExpr | null;
}

export type GateOutcome = "pass" | "hold" | "fail";
export interface GateDecl extends Node<"gate"> {
  readonly name: Label;
  readonly subject: Pattern | null;
  readonly settings: readonly GateSetting[];
  readonly reactions: readonly GateReaction[];
}
export type GateSetting = RequireSetting | LogicSetting | TrustSetting | TrustFieldSetting;
export interface RequireSetting extends Node<"require"> {
  readonly test: Expr | null;
}
export interface LogicSetting extends Node<"logic-of"> {
  readonly logic: "kleene" | "bochvar";
}
export interface TrustSetting extends Node<"trust"> {
  readonly level: "asserted" | "verified";
}
export interface TrustFieldSetting extends Node<"trust-field"> {
  readonly field: Ident;
}
export interface GateReaction extends Node<"gate-reaction"> {
  readonly outcome: GateOutcome;
  readonly actions: readonly Action[];
}

export interface FlowDecl extends Node<"flow"> {
  readonly name: Label;
  readonly subject: Pattern | null;
  readonly stages: readonly StageDecl[];
}
export interface StageDecl extends Node<"stage"> {
  readonly name: Ident;
  readonly final: boolean;
  readonly decide: DecideAction | null;
  readonly branches: readonly Branch[];
}
/** `on pass goto ship`, `otherwise goto deny`, `always goto next-one`; `always` alone goes to the stage that follows. */
export interface Branch extends Node<"branch"> {
  readonly on: GateOutcome | "otherwise" | "always";
  readonly goto: Ident | null;
}

export type VerdictName = "PASS" | "RETRY" | "FAIL";
export interface GuardianDecl extends Node<"guardian"> {
  readonly name: Label;
  readonly subject: Pattern;
  readonly settings: readonly GuardianSetting[];
  readonly checks: readonly CheckDecl[];
  readonly reactions: readonly VerdictReaction[];
}
export type GuardianSetting = TrackSetting | RetrySetting | ReportSetting;
export interface TrackSetting extends Node<"track"> {
  readonly value: Expr;
}
export interface RetrySetting extends Node<"retry"> {
  readonly most: number;
}
/** `report all`: a verdict has the reasons of every line that does not pass. */
export type ReportSetting = Node<"report">;
export interface CheckDecl extends Node<"check"> {
  readonly name: Ident;
  readonly modifiers: readonly CheckModifier[];
  readonly lines: readonly CheckLine[];
}
export type CheckModifier =
  OnTrack | RiskModifier | ExitModifier | NeverRetryModifier | UsingModifier | WhenModifier | UnlessModifier;
export interface OnTrack extends Node<"on-track"> {
  readonly track: Ident;
}
export interface RiskModifier extends Node<"risk"> {
  readonly level: "high" | "med" | "low";
}
export interface ExitModifier extends Node<"exit"> {
  readonly action: Ident;
}
export type NeverRetryModifier = Node<"never-retry">;
export interface UsingModifier extends Node<"using"> {
  readonly pattern: Pattern;
}
export interface WhenModifier extends Node<"when"> {
  readonly test: Expr;
}
export interface UnlessModifier extends Node<"unless"> {
  readonly test: Expr;
}
export interface CheckLine extends Node<"line"> {
  readonly track: OnTrack | null;
  /** `warn` and `flag` lines decide nothing: they add a remark to a verdict that passes. */
  readonly polarity: "need" | "forbid" | "warn" | "flag";
  readonly test: Expr;
  readonly limits: readonly (WhenModifier | UnlessModifier)[];
  /** `as "code"`: what programs switch on. */
  readonly reason: TextExpr;
  /** `says "…"`: the same for people, as a sentence; null without one. */
  readonly sentence: TextExpr | null;
  readonly actions: readonly Ident[];
}
export interface VerdictReaction extends Node<"verdict-reaction"> {
  readonly verdict: VerdictName;
  readonly actions: readonly Action[];
}
export interface UseDecl extends Node<"use"> {
  readonly name: Ident;
}

export type StepAction = "ALLOW" | "NOTE" | "BLOCK" | "ANSWER" | "FORWARD" | "ERROR";
export interface PipelineDecl extends Node<"pipeline"> {
  readonly name: Label;
  readonly subject: Pattern;
  readonly items: readonly PipelineItem[];
}
export type PipelineItem = BorderItem | StepItem | OtherwiseItem | AuditItem;
/** `before <test> else BLOCK "…"` and `after <test> else BLOCK "…"`. */
export interface BorderItem extends Node<"before" | "after"> {
  readonly test: Expr;
  readonly action: StepAction;
  readonly value: Expr | null;
}
export interface StepItem extends Node<"step"> {
  readonly name: Ident;
  readonly action: StepAction;
  readonly value: Expr | null;
  readonly when: StepCondition | null;
  readonly unless: Expr | null;
}
/** A test, or patterns whose variables the step's value may use. */
export type StepCondition = TestCondition | PatternCondition;
export interface TestCondition extends Node<"test-condition"> {
  readonly test: Expr;
}
export interface PatternCondition extends Node<"pattern-condition"> {
  readonly elements: readonly Element[];
}
export interface OtherwiseItem extends Node<"otherwise"> {
  readonly action: StepAction;
  readonly value: Expr | null;
}
export interface AuditItem extends Node<"audit"> {
  readonly to: string;
}

export interface ListDecl extends Node<"list-decl"> {
  readonly name: Ident;
  readonly items: readonly Value[];
}
export interface QueryDecl extends Node<"query"> {
  readonly name: Ident;
  readonly params: readonly FieldDecl[];
  readonly elements: readonly Element[];
}
export interface TestDecl extends Node<"test"> {
  readonly name: Label;
  readonly items: readonly TestItem[];
}
export type TestItem =
  GivenItem | ExpectRule | ExpectEffect | ExpectGate | ExpectVerdict | ExpectDecision | ExpectFacts;
export interface GivenItem extends Node<"given"> {
  readonly name: Ident | null;
  readonly fact: FactLiteral;
}
/** `expect rule`; without a number (`times` null), at least one firing is expected. */
export interface ExpectRule extends Node<"expect-rule"> {
  readonly rule: Label;
  readonly times: number | null;
}
export interface ExpectEffect extends Node<"expect-effect"> {
  readonly effect: CallAction;
}
export interface ExpectGate extends Node<"expect-gate"> {
  readonly gate: Label;
  readonly args: readonly Expr[];
  readonly outcome: GateOutcome;
}
export interface ExpectVerdict extends Node<"expect-verdict"> {
  readonly guardian: Label;
  readonly args: readonly Expr[];
  readonly verdict: VerdictName;
}
export interface ExpectDecision extends Node<"expect-decision"> {
  readonly pipeline: Label;
  readonly args: readonly Expr[];
  readonly decision: StepAction;
}
/** `expect no Alert(…)`, `expect 2 Alert(…)`, `expect Alert(…)` (count null: at least one). */
export interface ExpectFacts extends Node<"expect-facts"> {
  readonly count: number | null;
  readonly pattern: Pattern;
}

export interface ImportDecl extends Node<"import"> {
  readonly path: TextExpr;
}
export interface OptionDecl extends Node<"option"> {
  readonly name: Ident;
  readonly value: Ident | NumberExpr;
}
export interface RemoveRuleDecl extends Node<"remove-rule"> {
  readonly rule: Label;
}
export interface RemoveFactDecl extends Node<"remove-fact"> {
  readonly type: Ident;
  readonly keys: readonly Expr[];
}
export type ResetDecl = Node<"reset">;
export interface XupleSpaceDecl extends Node<"xuple-space"> {
  readonly name: Ident;
  readonly settings: readonly XupleSetting[];
}
export interface XupleSetting extends Node<"xuple-setting"> {
  readonly name: Ident;
  readonly value: Ident | NumberExpr | DurationValue | LimitedValue;
}
/** `limited(3)`. */
export interface LimitedValue extends Node<"limited"> {
  readonly count: number;
}
/** `duration(10m)`. */
export interface DurationValue extends Node<"duration"> {
  readonly text: string;
}
