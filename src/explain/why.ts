/** Why a rule fired, why a gate says what it says, and why a fact is there: back to the facts that nobody made but the host or the program. */
import type { Maybe } from "../base/value.ts";
import type { GateAnswer, Outcome, Status } from "../rete/keeper.ts";
import { SessionError } from "../session/errors.ts";
import type { Effect, FactView, Fired } from "../session/results.ts";
import type { FactRef, FactSupport, Past } from "../session/parts.ts";
import { conditionDrafts, type Telling } from "./condition.ts";
import { explainGate, gateDraft } from "./gate.ts";
import { reach } from "./reach.ts";
import { askedRule, bindingWords, type ExplainSite, fixedBy } from "./site.ts";
import { Chosen, firstSolution } from "./solve.ts";
import { type Draft, type Explanation, numbered, seenWords } from "./step.ts";
import { shown } from "./tests.ts";
import { allParts, fieldWords, valueWords } from "./words.ts";
import { type FactBase, World } from "./world.ts";

/** So far back an origin is followed. */
const FURTHEST = 12;

/** A firing, an effect of one, what a gate said, or a fact; that of a gate's result asks the gate. */
export type Asked = Fired | Effect | GateAnswer | FactRef;

export function explain(site: ExplainSite, asked: Asked): Explanation {
  if (typeof asked === "object" && "gate" in asked) return explainGate(site, asked);
  if (typeof asked === "object" && "rule" in asked) return whyFired(site, asked);
  return whyFact(site, typeof asked === "string" ? asked : asked.id);
}

function whyFired(site: ExplainSite, asked: Fired | Effect): Explanation {
  const { n, rule } = asked;
  const past = site.session.past(n);
  const id = `${rule}#${n}`;
  if (past?.fired.rule === rule) return numbered(firingDraft(site, past.fired, basedOn(past)), id);
  if ("bindings" in asked) return numbered(firingDraft(site, asked, undefined), id);
  const hint = "open the session with a larger `history` to keep more firings";
  throw new SessionError("E550", `firing ${n} of rule "${rule}" is not remembered`, hint);
}

function whyFact(site: ExplainSite, id: string): Explanation {
  const fact = site.session.fact(id);
  const answer = fact === undefined ? undefined : gateBehind(site, fact);
  if (answer !== undefined) return explainGate(site, answer);
  if (fact !== undefined) return numbered(factDraft(site, id, new Set(), 0), id);
  throw new SessionError("E532", `there is no fact "${id}"`, "it may have been retracted");
}

/** What the gate that wrote a result said then, and how it comes to it now. */
function gateBehind(site: ExplainSite, { type, fields }: FactView): GateAnswer | undefined {
  if (type !== "GateResult" || site.program.symbols.type(type)?.engineKept !== true) return undefined;
  const { gate, subject, outcome } = fields;
  const now = site.gate(typeof gate === "string" ? gate : "", typeof subject === "string" ? subject : null);
  return now === undefined ? undefined : saying(now, outcome as Outcome);
}

/** A gate as it is now, under an outcome that it had. */
function saying(now: GateAnswer, outcome: Outcome): GateAnswer {
  return now.outcome === outcome ? now : { ...now, outcome, status: STATUS_OF[outcome] };
}

const STATUS_OF: Readonly<Record<Outcome, Status>> = { pass: "true", hold: "unknown", fail: "false" };

// ---------------------------------------------------------------- firings

/** Undefined when the facts of that time are no longer known. */
function basedOn(past: Past): FactBase | undefined {
  return past.known ? past : undefined;
}

/** Without a base the facts of now are told. */
function firingDraft(site: ExplainSite, fired: Fired, base: FactBase | undefined, origin?: Telling["origin"]): Draft {
  const reaction = reactionNamed(site, fired.rule);
  if (reaction !== undefined) return reactionDraft(site, fired, reaction);
  const world = World.of(site, base ?? site.session);
  const told = matchDraft(site, { rule: fired.rule, bindings: fired.bindings }, world, origin);
  const value = (one: Maybe): string => shown(one, { world });
  const whom = Object.keys(fired.bindings).length === 0 ? "" : ` for ${bindingWords(fired.bindings, value)}`;
  const head = `"${fired.rule}" fired${whom} (firing ${fired.n})`;
  const because = told.outcome ? told.because : CHANGED_SINCE;
  return { ...told.draft, outcome: true, up: `${head}${because}` };
}

interface Reaction {
  readonly gate: string;
  readonly subject: string | undefined;
  readonly outcome: Outcome;
}

