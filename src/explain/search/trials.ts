/** Tries edits in copies of the session that was asked, so that nothing is suggested that does not work. */
import type { FactView } from "../../session/results.ts";
import type { Session } from "../../session/session.ts";
import type { Edit } from "./edit.ts";
import { relevantFacts } from "../read/relevant.ts";
import type { State } from "./repair-state.ts";
import type { Asked, ExplainSite } from "../read/context.ts";
import type { Ground, World } from "../read/world.ts";

/** Up to so many facts a session is copied whole. */
const WHOLE = 2_000;

export class Trials {
  readonly #site: ExplainSite;
  readonly #asked: Asked;
  readonly #fits: (session: Session) => boolean;
  readonly #world: World;
  readonly #logical: boolean;
  /** A whole copy, used again as long as edits can be taken back. */
  #fork: Session | undefined;

  /** `fits` says whether a session has the match that is wanted. */
  constructor(site: ExplainSite, asked: Asked, world: World, fits: (session: Session) => boolean) {
    this.#site = site;
    this.#asked = asked;
    this.#fits = fits;
    this.#world = world;
    this.#logical = site.session.counters().logicalFacts > 0;
  }

  works(way: State): boolean {
    const part = this.#partCopy(way);
    if (part !== undefined) return this.#tryIn(part, way.edits).worked;
    if (this.#fork === undefined) this.#site.budget?.spend(this.#site.session.size);
    const fork = (this.#fork ??= this.#site.fork());
    const { worked, undo } = this.#tryIn(fork, way.edits);
    if (this.#logical || !canBeTakenBack(way.edits, this.#site)) this.#fork = undefined;
    else for (const back of undo.toReversed()) back();
    return worked;
  }

  /** Of a large session only the facts that matter; where logical facts come and go by themselves all may. */
  #partCopy({ world, chosen, edits }: State): Session | undefined {
    if (this.#logical || this.#site.session.size <= (this.#site.wholeUpTo ?? WHOLE)) return undefined;
    const relevant = relevantFacts(this.#asked.parts, world, chosen.in(world));
    if (relevant === undefined) return undefined;
    const edited = edits.flatMap((edit) => (edit.op === "assert" ? [] : [edit.fact]));
    const facts = [...new Set([...relevant, ...edited])].map((id) => this.#world.get(id));
    this.#site.budget?.spend(facts.length);
    return this.#site.forkOf(facts.filter((fact): fact is FactView => fact !== undefined));
  }

  #tryIn(fork: Session, edits: readonly Edit[]): { readonly worked: boolean; readonly undo: readonly (() => void)[] } {
    const undo: (() => void)[] = [];
    try {
      for (const edit of edits) undo.push(make(fork, edit));
      return { worked: this.#fits(fork), undo };
    } catch {
      return { worked: false, undo }; // a change that the session refuses is no remedy
    }
  }
}

/**
 * Whether a session is as it was when the edits are taken back. Numbers of facts are given once: one that was removed does
 * not come back under its own, and one that was added took the number of the next, unless it has a key. Where there are
 * logical facts, they do not come back by themselves.
 */
export function canBeTakenBack(edits: readonly Edit[], { program }: Ground): boolean {
  return edits.every((edit) => {
    if (edit.op === "update") return true;
    const fields = edit.op === "assert" ? program.symbols.type(edit.type)?.fields.values() : undefined;
    return fields !== undefined && [...fields].some(({ key }) => key);
  });
}

/** Gives what takes the edit back. */
export function make(fork: Session, edit: Edit): () => void {
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
