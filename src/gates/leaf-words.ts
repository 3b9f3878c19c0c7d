/** Explains the value of a leaf in words, with the facts that were seen. */
import { factLabel } from "../base/fact-label.ts";
import type { Maybe } from "../base/value.ts";
import type { SeenFact } from "../base/answers.ts";
import type { Match } from "../rete/match.ts";
import type { ConditionNode } from "./condition.ts";
import type { Newest } from "./newest.ts";
import { NewestOfEach } from "./newest-of-each.ts";
import type { Evidence, Piece } from "./evidence.ts";
import { statusOf, TRUE, UNKNOWN } from "./requirement.ts";
import type { Reading } from "../base/judging.ts";

/** The most facts that a sentence names; the evidence lists all of them. */
const MAX_NAMED = 5;

export function reasonFor(condition: ConditionNode, subject: Match): string {
  const evidence = condition.evidence(subject);
  if (condition.blind !== undefined) return condition.blind;
  const gap = condition.gaps.words(subject);
  if (gap !== undefined) return gap;
  if (evidence === undefined) return "no evidence yet";
  const { code } = evidence;
  const window = code === UNKNOWN ? condition.windows.words(subject) : undefined;
  const reason = reasonIn(condition, subject, evidence, window !== undefined);
  return window === undefined ? reason : `${reason}; ${window}`;
}

/** Returns the reason without the window; `isOpen` while further evidence may come. */
function reasonIn(condition: ConditionNode, subject: Match, evidence: Evidence, isOpen: boolean): string {
  const { reading, words } = condition.spec;
  const counted = inOrder(evidence).filter((piece) => piece.trusted);
  const inTime = isOpen ? " yet" : words.inTime === undefined ? "" : ` ${words.inTime}`;
  if (reading.kind === "exists") return existsReason(condition, subject, evidence, { counted, inTime });
  if (counted.length === 0) {
    return reading.kind === "test"
      ? "no evidence yet"
      : `no ${words.wanted(subject)}${inTime}${untrustedWords(evidence)}`;
  }
  if (reading.kind === "quorum") return quorumReason(condition, reading, evidence, counted);
  const { newest } = evidence;
  if (newest instanceof NewestOfEach) return newestReason(condition, evidence, newest);
  if (newest !== undefined) return latestReason(condition, newest);
  const unknown = counted.find((piece) => piece.code === UNKNOWN);
  if (unknown !== undefined && evidence.code === UNKNOWN) return unknownWords(condition, unknown);
  if (evidence.code === UNKNOWN && !isOpen) return disagreement(condition, counted);
  return counted.length === 1 || reading.kind === "test" ? pieceWords(condition, counted[0]) : tallyWords(evidence);
}

/** Returns what an unknown leaf needs: for a quorum that can still grow the facts that it lacks, else why it is unknown. */
export function needsFor(condition: ConditionNode, subject: Match): string {
  const { reading, words } = condition.spec;
  const evidence = condition.evidence(subject);
  const isBlind = condition.blind !== undefined || condition.gaps.has(subject);
  if (evidence === undefined || isBlind || reading.kind !== "quorum") return reasonFor(condition, subject);
  const lacking = reading.min - evidence.trues;
  const unknown = inOrder(evidence).find((piece) => piece.trusted && piece.code === UNKNOWN);
  const doubt = unknown === undefined ? undefined : unknownWords(condition, unknown);
  if (!isGrowing(condition, subject) || lacking <= 0) return doubt ?? reasonFor(condition, subject);
  const more = `needs ${lacking} more ${words.wanted(subject, true)}${untrustedWords(evidence)}`;
  return [more, doubt, condition.windows.words(subject)].filter((one) => one !== undefined).join("; ");
}

/** Returns whether further facts may come to a quorum. */
export function isGrowing(condition: ConditionNode, subject: Match): boolean {
  const { reading } = condition.spec;
  return reading.kind === "quorum" && !reading.closed && condition.comingOf(subject) !== "never";
}

/** Returns the tally of a quorum, and what may still change it. */
function quorumReason(
  condition: ConditionNode,
  { min, closed }: Extract<Reading, { kind: "quorum" }>,
  evidence: Evidence,
  counted: readonly Piece[],
): string {
  const unsure = evidence.code === UNKNOWN ? counted.find((piece) => piece.unsure) : undefined;
  const doubt = unsure === undefined ? "" : `; ${unknownWords(condition, unsure)}`;
  if (!closed && evidence.code === UNKNOWN && evidence.trues < min) {
    return `${evidence.trues} of the ${min} needed${trueNames(condition, counted)}; ${furtherWords(condition)}${doubt}`;
  }
  return `${tallyWords(evidence, trueNames(condition, counted))} where at least ${min} must be true${doubt}`;
}

/** Returns the facts that are true: ` (Vote ann, Vote bob)`; nothing when there are none. */
function trueNames(condition: ConditionNode, counted: readonly Piece[]): string {
  const found = counted.filter((piece) => !piece.unsure && piece.code === TRUE);
  return found.length === 0 ? "" : ` (${names(condition, found)})`;
}

export function furtherWords({ spec }: ConditionNode): string {
  return `further ${spec.words.type} facts may come`;
}

