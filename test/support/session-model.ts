/**
 * A sequential model of a session that many share. One rule, "work", fires for each item above 0 that is not done, calls a
 * handler that waits, and marks the item as done. Another one, "job", has a single pattern: it fires for each job above 0, calls the same
 * handler, and sets the job to 0. A gate, "calm", is open while nothing is done. The model is a few maps and lists: what
 * it says follows from the order of the calls alone.
 */
type Kind = "Item" | "Job";

/** The number of an item or job that is set. */
export interface Put {
  readonly type: Kind;
  readonly id: string;
  readonly v: number;
}

export type Command =
  | ({ readonly is: "put" } & Put)
  | { readonly is: "delete"; readonly type: Kind; readonly id: string }
  | { readonly is: "undo" | "own done"; readonly id: string }
  | { readonly is: "submit"; readonly puts: readonly Put[]; readonly bad: boolean }
  | { readonly is: "bad" | "run" | "own note" | "settle" | "reject" | "timeout" | "abort" }
  | { readonly is: "listen" | "reload" | "reset" | "close" }
  | { readonly is: QueuedCall };

/** Calls that wait in the queue until no run is under way. */
type QueuedCall = "queued save" | "queued reload" | "queued reset" | "queued error";

/** How a run, or a submission, ended. */
export type Ended =
  | {
      readonly done: readonly string[];
      readonly conflicts: readonly string[];
      /** The items that failed, each with the code; for submissions only. */
      readonly failed: readonly string[];
      /** What the result says of the gate. */
      readonly calm: string;
    }
  | { readonly code: string }
  /** A snapshot that was taken: the facts of a session that continues from it, and what it says of the gate. */
  | { readonly saved: readonly ModelFact[]; readonly calm: string }
  | { readonly called: QueuedCall };

interface Firing {
  /** The id of the fact that it fires for. */
  readonly id: string;
  readonly stamp: number;
  readonly v: number;
  /** The items that the handler marked as done, and the notes that it made. */
  readonly ownDone: string[];
  ownNotes: number;
}

interface Running {
  /** Whether it follows a submission: then it goes on when a firing fails. */
  readonly goesOn: boolean;
  readonly done: string[];
  readonly conflicts: string[];
  readonly failed: string[];
  /** What failed in it, with the number of the change since which it waits. */
  readonly held: Map<string, number>;
  firing: Firing | undefined;
}

/** A fact of the model: its type and id, and its number. */
export type ModelFact = readonly [id: string, v: number];

export class SessionModel {
  /** How each run ended, in order. */
  readonly ended: Ended[] = [];
  /** Identities of the calls of the handler, in order: equal for two calls of the same firing. */
  readonly calls: string[] = [];
  closed = false;
  notes = 0;
  /** Items and jobs. */
  readonly #items = new Map<string, number>();
  readonly #done = new Map<string, number>();
  /** The number of the change since which each item or job waits. */
  readonly #waiting = new Map<string, number>();
  #queue: { readonly command: Command & { is: "submit" | QueuedCall }; aborted: boolean }[] = [];
  #running: Running | undefined;
  /** Whether something failed in the run that is under way, or in the last one. */
  #failed = false;
  #change = 0;
  #epoch = 0;

