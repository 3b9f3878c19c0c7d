/** Tries edits in a copy of the session, and asks there what a gate or guardian says. */
import type { FactView } from "../../session/results.ts";
import type { Session } from "../../session/session.ts";
import type { Edit } from "./edit.ts";
import type { ExplainSite } from "../read/context.ts";
import { canBeTakenBack, make } from "./trials.ts";
import type { World } from "../read/world.ts";

/** Up to so many facts a session is copied whole. */
const WHOLE = 2_000;
/** So many facts are copied in all, or so many copies made. */
const COPIED_FACTS = 200_000;
const FEW_COPIES = 3;

export class JudgeTrials {
  readonly #site: ExplainSite;
  readonly #logical: boolean;
  /** A large session is not copied many times. */
  #copies: number;
  /** Used again as long as edits can be taken back. */
  #fork: Session | undefined;
  #stopped: string | undefined;

  readonly #world: World;
  /** The facts that are looked at, where a large session need not be copied whole. */
  readonly #part: ReadonlySet<string> | undefined;

  constructor(site: ExplainSite, world: World, relevant: () => ReadonlySet<string> | undefined) {
    this.#world = world;
    this.#site = site;
    this.#copies = Math.max(FEW_COPIES, Math.floor(COPIED_FACTS / (site.session.size + 1)));
    this.#logical = site.session.counters().logicalFacts > 0;
    const small = this.#logical || site.session.size <= (site.wholeUpTo ?? WHOLE);
    this.#part = small ? undefined : relevant();
  }

  /** Why changes were no longer tried; undefined when all were. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** What is said after the edits; undefined when the session refuses them, or too many were tried. */
  ask<Answer>(edits: readonly Edit[], said: (fork: Session) => Answer | undefined): Answer | undefined {
    const fork = this.#copy(edits);
    if (fork === undefined) return undefined;
    const undo: (() => void)[] = [];
    let answer: Answer | undefined;
    try {
      for (const edit of edits) undo.push(make(fork, edit));
      answer = said(fork);
    } catch {
      // a change that the session refuses is no remedy
    }
    if (this.#logical || this.#part !== undefined || !canBeTakenBack(edits, this.#site)) this.#fork = undefined;
    else for (const back of undo.toReversed()) back();
    return answer;
  }

  #copy(edits: readonly Edit[]): Session | undefined {
    if (this.#part !== undefined) {
      const edited = edits.flatMap((edit) => (edit.op === "assert" ? [] : [edit.fact]));
      const facts = [...new Set([...this.#part, ...edited])].map((id) => this.#world.get(id));
      this.#site.budget?.spend(facts.length);
      return this.#site.forkOf(facts.filter((fact): fact is FactView => fact !== undefined));
    }
    if (this.#fork !== undefined) return this.#fork;
    if (this.#copies === 0) {
      this.#stopped = `stopped: the session is too large to copy for every trial (${this.#site.session.size} facts)`;
      return undefined;
    }
    this.#copies -= 1;
    this.#site.budget?.spend(this.#site.session.size);
    return (this.#fork = this.#site.fork());
  }
}
