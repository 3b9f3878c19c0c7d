/**
 * A session whose facts, questions and actions have the types that `sluice types` writes for a program. Types alone: at run
 * time it is the same session.
 */
import type { Value } from "../base/value.ts";
import type { ActionContext, ActionHandler } from "../session/actions.ts";
import type { FlowAnswer, GateAnswer, PipelineDecision, VerdictAnswer } from "../base/answers.ts";
import type { QuestionArguments } from "../explain/read/context.ts";
import type { Found, Remedy } from "../explain/search/edit.ts";
import type { VerdictRemedy } from "../explain/search/pass.ts";
import type { WhyNot } from "../explain/tell/why-not.ts";
import type { ChangeBy, FactRef, SessionEvents } from "../session/options.ts";
import type { FactHandle, Fired, GateDecision, RunResult, VerdictDecision } from "../session/results.ts";
import type { FactChange, SubmitOptions } from "../session/submissions.ts";
import type { Evaluation, EvaluationOptions, FactInput } from "./evaluate.ts";
import type { OpenOptions, Program } from "./program.ts";
import type { RowDelta } from "./row-delta.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { Session } from "./session.ts";
import type { SubscribeOptions, Subscription, SubscriptionIterator } from "./subscription.ts";

/** The shape of the `Rules` interface that {@link declarations} generates. */
export interface RulesTypes {
  /** For each fact type: `fields` as they are read, `input` as they are asserted, `changes` as they are updated. */
  readonly facts: object;
  /** For each action: the tuple of its arguments. */
  readonly actions: object;
  /** For each function of the host: its type. Absent when there is none, and in declarations of earlier releases. */
  readonly functions?: object;
  /** For each query: its `args`, and the variables of a `row`. */
  readonly queries: object;
  /** For each rule: its variables. */
  readonly rules: object;
  /** For each gate: the type of its subjects. Absent in declarations of earlier releases: then any name is accepted. */
  readonly gates?: object;
  /** For each flow: the type of its subjects. */
  readonly flows?: object;
  /** For each guardian: the type of its subjects. */
  readonly guardians?: object;
  /** For each pipeline: the type of its subjects. */
  readonly pipelines?: object;
  /** The groups of rules, by name. */
  readonly groups?: object;
}

/** The names of one kind of thing in a program; any string where the declarations do not list them. */
type NameOf<Rules extends RulesTypes, Kind extends keyof RulesTypes> = Kind extends keyof Rules
  ? Rules[Kind] extends object
    ? Name<Rules[Kind]>
    : string
  : string;

/** A subject of a gate, flow, guardian or pipeline; any fact where its type is not known. */
type SubjectOf<Rules extends RulesTypes, Kind extends keyof RulesTypes, Of extends string> = Kind extends keyof Rules
  ? Of extends keyof Rules[Kind]
    ? Rules[Kind][Of] extends string
      ? Meant<Rules[Kind][Of]>
      : FactRef
    : FactRef
  : FactRef;

type Name<Of> = keyof Of & string;
type Part<Of, Key extends PropertyKey, What extends PropertyKey> = Key extends keyof Of
  ? What extends keyof Of[Key]
    ? Of[Key][What]
    : never
  : never;

/** The id of a fact of this type, such as `Person~p1`. */
export type IdOf<Type extends string> = `${Type}~${string}`;

/** The handle that a typed `assert` or `upsert` returns. */
export interface HandleOf<Type extends string> extends FactHandle {
  /** The id of the fact. */
  readonly id: IdOf<Type>;
}

/** A reference to a fact as the value of a field: its handle, its id or, for a type with one key, that key. */
export type RefOf<Type extends string, Key = never> = HandleOf<Type> | IdOf<Type> | Key;

/** A fact as the host reads it, with typed fields. */
export interface FactOf<Type extends string, Fields> {
  /** The id of the fact, such as `Person~p1`. */
  readonly id: IdOf<Type>;
  /** The name of its type. */
  readonly type: Type;
  /** Its fields. Missing fields are absent. */
  readonly fields: Fields;
}

type ViewOf<Rules extends RulesTypes, Type extends string> = Type extends string
  ? FactOf<Type, Part<Rules["facts"], Type, "fields">>
  : never;

