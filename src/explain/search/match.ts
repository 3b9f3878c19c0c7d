/** The smallest changes of facts after which a rule has the match, or a query the answer, of a question. */
import type { SessionPort } from "../../session/ports.ts";
import { agrees, type Fixed } from "../read/chosen.ts";
import type { ExplainContext, QuestionArguments, Target } from "../read/context.ts";
import { relevantFacts } from "../read/relevant.ts";
import type { World } from "../read/world.ts";
import { type Found, placeOfEdits, type Remedy } from "./edit.ts";
import { RemedySearch } from "./remedy-search.ts";

const MAX_TRIALS = 30;

export interface MatchQuestion {
  readonly context: ExplainContext;
  readonly target: Target;
  readonly args: QuestionArguments;
  readonly fixed: Fixed;
  readonly world: World;
}

/** Returns the remedies; none when nothing within three edits helps. */
export function wouldMatch(question: MatchQuestion): Found<Remedy> {
  const { context, target, fixed, world } = question;
  const search = new RemedySearch<true, Remedy>(context, world, fixed, {
    maxTrials: MAX_TRIALS,
    relevant: (state) => relevantFacts(target.parts, state.world, state.chosen.in(state.world)),
    ask: (fork) => hasMatch(fork, question) || undefined,
    remedy: (_, change) => change,
    place: (edits) => placeOfEdits(edits),
  });
  return search.find((maxEdits) => {
    for (const state of search.repair.repaired(target.parts, world, target.start, maxEdits)) {
      if (state.edits.length === maxEdits) search.tryChange(state);
      if (search.isDone) return;
    }
  });
}

/** Returns whether a session has the match of the question. */
function hasMatch(session: SessionPort, { context, target, args, fixed }: MatchQuestion): boolean {
  const matches =
    target.kind === "rule"
      ? session.matchStates(target.name).map(({ bindings }) => bindings)
      : context.answers(session, target.name, args);
  return matches.some((bindings) => agrees(bindings, fixed));
}
