/** What a migration did to facts, or why it is refused. */
import type { Value } from "../base/value.ts";
import { SessionError } from "./errors.ts";

/** What was done to the facts of one type. */
export interface MigratedType {
  /** The name of the type. */
  readonly type: string;
  /** The number of facts. */
  readonly facts: number;
}

/** A field that a migration removed. */
export interface DroppedField extends MigratedType {
  /** The name of the field. */
  readonly field: string;
}

/** A field that a migration added. */
export interface FilledField extends DroppedField {
  /** The default that it got; undefined for an optional field without one, which stays missing. */
  readonly value: Value | undefined;
}

/** What a reload, or restoring a snapshot with another program, did to the facts. All lists are empty when types did not change. */
export interface Migration {
  /** The new fields. */
  readonly filled: readonly FilledField[];
  /** The fields that the types no longer have, and how many facts had a value there. */
  readonly dropped: readonly DroppedField[];
  /** The types whose facts a function of `migrate` converted. */
  readonly converted: readonly MigratedType[];
  /** The types whose facts were removed because a function of `migrate` returned null. */
  readonly removed: readonly MigratedType[];
  /** The facts that have another id now, by the id before. References to them have followed. */
  readonly renamed: Readonly<Record<string, string>>;
  /** The tuple spaces that the program no longer has, and how many entries went with them. */
  readonly spaces: readonly { readonly space: string; readonly entries: number }[];
}

/** Facts of one type that do not fit a program. */
export interface AffectedFacts extends MigratedType {
  /** The ids of the first of them, at most 3. */
  readonly first: readonly string[];
  /** Why the first of them does not fit. */
  readonly reason: string;
}

/**
 * Facts do not fit the types of the program that a session was to continue with (E537). Nothing was changed. `migrate` can convert them.
 */
export class MigrationError extends SessionError {
  /** The facts that do not fit, by type. */
  readonly affected: readonly AffectedFacts[];

  /**
   * Creates the error.
   *
   * @internal
   */
  constructor(affected: readonly AffectedFacts[], cause?: unknown) {
    const count = affected.reduce((sum, { facts }) => sum + facts, 0);
    const head = count === 1 ? "1 fact does not fit" : `${count} facts do not fit`;
    const types = affected.slice(0, TYPES_SHOWN).map(words);
    if (affected.length > TYPES_SHOWN) types.push(`${affected.length - TYPES_SHOWN} more types`);
    const type = affected[0]?.type ?? "Type";
    const hint = `convert them with migrate: { ${type}(old) { return { ...old } } }; return null to remove a fact`;
    super("E537", `${head} the types of the new program: ${types.join("; ")}`, hint, cause);
    this.affected = affected;
  }
}

const TYPES_SHOWN = 5;
const FACTS_SHOWN = 3;

function words({ type, facts, first, reason }: AffectedFacts): string {
  const more = facts > first.length ? ", …" : "";
  return `${facts} of type ${type} (${first.join(", ")}${more}): ${reason}`;
}

/** Counts what a migration does. */
export class MigrationReport {
  readonly #filled = new Map<string, { type: string; field: string; facts: number; value: Value | undefined }>();
  readonly #dropped = new Map<string, { type: string; field: string; facts: number }>();
  readonly #converted = new Map<string, number>();
  readonly #removed = new Map<string, number>();
  readonly #spaces: { space: string; entries: number }[] = [];
  readonly #affected = new Map<string, { type: string; facts: number; first: string[]; reason: string }>();
  #cause: unknown = undefined;

  filled(type: string, field: string, value: Value | undefined, facts = 1): void {
    const key = `${type}.${field}`;
    const known = this.#filled.get(key);
    if (known === undefined) this.#filled.set(key, { type, field, facts, value });
    else known.facts += facts;
  }

  dropped(type: string, field: string): void {
    const key = `${type}.${field}`;
    const known = this.#dropped.get(key);
    if (known === undefined) this.#dropped.set(key, { type, field, facts: 1 });
    else known.facts += 1;
  }

  converted(type: string): void {
    this.#converted.set(type, (this.#converted.get(type) ?? 0) + 1);
  }

  removed(type: string): void {
    this.#removed.set(type, (this.#removed.get(type) ?? 0) + 1);
  }

  spaceGone(space: string, entries: number): void {
    this.#spaces.push({ space, entries });
  }

  /** Notes a fact that does not fit; `cause` is what a function of the host threw. */
  refused(type: string, fact: string, reason: string, cause?: unknown): void {
    this.#cause ??= cause;
    const known = this.#affected.get(type);
    if (known === undefined) {
      this.#affected.set(type, { type, facts: 1, first: [fact], reason });
      return;
    }
    known.facts += 1;
    if (known.first.length < FACTS_SHOWN) known.first.push(fact);
  }

  /** Throws E537 when a fact does not fit. */
  refuseAffected(): void {
    if (this.#affected.size > 0) throw new MigrationError([...this.#affected.values()], this.#cause);
  }

  result(renamed: ReadonlyMap<string, string>): Migration {
    return {
      filled: [...this.#filled.values()].sort((a, b) => compareTexts(a.type, b.type)), // fields in declared order
      dropped: [...this.#dropped].sort(byKey).map(([, entry]) => entry),
      converted: byType(this.#converted),
      removed: byType(this.#removed),
      renamed: Object.fromEntries(renamed),
      spaces: this.#spaces,
    };
  }
}

// What is listed is in the same order for a session that is reloaded and one that is restored.

function byType(counts: ReadonlyMap<string, number>): { type: string; facts: number }[] {
  return [...counts].sort(byKey).map(([type, facts]) => ({ type, facts }));
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareTexts(a, b);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The migration of a session whose types did not change. */
export const NO_MIGRATION: Migration = new MigrationReport().result(new Map());
