/**
 * Decides single requests without keeping anything: each in a session of a pool, which is emptied afterwards.
 *
 * Invariant: a call returns what it would return in a new session. A session in which anything happened that `reset` cannot
 * undo, or of which something may still be read later, does not go back to the pool.
 */
import { type OptionNames, refuseUnknownOptions } from "../base/known-options.ts";
import { FactError } from "../session/errors.ts";
import type { ChangeBy } from "../session/options.ts";
import type { FactView, RunResult } from "../session/results.ts";
import type { WaitOptions } from "../session/patience.ts";
import { checkOptionValues } from "./option-values.ts";
import type { OpenOptions } from "./program.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { Session } from "./session.ts";

/** A fact of a request: its type and its fields. */
export interface FactInput {
  /** The name of its type. */
  readonly type: string;
  /** Its fields. References may be ids or keys. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Options of {@link Program.evaluate}: those of a session that one request needs. */
export interface EvaluationOptions
  extends
    ChangeBy,
    Pick<
      OpenOptions,
      | "actions"
      | "functions"
      | "missingFunctions"
      | "strategy"
      | "limit"
      | "facts"
      | "now"
      | "clock"
      | "random"
      | "audit"
      | "auditClock"
      | "checkDeadline"
      | "realTime"
      | "id"
    > {}

/** Options of {@link Program.evaluateAsync}: those of {@link Program.evaluate}, and how handlers are awaited. */
export interface EvaluationAsyncOptions extends EvaluationOptions, WaitOptions {}

const OPTIONS: OptionNames<EvaluationOptions> = {
  actions: true,
  functions: true,
  missingFunctions: true,
  strategy: true,
  limit: true,
  facts: true,
  now: true,
  clock: true,
  random: true,
  audit: true,
  auditClock: true,
  checkDeadline: true,
  realTime: true,
  id: true,
  role: true,
};
const ASYNC_OPTIONS: OptionNames<EvaluationAsyncOptions> = { ...OPTIONS, signal: true, handlerTimeout: true };

/** What followed from the facts of a request. */
export interface Evaluation extends RunResult {
  /** All facts after the run, in the order in which they were asserted. */
  readonly facts: readonly FactView[];
}

type HostFunction = NonNullable<OpenOptions["functions"]>[string];

/** Sessions that wait for the next request, for each kind of options. */
const MAX_IDLE = 16;
/** Kinds of options whose sessions are kept. */
const MAX_KINDS = 16;

/** The options of a request that gives none. */
export const NOTHING: EvaluationOptions = {};

/** What is used of a session of any kind of program. */
type Opened = Pick<
  Session<RunnableProgram>,
  "assert" | "advance" | "run" | "runAsync" | "facts" | "tryReset" | "replaceHandlers" | "close"
>;
type Open = (options: OpenOptions) => Opened;

/** What a session of the pool works on. */
interface Request {
  options: EvaluationOptions;
  /** Whether the session has the facts of the request: else it is being opened, or emptied for the next one. */
  hasFacts: boolean;
  /**
   * The functions that were called without the facts of a request, for facts of the program or for tests that need no fact. What
   * they returned stays in the session, so it is for requests with the same functions alone.
   */
  readonly before: Map<string, WeakRef<HostFunction>>;
}

/** A session of the pool, and the request that it works on. */
interface Lease {
  readonly session: Opened;
  readonly request: Request;
}

export class Evaluations {
  readonly #open: Open;
  readonly #idle = new Map<string, Lease[]>();
  /** The kind that a session was given back for last. */
  #last: string | undefined = undefined;

  /** `open` opens sessions of the program. */
  constructor(open: Open) {
    this.#open = open;
  }

