/**
 * The queue of a session: changes of concurrent callers, made in the order in which they were handed in, and other work that needs the
 * session for itself.
 *
 * Each submission is one change of several facts, followed by a run of its own, so a result never depends on what else
 * waits. A submission that is refused rejects alone.
 */
import { unreachable } from "../base/invariant.ts";
import { refuseUnknown } from "../base/known-options.ts";
import type { Activity } from "./activity.ts";
import { isPlainObject } from "./admission/host-value.ts";
import type { Changes } from "./changes/changes.ts";
import { FactError, sessionClosed, submissionAborted } from "./errors.ts";
import type { ChangeBy, FactRef } from "./options.ts";
import { checkWaitOptions } from "./patience.ts";
import { Queue } from "./queue.ts";
import type { RunResult } from "./results.ts";
import type { RunAsyncOptions } from "./run.ts";
import type { Runner } from "./runner.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A change of one fact as data, for {@link Session.submit} and {@link Session.enqueue}. */
export type FactChange =
  | { readonly op: "assert" | "upsert"; readonly type: string; readonly fields: Fields }
  | { readonly op: "update"; readonly fact: FactRef; readonly fields: Fields }
  | { readonly op: "retract"; readonly fact: FactRef }
  | { readonly op: "focus"; readonly group: string };

/** Options of {@link Session.submit}: who makes the changes, and how the run that follows them waits. */
export interface SubmitOptions extends ChangeBy, RunAsyncOptions {}

/** Changes that wait for their turn. */
interface Submission {
  readonly changes: readonly FactChange[];
  readonly options: SubmitOptions;
  /** Whether a run follows the changes. */
  readonly runs: boolean;
}

/** Work that waits for its turn: a call while no run is under way. */
interface Work {
  readonly call: () => unknown;
}

/** What waits, and who waits for it. */
interface Waiting {
  readonly task: Submission | Work;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What a queue works on. */
export interface SubmissionsContext {
  readonly changes: Changes;
  readonly runner: Runner;
}

export class Submissions {
  readonly #activity: Activity;
  readonly #context: SubmissionsContext;
  readonly #queue = new Queue<Waiting>();
  /** Whether the queue is being worked on. */
  #working = false;
  /** Whether what was taken out of the queue is not done yet. */
  #performing = false;
  /** Whether work is called now. */
  #calling = false;
  #closed = false;
  #drained: (() => void)[] = [];

  constructor(activity: Activity, context: SubmissionsContext) {
    this.#activity = activity;
    this.#context = context;
  }

  /** Whether nothing waits and nothing is being worked on, but for the work that asks. Callers may still have to read their results. */
  get isEmpty(): boolean {
    return this.#queue.length === 0 && (!this.#performing || this.#calling);
  }

  /** Whether everything is done, and callers have gone on with their results. */
  get isIdle(): boolean {
    return !this.#working || (this.#calling && this.#queue.length === 0);
  }

  /** Adds changes with a run; returns the result of that run. */
  async submit(changes: readonly FactChange[] | FactChange, options: SubmitOptions = {}): Promise<RunResult> {
    return (await this.#add({ changes: listOf(changes), options, runs: true })) as RunResult;
  }

  /** Adds changes without a run of their own; the promise settles when they are made. */
  async enqueue(changes: readonly FactChange[] | FactChange, by: ChangeBy = {}): Promise<void> {
    await this.#add({ changes: listOf(changes), options: by, runs: false });
  }

  /** Adds a call; returns what it returns. When that is a promise, the queue does not wait for it. */
  async call<Result>(call: () => Result): Promise<Awaited<Result>> {
    return (await this.#add({ call })) as Awaited<Result>;
  }

  /** Waits until the queue is empty. */
  async drained(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  /** Rejects what waits. */
  close(): void {
    this.#closed = true;
    for (let next = this.#queue.at(0); next !== undefined; next = this.#queue.at(0)) {
      this.#queue.removeAt(0);
      next.reject(sessionClosed());
    }
  }

  async #add(task: Submission | Work): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject });
      if (!this.#working) void this.#work();
    });
  }

  /** Works on the queue until it is empty, in steps of its own: never inside the call that adds to it. */
  async #work(): Promise<void> {
    this.#working = true;
    await Promise.resolve();
    for (let next = this.#queue.at(0); next !== undefined; next = this.#queue.at(0)) {
      this.#queue.removeAt(0);
      await this.#perform(next);
      await callersTurn();
    }
    this.#working = false;
    const drained = this.#drained;
    this.#drained = [];
    for (const resolve of drained) resolve();
  }