export function seenFacts(condition: ConditionNode, subject: Match): SeenFact[] {
  const evidence = condition.evidence(subject);
  if (evidence === undefined) return [];
  const newest = new Set(evidence.newest?.top());
  return inOrder(evidence).flatMap((piece) => {
    const old = evidence.newest !== undefined && !newest.has(piece);
    const note = !piece.trusted ? UNTRUSTED : old ? "not the newest" : unknownNote(condition, piece);
    const counts = piece.trusted && !old;
    const shown = { value: statusOf(piece.code), counts, ...(note === undefined ? {} : { note }) };
    return condition.spec.words.facts(piece.match, piece.unsure).map((fact) => ({ ...fact, ...shown }));
  });
}

const UNTRUSTED = "only asserted, and the gate asks for verified evidence";

function existsReason(
  condition: ConditionNode,
  subject: Match,
  evidence: Evidence,
  { counted, inTime }: { readonly counted: readonly Piece[]; readonly inTime: string },
): string {
  const sure = counted.filter((piece) => !piece.unsure);
  if (sure.length > 0) return `${names(condition, sure)} ${sure.length === 1 ? "exists" : "exist"}`;
  const [unsure] = counted;
  if (unsure !== undefined) return unknownWords(condition, unsure);
  return `no ${condition.spec.words.wanted(subject)}${inTime}${untrustedWords(evidence)}`;
}

function untrustedWords({ untrusted }: Evidence): string {
  if (untrusted === 0) return "";
  return untrusted === 1
    ? "; one that is only asserted does not count"
    : `; ${untrusted} that are only asserted do not count`;
}

function latestReason(condition: ConditionNode, newest: Newest): string {
  const disorder = newest.disorder();
  const top = newest.top();
  if (disorder === "unordered") return `${names(condition, top)} cannot be ordered, so the newest is unknown`;
  if (disorder === "mixed") return "numbers and strings cannot be ordered together, so the newest is unknown";
  const unknown = top.find((piece) => piece.code === UNKNOWN);
  if (unknown !== undefined) return unknownWords(condition, unknown);
  return newest.value() === UNKNOWN ? disagreement(condition, top) : pieceWords(condition, top[0]);
}

/** Returns the reason of a condition over the newest of each group: the groups that give it its value. */
function newestReason(condition: ConditionNode, { code }: Evidence, newest: NewestOfEach): string {
  const top = newest.top();
  if (newest.hasUngrouped) return `${names(condition, top)} cannot be grouped, so the newest of each group is unknown`;
  const deciding = newest.groups(code);
  if (code === UNKNOWN && deciding.length === 0) return disagreement(condition, top);
  const words = deciding.slice(0, MAX_NAMED).map((group) => latestReason(condition, group));
  const more = deciding.length - words.length;
  return `${words.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function disagreement(condition: ConditionNode, pieces: readonly Piece[]): string {
  const opinions = pieces
    .slice(0, MAX_NAMED)
    .map((piece) => `${names(condition, [piece])} says ${statusOf(piece.code)}`);
  return `evidence disagrees: ${opinions.join(", ")}${pieces.length > MAX_NAMED ? ", …" : ""}`;
}

function tallyWords({ trues, falses, unknowns }: Evidence, named = ""): string {
  return `${trues} true${named}, ${falses} false, ${unknowns} unknown`;
}

function unknownNote(condition: ConditionNode, piece: Piece): string | undefined {
  return piece.code === UNKNOWN ? unknownWords(condition, piece) : undefined;
}

export function unknownWords(condition: ConditionNode, piece: Piece): string {
  const { fits, words, asked } = condition.spec;
  if (piece.unsure && fits !== undefined) return fits.words(piece.match, piece.threw);
  if (asked !== undefined) return `${names(condition, [piece])}: ${reasonFor(asked.condition, piece.match)}`;
  return piece.threw ?? words.whyUnknown(piece.match);
}

function pieceWords(condition: ConditionNode, piece: Piece | undefined): string {
  if (piece === undefined) return "";
  const facts = condition.spec.words.facts(piece.match, false).map(({ id, values }) => {
    const read = Object.entries(values).map(([field, value]) => `${field} is ${valueWords(value)}`);
    return read.length === 0 ? factLabel(id) : `${read.join(", ")} (${factLabel(id)})`;
  });
  return facts.length === 0 ? `it is ${piece.code === TRUE ? "true" : "false"}` : facts.join("; ");
}

function names(condition: ConditionNode, pieces: readonly Piece[]): string {
  const ids = pieces.flatMap((piece) => condition.spec.words.facts(piece.match, false).map(({ id }) => factLabel(id)));
  return ids.length > MAX_NAMED
    ? `${ids.slice(0, MAX_NAMED).join(", ")} and ${ids.length - MAX_NAMED} more`
    : ids.join(", ");
}

/** Returns the pieces in the order in which their facts were asserted, whatever order the network found them in. */
export function inOrder(evidence: Evidence): Piece[] {
  const order = (piece: Piece): number => factOrder(piece.match);
  return [...evidence.pieces()].sort((a, b) => order(a) - order(b));
}

function factOrder(match: Match): number {
  for (let at: Match | undefined = match; at !== undefined; at = at.parent)
    if (at.fact !== undefined) return at.fact.order;
  return 0;
}

export function valueWords(value: Maybe): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
