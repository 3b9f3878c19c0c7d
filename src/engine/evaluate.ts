/**
 * Decides single requests without keeping anything: each in a session of a pool, which is emptied afterwards.
 *
 * Invariant: a call returns what it would return in a new session. A session in which anything happened that `reset` cannot
 * undo, or of which something may still be read later, does not go back to the pool.
 */
import { openSession } from "../engine.ts";
import { FactError } from "../session/errors.ts";
import type { ChangeBy } from "../session/options.ts";
import type { FactView, RunResult } from "../session/results.ts";
import type { OpenOptions, Program } from "./program.ts";
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
      | "strategy"
      | "limit"
      | "facts"
      | "now"
      | "random"
      | "audit"
      | "auditClock"
      | "checkDeadline"
      | "realTime"
      | "id"
    > {}

/** What followed from the facts of a request. */
export interface Evaluation extends RunResult {
  /** All facts after the run, in the order in which they were asserted. */
  readonly facts: readonly FactView[];
}

/** Sessions that wait for the next request, for each kind of options. */
const MAX_IDLE = 16;
/** Kinds of options whose sessions are kept. */
const MAX_KINDS = 16;

/** A session of the pool, and the options of the request that it works on. */
interface Lease {
  readonly session: Session;
  readonly request: { options: EvaluationOptions };
}

export class Evaluations {
  readonly #program: Program;
  readonly #idle = new Map<string, Lease[]>();

  constructor(program: Program) {
    this.#program = program;
  }

  evaluate(facts: Iterable<FactInput>, options: EvaluationOptions): Evaluation {
    const kind = kindOf(options);
    if (kind === undefined) return decide(openSession(this.#program, { ...options, history: 0 }), facts, options);
    const lease = this.#take(kind, options);
    let decided: Evaluation;
    try {
      decided = decide(lease.session, facts, options);
    } catch (error) {
      // The result in another error can be read later, and then reads the session.
      if (error instanceof FactError) this.#giveBack(kind, lease);
      throw error;
    }
    this.#giveBack(kind, lease);
    return decided;
  }

  #take(kind: string, options: EvaluationOptions): Lease {
    const lease = this.#idle.get(kind)?.pop() ?? newLease(this.#program, options);
    lease.request.options = options;
    lease.session.replaceHandlers(options.actions ?? {});
    return lease;
  }

  /** Empties a session for the next request; drops one that cannot be used again. */
  #giveBack(kind: string, lease: Lease): void {
    const idle = this.#idle.get(kind) ?? [];
    if (idle.length >= MAX_IDLE || !lease.session.tryReset()) return lease.session.close();
    lease.request.options = {};
    lease.session.replaceHandlers({});
    idle.push(lease);
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
  const { actions = {}, functions = {}, strategy, limit, facts, now, random, audit, auditClock } = options;
  const given = [now, random, audit, auditClock].map((one) => one !== undefined);
  const names = [Object.keys(actions).sort(), Object.keys(functions).sort()];
  return JSON.stringify([strategy, limit, facts, ...given, ...names]);
}

/** Opens a session that reaches clocks, functions and handlers through the request that it works on. */
function newLease(program: Program, given: EvaluationOptions): Lease {
  const request = { options: given };
  const { actions = {}, functions = {}, strategy, limit, facts } = given;
  const session = openSession(program, {
    actions,
    functions: Object.fromEntries(
      Object.keys(functions).map((name) => [
        name,
        (...args: Parameters<NonNullable<typeof functions>[string]>) => request.options.functions?.[name]?.(...args),
      ]),
    ),
    history: 0,
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

function decide(session: Session, facts: Iterable<FactInput>, { role }: ChangeBy): Evaluation {
  const by = { role };
  for (const { type, fields } of facts) session.assert(type, fields, by);
  const result = session.run();
  // Answers of gates compute their parts when they are read: here, while the session is still that of the request.
  return { ...result, gates: result.gates.map((answer) => ({ ...answer })), facts: session.facts() };
}
