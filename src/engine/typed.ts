/**
 * A session whose facts, questions and actions have the types that `sluice types` writes for a program. Types alone: at run
 * time it is the same session.
 */
import type { GateAnswer } from "../base/answers.ts";
import type { Value } from "../base/value.ts";
import type { ActionContext, ActionHandler } from "../session/actions.ts";
import type { ChangeBy, FactRef } from "../session/options.ts";
import type { FactHandle } from "../session/results.ts";
import type { OpenOptions } from "./program.ts";
import type { RowDelta } from "./row-delta.ts";
import type { Session } from "./session.ts";
import type { SubscribeOptions, Subscription, SubscriptionIterator } from "./subscription.ts";

/** The shape of the `Rules` interface that {@link declarations} generates. */
export interface RulesTypes {
  /** For each fact type: `fields` as they are read, `input` as they are asserted, `changes` as they are updated. */
  readonly facts: object;
  /** For each action: the tuple of its arguments. */
  readonly actions: object;
  /** For each query: its `args`, and the variables of a `row`. */
  readonly queries: object;
  /** For each rule: its variables. */
  readonly rules: object;
}

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
  { readonly query: Name<Rules["queries"]> } | { readonly gate: string } | { readonly type: Name<Rules["facts"]> };

type SubscribedArgs<Rules extends RulesTypes, Target> = Target extends { readonly query: infer Query extends string }
  ? Part<Rules["queries"], Query, "args">
  : Target extends { readonly type: infer Type extends string }
    ? Partial<Part<Rules["facts"], Type, "fields">>
    : { readonly subject?: FactRef };

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
    fields: Part<Rules["facts"], Type, "input">,
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
}

/**
 * A {@link Session} whose facts, queries and matches have the types of the program. At run time it is the same
 * session.
 */
export type SessionOf<Rules extends RulesTypes> = RulesTypes extends Rules
  ? Session
  : Omit<Session, keyof TypedMethods<Rules>> & TypedMethods<Rules>;

type HandlersOf<Actions> = {
  readonly [Action in keyof Actions]?: Actions[Action] extends readonly unknown[]
    ? (this: ActionContext, ...args: Actions[Action]) => unknown
    : ActionHandler;
} & {
  readonly log?: (this: ActionContext, ...values: readonly Value[]) => unknown;
  readonly print?: (this: ActionContext, ...values: readonly Value[]) => unknown;
};

/** {@link OpenOptions} whose action handlers have the argument types of the program. */
export type OpenOptionsOf<Rules extends RulesTypes> = RulesTypes extends Rules
  ? OpenOptions
  : Omit<OpenOptions, "actions"> & { readonly actions?: HandlersOf<Rules["actions"]> };
