/**
 * Explains why a fact is gone: who made it, and who removed it or which match that supported it ended, and what ended it.
 *
 * Everything comes from the history of the session. The change that ended a match is found by going back through the changes
 * until the match holds.
 */
import { factLabel } from "../../base/fact-label.ts";
import { typeOfId } from "../../base/identity.ts";
import type { Maybe } from "../../base/value.ts";
import type { SessionError } from "../../session/errors.ts";
import type { PastChange, RemovedFact } from "../../session/history.ts";
import type { FactSupport } from "../../session/options.ts";
import type { Fired } from "../../session/results.ts";
import { unlessStopped } from "../read/budget.ts";
import { Chosen } from "../read/chosen.ts";
import { type ExplainContext, fixedBy, ruleNamed } from "../read/context.ts";
import type { Draft, Reason as MatchReason } from "../read/draft.ts";
import { unknownFact } from "../read/fact-named.ts";
import { firstSolution } from "../read/solve.ts";
import { fieldWords, seenValue } from "../read/words.ts";
import { World } from "../read/world.ts";
import { headlineOf } from "./headline.ts";

/** How firings and matches are explained. */
export interface Drafts {
  /** Returns the explanation of a firing; nothing when it is no longer remembered. */
  firing(fired: Fired): readonly Draft[];
  /** Returns the explanation of a rule's condition for given bindings, and the reasons for its outcome. */
  match(match: FactSupport, world: World): { readonly draft: Draft; readonly reasons: readonly MatchReason[] };
}

/** Returns the last fact with an id that was removed, as far as the history reaches back. */
export function withdrawnFact({ history }: ExplainContext, id: string): RemovedFact | undefined {
  for (const removed of history.removed(typeOfId(id))) if (removed.fact.id === id) return removed;
  return undefined;
}

/** Returns the error for an id that no fact has, or had as far as the history reaches back. */
export function unknownNow({ session, history }: ExplainContext, id: string): SessionError {
  const type = typeOfId(id); // which may be none
  const known = session.facts().flatMap((fact) => (fact.type === type ? [fact.id] : []));
  for (const { fact } of history.removed(type)) known.push(fact.id);
  const forgotten = "it may have been withdrawn before the history of this session begins";
  const never = "no fact of this session ever had this id";
  return unknownFact(id, known, history.isComplete() ? never : forgotten);
}

/** The most withdrawn facts that are followed back, each because of the next. */
const MAX_DEPTH = 12;

export function withdrawnDraft(context: ExplainContext, removed: RemovedFact, drafts: Drafts, depth = 0): Draft {
  const { fact } = removed;
  const label = factLabel(fact.id);
  const { reason, steps } =
    removed.by === "support" ? lostSupport(context, removed, drafts, depth) : taken(removed, drafts);
  return {
    text: fact.id,
    seen: [`${label} had ${fieldWords(fact.fields) || "no fields"}`, `${label} is gone`],
    down: `Looks for what removed ${label}.`,
    up: headlineOf(`${label} was withdrawn${momentWords(context, removed)}`, [reason]),
    method: "withdrawn",
    outcome: false,
    children: [originDraft(context, removed, drafts), ...steps],
  };
}

/** Returns when it was removed: ` at firing 2`, or ` after firing 1` when no rule did it. */
function momentWords({ history }: ExplainContext, { fired, change }: RemovedFact): string {
  if (fired !== undefined) return ` at firing ${fired.n}`;
  const before = history.firingBefore(change);
  return before === undefined ? "" : ` after firing ${before}`;
}

/** Returns the step that says who made the fact. */
function originDraft(context: ExplainContext, { fact, origin }: RemovedFact, drafts: Drafts): Draft {
  const { made, changed } = origin;
  const place = context.place(fact.id);
  const maker =
    made !== undefined
      ? `was inserted by "${made.rule}" (firing ${made.n})`
      : place === undefined
        ? "was asserted by the host, or before the history begins"
        : `was stated in ${place}`;
  const then =
    changed === undefined
      ? ""
      : changed === "host"
        ? "; the host changed it later"
        : `; "${changed.rule}" changed it (firing ${changed.n})`;
  return {
    text: fact.id,
    seen: [`${factLabel(fact.id)} ${maker}`],
    down: `Looks for the origin of ${factLabel(fact.id)}.`,
    up: `${factLabel(fact.id)} ${maker}${then}.`,
    method: "asserted",
    outcome: true,
    children: made === undefined ? [] : drafts.firing(made),
  };
}

