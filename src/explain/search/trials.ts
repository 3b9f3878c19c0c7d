/** Tries edits in copies of the session, so that only changes that work are suggested. */
import type { FactView } from "../../session/results.ts";
import type { SessionPort } from "../../session/ports.ts";
import type { ExplainContext } from "../read/context.ts";
import type { WorldContext, World } from "../read/world.ts";
import type { FactEdit } from "./edit.ts";
import type { State } from "./repair-state.ts";

/** The most facts of a session that is copied whole. */
const WHOLE_COPY_UP_TO = 2_000;
/** The most instants at which a question is asked while nothing changes but the clock. */
const MAX_INSTANTS = 100;
/** The fewest copies that may be made, however large the session is. */
const MIN_COPIES = 3;

export interface TrialLimits {
  /** The most facts that are copied in all; without it there is no limit. */
  readonly maxCopiedFacts?: number;
  /** Returns the facts that decide the answer after a change; undefined when all may. */
  relevant(state: State): ReadonlySet<string> | undefined;
}

export class Trials {
  readonly #context: ExplainContext;
  readonly #world: World;
  readonly #limits: TrialLimits;
  /**
   * True when the session has logical facts: they come and go by themselves, so a copy of some facts cannot replace all
   * of them.
   */
  readonly #logical: boolean;
  #copiesLeft: number;
  /** A whole copy, reused as long as edits can be undone. */
  #fork: SessionPort | undefined;
  /** A whole copy in which many edits are tried and undone; the numbers of its new facts differ. */
  #screening: SessionPort | undefined;
  #stopped: string | undefined;

  constructor(context: ExplainContext, world: World, limits: TrialLimits) {
    this.#context = context;
    this.#world = world;
    this.#limits = limits;
    this.#logical = context.session.counters().logicalFacts > 0;
    const { maxCopiedFacts = Infinity } = limits;
    this.#copiesLeft = Math.max(MIN_COPIES, Math.floor(maxCopiedFacts / (context.session.size + 1)));
  }

  /** Returns why changes were no longer tried; undefined when all were. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Returns the answer of a copy after the edits; undefined when the session refuses them, or no copy is left. */
  ask<Answer>(state: State, question: (fork: SessionPort) => Answer | undefined): Answer | undefined {
    const part = this.#partCopy(state);
    if (part !== undefined) return askAfter(part, state.edits, question).answer;
    const fork = this.#wholeCopy();
    if (fork === undefined) return undefined;
    const { answer, undo } = askAfter(fork, state.edits, question);
    const isRestored = !this.#logical && canBeUndone(state.edits, this.#context) && undoAll(undo);
    if (!isRestored) this.#fork = undefined;
    return answer;
  }

  /**
   * Returns the first answer to a question while the clock of a copy moves from one instant at which something turns to the next, and
   * that instant; undefined when there is none, or the session is too large to copy.
   */
  waited<Answer>(
    question: (fork: SessionPort) => Answer | undefined,
  ): { readonly answer: Answer; readonly until: string } | undefined {
    const { session, wholeUpTo = WHOLE_COPY_UP_TO, budget } = this.#context;
    if (session.nextTime === undefined || session.size > wholeUpTo) return undefined;
    budget?.spend(session.size);
    const fork = this.#context.fork();
    for (let instants = 0; instants < MAX_INSTANTS; instants++) {
      const until = fork.nextTime;
      if (until === undefined) return undefined;
      budget?.spend(1);
      fork.advance(until);
      const answer = question(fork);
      if (answer !== undefined) return { answer, until };
    }
    return undefined;
  }

  /**
   * Returns whether a question is answered with yes after one edit, in a copy that is used for all of them. It is true
   * for a removal, which cannot be undone there; false where edits cannot be undone or the session is too large to copy.
   */
  screen(state: State, question: (fork: SessionPort) => boolean): boolean {
    const { session, wholeUpTo = WHOLE_COPY_UP_TO, budget } = this.#context;
    if (state.edits.some(({ op }) => op === "retract")) return true;
    if (session.size > wholeUpTo) this.#stopped = tooLarge(session.size);
    if (this.#logical || session.size > wholeUpTo) return false;
    budget?.spend(1);
    if (this.#screening === undefined) {
      budget?.spend(session.size);
      this.#screening = this.#context.fork();
    }
    const { answer, undo } = askAfter(this.#screening, state.edits, question);
    if (!undoAll(undo)) this.#screening = undefined;
    return answer === true;
  }

  /** Returns a copy of the relevant facts; undefined when the session has to be copied whole. */
  #partCopy(state: State): SessionPort | undefined {
    const { session, wholeUpTo = WHOLE_COPY_UP_TO, budget } = this.#context;
    if (this.#logical || session.size <= wholeUpTo) return undefined;
    const relevant = this.#limits.relevant(state);
    if (relevant === undefined) return undefined;
    const edited = state.edits.flatMap((edit) => (edit.op === "assert" ? [] : [edit.fact]));
    const facts = [...new Set([...relevant, ...edited])].map((id) => this.#world.get(id));
    budget?.spend(facts.length);
    return this.#context.forkOf(facts.filter((fact): fact is FactView => fact !== undefined));
  }

  #wholeCopy(): SessionPort | undefined {
    if (this.#fork !== undefined) return this.#fork;
    const { size } = this.#context.session;
    if (this.#copiesLeft === 0) {
      this.#stopped = tooLarge(size);
      return undefined;
    }
    this.#copiesLeft -= 1;
    this.#context.budget?.spend(size);
    return (this.#fork = this.#context.fork());
  }
}

function tooLarge(size: number): string {
  return `stopped: the session is too large to copy for every trial (${size} facts)`;
}

/** Returns the answer after the edits, and functions that undo those that were made. */
function askAfter<Answer>(
  fork: SessionPort,
  edits: readonly FactEdit[],
  question: (fork: SessionPort) => Answer | undefined,
): { readonly answer: Answer | undefined; readonly undo: readonly (() => void)[] } {
  const undo: (() => void)[] = [];
  try {
    for (const edit of edits) undo.push(make(fork, edit));
    return { answer: question(fork), undo };
  } catch {
    return { answer: undefined, undo }; // a change that the session refuses is no remedy
  }
}

/** Undoes edits, and returns whether that was possible: a fact that expired with a new time has gone. */
function undoAll(undo: readonly (() => void)[]): boolean {
  try {
    for (const back of undo.toReversed()) back();
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether undoing the edits restores the session. Numbers of facts are used once: a removed fact does not come
 * back under its own number, and an added fact took the next number, unless it has a key.
 */
function canBeUndone(edits: readonly FactEdit[], { program }: WorldContext): boolean {
  return edits.every((edit) => {
    if (edit.op === "update") return true;
    const fields = edit.op === "assert" ? program.symbols.type(edit.type)?.fields.values() : undefined;
    return fields !== undefined && [...fields].some(({ key }) => key);
  });
}

/** Makes an edit, and returns a function that undoes it. */
function make(fork: SessionPort, edit: FactEdit): () => void {
  switch (edit.op) {
    case "update":
      fork.update(edit.fact, { [edit.field]: edit.to });
      return () => void fork.update(edit.fact, { [edit.field]: edit.from ?? null });
    case "assert": {
      const { id } = fork.assert(edit.type, edit.fields);
      return () => void fork.retract(id);
    }
    case "retract":
      fork.retract(edit.fact);
      return () => {};
  }
}
