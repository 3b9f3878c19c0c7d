/**
 * Who wants to hear of what. Events are posted while the session works and delivered when it is at rest, in order;
 * what a listener changes is posted behind them.
 *
 * A listener that throws does not keep the others from hearing; its error comes out when all is delivered.
 */
type Listener<Event> = (event: Event) => void;

export class Listeners<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();
  /** How many there are: mostly none. */
  #count = 0;
  #queue: { readonly name: keyof Events; readonly event: unknown }[] = [];
  #delivering = false;

  /** Gives a function that ends the subscription. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    // A subscription of its own, so that one function can be subscribed twice.
    const subscription: Listener<Events[Name]> = (event) => listener(event);
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(subscription));
    this.#count += 1;
    return () => {
      if (listeners.delete(subscription)) this.#count -= 1;
    };
  }

  /** Whether it is worth making the event. */
  has(name: keyof Events): boolean {
    if (this.#count === 0) return false;
    const listeners = this.#listeners.get(name);
    return listeners !== undefined && listeners.size > 0;
  }

  post<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    if (this.has(name)) this.#queue.push({ name, event });
  }

  deliver(): void {
    if (this.#delivering || this.#queue.length === 0) return;
    const errors: unknown[] = [];
    this.#delivering = true;
    for (let index = 0; index < this.#queue.length; index++) this.#deliverOne(index, errors);
    this.#queue = [];
    this.#delivering = false;
    if (errors.length > 0) throw errors[0];
  }

  #deliverOne(index: number, errors: unknown[]): void {
    const entry = this.#queue[index];
    if (entry === undefined) return;
    for (const listener of Array.from(this.#listeners.get(entry.name) ?? [])) {
      try {
        listener(entry.event as never);
      } catch (error) {
        errors.push(error);
      }
    }
  }
}