  evaluate(facts: Iterable<FactInput>, options: EvaluationOptions): Evaluation {
    if (options !== NOTHING) check(options, OPTIONS);
    const kind = kindOf(options);
    if (kind === undefined) return decide(this.#openOnce(options), facts, options);
    const lease = this.#take(kind, options);
    let decided: Evaluation;
    try {
      decided = decide(lease.session, facts, options);
    } catch (error) {
      this.#afterError(kind, lease, error);
      throw error;
    }
    this.#giveBack(kind, lease);
    return decided;
  }

  /** Does the same and awaits handlers. No other request gets the session meanwhile. */
  async evaluateAsync(facts: Iterable<FactInput>, options: EvaluationAsyncOptions): Promise<Evaluation> {
    check(options, ASYNC_OPTIONS);
    const { signal, handlerTimeout, ...rest } = options;
    const wait = { ...(signal && { signal }), ...(handlerTimeout !== undefined && { handlerTimeout }) };
    const kind = kindOf(rest);
    if (kind === undefined) return decideAsync(this.#openOnce(rest), facts, rest, wait);
    const lease = this.#take(kind, rest);
    let decided: Evaluation;
    try {
      decided = await decideAsync(lease.session, facts, rest, wait);
    } catch (error) {
      this.#afterError(kind, lease, error);
      throw error;
    }
    this.#giveBack(kind, lease);
    return decided;
  }

  #openOnce({ role, clock, ...options }: EvaluationOptions): Opened {
    void role; // of the facts, not of the session
    void clock; // set with the facts, as in a session of the pool
    return this.#open({ ...options, history: 0 });
  }

  /** A refused fact leaves nothing behind. The result in another error can be read later, and then reads the session. */
  #afterError(kind: string, lease: Lease, error: unknown): void {
    if (error instanceof FactError) this.#giveBack(kind, lease);
  }

  #take(kind: string, options: EvaluationOptions): Lease {
    const lease = this.#fitting(kind, options) ?? newLease(this.#open, options);
    lease.request.options = options;
    lease.request.hasFacts = true;
    if (options.actions !== undefined) lease.session.replaceHandlers(options.actions);
    return lease;
  }

  /** Takes a session out of the pool that has nothing of other functions; undefined when there is none. */
  #fitting(kind: string, { functions = {} }: EvaluationOptions): Lease | undefined {
    const idle = this.#idle.get(kind) ?? [];
    const at = idle.findLastIndex(({ request }) => {
      for (const [name, called] of request.before) if (functions[name] !== called.deref()) return false;
      return true;
    });
    if (at >= 0) return idle.splice(at, 1)[0];
    if (idle.length >= MAX_IDLE) idle.shift()?.session.close(); // its functions may never come again
    return undefined;
  }

  /** Empties a session for the next request; drops one that cannot be used again. */
  #giveBack(kind: string, lease: Lease): void {
    const idle = this.#idle.get(kind) ?? [];
    lease.request.hasFacts = false;
    if (idle.length >= MAX_IDLE || !lease.session.tryReset()) return lease.session.close();
    if (lease.request.options.actions !== undefined) lease.session.replaceHandlers({});
    lease.request.options = NOTHING;
    idle.push(lease);
    if (kind === this.#last) return;
    this.#last = kind;
    this.#idle.delete(kind); // the kind that was used last is dropped last
    this.#idle.set(kind, idle);
    if (this.#idle.size <= MAX_KINDS) return;
    const [oldest] = this.#idle.keys();
    if (oldest !== undefined) this.#idle.delete(oldest);
  }
}

/** Returns what two requests must have in common to use the same session; undefined for one that needs a new session. */
function kindOf(options: EvaluationOptions): string | undefined {
  // A stopwatch compares the clocks of one session over time, and keys with a chosen id depend on it.
  if (options.checkDeadline !== undefined || options.id !== undefined) return undefined;
  if (options === NOTHING) return "";
  const { actions = {}, functions = {}, missingFunctions, strategy, limit, facts } = options;
  const { now, random, audit, auditClock } = options;
  const given = [now, random, audit, auditClock].map((one) => one !== undefined);
  const names = [Object.keys(actions).sort(), Object.keys(functions).sort()];
  return JSON.stringify([missingFunctions, strategy, String(limit), facts, ...given, ...names]); // JSON has no Infinity
}

