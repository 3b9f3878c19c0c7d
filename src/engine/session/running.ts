/** How a host runs a session, and hears of what happens in it. {@link Session} implements it. */
import type { ChangeBy, SessionEvents } from "../../session/options.ts";
import type { RunResult } from "../../session/results.ts";
import type { InstantInput } from "../../session/session-clock.ts";
import type { RunAsyncOptions, RunOptions } from "../../session/run.ts";
import type { FactChange, SubmitOptions } from "../../session/submissions.ts";

export interface SessionRuns {
  /**
   * Fires rules until none is left, an action says `halt`, or the limit of firings is reached. Then gates, guardians,
   * flows and pipelines are brought up to date.
   *
   * @throws {@link RunLimitError} E510 at the limit, {@link ActionError} E520 when an action fails,
   *   {@link RestlessError} E512 when gates or flows never become stable, {@link SessionError} E530 inside another run.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }').session();
   * session.assert("Person", { id: "p1" });
   * const { fired, effects } = session.run();
   * fired; // => [{ n: 1, rule: "greet", bindings: { p: "Person~p1" } }]
   * effects; // => [{ n: 1, action: "log", args: ["p1"], rule: "greet" }]
   * ```
   */
  run(options?: RunOptions): RunResult;

  /**
   * Moves the clock that rules read with `now` and `today`, and brings matches, gates and conditions up to date, instant by
   * instant. It fires nothing. The clock is not the wall clock: only this call and {@link Session.runUntil} move it.
   *
   * @param to - ISO 8601 text with `Z` or an offset, a `Date`, or a Temporal object.
   * @throws {@link SessionError} E534 when it is no instant, or before the clock; E530 inside a run or a batch.
   *
   * @example
   * ```ts
   * const program = compile('type Invoice(#id: string, due: instant) rule "overdue" { when i: Invoice(now > due) then log(i.id) }');
   * const session = program.session({ clock: "2026-11-16T09:00:00Z" });
   * session.assert("Invoice", { id: "i1", due: "2026-11-16T10:00:00Z" });
   * session.run().count; // => 0
   * session.nextTime; // => "2026-11-16T10:00:00.001Z"
   * session.advance("2026-11-16T12:00:00Z");
   * session.run().count; // => 1
   * ```
   */
  advance(to: InstantInput): void;

  /**
   * Fires rules until none is left, then moves the clock to each instant at which something turns and fires there, up to `to`. The
   * limit of firings is for the whole call. After `halt` or an error the clock stays at the instant at which it happened.
   *
   * @throws The errors of {@link Session.run} and {@link Session.advance}.
   *
   * @example
   * ```ts
   * const program = compile('type Invoice(#id: string, due: instant) rule "overdue" { when i: Invoice(now >= due) then log(i.id, now) }');
   * const session = program.session({ clock: "2026-11-16T09:00:00Z" });
   * session.assert("Invoice", { id: "i1", due: "2026-11-16T10:00:00Z" });
   * session.runUntil("2026-11-16T12:00:00Z").effects[0]?.args; // => ["i1", "2026-11-16T10:00:00Z"]
   * session.clock; // => "2026-11-16T12:00:00Z"
   * ```
   */
  runUntil(to: InstantInput, options?: RunOptions): RunResult;

  /** The clock that rules read, as ISO 8601 text; undefined until it is set. */
  readonly clock: string | undefined;

  /** The next instant at which something turns by itself; undefined when nothing will. Until then the clock need not be moved. */
  readonly nextTime: string | undefined;

  /**
   * Does what {@link Session.run} does and awaits what action handlers return, one firing after the other.
   *
   * While a handler is awaited, the session can be changed: such a change is made at once, by itself, and no failure of the
   * firing undoes it. What the handler changes through its context (`this.assert`, …), or through the session before its first
   * `await`, is made when the firing is. If a change from outside ends the match, the firing is not made: it is in
   * `conflicts` of the result.
   *
   * @throws The errors of {@link Session.run}; {@link ActionError} E523 when a handler does not settle within
   *   `handlerTimeout`, {@link RunAbortedError} E524 when `signal` is aborted, {@link SessionError} E535 when the session is
   *   closed.
   *
   * @example
   * ```ts
   * const program = compile('type Order(#num: string) type Sent(#num: string) rule "send" { when o: Order then send(o.num) } action send(num: string)');
   * const session = program.session({
   *   actions: {
   *     async send(num: string) {
   *       await Promise.resolve(); // such as a request with the header Idempotency-Key: this.key
   *       this.assert("Sent", { num });
   *     },
   *   },
   * });
   * session.assert("Order", { num: "o1" });
   * const running = session.runAsync({ handlerTimeout: 5000 });
   * session.assert("Order", { num: "o2" }); // made at once
   * (await running).count; // => 2
   * session.facts("Sent").length; // => 2
   * ```
   */
  runAsync(options?: RunAsyncOptions): Promise<RunResult>;

