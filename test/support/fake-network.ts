/** A network for tests of the session: rules of one pattern, matched one fact at a time. */
import type { Maybe } from "../../src/base/value.ts";
import { DEFAULT_LIMITS } from "../../src/base/limits.ts";
import type { Changes, Fact } from "../../src/rete/fact.ts";
import { Match } from "../../src/rete/match.ts";
import { RootNode } from "../../src/rete/node.ts";
import type { Counters, NetworkPort } from "../../src/rete/port.ts";
import { type ActionPlan, type FieldValues, type Production } from "../../src/rete/production.ts";
import type { Standing } from "../../src/rete/rule-matches.ts";
import type { FieldSchema, Schema, SchemaType, TypeSchema } from "../../src/session/admission/schema.ts";
import { Session } from "../../src/session/session.ts";
import type { NetworkContext, SessionOptions, SessionSpec } from "../../src/session/options.ts";
import { fieldsOf } from "../../src/session/views.ts";
import type { XupleSpace } from "../../src/session/xuples.ts";
import { ANY_TYPE } from "../../src/base/support.ts";

export interface FakeRule {
  readonly name: string;
  readonly type: string;
  readonly test?: (fields: Readonly<Record<string, Maybe>>) => boolean;
  /** The fields that the pattern reads. */
  readonly reads?: readonly string[];
  readonly salience?: number;
  readonly group?: string;
  readonly noLoop?: boolean;
  /** Whether the session may trust `facts` when it looks for circles of logical facts. */
  readonly namesAllFacts?: boolean;
  readonly actions?: readonly ActionPlan[];
}

export interface FakeProgram {
  readonly rules: readonly FakeRule[];
  readonly schema?: Schema;
  readonly spaces?: readonly XupleSpace[];
  readonly facts?: SessionSpec["initialFacts"];
}

/** A node that fake matches can say they come from. */
export const NODE: RootNode = new RootNode({ matches: 0, wiring: 0, limit: 1, overflow: () => {} });

const ALL: ReadonlySet<string> = new Set([ANY_TYPE]);
const OPEN: Schema = { open: true, types: new Map() };

export function fakeSession(program: FakeProgram, options: SessionOptions = {}): Session {
  return new Session(fakeParts(program), options);
}

export function fakeParts({ rules, schema = OPEN, spaces = [], facts = [] }: FakeProgram): SessionSpec {
  const productions = new Map(rules.map((rule, order) => [rule.name, [production(rule, order)] as const]));
  return {
    schema,
    productions,
    limits: DEFAULT_LIMITS,
    xupleSpaces: spaces,
    initialFacts: facts,
    buildNetwork: (site) => new FakeNetwork(rules, productions, site),
  };
}

function production(rule: FakeRule, order: number): Production {
  return {
    name: rule.name,
    order,
    salience: rule.salience ?? 0,
    group: rule.group,
    noLoop: rule.noLoop ?? false,
    bindings: [{ name: "f", read: (match) => match?.fact }],
    facts: (match) => (match?.fact === undefined ? [] : [match.fact]),
    identity: (match) => match?.fact?.id ?? "",
    support: { unnamed: rule.namesAllFacts === false ? { needs: ALL, minds: ALL } : undefined, strata: new Map() },
    actions: rule.actions ?? [],
  };
}

class FakeNetwork implements NetworkPort {
  readonly #rules: readonly FakeRule[];
  readonly #productions: ReadonlyMap<string, readonly Production[]>;
  readonly #site: NetworkContext;
  readonly #matches = new Map<string, Map<Fact, Match>>();

  constructor(
    rules: readonly FakeRule[],
    productions: ReadonlyMap<string, readonly Production[]>,
    site: NetworkContext,
  ) {
    this.#rules = rules;
    this.#productions = productions;
    this.#site = site;
    for (const rule of rules) this.#matches.set(rule.name, new Map());
  }