type Meant<Type extends string> = IdOf<Type> | { readonly id: IdOf<Type> };

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- whether a list of no arguments will do is the question
type Optional<Args> = Record<never, never> extends Args ? [args?: Args] : [args: Args];

/** Facts of a protected type are written in the role `policy` alone. */
type By<Rules extends RulesTypes, Type extends string> =
  Part<Rules["facts"], Type, "protected"> extends never
    ? [by?: ChangeBy]
    : [by: ChangeBy & { readonly role: "policy" }];

/** What a typed session can subscribe to. */
type TargetOf<Rules extends RulesTypes> =
  | { readonly query: Name<Rules["queries"]> }
  | { readonly gate: NameOf<Rules, "gates"> }
  | { readonly type: Name<Rules["facts"]> };

type SubscribedArgs<Rules extends RulesTypes, Target> = Target extends { readonly query: infer Query extends string }
  ? Part<Rules["queries"], Query, "args">
  : Target extends { readonly type: infer Type extends string }
    ? Partial<Part<Rules["facts"], Type, "fields">>
    : Target extends { readonly gate: infer Gate extends string }
      ? { readonly subject?: SubjectOf<Rules, "gates", Gate> }
      : never;

type SubscribedRow<Rules extends RulesTypes, Target> = Target extends { readonly query: infer Query extends string }
  ? Part<Rules["queries"], Query, "row">
  : Target extends { readonly type: infer Type extends string }
    ? ViewOf<Rules, Type>
    : GateAnswer;

interface TypedMethods<Rules extends RulesTypes> {
  assert<Type extends Name<Rules["facts"]>>(
    type: Type,
    fields: Part<Rules["facts"], Type, "input">,
    ...by: By<Rules, Type>
  ): HandleOf<Type>;
  upsert<Type extends Name<Rules["facts"]>>(
    type: Type,
    fields: Upserted<Part<Rules["facts"], Type, "input">, Part<Rules["facts"], Type, "changes">>,
    ...by: By<Rules, Type>
  ): HandleOf<Type>;
  update<Type extends Name<Rules["facts"]>>(
    fact: Meant<Type>,
    fields: Part<Rules["facts"], Type, "changes">,
    ...by: By<Rules, Type>
  ): boolean;
  fact<Type extends Name<Rules["facts"]>>(fact: Meant<Type>): ViewOf<Rules, Type> | undefined;
  facts(): ViewOf<Rules, Name<Rules["facts"]>>[];
  facts<Type extends Name<Rules["facts"]>>(type: Type): ViewOf<Rules, Type>[];
  query<Query extends Name<Rules["queries"]>>(
    name: Query,
    ...args: Optional<Part<Rules["queries"], Query, "args">>
  ): Part<Rules["queries"], Query, "row">[];
  subscribe<Target extends TargetOf<Rules>>(
    target: Target,
    parameters: SubscribedArgs<Rules, Target>,
    listener: (delta: RowDelta<SubscribedRow<Rules, Target>>) => void,
  ): Subscription<SubscribedRow<Rules, Target>>;
  subscribe<Target extends TargetOf<Rules>>(
    target: Target,
    parameters?: SubscribedArgs<Rules, Target>,
    options?: SubscribeOptions,
  ): SubscriptionIterator<SubscribedRow<Rules, Target>>;
  matches<Rule extends Name<Rules["rules"]>>(rule: Rule): { readonly bindings: Rules["rules"][Rule] }[];
  retract<Type extends Name<Rules["facts"]>>(fact: Meant<Type>, ...by: By<Rules, Type>): boolean;
  focus(group: NameOf<Rules, "groups">): void;
  submit(changes: readonly FactChangeOf<Rules>[] | FactChangeOf<Rules>, options?: SubmitOptions): Promise<RunResult>;
  enqueue(changes: readonly FactChangeOf<Rules>[] | FactChangeOf<Rules>, by?: ChangeBy): Promise<void>;
  enqueue<Result>(work: () => Result): Promise<Awaited<Result>>;
  firings(rule: Name<Rules["rules"]>): FiredOf<Rules>[];
  gate<Gate extends NameOf<Rules, "gates">>(name: Gate, subject?: SubjectOf<Rules, "gates", Gate>): GateAnswer;
  gates(name?: NameOf<Rules, "gates">): GateAnswer[];
  flow<Flow extends NameOf<Rules, "flows">>(name: Flow, subject?: SubjectOf<Rules, "flows", Flow>): FlowAnswer;
  flows(name?: NameOf<Rules, "flows">): FlowAnswer[];
  verdict<Guardian extends NameOf<Rules, "guardians">>(
    name: Guardian,
    subject?: SubjectOf<Rules, "guardians", Guardian>,
  ): VerdictAnswer;
  verdicts(name?: NameOf<Rules, "guardians">): VerdictAnswer[];
  decide<Pipeline extends NameOf<Rules, "pipelines">>(
    name: Pipeline,
    subject: SubjectOf<Rules, "pipelines", Pipeline>,
  ): PipelineDecision;
  decisions(name?: NameOf<Rules, "pipelines">): PipelineDecision[];
  whyNot<Rule extends Name<Rules["rules"]> | Name<Rules["queries"]>>(
    ruleOrQuery: Rule,
    given?: { readonly [Variable in VariableOf<Rules, Rule>]?: QuestionArguments[string] },
  ): WhyNot;
  wouldOpen<Gate extends NameOf<Rules, "gates">>(name: Gate, subject?: SubjectOf<Rules, "gates", Gate>): Remedy[];
  searchOpen<Gate extends NameOf<Rules, "gates">>(name: Gate, subject?: SubjectOf<Rules, "gates", Gate>): Found<Remedy>;
  wouldPass<Guardian extends NameOf<Rules, "guardians">>(
    name: Guardian,
    subject?: SubjectOf<Rules, "guardians", Guardian>,
  ): VerdictRemedy[];
  searchPass<Guardian extends NameOf<Rules, "guardians">>(
    name: Guardian,
    subject?: SubjectOf<Rules, "guardians", Guardian>,
  ): Found<VerdictRemedy>;
  on<Event extends keyof SessionEvents>(name: Event, listener: (event: EventOf<Rules, Event>) => void): () => void;
}

