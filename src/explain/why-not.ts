/** Why a rule does not fire: how far its condition gets, where it ends, which facts come near, and what would help. */
import type { Maybe } from "../base/value.ts";
import type { Fired } from "../session/results.ts";
import type { FactRef, MatchState } from "../session/session.ts";
import { conditionDrafts, partText, type Telling } from "./condition.ts";
import { type Edit, type Remedy, remedyOf } from "./edit.ts";
import { nearest } from "./nearest.ts";
import { type Part, partsOfRule } from "./parts.ts";
import { reach, type Reach } from "./reach.ts";
import { Repair } from "./repair.ts";
import { Trials } from "./trials.ts";
import { type Asked, askedRule, bindingWords, type ExplainSite, fixedBy, fixedByQuestion } from "./site.ts";
import { agrees, boundValue, Chosen, firstSolution, type Fixed } from "./solve.ts";
import { type Draft, type Explanation, numbered, outcomeOf, type Outcome } from "./step.ts";
import { shown } from "./tests.ts";
import { allParts } from "./words.ts";
import { World } from "./world.ts";

/** Why there is nothing to fire. */
export type Hindrance =
  /** No facts fulfil the condition. */
  | "no match"
  /** It has a match and fires when the session runs. */
  | "waiting"
  /** Its group is not active. */
  | "parked"
  /** Its matches have fired. */
  | "fired"
  /** `no-loop`: its match came from its own changes. */
  | "held back"
  | "disabled";

export interface WhyNot extends Explanation {
  readonly rule: string;
  readonly hindrance: Hindrance;
  /** For each part of the condition how many partial matches there are up to it; ends at the first without any. */
  readonly prefixes: readonly { readonly element: string; readonly matches: number }[];
  /** The variables of the deepest partial match. */
  readonly deepest: Readonly<Record<string, Maybe>>;
  /** The first test that is not true, with what was seen and what was asked for. */
  readonly failing:
    | { readonly element: string; readonly actual: string; readonly expected: string; readonly outcome: Outcome }
    | undefined;
  /** Facts with the fewest failing tests, where a fact is what is missing. */
  readonly nearest: readonly { readonly id: string; readonly failing: readonly string[] }[];
  /** The smallest changes that were found and tried; empty: none within 3 edits. */
  readonly remedies: readonly Remedy[];
  /** How many facts were looked at. */
  readonly looked: number;
  /** False when there were too many partial matches to follow all. */
  readonly complete: boolean;
}

/** A change has at most so many edits, and so many changes are told. */
const MOST_EDITS = 3;
const TOLD = 3;
const TRIED = 30;

export function explainNot(site: ExplainSite, rule: string, bindings: Readonly<Record<string, FactRef>> = {}): WhyNot {
  const asked = askedRule(site, rule);
  const parts = partsOfRule(asked.decl);
  const world = World.of(site, site.session);
  const fixed = fixedByQuestion(asked, bindings, parts, world);
  const states = site.session.matchStates(rule).filter((one) => agrees(one.bindings, fixed));
  const disabled = asked.decl.attributes.some((attribute) => attribute.kind === "disabled");
  if (states.length > 0) return matched(site, asked, states, fixed, world);
  const progress = reach(parts, world, Chosen.nothing, fixed);
  const found = disabled ? firstSolution(parts, world, Chosen.nothing, fixed) : undefined;
  return new Answer(site, asked, fixed, world, progress, disabled).tell(found);
}

function wordsFor(fixed: Fixed, world: World): string {
  const bindings = Object.fromEntries([...fixed].map(([name, bound]) => [name, boundValue(bound)]));
  return fixed.size === 0 ? "" : ` for ${bindingWords(bindings, (one) => shown(one, { world }))}`;
}

// ---------------------------------------------------------------- it has a match