  async #perform({ task, resolve, reject }: Waiting): Promise<void> {
    this.#performing = true;
    try {
      if ("call" in task) {
        await this.#turn(true);
        resolve(this.#call(task));
      } else resolve(await this.#submit(task));
    } catch (error) {
      reject(error);
    } finally {
      this.#performing = false; // before anybody goes on with the result
    }
  }

  async #submit({ changes, options, runs }: Submission): Promise<RunResult | undefined> {
    await this.#turn(runs);
    checkWaitOptions(options);
    if (options.signal?.aborted === true) throw submissionAborted(options.signal.reason);
    this.#make(changes, options);
    if (!runs) return undefined;
    await this.#turn(true); // a listener may have begun a run
    return this.#context.runner.runSubmitted(options);
  }

  #call({ call }: Work): unknown {
    this.#calling = true;
    try {
      return call();
    } finally {
      this.#calling = false;
    }
  }

  /** Waits until the session can be changed, and with `runs` can run as well. */
  async #turn(runs: boolean): Promise<void> {
    for (let busy = this.#busy(runs); busy !== undefined; busy = this.#busy(runs)) await busy;
    if (this.#closed) throw sessionClosed();
  }

  /** Returns what must end before the session can be changed, and with `runs` can run as well; undefined when nothing must. */
  #busy(runs: boolean): Promise<void> | undefined {
    const { saving, running } = this.#activity;
    if (saving !== undefined) return saving.ended();
    return runs && running ? this.#context.runner.ended() : undefined;
  }

  /** Makes the changes of one submission, all or none. */
  #make(changes: readonly FactChange[], { role }: ChangeBy): void {
    const by = { role };
    const target = this.#context.changes;
    target.batch(() => {
      for (const change of changes) make(target, change, by);
    });
  }
}

/** What a change with each op says besides it. */
const PARTS: Readonly<Record<FactChange["op"], readonly string[]>> = {
  assert: ["type", "fields"],
  upsert: ["type", "fields"],
  update: ["fact", "fields"],
  retract: ["fact"],
  focus: ["group"],
};

function make(target: Changes, change: FactChange, by: ChangeBy): void {
  if (typeof change !== "object" || (change as unknown) === null || !Object.hasOwn(PARTS, change.op))
    throw notAChange();
  refuseUnknown("property", Object.keys(change), ["op", ...PARTS[change.op]], "E213");
  switch (change.op) {
    case "assert":
      target.assert(change.type, change.fields, by);
      return;
    case "upsert":
      target.upsert(change.type, change.fields, by);
      return;
    case "update":
      target.update(change.fact, change.fields, by);
      return;
    case "retract":
      target.retract(change.fact, by);
      return;
    case "focus":
      target.focus(change.group);
      return;
    default:
      unreachable(change);
  }
}

/** The promises that a caller may have around the one of the queue: those of the session, and a few of its own. */
const MOST_PROMISES_AROUND = 16;

/** Waits until who awaited a result has gone on with it, so that it reads its gates before the next submission changes the session. */
async function callersTurn(): Promise<void> {
  for (let n = 0; n < MOST_PROMISES_AROUND; n += 1) await Promise.resolve();
}

/** Returns a copy that the caller cannot change while it waits. */
function listOf(changes: readonly FactChange[] | FactChange): readonly FactChange[] {
  try {
    return copied(Array.isArray(changes) ? changes : [changes], 0) as readonly FactChange[];
  } catch {
    throw notAChange();
  }
}

/** Deeper than facts may be nested: such a value is refused when it is asserted. */
const DEEPEST = 1000;

/** Copies lists, plain objects and dates. What else there is, such as a handle or a Temporal object, does not change, or is refused. */
function copied(data: unknown, depth: number): unknown {
  if (typeof data !== "object" || data === null || depth > DEEPEST) return data;
  if (Array.isArray(data)) return Array.from(data, (item: unknown) => copied(item, depth + 1));
  if (data instanceof Date) return new Date(data.getTime());
  if (!isPlainObject(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, copied(value, depth + 1)]));
}

function notAChange(): FactError {
  const hint =
    'such as { op: "assert", type: "Order", fields: { num: "o1" } }; other ops: upsert, update, retract, focus';
  return new FactError("E407", "a change must be plain data with an op", hint);
}
