/** What opens the subscriptions of a session, and what can be subscribed to. */
import type { GateAnswer } from "../base/answers.ts";
import type { FactView } from "../session/results.ts";
import type { RowDelta } from "./row-delta.ts";
import type { QueryRow } from "./rows.ts";
import type { SubscribeOptions, Subscription } from "./subscription.ts";

/** What can be subscribed to: a query, a gate, or the facts of a type. */
export type SubscriptionTarget = { readonly query: string } | { readonly gate: string } | { readonly type: string };

/** The rows of a target: rows of a query, answers of a gate, or facts. */
export type SubscriptionRow<Target extends SubscriptionTarget> = Target extends { readonly query: string }
  ? QueryRow
  : Target extends { readonly gate: string }
    ? GateAnswer
    : FactView;

export type SubscriptionParameters = Readonly<Record<string, unknown>>;

export interface SubscriptionPort {
  /** Opens a subscription; the first delta has all rows. */
  subscribe(
    target: SubscriptionTarget,
    parameters: SubscriptionParameters,
    how: ((delta: RowDelta<unknown>) => unknown) | SubscribeOptions,
  ): Subscription<unknown>;
  /** Continues with the program that runs now. */
  programReplaced(): void;
  /** Ends all subscriptions. */
  close(): void;
}
