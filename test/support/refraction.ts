/**
 * D13: what a session has fired, and what it may fire again.
 *
 * An update of a field that a rule reads restarts the matches that it touches. Where the field is read of a variable of the match,
 * the match must fire again; where it is read of another fact, or alternatives found the match, it may. So may one that follows
 * a reference when facts come and go. What a change does not touch must not fire again.
 */
import type { Fired } from "../../src/index.ts";
import { canonical } from "../../src/prove/compare.ts";
import type { NaiveMatch, OracleFact } from "../oracle/naive.ts";
import { Difference } from "./difference.ts";
import type { Rule } from "./engine-program.ts";
import type { Step } from "./history.ts";
import { naiveText, type Rig } from "./rig.ts";
import { variableReads } from "./variable-reads.ts";

type Fields = OracleFact["fields"];

interface Live {
  readonly rule: string;
  readonly match: NaiveMatch;
}

/** What each rule has fired and what may fire again, by the identity of matches. */
export class Refraction {
  readonly #rig: Rig;
  readonly #fired = new Set<string>();
  readonly #touched = new Set<string>();
  /** The matches of all rules now, by what tells them apart. */
  #live = new Map<string, Live>();
  /** The fields of every fact before the step. */
  #fields: ReadonlyMap<string, Fields> = new Map();

  constructor(rig: Rig) {
    this.#rig = rig;
  }

  /** After a step: what is no match any more may fire again when it comes back. */
  note(step: Step): void {
    this.#look();
    for (const key of this.#fired) if (!this.#live.has(key)) this.#fired.delete(key);
    for (const key of this.#touched) if (!this.#live.has(key)) this.#touched.delete(key);
    if (step.is === "update") this.#touch(step);
    if (step.is === "update") this.#restart(step);
    if (step.is === "assert" || step.is === "retract") this.#touchFollowers();
    this.#fields = new Map(this.#rig.history.facts.map(({ id, fields }) => [id, fields]));
  }

  run(): void {
    const left = new Firings(this.#rig.session.run().fired);
    for (const [key, { rule, match }] of this.#live) {
      if (this.#fired.has(key)) continue;
      const text = `${rule} ${bindingsText(match)}`;
      if (!left.takeOut(text)) throw new Difference(`${text} did not fire\n${this.#rig.story()}`);
    }
    for (const key of this.#touched) {
      const live = this.#live.get(key);
      if (live !== undefined) left.takeOut(`${live.rule} ${bindingsText(live.match)}`);
    }
    if (left.size > 0) throw new Difference(`${left.toString()} fired again\n${this.#rig.story()}`);
    for (const key of this.#live.keys()) this.#fired.add(key);
    this.#touched.clear();
  }

  #look(): void {
    this.#live = new Map();
    for (const [rule, matches] of this.#rig.naive()) {
      for (const match of matches)
        this.#live.set(`${rule} ${naiveText(match)} ${[...match.facts, ...match.items].join(" ")}`, { rule, match });
    }
  }

  /** What a reference leads to may have come or gone: to those who follow it, that is a change of what they read. */
  #touchFollowers(): void {
    const rules = this.#rulesThat(followsReferences);
    for (const [key, { rule }] of this.#live) if (rules.has(rule)) this.#touched.add(key);
  }

  /** Only rules that name a changed field, and of these only matches of the fact, if no reference leads to it. */
  #touch(step: Extract<Step, { is: "update" }>): void {
    const names = Object.keys(step.changes);
    const readers = this.#rulesThat((text) => names.some((name) => readsField(text, name)));
    const followers = this.#rulesThat(followsReferences);
    for (const [key, { rule, match }] of this.#live) {
      if (readers.has(rule) && (followers.has(rule) || match.facts.includes(step.id))) this.#touched.add(key);
    }
  }

  /** What reads a changed field of one of its variables has not fired yet. */
  #restart({ id, changes }: Extract<Step, { is: "update" }>): void {
    const before = this.#fields.get(id) ?? {};
    const after = this.#rig.history.facts.find((fact) => fact.id === id)?.fields ?? {};
    const changed = Object.keys(changes).filter((name) => canonical(before[name]) !== canonical(after[name]));
    for (const [key, { rule, match }] of this.#live) {
      const decl = this.#rig.checked.symbols.rules.get(rule)?.decl;
      const reads = decl === undefined ? undefined : variableReads(decl, this.#rig.checked.tables.uses);
      const variables = Object.entries(match.bindings).flatMap(([name, bound]) =>
        "fact" in bound && bound.fact === id ? [name] : [],
      );
      if (variables.some((name) => changed.some((field) => reads?.has(`${name}.${field}`)))) this.#fired.delete(key);
    }
  }

  #rulesThat(test: (text: string) => boolean): ReadonlySet<string> {
    const chosen = [...this.#rig.history.rules].filter(([, rule]) => test(textOf(rule)));
    return new Set(chosen.map(([name]) => name));
  }
}

/** What has fired, as a multiset of texts: there can be thousands. */
class Firings {
  readonly #counts = new Map<string, number>();
  size: number;

  constructor(fired: readonly Fired[]) {
    this.size = fired.length;
    for (const text of fired.map(firedText)) this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  takeOut(text: string): boolean {
    const count = this.#counts.get(text) ?? 0;
    if (count === 0) return false;
    this.#counts.set(text, count - 1);
    this.size -= 1;
    return true;
  }

  toString(): string {
    return [...this.#counts].flatMap(([text, count]) => (count > 0 ? [text] : [])).join(", ");
  }
}

const texts = new WeakMap<Rule, string>();

function textOf(rule: Rule): string {
  const known = texts.get(rule) ?? JSON.stringify(rule);
  texts.set(rule, known);
  return known;
}

function readsField(rule: string, name: string): boolean {
  if (name === "r") return followsReferences(rule) || rule.includes('"field":"r"');
  // Where a type has no field `k`, it is written `s`.
  const isNamed = rule.includes(`"field":"${name}"`) || rule.includes(`"field":"${name}.`);
  return isNamed || (name === "s" && rule.includes('"field":"k"'));
}

function followsReferences(rule: string): boolean {
  return /"via":[12]|"is":"same"/u.test(rule);
}

function bindingsText(match: NaiveMatch): string {
  const bindings = Object.entries(match.bindings).map(([name, bound]) => {
    return `${name}=${canonical("fact" in bound ? bound.fact : bound.value)}`;
  });
  return bindings.sort().join(" ");
}

function firedText({ rule, bindings }: Fired): string {
  const texts = Object.entries(bindings).map(([name, value]) => `${name}=${canonical(value)}`);
  return `${rule} ${texts.sort().join(" ")}`;
}