/** Key fields must be given; the others may, and stay as they are when they are not. */
type Upserted<Input, Changes> = [Input] extends [never] ? never : Omit<Input, keyof Changes> & Partial<Input>;

/** A change of a fact of one type, as data. */
type ChangeOf<Rules extends RulesTypes, Type extends Name<Rules["facts"]>> =
  | { readonly op: "assert"; readonly type: Type; readonly fields: Part<Rules["facts"], Type, "input"> }
  | {
      readonly op: "upsert";
      readonly type: Type;
      readonly fields: Upserted<Part<Rules["facts"], Type, "input">, Part<Rules["facts"], Type, "changes">>;
    }
  | { readonly op: "update"; readonly fact: Meant<Type>; readonly fields: Part<Rules["facts"], Type, "changes"> }
  | { readonly op: "retract"; readonly fact: Meant<Type> };

/** A {@link FactChange} with the types of the program, for `submit` and `enqueue` of a typed session. */
export type FactChangeOf<Rules extends RulesTypes> = RulesTypes extends Rules
  ? FactChange
  : | { readonly [Type in Name<Rules["facts"]>]: ChangeOf<Rules, Type> }[Name<Rules["facts"]>]
    | { readonly op: "focus"; readonly group: NameOf<Rules, "groups"> };

/** A {@link FactInput} with the types of the program, for {@link Program.evaluate}. */
export type FactInputOf<Rules extends RulesTypes> = RulesTypes extends Rules
  ? FactInput
  : {
      readonly [Type in Name<Rules["facts"]>]: {
        readonly type: Type;
        readonly fields: Part<Rules["facts"], Type, "input">;
      };
    }[Name<Rules["facts"]>];

/** {@link EvaluationOptions} whose action handlers and functions have the types of the program. */
export type EvaluationOptionsOf<
  Rules extends RulesTypes,
  Options extends EvaluationOptions = EvaluationOptions,
> = RulesTypes extends Rules
  ? Options
  : Omit<Options, "actions" | "functions" | "missingFunctions"> & {
      readonly actions?: HandlersOf<Rules["actions"]>;
    } & FunctionsOf<Rules>;

