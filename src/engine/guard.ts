/**
 * The loop around whatever writes drafts: verify, and as long as the guardian says RETRY let another draft be made.
 *
 * The guardian only judges. What is required comes from a closed list; how to do it is the business of `produce`.
 */
import { refuseUnknownOptions } from "../base/known-options.ts";
import { Stopwatch } from "../base/stopwatch.ts";
import { SessionError } from "../session/errors.ts";
import { asyncProduce, isPromise } from "../session/promise.ts";
import type { VerdictAnswer } from "../base/answers.ts";
import type { FactRef } from "../session/options.ts";
import type { RunResult } from "../session/results.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { Session } from "./session.ts";

/** What `produce` returns: the fields of the draft to change, or nothing. */
export type Produced = Readonly<Record<string, unknown>> | undefined | void;

/** Options of {@link guard} and {@link guardAsync}. */
export interface GuardOptions {
  /** The name of the guardian. Optional when the program has exactly one. */
  readonly guardian?: string;
  /**
   * The time that `produce` may take for one draft, in milliseconds. Default: no limit. When it takes longer, the loop
   * ends with `safe_exit`, and a draft that arrives later is ignored.
   */
  readonly draftDeadline?: number;
}

/**
 * What {@link guard} needs of a session. Every session fits: of a compiled program or a saved plan, typed by `sluice types`
 * or not.
 */
export interface GuardedSession {
  /** The program that the session runs. */
  readonly program: RunnableProgram;
  /** The names of the guardians. */
  readonly guardians: readonly string[];
  /** Fires rules. */
  run(): RunResult;
  /** Fires rules and awaits action handlers. */
  runAsync(): Promise<RunResult>;
  /** Returns what a guardian says about the draft. */
  verdict(name: never, subject: never): VerdictAnswer;
  /** Changes fields of the draft. */
  update(fact: never, fields: never): boolean;
  /** Returns the draft. */
  fact(fact: never): { readonly type: string } | undefined;
}

/** The result of {@link guard}. */
export interface Guarded {
  /** `finalize` when the draft passed; `safe_exit` in every other case. */
  readonly exit: "finalize" | "safe_exit";
  /** The last verdict. */
  readonly verdict: VerdictAnswer;
  /** All verdicts in order, including the last one. */
  readonly verdicts: readonly VerdictAnswer[];
  /**
   * Why the loop ended although the last verdict was RETRY: `produce` took longer than `draftDeadline`. Absent
   * otherwise.
   */
  readonly late?: string;
}

/**
 * Runs the retry loop of a guardian: verifies the draft, calls `produce` while the verdict is RETRY, and verifies
 * again. The guardian limits the number of retries. Attempts are counted in the field `attempt` of the draft.
 *
 * @param session - The session that has the draft.
 * @param draft - The draft: its handle, view or id.
 * @param produce - Makes the next draft. Receives the required actions and the number of the draft to make, counted
 *   from 1. Returns the fields of the draft to change; it may also change other facts in the session.
 * @throws {@link SessionError} E213 without a guardian to use, E407 when `produce` returns something other than fields,
 *   E520 when it returns a promise, E543 when the draft has no field `attempt`. Whatever `produce` throws ends the
 *   loop.
 *
 * @example
 * ```ts
 * const session = compile(`
 *   type Draft(#id: string, text: string, attempt: number = 0)
 *   guardian "short" for d: Draft {
 *     retry at most 2
 *     check contract { need length(d.text) <= 20 as "too_long" do REGENERATE_DRAFT }
 *   }`).session();
 * const draft = session.assert("Draft", { id: "d1", text: "an answer that is far too long" });
 * const { exit, verdicts } = guard(session, draft, () => ({ text: "short answer" }));
 * [exit, verdicts.length]; // => ["finalize", 2]
 * ```
 */
export function guard(
  session: GuardedSession,
  draft: FactRef,
  produce: (requiredActions: readonly string[], attempt: number) => Produced,
  options: GuardOptions = {},
): Guarded {
  const loop = new GuardLoop(session, draft, options);
  session.run();
  for (let last = loop.verify(); loop.goesOn(last); last = loop.verify()) {
    const attempt = loop.next(last);
    const isLate = loop.timing();
    const produced = produce(last.required_actions, attempt);
    if (isPromise(produced)) throw asyncProduce(produced);
    if (isLate()) return loop.lateResult(attempt);
    loop.take(produced, attempt);
    session.run();
  }
  return loop.result();
}