  add(fact: Fact): void {
    for (const rule of this.#rules) this.#addTo(rule, fact);
  }

  remove(fact: Fact): void {
    for (const rule of this.#rules) this.#removeFrom(rule, fact);
  }

  update(fact: Fact, changes: Changes): void {
    fact.change(changes);
    const changed = new Set(changes.slots.map((slot) => fact.shape.fields[slot]));
    for (const rule of this.#rules) {
      if (!(rule.reads ?? []).some((field) => changed.has(field))) continue;
      this.#removeFrom(rule, fact);
      this.#addTo(rule, fact);
    }
  }

  matches(rule: string): Standing[] {
    const production = this.#productions.get(rule)?.[0];
    if (production === undefined) return [];
    const matches = this.#matches.get(rule)?.values() ?? [];
    return Array.from(matches, (match) => ({ production, match, fact: undefined, ending: match.endings }));
  }

  directTerminal(): undefined {
    return undefined;
  }

  counters(): Counters {
    return { facts: 0, matches: 0, indexEntries: 0 };
  }

  #addTo(rule: FakeRule, fact: Fact): void {
    if (rule.type !== fact.shape.type || rule.test?.(fieldsOf(fact.shape, fact.values)) === false) return;
    const match = new Match(undefined, fact, undefined, NODE);
    this.#of(rule).set(fact, match);
    match.endings = this.#site.listener.matchAdded(this.#production(rule), match);
  }

  #removeFrom(rule: FakeRule, fact: Fact): void {
    const match = this.#of(rule).get(fact);
    if (match === undefined) return;
    this.#of(rule).delete(fact);
    match.alive = false;
    if (match.endings !== undefined) this.#site.listener.matchRemoved(match.endings);
  }

  #of(rule: FakeRule): Map<Fact, Match> {
    const matches = this.#matches.get(rule.name);
    if (matches === undefined) throw new Error(`no rule ${rule.name}`);
    return matches;
  }

  #production(rule: FakeRule): Production {
    const production = this.#productions.get(rule.name)?.[0];
    if (production === undefined) throw new Error(`no rule ${rule.name}`);
    return production;
  }
}

// ---------------------------------------------------------------- actions and types in few words

type Fields = Readonly<Record<string, Maybe>>;
type FieldsOf = Fields | ((fields: Fields) => Fields);

const read = (match: Match | undefined): Fields =>
  match?.fact === undefined ? {} : fieldsOf(match.fact.shape, match.fact.values);

function values(fields: FieldsOf, match: Match | undefined): FieldValues {
  const wanted = typeof fields === "function" ? fields(read(match)) : fields;
  return { names: Object.keys(wanted), values: Object.values(wanted) };
}

export const effect = (name: string, ...fields: string[]): ActionPlan => ({
  kind: "effect",
  name,
  args: (match) => fields.map((field) => read(match)[field]),
});

export const insert = (type: string, fields: FieldsOf = {}): ActionPlan => ({
  kind: "insert",
  type,
  logical: false,
  fields: (match) => values(fields, match),
});

export const insertLogical = (type: string, fields: FieldsOf = {}): ActionPlan => ({
  kind: "insert",
  type,
  logical: true,
  fields: (match) => values(fields, match),
});

export const update = (changes: FieldsOf): ActionPlan => ({
  kind: "update",
  target: (match) => match?.fact,
  changes: (match) => values(changes, match),
});

export const retract: ActionPlan = { kind: "retract", target: (match) => match?.fact };
export const halt: ActionPlan = { kind: "halt" };
export const focus = (group: string): ActionPlan => ({ kind: "focus", group: () => group });
export const xuple = (space: string, type: string, fields: FieldsOf = {}): ActionPlan => ({
  kind: "xuple",
  space,
  type,
  fields: (match) => values(fields, match),
});

/** `schemaOf({ Person: { "#id": STRING, age: NUMBER, "email?": STRING } })`. */
export function schemaOf(types: Readonly<Record<string, Readonly<Record<string, SchemaType>>>>): Schema {
  return {
    open: false,
    types: new Map(Object.entries(types).map(([name, fields]) => [name, typeOf(name, fields)])),
  };
}

function typeOf(name: string, fields: Readonly<Record<string, SchemaType>>): TypeSchema {
  return {
    name,
    engineKept: false,
    fields: Object.entries(fields).map(([field, type]): FieldSchema => ({
      name: field.replaceAll(/[#?]/gu, ""),
      type,
      key: field.startsWith("#"),
      optional: field.endsWith("?"),
      default: undefined,
    })),
  };
}

export const STRING: SchemaType = { kind: "string" };
export const NUMBER: SchemaType = { kind: "number" };
export const ANY: SchemaType = { kind: "any" };
