/** What a session holds: facts, matches, history, problems and tuple spaces. {@link Session} implements it. */
import type { Problem } from "../../base/answers.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { FactOrigin } from "../../session/history.ts";
import type { FactRef, FactSupport, SessionCounters } from "../../session/options.ts";
import type { FactView, Fired, MatchView } from "../../session/results.ts";
import type { Xuple } from "../../session/xuples.ts";

export interface SessionContents {
  /**
   * The problems that exist now and stopped nothing: rules switched off at their match limit (E511), failed functions
   * (E521), failed listeners (E522), flows that cannot continue (E540) and subjects that cannot be judged (E543).
   */
  readonly problems: readonly Problem[];

  /**
   * Warnings that came up while rules were tested: divisions by zero (W501) and host functions that failed (E521), each
   * once per rule.
   */
  readonly warnings: readonly Diagnostic[];

  /**
   * Returns why the facts of a type, or what a rule reads, may be incomplete: a rule that they depend on was switched
   * off, failed, or has not fired yet. Returns undefined when they are complete. `rule` may also be `gate "g"`,
   * `guardian "d"` or `pipeline "p"`.
   */
  uncertainty(of: { readonly type: string } | { readonly rule: string }): string | undefined;

  /** The number of facts in working memory. */
  readonly size: number;

  /**
   * Returns the facts of a type, or all facts, in the order in which they were asserted.
   *
   * @throws {@link SessionError} E201 when there is no such type.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * session.assert("Person", { id: "p1" });
   * session.facts("Person"); // => [{ id: "Person~p1", type: "Person", fields: { id: "p1" } }]
   * ```
   */
  facts(type?: string): FactView[];

  /** Returns one fact by its handle, view or id; undefined when there is no such fact. */
  fact(ref: FactRef): FactView | undefined;

  /**
   * Returns the facts of a type, or all facts, that were withdrawn and that the history remembers, as they were last; newest
   * first. {@link Session.why} explains who withdrew one.
   *
   * @throws {@link SessionError} E201 when there is no such type.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * session.retract(session.assert("Person", { id: "p1" }));
   * session.withdrawn("Person").map((fact) => fact.id); // => ["Person~p1"]
   * session.why("Person~p1").upward_rationale; // => "Person p1 was withdrawn: the host retracted it."
   * ```
   */
  withdrawn(type?: string): FactView[];

  /**
   * Returns the matches that a rule has now, fired or not, in firing order. Nothing fires.
   *
   * @throws {@link SessionError} E207 when there is no such rule.
   */
  matches(rule: string): MatchView[];

  /** Returns which firing made and last changed a fact, and the matches that support it if it is logical. */
  origin(ref: FactRef): FactOrigin & { readonly supports: readonly FactSupport[] };

  /**
   * Returns the remembered firings of a rule, newest first.
   *
   * @throws {@link SessionError} E207 when there is no such rule.
   */
  firings(rule: string): Fired[];

  /**
   * Returns the matches that are waiting to fire, in firing order. Matches of a group that is not active are left out.
   */
  agenda(): { readonly rule: string; readonly bindings: Fired["bindings"] }[];

  /** Returns counters of the network and the agenda, for tests and measurements. */
  counters(): SessionCounters;

  /**
   * Returns, for each node of {@link Program.network} by its id, how many facts pass it or how many matches it holds.
   * It builds each node again to count, so it is meant for pictures and debugging.
   */
  nodeCounts(): ReadonlyMap<number, number>;

  /**
   * Returns the entries of a tuple space that an agent could take, oldest first. Entries older than the retention of
   * the space are gone.
   *
   * @throws {@link SessionError} E213 when there is no such space.
   */
  xuples(space: string, agent?: string): readonly Xuple[];

  /**
   * Takes the next entry of a tuple space, by the selection of the space; undefined when there is none. With `once` it
   * is gone for all agents, with `per-agent` only for this one.
   *
   * @throws {@link SessionError} E213 when there is no such space.
   */
  takeXuple(space: string, agent?: string): Xuple | undefined;
}
