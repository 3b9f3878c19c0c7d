/** Sessions for tests of the session room: on a network of rules with one pattern, matched one fact at a time. */
import { finish, type Steps } from "../../src/base/slices.ts";
import { Clock } from "../../src/rete/clock.ts";
import type { Maybe } from "../../src/base/value.ts";
import { ANY_TYPE } from "../../src/base/support.ts";
import { DEFAULT_LIMITS } from "../../src/base/limits.ts";
import type { AtRestOutcomes } from "../../src/rete/at-rest.ts";
import type { Changes, Fact } from "../../src/rete/fact.ts";
import { Match } from "../../src/rete/match.ts";
import { RootNode } from "../../src/rete/node.ts";
import type { Counters, NetworkPort } from "../../src/rete/port.ts";
import type { ActionPlan, FieldValues, Production } from "../../src/rete/production.ts";
import type { Standing } from "../../src/rete/rule-matches.ts";
import type { FieldSchema, Schema, SchemaType, TypeSchema } from "../../src/session/admission/schema.ts";
import { SessionCore } from "../../src/session/core.ts";
import type { ChangeBy, FactRef, SessionCounters, SessionOptions, SessionSpec } from "../../src/session/options.ts";
import type { SessionEvents } from "../../src/session/options.ts";
import type { ProgramPort } from "../../src/session/ports.ts";
import type { FactHandle, FactView, RunResult } from "../../src/session/results.ts";
import type { RunOptions } from "../../src/session/run.ts";
import type { Snapshot } from "../../src/session/snapshot.ts";
import { refuseUnreadable } from "../../src/session/snapshot-format.ts";
import { SessionState } from "../../src/session/state.ts";
import { fieldsOf } from "../../src/session/views.ts";
import type { Xuple, XupleSpace } from "../../src/session/xuples.ts";

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

type Productions = ReadonlyMap<string, readonly Production[]>;

/** A session of a fake program: what the session room does, without a compiler. */
export class FakeSession {
  readonly #state: SessionState;
  readonly #program: FakePort;
  readonly #core: SessionCore;

  constructor(program: FakeProgram, options: SessionOptions) {
    const spec = specOf(program);
    this.#state = new SessionState(spec, options);
    this.#program = new FakePort(this.#state);
    this.#program.apply(program);
    this.#core = new SessionCore(this.#state, this.#program, NO_OUTCOMES, options);
    if (options.from !== undefined) refuseUnreadable(options.from);
    finish(this.#core.beginning(spec, options));
  }

  replaceProgram(program: FakeProgram): void {
    this.#core.replaceProgram({
      spec: specOf(program),
      apply: () => this.#program.apply(program),
      keepsProductions: () => false,
      keepsJoins: () => true,
      clear: () => this.#program.apply({ rules: [] }),
      migrate: {},
    });
  }

  assert(type: string, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): FactHandle {
    return this.#core.changes.assert(type, fields, by);
  }

  update(fact: FactRef, fields: Readonly<Record<string, unknown>>): boolean {
    return this.#core.changes.update(fact, fields);
  }

  upsert(type: string, fields: Readonly<Record<string, unknown>>): FactHandle {
    return this.#core.changes.upsert(type, fields);
  }

  retract(fact: FactRef): boolean {
    return this.#core.changes.retract(fact);
  }

  run(options?: RunOptions): RunResult {
    return this.#core.runner.run(options);
  }

  runAsync(options?: RunOptions): Promise<RunResult> {
    return this.#core.runner.runAsync(options);
  }

  facts(type?: string): FactView[] {
    return this.#core.inspector.facts(type);
  }

  fact(ref: FactRef): FactView | undefined {
    return this.#core.inspector.fact(ref);
  }

  counters(): SessionCounters {
    return this.#core.inspector.counters();
  }

  xuples(space: string, agent?: string): readonly Xuple[] {
    return this.#state.xuples.list(space, agent);
  }

  takeXuple(space: string, agent?: string): Xuple | undefined {
    return this.#state.xuples.take(space, agent);
  }

  on<Name extends keyof SessionEvents>(name: Name, listener: (event: SessionEvents[Name]) => void): () => void {
    return this.#state.listeners.on(name, listener);
  }

  snapshot(): Snapshot {
    return this.#core.snapshots.take();
  }
}

