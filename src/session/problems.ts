/** The problems of a session that stopped nothing: rules at their match limit, listeners that threw. */
import { LateMap } from "../base/late.ts";
import { emptied, empty } from "../base/empty.ts";
import { isJudge, ruleWords } from "../base/rule-words.ts";
import { thrownWords } from "../base/host-result.ts";
import type { LimitProblem, ListenerProblem } from "../base/answers.ts";
import type { Overflow } from "./errors.ts";

/** The number of different errors of listeners that are kept. */
const MAX_LISTENER_PROBLEMS = 100;

export class Problems {
  #limits: LimitProblem[] = [];
  readonly #listeners: ListenerProblem[] = [];
  /** The messages of the kept errors, by listener. */
  readonly #messages = new LateMap<object, Set<string>>();

  /** Whether there is none, as in most sessions. */
  get isEmpty(): boolean {
    return this.#limits.length + this.#listeners.length === 0;
  }

  list(): readonly (LimitProblem | ListenerProblem)[] {
    return [...this.#limits, ...this.#listeners];
  }

  /** The rules that are switched off now. */
  get limits(): readonly LimitProblem[] {
    return this.#limits;
  }

  /** Adds rules that were switched off; returns undefined when the same is known already. */
  addLimit(overflow: Overflow): LimitProblem | undefined {
    const problem = limitProblem(overflow);
    if (this.#limits.some((known) => known.message === problem.message)) return undefined;
    this.#limits.push(problem);
    return problem;
  }

  /** Drops all problems. */
  clear(): void {
    this.#limits = emptied(this.#limits);
    if (this.#listeners.length > 0) this.#listeners.length = 0;
    empty(this.#messages);
  }

  /** Drops the rules that were switched off: another program tries its rules again. */
  forgetLimits(): void {
    this.#limits = [];
  }

  /** Adds an error of a listener; returns undefined when it failed so before, or when 100 errors are kept already. */
  addListener(listener: object, event: string, error: unknown): ListenerProblem | undefined {
    if (this.#listeners.length >= MAX_LISTENER_PROBLEMS) return undefined;
    const message = `listener for "${event}" failed: ${shortened(thrownWords(error))}`;
    const messages = this.#messages.get(listener) ?? new Set();
    if (messages.has(message)) return undefined;
    this.#messages.set(listener, messages.add(message));
    const problem: ListenerProblem = { code: "E522", event, message, hint: LISTENER_HINT };
    this.#listeners.push(problem);
    return problem;
  }
}

/** The length at which a message is cut, so that it stays under 2 KB whatever was thrown. */
const MAX_MESSAGE = 1500;

function shortened(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}

const LISTENER_HINT = 'catch errors inside the listener, or subscribe to "error" to receive them';

function limitProblem({ rules, pattern, limit }: Overflow): LimitProblem {
  return {
    code: "E511",
    rules,
    pattern,
    limit,
    message: matchLimitMessage({ rules, pattern, limit }),
    hint: LIMIT_HINT,
  };
}

export const LIMIT_HINT =
  "add a test that connects the patterns, or raise the limit: compile(source, { limits: { liveMatches } })";

export function matchLimitMessage({ rules, pattern, limit }: Overflow): string {
  const one = rules.length === 1;
  const names = rules.some(isJudge)
    ? rules.map(ruleWords).join(", ")
    : `${one ? "rule" : "rules"} ${rules.map((rule) => `"${rule}"`).join(", ")}`;
  const end = rules.every(isJudge) ? "can no longer be decided" : `no longer ${one ? "fires" : "fire"}`;
  return `${names} ${one ? "exceeds" : "exceed"} the limit of ${limit} partial matches at ${pattern} and ${end}`;
}