  /** The facts, sorted by id. */
  facts(): ModelFact[] {
    const items = Array.from(this.#items, ([id, v]): ModelFact => [id, v]);
    const done = Array.from(this.#done, ([id, v]): ModelFact => [`Done~${id.slice("Item~".length)}`, v]);
    return [...items, ...done].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** What the gate says: nothing certain while an item waits because of a failure. */
  get calm(): string {
    if (this.#failed && this.#waiting.size > 0) return "hold";
    return this.#done.size === 0 ? "pass" : "fail";
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get isAwaiting(): boolean {
    return this.#running?.firing !== undefined;
  }

  /** Does a command; returns the code that it throws, if it does. */
  apply(command: Command): string | undefined {
    if (this.closed) {
      if (isQueued(command)) this.ended.push({ code: "E535" });
      return isCall(command) ? "E535" : undefined;
    }
    const thrown = this.#apply(command);
    this.#workOnQueue();
    return thrown;
  }

  #apply(command: Command): string | undefined {
    const firing = this.#running?.firing;
    switch (command.is) {
      case "put":
        return this.#putAll([command]);
      case "delete": {
        const id = `${command.type}~${command.id}`;
        if (this.#items.delete(id)) this.#touch(id);
        return undefined;
      }
      case "undo": {
        const id = `Item~${command.id}`;
        if (this.#done.delete(id)) this.#touch(id);
        return undefined;
      }
      case "bad":
        return "E407";
      case "run":
        if (this.#running !== undefined) return "E530";
        this.#start(false);
        return undefined;
      case "submit":
      case "queued save":
      case "queued reload":
      case "queued reset":
      case "queued error":
        this.#queue.push({ command, aborted: false });
        return undefined;
      case "own note":
        if (firing === undefined) return undefined;
        if (!this.#isPossible(firing)) return "E410";
        firing.ownNotes += 1;
        return undefined;
      case "own done":
        if (firing === undefined) return undefined;
        if (!this.#isPossible({ ...firing, ownDone: [...firing.ownDone, `Item~${command.id}`] })) return "E410";
        firing.ownDone.push(`Item~${command.id}`);
        return undefined;
      case "settle":
        if (firing !== undefined) this.#settle(firing);
        return undefined;
      case "reject":
        return this.#fail("E520");
      case "timeout":
        return this.#fail("E523");
      case "abort":
        for (const queued of this.#queue) queued.aborted = true; // they have the same signal
        return this.#fail("E524");
      case "listen":
        return undefined;
      case "reload":
        if (this.isRunning) return "E530";
        this.#change += 1;
        return undefined;
      case "reset":
        return this.#reset();
      case "close":
        return this.#close();
    }
  }

  #putAll(puts: readonly Put[]): undefined {
    for (const { type, id, v } of puts) this.#put(`${type}~${id}`, v);
  }

  #put(id: string, v: number): void {
    if (this.#items.get(id) === v) return;
    this.#items.set(id, v);
    this.#touch(id);
  }

  /** Notes that what the match of an item reads has changed. */
  #touch(id: string): void {
    this.#change += 1;
    if ((this.#items.get(id) ?? 0) > 0 && !this.#done.has(id)) this.#waiting.set(id, this.#change);
    else this.#waiting.delete(id);
  }

  #start(goesOn: boolean): void {
    this.#failed = false;
    this.#running = { goesOn, done: [], conflicts: [], failed: [], held: new Map(), firing: undefined };
    this.#next(this.#running);
  }

  /** Begins the next firing, oldest first, or ends the run. */
  #next(running: Running): undefined {
    const waiting = [...this.#waiting].filter(([id, stamp]) => running.held.get(id) !== stamp);
    const [next] = waiting.sort(([, a], [, b]) => a - b);
    if (next === undefined) {
      const { done, conflicts, failed } = running;
      this.#running = undefined;
      this.ended.push({ done, conflicts, failed, calm: this.calm });
      return;
    }
    const [id, stamp] = next;
    running.firing = { id, stamp, v: this.#items.get(id) ?? 0, ownDone: [], ownNotes: 0 };
    this.calls.push(`${this.#epoch} ${id} ${stamp}`);
  }

  #settle(firing: Firing): void {
    const running = this.#running;
    if (running === undefined) return;
    running.firing = undefined;
    if (this.#waiting.get(firing.id) !== firing.stamp) running.conflicts.push(firing.id);
    else if (this.#isPossible(firing)) {
      if (isJob(firing.id)) this.#put(firing.id, 0);
      else this.#finish(firing.id, firing.v);
      for (const id of firing.ownDone) this.#finish(id, 7);
      this.notes += firing.ownNotes;
      running.done.push(firing.id);
    } else {
      running.firing = firing;
      this.#fail("E520");
      return;
    }
    this.#next(running);
  }

  #finish(id: string, v: number): void {
    this.#done.set(id, v);
    this.#touch(id);
  }

  /** Whether nothing that the firing marks as done is done already. */
  #isPossible({ id, ownDone }: Firing): boolean {
    const all = isJob(id) ? ownDone : [id, ...ownDone];
    return new Set(all).size === all.length && all.every((one) => !this.#done.has(one));
  }

  #fail(code: string): undefined {
    const running = this.#running;
    const firing = running?.firing;
    if (running === undefined || firing === undefined) return;
    this.#failed = true;
    if (running.goesOn && code !== "E524") {
      running.failed.push(`${firing.id} ${code}`);
      running.held.set(firing.id, firing.stamp);
      running.firing = undefined;
      return this.#next(running);
    }
    this.#running = undefined;
    this.ended.push({ code });
  }

  #reset(): string | undefined {
    if (this.isRunning || this.#queue.length > 0) return "E530";
    this.#items.clear();
    this.#done.clear();
    this.#waiting.clear();
    this.notes = 0;
    this.#failed = false;
    this.#change = 0;
    this.#epoch += 1;
    return undefined;
  }

  #close(): undefined {
    this.closed = true;
    for (let queued = this.#queue.length; queued > 0; queued--) this.ended.push({ code: "E535" });
    if (this.isRunning) this.ended.push({ code: "E535" });
    this.#queue = [];
    this.#running = undefined;
  }

  #workOnQueue(): void {
    while (!this.isRunning && !this.closed) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const { command, aborted } = next;
      if (command.is !== "submit") this.ended.push(this.#call(command.is));
      else if (aborted) this.ended.push({ code: "E524" });
      else if (command.bad) this.ended.push({ code: "E407" });
      else {
        this.#putAll(command.puts);
        this.#start(true);
      }
    }
  }

  #call(is: QueuedCall): Ended {
    switch (is) {
      case "queued save":
        return { saved: this.facts(), calm: this.calm };
      case "queued reload":
        this.#change += 1;
        return { called: is };
      case "queued reset": {
        const code = this.#reset();
        return code === undefined ? { called: is } : { code };
      }
      case "queued error":
        return { code: "E407" };
    }
  }
}

function isCall({ is }: Command): boolean {
  return ["put", "delete", "undo", "bad", "run", "listen", "reload", "reset"].includes(is);
}

function isQueued({ is }: Command): boolean {
  return is === "submit" || is.startsWith("queued");
}

function isJob(id: string): boolean {
  return id.startsWith("Job~");
}