interface Reason {
  /** The end of the headline, without a full stop. */
  readonly reason: string;
  readonly steps: readonly Draft[];
}

/** Returns who took the fact away: a rule, the host, or the engine. */
function taken({ by, fired, fact }: RemovedFact, drafts: Drafts): Reason {
  if (by === "host") return { reason: "the host retracted it", steps: [] };
  if (by === "clock") return { reason: `it expired, as facts of type ${fact.type} do`, steps: [] };
  if (by === "engine") return { reason: outcomeWords(fact.type, fact.fields), steps: [] };
  const rule = fired?.rule ?? by.replace(/^rule /u, "");
  return { reason: `"${rule}" retracted it`, steps: fired === undefined ? [] : drafts.firing(fired) };
}

/** Returns why the engine withdraws a fact that it wrote. */
function outcomeWords(type: string, { gate, guardian, subject }: Readonly<Record<string, Maybe>>): string {
  const about = typeof subject === "string" ? factLabel(subject) : undefined;
  const whom = about === undefined ? "" : ` for ${about}`;
  const gone = about === undefined ? "" : `, or ${about} is no longer its subject`;
  if (type === "GateResult" && typeof gate === "string") return `the outcome of gate "${gate}"${whom} changed${gone}`;
  if (type === "Verdict" && typeof guardian === "string")
    return `the verdict of guardian "${guardian}"${whom} changed${gone}`;
  return "the engine replaced it";
}

// ---------------------------------------------------------------- lost supports

/** The most changes that are looked at to find the one that ended a match. */
const MAX_CHANGES = 64;

/** How a match that supported a fact ended. */
interface Lost {
  readonly match: FactSupport;
  /** The change that ended it; undefined when that is not known. */
  readonly change: number | undefined;
  /** Whether it no longer held, began again, or rested only on facts that were withdrawn with it. */
  readonly how: "ended" | "began again" | "unfounded";
}

/** Returns the matches that no longer support a logical fact, and the change that ended the last of them. */
function lostSupport(context: ExplainContext, removed: RemovedFact, drafts: Drafts, depth: number): Reason {
  const lost = distinct(removed.supporters).map((match) =>
    unlessStopped(
      () => lossOf(context, match, removed.change - 1),
      (): Lost => ({ match, change: undefined, how: "ended" }),
    ),
  );
  const [first, ...others] = lost;
  if (first === undefined)
    return {
      reason: "no match supports it, and the history does not reach back to the firing that made it",
      steps: [],
    };
  const last = others.reduce((latest, one) => ((one.change ?? 0) > (latest.change ?? 0) ? one : latest), first);
  const cause = last.change === undefined ? undefined : context.history.changeAt(last.change);
  const because = cause === undefined ? "" : `, because ${causeWords(cause)}`;
  const steps = lost.map((one) => lostDraft(context, one, removed.change - 1, drafts));
  return {
    reason: `${lossWords(last)}${because}`,
    steps: [...steps, ...causeDrafts(context, cause, drafts, depth)],
  };
}

function lossWords({ match: { rule }, how }: Lost): string {
  if (how === "began again") return `the match of "${rule}" began again`;
  return how === "ended" ? `"${rule}" no longer matches` : `"${rule}" matched only facts that were withdrawn with it`;
}

/** Returns the explanation of a change: of the firing that made it, or of another fact that was withdrawn. */
function causeDrafts(
  context: ExplainContext,
  cause: PastChange | undefined,
  drafts: Drafts,
  depth: number,
): readonly Draft[] {
  const earlier = cause?.by === "support" && depth < MAX_DEPTH ? withdrawnFact(context, cause.id) : undefined;
  if (earlier !== undefined) return [withdrawnDraft(context, earlier, drafts, depth + 1)];
  return cause?.fired === undefined ? [] : drafts.firing(cause.fired);
}

