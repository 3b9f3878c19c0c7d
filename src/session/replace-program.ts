/**
 * Continues a session with another program and the same facts.
 *
 * Where types only got or lost fields, facts are changed in place and rules that stay keep their matches. Where facts are converted,
 * a field has another type, or a rule that stays is joined in another order, the session is saved, its facts are migrated, and it is restored with the new program: rules that
 * stay keep what they have fired. Facts that do not fit are refused before anything changes (E537).
 */
import { must } from "../base/invariant.ts";
import { finish } from "../base/slices.ts";
import type { NetworkPort } from "../rete/port.ts";
import { storedDefault } from "./admission/declared-type.ts";
import type { Schema } from "./admission/schema.ts";
import { type Activation, DirectActivation } from "./agenda/activation.ts";
import type { Changes } from "./changes/changes.ts";
import type { Inspector } from "./inspector.ts";
import { migrated, type Migrated, type Migrations, refuseUnknownTypes } from "./migration.ts";
import { type Migration, MigrationReport } from "./migration-report.ts";
import { savedTypes, type TypeChange, typeChange } from "./migration-types.ts";
import type { SessionSpec } from "./options.ts";
import type { ProgramPort } from "./ports.ts";
import type { Runner } from "./runner.ts";
import type { SnapshotContent, Snapshots } from "./snapshots.ts";
import type { SessionState } from "./state.ts";
import { factView, fieldsOf } from "./views.ts";

/** The session that continues. */
export interface ReplaceContext {
  readonly state: SessionState;
  readonly program: ProgramPort;
  readonly changes: Changes;
  readonly inspector: Inspector;
  readonly runner: Runner;
  readonly snapshots: Snapshots;
}

/** The program that it continues with. */
export interface NextProgram {
  readonly spec: SessionSpec;
  /** Changes the network to that of the new program. Nodes that both programs have keep their memories. */
  readonly apply: () => void;
  /** Returns whether the rules that both programs have keep their productions: then what waits to fire goes on waiting. */
  readonly keepsProductions: () => boolean;
  /** Returns whether the nodes of rules that both programs have join the same patterns in the same order. */
  readonly keepsJoins: () => boolean;
  /** Takes down all nodes of the network. */
  readonly clear: () => void;
  readonly migrate: Migrations;
}

/** A type whose facts are changed in place. */
type FieldsChanged = Extract<TypeChange, { readonly added: unknown }> & { readonly type: string };

export function replaceProgram(context: ReplaceContext, next: NextProgram): Migration {
  const { state, program } = context;
  state.activity.refuseWhileWorking("replace the program");
  program.network.makeDeferred?.();
  const inPlace = changesInPlace(state, next);
  try {
    // A rule that is joined in another order has other nodes, but it is the same rule: it keeps what it has fired.
    return inPlace === undefined || !next.keepsJoins()
      ? rebuild(context, next)
      : replaceInPlace(context, next, inPlace);
  } finally {
    context.program.network.programContinued?.();
  }
}

// ---------------------------------------------------------------- in place

/** Returns the types whose fields came or went; undefined when more than that is different. */
function changesInPlace({ admission, memory, xuples }: SessionState, next: NextProgram): FieldsChanged[] | undefined {
  const before = admission.schema;
  const now = next.spec.schema;
  const types = savedTypes(before, before.types.keys());
  const used = new Set([...memory.types(), ...xuples.types()]);
  const all = new Set([...before.types.keys(), ...now.types.keys(), ...used]);
  refuseUnknownTypes(next.migrate, all);
  const changed: FieldsChanged[] = [];
  for (const type of all) {
    const change = typeChange(type, types, now);
    if (change.is === "same" || (!used.has(type) && !isRedeclared(type, change, before))) continue;
    const isInPlace =
      change.is === "fields" && change.added.every((field) => field.optional || field.default !== undefined);
    if (!isInPlace || Object.hasOwn(next.migrate, type) || xuples.types().has(type)) return undefined;
    changed.push({ ...change, type });
  }
  return changed;
}

/** Whether a type that both programs declare has a field with another declaration: nodes that read it are made again. */
function isRedeclared(type: string, change: TypeChange, before: Schema): boolean {
  return change.is === "redeclared" && change.now !== undefined && before.types.has(type);
}

function replaceInPlace(context: ReplaceContext, next: NextProgram, changed: readonly FieldsChanged[]): Migration {
  const { state, program, changes, inspector, runner } = context;
  const { agenda, support, memory } = state;
  const report = new MigrationReport();
  const keeps = next.keepsProductions();
  const waiting = keeps ? [] : agenda.takeAll();
  noteLostSpaces(state, next, report);
  state.declare(next.spec);
  runner.programReplaced();
  memory.beginChange();
  state.problems.forgetLimits();
  // No node reads a new field before the network changes, and none reads an old one after it.
  const filled = changed.map((change) => fill(state, change, report));
  next.apply();
  const dropped = changed.map((change) => drop(state, change, report));
  if (filled.includes(true) || dropped.includes(true)) support.contentsChanged();
  for (const activation of keeps ? [] : inspector.keptActivations()) {
    const { name, alternative = 0 } = activation.production;
    const production = program.productions.get(name)?.[alternative];
    activation.production = must(production, "a match belongs to a rule of the program");
  }
  support.programChanged();
  for (const activation of waiting) if (activation.alive && goesOn(activation, program.network)) agenda.add(activation);
  state.activity.agendaRefilled();
  for (const fact of state.expiry.concerned(memory.facts())) state.expiry.added(fact);
  changes.commit(changes.newStaging(), "support");
  return report.result(new Map());
}

