/** The life of a session: the program that it runs, its snapshots, and its end. {@link Session} implements it. */
import type { Migration } from "../../session/migration-report.ts";
import type { Snapshot } from "../../session/snapshot.ts";
import type { OpenOptions } from "../program.ts";
import type { Migrations } from "../../session/migration.ts";
import type { SnapshotSink } from "../../session/snapshot-stream.ts";
import type { RunnableProgram } from "../runnable.ts";

/** Options of {@link Session.snapshot}. */
export interface SnapshotOptions {
  /** Where the snapshot is written to. */
  readonly stream: SnapshotSink;
}

/** Options of {@link Session.reload}. */
export interface ReloadOptions {
  /** Converts facts whose types have another declaration in the new program, by type. */
  readonly migrate?: Migrations;
}

export interface SessionLife<Runs extends RunnableProgram> {
  /** The program that the session runs now. */
  readonly program: Runs;

  /** The host functions that rules call, by name. */
  readonly functions: NonNullable<OpenOptions["functions"]>;

  /**
   * Continues with another program and the same facts. Rules that both programs have keep their memories and do not
   * fire again for what they have fired. Facts that the source of the new program states are not asserted.
   *
   * Facts are migrated to the types of the new program: a new field gets its default, or stays missing where it is
   * optional; a field that is gone is dropped. Facts that do not fit then, because a field or the key has another type or a
   * required field is new, are converted by `migrate`, or the reload is refused and nothing changes.
   *
   * @param options - `migrate`: functions that convert facts, by type.
   * @returns What was done to the facts.
   * @throws {@link SessionError} E530 during a run or a batch, E525 when the session lacks a function that the new program
   *   declares, {@link MigrationError} E537 when facts do not fit.
   *
   * @example
   * ```ts
   * const program = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }');
   * const session = program.session();
   * session.assert("Person", { id: "p1" });
   * session.run();
   * session.reload(program.extend('rule "count" { when p: Person then log("one more") }'));
   * session.run().fired.map((fired) => fired.rule); // => ["count"]
   * const typed = compile('type Person(#id: string, vip: bool = false) rule "vip" { when p: Person(vip) then log(p.id) }');
   * session.reload(typed).filled; // => [{ type: "Person", field: "vip", facts: 1, value: false }]
   * ```
   */
  reload(program: Runs, options?: ReloadOptions): Migration;

  /** What happened to the facts of the snapshot that the session was opened with; nothing, when types did not change. */
  readonly migration: Migration;

  /**
   * Empties the session to the state just after it was opened, with the program that it runs now: facts, matches, history, problems,
   * listeners, tuple spaces and counters are gone, and the facts of the program are asserted again. A session that was opened from a
   * snapshot has those of the snapshot, unless it was reloaded since: then it begins as without a snapshot. The network is
   * used again, so it costs what the session holds, not what the program has; only after a match limit (E511), a failed
   * function (E521) or new fields in a program without types it is assembled again.
   *
   * @throws {@link SessionError} E530 during a run or a batch, and while changes are queued.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string) Person("p0")').session();
   * session.assert("Person", { id: "p1" });
   * session.reset();
   * session.facts().map((fact) => fact.id); // => ["Person~p0"]
   * ```
   */
  reset(): void;

  /**
   * Closes the session: every later call throws E535. A run that awaits a handler rejects with E535, and the changes of that
   * firing are not made; so do the changes that are queued. Closing a closed session does nothing. `using` closes a session at the end
   * of its block; `await using` first waits for what is queued.
   *
   * @throws {@link SessionError} E530 inside a synchronous run or a batch.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * session.close();
   * let code = "";
   * try {
   *   session.assert("Person", { id: "p1" });
   * } catch (error) {
   *   if (error instanceof SessionError) code = error.code;
   * }
   * code; // => "E535"
   * ```
   */
  close(): void;

  /**
   * Writes the session to a stream, in slices between which other work can run: as a rule at most 5 ms. {@link Program.openAsync} reads it. The snapshot is that of the moment of the call: until the
   * promise resolves, the session can be read, but changes, runs and queries are refused (E530).
   *
   * @param options - `stream`: where to write to. It is not closed.
   * @throws {@link SessionError} E530 during a run or a batch; whatever the stream fails with.
   *
   * @example
   * ```ts
   * const program = compile("type Person(#id: string)");
   * const session = program.session();
   * session.assert("Person", { id: "p1" });
   * const parts: string[] = [];
   * await session.snapshot({ stream: { write: (part, done) => (parts.push(part), done()) } });
   * const copy = await program.openAsync({ from: new Blob(parts).stream() });
   * copy.size; // => 1
   * ```
   */
  snapshot(options: SnapshotOptions): Promise<void>;

  /**
   * Returns the session as plain data that can be written as JSON. A session opened with `from` and the same program
   * continues exactly as this one would.
   *
   * @throws {@link SessionError} E530 during a run or a batch.
   *
   * @example
   * ```ts
   * const program = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }');
   * const session = program.session();
   * session.assert("Person", { id: "p1" });
   * const copy = program.session({ from: session.snapshot() });
   * copy.run().fired.length; // => 1
   * ```
   */
  snapshot(): Snapshot;
}
