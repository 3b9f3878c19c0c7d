/**
 * The tree of a `.tsd` file, in the order in which it was written.
 *
 * Every node has its span. Nothing is resolved here: a bare name is a `path` until the checker decides what it names.
 * `legacy`, where present, names the old syntax that was parsed (see legacy.ts).
 */
import type { Comparator } from "../base/comparator.ts";
import type { Span } from "../base/span.ts";

export type { Comparator };

export interface Ident {
  readonly name: string;
  /** What stands before the last dot of the name of another file: `billing` in `billing.Invoice`. */
  readonly module?: string;
  /** What the author wrote, in the place of a name of the whole program: how an expression is shown. */
  readonly written?: string;
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
  | TimeExpr
  | AmountExpr
  | ListExpr
  | ComprehensionExpr
  | ItemExpr
  | PropertyExpr
  | ItemTestExpr
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
  | IfExpr
  | QuorumExpr
  | FactQuorumExpr
  | ExistsExpr
  | ExistsInExpr
  | AggregateInExpr
  | RankedExpr
  | OutcomeExpr
  | WaitExpr
  | WithinExpr
  | LastExpr;

/** An expression that is true, false or unknown by its kind; any other has a value. */
export type TestExpr = Exclude<
  Expr,
  {
    kind:
      | "text"
      | "number"
      | "bool"
      | "time"
      | "amount"
      | "list"
      | "comprehension"
      | "item"
      | "property"
      | "path"
      | "call"
      | "negate"
      | "chain"
      | "cast"
      | "aggregate-in"
      | "ranked"
      | "if";
  }
>;

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
/** `@2026-11-16`, `@2026-11-16T09:30:00Z`. */
export interface TimeExpr extends Node<"time"> {
  readonly of: "date" | "instant";
  /** As written, without the `@`. */
  readonly written: string;
  /** Days or milliseconds since 1970; 0 where the checker has reported the literal. */
  readonly value: number;
}
/** `90 days`, `15 min`, `1 month`. */
export interface AmountExpr extends Node<"amount"> {
  readonly of: "duration" | "months";
  readonly amount: number;
  /** The word for the unit, as written. */
  readonly unit: string;
  /** Milliseconds or months. */
  readonly value: number;
}
export interface ListExpr extends Node<"list"> {
  readonly items: readonly Value[];
}
/** `[x.qty * x.price for x in o.lines if x.qty > 0]`. */
export interface ComprehensionExpr extends Node<"comprehension"> {
  readonly value: Value;
  readonly variable: Ident;
  readonly list: Expr;
  readonly test: Expr | null;
}
/** `o.lines[0]`. */
export interface ItemExpr extends Node<"item"> {
  readonly list: Expr;
  readonly at: Expr;
}
/** `o.lines[0].sku`, `first(o.lines).sku`: a field of what is computed. */
export interface PropertyExpr extends Node<"property"> {
  readonly of: Expr;
  readonly field: Ident;
}
/** `any(l in lines : l.qty > 100)`, `all(l in lines : …)`. */
export interface ItemTestExpr extends Node<"item-test"> {
  readonly quantifier: "any" | "all";
  readonly variable: Ident;
  readonly list: Expr;
  readonly test: Expr;
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
  /** True for `$"{a}: {b}"`, which is `"" + a + ": " + b`: the first item is a string. */
  readonly template?: true;
  readonly items: readonly Expr[];
  readonly ops: readonly (SumOp | ProductOp)[];
}
export interface CompareExpr extends Node<"compare"> {
  readonly op: Comparator;
  readonly left: Expr;
  readonly right: Expr;
}
export interface InExpr extends Node<"in"> {
  readonly left: Expr;
  readonly right: Expr | RangeExpr;
  readonly negated: boolean;
  /** The window that the test was written out from: `now - at in [0 ms..10 min)` (check/windows.ts). */
  readonly window?: Window;
}
/** `1..10`, `[1..10]`, and `[18..65)` without its end. */
export interface RangeExpr extends Node<"range"> {
  readonly from: Expr;
  readonly to: Expr;
  /** True when the end is left out. */
  readonly open: boolean;
}
export interface ContainsExpr extends Node<"contains"> {
  readonly left: Expr;
  readonly right: Expr;
  /** True for `contains any`: at least one of the right side's items. */
  readonly any: boolean;
  /** True for `contains all`: every one of the right side's items. */
  readonly all?: true;
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
/** `if a then b else c`. Unknown while `a` is unknown. */
export interface IfExpr extends Node<"if"> {
  readonly test: Expr;
  readonly whenTrue: Expr;
  readonly whenFalse: Expr;
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
  /** Which of the facts count; only where there is one variable. */
  readonly window?: Window;
  readonly legacy?: LegacySpelling;
}
/** `AVG(e: Emp / e.dept == d.id ; e.salary)`. */
export interface AggregateInExpr extends Node<"aggregate-in"> {
  readonly name: Ident;
  readonly sources: readonly SourceVar[];
  readonly test: Expr | null;
  /** Which of the facts count; only where there is one variable. */
  readonly window?: Window;
  readonly value: Expr | null;
  readonly legacy?: LegacySpelling;
}
/** What an aggregate takes of each fact, if it is more than a value: `r.value by r.at`, `3, o.total by o.at`, `95, r.took`. */
export interface RankedExpr extends Node<"ranked"> {
  readonly count: Expr | null;
  readonly value: Expr;
  readonly key: Expr | null;
}
/** `gate budget(q) passes`, `guardian answer(d) fails`. */
export interface OutcomeExpr extends Node<"outcome"> {
  readonly of: "gate" | "guardian";
  readonly name: Label;
  readonly args: readonly Expr[];
  readonly outcome: GateOutcome;
}

/** `wait until r.frozen_until`: unknown before that time, and true from then on. */
export interface WaitExpr extends Node<"wait"> {
  /** An instant, or a date: then from its first instant on. */
  readonly until: Expr;
}

/**
 * `within 30 days after i.issued`, the last test of a pattern: the time of its fact is between both, ends included, and has come. In an
 * aggregate or EXISTS over one variable it is the second part of an `and`.
 */
export interface WithinExpr extends Node<"within"> {
  /** The variable of the fact; null in a pattern without one. */
  readonly variable: Ident | null;
  /** The type of the fact. */
  readonly type: Ident;
  readonly length: Expr;
  readonly side: "after" | "before";
  readonly anchor: Expr;
  /** The field that is its time; null for the time of the type. */
  readonly by: PathExpr | null;
  /** Set where the test is taken apart (plan/within.ts): that the time is in the window, and that it has come. */
  readonly only?: "in window" | "has come";
}

/**
 * `over last 20 by p.at`, a test of a pattern that is written out from its window (check/windows.ts): the fact is among the last of
 * those for which the other tests of the pattern are true. In an aggregate or EXISTS it is a part of an `and`.
 */
export interface LastExpr extends Node<"last"> {
  /** The variable of the fact; null in a pattern, where bare names are its fields. */
  readonly variable: Ident | null;
  /** The type of the fact. */
  readonly type: Ident;
  /** How many facts: a number, or a call that refuses what is no number of facts. */
  readonly count: Expr;
  /** The field that orders the facts; null where they are in the order in which they were asserted. */
  readonly key: PathExpr | null;
  /** That the time of the fact has come, where its key is a time. */
  readonly come: CompareExpr | null;
  /** The window as it is written. */
  readonly window: Window;
}

// ---------------------------------------------------------------- conditional elements

export type Element =
  | Pattern
  | AbsenceElement
  | OrElement
  | ForallElement
  | AggregateElement
  | WhereElement
  | LetElement
  | RowElement
  | ItemsElement;

/** `v: Type(test, test)`. */
export interface Pattern extends Node<"pattern"> {
  readonly variable: Ident | null;
  readonly type: Ident;
  readonly tests: readonly Expr[];
  /** Which of these facts count, by their times. */
  readonly window?: Window;
}
/** `over last 10 min`, `over last 3`, `over last 10 min by p.received`. */
export interface Window extends Node<"window"> {
  /** A duration, or a number of facts. */
  readonly last: Expr;
  /** The field that orders the facts; null for the time of the type, or that of `from … by`. */
  readonly by: PathExpr | null;
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

/**
 * `let net = o.qty * o.price`. It is an element of rules and queries. In actions, conditions, gates, guardians and pipelines it
 * is a name for its expression: the checker puts the expression in its place (check/lets.ts).
 */
export interface LetElement extends Node<"let"> {
  readonly name: Ident;
  readonly value: Expr;
}
/**
 * `q in adults(18)`: a match of a query. Copies of the query's elements follow it in a checked program. Where the name is that of a
 * function, a checked program has an {@link ItemsElement} in its place.
 */
export interface RowElement extends Node<"row"> {
  readonly variable: Ident;
  readonly query: Ident;
  readonly args: readonly Value[];
}

/** `l in o.lines`: one match for each item of a list. */
export interface ItemsElement extends Node<"items"> {
  readonly variable: Ident;
  readonly list: Expr;
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
  | VerifyAction
  | LetElement;

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

/** A statement; a private one declares a name that only its own file knows. */
export type Declaration = AnyDeclaration & { readonly private?: true };

type AnyDeclaration =
  | TypeDecl
  | RecordDecl
  | FactDecl
  | ActionDecl
  | RuleDecl
  | ConditionDecl
  | GateDecl
  | FlowDecl
  | GuardianDecl
  | UseDecl
  | PipelineDecl
  | ConstDecl
  | ParamDecl
  | FunctionDecl
  | AliasDecl
  | QueryDecl
  | TableDecl
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
  /** Strings, or numbers. */
  readonly options: readonly (TextExpr | NumberExpr)[];
}

export interface TypeDecl extends Node<"type"> {
  readonly name: Ident;
  readonly fields: readonly FieldDecl[];
  /** The `...` after the fields: further fields of given facts are ignored. */
  readonly more?: { readonly span: Span };
  /** How long after its time a fact is retracted: `expires 1 hour`. */
  readonly expires?: AmountExpr;
  /** True when only the program and policy files can state its facts. */
  readonly protected: boolean;
  readonly legacy?: LegacySpelling;
}
/** `record Line(sku: string, qty: number)`: a value inside a fact. */
export interface RecordDecl extends Node<"record"> {
  readonly name: Ident;
  readonly fields: readonly FieldDecl[];
  /** The `...` after the fields: further fields of given values are ignored. */
  readonly more?: { readonly span: Span };
}
/** `type Severity = "low" | "high"`: another name for a type of values. */
export interface AliasDecl extends Node<"alias"> {
  readonly name: Ident;
  readonly type: TypeRef;
}
/** A field of a type, or a parameter of an action, condition or query (never a key there). */
export interface FieldDecl {
  readonly name: Ident;
  readonly key: boolean;
  /** Whether it is the time of the fact: `@at: instant`. */
  readonly at?: true;
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
  readonly lets: readonly LetElement[];
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
export type GateSetting = RequireSetting | LogicSetting | TrustSetting | TrustFieldSetting | LetElement;
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
export type GuardianSetting = TrackSetting | RetrySetting | ReportSetting | LetElement;
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
  readonly lets: readonly LetElement[];
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
export type PipelineItem = BorderItem | StepItem | OtherwiseItem | AuditItem | LetElement;
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

/** `const VAT = 0.2`, `list EU = ["FR", "DE"]`: a plain value with a name. */
export interface ConstDecl extends Node<"const"> {
  readonly name: Ident;
  readonly value: Value;
  /** The word that it is written with; `list` takes a list. */
  readonly spelling: "const" | "list" | "param";
  /** The declared type of a parameter; undefined for other constants. */
  readonly type?: TypeRef;
}
/** `param max_amount: number = 1000`: a constant whose value the host can give. */
export interface ParamDecl extends Node<"param"> {
  readonly name: Ident;
  readonly type: TypeRef;
  readonly default: Value | null;
}
/** `function risk(country: string): number`: provided by the host; `function gross(net: number): number = net * 1.2`: computed. */
export interface FunctionDecl extends Node<"function"> {
  readonly name: Ident;
  readonly params: readonly FieldDecl[];
  readonly result: TypeRef;
  /** True for `: number?`: the function may return nothing. */
  readonly optional: boolean;
  /** What it computes; null when the host provides it. */
  readonly body: Expr | null;
}
export interface QueryDecl extends Node<"query"> {
  readonly name: Ident;
  readonly params: readonly FieldDecl[];
  readonly elements: readonly Element[];
}
// ---------------------------------------------------------------- decision tables

/** What a table gives where several rows apply; `collect sum` is `sum`. */
export type TablePolicy = "first" | "unique" | "any" | "sum" | "min" | "max" | "list";

/** `table discount(c: Customer, o: Order) first { … }`, `table vat from "vat.csv" unique`: a function of its parameters, row by row. */
export interface TableDecl extends Node<"table"> {
  readonly name: Ident;
  readonly params: readonly FieldDecl[];
  readonly policy: TablePolicy;
  /** Where the hit policy is written. */
  readonly hit: { readonly span: Span };
  /** What the columns look at. */
  readonly inputs: readonly Expr[];
  readonly outputs: readonly TableOutput[];
  readonly rows: readonly TableRowDecl[];
  /** Where the names of the columns are written. */
  readonly head: { readonly span: Span };
  /** The file that the columns and rows are in; null when they are written here. */
  readonly from: TableFile | null;
}
/** `from "vat.csv"`: the columns and rows of a table are in a CSV file. */
interface TableFile {
  readonly path: TextExpr;
  /** Whether the parameters are written before `from`, and not in the first row of the file. */
  readonly hasParams: boolean;
  /** The file as it was found. Undefined when it was not read: then the table has no columns. Spans inside columns and rows are places in it. */
  readonly file: string | undefined;
}
/** `rate: number`; without a name the only output is the value of the table itself. */
export interface TableOutput {
  readonly name: Ident | null;
  readonly type: TypeRef;
  readonly span: Span;
}
export interface TableRowDecl {
  readonly cells: readonly TableCell[];
  readonly outputs: readonly Expr[];
  readonly span: Span;
}
/** Unary tests, one of which must be true; none for `-`, which any value passes. */
export interface TableCell {
  readonly tests: readonly UnaryTest[];
  readonly span: Span;
}
/** `"gold"` (the operator is `==`), `>= 1000`, `in EU`, `[500..1000)` (the operator is `in`), `not "x"`. */
export interface UnaryTest extends Node<"unary"> {
  readonly op: Comparator | "in";
  readonly right: Expr | RangeExpr;
  readonly negated: boolean;
}

export interface TestDecl extends Node<"test"> {
  readonly name: Label;
  readonly items: readonly TestItem[];
}
export type TestItem =
  | GivenItem
  | GivenCall
  | ClockItem
  | AdvanceItem
  | ExpectRule
  | ExpectEffect
  | ExpectGate
  | ExpectVerdict
  | ExpectDecision
  | ExpectFacts;
/** `clock @2026-11-16T12:00:00Z`: the clock when the test begins. */
export interface ClockItem extends Node<"clock"> {
  readonly at: TimeExpr | AmountExpr;
}
/** `advance 10 min`, `advance @2026-11-16T12:10:00Z`: rules run until then, and a new step of the test begins. */
export interface AdvanceItem extends Node<"advance"> {
  readonly by: TimeExpr | AmountExpr;
}
export interface GivenItem extends Node<"given"> {
  readonly name: Ident | null;
  readonly fact: FactLiteral;
}
/** `given risk("FR", 10) = 0.3`: what a function of the host returns in this test. */
export interface GivenCall extends Node<"given-call"> {
  readonly call: CallExpr;
  readonly value: Value;
}
/** `expect rule`; without a number (`times` null), at least one firing is expected. */
export interface ExpectRule extends Node<"expect-rule"> {
  readonly rule: Label;
  readonly times: number | null;
}
/** `expect effect log("x")`, `expect no effect log("x")`. An absent effect without arguments stands for every call of its action. */
export interface ExpectEffect extends Node<"expect-effect"> {
  readonly isAbsent: boolean;
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
  /** The name of the imported file in `billing.Invoice`; null when its names are merged with those of this file. */
  readonly alias: Ident | null;
}
export interface OptionDecl extends Node<"option"> {
  readonly name: Ident;
  readonly value: Ident | NumberExpr | TextExpr;
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