/** `gate "deploy" on hold`: what a gate does when an outcome is reached, which is no rule that somebody wrote. */
function reactionNamed({ program }: ExplainSite, rule: string): Reaction | undefined {
  const { rules, gates } = program.symbols;
  if (rules.get(rule) !== undefined) return undefined;
  for (const { decl } of gates.values()) {
    const gate = decl.name.name;
    const found = decl.reactions.find(({ outcome }) => rule.replace(/'+$/u, "") === `gate "${gate}" on ${outcome}`);
    if (found !== undefined) return { gate, subject: decl.subject?.variable?.name, outcome: found.outcome };
  }
  return undefined;
}

/** With the gate as it is now; it says so when that has changed. */
function reactionDraft(site: ExplainSite, fired: Fired, { gate, subject, outcome }: Reaction): Draft {
  const about = subject === undefined ? undefined : fired.bindings[subject];
  const id = typeof about === "string" ? about : null;
  const now = site.gate(gate, id);
  const whom = id === null ? "" : ` for ${id}`;
  const seen = `gate "${gate}" said ${outcome}${whom}`;
  return {
    text: fired.rule,
    seen: [seen],
    down: `"on ${outcome}" of gate "${gate}" happens each time the gate comes to say ${outcome}, so the gate is looked at.`,
    up: `${seen.replace("gate", "Gate")}, so its "on ${outcome}" happened (firing ${fired.n}).`,
    method: "gate",
    outcome: true,
    children: now === undefined ? [] : [gateDraft(site, saying(now, outcome))],
  };
}

const CHANGED_SINCE =
  ". The facts have changed since, and those of that time are no longer known: what follows is told with the facts of now.";

interface ToldMatch {
  readonly draft: Draft;
  readonly outcome: boolean;
  /** The end of a sentence: what was seen. */
  readonly because: string;
}

/** The condition of a rule, told for given variables. */
function matchDraft(
  site: ExplainSite,
  { rule, bindings }: FactSupport,
  world: World,
  origin?: Telling["origin"],
): ToldMatch {
  const { parts, words } = askedRule(site, rule);
  const fixed = fixedBy(bindings, parts, world);
  const found = firstSolution(parts, world, Chosen.nothing, fixed);
  const progress = found === undefined ? reach(parts, world, Chosen.nothing, fixed) : undefined;
  const telling = { world, words, fixed, ...(origin === undefined ? {} : { origin }) };
  const end = found ?? progress?.deepest ?? Chosen.nothing;
  const children = conditionDrafts(parts, progress?.depth ?? parts.length, Chosen.nothing, end, telling);
  const named = new Set(
    [...fixed].map(([name, bound]) => `${name} is ${"fact" in bound ? bound.fact.id : valueWords(bound.value)}`),
  );
  const seen = children.flatMap((child) => child.seen).filter((one) => !named.has(one));
  const count = parts.length;
  const draft = {
    text: `rule "${rule}"`,
    seen: children.flatMap((child) => child.seen),
    down: `"${rule}" fires when ${count === 1 ? "its condition is" : `${allParts(count)} of its condition are`} fulfilled, so each is looked at.`,
    up: "",
    method: "rule",
    outcome: found !== undefined,
    children,
  };
  return { draft, outcome: found !== undefined, because: seen.length === 0 ? "." : `: ${seenWords(seen)}.` };
}

// ---------------------------------------------------------------- facts

function factDraft(site: ExplainSite, id: string, above: ReadonlySet<string>, depth: number): Draft {
  const { session } = site;
  const fact = session.fact(id);
  const { made, changed, supports } = session.origin(id);
  const seen = [fact === undefined ? `${id} is gone` : `${id} is there with ${fieldWords(fact.fields) || "no fields"}`];
  const base = { text: id, seen, down: `Asked where ${id} comes from.` };
  if (above.has(id) || depth >= FURTHEST) {
    const up = above.has(id) ? `${id} is explained above.` : `${id} has a longer story, which is not followed further.`;
    return { ...base, up, outcome: true, children: [], bound: true };
  }
  const further = new Set([...above, id]);
  const children = [
    ...(made === undefined || supports.length > 0 ? [] : firingChildren(site, made, further, depth)),
    ...supports.map((support) => supportDraft(site, support, further, depth)),
    ...(changed === undefined || changed === "host" || changed.n === made?.n
      ? []
      : firingChildren(site, changed, further, depth)),
  ];
  const up = originWords(site, id);
  return { ...base, up, method: "asserted", outcome: true, children };
}

function originWords(site: ExplainSite, id: string): string {
  const { made, changed, supports } = site.session.origin(id);
  const place = site.place(id);
  const rests = supports.map(({ rule }) => `"${rule}"`).join(" and ");
  const head =
    supports.length > 0
      ? `${id} is there because ${rests} ${supports.length === 1 ? "holds" : "hold"}; it goes when ${supports.length === 1 ? "that" : "both"} no longer ${supports.length === 1 ? "does" : "do"}`
      : made !== undefined
        ? `${id} is there because "${made.rule}" fired (firing ${made.n}) and inserted it`
        : `${id} was given${place === undefined ? ", no rule made it" : `: ${place} states it`}`;
  const then =
    changed === undefined
      ? ""
      : changed === "host"
        ? "; the host has changed it since"
        : `; "${changed.rule}" changed it (firing ${changed.n})`;
  return `${head}${then}.`;
}

/** Nothing when the firing is no longer remembered: the sentence names it. */
function firingChildren(site: ExplainSite, fired: Fired, above: ReadonlySet<string>, depth: number): Draft[] {
  const past = site.session.past(fired.n);
  if (past === undefined) return [];
  return [firingDraft(site, past.fired, basedOn(past), (id) => originDraft(site, id, above, depth))];
}

function supportDraft(site: ExplainSite, support: FactSupport, above: ReadonlySet<string>, depth: number): Draft {
  const world = World.of(site, site.session);
  const told = matchDraft(site, support, world, (id) => originDraft(site, id, above, depth));
  const value = (one: Maybe): string => shown(one, { world });
  const whom = Object.keys(support.bindings).length === 0 ? "" : ` for ${bindingWords(support.bindings, value)}`;
  return { ...told.draft, up: `"${support.rule}" holds${whom}${told.because}` };
}

/** Only of facts that rules made or changed, or gates wrote: of the others there is nothing to tell. */
function originDraft(site: ExplainSite, id: string, above: ReadonlySet<string>, depth: number): Draft | undefined {
  const fact = site.session.fact(id);
  const answer = fact === undefined ? undefined : gateBehind(site, fact);
  if (answer !== undefined) return gateDraft(site, answer);
  const { made, changed, supports } = site.session.origin(id);
  const ruled = made !== undefined || supports.length > 0 || (changed !== undefined && changed !== "host");
  return ruled && fact !== undefined ? factDraft(site, id, above, depth + 1) : undefined;
}