function matched(site: ExplainSite, asked: Asked, states: readonly MatchState[], fixed: Fixed, world: World): WhyNot {
  const state = states.find((one) => one.state !== "done") ?? states[0];
  const parts = partsOfRule(asked.decl);
  const chosen =
    firstSolution(parts, world, Chosen.nothing, fixedBy(state?.bindings ?? {}, parts, world)) ?? Chosen.nothing;
  const telling = { world, words: asked.words, fixed };
  const children = conditionDrafts(parts, parts.length, Chosen.nothing, chosen, telling);
  const hindrance = hindranceOf(site, asked, state);
  const whom = bindingWords(state?.bindings ?? {}, (one) => shown(one, { world }));
  const draft = {
    text: `rule "${asked.name}"`,
    seen: [`it has ${states.length === 1 ? "one match" : `${states.length} matches`} now`],
    down: `Asked why "${asked.name}" does not fire.`,
    up: hindranceWords(site, asked, hindrance, whom === "" ? "" : ` for ${whom}`, state),
    method: "agenda",
    outcome: hindrance === "waiting" ? true : (false as const),
    children,
  };
  return {
    ...numbered(draft, asked.name),
    rule: asked.name,
    hindrance,
    prefixes: [],
    deepest: state?.bindings ?? {},
    failing: undefined,
    nearest: [],
    remedies: [],
    looked: world.looked,
    complete: true,
  };
}

function hindranceOf({ session }: ExplainSite, { name, decl }: Asked, state: MatchState | undefined): Hindrance {
  if (state === undefined) return "waiting";
  if (state.state !== "done") return state.state;
  const fired = session
    .firings(name)
    .some(({ n, bindings }) => sameBindings(bindings, state.bindings) && (session.past(n)?.change ?? 0) >= state.stamp);
  const noLoop = decl.attributes.some((attribute) => attribute.kind === "no-loop");
  return noLoop && !fired ? "held back" : "fired";
}