/** An {@link Evaluation} whose facts have the types of the program. */
export type EvaluationOf<Rules extends RulesTypes> = RulesTypes extends Rules
  ? Evaluation
  : Omit<Evaluation, "facts"> & { readonly facts: readonly ViewOf<Rules, Name<Rules["facts"]>>[] };

/** A firing of one of the rules, with the variables of that rule. */
type FiredOf<Rules extends RulesTypes> = {
  [Rule in Name<Rules["rules"]>]: Omit<Fired, "rule" | "bindings"> & {
    readonly rule: Rule;
    readonly bindings: { readonly [Variable in keyof Rules["rules"][Rule]]: BoundTo<Rules["rules"][Rule][Variable]> };
  };
}[Name<Rules["rules"]>];

/** What a firing shows of a variable: facts by their ids. */
type BoundTo<Variable> = Variable extends { readonly id: infer Id; readonly type: string } ? Id : Variable;

/** The variables that a question about a rule or query can give. */
type VariableOf<Rules extends RulesTypes, Rule extends string> =
  | (Rule extends keyof Rules["rules"] ? Name<Rules["rules"][Rule]> : never)
  | NamesIn<Part<Rules["queries"], Rule, "args">>
  | NamesIn<Part<Rules["queries"], Rule, "row">>;

/** The names in a part of the declarations; none where there is no such part. */
type NamesIn<Of> = [Of] extends [never] ? never : Name<Of>;

/** What a listener receives. Firings and outcomes have the names of the program. */
type EventOf<Rules extends RulesTypes, Event extends keyof SessionEvents> = Event extends "fire"
  ? FiredOf<Rules>
  : Event extends "gate"
    ? GateAnswer & { readonly gate: NameOf<Rules, "gates"> }
    : Event extends "verdict"
      ? VerdictAnswer & { readonly guardian: NameOf<Rules, "guardians"> }
      : Event extends "flow"
        ? FlowAnswer & { readonly flow: NameOf<Rules, "flows"> }
        : Event extends "decision"
          ? DecisionOf<Rules>
          : SessionEvents[Event];

/** A decision with the names of the program. */
type DecisionOf<Rules extends RulesTypes> =
  | (GateDecision & { readonly gate: NameOf<Rules, "gates"> })
  | (VerdictDecision & { readonly guardian: NameOf<Rules, "guardians"> })
  | (PipelineDecision & { readonly pipeline: NameOf<Rules, "pipelines"> });

/**
 * A {@link Session} whose facts, queries and matches have the types of the program. At run time it is the same
 * session.
 */
export type SessionOf<Rules extends RulesTypes, Runs extends RunnableProgram = Program> = RulesTypes extends Rules
  ? Session<Runs>
  : Omit<Session<Runs>, keyof TypedMethods<Rules>> & TypedMethods<Rules>;

type HandlersOf<Actions> = {
  readonly [Action in keyof Actions]?: Actions[Action] extends readonly unknown[]
    ? (this: ActionContext, ...args: Actions[Action]) => unknown
    : ActionHandler;
} & {
  readonly log?: (this: ActionContext, ...values: readonly Value[]) => unknown;
  readonly print?: (this: ActionContext, ...values: readonly Value[]) => unknown;
};

/** {@link OpenOptions} whose action handlers and functions have the types of the program. */
export type OpenOptionsOf<Rules extends RulesTypes> = RulesTypes extends Rules
  ? OpenOptions
  : Omit<OpenOptions, "actions" | "functions" | "missingFunctions"> & {
      readonly actions?: HandlersOf<Rules["actions"]>;
    } & FunctionsOf<Rules>;

/** The functions of the host with the types that the program declares: all of them, or fewer when the others may be unknown. */
type FunctionsOf<Rules extends RulesTypes> = Rules["functions"] extends object
  ? | { readonly functions?: Rules["functions"]; readonly missingFunctions?: "refuse" }
    | { readonly functions?: Partial<Rules["functions"]>; readonly missingFunctions: "unknown" }
  : Pick<OpenOptions, "functions" | "missingFunctions">;
