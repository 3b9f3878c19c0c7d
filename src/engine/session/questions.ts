/** What a host can ask about the facts of a session, once or for as long as it listens. {@link Session} implements it. */
import type { RowDelta } from "../row-delta.ts";
import type { QueryRow } from "../rows.ts";
import type { SubscribeOptions, Subscription, SubscriptionIterator } from "../subscription.ts";
import type { SubscriptionRow, SubscriptionTarget } from "../subscription-port.ts";

export interface SessionQuestions {
  /**
   * Returns the answers of a query now: one row of variables for each match, in the order of the facts.
   *
   * @param name - The name of the query.
   * @param args - Values for its parameters, by name. A reference may be a handle, a view, an id or a key.
   * @throws {@link SessionError} E213 when there is no such query, E205 when it has no such parameter, E407 when a value does
   *   not have the type of its parameter, E511 when it would make too many partial matches.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Person(#id: string, age: number)
   *   query adults(min: number) { p: Person(age >= min) }`).session();
   * session.assert("Person", { id: "p1", age: 30 });
   * session.query("adults", { min: 18 }).map(({ p }) => p); // => [{ id: "Person~p1", type: "Person", fields: { id: "p1", age: 30 } }]
   * ```
   */
  query(name: string, args?: Readonly<Record<string, unknown>>): QueryRow[];

  /**
   * Subscribes to the rows of a query, the outcomes of a gate, or the facts of a type. The listener is called at once with all
   * rows as `added`, then after every change that makes a difference, whether or not the session runs. It is called when the
   * change is complete; a change that it makes itself is delivered after the current one. What it throws is handled as for
   * {@link Session.on}.
   *
   * Without a listener the subscription is an async iterator of the same deltas. A change costs what it touches, however many
   * subscriptions there are.
   *
   * @param target - `{ query }`, `{ gate }` or `{ type }`, with its name.
   * @param parameters - For a query its parameters; for a gate `{ subject }` or nothing; for a type the values that fields
   *   must equal.
   * @throws {@link SessionError} E213, E205, E407 and E511 as {@link Session.query}, E201 and E401 for a type, E530 inside a host
   *   function.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string, age: number) query adults(min: number) { p: Person(age >= min) }").session();
   * const seen: unknown[] = [];
   * const adults = session.subscribe({ query: "adults" }, { min: 18 }, ({ added, removed, changed }) => {
   *   seen.push([added.length, removed.length, changed.length]);
   * });
   * const ann = session.assert("Person", { id: "p1", age: 30 });
   * session.update(ann, { age: 31 });
   * session.update(ann, { age: 12 });
   * adults.close();
   * seen; // => [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]]
   * ```
   */
  subscribe<Target extends SubscriptionTarget>(
    target: Target,
    parameters: Readonly<Record<string, unknown>>,
    listener: (delta: RowDelta<SubscriptionRow<Target>>) => void,
  ): Subscription<SubscriptionRow<Target>>;
  subscribe<Target extends SubscriptionTarget>(
    target: Target,
    parameters?: Readonly<Record<string, unknown>>,
    options?: SubscribeOptions,
  ): SubscriptionIterator<SubscriptionRow<Target>>;
}