/** Opens a session that reaches clocks, functions and handlers through the request that it works on. */
function newLease(open: Open, given: EvaluationOptions): Lease {
  const request: Request = { options: given, hasFacts: false, before: new Map() };
  const { actions = {}, functions = {}, missingFunctions, strategy, limit, facts } = given;
  const session = open({
    // Only the names: a session keeps its options, and the handlers of each request come with it.
    actions: Object.fromEntries(Object.keys(actions).map((name) => [name, DOES_NOTHING])),
    functions: Object.fromEntries(
      Object.keys(functions).map((name) => [
        name,
        (...args: Parameters<HostFunction>) => functionOf(request, name)(...args),
      ]),
    ),
    history: 0,
    ...(missingFunctions === undefined ? {} : { missingFunctions }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(limit === undefined ? {} : { limit }),
    ...(facts === undefined ? {} : { facts }),
    ...(given.now === undefined ? {} : { now: () => (request.options.now ?? Date.now)() }),
    ...(given.random === undefined ? {} : { random: () => (request.options.random ?? Math.random)() }),
    ...(given.auditClock === undefined ? {} : { auditClock: () => (request.options.auditClock ?? Date.now)() }),
    ...(given.audit === undefined
      ? {}
      : { audit: (file: string, line: string) => request.options.audit?.(file, line) }),
  });
  return { session, request };
}

const DOES_NOTHING = (): void => {};

/** Returns the function of a request; throws when it has none: the call has then failed, as in a session without the function. */
function functionOf({ options: { functions }, hasFacts, before }: Request, name: string): HostFunction {
  const found: unknown = functions?.[name];
  if (typeof found !== "function") throw new TypeError(`there is no function "${name}"`);
  if (!hasFacts) before.set(name, new WeakRef(found as HostFunction));
  return found as HostFunction;
}

function check<Options extends EvaluationOptions>(options: Options, known: OptionNames<Options>): void {
  refuseUnknownOptions(options, known);
  checkOptionValues(options);
}

type RequestOptions = Pick<EvaluationOptions, "role" | "clock">;

function decide(session: Opened, facts: Iterable<FactInput>, options: RequestOptions): Evaluation {
  assertAll(session, facts, options);
  return evaluationOf(session, session.run());
}

async function decideAsync(
  session: Opened,
  facts: Iterable<FactInput>,
  options: RequestOptions,
  wait: WaitOptions,
): Promise<Evaluation> {
  assertAll(session, facts, options);
  return evaluationOf(session, await session.runAsync(wait));
}

function assertAll(session: Opened, facts: Iterable<FactInput>, { role, clock }: RequestOptions): void {
  if (clock !== undefined) session.advance(clock);
  const by = role === undefined ? undefined : { role };
  if (typeof (facts as Partial<typeof facts> | null | undefined)?.[Symbol.iterator] !== "function") throw notFacts();
  for (const fact of facts) {
    if (typeof fact !== "object" || (fact as unknown) === null) throw notAFact();
    session.assert(fact.type, fact.fields, by);
  }
}

function notFacts(): FactError {
  return new FactError("E407", "the facts must be a list", 'such as [{ type: "Order", fields: { num: "o1" } }]');
}

function notAFact(): FactError {
  return new FactError("E407", "a fact must be an object", 'such as { type: "Order", fields: { num: "o1" } }');
}

function evaluationOf(session: Opened, result: RunResult): Evaluation {
  const { fired, effects, verdicts, decisions, problems, conflicts, halted, count } = result;
  // Answers of gates compute their parts when they are read: here, while the session is still that of the request.
  const gates = result.gates.length === 0 ? result.gates : result.gates.map((answer) => ({ ...answer }));
  // Written field by field: spreading the result takes a fifth of the time of a small request.
  const decided = { fired, effects, gates, verdicts, decisions, halted, count, facts: session.facts() };
  if (problems === undefined && conflicts === undefined) return decided;
  return { ...decided, ...(problems && { problems }), ...(conflicts && { conflicts }) };
}
