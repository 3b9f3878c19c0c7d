/**
 * A session whose facts, questions and actions have the types that `sluice types` writes for a program. Types alone: at run
 * time it is the same session.
 */
import type { Value } from "../base/value.ts";
import type { ActionContext, ActionHandler } from "../session/actions.ts";
import type { ChangeBy } from "../session/options.ts";
import type { FactHandle } from "../session/results.ts";
import type { OpenOptions } from "./program.ts";
import type { RuleSession } from "./session.ts";

/** What a generated `Rules` has. */
export interface RulesTypes {
  /** For each type: `fields` as they are read, `input` as they are asserted, `changes` as they are updated. */
  readonly facts: object;
  /** For each action the list of its arguments. */
  readonly actions: object;
  /** For each query its `args` and the variables of a `row`. */
  readonly queries: object;
  /** For each rule its variables. */
  readonly rules: object;
}

type Name<Of> = keyof Of & string;
type Part<Of, Key extends PropertyKey, What extends PropertyKey> = Key extends keyof Of
  ? What extends keyof Of[Key]
    ? Of[Key][What]
    : never
  : never;

/** `Person~p1` for a fact of type Person. */
export type IdOf<Type extends string> = `${Type}~${string}`;

/** What `assert` gives. */
export interface HandleOf<Type extends string> extends FactHandle {
  readonly id: IdOf<Type>;
}

/** A value of a field that refers to a fact: its handle, its id or, where the type has one key, its key. */
export type RefOf<Type extends string, Key = never> = HandleOf<Type> | IdOf<Type> | Key;

/** A fact as it is read. */
export interface FactOf<Type extends string, Fields> {
  readonly id: IdOf<Type>;
  readonly type: Type;
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
  matches<Rule extends Name<Rules["rules"]>>(rule: Rule): { readonly bindings: Rules["rules"][Rule] }[];
}

/** Without types of a program it is the session as it is. */
export type SessionOf<Rules extends RulesTypes> = RulesTypes extends Rules
  ? RuleSession
  : Omit<RuleSession, keyof TypedMethods<Rules>> & TypedMethods<Rules>;

type HandlersOf<Actions> = {
  readonly [Action in keyof Actions]?: Actions[Action] extends readonly unknown[]
    ? (this: ActionContext, ...args: Actions[Action]) => unknown
    : ActionHandler;
} & {
  readonly log?: (this: ActionContext, ...values: readonly Value[]) => unknown;
  readonly print?: (this: ActionContext, ...values: readonly Value[]) => unknown;
};

export type OpenOptionsOf<Rules extends RulesTypes> = RulesTypes extends Rules
  ? OpenOptions
  : Omit<OpenOptions, "actions"> & { readonly actions?: HandlersOf<Rules["actions"]> };