/**
 * Runs the same loop as {@link guard} and awaits `produce` and action handlers.
 *
 * @throws {@link SessionError} with the codes of {@link guard}, except E520 for a promise.
 */
export async function guardAsync(
  session: GuardedSession,
  draft: FactRef,
  produce: (requiredActions: readonly string[], attempt: number) => Produced | Promise<Produced>,
  options: GuardOptions = {},
): Promise<Guarded> {
  const loop = new GuardLoop(session, draft, options);
  await session.runAsync();
  for (let last = loop.verify(); loop.goesOn(last); last = loop.verify()) {
    const attempt = loop.next(last);
    const isLate = loop.timing();
    const produced = await inTime(produce(last.required_actions, attempt), loop.deadline);
    if (produced === LATE || isLate()) return loop.lateResult(attempt);
    loop.take(produced, attempt);
    await session.runAsync();
  }
  return loop.result();
}

const LATE: unique symbol = Symbol("late");

/** What was produced, or that it was not there in time. */
async function inTime(produced: Produced | Promise<Produced>, deadline: number): Promise<Produced | typeof LATE> {
  if (!isPromise(produced) || deadline === Infinity) return produced;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), Math.min(deadline, LONGEST_TIMER));
  });
  try {
    return await Promise.race([produced, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A timer that is set for longer fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

class GuardLoop {
  readonly #session: Session<RunnableProgram>;
  readonly #draft: FactRef;
  readonly #guardian: string;
  readonly #verdicts: VerdictAnswer[] = [];
  /** For one draft, in milliseconds. */
  readonly deadline: number;

  constructor(session: GuardedSession, draft: FactRef, options: GuardOptions) {
    refuseUnknownOptions(options, { guardian: true, draftDeadline: true });
    this.#session = session as unknown as Session<RunnableProgram>;
    this.#draft = draft;
    this.#guardian = options.guardian ?? onlyGuardian(session);
    this.deadline = options.draftDeadline ?? Infinity;
  }

  verify(): VerdictAnswer {
    const verdict = this.#session.verdict(this.#guardian, this.#draft);
    this.#verdicts.push(verdict);
    return verdict;
  }

  /** A draft whose attempts do not count up would be retried for ever. */
  goesOn({ verdict, attempt }: VerdictAnswer): boolean {
    const before = this.#verdicts.at(-2);
    return verdict === "RETRY" && (before === undefined || attempt > before.attempt);
  }

  /** The number of the draft to be made; without a field for it attempts cannot be counted. */
  next({ attempt }: VerdictAnswer): number {
    const type = this.#session.fact(this.#draft)?.type ?? "";
    const fields = this.#session.program.data().schema.types.get(type)?.fields;
    if (fields === undefined || fields.some(({ name }) => name === "attempt")) return attempt + 1;
    const message = `guardian "${this.#guardian}" answers RETRY, but ${type} has no field "attempt" to count attempts`;
    throw new SessionError("E543", message, `add attempt: number = 0 to ${type}, or "retry at most 0" to the guardian`);
  }

  take(produced: Produced, attempt: number): void {
    const given: unknown = produced;
    if (given !== undefined && (typeof given !== "object" || Array.isArray(given))) throw noFields(given);
    this.#session.update(this.#draft, { ...produced, attempt });
  }

  /** Begins to time a draft; the function that it returns says whether it is late. */
  timing(): () => boolean {
    const elapsed = new Stopwatch([() => performance.now()]).start();
    return () => !(elapsed() <= this.deadline);
  }

  lateResult(attempt: number): Guarded {
    return { ...this.result(), late: `draft ${attempt} was not produced within ${this.deadline} ms` };
  }

  result(): Guarded {
    const verdict = this.#verdicts.at(-1) ?? this.verify();
    return { exit: verdict.verdict === "PASS" ? "finalize" : "safe_exit", verdict, verdicts: this.#verdicts };
  }
}

function noFields(given: unknown): SessionError {
  const what = Array.isArray(given) ? "list" : typeof given === "string" ? "string" : typeof given;
  return new SessionError(
    "E407",
    `produce must return an object, found a ${what}`,
    "return the fields of the draft to change: { draft: text }",
  );
}

function onlyGuardian({ guardians }: GuardedSession): string {
  const [only, ...others] = guardians;
  if (only !== undefined && others.length === 0) return only;
  const hint =
    only === undefined
      ? "declare one, or write: use guardian standard"
      : `pass the name of one: ${guardians.join(", ")}`;
  const count = only === undefined ? "no guardians" : `${guardians.length} guardians`;
  throw new SessionError("E213", `this program defines ${count}`, hint);
}
