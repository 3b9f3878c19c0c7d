/** What went wrong without stopping anything: rules at their match limit, listeners that threw. */
import { isJudge, ruleWords } from "../base/rule-words.ts";
import { thrownWords } from "../base/host-result.ts";
import type { LimitProblem, ListenerProblem } from "../base/answers.ts";
import type { Overflow } from "./errors.ts";

/** So many different errors of listeners are kept. */
const MOST_LISTENER_PROBLEMS = 100;

export class Problems {
  #limits: LimitProblem[] = [];
  readonly #listeners: ListenerProblem[] = [];
  /** The messages that were kept, by listener. */
  readonly #heard = new Map<object, Set<string>>();

  /** Most sessions have none: then there is nothing to put together. */
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

  /** Undefined when the same is known already. */
  addLimit(overflow: Overflow): LimitProblem | undefined {
    const problem = limitProblem(overflow);
    if (this.#limits.some((known) => known.message === problem.message)) return undefined;
    this.#limits.push(problem);
    return problem;
  }

  /** The program is another one: its rules are tried again. */
  forgetLimits(): void {
    this.#limits = [];
  }

  /** Undefined when this listener failed with this message before, or when too much is known already. */
  addListener(listener: object, event: string, error: unknown): ListenerProblem | undefined {
    if (this.#listeners.length >= MOST_LISTENER_PROBLEMS) return undefined;
    const message = `listener for "${event}" failed: ${shortened(thrownWords(error))}`;
    const heard = this.#heard.get(listener) ?? new Set();
    if (heard.has(message)) return undefined;
    this.#heard.set(listener, heard.add(message));
    const problem: ListenerProblem = { code: "E522", event, message, hint: LISTENER_HINT };
    this.#listeners.push(problem);
    return problem;
  }
}

/** Error texts stay under 2 KB, whatever was thrown. */
const LONGEST = 1500;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
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