function sameBindings(a: Fired["bindings"], b: Fired["bindings"]): boolean {
  return Object.keys(a).every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

function hindranceWords(
  { session }: ExplainSite,
  { name, decl }: Asked,
  hindrance: Hindrance,
  whom: string,
  state: MatchState | undefined,
): string {
  switch (hindrance) {
    case "waiting":
      return `Nothing stands in the way: "${name}" has a match${whom} and fires when the session runs.`;
    case "parked": {
      const group = decl.attributes.find((attribute) => attribute.kind === "group")?.name ?? "";
      return `"${name}" has a match${whom}, but it waits for its group: focus("${group}") lets it fire.`;
    }
    case "held back":
      return `"${name}" has a match${whom}, but it came from the rule's own changes, and no-loop keeps it from firing on those.`;
    default: {
      const fired = session.firings(name).find((one) => sameBindings(one.bindings, state?.bindings ?? {}));
      const when = fired === undefined ? "" : ` (firing ${fired.n})`;
      return `"${name}" has already fired${whom}${when}; a match fires once, and again only when a fact it reads changes.`;
    }
  }
}

// ---------------------------------------------------------------- it has none

class Answer {
  readonly #site: ExplainSite;
  readonly #asked: Asked;
  readonly #parts: readonly Part[];
  readonly #fixed: Fixed;
  readonly #world: World;
  readonly #progress: Reach;
  readonly #disabled: boolean;

  constructor(site: ExplainSite, asked: Asked, fixed: Fixed, world: World, progress: Reach, disabled: boolean) {
    this.#site = site;
    this.#asked = asked;
    this.#parts = partsOfRule(asked.decl);
    this.#fixed = fixed;
    this.#world = world;
    this.#progress = progress;
    this.#disabled = disabled;
  }

  /** `found` is what would match if the rule were not disabled. */
  tell(found: Chosen | undefined): WhyNot {
    const { depth, deepest, counts, complete } = this.#progress;
    const telling: Telling = { world: this.#world, words: this.#asked.words, fixed: this.#fixed };
    const end = found ?? deepest;
    const children = conditionDrafts(this.#parts, depth, Chosen.nothing, end, telling);
    const stuck = this.#decisive(children, depth);
    const near = this.#nearest(depth, deepest);
    const remedies = this.#disabled ? [] : this.#remedies();
    const explanation = numbered(this.#draft(children, stuck), this.#asked.name);
    return {
      ...explanation,
      rule: this.#asked.name,
      hindrance: this.#disabled ? "disabled" : "no match",
      prefixes: counts.map((matches, index) => {
        const part = this.#parts[index];
        return { element: part === undefined ? "" : this.#element(part), matches };
      }),
      deepest: this.#bindingsOf(end),
      failing: stuck === undefined ? undefined : failingOf(stuck),
      nearest: near,
      remedies,
      looked: this.#world.looked,
      complete,
    };
  }

  /** In the slash form with the tests that are decided here. */
  #element(part: Part): string {
    const { words } = this.#asked;
    const tests = part.kind === "pattern" ? part.early.map((test) => words.expression(test)) : [];
    return [partText(part, words), ...tests].join(tests.length === 1 ? " / " : ", ");
  }

  /** The step that tells why; in the slash form that is the test, when the fact before it could be told. */
  #decisive(children: readonly Draft[], depth: number): Draft | undefined {
    const at = children[depth];
    if (at?.outcome !== true) return at;
    return children.find((child, index) => index > depth && child.outcome !== true && child.seen.length > 0) ?? at;
  }

  #draft(children: readonly Draft[], stuck: Draft | undefined): Draft {
    const { name } = this.#asked;
    const count = this.#parts.length;
    return {
      text: `rule "${name}"`,
      seen: children.flatMap((child) => child.seen),
      down: `Asked why "${name}" does not fire; it needs ${count === 1 ? "its condition" : `${allParts(count)} of its condition`} fulfilled, so each is looked at.`,
      up: this.#headline(stuck),
      method: "rule",
      outcome: false,
      children,
    };
  }

  #headline(stuck: Draft | undefined): string {
    const { name } = this.#asked;
    const whom = wordsFor(this.#fixed, this.#world);
    const before = this.#firedBefore();
    if (this.#disabled) {
      const else_ = stuck === undefined ? " Its condition is fulfilled." : ` Besides: ${this.#reason(stuck)}`;
      return `"${name}" is disabled, so it never fires.${else_}`;
    }
    return `"${name}" does not fire${whom}${before}: ${stuck === undefined ? "no facts fulfil it." : this.#reason(stuck)}`;
  }

  /** Without saying again what the question said. */
  #reason({ up }: Draft): string {
    for (const [name, bound] of this.#fixed) {
      const said = "fact" in bound ? `${name} is ${bound.fact.id}; ` : "";
      if (up.startsWith(said)) return up.slice(said.length);
    }
    return up;
  }

  #firedBefore(): string {
    if (this.#fixed.size === 0) return "";
    const fired = this.#site.session.firings(this.#asked.name).find(({ bindings }) => agrees(bindings, this.#fixed));
    return fired === undefined ? "" : ` again (it did in firing ${fired.n})`;
  }

  #bindingsOf(chosen: Chosen): Record<string, Maybe> {
    const named = chosen
      .entries()
      .flatMap(({ name, bound }) => (name === null ? [] : [[name, boundValue(bound)] as const]));
    return Object.fromEntries(named);
  }

  #nearest(depth: number, deepest: Chosen): WhyNot["nearest"] {
    const part = this.#parts[depth];
    if (part?.kind !== "pattern") return [];
    return nearest(part, this.#world, deepest, this.#fixed, TOLD).map(({ fact, failing }) => ({
      id: fact.id,
      failing: failing.map((test) => this.#asked.words.expression(test)),
    }));
  }

  // ------------------------------------------------------------ what would help

  /** The smallest changes that work when they are made. */
  #remedies(): Remedy[] {
    const trials = new Trials(this.#site, this.#asked, this.#fixed, this.#world);
    const repair = new Repair(this.#world, this.#fixed);
    const told: Remedy[] = [];
    for (let budget = 1; budget <= MOST_EDITS && told.length === 0; budget++) {
      const tried = new Set<string>();
      const places = new Set<string>();
      for (const way of repair.ways(this.#parts, this.#world, Chosen.nothing, budget)) {
        const { edits } = way;
        const key = JSON.stringify(edits);
        if (edits.length !== budget || tried.has(key) || places.has(placesOf(edits))) continue;
        tried.add(key);
        if (trials.works(way)) {
          told.push(remedyOf(edits, (id) => this.#world.get(id) !== undefined));
          places.add(placesOf(edits));
        }
        if (told.length >= TOLD || tried.size >= TRIED) break;
      }
    }
    return told;
  }
}

/** Two changes of the same fields are one suggestion. */
function placesOf(edits: readonly Edit[]): string {
  const places = edits.map((edit) =>
    edit.op === "update" ? `${edit.fact}.${edit.field}` : edit.op === "retract" ? edit.fact : edit.type,
  );
  return places.sort().join(" ");
}

/** The first leaf below a step that is to blame. */
function failingOf(stuck: Draft): NonNullable<WhyNot["failing"]> {
  let leaf = stuck;
  for (;;) {
    const next: Draft | undefined = leaf.children.find((child) => child.outcome !== true);
    if (next === undefined) break;
    leaf = next;
  }
  const actual = leaf.seen.length === 0 ? leaf.up : leaf.seen.join(", ");
  return { element: stuck.text, actual, expected: leaf.text, outcome: outcomeOf(leaf.outcome) };
}