/** Returns whether the rule of an activation is still there; one with a direct terminal gets the terminal of the program now. */
function goesOn(activation: Activation, network: NetworkPort): boolean {
  if (!(activation instanceof DirectActivation) || network.successor === undefined) return true;
  const direct = network.successor(activation.direct);
  if (direct !== undefined) activation.direct = direct;
  return direct !== undefined;
}

/** Gives the facts of a type the defaults of new fields; returns whether a fact changed. */
function fill(
  { admission, memory, shapes, listeners }: SessionState,
  { type, added }: FieldsChanged,
  report: MigrationReport,
): boolean {
  const shape = shapes.of(type);
  const count = memory.count(type);
  if (count === 0) return false;
  for (const { name, default: value } of added) report.filled(type, name, value, count);
  const withDefaults = added.filter((field) => field.default !== undefined);
  if (withDefaults.length === 0) return false;
  for (const fact of memory.facts(type)) {
    while (fact.values.length < shape.fields.length) fact.values.push(undefined);
    for (const field of withDefaults) {
      fact.values[shape.slot(field.name)] = storedDefault(admission.schema, type, field);
    }
    if (listeners.has("fact")) listeners.post("fact", { op: "update", ...factView(fact), by: "migration" });
  }
  return true;
}

/** Removes the values of fields that a type no longer has; returns whether a fact changed. */
function drop({ memory, shapes }: SessionState, { type, now }: FieldsChanged, report: MigrationReport): boolean {
  const shape = shapes.of(type);
  const known = new Set(now?.fields.map(({ name }) => name));
  const slots = [...shape.fields.entries()].filter(([, name]) => !known.has(name));
  let changed = false;
  if (slots.length === 0) return false;
  for (const fact of memory.facts(type)) {
    for (const [slot, name] of slots) {
      if (fact.values[slot] === undefined) continue;
      fact.values[slot] = undefined;
      report.dropped(type, name);
      changed = true;
    }
  }
  return changed;
}

function noteLostSpaces({ xuples }: SessionState, { spec }: NextProgram, report: MigrationReport): void {
  const kept = new Set(spec.xupleSpaces.map(({ name }) => name));
  for (const { space, entries } of xuples.snapshot()) {
    if (!kept.has(space) && entries.length > 0) report.spaceGone(space, entries.length);
  }
}

// ---------------------------------------------------------------- saved and restored

function rebuild(context: ReplaceContext, next: NextProgram): Migration {
  const { state, changes, runner, snapshots } = context;
  const { memory, agenda, support, xuples, history, listeners, activity, activationListener } = state;
  const content = snapshots.content();
  const types = savedTypes(state.admission.schema, new Set([...memory.types(), ...xuples.types()]));
  const before = migrate(state, { ...content, types }, next);
  const { parts, migration, renamed } = before;
  agenda.takeAll();
  next.clear();
  support.clear();
  state.expiry.clear();
  memory.removeAll();
  xuples.removeAll();
  state.declare(next.spec);
  runner.programReplaced();
  const change = memory.beginChange();
  state.problems.forgetLimits();
  activationListener.rebuilding = true;
  next.apply();
  const { stopped } = activity;
  const { doubts: _, ...certain } = content;
  finish(snapshots.filling({ ...certain, ...parts, counters: { ...parts.counters, change } }, { stamp: change }));
  activity.stopped = stopped;
  activity.agendaRefilled();
  history.migrated(change, renamed);
  if (listeners.has("fact")) reportChanges(state, content, before);
  changes.commit(changes.newStaging(), "support");
  return migration;
}

/** Migrates the facts of the session as data. Functions of the host cannot use the session meanwhile. */
function migrate(
  { activity }: SessionState,
  content: SnapshotContent & { readonly types: ReturnType<typeof savedTypes> },
  { spec, migrate: migrations }: NextProgram,
): Migrated {
  activity.committing = true;
  try {
    return finish(migrated(content, spec, migrations));
  } finally {
    activity.committing = false;
  }
}

/** Posts what the migration did to each fact, as events. */
function reportChanges({ listeners, memory }: SessionState, content: SnapshotContent, { renamed }: Migrated): void {
  for (const { id, type, fields } of content.facts) {
    const now = memory.get(renamed.get(id) ?? id);
    if (now === undefined || now.id !== id)
      listeners.post("fact", { op: "retract", id, type, fields, by: "migration" });
    if (now === undefined) continue;
    if (now.id !== id) listeners.post("fact", { op: "assert", ...factView(now), by: "migration" });
    else if (JSON.stringify(fieldsOf(now.shape, now.values)) !== JSON.stringify(fields)) {
      listeners.post("fact", { op: "update", ...factView(now), by: "migration" });
    }
  }
}