/** Returns the firings of different matches. */
function distinct(supporters: readonly Fired[]): Fired[] {
  const keyed = supporters.map((one) => [JSON.stringify([one.rule, Object.entries(one.bindings)]), one] as const);
  return [...new Map(keyed).values()];
}

/** Returns how a match ended, at the latest at a change. */
function lossOf(context: ExplainContext, match: FactSupport, until: number): Lost {
  const held = holdsAfter(context, match, until);
  if (held === undefined) return { match, change: undefined, how: "ended" };
  if (!held)
    return { match, change: lastChange(until, (change) => holdsAfter(context, match, change - 1)), how: "ended" };
  const change = lastChange(until, (one) => context.history.changeAt(one)?.by !== "support");
  const again = holdsAfter(context, match, endOfCascade(context, until + 1)) === true;
  return { match, change, how: again ? "began again" : "unfounded" };
}

/** Returns the last change up to one for which something is true; undefined when it becomes unknown before, or is too far. */
function lastChange(until: number, test: (change: number) => boolean | undefined): number | undefined {
  for (let change = until; change > until - MAX_CHANGES && change > 0; change--) {
    const found = test(change);
    if (found !== false) return found === true ? change : undefined;
  }
  return undefined;
}

/** Returns the last of the changes from one on that withdraw facts without support. */
function endOfCascade({ history }: ExplainContext, from: number): number {
  let change = from;
  while (change < from + MAX_CHANGES && history.changeAt(change + 1)?.by === "support") change += 1;
  return change;
}

/** Returns whether a match held after a change; undefined when the facts of that time are not known. */
function holdsAfter(context: ExplainContext, { rule, bindings }: FactSupport, change: number): boolean | undefined {
  const past = context.history.pastFacts(change);
  if (!past.known || context.program.symbols.rules.get(rule) === undefined) return undefined;
  const world = World.of(context, past);
  const { parts } = ruleNamed(context, rule);
  return firstSolution(parts, world, Chosen.nothing, fixedBy(bindings, parts, world)) !== undefined;
}

function causeWords({ op, id, by, fired }: PastChange): string {
  const who = by === "host" ? "the host" : fired === undefined ? by : `"${fired.rule}"`;
  const label = factLabel(id);
  if (by === "support") return `${label} was withdrawn`;
  return `${who} ${op === "assert" ? "added" : op === "update" ? "changed" : "retracted"} ${label}`;
}

/** Returns the condition of a rule as it was when its match had ended. */
function lostDraft(context: ExplainContext, { match, change, how }: Lost, until: number, drafts: Drafts): Draft {
  const { rule, bindings } = match;
  const past = context.history.pastFacts(how === "ended" ? (change ?? until) : until);
  const known = past.known && context.program.symbols.rules.get(rule) !== undefined;
  if (!known) return forgotten(rule);
  const world = World.of(context, past);
  const { draft, reasons } = drafts.match(match, world);
  const fixed = [...fixedBy(bindings, ruleNamed(context, rule).parts, world)];
  const whom = fixed.map(
    ([name, bound]) => `${name} = ${"fact" in bound ? factLabel(bound.fact.id) : seenValue(bound.value)}`,
  );
  const verb = how === "ended" ? "no longer matched" : how === "unfounded" ? "still matched" : "matched again";
  const head = `"${rule}" ${verb}${whom.length === 0 ? "" : ` for ${whom.join(", ")}`}`;
  return { ...draft, up: headlineOf(head, reasons) };
}

function forgotten(rule: string): Draft {
  const up = `Why "${rule}" no longer matched is not known: the history does not reach back that far.`;
  return {
    text: `rule "${rule}"`,
    seen: [up.slice(0, -1)],
    down: `Looks for the end of its match.`,
    up,
    outcome: false,
    children: [],
    bound: true,
  };
}
