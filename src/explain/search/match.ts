/** The smallest changes of facts after which a rule has the match, or a query the answer, of a question. */
import type { SessionPort } from "../../session/ports.ts";
import { agrees, type Fixed } from "../read/chosen.ts";
import type { ExplainContext, QuestionArguments, Target } from "../read/context.ts";
import type { Part } from "../read/parts.ts";
import { relevantFacts } from "../read/relevant.ts";
import { firstSolution } from "../read/solve.ts";
import type { World } from "../read/world.ts";
import { type Found, placeOfEdits, type Remedy } from "./edit.ts";
import { hostFacts, type Policy } from "./policy.ts";
import { readingOf } from "./reading.ts";
import { RemedySearch } from "./remedy-search.ts";
import type { State } from "./repair-state.ts";

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
  const given = ({ world: then }: State): Fixed =>
    new Map(
      [...fixed].map(([name, bound]) => [
        name,
        "fact" in bound ? { fact: then.get(bound.fact.id) ?? bound.fact } : bound,
      ]),
    );
  const search = new RemedySearch<true, Remedy>(context, world, fixed, {
    maxTrials: MAX_TRIALS,
    policy: withoutGiven(hostFacts(context), fixed),
    reading: readingOf(conditionOf(target, context), context.program),
    screen: (state) =>
      firstSolution(target.parts, state.world, target.start.in(state.world), given(state)) !== undefined,
    relevant: (state) => relevantFacts(target.parts, state.world, state.chosen.in(state.world)),
    ask: (fork) => hasMatch(fork, question) || undefined,
    remedy: (_, change) => change,
    place: (edits) => placeOfEdits(edits),
    about: firstType(target.parts),
  });
  return search.find((maxEdits) => {
    for (const state of search.repair.repaired(target.parts, world, target.start, maxEdits)) {
      if (state.edits.length === maxEdits) search.tryChange(state);
      if (search.isDone) return;
    }
  });
}

/** Returns the type of the first pattern: what a rule is about. */
function firstType([first]: readonly Part[]): string | undefined {
  return first?.kind === "pattern" ? first.type : undefined;
}

/** Returns the policy without the removal of facts that the question is about. */
function withoutGiven(policy: Policy, fixed: Fixed): Policy {
  const given = new Set([...fixed.values()].map((bound) => ("fact" in bound ? bound.fact.id : "")));
  return { ...policy, mayRemove: (fact) => !given.has(fact.id) && policy.mayRemove(fact) };
}

/** Returns the condition of a rule or query in the checked tree, without its actions. */
function conditionOf({ kind, name }: Target, { program: { symbols } }: ExplainContext): unknown {
  if (kind === "query") return symbols.queries.get(name)?.decl.elements;
  const body = symbols.rules.get(name)?.decl.body;
  return body?.kind === "slash" ? [body.sources, body.test] : body?.elements;
}

/** Returns whether a session has the match of the question. */
function hasMatch(session: SessionPort, { context, target, args, fixed }: MatchQuestion): boolean {
  const matches =
    target.kind === "rule"
      ? session.matchStates(target.name).map(({ bindings }) => bindings)
      : context.answers(session, target.name, args);
  return matches.some((bindings) => agrees(bindings, fixed));
}