  /**
   * Adds changes to the queue of the session, for callers that share it. When their turn comes they are made, all or none,
   * and a run follows. Handlers must not await it: their run would wait for itself.
   *
   * What fails in that run is no mistake of the caller: it is in `failed` of the result, and reported as an `error` event. The other rules
   * fire; what failed is tried again by the next run. Gates, guardians, flows and pipelines are then not brought up to date.
   *
   * @param changes - One change or several, as data; an empty list only runs. They are copied.
   * @param options - `{ role: "policy" }` for facts of protected types, and the options of {@link Session.runAsync}.
   * @returns The result of the run that followed these changes.
   * @throws {@link FactError} when a change is refused, {@link SessionError} E524 when `signal` was aborted before
   *   their turn: then none of the changes is made, and no other submission is affected. {@link RunAbortedError} E524 when it was aborted
   *   during the run: then the changes are made. E535 when the session was closed.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }').session();
   * const [ann, bob] = await Promise.all([
   *   session.submit({ op: "assert", type: "Person", fields: { id: "ann" } }),
   *   session.submit({ op: "assert", type: "Person", fields: { id: "bob" } }),
   * ]);
   * [ann.effects[0]?.args, bob.effects[0]?.args]; // => [["ann"], ["bob"]]
   * bob.failed; // => undefined
   * ```
   */
  submit(changes: readonly FactChange[] | FactChange, options?: SubmitOptions): Promise<RunResult>;

  /**
   * Adds changes to the queue of the session, as {@link Session.submit} does, without a run: the next one includes them.
   * Handlers must not await it, either: it may wait for their run.
   *
   * @returns A promise that settles when the changes are made, or refused.
   */
  enqueue(changes: readonly FactChange[] | FactChange, by?: ChangeBy): Promise<void>;

  /**
   * Adds a call to the queue of the session: `work` is called when everything before it in the queue is done and no run is under way, so
   * that it can take a snapshot, reload or reset while others submit and handlers are awaited. Nothing of the queue is done in between.
   *
   * @param work - What to call. It is not awaited by the queue: when it returns a promise, only the caller waits for it.
   * @returns What `work` returns.
   * @throws Whatever `work` throws, and {@link SessionError} E535 when the session is closed before its turn.
   *
   * @example
   * ```ts
   * const program = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }');
   * const session = program.session();
   * void session.submit({ op: "assert", type: "Person", fields: { id: "ann" } });
   * const saved = await session.enqueue(() => session.snapshot());
   * program.session({ from: saved }).size; // => 1
   * await session.enqueue(() => session.reload(program.extend('rule "count" { when p: Person then log("one") }')));
   * (await session.submit([])).fired.map((fired) => fired.rule); // => ["count"]
   * ```
   */
  enqueue<Result>(work: () => Result): Promise<Awaited<Result>>;

  /**
   * Subscribes to an event. Listeners are called in order when the session has finished a change or a run, never in the
   * middle of one. What a listener throws does not change what the session did: it becomes an `error` event, or without
   * a listener for that, a problem (E522).
   *
   * @returns A function that ends the subscription.
   * @throws {@link SessionError} E213 when there is no such event.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }').session();
   * const rules: string[] = [];
   * const end = session.on("fire", (fired) => rules.push(fired.rule));
   * session.assert("Person", { id: "p1" });
   * session.run();
   * end();
   * rules; // => ["greet"]
   * ```
   */
  on<Name extends keyof SessionEvents>(name: Name, listener: (event: SessionEvents[Name]) => void): () => void;
}
