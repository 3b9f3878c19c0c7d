/**
 * The listeners of a session. Events are posted while the session works and delivered when it has finished, in order;
 * events of changes that a listener makes come after them.
 *
 * A listener that throws neither keeps the others from being called nor fails the call that delivers. Its error becomes an
 * `error` event; when nobody listens to that, or the listener of `error` itself throws, `failed` is called.
 */
import { LateMap } from "../base/late.ts";
import { empty } from "../base/empty.ts";
import { frozen } from "../base/frozen.ts";
import { isPromise } from "../base/host-result.ts";

type Listener<Event> = (event: Event) => unknown;

/** An error that a listener threw, or that the run of a submission met. */
export interface ListenerFailure {
  /** The event that the listener subscribed to; `submit` when something failed in the run of a submission. */
  readonly event: string;
  /** What the listener threw; for `submit` the `error` of a {@link RunFailure}. */
  readonly error: unknown;
}

/** Is called with the listener, so that its errors can be distinguished from those of others. */
export type Failed = (listener: object, failure: ListenerFailure) => void;

export class Listeners<Events extends { error: ListenerFailure }> {
  readonly #listeners = new LateMap<keyof Events, Set<Listener<never>>>();
  readonly #failed: Failed;
  /** The number of listeners of all events; most sessions have none. */
  #count = 0;
  #queue: { readonly name: keyof Events; readonly event: unknown; readonly to?: Listener<never> }[] = [];
  #delivering = false;
  /** Is called before events are delivered, so that subscriptions queue what the last change did to them. */
  beforeDelivery: (() => void) | undefined = undefined;

  constructor(failed: Failed) {
    this.#failed = failed;
  }

  /** Adds a listener, and returns a function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    // A function of its own for each subscription, so that one function can be subscribed twice.
    const subscription: Listener<Events[Name]> = (event) => listener(event);
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(subscription));
    this.#count += 1;
    return () => {
      if (listeners.delete(subscription) && this.#listeners.get(name) === listeners) this.#count -= 1;
    };
  }

  /** Ends all subscriptions and drops the events that wait. */
  clear(): void {
    empty(this.#listeners);
    this.#count = 0;
    if (this.#queue.length > 0) this.#queue.length = 0;
  }

  /** Whether an event has listeners: without any it need not be made. */
  has(name: keyof Events): boolean {
    if (this.#count === 0) return false;
    const listeners = this.#listeners.get(name);
    return listeners !== undefined && listeners.size > 0;
  }

  /** Adds an event to the queue, if it has listeners. All of them get the same event, and the session may use it, so it is frozen. */
  post<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    if (this.has(name)) this.#queue.push({ name, event: frozen(event) });
  }

  /** Adds what failed, without a listener, to the queue as an `error` event. What was thrown belongs to the host, so it is not frozen. */
  fail(event: string, error: unknown): void {
    if (this.has("error")) this.#queue.push({ name: "error", event: Object.freeze({ event, error }) });
  }

  /** Adds an event for one listener to the queue. `name` is what a failure of the listener names. */
  send<Event>(name: string, event: Event, to: (event: Event) => unknown): void {
    this.#queue.push({ name: name as keyof Events, event, to });
  }

  /** Calls the listeners of all queued events, unless a delivery is under way. */
  deliver(): void {
    this.beforeDelivery?.();
    if (this.#delivering || this.#queue.length === 0) return;
    this.#delivering = true;
    for (let index = 0; index < this.#queue.length; index++) this.#deliverOne(index);
    this.#queue = [];
    this.#delivering = false;
  }

  #deliverOne(index: number): void {
    const entry = this.#queue[index];
    if (entry === undefined) return;
    if (entry.to !== undefined) return this.#call(entry.to, entry);
    for (const listener of Array.from(this.#listeners.get(entry.name) ?? [])) this.#call(listener, entry);
  }

  #call(listener: Listener<never>, { name, event }: { readonly name: keyof Events; readonly event: unknown }): void {
    try {
      const returned = listener(event as never);
      if (isPromise(returned)) returned.then(undefined, (error: unknown) => this.#failedLater(listener, name, error));
    } catch (error) {
      this.#failedNow(listener, name, error);
    }
  }

  #failedNow(listener: Listener<never>, name: keyof Events, error: unknown): void {
    const failure = Object.freeze({ event: String(name), error }); // what was thrown belongs to the host
    if (name !== "error" && this.has("error")) this.#queue.push({ name: "error", event: failure });
    else this.#failed(listener, failure);
  }

  /** Handles what an asynchronous listener throws: it comes when nothing is being delivered. */
  #failedLater(listener: Listener<never>, name: keyof Events, error: unknown): void {
    this.#failedNow(listener, name, error);
    this.deliver();
  }
}