export function fakeSession(program: FakeProgram, options: SessionOptions = {}): FakeSession {
  return new FakeSession(program, options);
}

function specOf({ schema = OPEN, spaces = [], facts = [] }: FakeProgram): SessionSpec {
  return { schema, limits: DEFAULT_LIMITS, xupleSpaces: spaces, initialFacts: facts };
}

/** Nothing judges: the session asks for nothing else. */
const NO_OUTCOMES = { isEmpty: true } as AtRestOutcomes;

class FakePort implements ProgramPort {
  readonly network: FakeNetwork;
  productions: Productions = new Map();

  constructor(state: SessionState) {
    this.network = new FakeNetwork(state);
  }

  apply({ rules }: FakeProgram): void {
    this.productions = new Map(rules.map((rule, order) => [rule.name, [production(rule, order)] as const]));
    this.network.apply(rules, this.productions);
  }

  readonly hash = "fake";

  problems(): readonly never[] {
    return [];
  }

  failedRules(): { readonly failed: readonly never[]; readonly problems: readonly never[] } {
    return { failed: [], problems: [] };
  }

  ruleHashes(): (rule: string) => string {
    return (rule) => rule;
  }

  reset(): boolean {
    return true;
  }

  runBegan(): void {}

  runEnded(): void {}

  restored(): void {}

  clockMoves(): void {}

  clockMoved(): void {}
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
  readonly #state: SessionState;
  readonly #matches = new Map<string, Map<Fact, Match>>();
  #rules: readonly FakeRule[] = [];
  #productions: Productions = new Map();

  constructor(state: SessionState) {
    this.#state = state;
  }

  /** Rules that are there before and after keep their matches. */
  apply(rules: readonly FakeRule[], productions: Productions): void {
    const gone = this.#rules.filter((rule) => !productions.has(rule.name));
    const fresh = rules.filter((rule) => !this.#productions.has(rule.name));
    this.#rules = rules;
    this.#productions = productions;
    for (const rule of fresh) this.#matches.set(rule.name, new Map());
    for (const fact of this.#state.memory.facts()) {
      for (const rule of gone) this.#removeFrom(rule, fact);
      for (const rule of fresh) this.#addTo(rule, fact);
    }
    for (const rule of gone) this.#matches.delete(rule.name);
  }

  readonly clock: Clock = new Clock();

  advance(to: number, expired?: () => readonly Fact[]): void {
    this.clock.move(to);
    this.removeAll(expired?.() ?? []);
  }

  removeAll(facts: readonly Fact[]): void {
    for (const fact of facts) this.remove(fact);
  }

  unsetClock(): boolean {
    this.clock.reset();
    return true;
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

  // oxlint-disable-next-line require-yield -- it has no rules with direct terminals
  *directMatches(): Steps<ReadonlyMap<never, never>> {
    return new Map<never, never>();
  }

  counters(): Counters {
    return { facts: 0, matches: 0, indexEntries: 0 };
  }

  #addTo(rule: FakeRule, fact: Fact): void {
    if (rule.type !== fact.shape.type || rule.test?.(fieldsOf(fact.shape, fact.values)) === false) return;
    const match = new Match(undefined, fact, undefined, NODE);
    this.#of(rule).set(fact, match);
    match.endings = this.#state.activationListener.matchAdded(this.#production(rule), match);
  }

  #removeFrom(rule: FakeRule, fact: Fact): void {
    const match = this.#of(rule).get(fact);
    if (match === undefined) return;
    this.#of(rule).delete(fact);
    match.alive = false;
    if (match.endings !== undefined) this.#state.activationListener.matchRemoved(match.endings);
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
